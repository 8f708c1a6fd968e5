// The fast code of try and can, and of conditionals whose branches differ in type, and that it means what the slow path
// means.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/fast_code_test_util.h"

namespace hcl {
namespace {

using testing_support::ExpectFastMeansSlow;

// What is tried is what it is elsewhere, where that is a value: alltrue and anytrue take a null.
TEST(CoreAttemptsTest, GivesWhatIsTried) {
  const char* const kTried[] = {
      "alltrue([for e in a : e])",
      "anytrue([for e in a : e])",
      "alltrue([for e in a : e.x])",
      "anytrue([for e in a : e[0]])",
      "alltrue([for e in [1, 2] : a])",
      "anytrue([for e in [a, b] : e])",
      "alltrue([for e in [a, b] : e == 1])",
      "alltrue([for e in a : b ? e : 1])",
      "contains([for e in a : e], b)",
      "lookup(a, \"x\", b)",
      "a && b && a",
      "a || b || a",
      "a || b",
      "a && b || a",
      "(a || b) && a && b",
      "!(a && b) || a == 1",
      "alltrue(a)",
      "anytrue(a)",
      "a.x || anytrue([for e in b : e])",
      "b[0] && alltrue([for e in a : e])",
      "alltrue([for e in a : e && b])",
      "alltrue([for e in a : b || e.x && b])",
      "length([for e in a : e if b && e || e.x])",
      "b ? (a ? a : b) : 1",
      "b ? a[b].x : a",
      "b ? a[1.5].x : 1",
      "b ? a.x[-1] : a",
      "\"%{ if a }x${b}%{ endif }\"",
      "anytrue([a.x == 1 || b == 2, a.x == 2])",
      "alltrue([a == 1, a == 2 && false])",
      "anytrue([a.x == 1, a.x == 2 || true])",
      "anytrue([a.x == 1, a.x == 2])",
      "length([for e in [a.x == 1 || b == 2, a.x == 2] : 1 if e]) > 0",
      "[for r in [{w = a.x == 1 || b == 2, v = 1}, {w = a.x == 2, v = 2}] : r.v if r.w][0]",
      "[for r in [{w = a.x == 1, v = 1}, {w = a.x == 2, v = b}] : r.v if r.w][0]",
      "[for e in a : e if anytrue([for f in b : f.x == e.x])]",
      "[for e in a : alltrue([for f in b : f != e.x])]",
      "[for e in a : contains([for f in b : f.x], e)]",
      "[for e in a : [for f in b : f if f.x == e]]",
      "[for e in a : [for f in b : f if f.x == e.x && f.y]]",
      "[for e in a : [for f in b : 1 if e == f[0]][0]]",
      "{x = 1, y = 2}[a]",
      "try({x = 1, y = 2}[a], b.x)",
      "contains([\"x\", \"y\"], a) ? {x = 1, y = 2}[a] : b",
      "lookup({x = 1, y = 2}, a, b)",
      "contains(split(\",\", a), b)",
      "length(split(\"x\", a))",
      "anytrue([for e in split(\"x\", a) : e == b.x])",
      "length(regexall(\"[a-z]\", a)) > 0",
      "sum([a, b])",
  };
  for (const char* tried : kTried) {
    for (const char* form :
         {"try(P, 0)", "can(P) ? P : 0", "try([P], 0)", "try(P, upper(P), 0)", "try(try(P), a.x, 0)"}) {
      ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", tried}}), /*stride=*/1);
    }
  }
}

// Where a list has no elements, nothing is compared with them.
TEST(CoreAttemptsTest, SearchesOfEachPassInListsWithoutElements) {
  constexpr const char* kTexts[] = {
      "try([for x in a : 1 if anytrue([for y in b : y.y == x.x])], 7)",
      "can([for x in a : alltrue([for y in b : x.x != y.y])])",
      "try([for x in a : anytrue([for y in b : y.x == upper(x.x) if y.y])][0], 7)",
      "try(length([for x in a : x if anytrue([for y in b : y.x == x.x])]), 7)",
      "try([for x in a : 1 if contains([for y in b : y.x], x.x)], 7)",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// In what is tried, one side of a logical operator may decide where the other fails.
TEST(CoreAttemptsTest, ConditionsInTheTextFailAsTheirListDoes) {
  constexpr const char* kTexts[] = {
      "can(anytrue([a.x == 1 || b == 1, a.x == 2]))",
      "try(alltrue([a.x == 1 && b == 1, a.x == 2]), 7)",
      "try(anytrue([!(a.x == 1 || b == 1), a.x == 2]), 7)",
      "try(alltrue([a.x == 1, a.x == 2 && false]), 7)",
      "try(anytrue([a.x == 1, a.x == 2 || true]), 7)",
      "try(length([for e in [a.x == 1 || b == 1, a.x == 2] : 1 if e]) > 0, 7)",
      "try([for r in [{w = a.x == 1 || b == 1, v = 1}, {w = a.x == 2, v = 2}] : r.v if r.w][0], 7)",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// A branch that fails has the type of its call.
TEST(CoreAttemptsTest, TextsOfTextsThatAreAbsent) {
  constexpr const char* kTexts[] = {
      "try(a == 1 ? 7 : tostring({x = \"p\", y = \"q\"}[b]), 3)",
      "try(a == 1 ? 7 : tostring(\"${b.x}-\"), 3)",
      "try(a == 1 ? 7 : tostring(a == 2 ? \"z\" : {x = \"p\", y = \"q\"}[b]), 3)",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// A key that is missing makes only the inner attempt fail.
TEST(CoreAttemptsTest, ChoicesByKeyInWhatIsTried) {
  constexpr const char* kTexts[] = {
      "can(try({x = 1, y = 2}[a.x], b))",
      "try([try({x = 1, y = 2}[a.x], b)], 7)",
      "try([can({x = 1}[a.x]) ? {x = 1}[a.x] : b], 7)",
      "can(try({x = b}[a.x], 0) == 1)",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// Every form with every pair of parts.
TEST(CoreAttemptsTest, MeansWhatTheSlowPathMeans) {
  const char* const kParts[] = {"a",
                                "a.x",
                                "a[b]",
                                "b[0]",
                                "split(\"x\", a)[1]",
                                "upper(a)",
                                "tonumber(b)",
                                "1",
                                "\"1\"",
                                "a + b",
                                "length(a)",
                                "[a, b][a]",
                                "null",
                                "keys(a)[0]",
                                "jsondecode(a).x",
                                "b ? a : 1",
                                "\"${a}-${b}\"",
                                "regex(\"^[a-z]$\", a)",
                                "regex(\"(1)\", \"${b}\")",
                                "regex(b, a)",
                                "nosuch",
                                "{ x = a }[b]",
                                "a == null",
                                "\"2.5\"",
                                "\"true\"",
                                "0",
                                "-1",
                                "b - 1"};
  const char* const kForms[] = {
      "try(P, Q)",
      "can(P) ? Q : P",
      "try(P > 1, Q)",
      "try(P + Q, P, 0)",
      "try(contains(P, Q), false) || can(Q)",
      "try(startswith(P, \"x\"), Q == 1)",
      "try(P == Q, length(P), null)",
      "try(contains(keys(P), Q), false)",
      "try(!P, -Q)",
      "try(length(setintersection(P, [1])), Q)",
      "contains(keys(P), Q)",
      "b ? P : Q",
      "b ? P : a ? 1 : Q",
      "b ? P : a == null ? \"x\" : a ? 1 : \"y\"",
      "P == null ? Q : P",
      "can(P + 1) && can(Q)",
      "[for e in a : try(P, e) if try(e == Q, false)]",
      "[for e in a : P if can(e.x) && try(e.x, 1) == 1 && lower(e) == \"x\" && contains(e, Q)]",
      "length([for e in a : e if contains(e, Q) || can(P)])",
      "\"<${try(P, Q)}>${can(P)}\"",
      "try([for e in a : P][0], Q)",
      "try(P.x[0], Q)",
      "try(try(P, Q), 0)",
      "can(try(P, Q))",
      "b ? try(P, Q) : 1",
      "can(!P) ? Q : can(P * 2)",
      "try(length(P) + Q, -P, 0)",
      "[for e in a : try(e + P, Q)]",
      "try(\"<${P}>${Q}\", a)",
      "can(\"${P}-${Q + 1}\")",
      "try(P > 1 && Q, a)",
      "try(P && Q, Q || P, b)",
      "can(P || Q > 1) ? P : Q",
      "try(a && P == Q && b, P)",
      "try(P || a > 1 || Q, 0)",
      "try(P[Q], a)",
      "try(P[length(Q) - 1], a)",
      "try(P[Q - 1].x, 0)",
      "can(a[P + Q])",
      "try(b ? P : 1, Q)",
      "try(P == Q ? a.x : b, 0)",
      "try(a ? P : Q == 1 ? 2 : b, 0)",
      "try(P ? a[length(b) - 1] : 0, Q)",
      "try(anytrue([for e in a : e.x == P]), Q)",
      "try(sum([for e in a : e + P]), Q)",
      "try(max([for e in a : e]...), P)",
      "try(max(P...), Q)",
      "try([for e in a : e if e == P][0], Q)",
      "try([for e in a : e.x if e.x != P][0].x, Q)",
      "can(contains([for e in a : e.x], P)) ? Q : 1",
      "try(length([for e in P : e if e == Q]), 0)",
      "try(coalesce(P, Q), 0)",
      "try(element(P, Q), 0)",
      "try(min(P, Q), 0)",
      "try(substr(P, 0, Q), 0)",
      "try({a = P, x = Q}[b], P)",
      "try({x = P, \"1\" = 2}[a], Q)",
      "try([P, Q][a], b)",
      "try(join(P, Q), 0)",
      "try(P / Q, a)",
      "try(P % Q, 0)",
      "[P > Q, P <= Q][0]",
      "P > Q ? 1 : 2",
      "[P * Q - 1]",
      "!P ? 1 : Q",
      "sum([for e in a : e]) + P",
      "floor(P) == Q",
      "flatten([for e in a : e == P ? [Q] : []])",
      "flatten([a == null ? [] : [P], [Q]])",
      "concat(b ? [P] : [], [Q])",
      "try([P, Q + 1], Q)",
      "try({ x = P * 2, y = [Q] }, P)",
      "try([upper(P), \"${Q}!\"][0], Q)",
      "try({ x = tonumber(P) }.x, 0)",
      "try([P, 1][Q ? 0 : 1], 2)",
      "try(P + 1, Q + 1, P)",
      "try(try(P + 1, a.x), Q > 1, 0)",
      "try(try(P), try(-Q), \"x\")",
      "can(try([P - 1], upper(Q)))",
      "try(upper(lower(P)), Q)",
      "try(tostring(P + 1), length([Q]))",
      "try(upper(\"<${P}>\"), Q)",
      "try(split(\"${P}\", tostring(Q))[0], 0)",
      "try(lookup(P, \"x\", Q), b)",
      "can(lookup(P, Q, 1)) ? lookup(a, \"y\", P) : 0",
      "try(P && Q && b, 0)",
      "try(a || P || Q, b || Q)",
      "try(a && b && P && Q, 1)",
      "try(contains([for e in a : e.x], P), Q)",
      "try(sum([for e in a : length(P)]), Q)",
      "try([for e in a : upper(e) if e != P][0], [Q])",
      "try(sum([for e in [1, 2] : e + P]), Q)",
      "try([upper(P), upper(P), lower(Q)], upper(P))",
      "try(P && Q || b, 0)",
      "try((P || b) && Q, 1)",
      "try(b && (P || Q && a), 1)",
      "try((P && Q) == b, P && b ? 1 : 2, 0)",
      "try(b ? (a ? P : Q) : 0, 1)",
      "try(b ? \"x${P}\" : Q, 1)",
      "try(\"%{ if P }x${Q}%{ else }y%{ endif }\", a)",
      "try(alltrue([for e in a : e && P || Q]), b)",
      "can(anytrue([for e in P : e || Q]))",
      "try(length([for e in a : e if P && e || Q]), 0)",
      "try(tostring([for e in a : P]), Q)",
      "try(join(P, [for e in a : e.x]), [for e in b : Q][0], 0)",
  };
  for (const char* form : kForms) {
    for (const char* p : kParts) {
      for (const char* q : kParts) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/41);
      }
    }
  }
}

// A condition that holds where a path leads nowhere leaves the element without a value.
TEST(CoreAttemptsTest, ElementsThatAreNotThere) {
  constexpr const char* kTexts[] = {"[for z in [for e in a : b.x if !can(b.x)] : z][0]",
                                    "[for z in [for e in a : e.x if !can(e.x)] : z][0]",
                                    "[for z in [for e in a : e.x if try(e.x, null) == null] : z][0]",
                                    "[for z in [for e in a : e.x if !can(e.x)] : z]",
                                    "[for z in [for e in a : b.x if !can(b.x)] : [z]]",
                                    "length([for z in [for e in a : b.x if !can(b.x)] : z if z == null])",
                                    "anytrue([for z in [for e in a : e.x if !can(e.x)] : z == null])",
                                    "try([for z in [for e in a : e.x if !can(e.x)] : z][0], 0)",
                                    "[for z in [for e in a : e.x if !can(e.x)] : 1][0]"};
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// `try(a, b, list...)` tries a and b one by one and calls the function for the list alone.
TEST(CoreAttemptsTest, ExpandedAttempts) {
  constexpr const char* kTexts[] = {
      "can(try([1], a...))",
      "can(try([a], b...)) && b",
      "try(try([1], a...), 5)",
      "try([try([a], b...)], 5)",
      "[for e in a : e if can(try([e], b...))]",
      "try(try(a.x, [b], a...), 5)",
      "can(try(a...))",
      "try(try(a...), b)",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// What is named fails where it is named, whatever operators do with the name; and a value that a loop without passes
// would compare fails nothing.
TEST(CoreAttemptsTest, NamedValues) {
  constexpr const char* kNamed[] = {"a.x", "a[b]", "a + 1", "length(b)", "a && 1", "1[7]", "upper(b.x)"};
  constexpr const char* kTexts[] = {
      "try([for t in [P] : t && b == 1], 7)",          "try([for t in [P] : t || a == 1][0], 7)",
      "can([for t in [P] : 1 if t || a == 1])",        "try([for t in [P] : (t == 1 && b) || a ? 1 : 2], 7)",
      "try(anytrue([for t in [P] : t && b == 1]), 7)", "try([for t in [{ n = P }] : t.n && b == 1], 7)",
      "[for t in [P] : try(t && b == 1, 7)]",          "try([for t in [P] : [for s in [t] : s && b == 1][0]], 7)",
      "can(anytrue([for k in keys(a) : k == P]))",     "try(anytrue([for k, v in a : k == P]), 7)",
      "try(alltrue([for k, v in a : P != k]), 7)",     "try(length([for k in keys(a) : k if k == P]) == 0, 7)",
      "try(anytrue([for v in a : v == P]), 7)",        "try(contains([for v in a : v], P), 7)",
  };
  for (const char* text : kTexts) {
    for (const char* named : kNamed) ExpectFastMeansSlow(absl::StrReplaceAll(text, {{"P", named}}), /*stride=*/7);
  }
}

// What makes a list unknown may stand behind elements whose passes fail: there are no passes then.
TEST(CoreAttemptsTest, PassesOverListsThatTurnOutUnknown) {
  constexpr const char* kTexts[] = {
      "try([for z in [for e in a : 1 if e == 1] : 1.x], 7)",
      "try([for z in [for e in a : 1 if e < 2] : z.x][0], 7)",
      "try(anytrue([for z in [for e in a : e if e != b] : z.x]), 7)",
      "can([for z in [for y in [for e in a : e if e == 1] : y] : b.x])",
      "try([for z in concat([1], [for e in a : 1 if e == 1]) : 1.x], 7)",
      "try([for z in flatten([[1], [for e in a : 1 if e == 1]]) : b.x], 7)",
      "try(length([for z in reverse([for e in a : e if e == 1]) : z if z.x]), 7)",
      "try([for z in concat([1], a) : 1.x], 7)",
      "try([for z in concat([b], a ? [1] : []) : z.x], 7)",
      "try([for z in values(a) : 1.x], 7)",
      "try([for z in [1, a, b] : z.x], 7)",
      "try(sum([for z in [for e in a : e if e == 1] : z + b.x]), 7)",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

// A null of another type than bool is no side of an operator, and nothing is known of the elements that a list without
// elements might have.
TEST(CoreAttemptsTest, NullsAndListsWithoutElementsAreNoShortWay) {
  constexpr const char* kTexts[] = {"try(a && b.x == 1, 7)",
                                    "try(a && (b == true), 7)",
                                    "try(b.x == 1 && a, 7)",
                                    "try(a || b.x == 1, 7)",
                                    "try(b.x == 1 || a, 7)",
                                    "can(a && b.x.y == 1)",
                                    "try(a && b.x == 1 && b, 7)",
                                    "try(length([for e in a : e if e || b.x == 1]), 7)",
                                    "can(length([for e in a : e if e && b.y]) > 0)",
                                    "can(anytrue([for e in a : true if e.y == 1 || b.y]))",
                                    "try(sum([for e in a : 1 if e != b.x]), 7)"};
  for (const char* text : kTexts) ExpectFastMeansSlow(text, /*stride=*/1);
}

}  // namespace
}  // namespace hcl

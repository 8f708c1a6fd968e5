// The fast code of try and can, and of conditionals whose branches differ in type, and that it means what general code
// means.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/plain_test_util.h"

namespace hcl {
namespace {

using testing_support::CompilePlain;
using testing_support::ExpectPlainMeansGeneral;
using testing_support::PlainListing;

TEST(PlainAttemptsTest, Listings) {
  struct Row {
    const char* source;
    const char* want;
  };
  const Row kRows[] = {
      // What an operator reads is looked for first, and is an operand then.
      {"try(a.x > 1, false)",
       "PlainFind r1 a.x\nIfNotThere r1 -> 7\nIfLessEqual r1 1 -> 5\nLoadConst r0 true\nSkip -> 6\nLoadConst r0 false\n"
       "Skip -> 8\nLoadConst r0 false\nReturn r0\n"},
      // What fails for certain goes on with the next attempt.
      {"try(a + 1, 2)", "PlainAdd r0 a 1\nSkip -> 3\nLoadConst r0 2\nReturn r0\n"},
      {"can(a > 1) ? 1 : 2",
       "IfLessEqual a 1 -> 3\nLoadConst r1 true\nSkip -> 4\nLoadConst r1 false\nSkip -> 6\nSkip -> 7\nReturn 1\nReturn "
       "2\n"},
      {"try(try(a.x, a.y), 0)",
       "PlainFind r0 a.x\nIfThere r0 -> 5\nPlainFind r0 a.y\nIfThere r0 -> 5\nLoadConst r0 0\nReturn r0\n"},
      // A part of a template that is not there, or has no text, fails for certain.
      {"try(\"<${a.x}>\", 0)",
       "PlainLoad r1 a.x\nPlainCheck r1 #3\nConcat r0 \"<\" r1 \">\"\nSkip -> 5\nLoadConst r0 0\nReturn r0\n"},
      // What one side of a logical operator fails with does not matter where the other one decides.
      {"try(a.x || b, false)",
       "PlainLoad r1 a.x\nIfTrueChecking r1 b -> 7\nIfTrue b -> 7\nLoadConst r0 false\nSkip -> 10\n"
       "IfTrue b -> 7\nSkip -> 9\nLoadConst r0 true\nSkip -> 10\nLoadConst r0 false\nReturn r0\n"},
      // All of a literal fails with one of its parts, a call among them.
      {"try([a + 1], 0)",
       "PlainAdd r1 a 1\nMakeTuple r0 r1 #1\nPlainCheck r0 #13\nSkip -> 5\nLoadConst r0 0\nReturn r0\n"},
      {"try({ k = upper(a) }, 0)",
       "PlainLoad r1 a\nPlainAttempt r1 upper/1\nIfNotThere r1 -> 6\nMakeObject r0 r1 {k}\nPlainCheck r0 #13\n"
       "Skip -> 7\nLoadConst r0 0\nReturn r0\n"},
      // What is tried behind the first one may be computed as well; a try in it adds its own attempts.
      {"try(a + 1, b + 1, 0)", "PlainAdd r0 a 1\nSkip -> 5\nPlainAdd r0 b 1\nSkip -> 5\nLoadConst r0 0\nReturn r0\n"},
      {"try(try(a + 1, b.x), 0)",
       "PlainAdd r0 a 1\nSkip -> 5\nPlainFind r0 b.x\nIfThere r0 -> 5\nLoadConst r0 0\nReturn r0\n"},
      {"try(lookup(a, \"x\", 1), 0)",
       "PlainLoad r0 a\nPlainLookupAttr r0 1 \"x\"\nPlainCheck r0 #13\nSkip -> 5\nLoadConst r0 0\nReturn r0\n"},
      // A side that is no bool fails with its operator, and the next one may decide.
      {"try(a && b && c, 0)",
       "PlainCheck c #15\nPlainCheck b #15\nIfFalse a -> 19\nIfFalse b -> 19\nIfFalse c -> 19\nLoadConst r0 true\n"},
      // So does an operator in it, which has such code of its own.
      {"try(a && b || c, 0)", "PlainCheck c #15\nIfFalseChecking a b -> 17\nIfFalse b -> 17\nSkip -> 22\n"},
      // A null among bools is no failure.
      {"try(alltrue([for e in a : e]), 0)",
       "LoadConst r0 true\nPlainLoad r1 a\nPlainFor r1 -> 12\nIfTrue r3 -> 11\nLoadConst r0 false\nSkip -> 11\n"
       "IfNotThere r3 -> 13\nIfNull r3 -> 9\nSkip -> 13\nPlainCheck r3 #15\nLoadConst r0 false\n"
       "PlainForEach r1 -> 3\nSkip -> 14\n"},
      // A choice in a branch runs only where it is taken, as does a template.
      {"try(a ? (b ? c : 1) : 0, 2)",
       "PlainCheck c #7\nIfFalse a -> 7\nIfFalse b -> 5\nPlainTyped r0 c null\nSkip -> 8\nLoadConst r0 1\n"
       "Skip -> 8\nLoadConst r0 0\nPlainCheck r0 #13\nSkip -> 11\nLoadConst r0 2\nReturn r0\n"},
      {"try(\"%{ if a }x${b}%{ endif }\", 0)",
       "IfFalse a -> 5\nPlainCheck b #3\nPlainLoad r2 b\nConcat r1 \"x\" r2\nSkip -> 6\nLoadConst r1 \"\"\n"
       "PlainCheck r1 #3\nConcat r0 r1\nSkip -> 10\nLoadConst r0 0\nReturn r0\n"},
      // The arguments of a call that fails are made as what is tried.
      {"try(upper(\"a${b}\"), 0)",
       "PlainCheck b #3\nPlainLoad r1 b\nConcat r0 \"a\" r1\nPlainAttempt r0 upper/1\nSkip -> 6\nForget r0 #1\n"
       "IfThere r0 -> 8\nLoadConst r0 0\n"},
      {"try(upper(lower(a)), 0)",
       "PlainLoad r0 a\nPlainAttempt r0 lower/1\nIfNotThere r0 -> 5\nPlainAttempt r0 upper/1\nSkip -> 6\nF"},
      // A list that is looked for does not fail.
      {"try(contains([for e in a : e.x], b), false)",
       "PlainCheck b #3\nLoadConst r0 false\nPlainLoad r1 a\nPlainFor r1 -> 8\nPlainAttr r4 r3 \"x\"\n"},
      // A call that fails is nothing.
      {"try(upper(a), \"x\")",
       "PlainLoad r0 a\nPlainAttempt r0 upper/1\nIfThere r0 -> 4\nLoadConst r0 \"x\"\nReturn r0\n"},
      {"can(regex(\"^x.$\", a)) ? 1 : 2",
       "LoadConst r1 \"^x.$\"\nPlainLoad r2 a\nPlainCan r1 regex/2\nIfNotThere r1 -> 5\nReturn 1\nReturn 2\n"},
      {"can(tonumber(a.x)) ? 1 : 2", "PlainFind r2 a.x\nIfNotThere r2 -> 6\nMove r3 r2\nPlainAttempt r3 tonumber/1\n"},
      // A piece that need not be there.
      {"try(split(\"/\", a)[2], \"\")",
       "PlainLoad r0 a\nPlainSeekPiece r0 \"/\" #2\nIfThere r0 -> 4\nLoadConst r0 \"\"\nReturn r0\n"},
      // No list of keys is made.
      {"contains(keys(a), b)", "IfNotKey a b -> 2\nReturn true\nReturn false\n"},
      // Branches of two types.
      {"a ? b.x : \"none\"",
       "PlainFind r1 b.x\nIfFalse a -> 4\nPlainAlike r0 r1 \"none\"\nReturn r0\nPlainAlike r0 "
       "\"none\" r1\nReturn r0\n"},
  };
  for (const Row& row : kRows) {
    const std::string listing = PlainListing(row.source);
    EXPECT_EQ(listing.substr(0, std::string(row.want).size()), row.want) << row.source << "\n" << listing;
  }
}

// What is tried is what it is elsewhere, where that is a value: alltrue and anytrue take a null.
TEST(PlainAttemptsTest, GivesWhatIsTried) {
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
  };
  for (const char* tried : kTried) {
    for (const char* form :
         {"try(P, 0)", "can(P) ? P : 0", "try([P], 0)", "try(P, upper(P), 0)", "try(try(P), a.x, 0)"}) {
      ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"P", tried}}), /*stride=*/1);
    }
  }
}

// Operators in others are tested once more behind failures, in code that is too long for jumps where there are many.
TEST(PlainAttemptsTest, LongOperatorsHaveCode) {
  struct Row {
    int count;
    const char* form;
  };
  for (const Row& row : {Row{900, "try([a && (b || (P))], 0)"}, Row{1100, "try([a && (b || (P))], 0)"},
                         Row{7900, "try(a || (P), 0)"}, Row{7900, "try(P, 0)"}}) {
    std::string chain = "a";
    for (int n = 1; n < row.count; ++n) absl::StrAppend(&chain, n % 2 == 0 ? " && a" : " && b");
    EXPECT_NE(CompilePlain(absl::StrReplaceAll(row.form, {{"P", chain}})), nullptr) << row.count << row.form;
  }
}

// Every form with every pair of parts.
TEST(PlainAttemptsTest, MeansWhatGeneralCodeMeans) {
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
        ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/41);
      }
    }
  }
}

// A condition that holds where a path leads nowhere leaves the element without a value.
TEST(PlainAttemptsTest, ElementsThatAreNotThere) {
  constexpr const char* kTexts[] = {"[for z in [for e in a : b.x if !can(b.x)] : z][0]",
                                    "[for z in [for e in a : e.x if !can(e.x)] : z][0]",
                                    "[for z in [for e in a : e.x if try(e.x, null) == null] : z][0]",
                                    "[for z in [for e in a : e.x if !can(e.x)] : z]",
                                    "[for z in [for e in a : b.x if !can(b.x)] : [z]]",
                                    "length([for z in [for e in a : b.x if !can(b.x)] : z if z == null])",
                                    "anytrue([for z in [for e in a : e.x if !can(e.x)] : z == null])",
                                    "try([for z in [for e in a : e.x if !can(e.x)] : z][0], 0)",
                                    "[for z in [for e in a : e.x if !can(e.x)] : 1][0]"};
  for (const char* text : kTexts) ExpectPlainMeansGeneral(text, /*stride=*/1);
}

// `try(a, b, list...)` tries a and b one by one and calls the function for the list alone.
TEST(PlainAttemptsTest, ExpandedAttempts) {
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
  for (const char* text : kTexts) ExpectPlainMeansGeneral(text, /*stride=*/1);
}

// A null of another type than bool is no side of an operator, and nothing is known of the elements that a list without
// elements might have.
TEST(PlainAttemptsTest, NullsAndListsWithoutElementsAreNoShortWay) {
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
  for (const char* text : kTexts) ExpectPlainMeansGeneral(text, /*stride=*/1);
}

}  // namespace
}  // namespace hcl

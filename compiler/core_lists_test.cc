// Lists that fast code puts together element by element: what the code is, and that it means what the slow path means.

#include <string>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/fast_code_test_util.h"

namespace hcl {
namespace {

using testing_support::ExpectFastMeansSlow;

// Every form with every pair of parts.
TEST(CoreListsTest, MeansWhatTheSlowPathMeans) {
  const char* const kParts[] = {
      "a",
      "a.x",
      "[]",
      "[a, 1]",
      "[[b], \"s\"]",
      "[for e in a : e]",
      "[for e in a : [e, b]]",
      "[for k, e in b : {k = k, e = e} if e != 1]",
      "(a == 1 ? [\"one\"] : [])",
      "(a == 1 ? [\"${[]}x\"] : [])",
      "(a == b ? [1, 2] : [\"${b}\"])",
      "toset([\"x\", \"y\"])",
      "concat(b, [a])",
  };
  const char* const kForms[] = {
      "concat(P, Q)",
      "flatten([P, Q])",
      "flatten([for x in P : Q])",
      "flatten([for x in P : [x, Q] if x != 2])",
      "flatten(concat(P, [Q], [1]))",
      "concat([1], P, flatten([Q]))",
      "[for x in concat(P, Q, [true]) : x]",
      "length(concat(P, [1], Q)) > 1",
      "anytrue([for x in concat(P, [1], Q) : x == b])",
      "concat([1], P) == concat([1], P) ? concat(Q, [2]) : []",
  };
  for (const char* form : kForms) {
    for (const char* p : kParts) {
      for (const char* q : kParts) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/7);
      }
    }
  }
}

// What functions and loops put together of parts that are there.
TEST(CoreListsTest, WhatIsMadeOfParts) {
  const char* const kTexts[] = {
      "merge({x = a}, {y = b})",
      "merge({x = a}, {x = b, z = 1})",
      "merge({x = a}, {y = {z = b}}).y",
      "{for k, v in {x = a, y = b} : k => v}",
      "{for k, v in {x = a} : \"z${k}\" => v}.zx",
      "{for v in [a, b] : \"same\" => v}",
      "{for k, v in {x = a, y = b} : k => v if a == 1}",
      "values({x = a, y = b})",
      "values({x = a, y = b})[1]",
      "alltrue(values({x = a, y = b}))",
      "reverse([a, b])",
      "reverse([a, b])[0]",
      "sum(reverse([a, b]))",
      "min(reverse([for x in a : x])...)",
      "join(\"-\", [for x in [a, b] : x])",
      "join(\"\", concat([a], [\"x\", 1]))",
      "join(\",\", reverse([a, \"x\"]))",
      "coalesce(a == 1 ? \"x\" : null, b)",
      "coalesce(a == 1 ? null : \"x\", \"y\")",
      "(a == b ? \"x\" : null) == null",
      "(true ? a : null) == null",
      "lookup({x = a == 1}, \"x\", b)",
      "lookup({x = a, y = b}, \"x\", 1)",
      "contains([for v in a : v == b], true)",
      "contains([for v in a : v == b], false)",
      "flatten([a == 1 ? [\"x\"] : [], [\"y\"]])[0]",
      "\"%{ if a == b }x%{ else }y%{ endif }\"",
      "format(\"%s\", lower(a))",
      "join(\"\", [lower(a)])",
      "a == 1 ? (a == 1 ? b : 2) : 3",
      "substr(a, 0, 1) == \"x\"",
      "lower(lower(a))",
      "tostring(a == b) == \"true\"",
      "{a = a == b ? \"x\" : \"y\", b = a == b ? 1 : 2}",
      "{a = a == b ? \"x\" : b ? \"y\" : \"z\"}",
      "lookup({x = 1, \"1\" = 2}, a, 3)",
      "lookup({x = a, y = b}, b, [])",
      "{x = 1, \"1\" = b}[a]",
      "[a, 1][b]",
      "[\"x\", \"y\"][a]",
      "a == 1 ? {x = 1, y = b}[a] : b",
      "a == 1 ? {x = [a]}[b][0] : {y = [b]}[a][0]",
      "can({x = 1}[a]) ? {x = 1}[a] : b",
      "try({x = 1}[a], b)",
      "tostring(a) == \"1\" ? {true = a, false = b}[tostring(a == 1)] : 1",
      "slice(split(\"x\", a), 0, 1)[0]",
      "slice(split(\"x\", a), 0, 2)[1]",
      "try(slice(split(\"x\", a), 1, 2)[0], b)",
      "slice(slice(split(\"x\", a), 1, 3), 0, 2)[1]",
      "slice(slice(split(\"x\", a), 0, 1), 0, 2)[0]",
      "reverse(slice(split(\"x\", a), 0, 2))[0]",
      "slice(reverse(split(\"x\", a)), 0, 2)[1]",
      "reverse(split(\"x\", a))[0]",
      "element(split(\"x\", a), -1)",
      "[for p in split(\"x\", a) : p][0]",
      "concat(split(\"x\", a), [])[0]",
      "concat(split(\"x\", a), [b])[0]",
      "sum(flatten([for x in a : [x, 1]]))",
      "[for y in flatten([for x in a : x]) : y == b]",
      "[for y in flatten([for x in a : [x]]) : y == b]",
      "anytrue([for y in flatten([for x in a : x.p]) : y == b])",
      "length(flatten([for x in a : x.p]))",
      "[for y in flatten([for x in a : x.p if x != b]) : 1]",
      "([for x in a : {p = x} if x != b][*].p)[0]",
      "contains([for k, v in a : k], b)",
      "anytrue([for x in reverse(a) : x == b])",
      "length(concat(a, []))",
      "[for x in flatten([for v in [[[for k, e in b : 1]]] : v]) : 1]",
      "flatten([for v in [[[for e in a : e]]] : v])",
      "contains({for k, x in a : k => x == b}[*], a)",
      "[for x in {for k, x in a : k => x}[*] : x == b]",
      "[for x in {x = [{c = a, v = b}, {c = b, v = 1}]}.x : x.v if x.c == 1]",
      "[for x in (a == 1 ? [b, b] : [a, a]) : x]",
      "length([for x in [a == 1, b != 2] : x if !x]) == 0",
      "length([for x in a : x == b])",
      "length([for x in a : {p = x} if x != b])",
      "substr(a, 0, 1) == \"x\" || b",
      "substr(a, 0, 2) != \"x1\" && b",
      "can(regex(\"x$\", \"${a}${b}\")) ? \"${a}${b}\" : a",
      "!can(regex(\"x\", a == 1 ? \"x\" : b)) || a == 1",
  };
  for (const char* text : kTexts) ExpectFastMeansSlow(text);
}

// Every consumer of every list that is made for it.
TEST(CoreListsTest, ConsumersOfLists) {
  const char* const kLists[] = {
      "[a, b]",
      "[[a], [b, 1]]",
      "reverse(a)",
      "reverse([a, b, true])",
      "concat(a, [b])",
      "concat([b], reverse(a), [])",
      "concat(reverse([a, 1]), concat([b], [true]))",
      "reverse(concat(a, [for e in b : e == 1]))",
      "flatten([[a == 1], b ? [true] : [], [for e in a : e == b]])",
      "flatten([a == 1 ? [\"x\"] : [], [\"${b}\"]])",
      "values(a)",
      "values({y = a, x = b})",
      "keys(b)",
      "reverse(values(a))",
      "reverse(keys(b))",
      "reverse([for i, e in a : i])",
      "reverse([for e in a : e.x if e != b])",
      "reverse(reverse([for k, e in b : k]))",
      "reverse(a == 1 ? [\"x\", \"y\"] : [for e in b : \"z\"])",
      "concat([for e in a : [e]]...)",
      "concat([for e in a : [e, b]]...)",
      "[for e in {for k, x in a : k => x} : e]",
      "[for e in {for k, x in b : k => [x, k] if x != a} : e[0]]",
      "[for e in [for x in a : x] : e if e != b]",
      "[for e in [for x in b : x.x] : e if e && a]",
      "[a, b][*]",
      "[a, b][*].x",
      "slice([a, b, 1], 1, 3)",
      "slice([for e in a : e], 0, 1)",
      "{list = [a, b, true], rest = b}.list",
      "[for l in [[a, b]] : l][0]",
      "[for k, e in b : k if e != a]",
      "[for e in reverse(a) : e if e != b]",
      "[for i, e in concat([a], b) : i if e]",
      "[for e in concat(a, [b]) : e.x if e.x != 1]",
  };
  const char* const kConsumers[] = {
      "alltrue(L)",
      "anytrue(L)",
      "sum(L)",
      "max(L...)",
      "length(L)",
      "length(L) > 0",
      "one(L)",
      "contains(L, b)",
      "contains(L, true)",
      "L[0]",
      "L[0].x",
      "element(L, 0)",
      "element(concat(a == 1 ? [b] : [], L), 0)",
      "element(L, 3)",
      "length([for z in L : z if z == (a == 1)]) > 0",
      "sum(concat([0], [for z in L : 1 if z == true])) > 0",
      "L == []",
      "L != []",
      "sum(concat([0], [for z in L : 1 if z == b])) > 0",
      "try(anytrue([for z in L : true]), \"t\")",
      "[for z in L : z]",
      "[for z in L : z == a]",
      "[for z in concat(L, [a]) : z if z != null][0]",
      "can(alltrue([for z in L : z != b]))",
      "length([for z in L : z if z == \"x\"]) == 0",
      "join(\",\", L)",
      "join(\"\", [for z in L : \"${z}-${a};\"])",
      "\"%{ for z in L }${z},%{ endfor }\"",
      "\"<%{ for z in L ~} ${z}${b} %{ if z == 1 }one%{ endif }%{ endfor }>\"",
      "try(join(\"-\", [for z in L : z.x]), join(\" \", [for z in L : z if z != a]))",
      "try(\"%{ for k, z in L }${k}${z.x}%{ endfor }\", \"none\")",
  };
  for (const char* consumer : kConsumers) {
    for (const char* list : kLists) ExpectFastMeansSlow(absl::StrReplaceAll(consumer, {{"L", list}}), /*stride=*/5);
  }
}

// Texts whose characters compose where they meet, long numbers, and what has no text.
TEST(CoreListsTest, JoinedTexts) {
  const char* const kForms[] = {
      "join(S, [for x in L : x])",
      "join(S, concat([for x in L : x], [a, \"end\"]))",
      "join(S, reverse([for x in L : \"${x}\"]))",
      "join(S, [for x in L : x if x != b])",
      "join(S, [for x in a : join(S, [for y in L : \"${x}${y}\"])])",
      "\"%{ for x in L }${x}%{ endfor }\"",
      "\"%{ for k, x in L }${k}%{ for y in a }${x}${y}%{ endfor }%{ endfor }\"",
      "length(join(S, [for x in L : x])) > 3",
      "try(join(S, [for x in L : x.x]), 0)",
  };
  const char* const kLists[] = {
      "a",       "b",   "[a, b, 1.5, true]", "[\"e\", \"\\u0301\", a]", "[1e30, 0.1, -7, b]", "[null, a]",
      "[[], a]", "a.x", "keys(a)",           "[for y in a : y.x]"};
  for (const char* form : kForms) {
    for (const char* separator : {"\"\"", "\", \"", "\"\\u0301\"", "b"}) {
      for (const char* list : kLists) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"S", separator}, {"L", list}}), /*stride=*/5);
      }
    }
  }
}

// What is the same in all passes is made once, where a pass comes by it.
TEST(CoreListsTest, WhatDoesNotChangeInALoop) {
  const char* const kMade[] = {
      "lower(b)",
      "upper(b.x)",
      "\"${b}-1\"",
      "\"s\"",
      "split(\"s\", b)[0]",
      "length([for y in b : y])",
      "sum([for y in b : y])",
      "timeadd(b, \"1h\")",
      "[for y in b : y if y != 1][0]",
      "try(lower(b.x), 1)",
  };
  const char* const kForms[] = {
      "[for x in a : x if x == I]",
      "[for x in a : x.x if x.x == I && x != 2]",
      "[for x in a : [x, I] if x != b]",
      "[for x in a : x if x == 1 || x == I]",
      "[for k, x in a : k if try(x.x == I, false)]",
      "[for x in a : [for y in x : y if y == I && x != b]]",
      "anytrue([for x in a : x.x == I || x == 2])",
      "length([for x in a : x if x != I]) > 1",
      "try([for x in a : x if x == I][0], I)",
      "{for k, x in a : k => I if x != I}",
      "[for x in a : x if contains([I, 1], x)]",
      "join(\",\", [for x in a : \"${x}${I}\" if x != 1])",
  };
  for (const char* form : kForms) {
    for (const char* made : kMade) ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"I", made}}), /*stride=*/3);
  }
}

// A choice between lists of several lengths gives a list of a type, which decides what steps may be taken of nothing.
TEST(CoreListsTest, ChoicesWithoutElements) {
  const char* const kChoices[] = {"a ? [1] : []", "a ? [] : [\"x\"]", "a ? [{x = 1}] : []", "a ? [[1]] : []",
                                  "a == b ? [b] : []"};
  const char* const kReaders[] = {
      "(C)[*][1]",
      "(C)[*].x",
      "[for e in b : (C)[*][0]]",
      "[for v in [b] : (C)[*].x]",
      "alltrue(C)",
      "anytrue(C)",
      "length((C)[*].x)",
      "flatten([for e in b : (C)[*][1]])",
      "join(\"\", C)",
      "contains(C, b)",
      "[for e in C : e if e.x == 1]",
      "[for e in C : e if !e]",
      "(C).*.x[0]",
      "can((C)[*].x[0])",
      "[for e in (C) : e[*].x]",
      "sum([for e in C : length(e)])",
      "one(C)",
      "one((C)[*].x)",
      "try(flatten((C)[*][0]), \"no\")",
      "[for k, e in C : k if e > 0]",
  };
  for (const char* reader : kReaders) {
    for (const char* choice : kChoices) ExpectFastMeansSlow(absl::StrReplaceAll(reader, {{"C", choice}}), /*stride=*/7);
  }
}

// A loop that needs in its passes what another one over the same list gives does not run together with that.
TEST(CoreListsTest, LoopsThatAreMadeOfOthers) {
  const char* const kNames[] = {
      "max([for e in a : e]...)",
      "length([for e in a : e if e == b])",
      "anytrue([for e in a : e == b])",
      "[for e in a : e]",
      "{s = sum([for e in a : e]), n = length([for e in a : e if e != 1])}",
  };
  const char* const kReaders[] = {
      "[for t in [T] : sum([for e in a : e * t]) + t][0]",
      "[for t in [T] : [sum([for e in a : e if t == 1]), t]][0]",
      "[for t in [T] : sum([for e in a : e * t]) + sum([for e in a : e])][0]",
      "[for t in [T] : length([for e in a : e if t]) + sum([for e in a : e]) + t.s + t.n][0]",
      "[for t in [T] : anytrue([for e in a : contains(t, e)]) || length(t) > 2][0]",
      "[for t in [T] : [for s in [sum([for e in a : e * t])] : max([for e in a : e * s]...) + s + t][0]][0]",
  };
  for (const char* reader : kReaders) {
    for (const char* name : kNames) ExpectFastMeansSlow(absl::StrReplaceAll(reader, {{"T", name}}), /*stride=*/3);
  }
}

// What a function makes of no elements depends on the type that they would have.
TEST(CoreListsTest, ListsWithoutElements) {
  for (const char* consumer : {"one(L)", "one(concat(L, []))", "alltrue(L)", "anytrue(L)", "length(L)",
                               "contains(L, b)", "sum(L)", "min(L...)", "try(one(L), b)", "try(L[0], b)"}) {
    for (const char* list : {"values(a)", "keys(a)", "reverse(a)", "concat(a, [])", "concat([], a)", "a[*]",
                             "reverse([for e in a : e])", "concat([for e in a : [e]]...)"}) {
      ExpectFastMeansSlow(absl::StrReplaceAll(consumer, {{"L", list}}));
    }
  }
}

TEST(CoreListsTest, NumbersInFrontOfALoop) {
  for (const char* function : {"sum(F)", "min(F...)", "max(F...)"}) {
    for (const char* list : {"concat([0], [for e in a : e])", "concat([], [for e in a : e])",
                             "concat([1, -7, 0.5], [for e in b : e.y])", "concat([\"1\"], [for e in a : e])",
                             "concat([1], [for e in a : b if e != 1])", "concat([for e in a : e], [1])"}) {
      ExpectFastMeansSlow(absl::StrReplaceAll(function, {{"F", list}}));
    }
  }
}

// What stands behind a loop is the first element where the loop yields none.
TEST(CoreListsTest, TheFirstOfALoopOrWhatStandsBehindIt) {
  const char* const kLoops[] = {
      "[for e in a : e]",
      "[for e in a : e if e == b]",
      "[for k, e in a : k if e != 1]",
      "[for e in a : e.y if e.x == 1]",
      "[for r in [{when = a == b, then = a}, {when = b == 1, then = b}] : r.then if r.when]",
      "[for x in [a] : x]",
  };
  const char* const kBehind[] = {"[\"d\"]", "[]", "[], [{y = 7}, 1]", "[null]", "[[1, 2]]", "[a]", "tolist([\"d\"])"};
  const char* const kForms[] = {
      "concat(L, B)[0]",
      "try(concat(L, B)[0], 9)",
      "try(element(concat(L, B), 0), 9)",
      "can(concat(L, B)[0])",
      "try(concat(L, B)[0].y, 9)",
      "try(upper(concat(L, B)[0]), 9)",
      "try(element(concat(L, B), 0)[1], 9)",
      "try([concat(L, B)[0], 1], [])",
      "concat(L, B)[0] == b",
      "try(concat(L, B)[0] == b, 9)",
  };
  for (const char* form : kForms) {
    for (const char* loop : kLoops) {
      for (const char* behind : kBehind) {
        ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"L", loop}, {"B", behind}}), /*stride=*/29);
      }
    }
  }
}

TEST(CoreListsTest, NamedValues) {
  for (const char* source :
       {"[for s in [a] : s == b][0]", "[for s in [a.x] : {k = s, l = [s, b]}][0]", "[for i, s in [[a, b]] : s[i]][0]",
        "element([for s in [a] : s], 0)", "[for s in [a] : [for t in [b] : s == t ? s : t][0]][0]",
        "[for s in [a] : s.x][0].y", "concat([for s in [a] : [s, b]], [])[0]", "[for s in [a] : 1][0] + 1",
        "[for s in [lower(a)] : s == b || s == lower(b)][0]"}) {
    ExpectFastMeansSlow(source);
  }
}

// With no elements, a filter has to fail as it does on an unknown one.
TEST(CoreListsTest, FiltersOfNothing) {
  const char* const kFilters[] = {
      "x",
      "x.k",
      "!x",
      "x == b",
      "x.k != b.x",
      "x && b",
      "b.x || x",
      "x > 1",
      "x < b",
      "x + 1 > 2",
      "x * 2 == b.x.y",
      "x + b > 1",
      "length(x) > 1",
      "length(b) > x",
      "x == null",
      "null != b.x",
      "x && 1 == 1",
      "x == 1 && x.k",
      "b == 1 && x",
      "\"s\" == x",
      "startswith(x, \"s\")",
      "-x > 1",
      "startswith(x, b)",
      "contains([1], x)",
      "contains([1], b.x)",
      "x / 0 == 1",
      "can(b.x)",
      "can(b...)",
      "can(1...)",
      "try(x, 2...)",
      "length(x...) > 1",
      "contains(x, b...)",
      "x ? true : false",
      "can(x.k)",
      "can(upper(x)) && x",
      "try(x.k, false)",
      "try(x.k, 1)",
      "try(x.k, 1) == b",
      "try(x, x.k, 2) > 1",
      "lookup(x, \"k\", false)",
      "lookup(x, \"k\", \"s\") == b.x",
      "lower(x) == \"s\"",
      "lower(x.k) != upper(b)",
      "startswith(lower(x), trimspace(\" s\"))",
      "contains(x, b)",
      "contains(x.k, 1) && !x",
      "contains(b, x)",
  };
  for (const char* filter : kFilters) {
    for (const char* form : {"length([for x in a : x if F])", "flatten([for y in [a, []] : [for x in y : x if F]])",
                             "sum(concat([1], [for x in a.x : 1 if F]))", "anytrue([for k, x in a : true if F])"}) {
      ExpectFastMeansSlow(absl::StrReplaceAll(form, {{"F", filter}}));
    }
  }
}

}  // namespace
}  // namespace hcl

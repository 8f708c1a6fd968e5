// Lists that plain code puts together element by element: what the code is, and that it means what general code means.

#include <string>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/plain_test_util.h"

namespace hcl {
namespace {

using testing_support::ExpectPlainMeansGeneral;
using testing_support::PlainListing;

TEST(PlainListsTest, Listings) {
  struct Row {
    const char* source;
    const char* want;  // the beginning where no line ends
  };
  const Row kRows[] = {
      {"concat([a, 1], b, [for x in a : x])",
       "TupleBegin r1\nPlainCheck a #13\nPlainLoad r2 a\nTuplePush r1 r2\nTuplePush r1 1\nTupleExtend r1 b #0\n"
       "PlainLoad r2 a\nPlainFor r2 -> 11\nPlainCheck r4 #13\nTuplePush r1 r4\nPlainForEach r2 -> 8\nTupleEnd r0 r1\n"
       "Return r0\n"},
      {"flatten([for x in a : [for y in x.l : {k = y} if y > 1]])",
       "TupleBegin r1\nPlainLoad r2 a\nPlainFor r2 -> 12\nPlainAttr r5 r4 \"l\"\nPlainFor r5 -> 11\nIfLessEqual r7 1 "
       "-> "
       "10\nMove r9 r7\nMakeObject r8 r9 {k}\nPlainCheck r8 #13\nTuplePush r1 r8\nPlainForEach r5 -> 5\n"
       "PlainForEach r2 -> 3\nTupleEnd r0 r1\nReturn r0\n"},
      {"flatten([a, [b]])", "TupleBegin r1\nTupleExtend r1 a #7\nTupleExtend r1 b #7\nTupleEnd r0 r1\nReturn r0\n"},
      {"flatten([for x in a : x == 1 ? [b + 1] : []])",
       "TupleBegin r1\nPlainLoad r2 a\nPlainFor r2 -> 8\nIfNotEqual r4 1 -> 7\nPlainAdd r5 b 1\nTuplePush r1 r5\n"
       "Skip -> 7\nPlainForEach r2 -> 3\nTupleEnd r0 r1\nReturn r0\n"},
      {"sum(concat([0], [for x in a : x * 2])) > b",
       "LoadConst r1 null\nPlainSum r1 0\nPlainLoad r2 a\nPlainFor r2 -> 7\nPlainMultiply r5 r4 2\nPlainSum r1 r5\n"
       "PlainForEach r2 -> 4\nPlainCheck r1 #1\nIfLessEqual r1 b -> 10\nReturn true\nReturn false\n"},
      // A name for a value.
      {"[for s in [a + b] : s * s > 1][0]",
       "PlainAdd r1 a b\nPlainMultiply r2 r1 r1\nIfLessEqual r2 1 -> 4\nReturn true\nReturn false\n"},
      // Without elements, a filter that cannot fail is not tried, and what it reads besides must be there.
      {"length([for x in a : x if x.k == b.c])",
       "LoadConst r0 0\nPlainLoad r2 a\nPlainFor r2 -> 10\nPlainLoad r1 b.c\nPlainAttr r5 r4 \"k\"\nIfNotEqual r5 r1 "
       "-> 8\nPlainCheck r4 #10\nPlainAdd r0 r0 1\nPlainForEach r2 -> 4\nSkip -> 12\nPlainLoad r1 b.c\nPlainCheck r1 "
       "#10\nReturn r0\n"},
      {"length([for x in a : x if x / 2 == b]) > 1", "LoadConst r1 0\nPlainLoad r2 a\nPlainForFilter r2"},
      // Lists that are there as a whole are given to the function. Of what kind the result is, nothing tells.
      {"concat(a, b)", ""},
      {"flatten(a)", ""},
      {"concat(a, b ? [\"x\"] : [])", "LoadPath r0 a\nIfFalse b"},
  };
  for (const Row& row : kRows) {
    const std::string listing = PlainListing(row.source);
    const std::string want = row.want;
    const bool is_beginning = !want.empty() && want.back() != '\n';
    EXPECT_EQ(is_beginning ? listing.substr(0, want.size()) : listing, want) << row.source;
  }
}

// Every form with every pair of parts.
TEST(PlainListsTest, MeansWhatGeneralCodeMeans) {
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
        ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/7);
      }
    }
  }
}

TEST(PlainListsTest, NumbersInFrontOfALoop) {
  for (const char* function : {"sum(F)", "min(F...)", "max(F...)"}) {
    for (const char* list : {"concat([0], [for e in a : e])", "concat([], [for e in a : e])",
                             "concat([1, -7, 0.5], [for e in b : e.y])", "concat([\"1\"], [for e in a : e])",
                             "concat([1], [for e in a : b if e != 1])", "concat([for e in a : e], [1])"}) {
      ExpectPlainMeansGeneral(absl::StrReplaceAll(function, {{"F", list}}));
    }
  }
}

// What stands behind a loop is the first element where the loop yields none.
TEST(PlainListsTest, TheFirstOfALoopOrWhatStandsBehindIt) {
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
        ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"L", loop}, {"B", behind}}), /*stride=*/29);
      }
    }
  }
}

TEST(PlainListsTest, NamedValues) {
  for (const char* source :
       {"[for s in [a] : s == b][0]", "[for s in [a.x] : {k = s, l = [s, b]}][0]", "[for i, s in [[a, b]] : s[i]][0]",
        "element([for s in [a] : s], 0)", "[for s in [a] : [for t in [b] : s == t ? s : t][0]][0]",
        "[for s in [a] : s.x][0].y", "concat([for s in [a] : [s, b]], [])[0]", "[for s in [a] : 1][0] + 1",
        "[for s in [lower(a)] : s == b || s == lower(b)][0]"}) {
    ExpectPlainMeansGeneral(source);
  }
}

// With no elements, a filter has to fail as it does on an unknown one.
TEST(PlainListsTest, FiltersOfNothing) {
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
      ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"F", filter}}));
    }
  }
}

}  // namespace
}  // namespace hcl

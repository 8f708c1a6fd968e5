// What plain code reads once where the text reads it more often, and that it means what general code means.

#include "hclvm/compiler/known_reads.h"

#include <string>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/plain_test_util.h"

namespace hcl {
namespace {

using testing_support::ExpectPlainMeansGeneral;
using testing_support::PlainListing;

TEST(KnownReadsTest, Listings) {
  struct Row {
    const char* source;
    const char* want;
  };
  const Row kRows[] = {
      // Once for all code behind it.
      {"a.x < 1 ? a.x * 2 : a.x * 3",
       "PlainLoad r1 a.x\nIfLessEqual 1 r1 -> 4\nPlainMultiply r0 r1 2\nReturn r0\nPlainMultiply r0 r1 3\nReturn r0\n"},
      // What only one branch reads, the other one reads again.
      {"b ? a.x + a.x : a.x * 2",
       "IfFalse b -> 4\nPlainLoad r1 a.x\nPlainAdd r0 r1 r1\nReturn r0\nPlainLoad r1 a.x\nPlainMultiply r0 r1 "
       "2\nReturn r0\n"},
      // What might not be there is found once, and checked where it must be there.
      {"a.x != null ? a.x : 0",
       "PlainFind r0 a.x\nIfNull r0 -> 4\nPlainAlike r1 r0 0\nReturn r1\nPlainAlike r1 0 r0\nReturn r1\n"},
      {"(can(a.x) ? a.x : 1) * 2",
       "PlainFind r0 a.x\nIfNotThere r0 -> 4\nPlainAlike r2 r0 1\nSkip -> 5\nPlainAlike r2 1 r0\n"
       "PlainMultiply r1 r2 2\nReturn r1\n"},
      // Comparisons of a path that follow each other read it once as they are.
      {"a.x == 1 || a.x == 2", "IfPathEqual a.x 1 -> 2\nIfPathNotEqual a.x 2 -> 3\nReturn true\nReturn false\n"},
      // What several begin with is taken once, and the others go on from there.
      {"a.x.y == 1 && a.x.z == 2",
       "PlainVarAttr r1 a \"x\"\nPlainAttr r2 r1 \"y\"\nIfNotEqual r2 1 -> 6\nPlainAttr r2 r1 \"z\"\nIfNotEqual r2 2 "
       "-> 6\nReturn true\nReturn false\n"},
      {"a.x.y.z + a.x.y.w > a.x.v",
       "PlainVarAttr r1 a \"x\"\nPlainAttr r3 r1 \"v\"\nPlainAttr r2 r1 \"y\"\nPlainAttr r5 r2 \"z\"\nPlainAttr r6 r2 "
       "\"w\"\nPlainAdd r4 r5 r6\nIfLessEqual r4 r3 -> 8\nReturn true\nReturn false\n"},
      {"anytrue([for e in a : e.x.y == 1 || e.x.z == 2])",
       "LoadConst r0 false\nPlainLoad r2 a\nPlainFor r2 -> 10\nPlainAttr r1 r4 \"x\"\nPlainAttr r5 r1 \"y\"\n"
       "IfEqual r5 1 -> 8\nPlainAttr r5 r1 \"z\"\nIfNotEqual r5 2 -> 9\nLoadConst r0 true\nPlainForEach r2 -> 3\n"
       "Return r0\n"},
      // In a loop, what does not depend on it is read in the first pass that needs it.
      {"anytrue([for x in a : x.y == 1 && x.y < b.x])",
       "LoadConst r0 false\nPlainLoad r3 a\nForget r2 #1\nPlainFor r3 -> 11\nPlainAttr r1 r5 \"y\"\nIfNotEqual r1 1 -> "
       "10\nIfKept r2 -> 8\nPlainLoad r2 b.x\nIfLessEqual r2 r1 -> 10\nLoadConst r0 true\nPlainForEach r3 -> 4\nReturn "
       "r0\n"},
      // So it is where pieces of plain code share a chunk.
      {"[a.x.y < 1 ? 1 : 2, a.x.y < 2 ? 1 : 2]",
       "Forget r0 #1\nIfKept r0 -> 3\nPlainLoad r0 a.x.y\nIfLessEqual 1 r0 -> 6\nLoadConst r2 1\nSkip -> "
       "7\nLoadConst r2 2\nJump -> 17\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(PlainListing(row.source), row.want) << row.source;
}

// Every form with every pair of reads.
TEST(KnownReadsTest, MeansWhatGeneralCodeMeans) {
  const char* const kReads[] = {"a.x", "a.x.y", "a.x.z", "a[\"x\"][0].y", "b.x", "a[0].y"};
  const char* const kForms[] = {
      "P == 1 ? P : Q",
      "P != null ? P : Q",
      "Q < 2 && P < Q || P > Q",
      "can(P) ? P : Q == null ? 1 : Q",
      "[try(P, 1) == 1 ? P : Q, P == Q ? try(P, Q) : P]",
      "coalesce(P, Q) == P && Q != P",
      "coalesce(P, 1, nosuch) == coalesce(Q, P, 2)",
      "{k = P == 1 && Q == 1, l = P == 2 || Q == 2, m = P == 3 ? Q : P}",
      "anytrue([for e in [1, 2] : e == P && e == Q || P == Q])",
      "[for e in a : [for f in b : f.y if f.y == e.y && e.y != P] if e.y != null && Q == P]",
      "sum([for e in a : length([for f in b : f if f == e.y || f == P])]) + P",
      "length([for e in [1, 2] : [for f in [a, b] : f.x if f.x == P]])",
      "P ? Q ? P : Q : P && Q",
      "lower(P) == Q || Q == lower(P) || P == Q",
      "b ? P == 1 || Q == 1 : can(P) && can(Q)",
      "[for e in [1, 2] : try(P, 0) == Q ? P : e if e == 1 || P == Q]",
  };
  for (const char* form : kForms) {
    for (const char* p : kReads) {
      for (const char* q : kReads) {
        ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/3);
      }
    }
  }
}

// Several pieces of code that share reads, of which one fails midway: at a null, at what has no such attribute, or
// where it cannot tell. What it has read so far is not taken for the whole read.
TEST(KnownReadsTest, WhatFailsMidwayIsNotKept) {
  const char* const kReads[] = {"a.x.y", "a.x.y.z", "a.x.z", "a[0].y.x", "b"};
  const char* const kForms[] = {
      "{k = try(\"${Q} of ${P}\", 1), l = try(P != b, false)}",
      "{k = b ? coalesce(P, \"-\") : null, l = b ? Q : P != 1}",
      "[try(\"${P}-${Q}\", P, 1)]",
      "[b ? (1 != P ? 2 : 3) : null, (b == 1 ? Q != P : Q == b)]",
      "[b ? coalesce(Q, P) : null, coalesce(Q, P)]",
      "{k = \"${can(P) ? coalesce(Q, P) : 1}\", l = coalesce(Q, P)}",
      "[for e in [1, 2] : try(\"${P}${Q}\", P == e)]",
  };
  for (const char* form : kForms) {
    for (const char* p : kReads) {
      for (const char* q : kReads) {
        ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"P", p}, {"Q", q}}), /*stride=*/11);
      }
    }
  }
}

}  // namespace
}  // namespace hcl

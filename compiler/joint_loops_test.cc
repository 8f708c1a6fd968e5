// Reductions that go together: what the code is, and that it means what general code means.

#include "hclvm/compiler/joint_loops.h"

#include <cstddef>
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

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(JointLoopsTest, Listings) {
  EXPECT_EQ(PlainListing("sum([for x in a : x.p * x.q]) / length([for x in a : x if x.p * x.q > 1]) > b"),
            "Forget r0 #2\nLoadConst r4 null\nLoadConst r5 0\nPlainLoad r6 a\nPlainForFilter r6 -> 13\n"
            "PlainAttr r9 r8 \"p\"\nPlainAttr r10 r8 \"q\"\nPlainMultiply r11 r9 r10\nPlainSum r4 r11\n"
            "IfLessEqual r11 1 -> 12\nPlainCheck r8 #10\nPlainAdd r5 r5 1\nPlainForEach r6 -> 5\nPlainCheck r4 #1\n"
            "Keep r0 r4\nKeep r1 r5\nPlainRatio r3 r4 r1\nIfLessEqual r3 b -> 19\nReturn true\nReturn false\n");
}

// How many loops there are before the first value is kept, and how many operations in these.
TEST(JointLoopsTest, GoTogether) {
  struct Row {
    const char* source;
    size_t loops, operations;
  };
  const Row kRows[] = {
      {"sum([for x in a : x.p * x.q]) + sum([for x in a : x.p * x.q * b])", 1, 2},
      {"sum([for x in a : x.p * x.q]) + sum([for y in a : y.p * y.q])", 1, 1},
      {"sum([for x in a : x.p * x.q]) + sum([for x in a : (x.p * x.q) * x.r])", 1, 2},
      {"sum([for x in a : x.p * (1 - x.q)]) + max([for x in a : x.r * (1 - x.q)]...)", 1, 2},
      {"sum([for x in a : x.p - x.q - 1]) + sum([for x in a : x.p - x.q - 2])", 1, 0},
      // What stands behind a filter, or does not always run, is not there for others.
      {"sum([for x in a : x.p * 2 if x.q]) + sum([for x in a : x.p * 2])", 1, 2},
      {"sum([for x in a : x.q ? x.p * 2 : 1]) + sum([for x in a : x.p * 2])", 1, 2},
      {"sum([for x in a : x.p * 2]) + sum([for x in a : x.p * 2 if x.q])", 1, 1},
      // Other variables of the same level.
      {"sum([for x in a : [for y in [x.p] : y * 2][0]]) + sum([for x in a : [for y in [x.q] : y * 2][0]])", 1, 2},
      // Others do not run, or go over another list.
      {"sum([for x in a : x.p * 2]) + (b ? sum([for x in a : x.p * 3]) : 1)", 0, 0},
      {"try(sum([for x in a : x.p * 2]), 1) + sum([for x in a : x.p * 3])", 0, 0},
      {"sum([for x in a : x.p * 2]) + sum([for x in b : x.p * 3])", 0, 0},
      {"sum([for x in a : x.p * 2]) + sum([for i, x in a : x.p * i])", 0, 0},
  };
  for (const Row& row : kRows) {
    const std::string text = PlainListing(absl::StrCat(row.source, " > 7"));
    const std::string listing = Count(text, "Keep") == 0 ? "" : text.substr(0, text.find("Keep"));
    EXPECT_EQ(Count(listing, "PlainForEach") + Count(listing, "PlainForNext"), row.loops) << row.source << "\n" << text;
    EXPECT_EQ(Count(listing, "PlainMultiply"), row.operations) << row.source << "\n" << text;
  }
}

// In pieces of plain code of one chunk, each of which goes on alone where the first has left.
TEST(JointLoopsTest, PiecesShareWhatWasMade) {
  const std::string listing =
      CompilePlain("{x = sum([for x in a : x.p]) + 1, y = sum([for x in a : x.q]) - 1}")->Disassemble();
  EXPECT_EQ(Count(listing, "Recall"), 3) << listing;
  EXPECT_EQ(Count(listing, "PlainForEach"), 2) << listing;
}

TEST(JointLoopsTest, MeansWhatGeneralCodeMeans) {
  const char* const kReductions[] = {
      "sum([for x in a : x])",
      "sum([for x in a : x * 2 if x != b])",
      "sum(concat([1], [for x in a : x * 2 * b]))",
      "max([for x in a : x.k * 2]...)",
      "length([for x in a : x if x.k > 1])",
      "length([for x in a : x * 2])",
      "length([for k, x in a : k])",
      "sum([for k, x in a : k * x])",
  };
  const char* const kForms[] = {"[A, B]", "A / B", "{p = A, q = B + 1, r = A}", "A + [for y in [A * 2] : y][0] > B"};
  for (const char* first : kReductions) {
    for (const char* second : kReductions) {
      for (const char* form : kForms) {
        ExpectPlainMeansGeneral(absl::StrReplaceAll(form, {{"A", first}, {"B", second}}), /*stride=*/7);
      }
    }
  }
  const char* const kTruths[] = {"alltrue([for x in a : x == b])", "anytrue([for x in a : x.k == 1 && x.l])",
                                 "anytrue([for x in a : x.k == 1 if x.l])"};
  for (const char* first : kTruths) {
    for (const char* second : kTruths) {
      ExpectPlainMeansGeneral(absl::StrCat("[", first, " == ", second, ", ", second, "]"));
      ExpectPlainMeansGeneral(absl::StrCat("[for y in a : ", first, " != (", second, ")]"), /*stride=*/3);
    }
  }
}

}  // namespace
}  // namespace hcl

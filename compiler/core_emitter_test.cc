// That code made from Core means what the slow path means.

#include "hclvm/compiler/core_emitter.h"

#include "gtest/gtest.h"
#include "hclvm/compiler/fast_code_test_util.h"

namespace hcl {
namespace {

using testing_support::ExpectFastMeansSlow;
using testing_support::FastListing;

TEST(CoreEmitterTest, MeansWhatTheSlowPathMeans) {
  const char* const kSources[] = {
      // Parts of what is made in the text, whose other parts have to be there.
      "{x = a.x, y = b}.x == 1",
      "[a.x, b.y][0] == 1 || b",
      "try({x = a.x, y = b.y}.x == 1, false)",
      // Tables, whose elements stand where the variable does.
      "[for r in [{w = a.x == 1, v = b}, {w = a.y == \"x\", v = \"${b}!\"}, {w = true, v = \"more\"}] : r.v if r.w][0]",
      "[for r in [{w = a == 1, v = {k = b.y}}, {w = true, v = {k = 2}}] : r.v if r.w][0].k",
      "alltrue([for p in [\"x\", \"xy\"] : startswith(a, p) || b])",
      // Loops in loops, one value that no pass changes, and one that some passes make.
      "anytrue([for x in a : x.x == b.x && x.x < b.y])",
      "alltrue([for x in a : anytrue([for y in b : x.y == y.y])])",
      "alltrue([for x in a : contains([for y in b : y.x], x.x)])",
      "length([for x in [for y in a : y.y if y.y != b] : x if x == 1]) > 0",
      "sum([for x in a : x.x * 2]) + sum([for x in a : x.x * 2])",
      // What is made once for several places, some of which do not run.
      "a == 1 && upper(b) == \"X\" || upper(b) == \"Y\"",
      "try(\"${a.x.y}-${b}\", try(upper(b), 1))",
      "(a == 1 && alltrue([for x in [b] : x])) || b",
  };
  for (const char* source : kSources) ExpectFastMeansSlow(source, /*stride=*/3);
}

TEST(CoreEmitterTest, MakesOnceWhatStandsInSeveralPlaces) {
  EXPECT_EQ(
      FastListing("upper(a) == b || upper(a) == \"x\""),
      "FastLoad r1 a\nFastCall r1 upper/1\nIfEqual r1 b -> 4\nIfNotEqual r1 \"x\" -> 5\nReturn true\nReturn false\n");
}

}  // namespace
}  // namespace hcl

// Work grows no faster than the text, whatever is in it: texts and calls of many kinds, each in three sizes. What is
// compared is the fuel, and the memory that was asked for, which are the same in every run. Work that is quadratic in
// time alone shows by a test that does not end.

#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/tests/growth_families.h"

namespace hcl {
namespace {

// Tables double as they grow, and so may the memory for one more element. `allowed`: what may be added to proportion.
template <typename Family>
void CheckGrowth(const Family& family, size_t count, double allowed) {
  const GrowthCost least = CostOf(family, count);
  const GrowthCost more = CostOf(family, 4 * count);
  const GrowthCost most = CostOf(family, 16 * count);
  EXPECT_LE(static_cast<double>(more.memory), 4 * allowed * static_cast<double>(least.memory));
  EXPECT_LE(static_cast<double>(most.memory), 16 * allowed * static_cast<double>(least.memory));
  EXPECT_LE(static_cast<double>(more.fuel), 4 * allowed * static_cast<double>(least.fuel));
  EXPECT_LE(static_cast<double>(most.fuel), 16 * allowed * static_cast<double>(least.fuel));
}

void CheckFamilies(GrowthKind kind) {
  for (const GrowthFamily& family : GrowthFamilies()) {
    if (family.kind != kind) continue;
    SCOPED_TRACE(std::string(family.name) + " of " + family.part);
    CheckGrowth(family, 2'000, 1.5);
  }
}

TEST(GrowthTest, NativeSyntax) { CheckFamilies(GrowthKind::kConfig); }
TEST(GrowthTest, JsonSyntax) { CheckFamilies(GrowthKind::kJsonConfig); }
TEST(GrowthTest, Scopes) { CheckFamilies(GrowthKind::kScope); }
TEST(GrowthTest, Expressions) { CheckFamilies(GrowthKind::kCall); }

// Ordering takes the logarithm as a factor, and merging as much memory in each of its rounds.
TEST(GrowthTest, Functions) {
  const std::vector<GrowthCall> calls = GrowthCalls();
  EXPECT_GT(calls.size(), 200u);
  for (const GrowthCall& call : calls) {
    SCOPED_TRACE(call.expression + " of " + call.form);
    CheckGrowth(call, 1'000, 2.5);
  }
}

}  // namespace
}  // namespace hcl

#include "vm/functions/standard.h"

#include <string_view>

#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(StandardFunctionsTest, OneRegistryForAll) {
  EXPECT_EQ(StandardFunctions().get(), StandardFunctions().get());
  EXPECT_EQ(StandardFunctions()->Find("no such function"), nullptr);
}

TEST(StandardFunctionsTest, EveryDeclarationIsComplete) {
  for (std::string_view name : StandardFunctions()->Names()) {
    const Function& function = *StandardFunctions()->Find(name);
    EXPECT_EQ(function.name, name);
    EXPECT_NE(function.body, nullptr) << name;
    EXPECT_TRUE(function.pure) << name;
    for (const Parameter& parameter : function.parameters) EXPECT_FALSE(parameter.name.empty()) << name;
    if (function.variadic) {
      EXPECT_FALSE(function.variadic->name.empty()) << name;
    }
  }
}

}  // namespace
}  // namespace hcl

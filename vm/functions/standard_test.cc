#include "hclvm/vm/functions/standard.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"

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

TEST(StandardFunctionsTest, FamiliesAreWhatTheirRecordsSay) {
  size_t total = 0;
  for (FunctionFamily family : kFunctionFamilies) {
    FunctionRegistryBuilder builder;
    RegisterFamily(family, &builder);
    std::vector<std::string_view> names;
    for (const FunctionRecord& record : RecordsOf(family)) names.push_back(record.name);
    EXPECT_EQ(std::move(builder).Build()->Names(), names) << FamilyName(family);
    total += names.size();
  }
  EXPECT_EQ(StandardFunctions()->Names().size(), total);
}

TEST(StandardFunctionsTest, EachFamilyHasARegistry) {
  const std::shared_ptr<const FunctionRegistry> registries[] = {
      NumericFunctions(), StringFunctions(), CollectionFunctions(), EncodingFunctions(),
      DateFunctions(),    HashFunctions(),   NetworkFunctions(),    TypeFunctions()};
  static_assert(std::size(registries) == std::size(kFunctionFamilies));
  for (size_t n = 0; n < std::size(registries); ++n) {
    std::vector<std::string_view> names;
    for (const FunctionRecord& record : RecordsOf(kFunctionFamilies[n])) names.push_back(record.name);
    EXPECT_EQ(registries[n]->Names(), names) << FamilyName(kFunctionFamilies[n]);
  }
}

// "NAME: TYPE" of a parameter, where TYPE is left out when the record may say more. `suffix` follows the name.
std::string Declared(const Parameter& parameter, const char* suffix) {
  const std::string type = parameter.type.is_dynamic() ? "" : ToTypeSyntax(parameter.type);
  return parameter.name + suffix + ": " + type;
}

TEST(StandardFunctionsTest, RecordsAgreeWithDeclarations) {
  for (std::string_view name : StandardFunctions()->Names()) {
    const Function& function = *StandardFunctions()->Find(name);
    FunctionFamily family;
    const FunctionRecord* record = FindRecord(name, &family);
    ASSERT_NE(record, nullptr) << name;
    std::vector<std::string> declared;
    for (const Parameter& parameter : function.parameters) declared.push_back(Declared(parameter, ""));
    if (function.variadic) declared.push_back(Declared(*function.variadic, function.max_variadic == 1 ? "?" : "..."));
    std::string_view rest = record->parameters;
    for (const std::string& parameter : declared) {
      const std::string_view told = rest.substr(0, rest.find("; "));
      rest.remove_prefix(std::min(rest.size(), told.size() + 2));
      const bool is_open = parameter.back() == ' ';
      EXPECT_EQ(told.substr(0, is_open ? parameter.size() : told.size()), parameter) << name;
      EXPECT_GT(told.size(), is_open ? parameter.size() : 0) << name;
    }
    EXPECT_EQ(rest, "") << name;
    if (function.result_type_rule == nullptr && !function.result_type.is_dynamic() &&
        !function.result_type.has_dynamic()) {
      // A function that checks its arguments by a rule may have a type that is always the same.
      EXPECT_EQ(record->result, ToTypeSyntax(function.result_type)) << name;
    }
    EXPECT_EQ(record->summary.back(), '.') << name;
    EXPECT_EQ(record->example.find(std::string(name) + "("), 0u) << name;
  }
}

TEST(StandardFunctionsTest, CallForms) {
  FunctionFamily family;
  EXPECT_EQ(CallForm(*FindRecord("join", &family)), "join(separator, lists...)");
  EXPECT_EQ(family, FunctionFamily::kString);
  EXPECT_EQ(CallForm(*FindRecord("lookup", &family)), "lookup(inputMap, key, default?)");
  EXPECT_EQ(CallForm(*FindRecord("abs", &family)), "abs(num)");
  EXPECT_EQ(FindRecord("nosuch", &family), nullptr);
}

}  // namespace
}  // namespace hcl

// Modules that are small as texts and large as what they say: each name is read twice by the next one. What they take
// must follow the text; what has no bound in it does not end here at all.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_doc.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// A chain of locals, each made of the one before it by `next`.
std::string Chain(const std::string& first, int length, const std::function<std::string(const std::string&)>& next) {
  std::string text = absl::StrCat("variable \"v\" {\n  type = number\n}\nlocals {\n  a0 = ", first, "\n");
  for (int n = 1; n < length; ++n) absl::StrAppend(&text, "  a", n, " = ", next(absl::StrCat("local.a", n - 1)), "\n");
  return absl::StrCat(text, "}\nx = local.a", length - 1, "\ny = [for e in [local.a", length - 1, "] : e]\n");
}

std::string Twice(const std::string& before, const std::string& name, const std::string& between,
                  const std::string& after) {
  return absl::StrCat(before, name, between, name, after);
}

struct Family {
  const char* name;
  std::string text;
};

std::vector<Family> Families() {
  std::vector<Family> families;
  for (const char* first : {"v", "1", "\"text\"", "[v, \"a\"]", "{ a = 1 }"}) {
    families.push_back({"tuples", Chain(first, 44, [](auto& a) { return Twice("[", a, ", ", "]"); })});
    families.push_back({"objects", Chain(first, 44, [](auto& a) { return Twice("{ l = ", a, ", r = ", " }"); })});
    families.push_back(
        {"loops", Chain(first, 44, [](auto& a) { return Twice("[for e in [", a, ", ", "] : [e, e]]"); })});
    families.push_back({"branches", Chain(first, 44, [](auto& a) {
                          return absl::StrCat("v > 1 ? [", a, ", ", a, "] : [", a, ", ", a, "]");
                        })});
    families.push_back({"calls", Chain(first, 44, [](auto& a) { return Twice("concat([", a, "], [", "])"); })});
    families.push_back(
        {"merges", Chain(first, 44, [](auto& a) { return Twice("merge({ l = ", a, " }, { r = ", " })"); })});
    families.push_back({"attempts", Chain(first, 44, [](auto& a) { return Twice("try([", a, "].b, [", ", 1])"); })});
  }
  families.push_back({"texts", Chain("\"text\"", 44, [](auto& a) { return Twice("\"${", a, "}${", "}\""); })});
  families.push_back({"open texts", Chain("\"${v}\"", 44, [](auto& a) { return Twice("\"${", a, "}${", "}\""); })});
  std::string nested = "e";
  for (int n = 0; n < 60; ++n) nested = absl::StrCat("[for e in [", nested, "] : [e, e]]");
  families.push_back({"nested loops", absl::StrCat("x = [for e in [1] : ", nested, "]")});
  // Each variable is valid if the next one is.
  std::string chained;
  for (int n = 0; n < 3'000; ++n) {
    absl::StrAppend(&chained, "variable \"v", n, "\" {\n  type = number\n  validation {\n    condition = v",
                    (n + 1) % 3'000, " > 0\n    error_message = \"no\"\n  }\n}\n");
  }
  families.push_back({"validations", chained + "x = v0\n"});
  std::string way = "variable \"v\" {}\nx = v";
  for (int n = 0; n < 300'000; ++n) way += "[0]";
  families.push_back({"a way into anything", way + "\n"});
  std::string big = "locals {\n  t = [";
  for (int n = 0; n < 5'000; ++n) absl::StrAppend(&big, "\"name", n, "\", ");
  absl::StrAppend(&big, "]\n}\n");
  for (int n = 0; n < 5'000; ++n) absl::StrAppend(&big, "x", n, " = contains(local.t, \"name", n, "\")\n");
  families.push_back({"a table read often", big});
  return families;
}

TEST(ModuleGrowthTest, WhatAModuleTakesFollowsItsText) {
  for (const Family& family : Families()) {
    SCOPED_TRACE(absl::StrCat(family.name, "\n", family.text.substr(0, 200)));
    const auto source = std::make_shared<const Source>("m.hcl", family.text);
    Diagnostics diagnostics;
    const auto program = CheckModule({{source, /*is_json=*/false}}, ModuleOptions(), /*strict=*/false, &diagnostics);
    EXPECT_LT(diagnostics.count(), 10'000u);
    if (program == nullptr) {
      EXPECT_TRUE(diagnostics.has_errors());
      continue;
    }
    EXPECT_LT(program->MemoryBytes(), (size_t{1} << 20) + 2'000 * family.text.size());
    EXPECT_LT(internal::ModuleDoc(*program, "m").size(), 100'000 + 10 * family.text.size());
    Limits limits;
    limits.max_fuel = 1'000'000;
    limits.max_result_bytes = 64 << 20;
    Evaluator evaluator(program, limits);
    evaluator.Bind("v", Value::Int(3));
    evaluator.Run();
  }
}

// The type is told once for all calls.
TEST(ModuleGrowthTest, AFunctionOfALargeTypeIsCalledOften) {
  std::string functions = R"({"functions": {"f": {"parameters": [], "result": "object({)";
  std::string text;
  for (int n = 0; n < 50'000; ++n) absl::StrAppend(&functions, "a", n, " = number, ");
  for (int n = 0; n < 20'000; ++n) absl::StrAppend(&text, "x", n, " = f()\n");
  Diagnostics diagnostics;
  CompileOptions options = ModuleOptions();
  const auto described = std::make_shared<const Source>("f.json", absl::StrCat(functions, "})\"}}}"));
  options.functions = ReadFunctionDescriptions(described, options.functions, options.limits, &diagnostics);
  const auto source = std::make_shared<const Source>("m.hcl", text);
  EXPECT_NE(CheckModule({{source, /*is_json=*/false}}, options, /*strict=*/false, &diagnostics), nullptr);
  EXPECT_EQ(diagnostics.count(), 0u) << ToText(diagnostics, nullptr);
}

// Plain configs are checked without code for their expressions, unless it could need too many registers.
TEST(ModuleGrowthTest, PlainConfigsThatNeedTooManyRegisters) {
  const auto findings = [](int calls, int arguments) {
    std::string expression = "n";
    for (int n = 0; n < calls; ++n) {
      std::string list;
      for (int m = 0; m < arguments; ++m) list += "n, ";
      expression = absl::StrCat("max(", list, expression, ")");
    }
    return PlainFindingsOf(absl::StrCat("x = ", expression, "\n"));
  };
  EXPECT_EQ(findings(120, 250), "ok");
  EXPECT_THAT(findings(150, 250), testing::HasSubstr("HCL9103"));
}

}  // namespace
}  // namespace hcl

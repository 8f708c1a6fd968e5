// Functions of a host, described in a file.

#include "hclvm/module/function_descriptions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string TextOf(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    const SourcePosition at = diagnostic.source->PositionAt(diagnostic.subject->begin);
    absl::StrAppend(&text, at.line, ":", at.column, " ", CodeText(diagnostic.code), " ", diagnostic.detail, "\n");
  }
  return text;
}

std::shared_ptr<const FunctionRegistry> Read(const std::string& text, std::string* errors,
                                             const std::shared_ptr<const FunctionRegistry>& base = nullptr) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("f.json", text);
  auto functions = ReadFunctionDescriptions(source, base, {}, &diagnostics);
  *errors = TextOf(diagnostics);
  EXPECT_EQ(functions == nullptr, diagnostics.has_errors());
  return functions;
}

std::shared_ptr<const FunctionRegistry> HostFunctions() {
  FunctionRegistryBuilder builder;
  for (const std::string_view name : StandardFunctions()->Names()) builder.Add(*StandardFunctions()->Find(name));
  builder.Register("net::country", [](std::string_view ip) { return std::optional<std::string>(ip); });
  builder.Register("age", [](std::optional<int64_t> born, double now) { return now - static_cast<double>(*born); });
  builder.Register("tags", [](const std::vector<std::string>& names) { return names; });
  builder.Register("first", [](const Value& value, Variadic<std::string_view> /*rest*/) { return value; });
  return std::move(builder).Build();
}

TEST(FunctionDescriptionsTest, DescribesWhatAHostOffers) {
  FunctionRegistryBuilder builder;
  builder.Register("net::country", [](std::string_view ip) { return std::optional<std::string>(ip); });
  builder.Register("age", [](std::optional<int64_t> /*born*/, double now) { return now; });
  builder.Register("first", [](const Value& value, Variadic<std::string_view> /*rest*/) { return value; });
  builder.Register("not a name", [](bool b) { return b; });
  const std::string text = DescribeFunctions(*std::move(builder).Build());
  EXPECT_EQ(text, R"({
  "complete": true,
  "functions": {
    "age": {"parameters": [{"name": "arg1", "type": "number", "nullable": true}, {"name": "arg2", "type": "number"}], "result": "number"},
    "first": {"parameters": [{"name": "arg1", "type": "any"}], "variadic": {"name": "arg2", "type": "string"}, "result": "any", "result_nullable": true},
    "net::country": {"parameters": [{"name": "arg1", "type": "string"}], "result": "string", "result_nullable": true}
  }
}
)");
}

// What is written is read as the same, and so is what is made of that.
TEST(FunctionDescriptionsTest, ReadsWhatItWrites) {
  const std::string text = DescribeFunctions(*HostFunctions());
  std::string errors;
  const auto read = Read(text, &errors);
  ASSERT_EQ(errors, "");
  EXPECT_EQ(DescribeFunctions(*read), text);
  const auto with_base = Read(text, &errors, StandardFunctions());
  EXPECT_EQ(DescribeFunctions(*with_base), text);
  EXPECT_EQ(with_base->Find("merge")->body, StandardFunctions()->Find("merge")->body);
  EXPECT_NE(read->Find("merge")->body, StandardFunctions()->Find("merge")->body);
}

TEST(FunctionDescriptionsTest, AddsToTheLibraryUnlessComplete) {
  std::string errors;
  const auto added = Read(R"({"functions": {"f": {}}})", &errors, StandardFunctions());
  EXPECT_EQ(added->Names().size(), StandardFunctions()->Names().size() + 1);
  const auto complete = Read(R"({"complete": true, "functions": {"f": {}}})", &errors, StandardFunctions());
  EXPECT_EQ(complete->Names(), std::vector<std::string_view>{"f"});
  const auto replaced = Read(R"({"functions": {"upper": {"result": "number"}}})", &errors, StandardFunctions());
  EXPECT_EQ(replaced->Find("upper")->max_arguments(), 0u);
  EXPECT_EQ(Read("{}", &errors, StandardFunctions())->Names(), StandardFunctions()->Names());
  EXPECT_EQ(Read("{}", &errors)->Names().size(), 0u);
  EXPECT_EQ(Read(DescribeFunctions(*Read("{}", &errors)), &errors, StandardFunctions())->Names().size(), 0u);
}

TEST(FunctionDescriptionsTest, SaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* errors;
  };
  for (const auto& [text, errors] : std::vector<Case>{
           {R"({"functions": {"f g": {}}})",
            "1:16 HCL3109 The name of a function is an identifier, or several with \"::\" between them, as in "
            "net::country.\n"},
           {R"({"functions": {"a::": {}}})",
            "1:16 HCL3109 The name of a function is an identifier, or several with \"::\" between them, as in "
            "net::country.\n"},
           {"{\"functions\": {\"f\": {},\n\"f\": {}}}", "2:1 HCL3109 The function \"f\" is described already.\n"},
           {R"({"functions": {"f": {"result": "strin"}}})",
            "1:32 HCL5308 \"strin\" is not a type. Did you mean string?\n"},
           {R"x({"functions": {"f": {"result": "object({ a = optional(string) })"}}})x",
            "1:32 HCL3109 The types of functions have no optional(...): arguments are as they are given.\n"},
           {R"({"functions": {"f": {"result_nullable": 1}}})", "1:41 HCL3109 result_nullable must be true or false.\n"},
           {R"({"functions": {"f": {"parameters": [{"name": 1}]}}})", "1:46 HCL3109 name must be a text.\n"},
           {R"({"functions": {"f": {"variadic": {"name": "a", "max": 0}}}})",
            "1:55 HCL3109 max must be a whole number from 1 on.\n"},
           {R"({"functions": {"f": {"variadic": {"name": "a", "max": true}}}})",
            "1:55 HCL3109 max must be a whole number from 1 on.\n"},
           {R"({"functions": {"f": {"parameters": [{"name": "a", "max": 1}]}}})",
            "1:51 HCL3109 Only the variadic parameter takes several arguments.\n"},
           {R"({"functions": {"f": {"variadic": [{"name": "a"}, {"name": "b"}]}}})",
            "1:22 HCL3109 A function has one parameter for all further arguments at most.\n"},
       }) {
    std::string got;
    EXPECT_EQ(Read(text, &got), nullptr) << text;
    EXPECT_EQ(got, errors) << text;
  }
  // These are told by the readers of the syntax and of bodies: with a place, and in their words.
  for (const char* text :
       {"", "[]", "1", "{", R"({"functions": 1})", R"({"functions": {"f": 1}})", R"({"function": {}})",
        R"({"functions": {"f": {"results": "string"}}})", R"({"functions": {"f": {"parameters": [{}]}}})",
        R"({"functions": {"f": {"result": "string", "result": "string"}}})",
        R"({"functions": {"f": {"parameters": {"a": "string"}}}})",
        R"({"functions": {"f": {"result": "list(string"}}})", R"({"functions": {"f": {"result": ""}}})",
        R"({"functions": {"f": {"result": "${x}"}}})", R"({"functions": {"f": {"result": 5}}})"}) {
    std::string got;
    EXPECT_EQ(Read(text, &got), nullptr) << text;
    EXPECT_NE(got, "") << text;
  }
}

TEST(FunctionDescriptionsTest, KeepsLimits) {
  Limits limits;
  limits.max_source_bytes = 10;
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("f.json", R"({"functions": {}})");
  EXPECT_EQ(ReadFunctionDescriptions(source, nullptr, limits, &diagnostics), nullptr);
  EXPECT_TRUE(diagnostics.has_limit());
}

std::string FindingsWith(const std::shared_ptr<const FunctionRegistry>& functions, const std::string& text,
                         bool plain) {
  CompileOptions options;
  options.functions = functions;
  const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", text)}};
  Diagnostics diagnostics;
  plain ? void(CheckPlainConfig(files, {}, options, /*strict=*/false, &diagnostics))
        : void(CheckModule(files, options, /*strict=*/false, &diagnostics));
  return TextOf(diagnostics);
}

// A check by the file is a check by the functions themselves.
TEST(FunctionDescriptionsTest, GivesTheVerdictsOfTheFunctions) {
  const auto own = HostFunctions();
  std::string errors;
  const auto described = Read(DescribeFunctions(*own), &errors, StandardFunctions());
  ASSERT_EQ(errors, "");
  const std::string variables =
      "variable \"user\" { type = object({ name = string, age = optional(number), roles = list(string) }) }\n"
      "variable \"free\" {}\n";
  size_t told = 0;
  for (const char* expression : {
           "net::country(user.name)",
           "net::country(user)",
           "net::country(null)",
           "upper(net::country(user.name))",
           "upper(coalesce(net::country(user.name), \"?\"))",
           "net::country(user.name).code",
           "net::country()",
           "net::country(1, 2)",
           "net::country(free)",
           "net::country(user.age)",
           "net::county(1)",
           "age(user.age, 2000) + 1",
           "age(1970, user.age) + 1",
           "age(user.name, user.roles)",
           "tags(user.roles)[0].x",
           "tags(user.name)",
           "[for t in tags([1, true]) : t + 1]",
           "tags([null])",
           "first(user).name",
           "first(user, \"a\", 1, user)",
           "first(user, user.roles...)",
           "merge(user, { b = 1 }).b + 1",
           "merge(user, { b = 1 }).c",
           "lookup({ a = 1 }, \"a\", 2) && true",
           "length(user.roles) == \"3\"",
           "upper(1, 2)",
           "try(net::country(user), 1)",
       }) {
    for (const bool plain : {false, true}) {
      const std::string text = absl::StrCat(plain ? "" : variables, "x = ", expression, "\n");
      const std::string want = FindingsWith(own, text, plain);
      EXPECT_EQ(FindingsWith(described, text, plain), want) << expression;
      told += want.find("HCL3") != std::string::npos;
    }
  }
  EXPECT_GT(told, 20u);
}

// The codes of findings, without places and texts, in which the function's name stands.
std::string CodesOf(const std::string& findings) {
  std::string codes;
  for (size_t at = findings.find("HCL"); at != std::string::npos; at = findings.find("HCL", at + 1)) {
    codes += findings.substr(at, 7) + " ";
  }
  return codes;
}

// A file that describes `name` in another way than the library does.
std::shared_ptr<const FunctionRegistry> DescribedAnew(std::string_view name, const std::string& description) {
  std::string errors;
  auto functions = Read(absl::StrCat("{\"functions\": {\"", internal::ToAbsl(name), "\": ", description, "}}"), &errors,
                        StandardFunctions());
  EXPECT_EQ(errors, "");
  return functions;
}

// Nothing that is known of the library's function of that name counts for one that a file describes anew: findings do
// not depend on what it is called.
TEST(FunctionDescriptionsTest, BelievesTheFileAndNotTheName) {
  const std::string variables =
      "variable \"user\" { type = object({ name = string, age = optional(number), roles = list(string) }) }\n"
      "variable \"prices\" { type = map(number) }\n"
      "variable \"key\" { type = string }\n"
      "variable \"maybe\" {\n  type = number\n  nullable = true\n}\n";
  const std::vector<const char*> expressions = {
      "@(user.roles)[0] + 1",
      "@(prices, prices).x.y",
      "@(prices, { a = user }...).x.y",
      "@(user.roles, [1]).x",
      "@(user).roles",
      "@(user).nosuch + 1",
      "contains(@(prices), key) ? prices[key] + 1 : 0",
      "contains(@(user), key) ? user[key] : null",
      "@(maybe, 1) + 1",
      "@(maybe, maybe) + 1",
      "@(user, key, [])[0]",
      "@(1, 2, 3) ? 1 : 2",
      "@(key, \"[\") + 1",
      "@(\"[\", key)",
      "@(0)[@(1)]",
      "@(maybe) && maybe > 1",
      "@(user.age != null, true) ? user.age + 1 : 0",
      "[for e in @(user.roles, null) : e.x]",
      "\"${@(user)}\"",
      "upper(@(user.roles))",
      "@()",
  };
  const std::vector<std::string> descriptions = {
      R"x({"variadic": {"name": "anew", "nullable": true, "unknown": true}, "result": "any", "result_nullable": false})x",
      R"x({"variadic": {"name": "anew", "nullable": true}, "result": "any", "result_nullable": true})x",
      R"x({"variadic": {"name": "anew", "type": "any"}, "result": "list(any)", "result_nullable": false})x",
      R"x({"variadic": {"name": "anew", "type": "any"}, "result": "map(any)", "result_nullable": false})x",
      R"x({"parameters": [{"name": "anew", "type": "list(string)"}], "result": "object({ x = string })"})x",
  };
  for (const std::string& description : descriptions) {
    const auto codes = [&](std::string_view name) {
      const auto functions = DescribedAnew(name, description);
      std::string all;
      for (const char* expression : expressions) {
        const std::string called = absl::StrReplaceAll(expression, {{"@", internal::ToAbsl(name)}});
        absl::StrAppend(&all, expression, ": ",
                        CodesOf(FindingsWith(functions, absl::StrCat(variables, "x = ", called, "\n"), false)), "\n");
      }
      return all;
    };
    const std::string want = codes("anew");
    for (const std::string_view name : StandardFunctions()->Names()) {
      if (name == "contains" || name == "upper") continue;  // they are in the expressions as well
      EXPECT_EQ(codes(name), want) << name << description;
    }
  }
}

}  // namespace
}  // namespace hcl

// Functions that a config defines, by calls.

#include "hclvm/decode/user_function.h"

#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string Text(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.kept()) text += "!" + d.summary + ": " + d.detail;
  return text;
}

// The value of `expression` with the functions of `config`, which may call the standard ones; `u` is unknown.
std::string Call(const std::string& config, const std::string& expression) {
  const auto source = std::make_shared<const Source>("config", config);
  Diagnostics diagnostics;
  CompileOptions options;
  options.functions = StandardFunctions();
  FunctionRegistryBuilder builder;
  {
    const auto file = ParseConfig(*source, {}, &diagnostics);
    const BodyViewPtr rest =
        TakeUserFunctions(*ViewOf(*file->body, *source), "function", {source}, options, &builder, &diagnostics);
    rest->Content(BodySchema(), &diagnostics);
  }
  if (!diagnostics.empty()) return Text(diagnostics);
  options.functions = std::move(builder).Build();
  const auto program =
      CompileExpression(std::make_shared<const Source>("expression", expression), options, &diagnostics);
  EXPECT_NE(program, nullptr) << Text(diagnostics);
  Evaluator evaluator(program);
  evaluator.Bind("u", Value::Unknown(Type::String()));
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) return Text(evaluation.diagnostics());
  std::string json;
  AppendTypedValueJson(evaluation.value(), evaluator.heap()->types(), &json);
  return json;
}

constexpr char kConfig[] = R"(
function "add" {
  params = [a, b]
  result = a + b
}
function "most" {
  params         = []
  variadic_param = all
  result         = max(all...)
}
function "scope" {
  params = [a]
  result = u
}
function "constant" {
  params = []
  result = {x = "y"}
}
)";

TEST(UserFunction, Calls) {
  EXPECT_EQ(Call(kConfig, "add(1, 2)"), "3");
  EXPECT_EQ(Call(kConfig, "[for n in [1, 2, 3] : add(n, n)]"), "[2,4,6]");
  EXPECT_EQ(Call(kConfig, "most(3, 7, 5)"), "7");
  EXPECT_EQ(Call(kConfig, "most([3, 7]...)"), "7");
  EXPECT_EQ(Call(kConfig, "constant().x"), "\"y\"");
  EXPECT_EQ(Call(kConfig, "add(1, u)"), R"({"$unknown":"number"})");
}

TEST(UserFunction, Failures) {
  EXPECT_EQ(Call(kConfig, "add(1)").substr(0, 30), "!Not enough function arguments");
  EXPECT_EQ(Call(kConfig, "add(1, null)").substr(0, 26), "!Invalid function argument");
  EXPECT_NE(Call(kConfig, "add(1, [])").find("on config line 4, column 16: Invalid operand"), std::string::npos)
      << Call(kConfig, "add(1, [])");
  EXPECT_NE(Call(kConfig, "scope(1)").find("There is no variable named \"u\""), std::string::npos);
  EXPECT_EQ(Call(kConfig, "add(1, max(2))").substr(0, 25), "!Call to unknown function");
}

TEST(UserFunction, Mistakes) {
  EXPECT_EQ(Call("function \"f\" {\n}", "").substr(0, 27), "!Missing required argument:");
  EXPECT_EQ(Call("function \"f\" {\n params = a\n result = 1\n}", "").substr(0, 20), "!Invalid expression:");
  EXPECT_EQ(Call("function \"f\" {\n params = [a.b]\n result = 1\n}", "").substr(0, 23), "!Invalid param element:");
  EXPECT_EQ(Call("function \"f\" {\n params = []\n variadic_param = 1\n result = 1\n}", "").substr(0, 24),
            "!Invalid variadic_param:");
  EXPECT_EQ(Call("a = 1", "").substr(0, 22), "!Unsupported argument:");
}

}  // namespace
}  // namespace hcl

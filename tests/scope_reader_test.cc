// Tests of requests that are read for a program.

#include "hclvm/vm/scope_reader.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

std::shared_ptr<const Program> Config(const std::string& text) {
  Diagnostics diagnostics;
  return CompileConfig(std::make_shared<const Source>("<test>", text), Options(), &diagnostics);
}

std::shared_ptr<const Program> Module(const std::string& text) {
  Diagnostics diagnostics;
  const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", text)}};
  auto program = CompileModule(files, Options(), &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, nullptr);
  return program;
}

// The result over what `scope` has read, as JSON; or the code of what is wrong, or "unread".
std::string Answer(Evaluator* evaluator, ScopeReader* scope, const std::string& text) {
  Heap heap;
  if (!scope->Read(text, &heap)) return "unread";
  evaluator->BindAll(*scope);
  const Evaluation& evaluation = evaluator->Run();
  if (!evaluation.ok()) return CodeText(evaluation.diagnostics().kept()[0].code);
  std::string out, reason;
  EXPECT_TRUE(AppendJson(evaluation.value(), &out, &reason)) << reason;
  return out;
}

void Check(const std::shared_ptr<const Program>& program,
           const std::vector<std::pair<const char*, const char*>>& rows) {
  ASSERT_NE(program, nullptr);
  const Reads reads(program, program->main_chunk());
  ScopeReader scope(reads);
  Evaluator evaluator(program);
  for (int round = 0; round < 2; ++round) {
    for (const auto& [text, want] : rows) EXPECT_EQ(Answer(&evaluator, &scope, text), want) << text;
  }
}

TEST(ScopeReaderTest, PlainConfigs) {
  Check(Config("x = a.b\ny = try(c, 0)\n"), {
                                                {R"({"a":{"b":1,"z":2},"c":3})", R"({"x":1,"y":3})"},
                                                {R"({"c":[4],"a":{"b":null}})", R"({"x":null,"y":[4]})"},
                                                {R"({"a":{"b":1},"zz":01})", R"({"x":1,"y":0})"},
                                                {R"({"c":1})", "HCL3001"},
                                                {R"({"a":{}})", "HCL4301"},
                                                {R"({"a":{"b":1},"a":{"b":1}})", "unread"},
                                                {R"([1])", "unread"},
                                            });
}

TEST(ScopeReaderTest, Modules) {
  Check(Module(R"(
variable "user" {
  type = object({ name = string, age = optional(number, 18), tags = set(string) })
}
variable "limit" {
  type    = number
  default = 10
  validation {
    condition     = limit > user.age
    error_message = "too small"
  }
}
x = "${user.name} ${user.age} ${limit}"
)"),
        {
            {R"({"user":{"name":"ann","age":"7"},"limit":"8"})", R"({"x":"ann 7 8"})"},
            {R"({"user":{"name":1}})", "HCL3123"},
            {R"({"user":{"name":"ann","tags":5,"age":null},"limit":20})", R"({"x":"ann 18 20"})"},
            {R"({"user":{"name":null}})", "HCL3122"},
            {R"({"limit":20})", "HCL3121"},
        });
}

// What one text gives is not there for the next one, and other ways to bind go on from there.
TEST(ScopeReaderTest, EachTextIsAScope) {
  const auto program = Module("variable \"a\" {\n  type = string\n  default = \"none\"\n}\nx = a\n");
  const Reads reads(program, program->main_chunk());
  ScopeReader scope(reads);
  Evaluator evaluator(program);
  EXPECT_EQ(Answer(&evaluator, &scope, R"({"a":"one"})"), R"({"x":"one"})");
  EXPECT_TRUE(scope.Gives(*program->FindSlot("a")));
  EXPECT_EQ(Answer(&evaluator, &scope, "{}"), R"({"x":"none"})");
  EXPECT_FALSE(scope.Gives(*program->FindSlot("a")));
  Heap heap;
  ASSERT_TRUE(scope.Read(R"({"a":"two"})", &heap));
  evaluator.BindAll(scope);
  evaluator.Bind("a", Value::Int(3));
  EXPECT_EQ(evaluator.Run().value().values()[0].AsString(), "3");
  evaluator.BindLazy("a", [](LazyCall*) -> absl::StatusOr<Value> { return Value::Int(4); });
  EXPECT_EQ(evaluator.Run().value().values()[0].AsString(), "4");
  evaluator.BindAll(scope);
  EXPECT_EQ(evaluator.Run().value().values()[0].AsString(), "two");
  evaluator.UnbindAll();
  EXPECT_EQ(evaluator.Run().value().values()[0].AsString(), "none");
}

TEST(ScopeReaderTest, AboveABase) {
  const std::string declarations = "variable \"a\" {\n  type = number\n}\nvariable \"b\" {\n  type = number\n}\n";
  for (const auto& program : {Config("x = a\n"), Module(declarations + "x = a\n")}) {
    Diagnostics diagnostics;
    const BaseText text = {std::make_shared<const Source>("data.json", R"({"a": 1, "b": 2})"), ""};
    const auto data = BaseData::Read({&text, 1}, {}, &diagnostics);
    BaseOptions options;
    for (const bool replaceable : {false, true}) {
      if (replaceable) options.replaceable = {"a"};
      const auto base = BaseLayer::Make(program, data, options, &diagnostics);
      ASSERT_NE(base, nullptr);
      const Reads reads(program, program->main_chunk());
      ScopeReader scope(reads, base.get());
      Evaluator evaluator(program);
      evaluator.BindBase(base);
      EXPECT_EQ(Answer(&evaluator, &scope, "{}"), R"({"x":1})");
      EXPECT_EQ(Answer(&evaluator, &scope, R"({"a":5})"), replaceable ? R"({"x":5})" : "HCL3012");
      EXPECT_EQ(Answer(&evaluator, &scope, R"({"c":5})"), R"({"x":1})");
      // Given by the base, and read by nothing.
      const bool has_b = program->FindSlot("b").has_value();
      EXPECT_EQ(Answer(&evaluator, &scope, R"({"b":5})"), has_b ? "HCL3012" : R"({"x":1})");
    }
  }
}

}  // namespace
}  // namespace hcl

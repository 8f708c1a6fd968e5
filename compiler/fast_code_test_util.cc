// Tested by its users.

#include "hclvm/compiler/fast_code_test_util.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/register_flow.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

// What evaluation yields, or all that it reports.
std::string Result(const Program& program, const std::shared_ptr<const Program>& owner, const Value& scope) {
  Evaluator evaluator(owner);
  evaluator.BindAll(scope);
  std::string text;
  for (int again = 0; again < 2; ++again) {  // positions are remembered the second time
    const Evaluation& evaluation = evaluator.Run();
    if (evaluation.ok()) AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &text);
    text += evaluation.value().has_marks() ? " marked" : "";
    text += ToText(evaluation.diagnostics(), &program.source());
  }
  return text;
}

struct Operands {
  Heap heap;
  std::vector<Value> values;
};

// Of each kind that fast code tells apart: small and large numbers, short and long texts, what is null, unknown,
// marked or empty, and typed collections beside what JSON makes.
const Operands& AllOperands() {
  static const Operands* const kOperands = [] {
    const char* const kValues[] = {
        "1",
        "2",
        "0",
        "-3",
        "0.5",
        "9223372036854775807",
        "123456789012345678901234567890",
        "\"x\"",
        "\"1\"",
        "\"true\"",
        "\"a text of more than a few bytes\"",
        "\"xyz and some more text\"",
        "true",
        "false",
        "null",
        "{\"x\": 1}",
        "{\"x\": {\"y\": 2}}",
        "{\"x\": null, \"y\": \"x\"}",
        "{\"x\": {\"y\": null}}",
        "[1, 2]",
        "[{\"y\": 1}, {\"y\": \"x\"}]",
        "[{\"x\": 1}, {\"x\": 2}]",
        "[{\"x\": [true]}, {\"x\": null}]",
        "[]",
        "{}",
    };
    const char* const kTyped[] = {R"({"type":"number","value":{"$unknown":"number"}})",
                                  R"({"type":"dynamic","value":{"$unknown":"dynamic"}})",
                                  R"({"type":"string","value":null})",
                                  R"({"type":"number","value":null})",
                                  R"({"type":["object",{"x":"bool"}],"value":{"x":{"$unknown":"bool"}}})",
                                  R"({"type":["list","number"],"value":[1,{"$unknown":"number"}]})",
                                  R"({"type":["tuple",["number","dynamic"]],"value":[1,{"$unknown":"dynamic"}]})",
                                  R"({"type":["map","number"],"value":{"x":1,"1":2}})",
                                  R"({"type":["map",["map","number"]],"value":{}})",
                                  R"({"type":["map",["list","number"]],"value":{"x":[1,2],"1":[]}})",
                                  R"({"type":["map","number"],"value":{}})",
                                  R"({"type":["list","number"],"value":[]})",
                                  R"({"type":["list",["list","string"]],"value":[]})",
                                  R"({"type":["list","string"],"value":[]})",
                                  R"({"type":["list",["object",{"x":"number"}]],"value":[]})",
                                  R"({"type":["set",["object",{"x":"bool"}]],"value":[{"x":true},{"x":false}]})",
                                  R"({"type":["list","string"],"value":["x",null]})"};
    auto* operands = new Operands;
    Heap& heap = operands->heap;
    std::vector<Value>& values = operands->values;
    JsonReader reader;
    JsonError error;
    for (const char* text : kValues) EXPECT_TRUE(reader.Read(text, &heap, &values.emplace_back(), &error)) << text;
    for (const char* text : kTyped) EXPECT_TRUE(reader.ReadTyped(text, &heap, &values.emplace_back(), &error)) << text;
    values.push_back(Mark(Value::Int(1), 1, heap.arena()));
    values.push_back(Mark(Value::Bool(true), 2, heap.arena()));
    values.push_back(MakeObject({{Value::StringView("x"), values.back()}}, heap.arena()));
    return operands;
  }();
  return *kOperands;
}

}  // namespace

std::shared_ptr<const Program> CompileFast(const std::string& text, bool fast_code, Dialect dialect) {
  CompileOptions options;
  options.dialect = dialect;
  options.functions = StandardFunctions();
  options.fast_code = fast_code;
  Diagnostics diagnostics;
  auto program = CompileExpression(std::make_shared<const Source>("<test>", text), options, &diagnostics);
  EXPECT_NE(program, nullptr) << text;
  return program;
}

std::string PackedFirstTests(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("<test>", text);
  const std::unique_ptr<ParsedFile> file = ParseExpression(*source, ParseOptionsFor(options), &diagnostics);
  std::string packed = "what was there";
  const auto program = internal::GenerateProgram(*file->expr, source, options, &diagnostics, &packed);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, source.get());
  return packed;
}

// Without addresses and the code that is left to, so that tables hold what they are about and no more.
std::string FastListing(const std::string& text) {
  const std::shared_ptr<const Program> program = CompileFast(text);
  if (program == nullptr || internal::TablesOf(*program).fast_regions().empty()) return "";
  std::string listing = program->Disassemble();
  listing = listing.substr(listing.find('\n') + 1);
  std::string result;
  // Attempts in fast code are regions of their own.
  uint32_t plain_end = 0;
  for (const internal::FastRegion& region : internal::TablesOf(*program).fast_regions()) {
    if (plain_end == 0 || region.begin == plain_end) plain_end = region.end;
  }
  for (uint32_t pc = 0; pc < plain_end; ++pc) {
    const size_t end = listing.find('\n');
    std::string line = listing.substr(7, end - 7);
    line = line.substr(0, line.find("  ;"));
    while (line.find("  ") != std::string::npos) line.erase(line.find("  "), 1);
    result += line + "\n";
    listing = listing.substr(end + 1);
  }
  return result;
}

namespace {

// The code is verified as well, as a program that breaks a rule may do anything.
void ExpectFastMeansSlow(const std::string& text, Dialect dialect, int stride) {
  const std::shared_ptr<const Program> plain = CompileFast(text, /*fast_code=*/true, dialect);
  const std::shared_ptr<const Program> general = CompileFast(text, /*fast_code=*/false, dialect);
  ASSERT_NE(plain, nullptr);
  EXPECT_TRUE(internal::TablesOf(*general).fast_regions().empty()) << text;
  EXPECT_EQ(internal::TablesOf(*plain).Verify(), "") << text;
  EXPECT_EQ(internal::WhatIsReadBeforeWritten(*plain), "") << text;
  Heap heap;
  int pair = 0;
  for (const Value& a : AllOperands().values) {
    for (const Value& b : AllOperands().values) {
      if (pair++ % stride != 0) continue;
      const Value scope = MakeObject({{Value::StringView("a"), a}, {Value::StringView("b"), b}}, heap.arena());
      std::string printed;
      AppendTypedJson(scope, heap.types(), &printed);
      ASSERT_EQ(Result(*plain, plain, scope), Result(*general, general, scope))
          << text << " with " << printed << (dialect == Dialect::kSpec ? "" : " as the reference has it");
    }
  }
}

}  // namespace

// The dialects differ in few places, so that fewer pairs have to do for the second.
void ExpectFastMeansSlow(const std::string& text, int stride) {
  constexpr int kFewer = 5;
  ExpectFastMeansSlow(text, Dialect::kSpec, stride);
  ExpectFastMeansSlow(text, Dialect::kHashiCorp, kFewer * stride);
}

}  // namespace hcl::testing_support

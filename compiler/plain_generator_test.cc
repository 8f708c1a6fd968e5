// Which expressions have plain code, what it is, and that it means what general code means.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compiler.h"
#include "gtest/gtest.h"
#include "vm/evaluator.h"
#include "vm/functions/standard.h"
#include "vm/json.h"
#include "vm/marks.h"

namespace hcl {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text, bool plain_code = true) {
  CompileOptions options;
  options.functions = StandardFunctions();
  options.plain_code = plain_code;
  Diagnostics diagnostics;
  auto program = CompileExpression(std::make_shared<const Source>("<test>", text), options, &diagnostics);
  EXPECT_NE(program, nullptr) << text;
  return program;
}

// The plain code at the beginning, without offsets; empty when there is none.
std::string PlainListing(const std::string& text) {
  const std::shared_ptr<const Program> program = Compile(text);
  if (program == nullptr || program->plain_regions().empty()) return "";
  std::string listing = program->Disassemble();
  listing = listing.substr(listing.find('\n') + 1);
  std::string result;
  for (uint32_t pc = 0; pc < program->plain_regions()[0].end; ++pc) {
    const size_t end = listing.find('\n');
    std::string line = listing.substr(7, end - 7);
    line = line.substr(0, line.find("  ;"));
    while (line.find("  ") != std::string::npos) line.erase(line.find("  "), 1);
    result += line + "\n";
    listing = listing.substr(end + 1);
  }
  return result;
}

TEST(PlainGeneratorTest, Listings) {
  struct Row {
    const char* source;
    const char* want;
  };
  const Row kRows[] = {
      {"a + b * 2 > -c",
       "PlainMultiply r2 b 2\nPlainAdd r1 a r2\nPlainSubtract r2 0 c\nIfLessEqual r1 r2 -> 5\nReturn true\nReturn "
       "false\n"},
      {"a < 2 * 3", "IfLessEqual 6 a -> 2\nReturn true\nReturn false\n"},
      {"a == null", "IfNotNull a -> 2\nReturn true\nReturn false\n"},
      {"!(a.b == \"x\")", "IfPathEqual a.b \"x\" -> 2\nReturn true\nReturn false\n"},
      {"a == 1 && b", "PlainCheck b #0\nIfNotEqual a 1 -> 4\nIfFalse b -> 4\nReturn true\nReturn false\n"},
      {"a && b == 1 || c[d] > 0",
       "IfFalse a -> 2\nIfEqual b 1 -> 4\nPlainIndex r1 c d\nIfLessEqual r1 0 -> 5\nReturn true\nReturn false\n"},
      {"a ? b : 1", "PlainCheck b #1\nIfFalse a -> 4\nPlainLoad r0 b\nReturn r0\nReturn 1\n"},
      {"contains([\"x\"], a)", ""},  // one instruction, and its operand, in general code as well
      {"!contains([\"x\"], a)", "IfIn a [\"x\"] -> 2\nReturn true\nReturn false\n"},
      {"startswith(a, \"x\") || false", "IfPrefix a \"x\" -> 2\nJump -> 3\nReturn true\nReturn false\n"},
      // General code does these as fast, unless they are what the program returns.
      {"a + b * 2", ""},
      {"[a == 1]", ""},
      // The operands are not for plain code, or the branches' types depend on them.
      {"a + length(b)", ""},
      {"a ? b : c", ""},
      {"a ? 1 : \"x\"", ""},
      {"1 + 2", ""},
  };
  for (const Row& row : kRows) EXPECT_EQ(PlainListing(row.source), row.want) << row.source;
}

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

TEST(PlainGeneratorTest, MeansWhatGeneralCodeMeans) {
  const char* const kSources[] = {
      "a + b",
      "a - b",
      "a * b",
      "a / b",
      "a % b",
      "-a",
      "!a",
      "a == b",
      "a != b",
      "a < b",
      "a <= b",
      "a > b",
      "a >= b",
      "a && b",
      "a || b",
      "a == 1 && b < 2",
      "a == 1 || b < 2",
      "a ? b : 1",
      "a ? 1 : b",
      "a ? b : \"s\"",
      "a ? b : true",
      "a == null",
      "b != null",
      "a.x == 1",
      "a.x == b",
      "a[b] == 1",
      "a[0] == 1",
      "a.x.y < 3",
      "contains([1, \"x\", true], a) && true",
      "!contains([\"a text of more than a few bytes\", 2], a)",
      "startswith(a, \"x\") && b == 1",
      "(a ? b == 1 : b == 2) && a",
      "a ? (b ? 1 : 2) : 3",
      "nosuch == 1 && a",
      "[for x in a : x if x.y == b]",
      "[for k, x in a : k if x > 1 && b]",
      "[for x in a : x if b == 1]",
      "{for k, x in a : k => x * 2 if x != b}",
      "a[*].y == b",
      "[for x in a : x.y + b]",
  };
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
      "[1, 2]",
      "[{\"y\": 1}, {\"y\": \"x\"}]",
      "[]",
      "{}",
  };
  const char* const kUnknown[] = {R"({"type":"number","value":{"$unknown":"number"}})",
                                  R"({"type":"dynamic","value":{"$unknown":"dynamic"}})",
                                  R"({"type":["list","number"],"value":[1,{"$unknown":"number"}]})",
                                  R"({"type":["map","number"],"value":{"x":1,"1":2}})"};
  Heap heap;
  JsonReader reader;
  JsonError error;
  std::vector<Value> values;
  for (const char* text : kValues) ASSERT_TRUE(reader.Read(text, &heap, &values.emplace_back(), &error)) << text;
  for (const char* text : kUnknown) ASSERT_TRUE(reader.ReadTyped(text, &heap, &values.emplace_back(), &error)) << text;
  values.push_back(Mark(Value::Int(1), 1, heap.arena()));
  values.push_back(Mark(Value::Bool(true), 2, heap.arena()));
  for (const char* source : kSources) {
    const std::shared_ptr<const Program> plain = Compile(source);
    const std::shared_ptr<const Program> general = Compile(source, /*plain_code=*/false);
    EXPECT_TRUE(general->plain_regions().empty()) << source;
    for (const Value& a : values) {
      for (const Value& b : values) {
        const Value scope = MakeObject({{Value::StringView("a"), a}, {Value::StringView("b"), b}}, heap.arena());
        std::string text;
        AppendTypedJson(scope, heap.types(), &text);
        ASSERT_EQ(Result(*plain, plain, scope), Result(*general, general, scope)) << source << " with " << text;
      }
    }
  }
}

TEST(PlainGeneratorTest, BothCodesShareTheirSets) {
  EXPECT_EQ(Compile("contains([1], a) && contains([2], b)")->lookups().size(), 2u);
  EXPECT_EQ(Compile("[for x in a : x if contains([1], x)]")->lookups().size(), 1u);
  EXPECT_EQ(Compile("[contains([1], a), contains([1], b)]")->lookups().size(), 2u);
}

TEST(PlainGeneratorTest, AnIndexThatIsNoNumberIsReportedOnce) {
  for (const char* text : {"a[1e9999999] == 1 && b", "[for x in a : x if x[1e9999999] == 1]"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(CompileExpression(std::make_shared<const Source>("<test>", text), {}, &diagnostics), nullptr) << text;
    EXPECT_EQ(diagnostics.count(), 1u) << text;
  }
}

TEST(PlainGeneratorTest, LongChainsHaveGeneralCode) {
  std::string text = "a == 0";
  for (int n = 1; n < 10'000; ++n) text += " || a == " + std::to_string(n);
  const std::shared_ptr<const Program> program = Compile(text);
  ASSERT_NE(program, nullptr);
  Evaluator evaluator(program);
  evaluator.Bind("a", Value::Int(9'999));
  EXPECT_TRUE(evaluator.Run().value().is_true());
  evaluator.Bind("a", Value::Int(10'000));
  EXPECT_TRUE(evaluator.Run().value().is_false());
}

}  // namespace
}  // namespace hcl

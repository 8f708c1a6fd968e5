// Runs of tests of one string: what they answer is what they answer without fast code, and the code asks a table.
//
// Random tables of rules, chains of conditionals and of `||`, over scopes in which the string is there, is another
// value, is unknown, or is missing.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using testing_support::Dice;

std::shared_ptr<const Program> Compile(const std::string& text, bool fast_code) {
  CompileOptions options;
  options.functions = StandardFunctions();
  options.fast_code = fast_code;
  Diagnostics diagnostics;
  auto program = CompileExpression(std::make_shared<const Source>("test.hcl", text), options, &diagnostics);
  EXPECT_NE(program, nullptr) << text << ToText(diagnostics, nullptr);
  return program;
}

std::string Answer(const std::shared_ptr<const Program>& program,
                   const std::vector<std::pair<std::string, Value>>& scope) {
  Evaluator evaluator(program);
  for (const auto& [name, value] : scope) evaluator.Bind(name, value);
  const Evaluation& evaluation = evaluator.Run();
  std::string text;
  if (!evaluation.ok()) return ToText(evaluation.diagnostics(), &program->source());
  TypeTable types;
  AppendTypedJson(evaluation.value(), &types, &text);
  return text;
}

const std::vector<std::string>& Texts() {
  static const auto* const kTexts = new std::vector<std::string>{"/",
                                                                 "/a",
                                                                 "/a/b",
                                                                 "/a/bb",
                                                                 "/b",
                                                                 "/b/c",
                                                                 "/\u00e9",
                                                                 "",
                                                                 "x",
                                                                 "1",
                                                                 "true",
                                                                 "/a/long/path/that/is/no/short/string",
                                                                 "/a/long/path/that/is/no/short/string/at/all",
                                                                 "/c",
                                                                 "/d",
                                                                 "/e"};
  return *kTexts;
}

std::string Quoted(Dice* dice) { return absl::StrCat("\"", dice->Pick(Texts()), "\""); }

std::string List(Dice* dice) {
  std::vector<std::string> items;
  for (uint32_t n = dice->Roll(5); n < 6; ++n) items.push_back(dice->Roll(40) == 0 ? "5" : Quoted(dice));
  return absl::StrCat("[", absl::StrJoin(items, ", "), "]");
}

std::string Test(Dice* dice, const std::string& subject) {
  switch (dice->Roll(dice->Roll(3) == 0 ? 9 : 4)) {
    case 4:
    case 5:
      return absl::StrCat("contains(", List(dice), ", ", subject, ")");
    case 6:
      return absl::StrCat("startswith(", subject, ", ", Quoted(dice), ")");
    case 7:
      return absl::StrCat("(", subject, " == ", Quoted(dice), " || startswith(", subject, ", ", Quoted(dice), "))");
    case 8:
      return absl::StrCat(subject, " != ", Quoted(dice));
    default:
      return absl::StrCat(subject, " == ", Quoted(dice));
  }
}

std::string Condition(Dice* dice, const std::string& subject) {
  std::string text = Test(dice, subject);
  if (dice->Roll(3) == 0) absl::StrAppend(&text, " && r.n > ", dice->Roll(4));
  if (dice->Roll(20) == 0) absl::StrAppend(&text, " && ", Test(dice, "r.other"));
  if (dice->Roll(20) == 0) text = absl::StrCat("r.ok && ", text);
  return text;
}

// A table of rules, or a chain of conditionals.
std::string Expression(Dice* dice) {
  const std::string subject = dice->Roll(2) == 0 ? "s" : "r.path";
  const uint32_t count = 2 + dice->Roll(40);
  const uint32_t kind = dice->Roll(4);
  std::string text = kind == 0 ? "" : "[for rule in [\n";
  for (uint32_t n = 0; n < count; ++n) {
    const std::string condition = Condition(dice, subject);
    if (kind == 0) {
      absl::StrAppend(&text, condition, " ? ", n, " :\n");
    } else {
      absl::StrAppend(&text, "  { when = ", condition, ", id = ", n, " },\n");
    }
  }
  if (kind == 0) return absl::StrCat(text, "-1");
  if (dice->Roll(2) == 0) absl::StrAppend(&text, "  { when = true, id = -1 },\n");
  return absl::StrCat(text, kind == 1   ? "] : rule.id if rule.when]"
                            : kind == 2 ? "] : rule if rule.when][0]"
                                        : "] : rule.id if rule.when][0]");
}

using Scope = std::vector<std::pair<std::string, Value>>;

Value Text(const std::string& text, Heap* heap) { return Value::String(text, heap->arena()); }

// Objects of what requests have, with `subject` for the string, if it is there.
Scope ScopeOf(const Value* subject, const Value& n, Heap* heap) {
  std::vector<KeyValue> request = {
      {Text("n", heap), n}, {Text("other", heap), Text("/a", heap)}, {Text("ok", heap), Value::Bool(true)}};
  if (subject != nullptr) request.push_back({Text("path", heap), *subject});
  Scope scope = {{"r", MakeObject(request, heap->arena())}};
  if (subject != nullptr) scope.emplace_back("s", *subject);
  return scope;
}

std::vector<Scope> Scopes(Heap* heap) {
  std::vector<Value> subjects;
  for (const std::string& text : Texts()) subjects.push_back(Text(text, heap));
  for (const char* text : {"/a/", "/unknown", "\xc3\xa9", "/\xc3\xa9", "/a/long/path/that/is/no/short/string/", "xx"}) {
    subjects.push_back(Text(text, heap));
  }
  subjects.push_back(Value::Int(1));
  subjects.push_back(Value::Int(5));
  subjects.push_back(Value::Bool(true));
  subjects.push_back(Value::Null(Type::Dynamic()));
  subjects.push_back(Value::Null(Type::String()));
  subjects.push_back(Value::Unknown(Type::String()));
  subjects.push_back(Value::Dynamic());
  subjects.push_back(MakeObject({}, heap->arena()));
  std::vector<Scope> scopes;
  for (size_t n = 0; n < subjects.size(); ++n) {
    scopes.push_back(ScopeOf(&subjects[n], Value::Int(static_cast<int64_t>(n % 5)), heap));
  }
  scopes.push_back(ScopeOf(nullptr, Value::Int(1), heap));
  scopes.push_back(ScopeOf(&subjects[1], Text("no number", heap), heap));
  return scopes;
}

TEST(TestRunsTest, AnswersAreThoseOfTheSlowPath) {
  Heap heap;
  const std::vector<Scope> scopes = Scopes(&heap);
  size_t indexed = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Dice dice(seed);
    const std::string text = Expression(&dice);
    SCOPED_TRACE(text);
    const auto fast = Compile(text, /*fast_code=*/true);
    const auto slow = Compile(text, /*fast_code=*/false);
    if (fast->Disassemble().find(" test 0 of ") != std::string::npos) ++indexed;
    for (size_t n = 0; n < scopes.size(); ++n) EXPECT_EQ(Answer(fast, scopes[n]), Answer(slow, scopes[n])) << n;
  }
  EXPECT_GT(indexed, 60u);
}

// 30,000 rules, of which a request meets few: what is skipped costs no fuel, and constants may lie beyond operands.
TEST(TestRunsTest, FewOfManyRulesArePaidFor) {
  for (const char* form :
       {"r.path == \"/svc$0\"", "startswith(r.path, \"/svc$0/\")",
        "contains([\"/svc$0\", \"/old$0\"], r.path) && r.n > 0", "r.path == \"/svc$0\" || r.path == \"/old$0\""}) {
    SCOPED_TRACE(form);
    std::string text = "[for rule in [\n";
    for (int n = 0; n < 30'000; ++n) {
      std::string condition = form;
      for (size_t at = condition.find("$0"); at != std::string::npos; at = condition.find("$0")) {
        condition.replace(at, 2, absl::StrCat(n));
      }
      absl::StrAppend(&text, "  { when = ", condition, ", id = ", n, " },\n");
    }
    const auto program = Compile(absl::StrCat(text, "] : rule.id if rule.when][0]"), /*fast_code=*/true);
    Heap heap;
    for (const int wanted : {0, 5, 12'345, 29'999}) {
      Value path = Text(absl::StrCat("/svc", wanted, std::string(form).find("starts") == 0 ? "/x" : ""), &heap);
      Limits limits;
      limits.max_fuel = 1'000;
      Evaluator evaluator(program, limits);
      for (const auto& [name, value] : ScopeOf(&path, Value::Int(1), &heap)) evaluator.Bind(name, value);
      const Evaluation& evaluation = evaluator.Run();
      ASSERT_TRUE(evaluation.ok()) << ToText(evaluation.diagnostics(), nullptr);
      EXPECT_EQ(evaluation.value().AsNumber().ToString(), absl::StrCat(wanted));
    }
  }
}

}  // namespace
}  // namespace hcl

// The table of answers. Tested by tests/answers/answers_test.cc.

#include "hclvm/tests/answers/answer_table.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"

namespace hcl::answers {
namespace {

[[noreturn]] void Stop(const std::string& why) {
  std::cerr << "tests/answers/answers.json: " << why << "\n";
  std::abort();
}

const Value* Find(const Value& object, std::string_view name) {
  const int64_t at = object.shape().Find(name);
  return at < 0 ? nullptr : &object.values()[static_cast<size_t>(at)];
}

std::string TextOf(const Value& object, std::string_view name) {
  const Value* const value = Find(object, name);
  return value == nullptr ? "" : std::string(value->AsString());
}

std::string JsonOf(const Value& value) {
  std::string text;
  JsonError error;
  if (!AppendJson(value, Limits(), &text, &error)) Stop(error.detail);
  return text;
}

Expected ExpectedOf(const Value& row) {
  Expected expected;
  const Value* const answer = Find(row, "answer");
  if (answer != nullptr) expected.answer = JsonOf(*answer);
  const Value* const shown = Find(row, "shown");
  expected.shown = shown == nullptr ? expected.answer : JsonOf(*shown);
  const Value* const erased = Find(row, "erased");
  if (erased != nullptr) expected.erased = JsonOf(*erased);
  expected.error = TextOf(row, "error");
  expected.says = TextOf(row, "says");
  expected.warns = TextOf(row, "warns");
  return expected;
}

Table Read() {
  std::ifstream file("tests/answers/answers.json");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  Heap heap;
  JsonReader reader;
  Value all;
  JsonError error;
  if (!reader.Read(text, &heap, &all, &error)) Stop(error.detail);
  Table table;
  const Value& modules = *Find(all, "modules");
  for (uint32_t n = 0; n < modules.shape().size; ++n) {
    std::string& module = table.modules[std::string(modules.shape().keys[n].AsString())];
    for (const Value& line : modules.values()[n].elements()) module.append(line.AsString()).append("\n");
  }
  for (const Value& from : Find(all, "rows")->elements()) {
    Row& row = table.rows.emplace_back();
    row.module = TextOf(from, "module");
    row.entry = TextOf(from, "entry");
    row.scope = JsonOf(*Find(from, "scope"));
    row.expected = ExpectedOf(from);
    const Value* const of_all = Find(from, "all");
    row.expected_of_all = of_all == nullptr ? row.expected : ExpectedOf(*of_all);
    row.unknown_input = TextOf(from, "unknown_input");
  }
  return table;
}

// Most ways to ask answer with JSON, in which quotes are escaped.
std::string Unescaped(std::string_view text) {
  std::string unescaped;
  for (size_t n = 0; n < text.size(); ++n) {
    if (text[n] != '\\' || n + 1 == text.size() || text[n + 1] != '"') unescaped.push_back(text[n]);
  }
  return unescaped;
}

}  // namespace

const Table& AllAnswers() {
  static const Table& table = *new Table(Read());
  return table;
}

std::shared_ptr<const Program> ProgramOf(const std::string& module, bool optimize) {
  static auto& programs = *new std::map<std::pair<std::string, bool>, std::shared_ptr<const Program>>();
  std::shared_ptr<const Program>& program = programs[{module, optimize}];
  if (program != nullptr) return program;
  CompileOptions options;
  options.functions = StandardFunctions();
  options.optimize = optimize;
  options.fast_code = optimize;
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>(module + ".hcl", AllAnswers().modules.at(module));
  const std::vector<ModuleFile> files = {{source}};
  program = CompileModule(files, options, &diagnostics);
  if (program == nullptr) Stop(hcl::ToText(diagnostics, source.get()));
  return program;
}

Answer AnswerOf(const Diagnostics& diagnostics, const Source* source) {
  Answer answer;
  for (const Diagnostic& diagnostic : diagnostics.kept()) answer.error += ToJson(diagnostic, source) + "\n";
  if (answer.error.empty()) answer.error = "an error of which nothing is known";
  return answer;
}

Answer AnswerOfLine(const std::string& line) {
  Heap heap;
  JsonReader reader;
  Value read;
  JsonError error;
  if (!reader.Read(line, &heap, &read, &error) || !read.is_object()) return {"", "no JSON: " + line, ""};
  const Value* const value = Find(read, "value");
  const Value* const warnings = Find(read, "warnings");
  Answer answer;
  value == nullptr ? void(answer.error = line) : void(answer.value = JsonOf(*value));
  if (warnings != nullptr) answer.warning = JsonOf(*warnings);
  if (const Value* const erased = Find(read, "erased")) answer.erased = JsonOf(*erased);
  return answer;
}

Answer AnswerOfOutput(const std::string& line) {
  Answer answer = AnswerOfLine(line);
  answer.shown = std::move(answer.value);
  answer.value.clear();
  return answer;
}

void AddShown(const Value& marked_value, Answer* answer) {
  Heap heap;
  std::vector<std::string> erased;
  answer->shown = JsonOf(HideSensitive(marked_value, SensitiveForm::kNull, &heap, &erased));
  for (const std::string& place : erased) {
    answer->erased.append(answer->erased.empty() ? "[" : ",");
    AppendJsonString(place, &answer->erased);
  }
  if (!erased.empty()) answer->erased.push_back(']');
}

Answer AnswerOfEntry(const std::string& line, const std::string& entry) {
  Heap heap;
  JsonReader reader;
  Value read;
  JsonError error;
  if (!reader.Read(line, &heap, &read, &error) || !read.is_object()) return {"", "no JSON: " + line, ""};
  const Value* const values = Find(read, "values");
  if (values == nullptr) return {"", line, ""};
  Answer answer;
  const auto add = [&](std::string_view name, std::string* text) {
    const Value* const all = Find(read, name);
    if (all == nullptr) return;
    for (const Value& diagnostic : all->elements()) {
      if (TextOf(diagnostic, "entry") == entry) *text += JsonOf(diagnostic) + "\n";
    }
  };
  add("diagnostics", &answer.error);
  add("warnings", &answer.warning);
  if (const Value* const value = Find(*values, entry)) answer.shown = JsonOf(*value);
  const Value* const erased = Find(read, "erased");
  for (const Value& place : erased == nullptr ? absl::Span<const Value>() : erased->elements()) {
    const std::string text(place.AsString());
    const std::string prefix = "/" + entry;
    if (text.substr(0, prefix.size()) != prefix || (text.size() > prefix.size() && text[prefix.size()] != '/'))
      continue;
    answer.erased.append(answer.erased.empty() ? "[" : ",");
    AppendJsonString(text.substr(prefix.size()), &answer.erased);
  }
  if (!answer.erased.empty()) answer.erased.push_back(']');
  return answer;
}

UnknownInput UnknownInputOf(const Row& row) {
  return row.unknown_input == "error"    ? UnknownInput::kError
         : row.unknown_input == "ignore" ? UnknownInput::kIgnore
                                         : UnknownInput::kNear;
}

void ExpectAnswers(const std::string& name, const Way& way, const Lacks& lacks) {
  ASSERT_GT(AllAnswers().rows.size(), 50u);
  for (const bool check_all : {false, true}) {
    if (check_all && lacks.check_all) continue;
    for (const Row& row : AllAnswers().rows) {
      if (lacks.unknown_input && !row.unknown_input.empty()) continue;
      const Expected& expected = row.ExpectedOf(check_all);
      Answer answer = way(row, check_all);
      answer.error = Unescaped(answer.error);
      answer.warning = Unescaped(answer.warning);
      const std::string what = name + (check_all ? ", all: " : ": ") + row.ToText();
      if (expected.error.empty()) {
        if (answer.shown.empty() || !answer.value.empty()) {
          EXPECT_EQ(answer.value, expected.answer) << what << "\n" << answer.error;
        }
        if (!answer.shown.empty()) {
          EXPECT_EQ(answer.shown, expected.shown) << what;
          EXPECT_EQ(answer.erased, expected.erased) << what;
        }
        if (lacks.warnings) continue;
        EXPECT_EQ(answer.warning.empty(), expected.warns.empty()) << what << "\n" << answer.warning;
        EXPECT_NE(answer.warning.find(expected.warns), std::string::npos) << what << "\n" << answer.warning;
        continue;
      }
      EXPECT_EQ(answer.value + answer.shown, "") << what;
      EXPECT_EQ(answer.error.find("hunter"), std::string::npos) << what << "\n" << answer.error;
      EXPECT_NE(answer.error.find(expected.error), std::string::npos) << what << "\n" << answer.error;
      EXPECT_NE(answer.error.find(expected.says), std::string::npos) << what << "\n" << answer.error;
      if (lacks.warnings) continue;
      EXPECT_NE(answer.error.find(expected.warns), std::string::npos) << what << "\n" << answer.error;
    }
  }
}

}  // namespace hcl::answers

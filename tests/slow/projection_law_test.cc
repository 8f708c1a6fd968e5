// The law of projection, over random programs and random documents, whole ones and mutated ones: what is read of a
// document for a program (vm/reads.h) gives the answer that all of it gives, or an answer where all of it gives an
// error. Of plain configs, lines are answered with the same bytes then (hclvm/ndjson.h), also those with errors.
//
// The same programs every time, unless the environment says otherwise (tests/support/seed.h).

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/ndjson.h"
#include "hclvm/tests/slow/failures.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kPrograms = 10'000;
constexpr int kDocuments = 4;  // for each program
constexpr size_t kMaxReports = 20;

class ProjectionLawTest : public ::testing::TestWithParam<Dialect> {
 protected:
  ProjectionLawTest() : heap_(nullptr, GetParam()), harness_(OptionsWith(GetParam())) {
    options_ = OptionsWith(GetParam());
    options_.functions = StandardFunctions();
    const Value& variables = harness_.variables();
    std::string declarations;
    for (uint32_t n = 0; n < variables.shape().size; ++n) {
      const Value& value = variables.values()[n];
      std::string text;
      std::string reason;
      if (!AppendJson(value, &text, &reason)) continue;
      const std::string name(variables.shape().keys[n].AsString());
      properties_.push_back(absl::StrCat("\"", name, "\":", text));
      const std::string type =
          value.is_null() || n % 4 == 0 ? "any" : ToTypeSyntax(TypeOf(value.unmarked(), heap_.types()));
      absl::StrAppend(&declarations, "variable \"", name, "\" {\n  type = ", type,
                      value.is_null() ? "\n  nullable = true\n}\n" : "\n}\n");
    }
    declared_ = std::make_shared<const Source>("variables.hcl", declarations);
  }

  static CompileOptions OptionsWith(Dialect dialect) {
    CompileOptions options;
    options.dialect = dialect;
    return options;
  }

  size_t Below(size_t n) { return random_() % n; }
  const char* OneOf(std::initializer_list<const char*> items) { return items.begin()[Below(items.size())]; }

  // All variables, in some order, with some changes.
  std::string Document() {
    std::string text = "{";
    const size_t first = Below(properties_.size());
    for (size_t n = 0; n < properties_.size(); ++n) {
      absl::StrAppend(&text, n == 0 ? "" : ",", properties_[(first + n) % properties_.size()]);
    }
    text += "}";
    for (size_t n = Below(4); n > 0; --n) Mutate(&text);
    return text;
  }

  void Mutate(std::string* text) {
    const size_t at = Below(text->size());
    switch (Below(8)) {
      case 0:
        text->erase(at, 1 + Below(3));
        return;
      case 1:
        text->insert(at, OneOf({"{", "}", "[", "]", "\"", ",", ":", "\\", "0", " ", "\n", "\xff", "\xc3\xa9", "null"}));
        return;
      case 2:
        (*text)[at] = *OneOf({"{", "}", "[", "]", "\"", ",", ":", "\\", "0", "\x01", "\x80"});
        return;
      case 3:
        text->insert(Below(text->size()), text->substr(at, 1 + Below(40)));
        return;
      default: {
        const size_t brace = text->find('{', at);
        if (brace == std::string::npos) return;
        const char* const name = OneOf(
            {"zz", "a", "name", "age", "\\u0061", "e\xcc\x81", "o", "u", "i", "us", "a long name that nothing needs"});
        const char* const value =
            OneOf({"1", "null", "[]", "{}", "{\"a\":[1,{\"b\":\"}\"}]}", "\"\\\"\"", "1e5", "[{\"a\":1,\"a\":2}]", "01",
                   "nul", "[1 2]", "\"\\x\"", "\"a text of many bytes, so that it does not end within one block\""});
        text->insert(brace + 1, absl::StrCat("\"", name, "\":", value, (*text)[brace + 1] == '}' ? "" : ","));
      }
    }
  }

  // What `program` gives for the document, as typed JSON; "error" where something is wrong.
  std::string Answer(const std::shared_ptr<const Program>& program, const std::string& document, bool is_whole) {
    heap_.Reset();
    const Reads reads(program, program->main_chunk());
    Value scope;
    JsonError error;
    ScopeReader part(reads);
    const bool is_read =
        is_whole ? reader_.Read(document, &heap_, &scope, &error) && scope.is_object() : part.Read(document, &heap_);
    if (!is_read) return "error";
    Evaluator evaluator(program);
    is_whole ? evaluator.BindAll(scope) : evaluator.BindAll(part);
    const Evaluation& evaluation = evaluator.Run();
    if (!evaluation.ok()) return "error";
    std::string text;
    AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &text);
    return text;
  }

  std::string Line(const std::shared_ptr<const Program>& program, const std::string& document, bool check_all) {
    NdjsonOptions options;
    options.typed = true;
    options.check_all = check_all;
    std::string out;
    LineEvaluator(program, options).Evaluate(document, 1, &out);
    return out;
  }

  std::string WhatIsWrongWith(const std::string& text, uint64_t n) {
    random_.seed(static_cast<uint32_t>(TestSeed() * 1'000'003 + n));
    const auto source = std::make_shared<const Source>("plain.hcl", text);
    Diagnostics diagnostics;
    const auto plain = CompileExpression(source, options_, &diagnostics);
    const std::vector<ModuleFile> files = {{declared_},
                                           {std::make_shared<const Source>("m.hcl", absl::StrCat("x = ", text, "\n"))}};
    const auto module = CompileModule(files, options_, &diagnostics);
    for (int round = 0; round < kDocuments; ++round) {
      const std::string document = Document();
      for (const auto& program : {plain, module}) {
        if (program == nullptr) continue;
        const std::string whole = Answer(program, document, /*is_whole=*/true);
        const std::string part = Answer(program, document, /*is_whole=*/false);
        ++(whole == "error" ? failing_ : fine_);
        if (whole != "error" && part != whole) {
          return absl::StrCat(program == module ? "module: " : "", part, "\n  whole: ", whole, "\n  of ", document);
        }
      }
      if (plain == nullptr) continue;
      const std::string line = Line(plain, document, /*check_all=*/false);
      const std::string want = Line(plain, document, /*check_all=*/true);
      if (line == want) continue;
      if (absl::StartsWith(line, "{\"diagnostics\"") || absl::StartsWith(want, "{\"type\"")) {
        return absl::StrCat(line, "\n  whole: ", want, "\n  of ", document);
      }
      ++more_;
    }
    return "";
  }

  Heap heap_;
  JsonReader reader_;
  Harness harness_;
  CompileOptions options_;
  std::vector<std::string> properties_;
  std::shared_ptr<const Source> declared_;
  std::mt19937 random_;
  uint64_t fine_ = 0;
  uint64_t failing_ = 0;
  uint64_t more_ = 0;  // answers where all of the text gives an error
};

TEST_P(ProjectionLawTest, APartGivesTheAnswerOfTheWhole) {
  const uint64_t programs = TestPrograms(kPrograms);
  const auto check = [this](const std::string& text, uint64_t n) { return WhatIsWrongWith(text, n); };
  CheckPrograms(programs, &heap_, check, kMaxReports);
  EXPECT_GT(fine_, programs / 10);
  EXPECT_GT(failing_, programs / 10);
  EXPECT_GT(more_, programs / 100);
}

INSTANTIATE_TEST_SUITE_P(Dialects, ProjectionLawTest, ::testing::Values(Dialect::kSpec, Dialect::kHashiCorp),
                         [](const auto& info) { return info.param == Dialect::kSpec ? "Spec" : "HashiCorp"; });

}  // namespace
}  // namespace hcl::testing_support

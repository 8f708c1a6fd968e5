// The table of answers, by all ways to evaluate in C++.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/ndjson.h"
#include "hclvm/tests/answers/answer_table.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/lazy_variable.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/scope_layout.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::answers {
namespace {

// The variables of a row, as values that JsonReader makes.
class Scope {
 public:
  explicit Scope(const Row& row) {
    JsonReader reader;
    JsonError error;
    EXPECT_TRUE(reader.Read(row.scope, &heap_, &value_, &error)) << error.detail;
  }
  const Value& value() const { return value_; }
  std::string_view name(uint32_t n) const { return value_.shape().keys[n].AsString(); }
  uint32_t size() const { return value_.shape().size; }

 private:
  Heap heap_;
  Value value_;
};

Answer AnswerOf(const Evaluation& evaluation, const Program& program) {
  if (!evaluation.ok()) return answers::AnswerOf(evaluation.diagnostics(), &program.source());
  Answer answer;
  for (const Diagnostic& warning : evaluation.warnings().kept()) answer.warning += warning.detail + "\n";
  JsonError error;
  EXPECT_TRUE(AppendJson(evaluation.value(), Limits(), &answer.value, &error));
  AddShown(evaluation.marked_value(), &answer);
  return answer;
}

const Entry& EntryOf(const Program& program, const Row& row) { return *program.FindEntry(row.entry); }

using Bind = std::function<void(const Scope&, Evaluator*)>;

// Evaluates the entry alone, and after all others of the same scope, by RunChunk() and by RunAnother().
void ExpectBound(const std::string& name, const Bind& bind, const Lacks& lacks = {}) {
  for (const bool optimize : {true, false}) {
    ExpectAnswers(
        name + (optimize ? "" : " without optimization"),
        [&](const Row& row, bool check_all) {
          const auto program = ProgramOf(row.module, optimize);
          const Scope scope(row);
          Evaluator evaluator(program);
          evaluator.set_check_all(check_all);
          evaluator.set_unknown_input(UnknownInputOf(row));
          bind(scope, &evaluator);
          return AnswerOf(evaluator.Run(EntryOf(*program, row)), *program);
        },
        lacks);
  }
  for (const bool another : {true, false}) {
    ExpectAnswers(
        name + (another ? " after others, RunAnother" : " after others"),
        [&](const Row& row, bool check_all) {
          const auto program = ProgramOf(row.module);
          const Scope scope(row);
          Evaluator evaluator(program);
          evaluator.set_check_all(check_all);
          evaluator.set_unknown_input(UnknownInputOf(row));
          bind(scope, &evaluator);
          for (int round = 0; round < 2; ++round) {
            for (const Entry& entry : program->entries()) {
              another ? evaluator.RunAnother(entry.chunk) : evaluator.RunChunk(entry.chunk);
            }
          }
          const uint32_t chunk = EntryOf(*program, row).chunk;
          return AnswerOf(another ? evaluator.RunAnother(chunk) : evaluator.RunChunk(chunk), *program);
        },
        lacks);
  }
}

TEST(AnswersTest, BindAll) {
  ExpectBound("BindAll", [](const Scope& scope, Evaluator* evaluator) { evaluator->BindAll(scope.value()); });
}

TEST(AnswersTest, Bind) {
  ExpectBound("Bind",
              [](const Scope& scope, Evaluator* evaluator) {
                for (uint32_t n = 0; n < scope.size(); ++n) evaluator->Bind(scope.name(n), scope.value().values()[n]);
              },
              {false, true, true});
}

TEST(AnswersTest, BindLazily) {
  ExpectBound("BindLazy",
              [](const Scope& scope, Evaluator* evaluator) {
                for (uint32_t n = 0; n < scope.size(); ++n) {
                  const Value value = scope.value().values()[n];
                  evaluator->BindLazy(scope.name(n), [value](LazyCall*) -> absl::StatusOr<Value> { return value; });
                }
              },
              {false, true, true});
}

// One evaluator for all rows of a module.
TEST(AnswersTest, RebindAll) {
  std::map<std::string, std::unique_ptr<Evaluator>> evaluators;
  std::vector<std::unique_ptr<Scope>> scopes;
  ExpectAnswers("rebinding", [&](const Row& row, bool check_all) {
    const auto program = ProgramOf(row.module);
    std::unique_ptr<Evaluator>& evaluator = evaluators[row.module];
    if (evaluator == nullptr) evaluator = std::make_unique<Evaluator>(program);
    evaluator->set_check_all(check_all);
    evaluator->set_unknown_input(UnknownInputOf(row));
    scopes.push_back(std::make_unique<Scope>(row));
    evaluator->BindAll(scopes.back()->value());
    return AnswerOf(evaluator->Run(EntryOf(*program, row)), *program);
  });
}

TEST(AnswersTest, ReadsOfTexts) {
  const auto way = [](const Row& row, bool) -> Answer {
    const auto program = ProgramOf(row.module);
    const Entry& entry = EntryOf(*program, row);
    const Reads reads(program, entry.chunk);
    ScopeReader scope(reads);
    Heap heap;
    if (!scope.Read(row.scope, &heap)) return {"", "not read", ""};
    Evaluator evaluator(program);
    evaluator.BindAll(scope);
    return AnswerOf(evaluator.Run(entry), *program);
  };
  ExpectAnswers("ScopeReader", way, {true, true, true});
}

TEST(AnswersTest, RunMany) {
  ExpectAnswers("RunMany", [](const Row& row, bool check_all) {
    const auto program = ProgramOf(row.module);
    const Scope scope(row);
    Evaluator evaluator(program);
    evaluator.set_check_all(check_all);
    evaluator.set_unknown_input(UnknownInputOf(row));
    RunResults results;
    evaluator.RunMany({scope.value(), scope.value()}, &results, &EntryOf(*program, row));
    if (!results.ok(1)) {
      Answer failed = answers::AnswerOf(results.diagnostics(1), &program->source());
      for (const Diagnostic& warning : results.warnings(1).kept()) failed.error += warning.detail + "\n";
      return failed;
    }
    Answer answer;
    JsonError error;
    EXPECT_TRUE(AppendJson(results.value(1), Limits(), &answer.value, &error));
    AddShown(results.marked_value(1), &answer);
    for (const Diagnostic& warning : results.warnings(1).kept()) answer.warning += warning.detail + "\n";
    return answer;
  });
}

struct OnlyX {
  int64_t x;
};
struct BadY {
  int64_t x;
  std::string y;
};

std::string RunRow(const ScopeRows& rows, const Program& program, const char* entry, bool check_all) {
  Evaluator evaluator(rows.layout().reader().program());
  evaluator.set_check_all(check_all);
  RunResults results;
  evaluator.RunMany(rows, &results, program.FindEntry(entry));
  std::string text;
  JsonError error;
  if (!results.ok(0)) return std::string(CodeText(results.diagnostics(0).kept()[0].code));
  EXPECT_TRUE(AppendJson(results.value(0), Limits(), &text, &error));
  return text;
}

// Rows of structs, which JSON cannot give.
TEST(AnswersTest, Rows) {
  const auto program = ProgramOf("object");
  const auto only_x = ScopeLayout::Bind<OnlyX>(program).Field("a.x", &OnlyX::x).Make();
  ASSERT_TRUE(only_x.ok()) << only_x.status();
  const std::vector<OnlyX> xs = {{1}};
  EXPECT_EQ(RunRow(only_x->Rows(xs), *program, "z", false), "2");
  EXPECT_EQ(RunRow(only_x->Rows(xs), *program, "z", true), "HCL3122");
  EXPECT_EQ(RunRow(only_x->Rows(xs), *program, "both", false), "HCL3122");
  const auto bad_y = ScopeLayout::Bind<BadY>(program).Field("a.x", &BadY::x).Field("a.y", &BadY::y).Make();
  ASSERT_TRUE(bad_y.ok()) << bad_y.status();
  const std::vector<BadY> ys = {{1, "no"}};
  EXPECT_EQ(RunRow(bad_y->Rows(ys), *program, "z", false), "2");
  EXPECT_EQ(RunRow(bad_y->Rows(ys), *program, "z", true), "HCL3122");
  EXPECT_EQ(RunRow(bad_y->Rows(ys), *program, "tried", false), "HCL3122");
}

// Unknown values, which JSON cannot give: what is not read may be unknown, and of what is read, the answer is.
TEST(AnswersTest, UnknownValues) {
  Heap heap;
  const auto object = [&](const Value& x, const Value& y) {
    const KeyValue pairs[] = {{Value::StringView("x"), x}, {Value::StringView("y"), y}};
    return MakeObject(pairs, heap.arena());
  };
  constexpr char kUnknownNumber[] = R"({"$unknown":"number","refinement":{"not_null":true}})";
  const struct {
    const char* entry;
    Value a;
    const char* want;
    const char* want_of_all;
  } kRows[] = {
      {"z", object(Value::Int(1), Value::Dynamic()), "2", "2"},
      {"z", object(Value::Int(1), Value::Unknown(Type::Bool())), "2", "HCL3122"},
      {"z", object(Value::Dynamic(), Value::Int(1)), kUnknownNumber, kUnknownNumber},
      {"z", object(Value::Unknown(heap.types()->List(Type::Bool())), Value::Int(1)), "HCL3122", "HCL3122"},
      {"z", Value::Dynamic(), kUnknownNumber, kUnknownNumber},
      {"z", Value::Unknown(Type::Number()), "HCL3122", "HCL3122"},
      {"none", Value::Unknown(Type::Number()), "1", "HCL3122"},
  };
  for (const auto& row : kRows) {
    for (const bool check_all : {false, true}) {
      const auto program = ProgramOf("object");
      Evaluator evaluator(program);
      evaluator.set_check_all(check_all);
      evaluator.Bind("a", row.a);
      const Evaluation& evaluation = evaluator.Run(*program->FindEntry(row.entry));
      std::string got;
      if (evaluation.ok()) {
        AppendTypedValueJson(evaluation.value(), evaluator.heap()->types(), &got);
      } else {
        got = CodeText(evaluation.diagnostics().kept()[0].code);
      }
      EXPECT_EQ(got, check_all ? row.want_of_all : row.want) << row.entry << (check_all ? ", all" : "");
    }
  }
}

TEST(AnswersTest, Lines) {
  ExpectAnswers("lines", [](const Row& row, bool check_all) {
    const auto program = ProgramOf(row.module);
    NdjsonOptions options;
    options.check_all = check_all;
    options.unknown_input = UnknownInputOf(row);
    options.entries = {&EntryOf(*program, row)};
    LineEvaluator evaluator(program, options);
    std::string line;
    evaluator.Evaluate(row.scope, 1, &line);
    return AnswerOfOutput(line);
  });
}

// Each entry has its own answer where several are asked for at once.
TEST(AnswersTest, LinesOfSeveralEntries) {
  ExpectAnswers("lines of several entries", [](const Row& row, bool check_all) {
    const auto program = ProgramOf(row.module);
    NdjsonOptions options;
    options.check_all = check_all;
    options.unknown_input = UnknownInputOf(row);
    for (const Entry& entry : program->entries()) options.entries.push_back(&entry);
    LineEvaluator evaluator(program, options);
    std::string line;
    evaluator.Evaluate(row.scope, 1, &line);
    return AnswerOfEntry(line, row.entry);
  });
}

}  // namespace
}  // namespace hcl::answers

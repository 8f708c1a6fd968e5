#include "hclvm/compiler/record_points.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/record_table.h"
#include "hclvm/vm/register_flow.h"
#include "hclvm/vm/run_recorder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text, bool record, bool decisions_only = false) {
  CompileOptions options;
  options.functions = StandardFunctions();
  if (record) options.optimize = options.fast_code = false;
  options.record = record;
  options.record_decisions_only = decisions_only;
  Diagnostics diagnostics;
  auto program = CompileExpression(std::make_shared<const Source>("e", text), options, &diagnostics);
  EXPECT_NE(nullptr, program) << text;
  return program;
}

std::string Text(const Value& value) {
  std::string text, reason;
  return value.is_error() ? "error" : AppendJson(value, &text, &reason) ? text : "unknown";
}

// Each node as `text` or `text=value`, in the order in which they begin and end.
class Events final : public RunRecorder {
 public:
  void Restart() override { text.clear(); }
  void Enter(const RecordTable& table, uint32_t point) override { Add(table, point, "("); }
  void Leave(const RecordTable& table, uint32_t point, const Value& value) override {
    EXPECT_FALSE(open.empty());
    EXPECT_EQ(open.back(), point);
    open.pop_back();
    absl::StrAppend(&text, ")=", Text(value));
    (void)table;
  }

  std::string text;
  std::vector<uint32_t> open;

 private:
  void Add(const RecordTable& table, uint32_t point, std::string_view before) {
    const RecordPoint& at = table.at(point);
    absl::StrAppend(&text, std::string(before), std::string(at.source->Slice(at.range)));
    open.push_back(point);
  }
};

TEST(RecordPoints, EventsNest) {
  const struct {
    const char* expression;
    const char* events;
  } rows[] = {
      {"1 + 2", "(1 + 2)=3"},
      {"x", "(x)=3"},
      {"x > 1 && x < 3", "(x > 1 && x < 3(x > 1(x)=3)=true(x < 3(x)=3)=false)=false"},
      {"x - 1 < 3 - x", "(x - 1 < 3 - x(x - 1(x)=3)=2(3 - x(x)=3)=0)=false"},
      {"x > 1 ? [x][0] : 5", "(x > 1 ? [x][0] : 5(x > 1(x)=3)=true([x][0]([x](x)=3)=[3])=3)=3"},
      {"[for y in [x, 4] : y if y > 3]",
       "([for y in [x, 4] : y if y > 3]([x, 4](x)=3)=[3,4](y > 3(y)=3)=false(y > 3(y)=4)=true(y)=4)=[4]"},
      {"try(x.y, \"${x}!\")", "(try(x.y, \"${x}!\")(x.y)=error(\"${x}!\"(x)=3)=\"3!\")=\"3!\""},
      {"{a = x}.a", "({a = x}.a({a = x}(x)=3)={\"a\":3})=3"},
  };
  for (const auto& row : rows) {
    const std::shared_ptr<const Program> program = Compile(row.expression, /*record=*/true);
    EXPECT_EQ(WhatIsReadBeforeWritten(*program), "") << row.expression;
    Evaluator evaluator(program);
    Events events;
    AttachRecorder(evaluator.heap(), &events);
    evaluator.Bind("x", Value::Int(3));
    const Evaluation& recorded = evaluator.Run();
    EXPECT_EQ(events.text, row.events);
    EXPECT_TRUE(events.open.empty());
    Evaluator plain(Compile(row.expression, /*record=*/false));
    plain.Bind("x", Value::Int(3));
    EXPECT_EQ(Text(plain.Run().value()), Text(recorded.value())) << row.expression;
  }
}

// Parts of what decides are reported, and parts of these are not.
TEST(RecordPoints, DecisionsOnly) {
  const struct {
    const char* expression;
    const char* events;
  } rows[] = {
      {"x + 1", ""},
      {"x > 1 ? [x][0] : 5", "(x > 1 ? [x][0] : 5(x > 1)=true([x][0])=3)=3"},
      {"[x + 1, try(x.y, x)]", "(try(x.y, x)(x.y)=error(x)=3)=3"},
      {"-(x > 1 && !(x > 5) ? 1 : 2)",
       "(x > 1 && !(x > 5) ? 1 : 2(x > 1 && !(x > 5)(x > 1)=true(!(x > 5))=true)=true)=1"},
  };
  for (const auto& row : rows) {
    Evaluator evaluator(Compile(row.expression, /*record=*/true, /*decisions_only=*/true));
    Events events;
    AttachRecorder(evaluator.heap(), &events);
    evaluator.Bind("x", Value::Int(3));
    EXPECT_TRUE(evaluator.Run().ok()) << row.expression;
    EXPECT_EQ(events.text, row.events);
  }
}

// A run that fails is done twice, and tells the last one.
TEST(RecordPoints, AFailureRestarts) {
  Evaluator evaluator(Compile("x + 1", /*record=*/true));
  Events events;
  AttachRecorder(evaluator.heap(), &events);
  evaluator.Bind("x", Value::StringView("a"));
  EXPECT_FALSE(evaluator.Run().ok());
  EXPECT_EQ(events.text, "(x + 1(x)=\"a\")=error");
  AttachRecorder(evaluator.heap(), nullptr);
  events.text.clear();
  EXPECT_FALSE(evaluator.Run().ok());
  EXPECT_EQ(events.text, "");
}

TEST(RecordPoints, OtherProgramsHaveNone) {
  EXPECT_EQ(TablesOf(*Compile("x + 1", /*record=*/false)).records(), nullptr);
}

}  // namespace
}  // namespace hcl::internal

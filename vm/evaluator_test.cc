// The evaluator's own promises: scopes, repeated runs, memory. What instructions mean is tested by tests/.

#include "hclvm/vm/evaluator.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::ProgramBuilder;
namespace {

using internal::Opcode;

// `a.x + b`.
std::shared_ptr<const Program> AddProgram() {
  ProgramBuilder builder(std::make_shared<const Source>("<test>", "a.x + b"), nullptr, Dialect::kSpec);
  builder.BeginChunk();
  const SourceRange path_spans[] = {{0, 3}, {0, 1}, {1, 3}};
  builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(builder.AddSlot("a"), {{Value::StringView("x"), true}}),
                path_spans);
  const SourceRange slot_spans[] = {{6, 7}, {6, 7}};
  builder.EmitX(Opcode::kLoadPath, 1, builder.AddPath(builder.AddSlot("b"), {}), slot_spans);
  const SourceRange spans[] = {{0, 7}, {0, 3}, {6, 7}};
  builder.Emit(Opcode::kAdd, 0, 0, 1, spans);
  builder.Emit(Opcode::kReturn, 0, 0);
  builder.SetMain(builder.EndChunk(2));
  Diagnostics diagnostics;
  return std::move(builder).FinishVerified(&diagnostics);
}

// All that the program does is to read a path of `a`; what it returns may be something else.
std::shared_ptr<const Program> PathProgram(const std::vector<PathStep>& steps, std::optional<int> returned) {
  ProgramBuilder builder(std::make_shared<const Source>("<test>", "a.x.y"), nullptr, Dialect::kSpec);
  builder.BeginChunk();
  std::vector<SourceRange> spans = {{0, 5}, {0, 1}};
  for (uint32_t n = 0; n < steps.size(); ++n) spans.push_back({1 + 2 * n, 3 + 2 * n});
  builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(builder.AddSlot("a"), steps), spans);
  const uint32_t constant = returned ? builder.AddConstant(Value::Int(*returned)) | internal::kConstantBit : 0;
  builder.Emit(Opcode::kReturn, 0, static_cast<uint16_t>(constant));
  builder.SetMain(builder.EndChunk(1));
  Diagnostics diagnostics;
  return std::move(builder).FinishVerified(&diagnostics);
}

// `a.x`, of which the attribute is taken by an instruction of its own.
std::shared_ptr<const Program> AttributeProgram() {
  ProgramBuilder builder(std::make_shared<const Source>("<test>", "a.x"), nullptr, Dialect::kSpec);
  builder.BeginChunk();
  const SourceRange spans[] = {{0, 3}, {0, 1}};
  builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(builder.AddSlot("a"), {}), spans);
  builder.Emit(Opcode::kGetAttr, 0, 0, *builder.AddName(Value::StringView("x")), spans);
  builder.Emit(Opcode::kReturn, 0, 0);
  builder.SetMain(builder.EndChunk(1));
  Diagnostics diagnostics;
  return std::move(builder).FinishVerified(&diagnostics);
}

class EvaluatorTest : public testing::Test {
 protected:
  Value Object(const std::string& key, const Value& value) {
    const KeyValue pair{Value::String(key, heap_.arena()), value};
    return MakeObject(absl::MakeConstSpan(&pair, 1), heap_.arena());
  }
  Heap heap_;
};

TEST_F(EvaluatorTest, BindsByNameAndSlot) {
  Evaluator evaluator(AddProgram());
  EXPECT_TRUE(evaluator.Bind("a", Object("x", Value::Int(2))));
  EXPECT_FALSE(evaluator.Bind("nosuch", Value::Int(1)));
  evaluator.Bind(*evaluator.program().FindSlot("b"), Value::Int(3));
  ASSERT_TRUE(evaluator.Run().ok());
  EXPECT_EQ(evaluator.Run().value().AsInt(), 5);
}

TEST_F(EvaluatorTest, AMissingVariableIsADiagnostic) {
  Evaluator evaluator(AddProgram());
  evaluator.Bind("a", Object("x", Value::Int(2)));
  const Evaluation& evaluation = evaluator.Run();
  ASSERT_FALSE(evaluation.ok());
  ASSERT_EQ(evaluation.diagnostics().kept().size(), 1u);
  EXPECT_EQ(evaluation.diagnostics().kept()[0].summary, "Unknown variable");
  EXPECT_EQ(evaluation.diagnostics().kept()[0].subject, (SourceRange{6, 7}));
}

TEST_F(EvaluatorTest, ARunDoesNotSeeTheErrorsOfTheOneBefore) {
  Evaluator evaluator(AddProgram());
  EXPECT_FALSE(evaluator.Run().ok());
  evaluator.Bind("a", Object("x", Value::Int(2)));
  evaluator.Bind("b", Value::Int(1));
  EXPECT_TRUE(evaluator.Run().ok());
  evaluator.UnbindAll();
  EXPECT_FALSE(evaluator.Run().ok());
}

TEST_F(EvaluatorTest, BindAllTakesAnObjectsAttributes) {
  Evaluator evaluator(AddProgram());
  const KeyValue pairs[] = {{Value::StringView("b"), Value::Int(1)},
                            {Value::StringView("c"), Value::Int(5)},
                            {Value::StringView("a"), Object("x", Value::Int(2))}};
  evaluator.BindAll(MakeObject(pairs, heap_.arena()));
  EXPECT_EQ(evaluator.Run().value().AsInt(), 3);
  evaluator.BindAll(Object("b", Value::Int(1)));  // `a` is not there any more
  EXPECT_FALSE(evaluator.Run().ok());
}

TEST_F(EvaluatorTest, CachedPositionsNeverMislead) {
  Evaluator evaluator(AddProgram());
  evaluator.Bind("b", Value::Int(0));
  // The attribute stands first, second, nowhere, and is a long name's neighbour.
  for (int round = 0; round < 3; ++round) {
    evaluator.Bind("a", Object("x", Value::Int(1)));
    EXPECT_EQ(evaluator.Run().value().AsInt(), 1);
    const KeyValue pairs[] = {{Value::StringView("a"), Value::Int(7)}, {Value::StringView("x"), Value::Int(2)}};
    evaluator.Bind("a", MakeObject(pairs, heap_.arena()));
    EXPECT_EQ(evaluator.Run().value().AsInt(), 2);
    evaluator.Bind("a", Object("y", Value::Int(3)));
    EXPECT_FALSE(evaluator.Run().ok());
    evaluator.Bind("a", Value::Unknown(Type::Dynamic()));
    EXPECT_TRUE(evaluator.Run().value().is_unknown());
  }
}

TEST_F(EvaluatorTest, ResultsCanBeKept) {
  Evaluator evaluator(AddProgram());
  evaluator.Bind("b", Value::Int(0));
  NumberError error;
  const Number big =
      Number::Parse("123456789012345678901234567890", NumberSyntax::kLiteral, Limits(), heap_.arena(), &error);
  evaluator.Bind("a", Object("x", Value::FromNumber(big)));
  const Value kept = Clone(evaluator.Run().value(), heap_.arena(), heap_.types());
  evaluator.Bind("a", Object("x", Value::Int(1)));
  evaluator.Run();
  EXPECT_EQ(kept.AsNumber().ToString(), "123456789012345678901234567890");
}

TEST_F(EvaluatorTest, FuelRunsOutExactly) {
  // Four instructions.
  Limits limits;
  for (uint64_t fuel : {3, 4, 5}) {
    limits.max_fuel = fuel;
    Evaluator evaluator(AddProgram(), limits);
    evaluator.Bind("a", Object("x", Value::Int(2)));
    evaluator.Bind("b", Value::Int(1));
    const Evaluation& evaluation = evaluator.Run();
    EXPECT_EQ(evaluation.ok(), fuel >= 4) << fuel;
    EXPECT_EQ(evaluation.diagnostics().has_limit(), fuel < 4) << fuel;
    EXPECT_EQ(evaluation.fuel_left(), fuel < 4 ? 0 : fuel - 4);
  }
}

TEST_F(EvaluatorTest, AnEntryThatIsAPathHasItsValue) {
  const PathStep x{Value::StringView("x"), true};
  const PathStep y{Value::StringView("y"), true};
  const Value xy = Object("x", Object("y", Value::Int(5)));
  const Value marked = Mark(Value::Int(5), 1, heap_.arena());
  struct Case {
    std::vector<PathStep> steps;
    std::vector<Value> good;
    std::vector<Value> bad;
  };
  const Case cases[] = {
      {{}, {Value::Int(5), Value(), Value::Unknown(Type::Number()), marked, xy}, {}},
      {{x}, {Object("x", Value::Int(5)), Object("x", marked), Value::Dynamic(), xy}, {Value::Int(5), Value()}},
      {{x, y}, {xy, Object("x", Value::Dynamic())}, {Object("x", Value::Int(5)), Object("y", Value::Int(5))}},
  };
  constexpr uint64_t kFailing = 6;  // two for the path, and four for the failure
  for (const Case& one : cases) {
    for (const uint64_t fuel : {1, 2, 3, 20}) {
      Limits limits;
      limits.max_fuel = fuel;
      Evaluator evaluator(PathProgram(one.steps, std::nullopt), limits);
      Evaluator other(PathProgram(one.steps, 7), limits);
      for (int round = 0; round < 3; ++round) {
        SCOPED_TRACE(testing::Message() << one.steps.size() << " steps, fuel " << fuel << ", round " << round);
        for (const Value& good : one.good) {
          evaluator.Bind(0, good);
          other.Bind(0, good);
          const Evaluation& evaluation = evaluator.Run();
          EXPECT_EQ(evaluation.ok(), fuel >= 2);
          EXPECT_EQ(evaluation.diagnostics().has_limit(), fuel < 2);
          EXPECT_EQ(evaluation.fuel_left(), fuel < 2 ? 0 : fuel - 2);
          if (fuel < 2) continue;
          Value want = good;
          for (const PathStep& step : one.steps) {
            want = want.is_mapping() ? want.values()[static_cast<size_t>(want.shape().Find(step.key))] : want;
          }
          EXPECT_TRUE(evaluation.value().SameBits(want));
          EXPECT_EQ(other.Run().value().AsInt(), 7);
        }
        for (const Value& bad : one.bad) {
          evaluator.Bind(0, bad);
          EXPECT_FALSE(evaluator.Run().ok());
          EXPECT_EQ(evaluator.Run().diagnostics().count(), fuel < kFailing ? 2u : 1u);
          EXPECT_EQ(evaluator.Run().fuel_left(), fuel < kFailing ? 0 : fuel - kFailing);
        }
        evaluator.UnbindAll();
        EXPECT_FALSE(evaluator.Run().ok());
        other.UnbindAll();
        EXPECT_FALSE(other.Run().ok());
      }
    }
  }
}

// More runs than have numbers of their own, over objects with other shapes in the same memory.
TEST_F(EvaluatorTest, ShapesOfEarlierRunsNeverMislead) {
  Evaluator evaluator(AttributeProgram());
  for (int run = 0; run < 140'000; ++run) {
    heap_.Reset();
    const KeyValue pairs[] = {{Value::StringView(run % 2 == 0 ? "w" : "z"), Value::Int(-1)},
                              {Value::StringView("x"), Value::Int(run)}};
    evaluator.Bind(0, MakeObject(pairs, heap_.arena()));
    ASSERT_EQ(evaluator.Run().value().AsInt(), run);
  }
}

TEST_F(EvaluatorTest, StopsWhenTheHostWantsItTo) {
  std::atomic<bool> cancel{true};
  Evaluator evaluator(AddProgram());
  evaluator.Bind("a", Object("x", Value::Int(2)));
  evaluator.Bind("b", Value::Int(1));
  const Interrupt past{nullptr, std::chrono::steady_clock::now()};
  for (const Interrupt& interrupt : {Interrupt{&cancel}, past}) {
    evaluator.set_interrupt(interrupt);
    const Diagnostics& diagnostics = evaluator.Run().diagnostics();
    ASSERT_EQ(diagnostics.kept().size(), 1u);
    EXPECT_TRUE(diagnostics.kept()[0].is_limit);
    EXPECT_EQ(diagnostics.kept()[0].summary, "Evaluation interrupted");
  }
  cancel = false;
  evaluator.set_interrupt(Interrupt{&cancel});
  const Evaluation& evaluation = evaluator.Run();
  ASSERT_TRUE(evaluation.ok());
  EXPECT_EQ(evaluation.value().AsInt(), 3);
  EXPECT_EQ(evaluation.fuel_left(), Limits().max_fuel - 4);
}

}  // namespace
}  // namespace hcl

#include "hclvm/vm/register_flow.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Of a program of one chunk with the code that `emit` writes, the first `plain` instructions of it fast.
template <typename Emit>
std::string Fault(Emit emit, uint32_t plain = 0) {
  ProgramBuilder builder(std::make_shared<const Source>("<test>", "a + b"), nullptr, Dialect::kSpec);
  builder.BeginChunk();
  const uint16_t constant = kConstantBit | static_cast<uint16_t>(builder.AddConstant(Value::Bool(true)));
  emit(&builder, constant);
  if (plain != 0) builder.AddFastRegion({0, plain, plain});
  builder.SetMain(builder.EndChunk(8));
  return WhatIsReadBeforeWritten(*std::move(builder).Finish());
}

TEST(RegisterFlowTest, FindsReadsBeforeWrites) {
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) { b->Emit(Opcode::kReturn, 0, 3); }), "pc 0: Return reads r3");
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) {
              b->EmitX(Opcode::kLoadConst, 3, 0);
              b->Emit(Opcode::kReturn, 0, 3);
            }),
            "");
  // One way writes it, another does not.
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) {
              b->EmitX(Opcode::kLoadConst, 0, 0);
              b->EmitX(Opcode::kSkipIfTrue, 0, 3);
              b->EmitX(Opcode::kLoadConst, 1, 0);
              b->Emit(Opcode::kReturn, 0, 1);
            }),
            "pc 3: Return reads r1");
  // Behind a loop that may have no element, and in it.
  const auto loop = [](uint16_t result) {
    return Fault([&](ProgramBuilder* b, uint16_t) {
      b->EmitX(Opcode::kLoadConst, 0, 0);
      b->EmitX(Opcode::kForBegin, 0, 4);
      b->EmitX(Opcode::kForEach, 0, 4);
      b->Emit(Opcode::kReturn, 0, 0);
      b->Emit(Opcode::kReturn, 0, result);
    });
  };
  EXPECT_EQ(loop(0), "");
  EXPECT_EQ(loop(2), "pc 4: Return reads r2");
  EXPECT_EQ(loop(1), "pc 4: Return reads r1");
}

TEST(RegisterFlowTest, GeneralCodeKnowsOnlyWhatWasWrittenBeforeItWasComeTo) {
  const auto fault = [](uint16_t result) {
    return Fault(
        [&](ProgramBuilder* b, uint16_t constant) {
          b->Emit(Opcode::kFastAdd, 1, constant, constant);
          b->Emit(Opcode::kFastAdd, 2, 1, constant);
          b->Emit(Opcode::kReturn, 0, result);
        },
        /*plain=*/2);
  };
  EXPECT_EQ(fault(kConstantBit), "");
  EXPECT_EQ(fault(1), "pc 2: Return reads r1");
}

TEST(RegisterFlowTest, KnowsRegistersBehindTheFirst) {
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) {
              b->EmitX(Opcode::kLoadConst, 0, 0);
              b->Emit(Opcode::kMakeTuple, 0, 0, 2);
              b->Emit(Opcode::kReturn, 0, 0);
            }),
            "pc 1: MakeTuple reads r1");
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) {
              b->Emit(Opcode::kForget, 0, 3);
              b->Emit(Opcode::kMakeTuple, 0, 0, 3);
              b->Emit(Opcode::kReturn, 0, 0);
            }),
            "");
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) {
              b->EmitX(Opcode::kLoadConst, 0, 0);
              b->EmitX(Opcode::kTryTest, 0, 2);
              b->Emit(Opcode::kReturn, 0, 0);
            }),
            "pc 1: TryTest reads r1");
  EXPECT_EQ(Fault([](ProgramBuilder* b, uint16_t) {
              b->Emit(Opcode::kForget, 0, 1);
              b->Emit(Opcode::kRecall, 1, 0, 1);
              b->Emit(Opcode::kReturn, 0, 0);
              b->Emit(Opcode::kReturn, 0, 1);
            }),
            "");
}

// As in a loop that looks for a first element.
TEST(RegisterFlowTest, TellsWaysApartByBlanks) {
  const auto fault = [](bool looks) {
    return Fault(
        [&](ProgramBuilder* b, uint16_t constant) {
          const uint32_t null = b->AddConstant(Value::Null(Type::Dynamic()));
          b->EmitX(Opcode::kLoadConst, 1, null);
          const uint32_t jump = b->Emit(Opcode::kIfTrue, constant);
          b->EmitX(Opcode::kLoadConst, 0, 0);
          b->EmitX(Opcode::kLoadConst, 1, 0);
          b->PatchToHere(jump);
          b->Emit(Opcode::kGuard, looks ? 1 : constant, /*check: a bool*/ 0);
          b->Emit(Opcode::kReturn, 0, 0);
          b->Emit(Opcode::kReturn, 0, constant);
        },
        /*plain=*/6);
  };
  EXPECT_EQ(fault(true), "");
  EXPECT_EQ(fault(false), "pc 5: Return reads r0");
  // What is made with another value is there where that one is.
  const auto made = [](uint16_t forgotten) {
    return Fault([&](ProgramBuilder* b, uint16_t constant) {
      b->Emit(Opcode::kForget, forgotten, 1);
      b->EmitX(Opcode::kSkipIfTrue, forgotten, 4);
      b->EmitX(Opcode::kLoadConst, 0, 0);
      b->EmitX(Opcode::kLoadConst, forgotten, 0);
      b->Emit(Opcode::kIfKept, 1, 0, 1);
      b->Emit(Opcode::kReturn, 0, constant);
      b->Emit(Opcode::kReturn, 0, 0);
    });
  };
  EXPECT_EQ(made(1), "");
  EXPECT_EQ(made(2), "pc 4: IfKept reads r1");
}

}  // namespace
}  // namespace hcl::internal

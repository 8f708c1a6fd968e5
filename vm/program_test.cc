// Opcode table, builder, listing and verifier, on programs written by hand.

#include "hclvm/vm/program.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::FastRegion;
using internal::kConstantBit;
using internal::ProgramBuilder;

namespace {

using internal::Opcode;

ProgramBuilder NewBuilder() {
  return ProgramBuilder(std::make_shared<const Source>("<test>", "a + b"), nullptr, Dialect::kSpec);
}

// The fault of a program of one chunk with the code that `emit` writes.
template <typename Emit>
std::string Fault(Emit emit, uint32_t registers = 8) {
  ProgramBuilder builder = NewBuilder();
  builder.BeginChunk();
  emit(&builder);
  builder.SetMain(builder.EndChunk(registers));
  return internal::TablesOf(*std::move(builder).Finish()).Verify();
}

// The distance of a forward jump has 16 bits; one that does not fit is the user's long expression, not our fault.
TEST(ProgramBuilderTest, ReportsAJumpThatIsTooFar) {
  const auto jump_over = [](uint32_t instructions, Diagnostics* diagnostics) {
    ProgramBuilder builder = NewBuilder();
    builder.BeginChunk();
    const uint16_t constant = kConstantBit | static_cast<uint16_t>(builder.AddConstant(Value::Bool(true)));
    const uint32_t jump = builder.Emit(Opcode::kIfTrue, constant, 0, 0);
    for (uint32_t i = 0; i < instructions; ++i) builder.EmitX(Opcode::kLoadConst, 0, 0);
    builder.PatchToHere(jump);
    const uint32_t general = builder.here();
    builder.Emit(Opcode::kReturn, 0, constant);
    builder.AddFastRegion({0, general, general});
    builder.SetMain(builder.EndChunk(1));
    return std::move(builder).FinishVerified(diagnostics);
  };
  Diagnostics diagnostics;
  EXPECT_NE(jump_over(0xffff, &diagnostics), nullptr);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(jump_over(0x10000, &diagnostics), nullptr);
  ASSERT_EQ(diagnostics.count(), 1u);
  EXPECT_EQ(diagnostics.kept()[0].summary, "Expression too long");
  EXPECT_TRUE(diagnostics.has_limit());
}

TEST(OpcodeTest, NamesAreDistinctAndDescribed) {
  std::set<std::string_view> names;
  for (uint16_t op = 0; op < internal::kOpcodeCount; ++op) {
    const internal::OpcodeInfo& info = internal::InfoOf(static_cast<Opcode>(op));
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.effect.empty()) << info.name;
    // X takes the place of B and C.
    const bool wide = info.c == internal::OperandKind::kX;
    EXPECT_FALSE(wide && info.b == internal::OperandKind::kNone) << info.name;
  }
}

TEST(ProgramTest, ListingNamesOperands) {
  ProgramBuilder builder = NewBuilder();
  builder.BeginChunk();
  const SourceRange spans[] = {{0, 1}, {0, 1}};
  builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(builder.AddSlot("a"), {{Value::StringView("b"), true}}), spans);
  builder.Emit(Opcode::kAdd, 0, 0, static_cast<uint16_t>(builder.AddConstant(Value::Int(5)) | internal::kConstantBit));
  builder.Emit(Opcode::kReturn, 0, 0);
  builder.SetMain(builder.EndChunk(1));
  std::shared_ptr<const Program> program = std::move(builder).Finish();
  EXPECT_EQ(internal::TablesOf(*program).Verify(), "");
  EXPECT_EQ(program->Disassemble(),
            "chunk 0 (main): 1 registers\n"
            "    0  LoadPath       r0 a.b\n"
            "    1  Add            r0 r0 5\n"
            "    2  Return         r0\n");
  EXPECT_EQ(internal::TablesOf(*program).SpansAt(0).size(), 2u);
  EXPECT_TRUE(internal::TablesOf(*program).SpansAt(1).empty());
  EXPECT_GT(program->MemoryBytes(), 0u);
}

// 200,000 variables that are read as a whole and by an attribute are found with a few looks each, where the hashes of
// paths are spread. It took minutes, when half of them stood in a row.
TEST(ProgramTest, ManyPathsAreFoundAtOnce) {
  ProgramBuilder builder = NewBuilder();
  const PathStep attribute{Value::StringView("a"), true};
  for (uint32_t slot = 0; slot < 200'000; ++slot) {
    ASSERT_EQ(builder.AddPath(slot, {}), 2 * slot);
    ASSERT_EQ(builder.AddPath(slot, {attribute}), 2 * slot + 1);
  }
  EXPECT_LT(builder.LongestPathSearch(), 1000u);
}

// One line for each instruction, and nothing that a terminal obeys, whatever the names are.
TEST(ProgramTest, ListingHasNoControls) {
  ProgramBuilder builder = NewBuilder();
  builder.BeginChunk();
  builder.Emit(Opcode::kReturn, 0, kConstantBit | static_cast<uint16_t>(builder.AddConstant(Value::Int(5))));
  const uint32_t chunk = builder.EndChunk(1);
  builder.AddEntry("b.\x1b[31m\n.", "a", chunk, {0, 1});
  builder.SetMain(chunk);
  EXPECT_EQ(std::move(builder).Finish()->Disassemble(),
            "chunk 0 (main) b. [31m .a: 1 registers\n"
            "    0  Return         5\n");
}

TEST(ProgramTest, EqualConstantsAndPathsAreShared) {
  ProgramBuilder builder = NewBuilder();
  EXPECT_EQ(builder.AddConstant(Value::Int(1)), builder.AddConstant(Value::Int(1)));
  const Value text = Value::String("a string of over 14 bytes", builder.heap()->arena());
  const Value same = Value::String("a string of over 14 bytes", builder.heap()->arena());
  EXPECT_EQ(builder.AddConstant(text), builder.AddConstant(same));
  EXPECT_NE(builder.AddConstant(Value::Int(1)), builder.AddConstant(Value::StringView("1")));
  const uint32_t slot = builder.AddSlot("x");
  EXPECT_EQ(builder.AddSlot("x"), slot);
  const PathStep attribute{Value::StringView("a"), true}, index{Value::StringView("a"), false};
  EXPECT_EQ(builder.AddPath(slot, {attribute}), builder.AddPath(slot, {attribute}));
  EXPECT_NE(builder.AddPath(slot, {attribute}), builder.AddPath(slot, {index}));
  EXPECT_NE(builder.AddPath(slot, {attribute}), builder.AddPath(slot, {attribute, attribute}));
  EXPECT_EQ(builder.AddPath(slot, {{text, false}}), builder.AddPath(slot, {{same, false}}));
  EXPECT_NE(builder.AddPath(slot, {{text, false}}), builder.AddPath(slot, {{text, true}}));
  EXPECT_NE(builder.AddPath(slot, {attribute}), builder.AddPath(builder.AddSlot("y"), {attribute}));
}

TEST(ProgramTest, TablesOfAnySizeAreKept) {
  for (const uint16_t count : {1, 10, 100, 1000}) {
    ProgramBuilder builder = NewBuilder();
    builder.BeginChunk();
    for (uint16_t n = 0; n < count; ++n) {
      const std::string name = "variable_" + std::to_string(n);
      const uint32_t slot = builder.AddSlot(name);
      const SourceRange spans[] = {{n, n + 1u}};
      builder.EmitX(Opcode::kLoadPath, 0, builder.AddPath(slot, {{Value::Int(n), false}}), spans);
      builder.EmitX(Opcode::kLoadConst, 0, builder.AddConstant(Value::String(name, builder.heap()->arena())));
      builder.EmitX(Opcode::kConcat, 0, builder.AddList({static_cast<uint16_t>(n | internal::kConstantBit)}));
    }
    builder.Emit(Opcode::kReturn, 0, 0);
    builder.SetMain(builder.EndChunk(1));
    const std::shared_ptr<const Program> program = std::move(builder).Finish();
    ASSERT_EQ(internal::TablesOf(*program).Verify(), "");
    for (uint16_t n = 0; n < count; ++n) {
      const std::string name = "variable_" + std::to_string(n);
      EXPECT_EQ(program->FindSlot(name), n);
      EXPECT_EQ(internal::TablesOf(*program).constants()[n].AsString(), name);
      EXPECT_EQ(program->paths()[n].slot, n);
      EXPECT_TRUE(program->steps(program->paths()[n])[0].key.SameBits(Value::Int(n)));
      EXPECT_EQ(internal::TablesOf(*program).list(2 * n)[0], n | internal::kConstantBit);
      EXPECT_EQ(internal::TablesOf(*program).SpansAt(3 * n)[0], (SourceRange{n, n + 1u}));
    }
  }
}

// Slots are found among few and among many, in whatever order they were added.
TEST(ProgramTest, FindsSlotsByName) {
  for (const uint32_t count : {0u, 1u, 32u, 33u, 1000u}) {
    ProgramBuilder builder = NewBuilder();
    builder.BeginChunk();
    const auto name_of = [](uint32_t n) { return "v" + std::to_string(n * 7919 % 1009); };
    for (uint32_t n = 0; n < count; ++n) builder.AddSlot(name_of(n));
    const uint32_t accented = builder.AddSlot("\u00e9");
    builder.Emit(Opcode::kReturn, 0, 0);
    builder.SetMain(builder.EndChunk(1));
    const std::shared_ptr<const Program> program = std::move(builder).Finish();
    for (uint32_t n = 0; n < count; ++n) EXPECT_EQ(program->FindSlot(name_of(n)), n);
    EXPECT_EQ(program->FindSlot("\u00e9"), accented);
    EXPECT_EQ(program->FindSlot("e\u0301"), accented);
    for (const char* none : {"", "v", "v1009", "w", "e", "\u0301"}) EXPECT_EQ(program->FindSlot(none), std::nullopt);
  }
}

TEST(VerifierTest, FindsFaults) {
  EXPECT_EQ(Fault([](ProgramBuilder* b) { b->Emit(Opcode::kReturn, 0, 0); }), "");
  EXPECT_EQ(Fault([](ProgramBuilder*) {}), "chunk 0: bad bounds");
  EXPECT_EQ(Fault([](ProgramBuilder* b) { b->Emit(Opcode::kMove, 0, 1); }), "chunk 0: runs past its end");
  EXPECT_EQ(Fault([](ProgramBuilder* b) { b->Emit(Opcode::kReturn, 0, 8); }), "pc 0: register out of range");
  EXPECT_EQ(Fault([](ProgramBuilder* b) { b->Emit(Opcode::kReturn, 0, internal::kConstantBit); }),
            "pc 0: constant out of range");
  EXPECT_EQ(Fault([](ProgramBuilder* b) { b->EmitX(Opcode::kJump, 0, 1); }), "pc 0: jump out of its chunk");
  const auto two = [](Opcode op, uint16_t a, uint32_t x) {
    return Fault([=](ProgramBuilder* b) {
      b->EmitX(op, a, x);
      b->Emit(Opcode::kReturn, 0, 0);
    });
  };
  EXPECT_EQ(two(Opcode::kLoadConst, 0, 3), "pc 0: constant out of range");
  EXPECT_EQ(two(Opcode::kLoadPath, 0, 0), "pc 0: path out of range");
  EXPECT_EQ(two(Opcode::kCall, 0, 0), "pc 0: call site out of range");
  EXPECT_EQ(two(Opcode::kConcat, 0, 0), "pc 0: list out of range");
  EXPECT_EQ(two(Opcode::kRaise, 0, 0), "pc 0: diagnostic out of range");
  EXPECT_EQ(two(Opcode::kCallChunk, 0, 5), "pc 0: chunk out of range");
  EXPECT_EQ(two(Opcode::kCallChunk, 0, 0), "pc 0: recursion");
  const auto take = [](Opcode last, uint16_t reg, bool ends) {
    return Fault([=](ProgramBuilder* b) {
      b->EmitX(Opcode::kFixedTake, 1, b->AddPath(b->AddSlot("v"), {}));
      b->Emit(Opcode::kMove, 2, 3);
      b->EmitX(last, reg, 0);
      if (!ends) b->Emit(Opcode::kReturn, 0, 0);
    });
  };
  EXPECT_EQ(take(Opcode::kFixedPut, 1, false), "");
  EXPECT_EQ(take(Opcode::kFixedPut, 2, false), "pc 0: take without its put");
  EXPECT_EQ(take(Opcode::kNot, 1, false), "pc 0: take without its put");
  EXPECT_EQ(take(Opcode::kFixedPut, 1, true), "pc 0: take without its put");
  EXPECT_EQ(two(Opcode::kFixedTake, 1, 0), "pc 0: path out of range");
  EXPECT_EQ(two(Opcode::kForNext, 6, 1), "pc 0: register out of range");
  EXPECT_EQ(two(Opcode::kForFilter, 4, 1), "pc 0: register out of range");
  EXPECT_EQ(two(Opcode::kForFilter, 3, 1), "");
  EXPECT_EQ(two(Opcode::kFixedPut, 7, 0), "pc 0: register out of range");
  EXPECT_EQ(two(Opcode::kFixedPut, 6, 0), "");
  EXPECT_EQ(two(Opcode::kSkipIfTrue, 0, 9), "pc 0: jump out of its chunk");
  EXPECT_EQ(two(Opcode::kBranch, 0, 1), "pc 0: branch at the end");
  EXPECT_EQ(Fault([](ProgramBuilder* b) {
              b->Emit(Opcode::kMakeTuple, 0, 6, 5);
              b->Emit(Opcode::kReturn, 0, 0);
            }),
            "pc 0: registers out of range");
  EXPECT_EQ(Fault([](ProgramBuilder* b) {
              b->Emit(static_cast<Opcode>(internal::kOpcodeCount), 0, 0);
              b->Emit(Opcode::kReturn, 0, 0);
            }),
            "pc 0: unknown opcode");
}

// Operands of chunks with many registers have bits of slots, and get a closer look.
TEST(VerifierTest, FindsFaultsAmongManyRegisters) {
  const auto fault = [](Opcode op, uint16_t a, uint16_t b, uint16_t c) {
    return Fault(
        [=](ProgramBuilder* builder) {
          builder->AddSlot("v");
          builder->Emit(op, a, b, c);
          builder->Emit(Opcode::kReturn, 0, 0);
          builder->AddFastRegion({0, 1, 1});
        },
        /*registers=*/20'000);
  };
  EXPECT_EQ(fault(Opcode::kMove, 19'999, 19'999, 0), "");
  EXPECT_EQ(fault(Opcode::kMove, 0, 20'000, 0), "pc 0: register out of range");
  EXPECT_EQ(fault(Opcode::kSelect, 19'998, 0, 0), "pc 0: register out of range");
  EXPECT_EQ(fault(Opcode::kFastAdd, 19'999, 16'383, internal::kSlotBit), "");
  EXPECT_EQ(fault(Opcode::kFastAdd, 0, 0, internal::kSlotBit + 1), "pc 0: variable out of range");
}

TEST(VerifierTest, FindsFaultsInLists) {
  const auto fault = [](uint16_t item) {
    return Fault([=](ProgramBuilder* builder) {
      builder->AddConstant(Value::Int(1));
      builder->EmitX(Opcode::kConcat, 0, builder->AddList({7, item}));
      builder->Emit(Opcode::kReturn, 0, 0);
    });
  };
  EXPECT_EQ(fault(7), "");
  EXPECT_EQ(fault(kConstantBit), "");
  EXPECT_EQ(fault(8), "pc 0: register out of range");
  EXPECT_EQ(fault(kConstantBit + 1), "pc 0: constant out of range");
}

TEST(VerifierTest, FindsFaultsInFastCode) {
  // One instruction of fast code, at 0, with the given region, and the slow path behind it.
  const auto plain = [](Opcode op, uint16_t a, uint16_t b, uint16_t c, FastRegion region) {
    return Fault([=](ProgramBuilder* builder) {
      builder->AddConstant(Value::Int(1));
      builder->Emit(op, a, b, c);
      builder->Emit(Opcode::kReturn, 0, 0);
      if (region.end > 0) builder->AddFastRegion(region);
    });
  };
  const uint16_t one = internal::kConstantBit;
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one, {0, 1, 1}), "");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one, {}), "pc 0: fast instruction outside of fast code");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one + 1, {0, 1, 1}), "pc 0: constant out of range");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, internal::kSlotBit, one, {0, 1, 1}), "pc 0: variable out of range");
  EXPECT_EQ(plain(Opcode::kFastAdd, 9, one, one, {0, 1, 1}), "pc 0: register out of range");
  EXPECT_EQ(plain(Opcode::kIfEqual, one, one, 0, {0, 1, 1}), "");
  EXPECT_EQ(plain(Opcode::kIfEqual, one, one, 1, {0, 1, 1}), "pc 0: jump out of its chunk");
  EXPECT_EQ(plain(Opcode::kIfPathEqual, 0, one, 0, {0, 1, 1}), "pc 0: path out of range");
  EXPECT_EQ(plain(Opcode::kIfIn, one, 0, 0, {0, 1, 1}), "pc 0: lookup set out of range");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one, {0, 1, 2}), "fast code: no the slow path");
  EXPECT_EQ(plain(Opcode::kMove, 0, 1, 0, {1, 1, 1}), "fast code: bad bounds");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one, {0, 1, 1, 1}), "");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one, {0, 2, 1, 1}), "fast code: no the slow path");
  EXPECT_EQ(plain(Opcode::kFastAdd, 0, one, one, {0, 1, 1, 2}), "fast code: no other attempt");
}

}  // namespace
}  // namespace hcl

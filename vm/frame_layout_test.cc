#include "hclvm/vm/frame_layout.h"

#include <cstdint>
#include <set>

#include "gtest/gtest.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

// Three constants, a main chunk of five registers, another one of two.
TEST(FrameLayoutTest, OperandsArePlacedApartAndFoundAgain) {
  const FrameLayout layout(3, 5, 2);
  EXPECT_EQ(layout.size(4), 14u);
  std::set<uint16_t> places;
  const auto check = [&](uint16_t operand, bool in_main, bool is_plain, uint32_t index) {
    const uint16_t place = layout.Place(operand, is_plain, in_main);
    EXPECT_EQ(place, 2 * index) << operand;
    EXPECT_EQ(layout.Emitted(place), operand);
    places.insert(place);
  };
  for (uint16_t n = 0; n < 3; ++n) check(n | kConstantBit, n == 0, n == 1, n);
  for (uint16_t n = 0; n < 5; ++n) check(n, /*in_main=*/true, n % 2 == 0, 3u + n);
  for (uint16_t n = 0; n < 2; ++n) check(n, /*in_main=*/false, n % 2 == 0, 8u + n);
  for (uint16_t n = 0; n < 4; ++n) check(n | kSlotBit, n % 2 == 0, /*is_plain=*/true, 10u + n);
  EXPECT_EQ(places.size(), 14u);
}

// A register may have a number that would be a variable in fast code.
TEST(FrameLayoutTest, ManyRegisters) {
  const FrameLayout layout(0, 0x7000, 0);
  const uint16_t place = layout.Place(kSlotBit + 1, /*is_plain=*/false, /*in_main=*/true);
  EXPECT_EQ(place, 2 * (kSlotBit + 1));
  EXPECT_EQ(layout.Emitted(place), kSlotBit + 1);
}

TEST(FrameLayoutTest, Instructions) {
  const FrameLayout layout(1, 2, 0);
  const Instruction add(Opcode::kFastAdd, 1, kSlotBit, kConstantBit);
  const Instruction placed = layout.Place(add, /*in_main=*/true);
  EXPECT_EQ(placed.a(), 4);
  EXPECT_EQ(placed.b(), 6);
  EXPECT_EQ(placed.c(), 0);
  const Instruction again = layout.Emitted(placed);
  EXPECT_EQ(again.a(), 1);
  EXPECT_EQ(again.b(), kSlotBit);
  EXPECT_EQ(again.c(), kConstantBit);
  // What is no operand stays: a constant of any number, a jump.
  EXPECT_EQ(layout.Place(Instruction::WithX(Opcode::kLoadConst, 0, 70000), true).x(), 70000u);
  EXPECT_EQ(layout.Place(Instruction(Opcode::kIfTrue, 1, 0, 7), true).c(), 7);
  // Nothing is placed without a layout.
  EXPECT_EQ(FrameLayout().Place(add, true).b(), kSlotBit);
  EXPECT_EQ(FrameLayout().Emitted(add).c(), kConstantBit);
}

TEST(FrameLayoutTest, OperandsReachSoFar) {
  EXPECT_TRUE(FrameLayout(0, 0x8000, 0).Fits(0));
  EXPECT_FALSE(FrameLayout(0, 0x8000, 0).Fits(1));
  EXPECT_FALSE(FrameLayout(0, 0x7000, 0x1001).Fits(0));
  // Of more constants and variables, instructions name the first only.
  const uint32_t rest = 0x8000 - kMaxFrameConstants - kMaxFastSlots;
  EXPECT_TRUE(FrameLayout(1 << 20, rest, 0).Fits(1 << 20));
  EXPECT_FALSE(FrameLayout(1 << 20, rest, 1).Fits(1 << 20));
}

}  // namespace
}  // namespace hcl::internal

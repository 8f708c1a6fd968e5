// Fuel is exact, whether or not there is an interrupt, and an interrupt is noticed.

#include "hclvm/base/fuel.h"

#include <atomic>
#include <chrono>
#include <cstdint>

#include "gtest/gtest.h"
#include "hclvm/base/limits.h"

namespace hcl {
namespace {

using std::chrono::steady_clock;

TEST(Fuel, IsTakenExactlyWithAndWithoutAnInterrupt) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel, steady_clock::time_point::max()};
  for (const Interrupt* i : {static_cast<const Interrupt*>(nullptr), &interrupt}) {
    for (const uint64_t step : {1u, 7u, 9'999u, 10'000u, 10'001u, 123'456u}) {
      constexpr uint64_t kUnits = 1'000'000;
      Fuel fuel(kUnits, i);
      uint64_t taken = 0;
      while (fuel.Charge(step)) {
        taken += step;
        ASSERT_EQ(fuel.left(), kUnits - taken) << step;
      }
      EXPECT_EQ(taken, kUnits / step * step) << step;
      EXPECT_EQ(fuel.left(), 0u) << step;
      EXPECT_FALSE(fuel.interrupted()) << step;
    }
  }
}

TEST(Fuel, OfTheWholeRangeIsKept) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel, steady_clock::time_point::max()};
  Fuel fuel(UINT64_MAX, &interrupt);
  EXPECT_TRUE(fuel.Charge(UINT64_MAX - 1));
  EXPECT_EQ(fuel.left(), 1u);
  EXPECT_FALSE(fuel.Charge(2));
}

TEST(Fuel, NoticesTheFlagWithinASlice) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel, steady_clock::time_point::max()};
  Fuel fuel(1'000'000, &interrupt);
  EXPECT_TRUE(fuel.Charge(1));
  cancel = true;
  uint64_t charges = 0;
  while (fuel.Charge(1)) ++charges;
  EXPECT_LE(charges, 10'000u);
  EXPECT_TRUE(fuel.interrupted());
  EXPECT_EQ(fuel.left(), 0u);
}

TEST(Fuel, AsksTheHostAboutOnceInASlice) {
  struct Host {
    uint64_t asked = 0;
    uint64_t last = 3;  // at which it wants to stop
  } host;
  Interrupt interrupt;
  EXPECT_FALSE(interrupt.is_set());
  interrupt.ask = [](void* context) {
    auto* const asked = static_cast<Host*>(context);
    return ++asked->asked == asked->last;
  };
  interrupt.context = &host;
  EXPECT_TRUE(interrupt.is_set());
  Fuel fuel(1'000'000, &interrupt);
  uint64_t charges = 0;
  while (fuel.Charge(1)) ++charges;
  EXPECT_EQ(host.asked, host.last);
  EXPECT_GT(charges, 10'000u);
  EXPECT_LE(charges, 20'002u);
  EXPECT_TRUE(fuel.interrupted());
}

TEST(Fuel, LooksAtTheInterruptBeforeTheFirstUnit) {
  std::atomic<bool> cancel{true};
  const Interrupt flag{&cancel, steady_clock::time_point::max()};
  EXPECT_FALSE(Fuel(1'000'000, &flag).Charge(0 + 1));
  const Interrupt deadline{nullptr, steady_clock::now()};
  EXPECT_FALSE(Fuel(1'000'000, &deadline).Charge(1));
}

TEST(Fuel, IsFilledAgain) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel, steady_clock::time_point::max()};
  for (const Interrupt* i : {static_cast<const Interrupt*>(nullptr), &interrupt}) {
    Fuel fuel(5, i);
    EXPECT_FALSE(fuel.Charge(6));
    fuel.Refill(7);
    EXPECT_EQ(fuel.left(), 7u);
    EXPECT_TRUE(fuel.Charge(7));
    EXPECT_FALSE(fuel.Charge(1));
  }
}

TEST(Steps, NoticeTheFlagOnceInAWhile) {
  std::atomic<bool> cancel{false};
  const Interrupt interrupt{&cancel, steady_clock::time_point::max()};
  Steps steps(&interrupt);
  for (int n = 0; n < 100'000; ++n) ASSERT_TRUE(steps.Take()) << n;
  EXPECT_FALSE(steps.interrupted());
  cancel = true;
  int taken = 0;
  while (steps.Take()) ++taken;
  EXPECT_LT(taken, 10'000);
  EXPECT_TRUE(steps.interrupted());
}

TEST(Steps, TheFirstOneLooks) {
  std::atomic<bool> cancel{true};
  const Interrupt interrupt{&cancel, steady_clock::time_point::max()};
  EXPECT_FALSE(Steps(&interrupt).Take());
}

}  // namespace
}  // namespace hcl

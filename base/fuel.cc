// Fuel: the end of a slice. Tested by base/fuel_test.cc.

#include "hclvm/base/fuel.h"

#include <algorithm>

namespace hcl {
namespace {

// Units between two looks at an interrupt: a fraction of a millisecond, beside which reading the clock is nothing.
constexpr uint64_t kSlice = 10'000;

}  // namespace

// Fuel is handed out in slices, so that the test in Charge() is all that an evaluation pays for being interruptible.
// What is left in sum does not depend on where slices end.
bool Fuel::ChargeSlow(uint64_t units) {
  Look();
  const uint64_t all = left();
  const bool enough = !interrupted_ && units <= all;
  const uint64_t rest = enough ? all - units : 0;
  slice_ = interrupt_ != nullptr ? std::min(rest, kSlice) : rest;
  reserve_ = rest - slice_;
  return enough;
}

bool Fuel::Look() {
  if (interrupt_ == nullptr) return true;
  ++looks_;
  interrupted_ = interrupt_->Reached();
  if (interrupted_) slice_ = reserve_ = 0;
  return !interrupted_;
}

bool Steps::Look() {
  left_ = kSteps;
  return fuel_.Charge(kSteps);
}

}  // namespace hcl

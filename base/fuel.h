// Fuel: what a piece of work may still cost, and where a host's wish to stop it is noticed.
//
// docs/limits.md says what is charged. Tested by base/fuel_test.cc.

#ifndef HCLVM_BASE_FUEL_H_
#define HCLVM_BASE_FUEL_H_

#include <cstdint>

#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {

// Units of work, taken one charge at a time. How many are left after a charge depends on the charges alone, never on
// time. Not thread-safe; the flag of an Interrupt may be set from any thread.
class Fuel {
 public:
  Fuel() = default;
  // `interrupt` (may be null) must outlive the fuel.
  explicit Fuel(uint64_t units, const Interrupt* interrupt = nullptr) { Fill(units, interrupt); }

  // Starts anew with that many units. An interrupt is looked at by the first charge, and then about once in 10,000
  // units.
  void Fill(uint64_t units, const Interrupt* interrupt) {
    interrupt_ = interrupt != nullptr && interrupt->is_set() ? interrupt : nullptr;
    interrupted_ = false;
    reserve_ = 0;
    looks_ = 0;
    Refill(units);
  }
  // The same with the interrupt of before, as often as once for each evaluation.
  void Refill(uint64_t units) {
    slice_ = units;
    if (__builtin_expect(static_cast<int64_t>(interrupt_ != nullptr), 0) != 0) {
      interrupted_ = false;
      slice_ = 0;
      reserve_ = units;
    }
  }

  // Whether anybody may wish the work to stop; and Refill() where nobody does.
  bool may_be_interrupted() const { return interrupt_ != nullptr; }
  void RefillAtOnce(uint64_t units) {
    HCL_DCHECK(interrupt_ == nullptr && reserve_ == 0);
    slice_ = units;
  }

  // Takes `units`. False, and the rest is gone, when there are not enough or the host wants the work to stop.
  bool Charge(uint64_t units) {
    if (__builtin_expect(static_cast<int64_t>(units > slice_), 0) != 0) return ChargeSlow(units);
    slice_ -= units;
    return true;
  }

  // The same where there are enough and no look is due; false, and nothing taken, otherwise.
  bool ChargeAtOnce(uint64_t units) {
    if (units > slice_) return false;
    slice_ -= units;
    return true;
  }

  // Looks at the interrupt, in the midst of work that is paid for. False, and the rest is gone, when the host wants it
  // to stop.
  bool Look();

  uint64_t left() const { return slice_ + reserve_; }
  // The same behind RefillAtOnce().
  uint64_t left_at_once() const {
    HCL_DCHECK(reserve_ == 0);
    return slice_;
  }

  // Whether a charge failed because the host wants the work to stop, and not for want of fuel.
  bool interrupted() const { return interrupted_; }
  // How often the interrupt has been looked at since Fill().
  uint64_t looks() const { return looks_; }

 private:
  bool ChargeSlow(uint64_t units);

  uint64_t slice_ = 0;    // may be used before the interrupt is looked at again
  uint64_t reserve_ = 0;  // the rest
  const Interrupt* interrupt_ = nullptr;
  bool interrupted_ = false;
  uint64_t looks_ = 0;
};

// Steps of work without an end of their own, at each of which a host's wish to stop may be noticed: two instructions
// for most of them. Not thread-safe.
class Steps {
 public:
  // `interrupt` must outlive the steps.
  explicit Steps(const Interrupt* interrupt) : fuel_(UINT64_MAX, interrupt) {}

  // Takes a step. False, once in a while, when the host wants the work to stop: the first step looks, and then each one
  // in kSteps.
  bool Take() { return --left_ != 0 || Look(); }
  // Whether it was false before.
  bool interrupted() const { return fuel_.interrupted(); }

 private:
  static constexpr uint32_t kSteps = 10'000;

  bool Look();

  uint32_t left_ = 1;
  Fuel fuel_;
};

}  // namespace hcl

#endif  // HCLVM_BASE_FUEL_H_

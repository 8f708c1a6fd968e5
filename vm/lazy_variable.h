// LazyCall: what a host's callback gets that makes the value of a variable when it is first read.
//
//   evaluator.BindLazy("account", [&](hcl::LazyCall* call) -> absl::StatusOr<hcl::Value> {
//     return hcl::MakeValue(directory.Fetch(user), call->heap());
//   });
//
// Tested by tests/lazy_variable_test.cc.

#ifndef HCLVM_VM_LAZY_VARIABLE_H_
#define HCLVM_VM_LAZY_VARIABLE_H_

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/statusor.h"
#include "hclvm/base/fuel.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// One call of a callback. Not thread-safe; valid until the callback returns.
class LazyCall {
 public:
  // `heap` and `fuel` must outlive the call.
  LazyCall(std::string_view name, Heap* heap, Fuel* fuel) : name_(name), heap_(heap), fuel_(fuel) {}

  // Of the variable.
  std::string_view name() const { return name_; }

  // For the value. What is made here lives until the next run of the evaluator in which a callback is called. It has
  // the limits of the evaluation, and counts against max_result_bytes together with what the evaluation makes.
  Heap* heap() const { return heap_; }

  // Takes units of the evaluation's fuel for work of the callback. False when there is not enough, or the host wants
  // the work to stop: the callback then returns soon, with whatever status, and the run ends with that limit.
  bool Charge(uint64_t units) {
    if (!fuel_->Charge(units)) out_of_fuel_ = true;
    return !out_of_fuel_;
  }
  // Charge() was false.
  bool out_of_fuel() const { return out_of_fuel_; }

 private:
  std::string_view name_;
  Heap* heap_;
  Fuel* fuel_;
  bool out_of_fuel_ = false;
};

// Makes the value of a variable: in the heap of the call, or in memory of the host's that lives until the evaluator's
// next run. Called by the thread that runs, in the middle of the run: it must not use the evaluator, and must not throw
// anything but std::bad_alloc, which is a limit of memory.
//
// A status that is not ok fails every reading of the variable in this run, as a diagnostic with the status's message
// and the place of the reading (HCL3011), which try() and can() catch like any other. The value costs fuel by its size,
// as the result of a function does; a deadline that has passed in the callback ends the run.
//
// What a program reads, it reads as HCL says: the right side of && and || only where the left side leaves it open, and
// one branch of a conditional only, if the text says of which types both are. Otherwise the type of the result depends
// on both, so that both are read: `allowed ? account.name : "none"` reads the account always,
// `allowed ? tostring(account.name) : "none"` where it is allowed. All of a tuple or an object is read, also of one
// that a loop goes over, since an error in any part is an error. Attributes that are not run are not read.
using LazyCallback = std::function<absl::StatusOr<Value>(LazyCall* call)>;

}  // namespace hcl

#endif  // HCLVM_VM_LAZY_VARIABLE_H_

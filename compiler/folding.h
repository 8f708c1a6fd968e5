// Folding: what a compilation computes beforehand, and the bounds of it.
//
// All of it is optional: what crosses a bound is left to each evaluation, which has bounds of its own.
// Tested by compiler/folding_test.cc.

#ifndef HCLVM_COMPILER_FOLDING_H_
#define HCLVM_COMPILER_FOLDING_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Belongs to one compilation. `builder` must outlive it.
class Folding {
 public:
  Folding(const Limits& limits, ProgramBuilder* builder);
  // Another compilation for the same program begins, with all that one may take; its text has so many bytes.
  void BeginCompilation(size_t source_bytes);

  // The result of `function` for constant arguments; nothing when it fails, is not known, or crosses a bound.
  std::optional<Value> Call(const Function& function, absl::Span<const Value> arguments);
  // The same for `operation(Heap*)`, which gives an optional Value made in that heap. `cost`: units of fuel for it.
  template <typename Operation>
  std::optional<Value> Compute(uint64_t cost, const Operation& operation) {
    if (!Spend(cost)) return std::nullopt;
    Heap heap = NewHeap();
    const std::optional<Value> value = operation(&heap);
    return value ? Keep(*value) : std::nullopt;
  }
  // `constant` converted to `type`, once for all runs; as it is when that fails, which is for them to report.
  Value ConvertArgument(const Value& constant, Type type);
  // What the function makes beforehand of those arguments that are constant, kept by the program.
  const void* Prepare(const Function& function, absl::Span<const std::optional<Value>> constants);

  // Whether a constant may stand once more in the program's trees. What has copies of itself in it grows with each name
  // for it, far beyond its text.
  bool Repeat(const Value& constant);

  // Counts a step of the compilation. False: the host wants it to stop.
  bool Step() { return steps_.Take(); }
  bool interrupted() const { return interrupted_ || steps_.interrupted(); }

 private:
  // Fuel for one piece of work, so that one which takes too much leaves some for the others.
  Fuel Part() const;
  // Takes what the piece has used of `part`.
  void Settle(uint64_t part, const Fuel& fuel);
  bool Spend(uint64_t cost);
  // Memory for one piece of work.
  Heap NewHeap() const;
  // `value`, which does not live in the program, copied there; nothing when it is too large for a constant.
  std::optional<Value> Keep(const Value& value);

  const Limits& limits_;
  ProgramBuilder* builder_;
  Steps steps_;
  uint64_t fuel_ = 0;            // left of Limits::max_compile_fuel
  uint64_t constant_bytes_ = 0;  // left for constants
  uint64_t prepared_bytes_ = 0;  // left of Limits::max_prepared_bytes
  uint64_t repeated_ = 0;        // weight left for constants that are repeated
  bool interrupted_ = false;
};

// The value of an operation in `heap`; nothing where it fails.
template <typename Operation>
std::optional<Value> FoldIn(Heap* heap, Operation operation) {
  Diagnostics scratch(1);
  Failures failures(&scratch);
  failures.Begin(Failures::Mode::kCount);
  OpContext context{heap, &failures};
  const Value value = operation(&context);
  if (value.is_error() || failures.count() != 0) return std::nullopt;
  return value;
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_FOLDING_H_

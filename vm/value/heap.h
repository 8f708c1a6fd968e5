// Heap: where the values of one evaluation live, and what they may cost.

#ifndef HCLVM_VM_VALUE_HEAP_H_
#define HCLVM_VM_VALUE_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/type.h"

namespace hcl {

namespace internal {
class KeptStates;
}  // namespace internal

// Which text decides where the specification and the reference contradict each other; rows in docs/language.md.
enum class Dialect : uint8_t {
  kSpec,       // the specification's text
  kHashiCorp,  // the reference implementation's behavior
};

// Not thread-safe; belongs to one evaluator, compilation or host. Movable.
class Heap {
 public:
  // `parent_types` (may be null) must outlive the heap. `first_block_bytes` as for Arena.
  explicit Heap(const TypeTable* parent_types = nullptr, Dialect dialect = Dialect::kSpec, const Limits& limits = {},
                size_t first_block_bytes = 4096)
      : arena_(first_block_bytes), types_(parent_types), dialect_(dialect), limits_(limits) {}

  Arena* arena() { return &arena_; }
  TypeTable* types() { return &types_; }
  const TypeTable* types() const { return &types_; }
  Dialect dialect() const { return dialect_; }
  const Limits& limits() const { return limits_; }
  // Replaces Limits::interrupt, for what is done with the heap from now on.
  void set_interrupt(const Interrupt& interrupt) { limits_.interrupt = interrupt; }

  // Whether `bytes` more stay within Limits::max_result_bytes. Operations ask before they allocate what input controls.
  bool CanAllocate(uint64_t bytes) const {
    return bytes <= limits_.max_result_bytes && arena_.bytes_used() <= limits_.max_result_bytes - bytes;
  }

  // Internal: what functions made of texts that they may see again, in later evaluations too (vm/value/kept_states.h).
  internal::KeptStates* kept_states() {
    return __builtin_expect(static_cast<int64_t>(kept_states_ != nullptr), 1) != 0 ? kept_states_.get()
                                                                                   : NewKeptStates();
  }

  // Bytes held from the system, but for kept_states().
  size_t bytes_reserved() const { return arena_.bytes_reserved() + types_.bytes_reserved(); }

  // Forgets all values, keeping memory for reuse; types too, once they have grown beyond a fixed bound.
  void Reset() {
    arena_.Reset();
    if (types_.block_bytes() > kMaxTypeBytes) types_.Clear();
  }

  // Sets *grown, which must outlive the heap, whenever memory is taken from the system from now on.
  void set_watch(bool* grown) {
    arena_.set_watch(grown);
    types_.set_watch(grown);
  }
  // Whether Reset() is next to nothing, as it is nearly always: so it stays until memory is taken from the system. And
  // Reset() where that is so.
  bool CanResetAtOnce() const { return types_.block_bytes() <= kMaxTypeBytes && arena_.CanResetAtOnce(); }
  void ResetAtOnce() {
    HCL_DCHECK(CanResetAtOnce());
    arena_.ResetAtOnce();
  }

  // Forgets all values and types, and gives the memory of the values back.
  void Release() {
    kept_states_.reset();
    arena_.Release();
    types_.Clear();
  }

 private:
  static constexpr size_t kMaxTypeBytes = 1 << 20;

  internal::KeptStates* NewKeptStates();

  Arena arena_;
  TypeTable types_;
  Dialect dialect_;
  Limits limits_;
  std::shared_ptr<internal::KeptStates> kept_states_;  // null until it is asked for; not shared
};

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_HEAP_H_

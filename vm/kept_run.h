// KeptRun: what an evaluator has kept of a run over a whole config, for runs of what has changed (Evaluator::Rerun).
//
// The value of a config is put together by its main chunk: objects and tuples, which nothing else points to, around the
// values of its attributes. An attribute that is evaluated again is put into its object in place. So a new result takes
// no work for what is as before; objects and tuples around it get what is kept of their sizes (vm/value/value.cc).
//
// Internal to the machine. Tested by tests/rerun_test.cc and tests/slow/rerun_law_test.cc.

#ifndef HCLVM_VM_KEPT_RUN_H_
#define HCLVM_VM_KEPT_RUN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Which attributes of a program's value depend on which variables. Immutable.
class RerunPlan {
 public:
  // A value that the main chunk takes from another chunk.
  struct Part {
    uint32_t chunk;
    uint32_t node;  // where it is put
  };

  // Time: linear in the code of the program, and the number of variables that attributes and locals read.
  explicit RerunPlan(const ProgramTables& program);

  // Whether the main chunk does nothing but put the values of other chunks together, and the program is none of which
  // locals would have to be made anew each time.
  bool is_usable() const { return is_usable_; }
  // In the order in which the main chunk evaluates them.
  absl::Span<const Part> parts() const { return parts_; }
  // Parts and locals, by their index and in order, that read variable `slot`; and those that give another value each
  // time.
  absl::Span<const uint32_t> PartsOf(uint32_t slot) const { return parts_of_[slot]; }
  absl::Span<const uint32_t> LocalsOf(uint32_t slot) const { return locals_of_[slot]; }
  absl::Span<const uint32_t> ImpureParts() const { return impure_; }

  // Where a part stands in the result: the positions of objects' values and tuples' elements, from the innermost one.
  template <typename OnPosition>
  void ForEachPosition(const Part& part, const OnPosition& on_position) const {
    for (uint32_t n = part.node; nodes_[n].parent != kNone; n = nodes_[n].parent) on_position(nodes_[n].position);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    uint32_t parent = kNone;
    uint32_t position = 0;
    uint32_t size = 0;  // how many were put into it so far
  };

  bool FindParts(const ProgramTables& program);
  void FindReads(const ProgramTables& program);

  bool is_usable_ = false;
  std::vector<Node> nodes_;
  std::vector<Part> parts_;
  std::vector<std::vector<uint32_t>> parts_of_;   // by slot
  std::vector<std::vector<uint32_t>> locals_of_;  // by slot
  std::vector<uint32_t> impure_;
};

// Not thread-safe. Belongs to one evaluator.
class KeptRun {
 public:
  explicit KeptRun(const ProgramTables& program) : plan_(program), paid_(plan_.parts().size()) {}

  const RerunPlan& plan() const { return plan_; }

  // A whole run has succeeded, has used `fuel`, and its value is in `heap`. `releases`: see DeclaredVariables.
  void Begin(const Value& value, uint64_t fuel, Heap* heap, uint64_t releases);
  const Value& value() const { return value_; }
  uint64_t releases() const { return releases_; }
  // Whether so much was replaced since that the heap had better begin anew.
  bool IsFull(Heap* heap) const;

  // The parts to be evaluated again, in order. Valid until the next call.
  absl::Span<const uint32_t> Changed(absl::Span<const uint32_t> slots);
  // A part has been evaluated again with `fuel`, and has the value `value`. False where the result is then larger than
  // `max_weight` allows.
  bool Put(uint32_t part, const Value& value, uint64_t fuel, uint64_t max_weight);
  // Locals have taken `fuel` more than before, modulo 2^64.
  void AddFuel(uint64_t fuel) { fuel_ += fuel; }
  // At least what a whole run would use.
  uint64_t fuel() const { return fuel_; }

  // Remembers the values of variables; and whether they are as remembered, but for those in `changed`. For assertions.
  void Remember(absl::Span<const Value> slots) { slots_.assign(slots.begin(), slots.end()); }
  bool IsUnchanged(absl::Span<const Value> slots, absl::Span<const uint32_t> changed) const;

 private:
  struct Paid {
    uint64_t run = 0;  // in which whole run's parts it counts
    uint64_t fuel = 0;
  };

  RerunPlan plan_;
  Value value_;
  uint64_t fuel_ = 0;
  uint64_t run_ = 0;
  uint64_t releases_ = 0;
  size_t bytes_ = 0;        // of the heap, by the whole run
  std::vector<Paid> paid_;  // by part
  std::vector<uint32_t> changed_;
  std::vector<Value> slots_;
  absl::InlinedVector<uint32_t, 16> positions_;
  absl::InlinedVector<Value, 16> around_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_KEPT_RUN_H_

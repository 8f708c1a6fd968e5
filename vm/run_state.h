// RunState: what tells whether a run may be no more than the instructions of its chunk.
//
// Nearly all runs begin with nothing to put back, and end with nothing to look at. What makes one that is otherwise is
// rare, and each of it says so here, so that a run asks once before it and once behind it.
//
// Internal to vm/evaluator.h. Tested by vm/evaluator_test.cc.

#ifndef HCLVM_VM_RUN_STATE_H_
#define HCLVM_VM_RUN_STATE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hcl::internal {

// Not thread-safe. Belongs to one evaluator.
struct RunState {
  // Something has failed, or been reported; a run has left something to be put away; the heap has taken memory from the
  // system; or a host may interrupt. True until somebody has looked at all of these.
  bool is_touched = true;
  // What is given to variables does not just go into slots.
  bool is_layered = false;
  // Where that is so: all that this chunk may read is as it has to be, whatever was given since.
  uint32_t ready_chunk = kNoChunk;

  static constexpr uint32_t kNoChunk = UINT32_MAX;

  // Whether one of the first two is true.
  bool any() const {
    uint16_t both;
    static_assert(offsetof(RunState, is_layered) == 1);
    std::memcpy(&both, this, sizeof(both));
    return both != 0;
  }
  // Whether a run of `chunk` has nothing to do, nor to look at, before it, where is_layered.
  bool IsReady(uint32_t chunk) const { return !is_touched && ready_chunk == chunk; }
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_RUN_STATE_H_

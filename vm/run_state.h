// RunState: what tells whether a run may be no more than the instructions of its chunk.
//
// Nearly all runs begin with nothing to put back, and end with nothing to look at. What makes one that is otherwise is
// rare, and each of it says so here, so that a run asks once before it and once behind it.
//
// Internal to vm/evaluator.h. Tested by vm/evaluator_test.cc.

#ifndef HCLVM_VM_RUN_STATE_H_
#define HCLVM_VM_RUN_STATE_H_

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

  // Whether either is true.
  bool any() const {
    uint16_t both;
    static_assert(sizeof(both) == sizeof(*this));
    std::memcpy(&both, this, sizeof(both));
    return both != 0;
  }
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_RUN_STATE_H_

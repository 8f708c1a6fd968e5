// KeptStates. Tested by vm/value/kept_states_test.cc.

#include "hclvm/vm/value/kept_states.h"

#include <utility>

#include "hclvm/vm/value/heap.h"

namespace hcl {

internal::KeptStates* Heap::kept_states() {
  if (kept_states_ == nullptr) kept_states_ = std::make_shared<internal::KeptStates>();
  return kept_states_.get();
}

namespace internal {

const void* KeptStates::Find(const void* kind, std::string_view text) {
  for (size_t left = kept_.size(); left > 0; --left) {
    if (next_ >= kept_.size()) next_ = 0;
    const Kept& kept = kept_[next_++];
    if (kept.kind == kind && kept.text == text) return kept.state.get();
  }
  return nullptr;
}

void KeptStates::Keep(const void* kind, std::string_view text, std::shared_ptr<const void> state, size_t bytes) {
  if (text.size() > kMaxTextBytes || bytes > kMaxBytes) return;
  while (kept_.size() == kMaxStates || bytes_ + bytes > kMaxBytes) DropOne();
  bytes_ += bytes;
  kept_.push_back({kind, std::string(text), std::move(state), bytes});
}

// Any one: where more texts than fit come again and again in one order, the one that was not used for longest is always
// the next that is wanted, and dropping it would drop all in turn.
void KeptStates::DropOne() {
  dice_ = dice_ * 1664525 + 1013904223;
  Kept& kept = kept_[(dice_ >> 8) % kept_.size()];
  bytes_ -= kept.bytes;
  if (&kept != &kept_.back()) kept = std::move(kept_.back());
  kept_.pop_back();
}

}  // namespace internal
}  // namespace hcl

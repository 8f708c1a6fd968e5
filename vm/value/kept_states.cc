// KeptStates. Tested by vm/value/kept_states_test.cc.

#include "hclvm/vm/value/kept_states.h"

#include <algorithm>
#include <utility>

#include "hclvm/vm/value/heap.h"

namespace hcl {

internal::KeptStates* Heap::NewKeptStates() {
  kept_states_ = std::make_shared<internal::KeptStates>();
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

bool KeptStates::KeepOf(const void* owner, std::shared_ptr<void> state, size_t bytes) {
  constexpr size_t kFewest = 16;
  if (bytes > kMaxBytes - owned_bytes_) return false;
  owned_.reserve(owned_.size() + 1);
  if (places_.size() < 2 * (owned_.size() + 1)) {
    std::vector<Owned> grown(std::max(kFewest, 2 * places_.size()));
    places_.swap(grown);
    by_owner_ = places_.data();
    mask_ = places_.size() - 1;
    for (const Owned& owned : grown) {
      if (owned.owner != nullptr) Place(owned);
    }
  }
  owned_.push_back(std::move(state));
  Place({owner, owned_.back().get()});
  owned_bytes_ += bytes;
  return true;
}

void KeptStates::Place(const Owned& owned) {
  size_t at = PlaceOf(owned.owner);
  while (places_[at & mask_].owner != nullptr) ++at;
  places_[at & mask_] = owned;
}

}  // namespace internal
}  // namespace hcl

// KeptStates: what functions made of texts that they may see again, and what they work with in each call.
//
// A pattern that is constant is prepared with the program (Function::prepare). One that comes in a variable is often
// the same in the next evaluation, and making it costs far more than using it.
//
// Tested by vm/value/kept_states_test.cc.

#ifndef HCLVM_VM_VALUE_KEPT_STATES_H_
#define HCLVM_VM_VALUE_KEPT_STATES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::internal {

// Some of them, by their texts. Whoever asks pays the same fuel whether a state is kept or not, so that what an
// evaluation takes does not depend on those before it. Not thread-safe. Time: linear in kMaxStates, and next to none
// where texts come in the order in which they came last time.
class KeptStates {
 public:
  KeptStates() = default;
  KeptStates(const KeptStates&) = delete;
  KeptStates& operator=(const KeptStates&) = delete;

  static constexpr size_t kMaxStates = 256;
  static constexpr size_t kMaxBytes = 16 << 20;     // of all states
  static constexpr size_t kMaxTextBytes = 1 << 10;  // of one; longer ones are not kept

  // What was kept for `text`, or null. `kind`, an address, tells apart who keeps. The result stays until the next call
  // of Keep().
  const void* Find(const void* kind, std::string_view text);
  // Keeps `state`, which holds or will come to hold `bytes` at most, unless that is too much; others go for it.
  void Keep(const void* kind, std::string_view text, std::shared_ptr<const void> state, size_t bytes);

  // What KeepOf() has kept for `owner`, or null. Stays as long as this. Time: constant.
  void* FindOf(const void* owner) const {
    for (size_t at = PlaceOf(owner);; ++at) {
      const Owned& owned = by_owner_[at & mask_];
      if (owned.owner == owner) return owned.state;
      if (owned.owner == nullptr) return nullptr;
    }
  }
  // Keeps `state`, of `bytes`, for `owner`, an address that nothing else has while it is kept, and for which nothing is
  // kept yet. False, and nothing kept, where all of them would take more than kMaxBytes.
  bool KeepOf(const void* owner, std::shared_ptr<void> state, size_t bytes);

 private:
  struct Owned {
    const void* owner;
    void* state;
  };
  static size_t PlaceOf(const void* owner) {
    return static_cast<size_t>(reinterpret_cast<uintptr_t>(owner) * 0x9e3779b97f4a7c15) >> 40;
  }
  static constexpr Owned kFree{nullptr, nullptr};
  void Place(const Owned& owned);

  struct Kept {
    const void* kind;
    std::string text;
    std::shared_ptr<const void> state;
    size_t bytes;
  };

  void DropOne();

  std::vector<Kept> kept_;
  size_t bytes_ = 0;
  size_t next_ = 0;    // where the next one is expected
  uint32_t dice_ = 1;  // which one goes
  // By address: at least half of the places, of which there are mask_ + 1, are free. None are taken at first.
  const Owned* by_owner_ = &kFree;
  size_t mask_ = 0;
  std::vector<Owned> places_;
  std::vector<std::shared_ptr<void>> owned_;
  size_t owned_bytes_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_KEPT_STATES_H_

// CorePlaces: which registers hold the values of Core nodes, and what the code so far knows of these.
//
// Tested by compiler/core_emitter_test.cc.

#ifndef HCLVM_COMPILER_CORE_PLACES_H_
#define HCLVM_COMPILER_CORE_PLACES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/compiler/registers.h"

namespace hcl::internal {

// Serves one tree. Not thread-safe.
class CorePlaces {
 public:
  // What the register of a node holds.
  enum class State : uint8_t {
    kUnmade,
    kOnce,   // the value, or absent where it was not made yet: the register tells
    kFound,  // the value, or absent where the node is
    kMade,   // the value
  };
  struct Place {
    uint16_t reg = 0;
    bool has_reg = false;
    State state = State::kUnmade;
    uint32_t passed = 0;  // checks, a bit each
  };

  // What is known of values in code that does not always run is not known behind it.
  class Branch {
   public:
    explicit Branch(CorePlaces* places) : places_(places), begin_(places->changes_.size()) {}
    ~Branch() { Else(); }
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;
    // Code from here on runs where the code so far does not.
    void Else() const { places_->Undo(begin_); }

   private:
    CorePlaces* const places_;
    const size_t begin_;
  };

  // Of so many nodes, none of which has a register. `arena` must outlive this.
  void Reset(size_t count, Arena* arena) {
    places_ = absl::MakeSpan(arena->NewArray<Place>(count), count);
    std::fill(places_.begin(), places_.end(), Place());
  }
  const Place& At(const CoreNode& node) const { return places_[node.id]; }
  void Give(const CoreNode& node, uint16_t reg) {
    places_[node.id].reg = reg;
    places_[node.id].has_reg = true;
  }
  // No effect on what has no register.
  void Set(const CoreNode& node, State state) {
    Place& place = places_[node.id];
    if (!place.has_reg || place.state == state) return;
    changes_.push_back({node.id, place});
    place.state = state;
  }
  void MarkMade(const CoreNode& node) {
    if (At(node).state == State::kFound) Set(node, State::kMade);
  }
  // Where the condition is true, what it asks to be there is there.
  void Learn(const CoreNode& condition) {
    const CoreNode* rest = &condition;
    for (; rest->kind == CoreKind::kAll; rest = rest->args[1]) {
      if (rest->args[0]->kind == CoreKind::kCan) MarkMade(*rest->args[0]->args[0]);
    }
    if (rest->kind == CoreKind::kCan) MarkMade(*rest->args[0]);
  }
  bool HasPassed(const CoreNode& node, Guard check) const {
    const bool is_less = check == Guard::kUnmarked || check == Guard::kKnown || check == Guard::kNoError;
    if (is_less && HasPassed(node, Guard::kWhole)) return true;
    return Passes(node.kinds, check) || (At(node).passed >> static_cast<int>(check) & 1) != 0;
  }
  void SetPassed(const CoreNode& node, Guard check) {
    if (node.kind != CoreKind::kSlot && !At(node).has_reg) return;
    changes_.push_back({node.id, At(node)});
    places_[node.id].passed |= uint32_t{1} << static_cast<int>(check);
  }
  // Whether an operand has the value without an instruction.
  bool IsLoaded(const CoreNode& node) const {
    if (node.kind == CoreKind::kSlot) return node.index < kMaxFastSlots;
    return At(node).has_reg && At(node).state != State::kUnmade;
  }
  // The path in the program's table, where no value on the way is in a register; kNoIndex for others.
  uint32_t PathOf(const CoreNode& node) const {
    if (node.kind != CoreKind::kStep || node.index == kNoIndex) return kNoIndex;
    for (const CoreNode* at = node.args[0]; at->kind != CoreKind::kSlot; at = at->args[0]) {
      if (at->kind != CoreKind::kStep || At(*at).has_reg) return kNoIndex;
    }
    return node.index;
  }

 private:
  struct Change {
    uint32_t id;
    Place before;
  };

  void Undo(size_t changes) {
    for (; changes_.size() > changes; changes_.pop_back()) places_[changes_.back().id] = changes_.back().before;
  }

  absl::Span<Place> places_;  // by id
  PlainList<Change, 16> changes_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_PLACES_H_

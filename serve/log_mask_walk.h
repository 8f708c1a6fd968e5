// LogMask::Walk: what the patterns of a mask say on the way through an input, whether that is a value or a text.
//
// A pattern is a small automaton over names. What states are alive is a set of positions, one list for all levels, of
// which each level takes a part, so that most lines allocate nothing. Internal to LogMask. Tested
// by serve/log_mask_test.cc and serve/log_mask_text_test.cc.

#ifndef HCLVM_SERVE_LOG_MASK_WALK_H_
#define HCLVM_SERVE_LOG_MASK_WALK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/serve/log_mask.h"

namespace hcl::serve {

class LogMask::Walk {
 public:
  enum class Fate { kKeep, kErase, kMask };
  // The states that are alive at some place: those from `begin` to `end`.
  struct States {
    size_t begin;
    size_t end;
    bool empty() const { return begin == end; }
  };

  // All must outlive the walk.
  Walk(const LogMask& mask, size_t max_bytes, Shown* shown) : mask_(mask), max_bytes_(max_bytes), shown_(*shown) {}

  // The states at the top.
  States Begin() {
    states_.clear();
    place_.clear();
    for (uint32_t n = 0; n < mask_.patterns_.size(); ++n) AddState({n, 0}, 0);
    return {0, states_.size()};
  }

  // Goes on to a part: adds the states behind its name, *inner, and says what becomes of the part. Most names are none
  // that is looked for.
  Fate Enter(std::string_view name, States outer, States* inner) {
    const size_t from = states_.size();
    const bool is_plain = outer.empty() && (mask_.sizes_ & SizeBit(name)) == 0;
    const Fate fate = is_plain ? Fate::kKeep : Advance(name, outer);
    *inner = {from, states_.size()};
    place_.push_back({name, 0, false});
    return fate;
  }
  // The same for an element. Its name is a number, which is looked for by states only.
  Fate EnterElement(size_t index, States outer, States* inner);
  // Goes back from it.
  void Leave(States inner) {
    if (states_.size() > inner.begin) states_.resize(inner.begin);
    place_.pop_back();
  }

  // Notes the place of what is left out, or not shown. False where there are too many: each can be as long as all the
  // names around it.
  bool Note(Fate fate) { return NotePlace(fate == Fate::kErase ? &shown_.erased : &shown_.masked); }

  // Whether a name is looked for wherever it stands.
  bool IsAnywhere(std::string_view name) const {
    return (mask_.sizes_ & SizeBit(name)) != 0 &&
           std::any_of(mask_.anywhere_.begin(), mask_.anywhere_.end(), [&](const Anywhere& anywhere) {
             return absl::EqualsIgnoreCase(anywhere.name, internal::ToAbsl(name));
           });
  }

 private:
  struct State {
    uint32_t pattern;
    uint32_t step;  // that has to match next
  };
  struct Place {
    std::string_view name;
    size_t index;
    bool is_element;  // has an index and no name
  };

  void AddState(State state, size_t from);
  Fate Advance(std::string_view name, States outer);
  bool NotePlace(std::string* list) const;

  const LogMask& mask_;
  const size_t max_bytes_;
  Shown& shown_;
  absl::InlinedVector<Place, 16> place_;
  absl::InlinedVector<State, 16> states_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_LOG_MASK_WALK_H_

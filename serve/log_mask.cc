// Masks of the decision log. Tested by serve/log_mask_test.cc.
//
// A pattern is a small automaton over names. What states are alive is a set of positions, one list for all levels, of
// which each level takes a part, so that a line allocates nothing once the list has grown.

#include "hclvm/serve/log_mask.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/json/json.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr uint32_t kMaxDepth = 512;
constexpr size_t kMaxPatterns = 200;
constexpr size_t kMaxSteps = 32;

// Names of most sizes are none that is looked for.
uint64_t SizeBit(std::string_view name) { return uint64_t{1} << std::min<size_t>(name.size(), 63); }

// Writes the digits of `n`, and returns how many there are.
size_t IndexText(size_t n, char (&text)[24]) {
  return static_cast<size_t>(std::to_chars(std::begin(text), std::end(text), n).ptr - text);
}

}  // namespace

std::string LogMask::Add(std::string_view pattern, bool erase) {
  Pattern added;
  added.erase = erase;
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t end = std::min(pattern.find('.', begin), pattern.size());
    const std::string_view name = pattern.substr(begin, end - begin);
    if (name.empty()) return "a name in it is empty";
    added.steps.push_back({name == "**" ? Step::kAny : name == "*" ? Step::kOne : Step::kName, std::string(name)});
    begin = end + 1;
  }
  if (added.steps.back().kind == Step::kAny) return "it ends with **";
  if (added.steps.size() > kMaxSteps) return absl::StrCat("it has more than ", kMaxSteps, " names");
  if (patterns_.size() + anywhere_.size() >= kMaxPatterns)
    return absl::StrCat("there are more than ", kMaxPatterns, " patterns");
  // Elements of lists have numbers for names, which are not looked for so.
  const bool is_anywhere = added.steps.size() == 2 && added.steps[0].kind == Step::kAny &&
                           added.steps[1].kind == Step::kName &&
                           added.steps[1].name.find_first_not_of("0123456789") != std::string::npos;
  if (is_anywhere) {
    sizes_ |= SizeBit(added.steps[1].name);
    anywhere_.push_back({std::move(added.steps[1].name), erase});
  } else {
    patterns_.push_back(std::move(added));
  }
  return "";
}

LogMask LogMask::WithErased(const std::vector<std::string>& variables) const {
  LogMask mask = *this;
  for (const std::string& variable : variables) mask.patterns_.push_back({{{Step::kName, variable}}, true});
  return mask;
}

class LogMask::Writer {
 public:
  Writer(const LogMask& mask, std::string* out, std::string* erased, std::string* masked)
      : mask_(mask), out_(*out), erased_(*erased), masked_(*masked) {}

  bool Write(const Value& scope) {
    for (uint32_t n = 0; n < mask_.patterns_.size(); ++n) AddState({n, 0}, 0);
    return WriteValue(scope, 0, states_.size(), 0, /*is_searched=*/false);
  }

 private:
  struct State {
    uint32_t pattern;
    uint32_t step;  // that has to match next
  };
  enum class Fate { kKeep, kErase, kMask };

  // Each state is there once among those from `from` on: so a level has at most as many as there are steps, however
  // often names repeat. "**" may stand for nothing.
  void AddState(State state, size_t from) {
    for (size_t n = from; n < states_.size(); ++n) {
      if (states_[n].pattern == state.pattern && states_[n].step == state.step) return;
    }
    states_.push_back(state);
    if (mask_.patterns_[state.pattern].steps[state.step].kind == Step::kAny)
      AddState({state.pattern, state.step + 1}, from);
  }

  // Adds the states behind a name, and says what becomes of what is there. Most names are none that is looked for.
  Fate Advance(std::string_view name, size_t begin, size_t end) {
    if (begin == end && (mask_.sizes_ & SizeBit(name)) == 0) return Fate::kKeep;
    return AdvanceSlowly(name, begin, end);
  }
  Fate AdvanceSlowly(std::string_view name, size_t begin, size_t end) {
    Fate fate = Fate::kKeep;
    if ((mask_.sizes_ & SizeBit(name)) != 0) {
      for (const Anywhere& anywhere : mask_.anywhere_) {
        if (anywhere.name != name || fate == Fate::kErase) continue;
        fate = anywhere.erase ? Fate::kErase : Fate::kMask;
      }
    }
    const size_t from = states_.size();
    for (size_t n = begin; n < end; ++n) {
      const State state = states_[n];
      const Pattern& pattern = mask_.patterns_[state.pattern];
      const LogMask::Step& step = pattern.steps[state.step];
      if (step.kind == LogMask::Step::kAny) {
        AddState(state, from);
        continue;
      }
      if (step.kind == LogMask::Step::kName && step.name != name) continue;
      if (state.step + 1 < pattern.steps.size()) {
        AddState({state.pattern, state.step + 1}, from);
      } else if (fate != Fate::kErase) {
        fate = pattern.erase ? Fate::kErase : Fate::kMask;
      }
    }
    return fate;
  }

  // Whether there is a name in the value, at any depth, that is looked for wherever it stands.
  bool HasAnywhere(const Value& value, uint32_t depth) const {
    if (depth >= kMaxDepth) return true;
    if (value.is_sequence()) {
      for (const Value& element : value.elements()) {
        if (HasParts(element) && HasAnywhere(element, depth + 1)) return true;
      }
      return false;
    }
    for (size_t n = 0; n < value.size(); ++n) {
      const std::string_view name = value.shape().keys[n].AsString();
      if ((mask_.sizes_ & SizeBit(name)) != 0 && IsAnywhere(name)) return true;
      const Value& part = value.values()[n];
      if (HasParts(part) && HasAnywhere(part, depth + 1)) return true;
    }
    return false;
  }
  bool IsAnywhere(std::string_view name) const {
    return std::any_of(mask_.anywhere_.begin(), mask_.anywhere_.end(),
                       [&](const Anywhere& anywhere) { return anywhere.name == name; });
  }
  static bool HasParts(const Value& value) { return value.is_mapping() || value.is_sequence(); }

  void Note(std::string* list) {
    std::string place;
    for (const std::string_view part : place_) absl::StrAppend(&place, "/", ToAbsl(part));
    if (!list->empty()) list->push_back(',');
    AppendJsonString(place, list);
  }

  // Writes `key`, if any, and the value, or what stands for it. *first: nothing stands before it.
  bool WritePart(std::string_view name, bool has_key, const Value& value, size_t begin, size_t end, uint32_t depth,
                 bool is_searched, bool* first) {
    const size_t states = states_.size();
    const Fate fate = value.is_marked() ? Fate::kErase : Advance(name, begin, end);
    place_.push_back(name);
    bool done = true;
    if (fate == Fate::kErase && has_key) {
      Note(&erased_);
    } else {
      if (!*first) out_.push_back(',');
      *first = false;
      if (has_key) {
        AppendJsonString(name, &out_);
        out_.push_back(':');
      }
      if (fate == Fate::kKeep) {
        done = WriteValue(value, states, states_.size(), depth, is_searched);
      } else {
        // An element that is left out leaves a null, so that those behind it keep their places.
        Note(fate == Fate::kErase ? &erased_ : &masked_);
        out_.append(fate == Fate::kErase ? "null" : "\"***\"");
      }
    }
    states_.resize(states);
    place_.pop_back();
    return done;
  }

  // Most values have nothing that is left out, and are written as a whole. What has been searched once, because
  // something around it has, is not searched again: so a value is looked through twice at most, however deep it is.
  bool WriteValue(const Value& value, size_t begin, size_t end, uint32_t depth, bool is_searched) {
    if (value.is_string()) return AppendJsonString(value.AsString(), &out_), true;
    if (!HasParts(value)) return WriteWhole(value);
    if (begin == end && !value.has_marks() && !is_searched) {
      if (!HasAnywhere(value, depth)) return WriteWhole(value);
      is_searched = true;
    }
    if (depth >= kMaxDepth) return false;
    bool first = true;
    out_.push_back(value.is_mapping() ? '{' : '[');
    char index[24];
    for (size_t n = 0; n < value.size(); ++n) {
      const bool done = value.is_mapping() ? WritePart(value.shape().keys[n].AsString(), true, value.values()[n], begin,
                                                       end, depth + 1, is_searched, &first)
                                           : WritePart({index, IndexText(n, index)}, false, value.elements()[n], begin,
                                                       end, depth + 1, is_searched, &first);
      if (!done) return false;
    }
    out_.push_back(value.is_mapping() ? '}' : ']');
    return true;
  }

  bool WriteWhole(const Value& value) {
    std::string unused;
    return AppendJson(value, &out_, &unused);
  }

  const LogMask& mask_;
  std::string& out_;
  std::string& erased_;
  std::string& masked_;
  std::vector<std::string_view> place_;
  std::vector<State> states_;
};

bool LogMask::Append(const Value& scope, std::string* out, std::string* erased, std::string* masked) const {
  const size_t begin = out->size();
  if (Writer(*this, out, erased, masked).Write(scope)) return true;
  out->resize(begin);
  return false;
}

}  // namespace hcl::serve

// Masks of the decision log. Tested by serve/log_mask_test.cc.

#include "hclvm/serve/log_mask.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/serve/log_mask_walk.h"
#include "hclvm/vm/json/json.h"

namespace hcl::serve {

using internal::ToAbsl;

namespace {

constexpr uint32_t kMaxDepth = 512;
constexpr size_t kMaxPatterns = 200;
constexpr size_t kMaxSteps = 32;

// Writes the digits of `n`, and returns how many there are.
size_t IndexText(size_t n, char (&text)[24]) {
  return static_cast<size_t>(std::to_chars(std::begin(text), std::end(text), n).ptr - text);
}

// What is wrong with a part of a pattern; empty where nothing is. What can match nothing would leave in the log what it
// is to keep out: indices and wildcards of other languages, and places as `erased` lists them.
std::string FaultOfName(std::string_view name) {
  if (name.empty()) return "a name in it is empty";
  const std::string quoted = absl::StrCat("\"", ToAbsl(name), "\"");
  if (name.find_first_of("[]\"' \t") != std::string_view::npos) {
    return absl::StrCat(quoted, " is not a name; all elements of a list are \"list.*\", one is \"list.0\"");
  }
  if (name.find('*') != std::string_view::npos && name != "*" && name != "**") {
    return absl::StrCat(quoted, " is not a name; \"*\" stands for a whole name");
  }
  if (name.front() == '/' || name == "$" || name.substr(0, 7) == "result/") {
    return absl::StrCat(quoted, " is not a name; names are separated by dots, as in \"user.email\"");
  }
  return "";
}

}  // namespace

std::string LogMask::Add(std::string_view pattern, bool erase) {
  Pattern added;
  added.erase = erase;
  for (size_t begin = 0; begin <= pattern.size();) {
    const size_t end = std::min(pattern.find('.', begin), pattern.size());
    const std::string_view name = pattern.substr(begin, end - begin);
    std::string fault = FaultOfName(name);
    if (!fault.empty()) return fault;
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

// Each state is there once among those from `from` on: so a level has at most as many as there are steps, however often
// names repeat. "**" may stand for nothing.
void LogMask::Walk::AddState(State state, size_t from) {
  for (size_t n = from; n < states_.size(); ++n) {
    if (states_[n].pattern == state.pattern && states_[n].step == state.step) return;
  }
  states_.push_back(state);
  if (mask_.patterns_[state.pattern].steps[state.step].kind == Step::kAny)
    AddState({state.pattern, state.step + 1}, from);
}

LogMask::Walk::Fate LogMask::Walk::Advance(std::string_view name, States outer) {
  Fate fate = Fate::kKeep;
  if ((mask_.sizes_ & SizeBit(name)) != 0) {
    for (const Anywhere& anywhere : mask_.anywhere_) {
      if (fate == Fate::kErase || !absl::EqualsIgnoreCase(anywhere.name, ToAbsl(name))) continue;
      fate = anywhere.erase ? Fate::kErase : Fate::kMask;
    }
  }
  const size_t from = states_.size();
  for (size_t n = outer.begin; n < outer.end; ++n) {
    const State state = states_[n];
    const Pattern& pattern = mask_.patterns_[state.pattern];
    const Step& step = pattern.steps[state.step];
    if (step.kind == Step::kAny) {
      AddState(state, from);
      continue;
    }
    if (step.kind == Step::kName && step.name != name) continue;
    if (state.step + 1 < pattern.steps.size()) {
      AddState({state.pattern, state.step + 1}, from);
    } else if (fate != Fate::kErase) {
      fate = pattern.erase ? Fate::kErase : Fate::kMask;
    }
  }
  return fate;
}

LogMask::Walk::Fate LogMask::Walk::EnterElement(size_t index, States outer, States* inner) {
  char text[24];
  const size_t from = states_.size();
  const Fate fate = outer.empty() ? Fate::kKeep : Advance({text, IndexText(index, text)}, outer);
  *inner = {from, states_.size()};
  place_.push_back({{}, index, true});
  return fate;
}

bool LogMask::Walk::NotePlace(std::string* list) const {
  std::string place;
  for (const Place& part : place_) {
    place.push_back('/');
    if (part.is_element) {
      char text[24];
      place.append(text, IndexText(part.index, text));
    } else {
      place.append(part.name);
    }
  }
  if (!list->empty()) list->push_back(',');
  AppendJsonString(place, list);
  return list->size() <= max_bytes_;
}

class LogMask::ValueWriter {
 public:
  ValueWriter(const LogMask& mask, size_t max_bytes, Shown* shown)
      : walk_(mask, max_bytes, shown), max_bytes_(max_bytes), out_(shown->json) {}

  Result Write(const Value& scope) {
    if (WriteValue(scope, walk_.Begin(), 0, /*is_searched=*/false)) return Result::kShown;
    return is_too_large_ ? Result::kTooLarge : Result::kNoForm;
  }

 private:
  using Fate = Walk::Fate;
  using States = Walk::States;

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
      if (walk_.IsAnywhere(value.shape().keys[n].AsString())) return true;
      const Value& part = value.values()[n];
      if (HasParts(part) && HasAnywhere(part, depth + 1)) return true;
    }
    return false;
  }
  static bool HasParts(const Value& value) { return value.is_mapping() || value.is_sequence(); }

  // Writes the part `n` of `outer`, or what stands for it. *first: nothing stands before it.
  bool WritePart(const Value& outer, size_t n, States states, uint32_t depth, bool is_searched, bool* first) {
    const bool has_key = outer.is_mapping();
    const Value& value = has_key ? outer.values()[n] : outer.elements()[n];
    const std::string_view name = has_key ? outer.shape().keys[n].AsString() : std::string_view();
    States inner{};
    Fate fate = has_key ? walk_.Enter(name, states, &inner) : walk_.EnterElement(n, states, &inner);
    if (value.is_marked()) fate = Fate::kErase;
    bool done = true;
    if (fate == Fate::kErase && has_key) {
      done = Note(fate);
    } else {
      if (!*first) out_.push_back(',');
      *first = false;
      if (has_key) {
        AppendJsonString(name, &out_);
        out_.push_back(':');
      }
      if (fate == Fate::kKeep) {
        done = WriteValue(value, inner, depth, is_searched);
      } else {
        // An element that is left out leaves a null, so that those behind it keep their places.
        done = Note(fate);
        out_.append(fate == Fate::kErase ? "null" : "\"***\"");
      }
    }
    walk_.Leave(inner);
    return done;
  }

  // Most values have nothing that is left out, and are written as a whole. What has been searched once, because
  // something around it has, is not searched again: so a value is looked through twice at most, however deep it is.
  bool WriteValue(const Value& value, States states, uint32_t depth, bool is_searched) {
    if (!HasParts(value)) return WriteWhole(value);
    if (states.empty() && !value.has_marks() && !is_searched) {
      if (!HasAnywhere(value, depth)) return WriteWhole(value);
      is_searched = true;
    }
    if (depth >= kMaxDepth) return false;
    bool first = true;
    out_.push_back(value.is_mapping() ? '{' : '[');
    for (size_t n = 0; n < value.size(); ++n) {
      if (!WritePart(value, n, states, depth + 1, is_searched, &first)) return false;
    }
    out_.push_back(value.is_mapping() ? '}' : ']');
    return true;
  }

  // A number of a few bytes can have very many digits.
  bool WriteWhole(const Value& value) {
    if (!HasRoom()) return false;
    limits_.max_output_bytes = max_bytes_ - out_.size();
    JsonError error;
    if (AppendJson(value, limits_, &out_, &error)) return true;
    is_too_large_ = error.is_limit;
    return false;
  }

  bool HasRoom() { return out_.size() <= max_bytes_ || (is_too_large_ = true, false); }
  bool Note(Fate fate) { return walk_.Note(fate) || (is_too_large_ = true, false); }

  Walk walk_;
  const size_t max_bytes_;
  Limits limits_;
  bool is_too_large_ = false;
  std::string& out_;
};

LogMask::Result LogMask::Show(const Value& scope, size_t max_bytes, Shown* shown) const {
  shown->Clear();
  return ValueWriter(*this, max_bytes, shown).Write(scope);
}

}  // namespace hcl::serve

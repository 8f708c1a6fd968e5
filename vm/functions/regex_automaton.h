// RegexAutomaton: whether a simple pattern matches a text, by a table of states.
//
// RE2 makes its automata as it goes, which many threads share: a search costs about a thousand instructions before it
// looks at a byte. Most patterns of policies are short and simple, and so are the texts. The whole automaton of such a
// pattern is a small table, which is made once.
//
// Tested by vm/functions/regex_automaton_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_REGEX_AUTOMATON_H_
#define HCLVM_VM_FUNCTIONS_REGEX_AUTOMATON_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hcl::internal {

// Immutable and thread-safe.
class RegexAutomaton {
 public:
  // The automaton of `pattern`, a regular expression that RE2 accepts. Nothing where it is not of ASCII, has something
  // else than characters, classes, groups, repetitions, alternatives, `(?i)` at its begin, and `^` and `$` at the ends
  // of its outermost alternatives, or would need more than kMaxTable transitions. *transitions: how many were made,
  // also in vain. Time: linear in the pattern and in these.
  static std::optional<RegexAutomaton> Make(std::string_view pattern, uint64_t* transitions);

  // Whether any part of `text`, which is ASCII, matches. Time: linear.
  bool Matches(std::string_view text) const {
    uint32_t state = start_;
    for (const char c : text) {
      if (state <= kMatched) return state == kMatched;
      state = next_[state * class_count_ + classes_[static_cast<uint8_t>(c)]];
    }
    return ends_[state] != 0;
  }

  // Whether each match is one character of a class, or a run of them that is as long as can be: `[^a-z]`, `[0-9]+`.
  bool finds_runs() const { return run_ != Run::kNone; }
  // The first match in `text`, which is ASCII, at or after `from`; false where there is none. Requires finds_runs().
  // Time: linear in what is gone over.
  bool FindRun(std::string_view text, size_t from, size_t* begin, size_t* end) const {
    while (from < text.size() && !IsInRun(text[from])) ++from;
    if (from >= text.size()) return false;
    *begin = from++;
    while (run_ == Run::kLongest && from < text.size() && IsInRun(text[from])) ++from;
    *end = from;
    return true;
  }

  // Bytes that it holds beyond its own size.
  size_t HeldBytes() const { return next_.size() + ends_.size(); }

  static constexpr size_t kMaxTable = 4096;

 private:
  class Parser;
  class Builder;

  // The first states: those that do not depend on what follows.
  static constexpr uint8_t kFailed = 0;
  static constexpr uint8_t kMatched = 1;

  enum class Run : uint8_t { kNone, kOne, kLongest };

  bool IsInRun(char c) const { return next_[start_ * class_count_ + classes_[static_cast<uint8_t>(c)]] == kMatched; }

  std::array<uint8_t, 128> classes_ = {};  // by character: those of one class lead from each state to one other
  std::vector<uint8_t> next_;              // by state and class
  std::vector<uint8_t> ends_;              // by state: whether a text that ends there matches
  uint32_t class_count_ = 0;
  uint8_t start_ = kFailed;
  Run run_ = Run::kNone;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_REGEX_AUTOMATON_H_

// RegexPattern: a regular expression, and what work with it costs.

#ifndef HCLVM_VM_FUNCTIONS_REGEX_PATTERN_H_
#define HCLVM_VM_FUNCTIONS_REGEX_PATTERN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/regex_automaton.h"
#include "hclvm/vm/functions/regex_traits.h"
#include "re2/re2.h"

namespace hcl::internal {

inline re2::StringPiece ToRe2(std::string_view text) { return {text.data(), text.size()}; }

// Groups that a pattern may have: RE2 copies all of their bounds at each step of a search that asks for them.
inline constexpr uint32_t kMaxRegexGroups = 100;

// Immutable and thread-safe once compiled, apart from what RE2 remembers of searches.
class RegexPattern {
 public:
  // Compiles `text`, taking fuel from `call` before and after. False when the call has failed for want of fuel, or when
  // there is no such pattern; error() then says why, in a phrase.
  bool Compile(FunctionCall* call, std::string_view text);
  // The fuel that this took.
  uint64_t cost() const { return cost_; }

  // Whether Compile() was called and did.
  bool ok() const { return is_ok_; }
  const std::string& error() const { return error_; }
  const re2::RE2& re2() const { return *re2_; }
  size_t group_count() const { return static_cast<size_t>(re2_->NumberOfCapturingGroups()); }
  // Whether some groups have names, and others have none.
  bool mixes_groups() const { return mixes_groups_; }

  // What tells of texts of ASCII whether they match; null where the pattern is not simple.
  const RegexAutomaton* automaton() const { return automaton_ ? &*automaton_ : nullptr; }

  // Bytes that it holds or will come to hold: RE2 keeps the program and what it has learned of the automaton within
  // RE2::Options::max_mem, so that this counts in full; and the pattern's tree, by its text.
  size_t MemoryBytes() const;
  // Bytes that it holds before the first search, about: the forward program and the tree.
  size_t HeldBytes() const;

  // Whether no search reads much more than what it skips and what it matches; see RegexTraits.
  bool is_local() const { return traits_.is_local; }
  // Characters behind a match that a search reads at most where is_local().
  uint64_t lookahead() const { return traits_.size; }
  // Units of fuel for a search that reads `bytes`, asking for nothing or for the whole match.
  uint64_t SearchCost(uint64_t bytes) const;
  // And beyond that for finding `groups` of them, with the whole match, in a match of `bytes`, when the search has read
  // `read`.
  uint64_t GroupsCost(uint64_t bytes, uint64_t read, uint64_t groups) const;
  // Bytes that finding them may take for a while.
  uint64_t GroupsBytes(uint64_t groups) const;

 private:
  bool Pay(FunctionCall* call, uint64_t units);
  uint64_t program_size() const { return static_cast<uint64_t>(program_size_); }
  // Instructions that wait for one byte, at most, about.
  uint64_t waiting() const;

  RegexTraits traits_;
  std::optional<re2::RE2> re2_;
  std::optional<RegexAutomaton> automaton_;
  std::string error_;
  size_t text_bytes_ = 0;
  uint64_t cost_ = 0;
  int program_size_ = 0;
  bool is_calm_ = false;
  bool mixes_groups_ = false;
  bool is_ok_ = false;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_REGEX_PATTERN_H_

// RegexTraits: what is plain to see in the text of a regular expression, before RE2 reads it.

#ifndef HCLVM_VM_FUNCTIONS_REGEX_TRAITS_H_
#define HCLVM_VM_FUNCTIONS_REGEX_TRAITS_H_

#include <cstdint>
#include <string_view>

namespace hcl::internal {

// Of a pattern that RE2 refuses, nothing in particular.
struct RegexTraits {
  uint32_t groups = 0;        // capturing ones
  bool has_any_byte = false;  // `\C` stands in it
  // Characters and classes of the text, those in repetitions as often as they are repeated; at most kMaxRegexSize.
  uint64_t size = 0;
  bool has_choice = false;  // something may be left out, or there are alternatives
  // What RE2 reads behind a match before it is sure of it is at most as many characters as `size`.
  bool is_local = false;
  // RE2's automaton has a few hundred states at most, so that it never has to start anew for want of memory.
  bool is_calm = false;
};

inline constexpr uint64_t kMaxRegexSize = 1'000'000'000;

// Time: linear.
RegexTraits ReadRegexTraits(std::string_view pattern);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_REGEX_TRAITS_H_

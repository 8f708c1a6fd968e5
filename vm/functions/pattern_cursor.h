// PatternCursor: a place in the text of a regular expression, for those who read it.
//
// Tested by vm/functions/regex_traits_test.cc and vm/functions/regex_automaton_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_PATTERN_CURSOR_H_
#define HCLVM_VM_FUNCTIONS_PATTERN_CURSOR_H_

#include <cstddef>
#include <string_view>

namespace hcl::internal {

class PatternCursor {
 protected:
  // `text` must outlive this.
  explicit PatternCursor(std::string_view text) : text_(text) {}

  bool At(char c) const { return at_ < text_.size() && text_[at_] == c; }
  // These go on behind what they take; false where something else stands there.
  bool Take(char c) { return At(c) && (++at_, true); }
  bool TakeText(std::string_view text) {
    if (text_.substr(at_, text.size()) != text) return false;
    at_ += text.size();
    return true;
  }

  const std::string_view text_;
  size_t at_ = 0;  // at most the size of the text
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_PATTERN_CURSOR_H_

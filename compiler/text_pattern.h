// Regular expressions that name nothing but texts, such as `^api/`, `\.example\.com$` and `^(read|write)$`, which fast
// code looks for without the machine of regular expressions.
//
// Tested by compiler/text_pattern_test.cc.

#ifndef HCLVM_COMPILER_TEXT_PATTERN_H_
#define HCLVM_COMPILER_TEXT_PATTERN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::internal {

// What a pattern matches: strings in which one of the texts, of ASCII and not empty, has the place.
struct TextPattern {
  enum class Place : uint8_t {
    kNone,  // the pattern says more, or something else
    kAnywhere,
    kBeginning,
    kEnd,
    kWhole,
  };
  Place place = Place::kNone;
  std::vector<std::string> texts;  // one; several only where they are the whole

  explicit operator bool() const { return place != Place::kNone; }
};

// What `pattern` says, of characters that stand for themselves, punctuation behind `\`, `^` at the beginning and `$` at
// the end, and one group of alternatives between these.
TextPattern ReadTextPattern(std::string_view pattern);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_TEXT_PATTERN_H_

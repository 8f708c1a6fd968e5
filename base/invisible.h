// Characters that a reader of a text does not see, or takes for a blank: messages name them.
//
// Tested by base/invisible_test.cc.

#ifndef HCLVM_BASE_INVISIBLE_H_
#define HCLVM_BASE_INVISIBLE_H_

#include <string>

namespace hcl::internal {

// Whether it has no glyph of its own: control and format characters, all spaces but the ASCII one, variation selectors.
bool IsInvisible(char32_t code_point);

// "U+00A0 (no-break space)", or "U+1D173" where the character has no common name.
std::string CharacterName(char32_t code_point);

}  // namespace hcl::internal

#endif  // HCLVM_BASE_INVISIBLE_H_

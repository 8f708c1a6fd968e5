// Literal text as it is written in strings and templates: the way back from hcl/string_literal.h. Internal to hcl/.
//
// Specification: native-syntax.md, "Template Expressions", "Template Literals". Tested by hcl/print_test.cc.

#ifndef HCLVM_HCL_PRINT_TEXT_H_
#define HCLVM_HCL_PRINT_TEXT_H_

#include <string>
#include <string_view>

namespace hcl {
namespace internal {

// Appends `text` as a quoted string without template sequences.
void AppendQuoted(std::string_view text, std::string* out);

// Appends `text` as literal text of a template, with backslash escapes if it is a quoted one. `sequence` is what the
// sequence right after it starts with, `$` or `%`, or 0. In a template without quotes, text that ends in that character
// gets a space after it, which the sequence must strip.
void AppendTemplateText(std::string_view text, bool quoted, char sequence, std::string* out);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_PRINT_TEXT_H_

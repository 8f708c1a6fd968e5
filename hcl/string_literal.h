// Escapes of template text and string literals. Entry point: DecodeTemplateText.
//
// Specification: native-syntax.md, "Template Expressions", "Template Literals". Tested by hcl/string_literal_test.cc.

#ifndef HCLVM_HCL_STRING_LITERAL_H_
#define HCLVM_HCL_STRING_LITERAL_H_

#include <cstdint>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"

namespace hcl {
namespace internal {

enum class TextKind : uint8_t {
  kQuoted,    // backslash escapes, and `$${` and `%%{`
  kUnquoted,  // only `$${` and `%%{`
};

// The text that the bytes of `range` in `source` stand for, in `arena`. Escapes that do not exist are reported to
// `diagnostics` and kept in some readable form.
std::string_view DecodeTemplateText(std::string_view source, SourceRange range, TextKind kind, Arena* arena,
                                    Diagnostics* diagnostics);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_STRING_LITERAL_H_

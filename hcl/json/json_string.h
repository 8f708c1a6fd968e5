// Strings and numbers of JSON: what their characters mean, and whether they are well-formed.
//
// Specification: RFC 8259, sections 6 and 7. Tested by hcl/json/json_parser_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_STRING_H_
#define HCLVM_HCL_JSON_JSON_STRING_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/text_map.h"

namespace hcl {
namespace internal {

// A malformed escape in a string, by offsets in the string with its quotes.
struct JsonEscapeError {
  SourceRange escape;  // from the backslash on
  uint32_t misfit;     // the first byte that does not fit
};

// The first malformed escape between the quotes of `quoted`.
std::optional<JsonEscapeError> FindBadEscape(std::string_view quoted);

// The text between the quotes of `quoted`, which has no malformed escape, decoded into `arena`. Halves of surrogate
// pairs that stand alone become U+FFFD. When `map` is not null, it is made to map the text to the source, in which
// `quoted` starts at `begin`.
std::string_view DecodeJsonString(std::string_view quoted, Arena* arena, TextMap* map = nullptr, uint32_t begin = 0);

// True when `text` is a number: -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
bool IsJsonNumber(std::string_view text);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_STRING_H_

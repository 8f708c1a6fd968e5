// What the JSON syntax takes of the native parser: the check of a text, and parsing native syntax that stands inside of
// another text, as in strings. Internal to hcl/.
//
// Tested by hcl/parser_test.cc, hcl/json/json_parser_test.cc, hcl/json/json_expr_test.cc.

#ifndef HCLVM_HCL_EMBEDDED_PARSER_H_
#define HCLVM_HCL_EMBEDDED_PARSER_H_

#include <cstdint>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/text_map.h"

namespace hcl {
namespace internal {

// Checks what must hold of a text before it is scanned: its size, and that it is UTF-8. False when it cannot be parsed
// at all. Time: linear.
bool CheckText(const Source& source, const Limits& limits, Diagnostics* diagnostics);

// Where the native text is. Everything outlives the parse, and `text` its result.
struct EmbeddedText {
  const Source* source;          // the whole text
  std::string_view text;         // that of `source` up to the end of what is embedded, or a decoded copy
  uint32_t begin = 0;            // where in `text` it starts
  uint32_t depth = 0;            // levels of nesting around it, which count for the limit
  const TextMap* map = nullptr;  // from a decoded copy to `source`; null when `text` is a part of it
  bool strip_one_line = false;   // ParseOptions::strip_one_line
};

enum class EmbeddedKind : uint8_t { kTemplate, kExpression, kTraversal };

// Does what ParseTemplate(), ParseExpression() and ParseTraversal() do, into `arena`. Ranges of nodes and messages are
// those of the source. Requires well-formed UTF-8. Time: linear.
const Expr* ParseEmbedded(EmbeddedKind kind, const EmbeddedText& embedded, const Limits& limits, Arena* arena,
                          Diagnostics* diagnostics);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_EMBEDDED_PARSER_H_

// Formatter: the canonical layout of native syntax.
//
// Only blanks between tokens change: indentation, blanks around operators and brackets, and the columns in which `=`
// and comments at the ends of lines stand. Lines, tokens and comments stay as they are. Parts that the parser reports
// as wrong keep their text. docs/formatting.md shows the layout by example.
//
// Tested by hcl/format_test.cc, and by hcl/format_law_test.cc on random texts and on all files of the repository.

#ifndef HCLVM_HCL_FORMAT_H_
#define HCLVM_HCL_FORMAT_H_

#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"

namespace hcl {

// The text of `source` in the canonical layout. What ParseConfig() reports goes to `diagnostics`; each attribute, block
// or line that an error is about keeps its text, and the rest is formatted. Text that is no UTF-8, that crosses a
// limit, or that has more errors than `diagnostics` keeps, comes back unchanged; so does one that would have more than
// Limits::max_output_bytes, which is a limit. A byte order mark is left out.
//
// Formatting the result again changes nothing. Thread-safe. Time: linear in the text, besides what columns of text
// beyond ASCII take.
std::string FormatConfig(const Source& source, const Limits& limits, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_HCL_FORMAT_H_

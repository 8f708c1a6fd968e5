// Parser of the native syntax: text in, AST and diagnostics out.
//
// Each function always returns a usable tree: the parser recovers at the next sensible place, reports every
// independent error once, and leaves ErrorExpr where an expression is missing. A tree that came with errors is for
// tools; it must not be compiled. Functions are pure and thread-safe. `source` must outlive the result.
//
// Errors go to `diagnostics`: what the grammar forbids, invalid UTF-8, a byte order mark, duplicate attribute names,
// and crossed limits (source bytes, nesting depth).
//
// First come the errors of characters (no such character or operator, a line end in a quoted string), over the whole
// text; then those of the grammar, in the order of the text. Each points at the token that does not fit; where a
// bracket is never closed, at the bracket or at what stands in its place, with the bracket in the context. After an
// error the rest of an attribute or block header is skipped, up to the next line on its level that does not go on with
// it. Messages say what was probably meant. At most Limits::max_diagnostics are handed over, and one that says how many
// were left out.
//
// Specification: native-syntax.md. Tested by hcl/parser_test.cc, hcl/template_parser_test.cc,
// hcl/parser_limits_test.cc, hcl/parser_fuzz_test.cc, on the conformance cases by hcl/conformance_parse_test.cc, and
// the messages by tests/golden_test.cc.

#ifndef HCLVM_HCL_PARSER_H_
#define HCLVM_HCL_PARSER_H_

#include <memory>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"

namespace hcl {

struct ParseOptions {
  Limits limits;
  // Whether a byte order mark at the start is skipped, as the reference does, or is an error: native-syntax.md, "Source
  // Code Representation".
  bool allow_byte_order_mark = false;
  // Whether a strip marker in a heredoc or a standalone template takes white space of one line only, and before the
  // indentation of "<<-" is looked at, as the reference does. Otherwise it takes all white space that the literal text
  // has beside the sequence, line ends included: native-syntax.md, "Template Literals".
  bool strip_one_line = false;
};

// A config file: `body` of the result is set.
std::unique_ptr<ParsedFile> ParseConfig(const Source& source, const ParseOptions& options, Diagnostics* diagnostics);

// The same into `file`, which is made anew: of what it held nothing may be in use, and its memory is used again. So
// many files are parsed, one after the other, with few allocations.
void ParseConfigInto(const Source& source, const ParseOptions& options, ParsedFile* file, Diagnostics* diagnostics);

// One expression, which must take the whole text (newlines around it are allowed): `expr` of the result is set.
std::unique_ptr<ParsedFile> ParseExpression(const Source& source, const ParseOptions& options,
                                            Diagnostics* diagnostics);

// A standalone template, as the JSON syntax embeds it: `expr` of the result is a TemplateExpr or TemplateWrapExpr, or
// an ErrorExpr when its sequences are broken.
std::unique_ptr<ParsedFile> ParseTemplate(const Source& source, const ParseOptions& options, Diagnostics* diagnostics);

// An absolute traversal (`a.b["c"][0]`), as the static analysis takes it: `expr` of the result is a VariableExpr or a
// TraversalExpr whose source is a VariableExpr. Attribute names, quoted keys and whole non-negative number indices.
std::unique_ptr<ParsedFile> ParseTraversal(const Source& source, const ParseOptions& options, Diagnostics* diagnostics);

}  // namespace hcl

#endif  // HCLVM_HCL_PARSER_H_

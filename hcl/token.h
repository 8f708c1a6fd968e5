// Token: what the scanner hands to the parser.

#ifndef HCLVM_HCL_TOKEN_H_
#define HCLVM_HCL_TOKEN_H_

#include <cstddef>
#include <cstdint>

#include "hclvm/base/source.h"

namespace hcl {
namespace internal {

enum class TokenKind : uint8_t {
  kEnd,  // the end of the text; comes again and again
  kNewline,
  kIdentifier,
  kNumber,
  kOpenBrace,
  kCloseBrace,
  kOpenBracket,
  kCloseBracket,
  kOpenParen,
  kCloseParen,
  kOpenQuote,
  kCloseQuote,
  kOpenHeredoc,    // `<<NAME` or `<<-NAME` with its line end
  kCloseHeredoc,   // NAME with what stands before and after it on its line, without the line end
  kText,           // literal text of a template; in heredocs and standalone templates at most one line
  kInterpolation,  // `${` or `${~`
  kDirective,      // `%{` or `%{~`
  kSequenceEnd,    // `}` or `~}` that ends one of these two
#define BINARY_OPERATOR(name, spelling, level) k##name,
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
  kNot,
  kAssign,
  kArrow,
  kQuestion,
  kColon,
  kDoubleColon,
  kComma,
  kDot,
  kEllipsis,
  kInvalid,         // no token of the language; the scanner has reported it
  kBrokenNewline,   // line ends in a quoted template, which they end; the scanner has reported them
  kBrokenSequence,  // line ends in a quoted template in a sequence of another one; they end all three, unreported.
                    // Also the point before a `}` that closes a block around a sequence, which ends with its template
  kComment,         // a comment that is no newline either; the scanner keeps it to itself
};

inline constexpr size_t kTokenKinds = static_cast<size_t>(TokenKind::kBrokenSequence) + 1;

// Plain data.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  // kText: something has to be decoded; kNumber: there is more than digits; kIdentifier: there may be more than ASCII,
  // and then it may have to be normalized.
  bool has_escapes = false;
  bool strip = false;  // kInterpolation, kDirective, kSequenceEnd: has a strip marker
  bool flush = false;  // kOpenHeredoc: `<<-`
  SourceRange range;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_TOKEN_H_

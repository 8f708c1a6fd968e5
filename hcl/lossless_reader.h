// LosslessReader: all tokens of a config file, comments among them. Blanks are the gaps between tokens.
//
// A line comment is a kComment that holds its line end, if it has one. The scanner for compilation drops comments; this
// reader finds them in the gaps that the scanner leaves, so that compilation pays nothing for it.
//
// Tested by hcl/source_tree_test.cc.

#ifndef HCLVM_HCL_LOSSLESS_READER_H_
#define HCLVM_HCL_LOSSLESS_READER_H_

#include <cstdint>
#include <cstring>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/scanner.h"
#include "hclvm/hcl/token.h"

namespace hcl {
namespace internal {

// Whether a token of that text, of kNewline or kComment, is a comment to the end of a line.
inline bool StartsComment(char first) { return first == '#' || first == '/'; }

// Not thread-safe. `text` must outlive it.
class LosslessReader {
 public:
  // Requires that `text` is well-formed UTF-8 of less than 4 GiB. A byte order mark at its start is skipped.
  explicit LosslessReader(std::string_view text)
      : text_(text), lexical_(0), scanner_(text, Scanner::Start::kExpression, &lexical_) {
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) end_ = kByteOrderMark.size();
    next_ = scanner_.Next();
  }

  // The next token; kEnd again and again at the end of the text. Time over all calls: linear in the text.
  Token Next() {
    if (next_.range.begin - end_ > 1 && TakeComment(&comment_)) return comment_;
    const Token token = next_;
    end_ = token.range.end;
    if (token.kind == TokenKind::kEnd) return token;
    next_ = scanner_.Next();
    if (token.kind != TokenKind::kNewline || !StartsComment(text_[token.range.begin])) return token;
    Token comment = token;
    comment.kind = TokenKind::kComment;
    return comment;
  }

 private:
  // Takes the next comment between the last token and `next_`, where there is one.
  bool TakeComment(Token* comment) {
    const uint32_t end = next_.range.begin;
    uint32_t begin = end_;
    // Mostly indentation, of which eight bytes are passed over at once.
    for (uint64_t bytes; end - begin >= sizeof(bytes); begin += sizeof(bytes)) {
      std::memcpy(&bytes, text_.data() + begin, sizeof(bytes));
      if (bytes != 0x2020202020202020) break;
    }
    while (begin < end && !StartsComment(text_[begin])) ++begin;
    if (begin == end) return false;
    const bool is_block = text_.substr(begin, 2) == "/*";
    comment->kind = TokenKind::kComment;
    comment->range = {begin, is_block ? static_cast<uint32_t>(text_.find("*/", begin + 2)) + 2 : end};
    end_ = comment->range.end;
    return true;
  }

  std::string_view text_;
  Diagnostics lexical_;  // of the scanner; the parser reports the same
  Scanner scanner_;
  Token next_;  // of the scanner, which no comment comes before any more
  Token comment_;
  uint32_t end_ = 0;  // of the last token
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_LOSSLESS_READER_H_

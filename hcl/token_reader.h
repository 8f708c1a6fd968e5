// TokenReader: one token of lookahead over the scanner, with newlines shown or hidden.
//
// Tested through hcl/parser_test.cc.

#ifndef HCLVM_HCL_TOKEN_READER_H_
#define HCLVM_HCL_TOKEN_READER_H_

#include <cstdint>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/scanner.h"
#include "hclvm/hcl/token.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {
namespace internal {

// Not thread-safe. Adjacent newlines count as one.
class TokenReader {
 public:
  TokenReader(const TokenReader&) = delete;
  TokenReader& operator=(const TokenReader&) = delete;
  TokenReader(std::string_view text, Scanner::Start start, Diagnostics* lexical, uint32_t begin)
      : scanner_(text, start, lexical, begin) {
    scanner_.Next(&ahead_);
    previous_ = Peek().range;
  }

  // The next token; newlines only while they are shown.
  const Token& Peek() const { return *ahead_.first; }

  // The next token that is no newline.
  const Token& PeekPastNewlines() const { return ahead_.next; }

  // Takes the next token. At the end of the text, that is the end token, again and again.
  Token Read() {
    if (ahead_.first == &ahead_.next) return Take();
    previous_ = ahead_.newline.range;
    ahead_.has_newline = false;
    ahead_.first = &ahead_.next;
    return ahead_.newline;
  }

  // The same. Requires that the next token is no newline.
  Token Take() {
    HCL_DCHECK(ahead_.first == &ahead_.next);
    const Token token = ahead_.next;
    previous_ = token.range;
    scanner_.Next(&ahead_);
    return token;
  }

  // Requires that the next token is kOpenQuote. Takes it with the text and the quote behind it
  // (Scanner::TakePlainText), or nothing.
  bool ReadPlainString(SourceRange* text) {
    HCL_DCHECK(Peek().kind == TokenKind::kOpenQuote && !halted_);
    if (!scanner_.TakePlainText(text)) return false;
    previous_ = {text->end, text->end + 1};
    scanner_.Next(&ahead_);
    return true;
  }

  // Range of the token taken last; of the first token when none was taken.
  SourceRange previous() const { return previous_; }

  // Lets the text seem to end after the token taken last, until Resume().
  void Halt() {
    if (halted_) return;
    halted_ = true;
    scanner_.Halt();
    saved_next_ = ahead_.next;
    saved_newline_ = ahead_.has_newline;
    ahead_.has_newline = false;
    ahead_.next = Token();
    ahead_.next.range = {previous_.end, previous_.end};
    ahead_.first = &ahead_.next;
  }

  // Requires that Halt() was called.
  void Resume() {
    HCL_DCHECK(halted_);
    halted_ = false;
    scanner_.Resume();
    ahead_.next = saved_next_;
    ahead_.has_newline = saved_newline_;
    ahead_.FindFirst();
  }

  bool newlines_shown() const { return ahead_.shows_newlines; }
  void ShowNewlines(bool shown) {
    ahead_.shows_newlines = shown;
    ahead_.FindFirst();
  }

 private:
  Scanner scanner_;
  Scanner::Lookahead ahead_;
  SourceRange previous_;

  bool halted_ = false;
  Token saved_next_;
  bool saved_newline_ = false;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_TOKEN_READER_H_

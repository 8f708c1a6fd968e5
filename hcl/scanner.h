// Scanner: text in, tokens out, one at a time. Entry point: Scanner::Next().
//
// Whitespace and comments are dropped; a line comment counts as the newline that ends it. The scanner knows by itself
// where it is (in an expression, in quoted, heredoc or standalone template text) from a stack of modes.
//
// Specification: native-syntax.md, "Lexical Elements", "Template Expressions". Tested by hcl/scanner_test.cc.

#ifndef HCLVM_HCL_SCANNER_H_
#define HCLVM_HCL_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/base/attributes.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/token.h"

namespace hcl {
namespace internal {

struct ByteInfo;

// A scanner skips the mark where it starts to read. Reporting it is the parser's affair.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Not thread-safe. `text` and `diagnostics` must outlive it. Memory: the stack of modes, which is as deep as template
// sequences are nested in what was scanned so far.
class Scanner {
 public:
  enum class Start : uint8_t {
    kExpression,  // config files and expressions
    kTemplate,    // standalone templates
  };

  // Scans `text` from `begin` on. Requires that `text` is well-formed UTF-8 of less than 4 GiB. Reports characters and
  // operators that the language does not have, and line ends in quoted templates, to `diagnostics`.
  Scanner(std::string_view text, Start start, Diagnostics* diagnostics, uint32_t begin = 0);

  // The next token. Time over all calls: linear in the text.
  Token Next() {
    Token token = NextOfAny();
    while (token.kind == TokenKind::kComment) token = NextOfAny();
    return token;
  }

  // The next token that is no newline, and the first of the newlines before it, if there are any.
  struct Lookahead {
    Token next;
    Token newline;
    bool has_newline = false;
    // What to take first: the newline, if there is one and they are shown, or else `next`.
    bool shows_newlines = true;
    const Token* first = &next;
    void FindFirst() { first = has_newline && shows_newlines ? &newline : &next; }
  };
  // Sets *ahead to what comes next. Nothing does between Halt() and Resume(), which are called in turns.
  void Next(Lookahead* ahead);
  void Halt() {
    halted_place_ = place_;
    place_ = Place::kHalted;
  }
  void Resume() { place_ = halted_place_; }

  // Requires that the last token was kOpenQuote. Takes the text behind it and the quote that closes it at once, where
  // that is some text and no more, as in most strings: their range, without the quote. Otherwise takes nothing.
  bool TakePlainText(SourceRange* text);

 private:
  enum class ModeKind : uint8_t { kExpression, kSequence, kQuoted, kHeredoc, kStandalone };

  struct Mode {
    ModeKind kind;
    bool at_line_start;     // kHeredoc
    uint32_t open_braces;   // kExpression, kSequence
    uint32_t marker_begin;  // kHeredoc
    uint32_t marker_end;
  };

  // What the next token is one of.
  enum class Place : uint8_t {
    kExpression,
    kQuote,  // text behind an opening quote, whose mode is added when it is read: most quotes TakePlainText() passes
             // without one
    kText,
    kHalted,
  };

  Token NextOfAny() { return place_ == Place::kExpression ? NextInExpression() : NextInText(); }
  ABSL_ATTRIBUTE_NOINLINE void NextSlowly(Lookahead* ahead);
  // Tokens of expressions, and comments that stand for nothing.
  Token NextInExpression();
  ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool TakeCommon(const ByteInfo& info, size_t at, Token* token);
  ABSL_ATTRIBUTE_NOINLINE Token CommentOrDivide();
  Token BlockComment();
  Token Number();
  Token CloseBrace(uint32_t bytes, bool strip);
  bool ClosesBlock() const;
  Token LessThanOrHeredoc();
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Token MatchOperator();
  bool ScanHeredocOpening(Token* token);
  Token NonAscii();
  Token Punctuation();
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Token Foreign();

  void Push(const Mode& mode) {
    outer_modes_.push_back(mode_);
    SetMode(mode);
  }
  void Pop() {
    const Mode outer = outer_modes_.back();
    outer_modes_.pop_back();
    SetMode(outer);
  }
  void SetMode(const Mode& mode) {
    mode_ = mode;
    const bool is_expression = mode.kind == ModeKind::kExpression || mode.kind == ModeKind::kSequence;
    place_ = is_expression ? Place::kExpression : Place::kText;
  }

  // Tokens of template text, in scanner_template.cc.
  Token NextInText();
  Token NextInQuoted();
  Token NextInLines();
  bool IsMarkerLine(const Mode& mode, uint32_t* end) const;
  bool SkipTemplateCharacter(bool* has_escapes);
  Token SequenceStart();
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Token BrokenNewline();
  bool FindQuoteBelow(uint32_t begin, uint32_t* quote) const;
  bool StartsItem(std::string_view line) const;

  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Token Invalid(uint32_t bytes, const char* detail);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Token Meaningless(char32_t code_point, uint32_t bytes);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Token EscapedQuote();

  // Sets *token to one from `begin` to `end`, where the cursor is afterwards.
  void Set(TokenKind kind, size_t begin, size_t end, Token* token) {
    // Two words, as they are read: reading one behind stores of single fields would wait for all of them.
    static_assert(offsetof(Token, kind) == 0 && offsetof(Token, range) == 4 && sizeof(SourceRange) == 8, "the words");
    const auto head = static_cast<uint32_t>(kind);
    const uint64_t range = static_cast<uint64_t>(begin) | static_cast<uint64_t>(end) << 32;
    std::memcpy(static_cast<void*>(token), &head, sizeof(head));
    std::memcpy(static_cast<void*>(&token->range), &range, sizeof(range));
    cursor_ = static_cast<uint32_t>(end);
  }

  // The token from `begin` to the cursor.
  Token Make(TokenKind kind, uint32_t begin) {
    Token token;
    Set(kind, begin, cursor_, &token);
    return token;
  }

  // The same for an identifier that may hold more than ASCII.
  Token Identifier(uint32_t begin) {
    Token token = Make(TokenKind::kIdentifier, begin);
    token.has_escapes = true;
    return token;
  }

  // The token of the next `bytes` bytes.
  Token Operator(TokenKind kind, uint32_t bytes) {
    const uint32_t begin = cursor_;
    cursor_ += bytes;
    return Make(kind, begin);
  }

  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Report(SourceRange range, DiagnosticCode code,
                                                          std::string_view detail);

  char At(uint32_t offset) const { return offset < size_ ? data_[offset] : '\0'; }

  const char* data_;
  uint32_t size_;
  uint32_t cursor_ = 0;
  Diagnostics* diagnostics_;
  Mode mode_;                        // the innermost one
  Place place_;                      // as mode_ says, or kQuote, or kHalted
  Place halted_place_;               // what it was before
  PlainList<Mode, 4> outer_modes_;   // those around it
  bool inside_apostrophes_ = false;  // the next apostrophe closes a pair that was reported at its start
  bool inside_backticks_ = false;
  bool inside_typographic_ = false;
  uint32_t escaped_quotes_end_ = 0;  // of the line whose escaped quotes outside of strings were reported
};

// Offset of the first of `"`, `\`, `$`, `%`, line feed and carriage return in [begin, end), or `end`.
uint32_t FindQuotedSpecial(const char* data, uint32_t begin, uint32_t end);

// Offset of the first of `$`, `%` and line feed in [begin, end), or `end`.
uint32_t FindLineSpecial(const char* data, uint32_t begin, uint32_t end);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_SCANNER_H_

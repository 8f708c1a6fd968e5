// Parser: where a body goes on after a failure, by what brackets, indentation and names before `=` tell.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/parser_internal.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/hcl/token.h"

namespace hcl {
namespace internal {
namespace {

// A directive is remembered as an interpolation (BracketScope), since one kind of token ends both.
TokenKind OpenerOf(TokenKind closer) {
  switch (closer) {
    case TokenKind::kCloseBrace:
      return TokenKind::kOpenBrace;
    case TokenKind::kCloseBracket:
      return TokenKind::kOpenBracket;
    case TokenKind::kCloseParen:
      return TokenKind::kOpenParen;
    case TokenKind::kCloseQuote:
      return TokenKind::kOpenQuote;
    case TokenKind::kCloseHeredoc:
      return TokenKind::kOpenHeredoc;
    default:
      return TokenKind::kInterpolation;
  }
}

constexpr std::string_view kUpperCase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

std::string_view TrimBlanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool IsNameStart(char c) { return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

// The brackets that are open since an item began, counted by kind: what closes none of them is told apart at once,
// however many there are.
class Parser::OpenSince {
 public:
  OpenSince(ScratchStack<OpenBracket>* brackets, size_t base) : brackets_(brackets), base_(base) {
    for (size_t n = base; n < brackets->size(); ++n) ++CountOf((*brackets)[n].kind);
  }

  bool any() const { return brackets_->size() > base_; }
  bool Has(TokenKind opener) const { return counts_[static_cast<size_t>(opener)] > 0; }
  bool HasText() const {
    return Has(TokenKind::kOpenQuote) || Has(TokenKind::kOpenHeredoc) || Has(TokenKind::kInterpolation);
  }

  void Open(TokenKind opener, SourceRange range) {
    brackets_->push_back({opener, range});
    ++CountOf(opener);
  }
  // `token` was passed over.
  void Take(const Token& token) {
    switch (token.kind) {
      case TokenKind::kOpenBrace:
      case TokenKind::kOpenBracket:
      case TokenKind::kOpenParen:
      case TokenKind::kOpenQuote:
      case TokenKind::kOpenHeredoc:
        return Open(token.kind, token.range);
      case TokenKind::kInterpolation:
      case TokenKind::kDirective:
        return Open(TokenKind::kInterpolation, token.range);
      case TokenKind::kCloseBrace:
      case TokenKind::kCloseBracket:
      case TokenKind::kCloseParen:
      case TokenKind::kCloseQuote:
      case TokenKind::kCloseHeredoc:
      case TokenKind::kSequenceEnd:
        return Close(token.kind);
      default:
        return;
    }
  }
  // Forgets the brackets down to the one that `closer` closes. One that closes nothing is a part of the mistake.
  void Close(TokenKind closer) {
    const TokenKind opener = OpenerOf(closer);
    if (!Has(opener)) return;
    TokenKind last = TokenKind::kEnd;
    while (last != opener) {
      last = brackets_->back().kind;
      brackets_->pop_back();
      --CountOf(last);
    }
  }
  void Clear() {
    brackets_->Shrink(base_);
    counts_ = {};
  }

 private:
  uint32_t& CountOf(TokenKind opener) { return counts_[static_cast<size_t>(opener)]; }

  ScratchStack<OpenBracket>* brackets_;
  size_t base_;
  std::array<uint32_t, kTokenKinds> counts_ = {};
};

// Takes up again after a failure, and drops what the scanner has reported of the lines that are passed over: it is one
// mistake, and was told. What stands at the beginning of the next item is that item's. `outside` is the indentation of
// the block, if the body is one's.
void Parser::RecoverToNextItem(uint32_t item_begin, size_t base, std::optional<uint32_t> outside) {
  if (stopped_) return;
  reader_.Resume();
  failed_ = false;
  const size_t reported = lexical_.count();
  const size_t line_end = text_.find('\n', reader_.Peek().range.begin);
  PassItem({item_begin, IndentationOfLine(item_begin), outside}, base);
  value_goes_on_ = false;
  if (lexical_.full()) return;
  const uint32_t end = reader_.PeekPastNewlines().range.begin;
  size_t on_line = 0;
  size_t passed = 0;
  for (const Diagnostic* message : lexical_.KeptFrom(reported)) {
    const size_t begin = message->subject.has_value() ? message->subject->begin : 0;
    if (begin < line_end) ++on_line;
    if (begin < end) ++passed;
  }
  lexical_.Remove(reported + on_line, reported + passed);
}

// Goes to the next line that looks like one of the body's items, or to the brace that ends the body. `base` is the
// number of open brackets around an item. Brackets are matched on the way, as a newline inside of one ends no item,
// unless the line behind it looks like one: then the bracket was never closed. A string that is broken at a line end
// closes what was opened in it. Each token is read once, so all recoveries of a text take linear time.
void Parser::PassItem(const FailedItem& item, size_t base) {
  OpenSince open(&open_brackets_, base);
  uint32_t heredoc_end = EndOfBrokenHeredoc(reader_.Peek().range.begin);
  if (!open.HasText() && StartsNextItem(item.indentation)) open.Clear();
  for (bool first_on_line = false;; first_on_line = false) {
    const Token& next = reader_.Peek();
    switch (next.kind) {
      case TokenKind::kEnd:
        if (open.any()) truncated_ = true;
        open.Clear();
        return;
      case TokenKind::kNewline:
        if (!open.HasText() && StartsNextItem(item.indentation)) open.Clear();
        reader_.Read();
        first_on_line = true;
        if (!open.any() && reader_.Peek().range.begin >= heredoc_end && !GoesOn(item, reader_.Peek())) return;
        if (reader_.Peek().kind != TokenKind::kCloseBrace) continue;
        break;
      case TokenKind::kBrokenSequence:
        open.Close(TokenKind::kSequenceEnd);
        [[fallthrough]];
      case TokenKind::kBrokenNewline:
        open.Close(TokenKind::kCloseQuote);
        if (!open.any() && EndsInLabel({item.begin, next.range.begin})) open.Open(TokenKind::kOpenBrace, next.range);
        reader_.Read();
        if (open.any()) continue;
        value_goes_on_ = true;  // probably more of the string
        if (!GoesOn(item, reader_.Peek())) return;
        continue;
      default:
        break;
    }
    const Token& token = reader_.Peek();
    if (token.kind == TokenKind::kCloseBrace && !open.Has(TokenKind::kOpenBrace) && item.outside.has_value() &&
        EndsBody(item, token, first_on_line, open.any())) {
      open.Clear();
      return;
    }
    open.Take(token);
    reader_.Read();
  }
}

// True when the line that `token` begins, behind a failed item and outside of its brackets, is no item of its own but
// belongs to the mistake: what continues an expression, closes a bracket, stands further to the right, or looks like no
// item at all. A message for each of these lines would hide the one mistake.
bool Parser::GoesOn(const FailedItem& item, const Token& token) const {
  switch (token.kind) {
    case TokenKind::kEnd:
      return false;
    case TokenKind::kCloseBrace:
      return !item.outside.has_value() || Indentation(token.range.begin) >= item.indentation;
    case TokenKind::kCloseBracket:
    case TokenKind::kCloseParen:
      return true;
    default:
      break;
  }
  if (IsContinuation(token) || Indentation(token.range.begin) > item.indentation) return true;
  return !LooksLikeItem(token, UINT32_MAX) && (value_goes_on_ || !StartsLikeItem(token));
}

// Whether the `}` ends the body, and is no part of the mistake. One at the beginning of a line does, unless it stands
// where what the item has opened would be closed. One at the end of a line does, where the lines behind it go on
// outside of the body.
bool Parser::EndsBody(const FailedItem& item, const Token& brace, bool first_on_line, bool is_inside) const {
  if (first_on_line) return Indentation(brace.range.begin) < item.indentation || !is_inside;
  const size_t after = text_.find_first_not_of(" \t\r", brace.range.end);
  if (after == std::string_view::npos) return true;
  if (text_[after] != '\n') return text_[after] == '}' || text_[after] == '#' || text_[after] == '/';
  const size_t next = text_.find_first_not_of(" \t\r\n", after);
  if (next == std::string_view::npos) return true;
  const uint32_t indentation = Indentation(static_cast<uint32_t>(next));
  return text_[next] == '}' ? indentation != *item.outside : indentation <= *item.outside;
}

// Where the heredoc ends whose marker stands at the end of the line of `offset`, behind a broken `<<`: at the end of
// the next line that holds the marker alone. 0 if there is none near.
uint32_t Parser::EndOfBrokenHeredoc(uint32_t offset) const {
  constexpr size_t kMostBytes = 4096;
  if (!Wants()) return 0;  // looked for a bounded number of times
  const std::string_view near = text_.substr(offset, kMostBytes);
  const size_t line_end = near.find('\n');
  if (line_end == std::string_view::npos) return 0;
  const std::string_view line = TrimBlanks(near.substr(0, line_end));
  const size_t begin = line.find_last_not_of(kUpperCase) + 1;
  if (begin == line.size() || begin == 0 || (line[begin - 1] != '<' && line[begin - 1] != '-')) return 0;
  const std::string_view marker = line.substr(begin);
  for (size_t at = line_end; at != std::string_view::npos;) {
    const size_t next = near.find('\n', at + 1);
    if (TrimBlanks(near.substr(at + 1, next - at - 1)) == marker) {
      return offset + static_cast<uint32_t>(std::min(next, near.size()));
    }
    at = next;
  }
  return 0;
}

// True when the item that is broken off in `range` is a block whose `{` stands in a label that was not closed.
bool Parser::EndsInLabel(SourceRange range) const {
  const std::string_view item = Text(range);
  const size_t last = item.find_last_not_of(" \t\r");
  return last != std::string_view::npos && item[last] == '{' && item.find('=') == std::string_view::npos;
}

// Looks at the innermost brackets first: they are what a closing bracket then closes, so the time is linear in the end.
bool Parser::IsOpenSince(TokenKind opener, size_t base) const {
  for (size_t i = open_brackets_.size(); i > base; --i) {
    if (open_brackets_[i - 1].kind == opener) return true;
  }
  return false;
}

// True at the end of a line whose next one looks like the body's next item: an identifier, not indented more than the
// last item, before `=` or `{`. Then the brackets that are open were probably never closed.
bool Parser::StartsNextItem(uint32_t indentation) const {
  const Token& next = reader_.PeekPastNewlines();
  if (reader_.Peek().kind != TokenKind::kNewline || next.kind != TokenKind::kIdentifier) return false;
  return LooksLikeItem(next, indentation);
}

// True when `token` is a name that may have been meant for an item's: what is behind it is a mistake then.
bool Parser::StartsLikeItem(const Token& token) const {
  if (token.kind == TokenKind::kOpenQuote || token.kind == TokenKind::kNumber) return true;
  if (token.kind != TokenKind::kIdentifier) return false;
  const size_t after = text_.find_first_not_of(" \t", token.range.end);
  if (after == std::string_view::npos) return false;
  const char c = text_[after];
  return c == ':' || c == '\n' || c == '\r' || c == '=' || (c == '.' && after == token.range.end) || IsNameStart(c);
}

// True when `token` is a name before `=` or `{`, indented by at most `indented_as` bytes.
bool Parser::LooksLikeItem(const Token& token, uint32_t indented_as) const {
  if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kCloseBrace) return true;
  if (token.kind != TokenKind::kIdentifier || Indentation(token.range.begin) > indented_as) return false;
  const size_t after = text_.find_first_not_of(" \t", token.range.end);
  if (after == std::string_view::npos) return false;
  return text_[after] == '{' || text_[after] == '"' || (text_[after] == '=' && text_.substr(after, 2) != "==");
}

// True when `token` continues an expression and cannot start an item.
bool Parser::IsContinuation(const Token& token) const {
  return (token.kind >= TokenKind::kAdd && token.kind <= TokenKind::kOr) || token.kind == TokenKind::kQuestion ||
         token.kind == TokenKind::kColon || token.kind == TokenKind::kDot;
}

// Bytes between the start of the line and `offset`. A tab counts as one: lines are only compared with lines of the same
// text, which mostly indents them all alike.
uint32_t Parser::Indentation(uint32_t offset) const {
  const size_t newline = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? offset : offset - static_cast<uint32_t>(newline) - 1;
}

// Of the line that `offset` is in.
uint32_t Parser::IndentationOfLine(uint32_t offset) const {
  const uint32_t line = offset - Indentation(offset);
  const size_t first = text_.find_first_not_of(" \t", line);
  return first == std::string_view::npos ? 0 : static_cast<uint32_t>(first) - line;
}

bool Parser::IsFirstOnLine(uint32_t offset) const {
  const uint32_t indentation = Indentation(offset);
  return text_.substr(offset - indentation, indentation).find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace internal
}  // namespace hcl

// Scanner: tokens of expressions and bodies, dispatched by a table over bytes.
//
// What a byte means hangs on where it stands: `}` may end a block, an object or a template sequence, and a quote may
// start or end a string. The stack of modes knows that, so that the parser never tells the scanner where it is, and a
// mistake in the one does not confuse the other.

#include "hclvm/hcl/scanner.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/invisible.h"
#include "hclvm/base/unicode.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hcl {
namespace internal {

// What a byte starts in an expression.
enum class ByteClass : uint8_t {
  kBlank,
  kNewline,  // the last one that is no part of a token that counts
  kOther,    // needs a closer look
  kLetter,   // an identifier
  kDigit,
  kQuote,
  kOpenBrace,
  kCloseBrace,
  kSingle,  // a token of one byte, whatever follows
  kMostly,  // one of one byte, unless `=`, `~`, `>`, `:` or another dot follows
  kDouble,  // an operator only when it is doubled
  kNonAscii,
};

// As large as a power of two, so that one is found quickly.
struct alignas(8) ByteInfo {
  ByteClass byte_class = ByteClass::kOther;
  TokenKind kind = TokenKind::kInvalid;  // kSingle, kMostly
  TokenKind pair = TokenKind::kInvalid;  // kMostly, kDouble: what it is with `second` behind it, whatever follows
  char second = '\xFF';                  // none: UTF-8 has no such byte
  bool continues_identifier = false;
  bool joins = false;  // it may be the second byte of an operator that begins with one of kMostly
};

namespace {

// A dash continues an identifier, which is more than ID_Continue allows (native-syntax.md, "Identifiers"), but starts
// none. kSingle is for bytes that no second one can make into another token; those that it can stay kOther, and so does
// a carriage return, which is a newline only before a line feed.
constexpr std::array<ByteInfo, 256> MakeByteTable() {
  std::array<ByteInfo, 256> table{};
  for (size_t c = 'a'; c <= 'z'; ++c) {
    table[c].byte_class = table[c - 0x20].byte_class = ByteClass::kLetter;
    table[c].continues_identifier = table[c - 0x20].continues_identifier = true;
  }
  for (size_t c = '0'; c <= '9'; ++c) {
    table[c].byte_class = ByteClass::kDigit;
    table[c].continues_identifier = true;
  }
  table['_'].byte_class = ByteClass::kLetter;
  table['_'].continues_identifier = table['-'].continues_identifier = true;
  for (size_t c = 0x80; c <= 0xFF; ++c) table[c].byte_class = ByteClass::kNonAscii;
  table[' '].byte_class = table['\t'].byte_class = ByteClass::kBlank;
  table['\n'].byte_class = ByteClass::kNewline;
  constexpr std::pair<char, TokenKind> kSingles[] = {
      {'[', TokenKind::kOpenBracket}, {']', TokenKind::kCloseBracket}, {'(', TokenKind::kOpenParen},
      {')', TokenKind::kCloseParen},  {',', TokenKind::kComma},        {'?', TokenKind::kQuestion},
      {'+', TokenKind::kAdd},         {'-', TokenKind::kSubtract},     {'*', TokenKind::kMultiply},
      {'%', TokenKind::kModulo},
  };
  for (const auto& [c, kind] : kSingles) {
    ByteInfo& info = table[static_cast<uint8_t>(c)];
    info.byte_class = ByteClass::kSingle;
    info.kind = kind;
  }
  constexpr std::pair<char, TokenKind> kMostlySingles[] = {
      {'=', TokenKind::kAssign}, {'.', TokenKind::kDot},     {':', TokenKind::kColon},
      {'<', TokenKind::kLess},   {'>', TokenKind::kGreater}, {'!', TokenKind::kNot},
  };
  for (const auto& [c, kind] : kMostlySingles) {
    ByteInfo& info = table[static_cast<uint8_t>(c)];
    info.byte_class = ByteClass::kMostly;
    info.kind = kind;
    info.joins = true;
  }
  table['~'].joins = true;
  constexpr std::tuple<char, char, TokenKind> kPairs[] = {
      {'=', '=', TokenKind::kEqual},        {'!', '=', TokenKind::kNotEqual},    {'<', '=', TokenKind::kLessEqual},
      {'>', '=', TokenKind::kGreaterEqual}, {':', ':', TokenKind::kDoubleColon}, {'&', '&', TokenKind::kAnd},
      {'|', '|', TokenKind::kOr},
  };
  for (const auto& [c, second, kind] : kPairs) {
    ByteInfo& info = table[static_cast<uint8_t>(c)];
    info.second = second;
    info.pair = kind;
  }
  table['&'].byte_class = table['|'].byte_class = ByteClass::kDouble;
  table['"'].byte_class = ByteClass::kQuote;
  table['{'].byte_class = ByteClass::kOpenBrace;
  table['}'].byte_class = ByteClass::kCloseBrace;
  return table;
}

constexpr std::array<ByteInfo, 256> kBytes = MakeByteTable();

const ByteInfo& InfoOf(char c) { return kBytes[static_cast<uint8_t>(c)]; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNonAscii(char c) { return static_cast<uint8_t>(c) >= 0x80; }

size_t EndByBytes(const char* data, size_t cursor, size_t size) {
  while (cursor < size && InfoOf(data[cursor]).continues_identifier) ++cursor;
  return cursor;
}

#if defined(__SSE2__)
// Which of 16 bytes do not continue an identifier, a bit for each.
inline unsigned MisfitsAt(const char* data) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(data));
  // Ranges are moved to the end of the positive numbers, where a single comparison tells what is in them. No byte
  // beyond ASCII comes there.
  const auto within = [](__m128i from, char first, char last) {
    const __m128i moved = _mm_add_epi8(from, _mm_set1_epi8(static_cast<char>(127 - last)));
    return _mm_cmpgt_epi8(moved, _mm_set1_epi8(static_cast<char>(126 - (last - first))));
  };
  const __m128i letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
  const __m128i digits = within(bytes, '0', '9');
  const __m128i marks =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')));
  const __m128i fits = _mm_or_si128(_mm_or_si128(letters, digits), marks);
  return static_cast<unsigned>(_mm_movemask_epi8(fits)) ^ 0xFFFFu;
}
#endif

// End of the ASCII part of the identifier that goes on at `cursor`.
inline size_t AsciiIdentifierEnd(const char* data, size_t cursor, size_t size) {
#if defined(__SSE2__)
  // There is no branch for each byte: most identifiers end within 16 bytes, at a place that no branch predicts. Nothing
  // behind the text is read. No loop, in front of which a compiler would load all that a round needs.
  if (size - cursor >= 16) {
    const unsigned misfits = MisfitsAt(data + cursor);
    if (misfits != 0) return cursor + static_cast<size_t>(__builtin_ctz(misfits));
    cursor += 16;
  }
#endif
  return EndByBytes(data, cursor, size);
}

// End of the identifier that goes on at `cursor`. Runs of ASCII are looked for again after each other character, as
// letters of other scripts mostly stand among some.
uint32_t IdentifierEnd(const char* data, uint32_t cursor, uint32_t size) {
  while (true) {
    cursor = static_cast<uint32_t>(AsciiIdentifierEnd(data, cursor, size));
    if (cursor == size || !IsNonAscii(data[cursor])) return cursor;
    const CodePoint code_point = DecodeUtf8(std::string_view(data, size), cursor);
    if (!IsIdContinue(code_point.value)) return cursor;
    cursor += code_point.bytes;
  }
}

// Bytes of the exponent's start (`e5`, `e+5`) at `text`, up to its first digit; 0 when there is none. Without a digit
// the letter starts a word: `2em` is a number and a name, about which the parser has a message of its own.
uint32_t ExponentBytes(const char* text, uint32_t size) {
  if (size < 2 || (text[0] != 'e' && text[0] != 'E')) return 0;
  if (IsDigit(text[1])) return 2;
  return size > 2 && (text[1] == '+' || text[1] == '-') && IsDigit(text[2]) ? 3 : 0;
}

}  // namespace

Scanner::Scanner(std::string_view text, Start start, Diagnostics* diagnostics, uint32_t begin)
    : data_(text.data()), size_(static_cast<uint32_t>(text.size())), cursor_(begin), diagnostics_(diagnostics) {
  const ModeKind kind = start == Start::kTemplate ? ModeKind::kStandalone : ModeKind::kExpression;
  SetMode(Mode{kind, false, 0, 0, 0});
  if (text.substr(begin, kByteOrderMark.size()) == kByteOrderMark) cursor_ += kByteOrderMark.size();
}

void Scanner::Report(SourceRange range, DiagnosticCode code, std::string_view detail) {
  diagnostics_->AddError(range, code, std::string(detail));
}

Token Scanner::Invalid(uint32_t bytes, const char* detail) {
  const uint32_t begin = cursor_;
  cursor_ += bytes;
  if (detail != nullptr) Report({begin, cursor_}, DiagnosticCode::kInvalidCharacter, detail);
  return Make(TokenKind::kInvalid, begin);
}

// Requires `#` or `/` at the cursor. A comment of one line is a newline, as it ends with one.
Token Scanner::CommentOrDivide() {
  const char next = At(cursor_ + 1);
  if (data_[cursor_] == '/' && next == '*') return BlockComment();
  if (data_[cursor_] == '/' && next != '/') return Operator(TokenKind::kDivide, 1);
  const uint32_t begin = cursor_;
  const void* const end = std::memchr(data_ + cursor_, '\n', size_ - cursor_);
  cursor_ = end == nullptr ? size_ : static_cast<uint32_t>(static_cast<const char*>(end) - data_) + 1;
  return Make(end == nullptr ? TokenKind::kComment : TokenKind::kNewline, begin);
}

// A comment without an end takes the rest of the text, as one mistake: nothing is known of what was meant to be in it.
Token Scanner::BlockComment() {
  const uint32_t begin = cursor_;
  const size_t end = std::string_view(data_, size_).find("*/", begin + 2);
  cursor_ = end == std::string_view::npos ? size_ : static_cast<uint32_t>(end) + 2;
  if (end != std::string_view::npos) return Make(TokenKind::kComment, begin);
  Report({begin, begin + 2}, DiagnosticCode::kUnclosedComment,
         "The comment that starts here has to end with \"*/\", and the text has none behind it.");
  return Make(TokenKind::kInvalid, begin);
}

// What occurs most, at `at`, where no blank is: one look into the table decides what the byte there starts. Sets
// *token, or returns false where it takes a closer look. There are no calls in it, so that the common way saves no
// registers.
bool Scanner::TakeCommon(const ByteInfo& info, size_t at, Token* token) {
  const char* const data = data_;
  const size_t size = size_;
  switch (info.byte_class) {
    case ByteClass::kLetter: {
      const size_t end = AsciiIdentifierEnd(data, at + 1, size);
      if (end < size && IsNonAscii(data[end])) return false;
      return Set(TokenKind::kIdentifier, at, end, token), true;
    }
    case ByteClass::kDigit: {
      size_t end = at + 1;
      while (end < size && IsDigit(data[end])) ++end;
      if (end == size || data[end] == '.' || (data[end] | 0x20) == 'e') return false;
      return Set(TokenKind::kNumber, at, end, token), true;
    }
    case ByteClass::kQuote:
      place_ = Place::kQuote;
      return Set(TokenKind::kOpenQuote, at, at + 1, token), true;
    case ByteClass::kOpenBrace:
      // Counted, so that the `}` of an object in a template sequence does not end the sequence.
      ++mode_.open_braces;
      return Set(TokenKind::kOpenBrace, at, at + 1, token), true;
    case ByteClass::kCloseBrace:
      if (mode_.open_braces == 0) return false;
      --mode_.open_braces;
      return Set(TokenKind::kCloseBrace, at, at + 1, token), true;
    case ByteClass::kSingle:
      return Set(info.kind, at, at + 1, token), true;
    case ByteClass::kMostly:
    case ByteClass::kDouble: {
      if (at + 1 == size) return false;
      const char next = data[at + 1];
      if (next == info.second) return Set(info.pair, at, at + 2, token), true;
      if (info.byte_class == ByteClass::kDouble || InfoOf(next).joins) return false;
      return Set(info.kind, at, at + 1, token), true;
    }
    default:
      return false;
  }
}

// Newlines are tokens everywhere: whether they count depends on the brackets around, which the parser knows and hides
// them by.
Token Scanner::NextInExpression() {
  while (cursor_ < size_ && InfoOf(data_[cursor_]).byte_class == ByteClass::kBlank) ++cursor_;
  if (cursor_ == size_) return Make(TokenKind::kEnd, size_);
  Token token;
  if (TakeCommon(InfoOf(data_[cursor_]), cursor_, &token)) return token;
  switch (InfoOf(data_[cursor_]).byte_class) {
    case ByteClass::kNewline:
      return Operator(TokenKind::kNewline, 1);
    case ByteClass::kLetter: {
      const uint32_t begin = cursor_;
      cursor_ = IdentifierEnd(data_, begin, size_);
      return Identifier(begin);
    }
    case ByteClass::kDigit:
      return Number();
    case ByteClass::kNonAscii:
      return NonAscii();
    default:
      return data_[cursor_] != '#' && data_[cursor_] != '/' ? Punctuation() : CommentOrDivide();
  }
}

// One function for all that the parser asks for: what it does for each token is here once, and not wherever a token is
// taken, of which there are many. What occurs most is done right here. The rest is called last and not come back from.
void Scanner::Next(Lookahead* ahead) {
  ahead->has_newline = false;
  ahead->first = &ahead->next;
  if (place_ != Place::kExpression) return NextSlowly(ahead);
  const char* const data = data_;
  const size_t size = size_;
  for (size_t at = cursor_; at < size; ++at) {
    // One in three bytes of a config: indentation, mostly.
    while (data[at] == ' ') {
      if (++at == size) return Set(TokenKind::kEnd, size, size, &ahead->next);
    }
    const ByteInfo& info = InfoOf(data[at]);
    if (info.byte_class > ByteClass::kNewline) {
      if (TakeCommon(info, at, &ahead->next)) return;
      cursor_ = static_cast<uint32_t>(at);
      return NextSlowly(ahead);
    }
    if (info.byte_class == ByteClass::kBlank || ahead->has_newline) continue;
    Set(TokenKind::kNewline, at, at + 1, &ahead->newline);
    ahead->has_newline = true;
    ahead->FindFirst();
  }
  Set(TokenKind::kEnd, size, size, &ahead->next);
}

// What may be a comment, or text, or takes a closer look. `ahead` says whether a newline was before it.
void Scanner::NextSlowly(Lookahead* ahead) {
  if (place_ == Place::kHalted) return;
  while (true) {
    const Token token = NextOfAny();
    if (token.kind == TokenKind::kComment) continue;
    if (token.kind != TokenKind::kNewline) {
      ahead->next = token;
      return ahead->FindFirst();
    }
    if (!ahead->has_newline) ahead->newline = token;
    ahead->has_newline = true;
  }
}

// Takes everything that looks like a part of a number; the parser says whether it is one. Then `1.2.3` is one mistake
// with one message, and `a.0.0` is read as the specification has it: as a fraction where the second index should be
// (native-syntax.md, "Index Operator"). A dot belongs to it only before a digit or an exponent, so that `a.0.name` goes
// on with an attribute.
Token Scanner::Number() {
  const uint32_t begin = cursor_++;
  while (cursor_ < size_ && IsDigit(data_[cursor_])) ++cursor_;
  if (cursor_ < size_ && data_[cursor_] != '.' && (data_[cursor_] | 0x20) != 'e') {
    return Make(TokenKind::kNumber, begin);
  }
  const uint32_t digits_end = cursor_;
  while (cursor_ < size_) {
    uint32_t next = cursor_;
    while (next < size_ && data_[next] == '.') ++next;
    if (next < size_ && IsDigit(data_[next])) {
      cursor_ = next + 1;
      continue;
    }
    const uint32_t exponent = ExponentBytes(data_ + next, size_ - next);
    if (exponent == 0) break;
    cursor_ = next + exponent;
  }
  Token token = Make(TokenKind::kNumber, begin);
  token.has_escapes = cursor_ != digits_end;
  return token;
}

// Typographic quotes come in pairs, as word processors make them. The message stands at the first of a pair; at the
// second it would only say the same again.
Token Scanner::NonAscii() {
  const CodePoint code_point = DecodeUtf8(std::string_view(data_, size_), cursor_);
  if (IsIdStart(code_point.value)) {
    const uint32_t begin = cursor_;
    cursor_ = IdentifierEnd(data_, cursor_ + code_point.bytes, size_);
    return Identifier(begin);
  }
  if (code_point.value >= 0x2018 && code_point.value <= 0x201F) {
    inside_typographic_ = !inside_typographic_;
    return Invalid(code_point.bytes,
                   inside_typographic_ ? "Strings stand in straight quotes (\"), not in typographic ones." : nullptr);
  }
  return Meaningless(code_point.value, code_point.bytes);
}

// Who cannot see a character needs its name.
Token Scanner::Meaningless(char32_t code_point, uint32_t bytes) {
  const std::string shown = IsInvisible(code_point)
                                ? "the character " + CharacterName(code_point) + ", which cannot be seen,"
                                : std::string("this character");
  Report({cursor_, cursor_ + bytes}, DiagnosticCode::kInvalidCharacter,
         "Outside of strings and comments, " + shown + " has no meaning.");
  return Operator(TokenKind::kInvalid, bytes);
}

// `}` or `~}`: the end of a template sequence, unless a brace is open inside of it. When the brace rather closes a
// block around the template, the sequence and its template end here with an empty token, and the brace comes again as
// the next one. The mode at the bottom is never popped: a sequence stands on a template.
Token Scanner::CloseBrace(uint32_t bytes, bool strip) {
  if (mode_.kind == ModeKind::kSequence && mode_.open_braces == 0 && ClosesBlock()) {
    Pop();
    Pop();
    return Make(TokenKind::kBrokenSequence, cursor_);
  }
  Token token = Operator(strip ? TokenKind::kSequenceEnd : TokenKind::kCloseBrace, bytes);
  token.strip = strip;
  if (mode_.open_braces > 0) {
    --mode_.open_braces;
  } else if (mode_.kind == ModeKind::kSequence) {
    token.kind = TokenKind::kSequenceEnd;
    Pop();
  }
  return token;
}

// Whether the `}` at the cursor, which would end a sequence in a quoted template, rather closes a block around them. It
// does when it is the first on its line and no quote comes after it, so that the template is broken in any case. Both
// looks stay on the line, and only the first brace of a line gets to the second one, so that the time over a text stays
// linear.
bool Scanner::ClosesBlock() const {
  const size_t depth = outer_modes_.size();
  if (depth < 2 || outer_modes_[depth - 1].kind != ModeKind::kQuoted || outer_modes_[depth - 2].open_braces == 0) {
    return false;
  }
  uint32_t begin = cursor_;
  while (begin > 0 && (data_[begin - 1] == ' ' || data_[begin - 1] == '\t')) --begin;
  if (begin > 0 && data_[begin - 1] != '\n') return false;
  const size_t next = std::string_view(data_, size_).find_first_of("\"\n", cursor_);
  return next == std::string_view::npos || data_[next] == '\n';
}

Token Scanner::LessThanOrHeredoc() {
  Token token;
  if (At(cursor_ + 1) == '<' && ScanHeredocOpening(&token)) return token;
  return Operator(TokenKind::kLess, 1);
}

// `=~` and `!~` of other languages, told as one mistake.
Token Scanner::MatchOperator() {
  Report({cursor_, cursor_ + 2}, DiagnosticCode::kUnsupportedOperator,
         "Whether a text matches a pattern is asked with can(regex(pattern, text)).");
  return Operator(TokenKind::kInvalid, 2);
}

// Only `<<`, a name and the line end open a heredoc (native-syntax.md, "Template Expressions"). Anything else is two
// operators, and the parser's message about them says what a heredoc looks like. The mode keeps the place of the name
// and no copy of it: the text outlives the scanner.
bool Scanner::ScanHeredocOpening(Token* token) {
  const uint32_t begin = cursor_;
  const bool flush = At(begin + 2) == '-';
  const uint32_t marker_begin = begin + (flush ? 3 : 2);
  if (marker_begin >= size_) return false;
  const CodePoint first = DecodeUtf8(std::string_view(data_, size_), marker_begin);
  if (!IsIdStart(first.value)) return false;
  const uint32_t marker_end = IdentifierEnd(data_, marker_begin + first.bytes, size_);
  uint32_t newline = marker_end;
  if (At(newline) == '\r') ++newline;
  if (At(newline) != '\n') return false;
  cursor_ = newline + 1;
  *token = Make(TokenKind::kOpenHeredoc, begin);
  token->flush = flush;
  Push(Mode{ModeKind::kHeredoc, true, 0, marker_begin, marker_end});
  return true;
}

// What TakeCommon() leaves over. The longest operator counts, as usual. What other languages have (a single `&`, a `~`
// before anything but a brace) goes to Foreign(), which reports it in the words of the language here.
Token Scanner::Punctuation() {
  const char next = At(cursor_ + 1);
  switch (data_[cursor_]) {
    case '\r':
      if (next == '\n') return Operator(TokenKind::kNewline, 2);
      return Invalid(1, "A carriage return has a meaning only before a line feed.");
    case '}':
      return CloseBrace(1, false);
    case '=':
      if (next == '~' && At(cursor_ + 2) != '}') return MatchOperator();
      return next == '>' ? Operator(TokenKind::kArrow, 2) : Operator(TokenKind::kAssign, 1);
    case '.':
      if (next == '.' && At(cursor_ + 2) == '.') return Operator(TokenKind::kEllipsis, 3);
      return Operator(TokenKind::kDot, 1);
    case ':':
      return Operator(TokenKind::kColon, 1);
    case '<':
      return LessThanOrHeredoc();
    case '>':
      return Operator(TokenKind::kGreater, 1);
    case '!':
      if (next == '~' && At(cursor_ + 2) != '}') return MatchOperator();
      return Operator(TokenKind::kNot, 1);
    case '~':
      if (next == '}') return CloseBrace(2, true);
      break;
    default:
      break;
  }
  return Foreign();
}

// `\"` where a quote is meant. Inside of a sequence this is the habit of who writes JSON, or a template in a string of
// another language. Those of a line are one mistake, and open no string: the quote behind them ends the template.
Token Scanner::EscapedQuote() {
  if (cursor_ < escaped_quotes_end_) return Invalid(2, nullptr);
  escaped_quotes_end_ =
      static_cast<uint32_t>(std::min<size_t>(std::string_view(data_, size_).find('\n', cursor_), size_));
  return Invalid(2,
                 "Inside of \"${\" and \"}\", and around a string, quotes are written without a backslash: "
                 "\"${f(\"x\")}\".");
}

// Characters that other languages use. Each becomes one invalid token, which the parser does not report again. Quotes
// come in pairs: the message stands at the first, and is left out at the second.
Token Scanner::Foreign() {
  const uint32_t begin = cursor_;
  const char* detail = nullptr;
  switch (data_[begin]) {
    case '&':
      detail = "There are no operators on bits. The logical \"and\" is written \"&&\".";
      break;
    case '|':
      detail = "There are no operators on bits. The logical \"or\" is written \"||\".";
      break;
    case '~':
      detail = "There are no operators on bits. The logical \"not\" is written \"!\".";
      break;
    case '^':
      detail = "There are no operators on bits. A power is pow(a, b).";
      break;
    case '\'':
      inside_apostrophes_ = !inside_apostrophes_;
      return Invalid(1, inside_apostrophes_ ? "Strings stand in double quotes (\"), not in single ones." : nullptr);
    case '`':
      inside_backticks_ = !inside_backticks_;
      return Invalid(1, inside_backticks_ ? "Strings stand in double quotes (\"). For text of several lines there are "
                                            "heredocs, which start like \"<<END\"."
                                          : nullptr);
    case '$':
      return Invalid(1, At(begin + 1) == '{' ? "Outside of strings, an expression is written without \"${\" and \"}\"."
                                             : "A variable is written without \"$\".");
    case '\\':
      if (At(begin + 1) == '"') return EscapedQuote();
      return Invalid(1, "An expression that goes on over several lines stands in parentheses.");
    case ';':
      return Invalid(1, "A newline ends an attribute or block; items of collections are separated by commas.");
    default:
      return Meaningless(static_cast<uint8_t>(data_[begin]), 1);
  }
  Report({begin, begin + 1}, DiagnosticCode::kUnsupportedOperator, detail);
  return Operator(TokenKind::kInvalid, 1);
}

}  // namespace internal
}  // namespace hcl

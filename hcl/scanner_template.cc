// Scanner: literal text of quoted, heredoc and standalone templates.
//
// Text is found by what ends it and not read byte by byte. Where a quoted template runs into its line end, the rest of
// the text has to be guessed at; the guesses look at few lines and only ever choose between two readings of a broken
// text.

#include <algorithm>
#include <cstring>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/scanner.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hcl {
namespace internal {
namespace {

// Offset of the first byte in [begin, end) that is one of kCharacters, or `end`. Literal text seldom has any of them,
// so that whole blocks are passed over; nothing behind `end` is read.
template <char... kCharacters>
uint32_t FindAnyOf(const char* data, uint32_t begin, uint32_t end) {
#if defined(__SSE2__)
  const auto hits_at = [](const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    __m128i hits = _mm_setzero_si128();
    ((hits = _mm_or_si128(hits, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(kCharacters)))), ...);
    return static_cast<unsigned>(_mm_movemask_epi8(hits));
  };
  // The first block outside of the loop, in front of which a compiler would load all that a round needs: most texts are
  // short.
  if (end - begin >= 16) {
    if (const unsigned hits = hits_at(data + begin)) return begin + static_cast<uint32_t>(__builtin_ctz(hits));
    for (begin += 16; end - begin >= 16; begin += 16) {
      if (const unsigned hits = hits_at(data + begin)) return begin + static_cast<uint32_t>(__builtin_ctz(hits));
    }
  }
#endif
  for (; begin < end; ++begin) {
    const char c = data[begin];
    if (((c == kCharacters) || ...)) return begin;
  }
  return end;
}

}  // namespace

uint32_t FindQuotedSpecial(const char* data, uint32_t begin, uint32_t end) {
  return FindAnyOf<'"', '\\', '$', '%', '\n', '\r'>(data, begin, end);
}

uint32_t FindLineSpecial(const char* data, uint32_t begin, uint32_t end) {
  return FindAnyOf<'$', '%', '\n'>(data, begin, end);
}

// Requires `$` or `%` at the cursor. Takes it as text, with what it escapes; false when it starts a sequence. A doubled
// sign is an escape only before a brace (native-syntax.md, "Template Literals"): `$$` alone is two signs.
bool Scanner::SkipTemplateCharacter(bool* has_escapes) {
  const char c = data_[cursor_];
  if (At(cursor_ + 1) == '{') return false;
  if (At(cursor_ + 1) == c && At(cursor_ + 2) == '{') {
    *has_escapes = true;
    cursor_ += 3;
  } else {
    cursor_ += 1;
  }
  return true;
}

// Requires `${` or `%{` at the cursor. What follows the sequence is not the start of a line, also when the sequence
// goes over several: a heredoc does not end behind it.
Token Scanner::SequenceStart() {
  const uint32_t begin = cursor_;
  const TokenKind kind = data_[begin] == '$' ? TokenKind::kInterpolation : TokenKind::kDirective;
  const bool strip = At(begin + 2) == '~';
  cursor_ += strip ? 3 : 2;
  Token token = Make(kind, begin);
  token.strip = strip;
  mode_.at_line_start = false;
  Push(Mode{ModeKind::kSequence, false, 0, 0, 0});
  return token;
}

Token Scanner::NextInText() {
  if (place_ == Place::kQuote) Push(Mode{ModeKind::kQuoted, false, 0, 0, 0});
  return mode_.kind == ModeKind::kQuoted ? NextInQuoted() : NextInLines();
}

// Escapes are passed over here and decoded by the parser, which text without any spares: it stays a view of the source.
// A backslash does not take a line end with it, since the line end closes the template in any case (native-syntax.md,
// "Template Expressions": there are none in quotes).
Token Scanner::NextInQuoted() {
  const uint32_t begin = cursor_;
  bool has_escapes = false;
  while (true) {
    cursor_ = FindQuotedSpecial(data_, cursor_, size_);
    if (cursor_ == size_) break;
    const char c = data_[cursor_];
    if (c == '\\') {
      const char next = At(cursor_ + 1);
      if (cursor_ + 1 == size_ || next == '\n' || next == '\r') break;
      has_escapes = true;
      cursor_ += 2;
      continue;
    }
    if ((c == '$' || c == '%') && SkipTemplateCharacter(&has_escapes)) continue;
    break;
  }
  if (cursor_ > begin) {
    Token token = Make(TokenKind::kText, begin);
    token.has_escapes = has_escapes;
    return token;
  }
  if (cursor_ == size_) return Make(TokenKind::kEnd, cursor_);
  switch (data_[cursor_]) {
    case '"':
      Pop();
      return Operator(TokenKind::kCloseQuote, 1);
    case '\\':
      return Invalid(1,
                     "A backslash starts an escape sequence, but the line ends here. A literal backslash is written "
                     "\"\\\\\".");
    case '\n':
    case '\r':
      return BrokenNewline();
    default:
      return SequenceStart();
  }
}

bool Scanner::TakePlainText(SourceRange* text) {
  const uint32_t end = FindQuotedSpecial(data_, cursor_, size_);
  if (end == cursor_ || end == size_ || data_[end] != '"') return false;
  *text = {cursor_, end};
  cursor_ = end + 1;
  place_ = Place::kExpression;
  return true;
}

// A line end in a quoted template. When the string seems to go on below, all up to its quote is one invalid token.
// Otherwise the line end closes the template: a forgotten quote is likelier than text of many lines. When it stands in
// a sequence of another quoted template, the quote that started it was probably meant to end that one.
Token Scanner::BrokenNewline() {
  const uint32_t begin = cursor_;
  while (cursor_ < size_ && (data_[cursor_] == '\n' || data_[cursor_] == '\r')) ++cursor_;
  const size_t depth = outer_modes_.size();
  if (depth >= 2 && outer_modes_[depth - 1].kind == ModeKind::kSequence &&
      outer_modes_[depth - 2].kind == ModeKind::kQuoted) {
    for (int n = 0; n < 3; ++n) Pop();
    return Make(TokenKind::kBrokenSequence, begin);
  }
  Report({begin, cursor_}, DiagnosticCode::kMultiLineString,
         "A quoted string ends on the line on which it starts. Write a line end as \"\\n\", or use a heredoc for text "
         "of several lines.");
  uint32_t quote = 0;
  if (FindQuoteBelow(cursor_, &quote)) {
    cursor_ = quote;
    return Make(TokenKind::kInvalid, begin);
  }
  Pop();
  return Make(TokenKind::kBrokenNewline, begin);
}

// Whether the lines from `begin` on look like the rest of a string, up to `quote`: no line starts an item, and the
// first one with quotes has an odd number of them. The bound on the lines keeps the time linear where every line of a
// text has a quote that is not closed.
bool Scanner::FindQuoteBelow(uint32_t begin, uint32_t* quote) const {
  constexpr int kMaxLines = 32;
  for (int n = 0; n < kMaxLines && begin < size_; ++n) {
    const size_t newline = std::string_view(data_, size_).find('\n', begin);
    const uint32_t end = newline == std::string_view::npos ? size_ : static_cast<uint32_t>(newline);
    const std::string_view line(data_ + begin, end - begin);
    if (StartsItem(line)) return false;
    const size_t first = line.find('"');
    if (first != std::string_view::npos) {
      const bool has_sequences = line.find("${") < first || line.find("%{") < first;
      *quote = begin + static_cast<uint32_t>(has_sequences ? line.rfind('"') : first);
      return std::count(line.begin(), line.end(), '"') % 2 == 1;
    }
    begin = end + 1;
  }
  return false;
}

// Whether `line` is empty, starts with a closing brace, or with a name before `=`, `{` or a quote. A quote that touches
// a word ends a string rather than starting a label, and `==` is a comparison. Nothing else about the line counts: this
// chooses between two readings of a text that is wrong in both.
bool Scanner::StartsItem(std::string_view line) const {
  const size_t name = line.find_first_not_of(" \t\r");
  if (name == std::string_view::npos || line[name] == '}') return true;
  const CodePoint first = DecodeUtf8(line, name);
  if (!IsIdStart(first.value)) return false;
  size_t after = name;
  while (after < line.size()) {
    const CodePoint code_point = DecodeUtf8(line, after);
    if (!IsIdContinue(code_point.value)) break;
    after += code_point.bytes;
  }
  after = line.find_first_not_of(" \t", after);
  if (after == std::string_view::npos) return false;
  const bool touches_quote = line[after] == '"' && after > name && line[after - 1] != ' ';
  return line[after] == '{' || (line[after] == '"' && !touches_quote) ||
         (line[after] == '=' && line.substr(after, 2) != "==");
}

// True when the line at the cursor holds the heredoc's marker and nothing else; `end` is then the offset of its line
// end. A marker on a last line without a line end does not count: the grammar has a newline behind it
// (native-syntax.md, "Template Expressions"). The blanks around it are those of Unicode.
bool Scanner::IsMarkerLine(const Mode& mode, uint32_t* end) const {
  const std::string_view text(data_, size_);
  const auto skip_spaces = [&](uint32_t at) {
    while (at < size_ && data_[at] != '\n') {
      const CodePoint code_point = DecodeUtf8(text, at);
      if (!IsSpace(code_point.value)) break;
      at += code_point.bytes;
    }
    return at;
  };
  const std::string_view marker = text.substr(mode.marker_begin, mode.marker_end - mode.marker_begin);
  uint32_t at = skip_spaces(cursor_);
  if (text.compare(at, marker.size(), marker) != 0) return false;
  at = skip_spaces(at + static_cast<uint32_t>(marker.size()));
  if (at >= size_ || data_[at] != '\n') return false;
  *end = data_[at - 1] == '\r' ? at - 1 : at;
  return true;
}

// A token of text ends with its line: the marker is looked for where a line starts, and the indentation of a flush
// heredoc is taken off line by line, from the tokens. A standalone template has no marker to look for.
Token Scanner::NextInLines() {
  const uint32_t begin = cursor_;
  uint32_t marker_line_end = 0;
  if (mode_.at_line_start && IsMarkerLine(mode_, &marker_line_end)) {
    cursor_ = marker_line_end;
    Pop();
    return Make(TokenKind::kCloseHeredoc, begin);
  }
  mode_.at_line_start = false;
  bool has_escapes = false;
  while (true) {
    cursor_ = FindLineSpecial(data_, cursor_, size_);
    if (cursor_ == size_) break;
    if (data_[cursor_] == '\n') {
      ++cursor_;
      mode_.at_line_start = mode_.kind == ModeKind::kHeredoc;
      break;
    }
    if (!SkipTemplateCharacter(&has_escapes)) break;
  }
  if (cursor_ > begin) {
    Token token = Make(TokenKind::kText, begin);
    token.has_escapes = has_escapes;
    return token;
  }
  return cursor_ == size_ ? Make(TokenKind::kEnd, cursor_) : SequenceStart();
}

}  // namespace internal
}  // namespace hcl

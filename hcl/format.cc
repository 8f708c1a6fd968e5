// FormatConfig: blanks between tokens, line by line.
//
// A line has up to three cells: what it begins with, `=` with a value that closes all brackets it opens, and a comment
// at its end. Neighboring lines that have the second or third cell begin it in the same column. So a line is written
// once the run of lines around it is known; runs end at the first line without these cells.

#include "hclvm/hcl/format.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/lossless_reader.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/source_tree.h"
#include "hclvm/hcl/token.h"

namespace hcl {
namespace internal {
namespace {

constexpr uint32_t kIndentation = 2;  // blanks for each level
constexpr size_t kKinds = static_cast<size_t>(TokenKind::kComment) + 1;

constexpr int BracketsOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOpenBrace:
    case TokenKind::kOpenBracket:
    case TokenKind::kOpenParen:
    case TokenKind::kInterpolation:
    case TokenKind::kDirective:
      return 1;
    case TokenKind::kCloseBrace:
    case TokenKind::kCloseBracket:
    case TokenKind::kCloseParen:
    case TokenKind::kSequenceEnd:
      return -1;
    default:
      return 0;
  }
}

constexpr bool IsSequence(TokenKind kind) { return kind == TokenKind::kInterpolation || kind == TokenKind::kDirective; }

// Blanks between template text and its marks would be text.
constexpr bool IsInTemplate(TokenKind left, TokenKind right) {
  return left == TokenKind::kText || left == TokenKind::kOpenQuote || left == TokenKind::kOpenHeredoc ||
         right == TokenKind::kText || right == TokenKind::kCloseQuote || right == TokenKind::kCloseHeredoc;
}

// Whether a blank comes between tokens of these kinds, but for what HasBlank() knows better. The first rule that fits
// counts.
constexpr bool SeparatesKinds(TokenKind left, TokenKind right) {
  if (right == TokenKind::kNewline || right == TokenKind::kEnd) return false;
  if (left == TokenKind::kIdentifier && right == TokenKind::kOpenParen) return false;
  if (left == TokenKind::kDoubleColon || right == TokenKind::kDoubleColon) return false;
  if (left == TokenKind::kDot || right == TokenKind::kDot) return false;
  if (right == TokenKind::kComma || right == TokenKind::kEllipsis) return false;
  if (left == TokenKind::kComma) return true;
  if (IsInTemplate(left, right)) return false;
  const bool ends_value = left == TokenKind::kIdentifier || left == TokenKind::kNumber || BracketsOf(left) < 0;
  if (right == TokenKind::kOpenBracket && ends_value) return false;
  if (left == TokenKind::kNot) return false;
  if (left == TokenKind::kOpenBrace || right == TokenKind::kCloseBrace) {
    return left != TokenKind::kOpenBrace || right != TokenKind::kCloseBrace;
  }
  if (IsSequence(left) && right == TokenKind::kOpenBrace) return true;
  if (left == TokenKind::kCloseBrace && right == TokenKind::kSequenceEnd) return true;
  if (left == TokenKind::kSequenceEnd && IsSequence(right)) return false;
  return BracketsOf(left) <= 0 && BracketsOf(right) >= 0;
}

// After these, `-` is a sign; after anything else it subtracts.
constexpr bool PrecedesSign(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOpenParen:
    case TokenKind::kOpenBrace:
    case TokenKind::kOpenBracket:
    case TokenKind::kAssign:
    case TokenKind::kColon:
    case TokenKind::kComma:
    case TokenKind::kQuestion:
    case TokenKind::kNot:
#define BINARY_OPERATOR(name, spelling, level) case TokenKind::k##name:
#include "hclvm/internal/operators.def"
#undef BINARY_OPERATOR
      return true;
    default:
      return false;
  }
}

using Row = std::array<bool, kKinds>;
constexpr std::array<Row, kKinds> MakeBlanks() {
  std::array<Row, kKinds> blanks{};
  for (size_t left = 0; left < kKinds; ++left) {
    for (size_t right = 0; right < kKinds; ++right) {
      blanks[left][right] = SeparatesKinds(static_cast<TokenKind>(left), static_cast<TokenKind>(right));
    }
  }
  return blanks;
}
constexpr std::array<Row, kKinds> kBlanks = MakeBlanks();

constexpr std::array<int8_t, kKinds> MakeBrackets() {
  std::array<int8_t, kKinds> brackets{};
  for (size_t kind = 0; kind < kKinds; ++kind) {
    brackets[kind] = static_cast<int8_t>(BracketsOf(static_cast<TokenKind>(kind)));
  }
  return brackets;
}
constexpr std::array<int8_t, kKinds> kBrackets = MakeBrackets();

struct Piece {
  TokenKind kind;
  SourceRange range;
  uint32_t blanks;  // before it
};

// Tokens [begin, end) of `pieces_`. The cells begin at `assign` and at `comment`, or have none and are `end`.
struct Line {
  uint32_t begin;
  uint32_t assign;
  uint32_t comment;
  uint32_t end;
};

class Formatter {
 public:
  // `kept` are ranges whose text stays, in order and apart.
  Formatter(std::string_view text, std::vector<SourceRange> kept, uint64_t max_bytes)
      : text_(text), kept_(std::move(kept)), max_bytes_(max_bytes), reader_(text) {
    out_.reserve(text.size() + text.size() / 8);
    if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) line_begin_ = kByteOrderMark.size();
  }

  // The text, or nothing if it has more than `max_bytes`. Indentation and columns can make a text of any size large.
  std::optional<std::string> Run() {
    while (ReadLine()) {
      const Line& line = lines_.back();
      if (line.assign == line.end && line.comment == line.end) Flush();
      if (is_too_large_) return std::nullopt;
    }
    Flush();
    if (is_too_large_) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::string_view Text(const Piece& piece) const {
    return text_.substr(piece.range.begin, piece.range.end - piece.range.begin);
  }

  bool EndsLine(TokenKind kind, SourceRange range) const {
    return kind == TokenKind::kNewline || kind == TokenKind::kBrokenNewline || kind == TokenKind::kBrokenSequence ||
           (kind == TokenKind::kComment && text_[range.end - 1] == '\n');
  }

  // Adds the next line; false at the end of the text.
  bool ReadLine() {
    Line line;
    line.begin = static_cast<uint32_t>(pieces_.size());
    uint32_t assign = UINT32_MAX;
    // Brackets that are opened and not closed: on the line, before its `=`, and before its heredoc, or on the line.
    int brackets = 0;
    int before_assign = 0;
    int before_heredoc = 0;
    bool has_heredoc = false;
    TokenKind kind;
    do {
      const Token token = reader_.Next();
      kind = token.kind;
      if (kind == TokenKind::kEnd) break;
      if (kind == TokenKind::kAssign && assign == UINT32_MAX) {
        assign = static_cast<uint32_t>(pieces_.size());
        before_assign = brackets;
      }
      has_heredoc = has_heredoc || kind == TokenKind::kOpenHeredoc;
      brackets += kBrackets[static_cast<size_t>(kind)];
      if (!has_heredoc) before_heredoc = brackets;
      pieces_.push_back({kind, token.range, 0});
    } while (!EndsLine(kind, pieces_.back().range));
    line.end = static_cast<uint32_t>(pieces_.size());
    if (line.begin == line.end) return false;
    const bool has_comment = line.end - line.begin > 1 && pieces_.back().kind == TokenKind::kComment;
    line.comment = has_comment ? line.end - 1 : line.end;
    line.assign = line.end;
    const uint32_t line_end = kind == TokenKind::kEnd ? static_cast<uint32_t>(text_.size()) : pieces_.back().range.end;
    const bool keeps = Keeps(line_end);
    if (keeps) Keep(line, line_end);
    line_begin_ = line_end;
    if (keeps) return true;
    // Brackets in the text of a heredoc count in the second cell only, where they are closed.
    if (assign != UINT32_MAX && assign > line.begin && brackets == before_assign) line.assign = assign;
    Indent(line, line.assign == line.end ? before_heredoc : before_assign);
    Space(line.begin, std::min(line.assign, line.comment));
    if (line.assign != line.end) Space(line.assign, line.comment);
    lines_.push_back(line);
    return true;
  }

  // Whether a part of the line that ends at `line_end` is kept.
  bool Keeps(uint32_t line_end) {
    while (next_kept_ < kept_.size() && kept_[next_kept_].end <= line_begin_) ++next_kept_;
    return next_kept_ < kept_.size() && kept_[next_kept_].begin < line_end;
  }

  // Writes the line as it is. What it has besides kept parts counts for the indentation of the next ones.
  void Keep(const Line& line, uint32_t line_end) {
    int brackets = 0;
    size_t range = next_kept_;
    for (uint32_t n = line.begin; n < line.end; ++n) {
      const SourceRange at = pieces_[n].range;
      while (range < kept_.size() && kept_[range].end <= at.begin) ++range;
      if (range == kept_.size() || at.begin < kept_[range].begin) brackets += BracketsOf(pieces_[n].kind);
    }
    pieces_.resize(line.begin);
    Flush();
    out_.append(text_, line_begin_, line_end - line_begin_);
    Open(brackets);
    lines_.push_back({0, 0, 0, 0});
  }

  // A line that opens brackets, however many, takes the lines after it one level deeper, until as many are closed.
  void Open(int brackets) {
    if (brackets > 0) levels_.push_back(static_cast<uint32_t>(brackets));
    auto closed = static_cast<uint32_t>(brackets < 0 ? -brackets : 0);
    while (closed > 0 && !levels_.empty()) {
      const uint32_t taken = std::min(closed, levels_.back());
      closed -= taken;
      levels_.back() -= taken;
      if (levels_.back() == 0) levels_.pop_back();
    }
  }

  void Indent(const Line& line, int brackets) {
    if (pieces_[line.begin].kind == TokenKind::kNewline) return;
    if (brackets < 0) Open(brackets);
    pieces_[line.begin].blanks = kIndentation * static_cast<uint32_t>(levels_.size());
    if (brackets > 0) Open(brackets);
  }

  // Sets the blanks in a cell, and before the next one, as far as no column says otherwise.
  void Space(uint32_t begin, uint32_t end) {
    TokenKind before = TokenKind::kEnd;
    for (uint32_t n = begin; n + 1 < end; ++n) {
      const Piece* const after = n + 2 < pieces_.size() ? &pieces_[n + 2] : nullptr;
      pieces_[n + 1].blanks = HasBlank(before, pieces_[n], pieces_[n + 1], after) ? 1 : 0;
      before = pieces_[n].kind;
    }
  }

  // Whether what stands behind a dot, if anything does, would belong to a number before the dot.
  bool BelongsToNumber(const Piece* piece) const {
    if (piece == nullptr || piece->kind == TokenKind::kNumber) return true;
    const char first = text_[piece->range.begin];
    return piece->kind == TokenKind::kIdentifier && (first == 'e' || first == 'E');
  }

  // `before` and `after` are the tokens around the two.
  bool HasBlank(TokenKind before, const Piece& left, const Piece& right, const Piece* after) const {
    if (left.kind == TokenKind::kSubtract) {
      const bool is_decided = right.kind == TokenKind::kNewline || right.kind == TokenKind::kDot;
      return !is_decided && before != TokenKind::kEnd && !PrecedesSign(before);
    }
    // `in` is a keyword in a loop, and no list that is indexed. The reference takes it for one behind each name.
    if (left.kind == TokenKind::kIdentifier && before == TokenKind::kIdentifier &&
        kBrackets[static_cast<size_t>(right.kind)] != 0 && right.kind != TokenKind::kOpenParen && Text(left) == "in") {
      return true;
    }
    // A number takes a dot and digits to be a part of it: `a.0 .1` has two indices, `a.0.1` has a fraction. So it does
    // with what can be an exponent: `a.0 .e5`.
    const bool is_number =
        (left.kind == TokenKind::kNumber && right.kind == TokenKind::kDot && BelongsToNumber(after)) ||
        (left.kind == TokenKind::kDot && right.kind == TokenKind::kNumber && before == TokenKind::kNumber);
    if (is_number && left.range.end != right.range.begin) return true;
    return kBlanks[static_cast<size_t>(left.kind)][static_cast<size_t>(right.kind)];
  }

  // In grapheme clusters.
  uint32_t Columns(uint32_t begin, uint32_t end) const {
    uint32_t columns = 0;
    for (uint32_t n = begin; n < end; ++n) {
      const std::string_view text = Text(pieces_[n]);
      const bool is_plain = pieces_[n].kind != TokenKind::kText && pieces_[n].kind != TokenKind::kComment &&
                            pieces_[n].kind != TokenKind::kIdentifier;
      columns +=
          pieces_[n].blanks + static_cast<uint32_t>(is_plain || IsAscii(text) ? text.size() : CountGraphemes(text));
    }
    return columns;
  }

  // Puts the cells that begin at `cell` into one column, over each run of lines that have one.
  void Align(uint32_t Line::*cell) {
    for (size_t begin = 0; begin < lines_.size(); ++begin) {
      size_t end = begin;
      uint32_t widest = 0;
      columns_.clear();
      for (; end < lines_.size() && lines_[end].*cell != lines_[end].end; ++end) {
        columns_.push_back(Columns(lines_[end].begin, lines_[end].*cell));
        widest = std::max(widest, columns_.back());
      }
      for (size_t n = begin; n < end; ++n) pieces_[lines_[n].*cell].blanks = widest - columns_[n - begin] + 1;
      begin = end;
    }
  }

  // Writes the lines that are read, which end a run.
  void Flush() {
    Align(&Line::assign);
    Align(&Line::comment);
    size_t bytes = 0;
    for (const Piece& piece : pieces_) bytes += piece.blanks + (piece.range.end - piece.range.begin);
    const size_t size = out_.size();
    is_too_large_ = is_too_large_ || bytes > max_bytes_ || size > max_bytes_ - bytes;
    if (is_too_large_) return;
    out_.resize(size + bytes + kCopied);
    char* to = out_.data() + size;
    for (const Piece& piece : pieces_) to = Write(piece, to);
    out_.resize(size + bytes);
    pieces_.clear();
    lines_.clear();
  }

  // Short texts are copied as so many bytes, which takes no call.
  static constexpr size_t kCopied = 16;

  // Writes blanks and text. `to` has room for kCopied bytes more.
  char* Write(const Piece& piece, char* to) const {
    if (piece.blanks <= kCopied) {
      std::memset(to, ' ', kCopied);
    } else {
      std::memset(to, ' ', piece.blanks);
    }
    to += piece.blanks;
    const uint32_t bytes = piece.range.end - piece.range.begin;
    if (bytes <= kCopied && text_.size() - piece.range.begin >= kCopied) {
      std::memcpy(to, text_.data() + piece.range.begin, kCopied);
    } else {
      std::memcpy(to, text_.data() + piece.range.begin, bytes);
    }
    return to + bytes;
  }

  const std::string_view text_;
  const std::vector<SourceRange> kept_;
  const uint64_t max_bytes_;
  LosslessReader reader_;
  bool is_too_large_ = false;
  size_t next_kept_ = 0;
  uint32_t line_begin_ = 0;
  std::vector<uint32_t> levels_;   // for each level the brackets that are open
  std::vector<Piece> pieces_;      // of the lines that are not written
  std::vector<Line> lines_;        // those
  std::vector<uint32_t> columns_;  // of a run
  std::string out_;
};

bool Parses(std::string_view item, const Limits& limits) {
  const Source source("", std::string(item) + "\n");
  ParseOptions options;
  options.limits = limits;
  Diagnostics diagnostics(1);
  ParseConfig(source, options, &diagnostics);
  return !diagnostics.has_errors();
}

// Whether `at` is in the item or in the rest of its last line, with the line end.
bool IsOnLinesOf(std::string_view text, SourceRange item, uint32_t at) {
  return item.begin <= at &&
         (at <= item.end || text.substr(item.end, at - item.end).find('\n') == std::string_view::npos);
}

// The items that are wrong, in order and apart: those that do not parse alone, and those that an error is about. The
// parser skips much of the text after an error, and how much depends on the layout, so that its errors are not enough.
// False where anything may be wrong. Time: linear in the text.
bool FindKept(const Source& source, const Limits& limits, const Diagnostics& diagnostics,
              std::vector<SourceRange>* kept) {
  if (diagnostics.has_limit() || diagnostics.left_out() > 0) return false;
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(std::string(source.text()));
  if (!tree.ok()) return false;
  for (uint32_t n = 1; n < tree->nodes().size(); ++n) {
    const SourceNode& node = tree->nodes()[n];
    const SourceRange range = tree->RangeOf(n);
    const bool is_whole = node.kind == SourceNodeKind::kBlock
                              ? node.close != kNoSource
                              : node.kind == SourceNodeKind::kAttribute && Parses(source.Slice(range), limits);
    if (!is_whole) kept->push_back(range);
  }
  const size_t alone = kept->size();
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.code == DiagnosticCode::kAttributeRedefined) continue;
    if (!diagnostic.subject) return false;
    const uint32_t subject = diagnostic.subject->begin;
    const uint32_t context = diagnostic.context.value_or(*diagnostic.subject).begin;
    const auto is_known = [&](SourceRange item) {
      return IsOnLinesOf(source.text(), item, subject) || IsOnLinesOf(source.text(), item, context);
    };
    if (std::any_of(kept->begin(), kept->begin() + static_cast<ptrdiff_t>(alone), is_known)) continue;
    uint32_t node = tree->NodeAt(subject);
    if (node == SourceTree::kRoot) node = tree->NodeAt(context);
    if (node == SourceTree::kRoot) return false;
    kept->push_back(tree->RangeOf(node));
  }
  std::sort(kept->begin(), kept->end(), [](SourceRange a, SourceRange b) { return a.begin < b.begin; });
  size_t count = 0;
  for (const SourceRange range : *kept) {
    if (count > 0 && range.begin < (*kept)[count - 1].end) {
      (*kept)[count - 1] = Cover((*kept)[count - 1], range);
    } else {
      (*kept)[count++] = range;
    }
  }
  kept->resize(count);
  return true;
}

// Formats what is right in a text with errors. How the scanner reads on after a missing quote depends on blanks in
// later lines, so that the result may be read in another way; then it is formatted again. A text that does not settle
// stays. Nothing where a text would be too large.
std::optional<std::string> FormatAround(const Source& source, const Limits& limits, const Diagnostics& diagnostics) {
  constexpr int kRounds = 4;
  std::vector<SourceRange> kept;
  if (!FindKept(source, limits, diagnostics, &kept)) return std::string(source.text());
  std::optional<std::string> text = Formatter(source.text(), kept, limits.max_output_bytes).Run();
  for (int n = 0; text && n < kRounds; ++n) {
    const Source next("", *text);
    Diagnostics found(limits.max_diagnostics);
    ParseOptions options;
    options.limits = limits;
    ParseConfig(next, options, &found);
    kept.clear();
    if (!FindKept(next, limits, found, &kept)) break;
    std::optional<std::string> again = Formatter(next.text(), kept, limits.max_output_bytes).Run();
    if (!again || again == text) return again;
    text = std::move(again);
  }
  if (!text) return text;
  return std::string(source.text());
}

}  // namespace
}  // namespace internal

std::string FormatConfig(const Source& source, const Limits& limits, Diagnostics* diagnostics) {
  ParseOptions options;
  options.limits = limits;
  options.allow_byte_order_mark = true;
  Diagnostics found(limits.max_diagnostics);
  ParseConfig(source, options, &found);
  for (const Diagnostic& diagnostic : found.kept()) diagnostics->Add(diagnostic);
  std::optional<std::string> text = found.has_errors()
                                        ? internal::FormatAround(source, limits, found)
                                        : internal::Formatter(source.text(), {}, limits.max_output_bytes).Run();
  if (text) return *std::move(text);
  diagnostics->AddLimit(SourceRange{0, 0}, DiagnosticCode::kOutputTooLarge,
                        absl::StrCat("The text in its layout has more than ", limits.max_output_bytes,
                                     " bytes (limit max_output_bytes), so that it stays as it is."));
  return std::string(source.text());
}

}  // namespace hcl

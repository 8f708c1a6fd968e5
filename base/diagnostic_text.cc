// Diagnostics as text for people.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"

namespace hcl {

using internal::DisplayWidth;
using internal::Printable;
using internal::PrintableLines;
namespace {

// Widest excerpt of a source line, in bytes; longer lines are cut around the subject.
constexpr size_t kMaxExcerptBytes = 160;
constexpr size_t kExcerptBytesBefore = 60;

constexpr char kRed[] = "\x1b[31m";
constexpr char kYellow[] = "\x1b[33m";
constexpr char kBold[] = "\x1b[1m";
constexpr char kReset[] = "\x1b[0m";

// What is shown of a line: a part of it with the subject's place in that part.
struct Excerpt {
  std::string_view text;
  size_t subject_begin;
  size_t subject_end;
  bool cut_before;
  bool cut_after;
};

// The nearest start of a code point at or before `at`.
size_t AlignBack(std::string_view line, size_t at) {
  for (int i = 0; i < 3 && at > 0 && at < line.size() && (static_cast<uint8_t>(line[at]) & 0xC0) == 0x80; ++i) --at;
  return at;
}

// The subject may begin at the line's end, where something is missing, and may go on over further lines: it is drawn in
// to the line first. Cuts fall on starts of code points, so that the excerpt of a well-formed line is well-formed.
Excerpt CutLine(std::string_view line, size_t subject_begin, size_t subject_end) {
  subject_begin = std::min(subject_begin, line.size());
  subject_end = std::clamp(subject_end, subject_begin, line.size());
  size_t begin = 0;
  size_t end = line.size();
  if (line.size() > kMaxExcerptBytes) {
    begin = AlignBack(line, subject_begin > kExcerptBytesBefore ? subject_begin - kExcerptBytesBefore : 0);
    end = AlignBack(line, std::min(line.size(), begin + kMaxExcerptBytes));
  }
  Excerpt excerpt;
  excerpt.text = line.substr(begin, end - begin);
  excerpt.subject_begin = subject_begin - begin;
  excerpt.subject_end = std::min(subject_end, end) - begin;
  excerpt.cut_before = begin > 0;
  excerpt.cut_after = end < line.size();
  return excerpt;
}

// Blanks as wide as `text`; tabs stay, so that the marker stands below its subject at any tab width.
std::string Blanks(std::string_view text) {
  std::string blanks;
  while (!text.empty()) {
    const size_t tab = std::min(text.find('\t'), text.size());
    blanks.append(DisplayWidth(text.substr(0, tab)), ' ');
    if (tab == text.size()) break;
    blanks.push_back('\t');
    text.remove_prefix(tab + 1);
  }
  return blanks;
}

// A line's number as wide as `width`, or blanks, and what divides it from the line.
void AppendMargin(std::string_view number, size_t width, std::string* out) {
  out->append("  ").append(width - number.size(), ' ').append(number).append(" | ");
}

// The line on which the context starts, and dots for lines between it and the subject's. The context's line number is
// the smaller one of the two, so it is never wider than `width`, which AppendMargin() requires.
void AppendContextLine(SourceRange context, const SourcePosition& subject, size_t width, const Source& source,
                       std::string* out) {
  const uint32_t line = source.LineAt(context.begin);
  if (line >= subject.line) return;
  const size_t begin = context.begin - source.LineStart(line);
  const Excerpt excerpt = CutLine(source.Line(line), begin, begin);
  AppendMargin(std::to_string(line), width, out);
  out->append(excerpt.cut_before ? "..." : "").append(Printable(excerpt.text));
  out->append(excerpt.cut_after ? "...\n" : "\n");
  if (line + 1 == subject.line) return;
  AppendMargin("", width, out);
  out->append("...\n");
}

// The mark is measured in cells of a terminal, where a wide character takes two, and not in the columns of the heading,
// which count grapheme clusters. It is measured on the printable form of the line, as that is what stands above it. An
// empty subject, such as the end of the text, has a mark of its own all the same.
void AppendPlace(SourceRange subject, const std::optional<SourceRange>& context, const Source& source,
                 const TextOptions& options, const char* color, std::string* out) {
  const SourcePosition start = source.PositionAt(subject.begin);
  out->append("  on ").append(Printable(source.name()));
  out->append(" line ").append(std::to_string(start.line));
  out->append(", column ").append(std::to_string(start.column)).append(options.hides_text ? "\n\n" : ":\n");
  if (options.hides_text) return;
  const std::string_view line = source.Line(start.line);
  const uint32_t line_start = source.LineStart(start.line);
  const size_t end = subject.end < line_start ? 0 : subject.end - line_start;
  const Excerpt excerpt = CutLine(line, subject.begin - line_start, end);
  const std::string number = std::to_string(start.line);
  if (context.has_value()) AppendContextLine(*context, start, number.size(), source, out);
  AppendMargin(number, number.size(), out);
  out->append(excerpt.cut_before ? "..." : "").append(Printable(excerpt.text));
  out->append(excerpt.cut_after ? "...\n" : "\n");

  const std::string_view marked =
      excerpt.text.substr(excerpt.subject_begin, excerpt.subject_end - excerpt.subject_begin);
  const size_t width = std::max<size_t>(1, DisplayWidth(Printable(marked)));
  AppendMargin("", number.size(), out);
  out->append(excerpt.cut_before ? "   " : "");
  out->append(Blanks(Printable(excerpt.text.substr(0, excerpt.subject_begin))));
  out->append(color).append(width, '^').append(*color != '\0' ? kReset : "").append("\n\n");
}

// A line for each value, the names below each other.
void AppendValues(const std::vector<NamedValue>& values, std::string* out) {
  for (size_t n = 0; n < values.size(); ++n) {
    out->append(n == 0 ? "  where " : "        ").append(Printable(values[n].name));
    out->append(" is ").append(Printable(values[n].text)).append("\n");
  }
  if (!values.empty()) out->push_back('\n');
}

// An empty line gets no indentation, so that no line of the text ends in blanks.
void AppendIndented(std::string_view lines, std::string* out) {
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    if (end > 0) out->append("  ").append(lines.substr(0, end));
    out->push_back('\n');
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace

// The entry's own source comes before the caller's: phases that read several texts set it. A message without a source
// is worth showing all the same, so it goes without a place.
std::string ToText(const Diagnostic& diagnostic, const Source* source, const TextOptions& options) {
  const bool is_error = diagnostic.severity == Severity::kError;
  const char* const color = !options.color ? "" : is_error ? kRed : kYellow;
  const char* const bold = options.color ? kBold : "";
  const char* const reset = options.color ? kReset : "";
  std::string text;
  text.append(bold).append(color).append(is_error ? "Error[" : "Warning[");
  text.append(CodeText(diagnostic.code)).append("]").append(reset);
  if (diagnostic.source != nullptr) source = diagnostic.source;
  text.append(bold).append(": ").append(Printable(diagnostic.summary)).append(reset).append("\n\n");
  if (source != nullptr && diagnostic.subject.has_value()) {
    AppendPlace(*diagnostic.subject, diagnostic.context, *source, options, color, &text);
  }
  AppendValues(diagnostic.values, &text);
  AppendIndented(PrintableLines(diagnostic.detail), &text);
  return text;
}

// Repeated neighbors are counted but not kept, so they are among those that were left out.
std::string ToText(const Diagnostics& diagnostics, const Source* source, const TextOptions& options) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!text.empty()) text.push_back('\n');
    text += ToText(diagnostic, source, options);
  }
  const size_t left_out = diagnostics.left_out();
  if (left_out > 0) {
    text.append("\n").append(std::to_string(left_out));
    text.append(left_out == 1 ? " more was left out.\n" : " more were left out.\n");
  }
  return text;
}

}  // namespace hcl

// Source: line starts are found once, on the first question about a position.

#include "hclvm/base/source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hclvm/base/unicode.h"

namespace hcl {

using internal::GraphemeBytes;
using internal::IsAscii;
namespace {

constexpr size_t kMaxTextBytes = 0xFFFF'FFFEu;

// Columns before `offset` in `line`, where a cluster that reaches over `offset` does not count. In ASCII every byte is
// a cluster but for the two of a line end. The byte at `offset` belongs to that test: it may be the start of a mark
// that joins the cluster before it.
uint32_t ColumnsBefore(std::string_view line, size_t offset) {
  const size_t looked_at = std::min(line.size(), offset + 1);
  if (IsAscii(line.substr(0, looked_at))) {
    const bool inside_line_end = offset > 0 && offset < line.size() && line[offset] == '\n' && line[offset - 1] == '\r';
    return static_cast<uint32_t>(inside_line_end ? offset - 1 : offset);
  }
  uint32_t columns = 0;
  size_t at = 0;
  while (at < offset) {
    at += GraphemeBytes(line, at);
    if (at <= offset) ++columns;
  }
  return columns;
}

}  // namespace

Source::Source(std::string name, std::string text, uint32_t first_line)
    : name_(std::move(name)), text_(std::move(text)), first_line_(first_line) {
  if (text_.size() > kMaxTextBytes) text_.resize(kMaxTextBytes);
}

std::string_view Source::Slice(SourceRange range) const {
  const size_t end = std::min<size_t>(range.end, text_.size());
  const size_t begin = std::min<size_t>(range.begin, end);
  return text().substr(begin, end - begin);
}

// Made on first use: a text whose lines nobody asks for pays nothing for them. Sources are shared between threads,
// hence the once.
const std::vector<uint32_t>& Source::LineStarts() const {
  std::call_once(line_starts_once_, [this] {
    line_starts_.push_back(0);
    const char* const begin = text_.data();
    const char* const end = begin + text_.size();
    for (const char* at = begin; at != end;) {
      const char* newline = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
      if (newline == nullptr) break;
      at = newline + 1;
      line_starts_.push_back(static_cast<uint32_t>(at - begin));
    }
  });
  return line_starts_;
}

// The first line starts at 0, so that there is always a start at or before `offset`.
SourcePosition Source::PositionAt(uint32_t offset) const {
  offset = static_cast<uint32_t>(std::min<size_t>(offset, text_.size()));
  const std::vector<uint32_t>& starts = LineStarts();
  const auto next_line = std::upper_bound(starts.begin(), starts.end(), offset);
  SourcePosition position;
  position.line = static_cast<uint32_t>(next_line - starts.begin()) + first_line_ - 1;
  const uint32_t line_start = *(next_line - 1);
  const size_t line_end = next_line == starts.end() ? text_.size() : *next_line;
  const std::string_view line = text().substr(line_start, line_end - line_start);
  position.column = 1 + ColumnsBefore(line, offset - line_start);
  position.byte = offset;
  return position;
}

uint32_t Source::LineStart(uint32_t line) const {
  const std::vector<uint32_t>& starts = LineStarts();
  if (line < first_line_) return 0;
  line -= first_line_ - 1;
  if (line > starts.size()) return static_cast<uint32_t>(text_.size());
  return starts[line - 1];
}

// A carriage return belongs to the line end only before a line feed; anywhere else it is a character of the line.
std::string_view Source::Line(uint32_t line) const {
  const std::vector<uint32_t>& starts = LineStarts();
  if (line < first_line_) return {};
  line -= first_line_ - 1;
  if (line > starts.size()) return {};
  const size_t begin = starts[line - 1];
  size_t end = line < starts.size() ? starts[line] : text_.size();
  if (end > begin && text_[end - 1] == '\n') {
    --end;
    if (end > begin && text_[end - 1] == '\r') --end;
  }
  return text().substr(begin, end - begin);
}

}  // namespace hcl

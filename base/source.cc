// Source: line starts are found once, on the first question about a position.

#include "hclvm/base/source.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "hclvm/base/column_index.h"

namespace hcl {

using internal::ColumnIndex;
using internal::ColumnsBefore;
namespace {

constexpr size_t kMaxTextBytes = 0xFFFF'FFFEu;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Source::Source(std::string name, std::string text, uint32_t first_line)
    : name_(std::move(name)), text_(std::move(text)), first_line_(first_line) {
  if (text_.size() > kMaxTextBytes) text_.resize(kMaxTextBytes);
}

Source::~Source() = default;

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

// Made on first use likewise: hardly any text has long lines, and hardly any of those has something wrong in it.
const ColumnIndex& Source::Columns() const {
  std::call_once(columns_once_, [this] { columns_ = std::make_unique<const ColumnIndex>(text_, LineStarts()); });
  return *columns_;
}

// The first line starts at 0, so that there is always a start at or before `offset`.
size_t Source::LineIndex(size_t offset) const {
  const std::vector<uint32_t>& starts = LineStarts();
  return static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), offset) - starts.begin()) - 1;
}

uint32_t Source::LineAt(uint32_t offset) const {
  return static_cast<uint32_t>(LineIndex(std::min<size_t>(offset, text_.size()))) + first_line_;
}

// A text can have as many mistakes as a tenth of its bytes, all of them in one line. So a long line is not gone over
// for each of them.
SourcePosition Source::PositionAt(uint32_t offset) const {
  offset = static_cast<uint32_t>(std::min<size_t>(offset, text_.size()));
  const std::vector<uint32_t>& starts = LineStarts();
  const size_t index = LineIndex(offset);
  const size_t line_end = index + 1 == starts.size() ? text_.size() : starts[index + 1];
  const std::string_view line = text().substr(starts[index], line_end - starts[index]);
  const size_t in_line = offset - starts[index];
  SourcePosition position;
  position.line = static_cast<uint32_t>(index) + first_line_;
  position.column = 1 + (ColumnIndex::IsShort(line.size()) ? ColumnsBefore(line, in_line)
                                                           : Columns().ColumnsInLine(line, starts[index], in_line));
  // A byte order mark takes no column.
  if (index == 0 && in_line >= kByteOrderMark.size() && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    --position.column;
  }
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

// ColumnIndex: marks in long lines.

#include "hclvm/base/column_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hclvm/base/unicode.h"

namespace hcl::internal {

// In ASCII every byte is a cluster but for the two of a line end. The byte at `offset` belongs to that test: it may be
// the start of a mark that joins the cluster before it.
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

ColumnIndex::ColumnIndex(std::string_view text, const std::vector<uint32_t>& line_starts) {
  for (size_t n = 0; n < line_starts.size(); ++n) {
    const size_t end = n + 1 < line_starts.size() ? line_starts[n + 1] : text.size();
    const size_t size = end - line_starts[n];
    if (!IsShort(size)) AddLine(text.substr(line_starts[n], size), line_starts[n]);
  }
}

// A stride of ASCII is passed over at once, unless the line's end is near, whose two bytes are one cluster. A cluster
// may have any number of bytes. One that is longer than a stride stands between two marks of its own, so that nobody
// has to go over it again to count it as one.
void ColumnIndex::AddLine(std::string_view line, uint32_t line_start) {
  uint32_t columns = 0;
  for (size_t at = 0; at < line.size();) {
    marks_.push_back({line_start + static_cast<uint32_t>(at), columns});
    const size_t begin = at;
    if (at + kStride + 2 <= line.size() && IsAscii(line.substr(at, kStride + 1))) {
      at += kStride;
      columns += kStride;
      continue;
    }
    while (at < line.size() && at - begin < kStride) {
      const size_t bytes = GraphemeBytes(line, at);
      if (bytes > kStride && at > begin) break;
      at += bytes;
      ++columns;
    }
  }
}

uint32_t ColumnIndex::ColumnsInLine(std::string_view line, uint32_t line_start, size_t offset) const {
  // The mark at the line's end is the next line's.
  const size_t in_line = std::min(offset, line.size() - 1);
  const auto next = std::upper_bound(marks_.begin(), marks_.end(), line_start + in_line,
                                     [](size_t value, const Mark& mark) { return value < mark.offset; });
  const Mark& mark = *(next - 1);
  const size_t begin = mark.offset - line_start;
  const size_t end = next == marks_.end() ? line.size() : std::min<size_t>(next->offset - line_start, line.size());
  // One cluster, which counts where it has ended: at the line's end.
  if (end - begin > 2 * kStride) return mark.columns + (offset == end ? 1 : 0);
  return mark.columns + ColumnsBefore(line.substr(begin, end - begin), offset - begin);
}

}  // namespace hcl::internal

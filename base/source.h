// Source text: bytes with a name, byte ranges in it, and the way from a byte offset to a line and column.
//
// Tested by base/source_test.cc.

#ifndef HCLVM_BASE_SOURCE_H_
#define HCLVM_BASE_SOURCE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/internal/cxx17.h"

namespace hcl {
namespace internal {
class ColumnIndex;
}

// Half-open range of byte offsets in one source. `begin == end` marks a point, e.g. the end of the text.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin == end; }
  friend bool operator==(SourceRange a, SourceRange b) { return a.begin == b.begin && a.end == b.end; }
  friend bool operator!=(SourceRange a, SourceRange b) { return !(a == b); }
};

// The smallest range that holds both.
inline SourceRange Cover(SourceRange a, SourceRange b) {
  return {a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}

// A place as people count it.
struct SourcePosition {
  uint32_t line = 1;    // from 1; a line ends with "\n" or "\r\n"
  uint32_t column = 1;  // from 1, in grapheme clusters (UAX #29); a tab is one column
  uint32_t byte = 0;    // from 0
};

// Immutable and thread-safe after construction. Owns its text; views of it live as long as the source does.
class Source {
 public:
  // `name` is what diagnostics show (a path, `<expression>`). `text` may hold any bytes; at most 4 GiB - 2 are kept
  // and limits are for the phases to check (Limits::max_source_bytes). `first_line` is the number of its first line,
  // for a text that is a part of a file; bytes count from the text's beginning all the same.
  Source(std::string name, std::string text, uint32_t first_line = 1);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source();

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  // The bytes of `range`, cut to the text.
  std::string_view Slice(SourceRange range) const;

  // Line and column of the byte at `offset` (cut to the text's length). An offset inside a grapheme cluster counts as
  // that cluster. Time: logarithmic, however long the line is, after one pass over the text for the first call.
  SourcePosition PositionAt(uint32_t offset) const;

  // PositionAt(offset).line, in less time.
  uint32_t LineAt(uint32_t offset) const;

  // Text of the line (counted from the first line's number) without its line end; empty past the last line.
  std::string_view Line(uint32_t line) const;

  // Byte offset at which `line` (counted likewise) starts; the text's length past the last line.
  uint32_t LineStart(uint32_t line) const;

 private:
  const std::vector<uint32_t>& LineStarts() const;
  const internal::ColumnIndex& Columns() const;
  size_t LineIndex(size_t offset) const;  // in LineStarts()

  std::string name_;
  std::string text_;
  uint32_t first_line_;
  mutable std::once_flag line_starts_once_;
  mutable std::vector<uint32_t> line_starts_;
  mutable std::once_flag columns_once_;
  mutable std::unique_ptr<const internal::ColumnIndex> columns_;  // of the long lines
};

}  // namespace hcl

#endif  // HCLVM_BASE_SOURCE_H_

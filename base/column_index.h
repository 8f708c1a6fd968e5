// ColumnIndex: columns in lines that are too long to be gone over for each question.
//
// Tested by base/column_index_test.cc.

#ifndef HCLVM_BASE_COLUMN_INDEX_H_
#define HCLVM_BASE_COLUMN_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hcl::internal {

// Columns before the byte at `offset` in `line`, which goes on to its end, "\n" included: the number of grapheme
// clusters that end there or before. `offset` may be the line's end only in the last line of a text. Time: linear in
// `offset` and the size of the cluster there.
uint32_t ColumnsBefore(std::string_view line, size_t offset);

// Immutable after construction, and then thread-safe. Its marks stand on starts of grapheme clusters. From each mark to
// the next one, or to the line's end, it is at most 2 * kStride bytes, or one cluster.
class ColumnIndex {
 public:
  // Bytes of a line that are gone over in little time.
  static constexpr size_t kStride = 256;

  // A cluster starts at `offset` of the text, with `columns` before it in its line.
  struct Mark {
    uint32_t offset;
    uint32_t columns;
  };

  // Lines of at most this size have no marks and no use for any.
  static bool IsShort(size_t line_bytes) { return line_bytes <= 2 * kStride; }

  // Goes over the lines of `text` that are not short. They start at `line_starts`, which rise from 0.
  ColumnIndex(std::string_view text, const std::vector<uint32_t>& line_starts);

  // ColumnsBefore(line, offset) for the line that starts at `line_start` of the text. Requires a line that is not
  // short. Looks at 2 * kStride bytes of it at most; finding the mark takes logarithmic time.
  uint32_t ColumnsInLine(std::string_view line, uint32_t line_start, size_t offset) const;

  // In the order of their offsets.
  const std::vector<Mark>& marks() const { return marks_; }

 private:
  void AddLine(std::string_view line, uint32_t line_start);

  std::vector<Mark> marks_;
};

}  // namespace hcl::internal

#endif  // HCLVM_BASE_COLUMN_INDEX_H_

// RangeTable: the source ranges of a program's instructions, packed into few bytes. Read only when something fails.
//
// Tested by vm/range_table_test.cc.

#ifndef HCLVM_VM_RANGE_TABLE_H_
#define HCLVM_VM_RANGE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/packed_integers.h"

namespace hcl::internal {

// The ranges of one instruction, in the order of span_role in vm/operations.h.
using InstructionRanges = absl::InlinedVector<SourceRange, 6>;

// A view of what a RangeTableWriter has written. Immutable.
//
// One entry for each instruction with ranges, in code order: the distance to the instruction before, the number of
// ranges, and for each its begin, as the distance to the one before, and its length; all in variable-length integers.
// Distances start anew at each mark, so that a search decodes few entries.
class RangeTable {
 public:
  // Where a group of at most kEntriesPerMark entries begins, and the offset of its first instruction.
  struct Mark {
    uint32_t pc;
    uint32_t offset;
  };
  static constexpr uint32_t kEntriesPerMark = 16;

  RangeTable() = default;
  // Both must outlive the table.
  RangeTable(absl::Span<const uint8_t> bytes, absl::Span<const Mark> marks) : bytes_(bytes), marks_(marks) {}

  // Ranges of the instruction at `pc`; empty when it has none.
  InstructionRanges At(uint32_t pc) const;
  // The last instruction before `pc` that has ranges.
  std::optional<uint32_t> Before(uint32_t pc) const;

 private:
  friend class RangeTableWriter;
  class Reader;

  Reader ReaderAt(size_t mark) const;

  absl::Span<const uint8_t> bytes_;
  absl::Span<const Mark> marks_;
};

// Not thread-safe.
class RangeTableWriter {
 public:
  // Room for so many bytes and marks.
  void MakeRoom(size_t bytes, size_t marks) { bytes_.Reserve(bytes), marks_.Reserve(marks); }
  // Adds the ranges (at least one) of the instruction at `pc`, which is behind all before. Room is made beforehand for
  // what the entry could take at most, so that each integer is written where it stays.
  ABSL_ATTRIBUTE_ALWAYS_INLINE void Add(uint32_t pc, absl::Span<const SourceRange> ranges) {
    if (left_ == 0) BeginGroup(pc);
    --left_;
    uint8_t* const entry = bytes_.Reserve((2 + 2 * ranges.size()) * kMaxPackedBytes);
    uint8_t* at = PutPackedPair(pc - pc_, static_cast<uint32_t>(ranges.size()), entry);
    pc_ = pc;
    uint32_t begin = begin_;
    for (const SourceRange& range : ranges) {
      at = PutPackedPair(Zigzag(range.begin - begin), range.end - range.begin, at);
      begin = range.begin;
    }
    begin_ = begin;
    bytes_.Grow(static_cast<size_t>(at - entry));
  }
  // What is added from here on is in groups of its own, which can be copied.
  void EndGroup() { left_ = 0; }
  // Adds what `from` has of its instructions from `begin` on, up to `end`, which is in groups of its own, for those
  // that stand `moved` further behind (modulo 2^32).
  void AddGroups(const RangeTable& from, uint32_t begin, uint32_t end, uint32_t moved);

  // How much is written so far, and how to take back what was written since, between groups.
  struct Mark {
    size_t bytes, marks;
  };
  Mark Here() const { return {bytes_.size(), marks_.size()}; }
  void Rewind(Mark mark) {
    bytes_.Shrink(mark.bytes);
    marks_.Shrink(mark.marks);
    EndGroup();
  }

  // What is written so far; valid until more is added.
  absl::Span<const uint8_t> bytes() const { return bytes_; }
  absl::Span<const RangeTable::Mark> marks() const { return marks_; }

 private:
  ABSL_ATTRIBUTE_NOINLINE void BeginGroup(uint32_t pc);

  PlainList<uint8_t, 256> bytes_;
  PlainList<RangeTable::Mark, 8> marks_;
  uint32_t left_ = 0;   // entries that the last group takes
  uint32_t pc_ = 0;     // of the last entry
  uint32_t begin_ = 0;  // of the last range
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_RANGE_TABLE_H_

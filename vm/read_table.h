// ReadTable: which variables the expressions of a program read, and where, packed into few bytes. For messages only,
// which name the values that are involved: what an expression reads is known of its text and has nothing to do with its
// code.
//
// Tested by vm/read_table_test.cc.

#ifndef HCLVM_VM_READ_TABLE_H_
#define HCLVM_VM_READ_TABLE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"

namespace hcl::internal {

// A place in the source that reads a variable.
struct Read {
  static constexpr uint32_t kLocalBit = 0x8000'0000;
  SourceRange range;
  uint32_t path;  // index in ProgramTables::paths(); with kLocalBit, in ProgramTables::local_paths()
};

// A view of what a ReadTableWriter has written. Immutable.
//
// Reads of one expression stand in groups, each behind a mark: for each read its begin, as the distance to the one
// before in its group, its length and its path.
class ReadTable {
 public:
  // Where a group begins. The code from `pc` on, up to the next mark with another one, is that of its expression.
  struct Mark {
    uint32_t pc;
    uint32_t offset;
  };
  static constexpr uint32_t kReadsPerMark = 32;

  // Goes over the reads of one expression, by where they begin.
  class Reader {
   public:
    Reader() = default;
    // Of the groups of the marks from `mark` to `end`, the last of which ends at `last`.
    Reader(const uint8_t* bytes, const Mark* mark, const Mark* end, const uint8_t* last)
        : bytes_(bytes), mark_(mark), end_(end), last_(last) {}

    // Moves to the next read, if there is one.
    bool Next(Read* read);

   private:
    const uint8_t* bytes_ = nullptr;
    const Mark* mark_ = nullptr;  // of the group that comes next
    const Mark* end_ = nullptr;
    const uint8_t* last_ = nullptr;
    const uint8_t* at_ = nullptr;
    const uint8_t* group_end_ = nullptr;
    uint32_t begin_ = 0;
  };

  ReadTable() = default;
  // Both must outlive the table.
  ReadTable(absl::Span<const uint8_t> bytes, absl::Span<const Mark> marks) : bytes_(bytes), marks_(marks) {}

  // Where the expression begins whose code the instruction at `pc` belongs to or follows; nullptr where there is none.
  const uint32_t* BeginAt(uint32_t pc) const;
  // The reads of that expression that begin at `begin` or behind it, and up to kReadsPerMark of those before. Time:
  // logarithmic in their number.
  Reader ReadsAt(uint32_t pc, uint32_t begin) const;

 private:
  // The first mark behind the expression at `pc`.
  const Mark* Behind(uint32_t pc) const;

  absl::Span<const uint8_t> bytes_;
  absl::Span<const Mark> marks_;
};

// Not thread-safe.
class ReadTableWriter {
 public:
  // Room for so many bytes and marks.
  void MakeRoom(size_t bytes, size_t marks) { bytes_.Reserve(bytes), marks_.Reserve(marks); }
  // The code from `pc` on, which is behind all before, is that of an expression whose reads are added from here on.
  // Expressions before that begin at `pc` too have no code: no message can be about their reads, which are dropped.
  void Begin(uint32_t pc) {
    while (!marks_.empty() && marks_.back().pc == pc) DropLastGroup();
    pc_ = pc;
  }
  void Add(SourceRange range, uint32_t path) { reads_.push_back({range, path}); }
  // All reads of the expression are added, in any order.
  void End();

  // How much is written so far, and how to take back what was written since, between expressions. Groups from before
  // the mark that Begin() has dropped since do not come back.
  struct Mark {
    size_t bytes, marks;
  };
  Mark Here() const { return {bytes_.size(), marks_.size()}; }
  void Rewind(Mark mark) {
    bytes_.Shrink(std::min(mark.bytes, bytes_.size()));
    marks_.Shrink(std::min(mark.marks, marks_.size()));
    reads_.clear();
  }

  // What is written so far; valid until more is added.
  absl::Span<const uint8_t> bytes() const { return bytes_; }
  absl::Span<const ReadTable::Mark> marks() const { return marks_; }

 private:
  void DropLastGroup() {
    bytes_.Shrink(marks_.back().offset);
    marks_.Shrink(marks_.size() - 1);
  }

  uint32_t pc_ = 0;
  PlainList<Read, 16> reads_;  // of the expression
  PlainList<uint8_t, 256> bytes_;
  PlainList<ReadTable::Mark, 2> marks_;
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_READ_TABLE_H_

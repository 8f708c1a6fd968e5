// Packed source ranges. Tested by vm/range_table_test.cc.

#include "hclvm/vm/range_table.h"

#include <algorithm>

#include "hclvm/vm/packed_integers.h"

namespace hcl::internal {
// Goes from entry to entry, up to the table's end. Ranges of operands lie before and behind each other, so that
// distances have both signs.
class RangeTable::Reader {
 public:
  Reader(const uint8_t* at, const uint8_t* end, uint32_t pc) : at_(at), end_(end), pc_(pc) {}

  // Moves to the next entry, if there is one.
  bool Next() {
    for (; left_ > 0; --left_) TakeRange();
    if (at_ == end_) return false;
    pc_ += Take();
    left_ = Take();
    return true;
  }

  // The instruction and the ranges of the current entry.
  uint32_t pc() const { return pc_; }
  InstructionRanges Ranges() {
    InstructionRanges ranges;
    for (; left_ > 0; --left_) ranges.push_back(TakeRange());
    return ranges;
  }

 private:
  uint32_t Take() { return TakePacked(&at_); }

  SourceRange TakeRange() {
    begin_ += Unzigzag(Take());
    return {begin_, begin_ + Take()};
  }

  const uint8_t* at_;
  const uint8_t* end_;
  uint32_t pc_;
  uint32_t begin_ = 0;
  uint32_t left_ = 0;  // ranges of the entry that are not read
};

// The reader ends where the next mark begins: distances start anew there, and the searched entry is in front of it.
RangeTable::Reader RangeTable::ReaderAt(size_t mark) const {
  const size_t end = mark + 1 < marks_.size() ? marks_[mark + 1].offset : bytes_.size();
  return Reader(bytes_.data() + marks_[mark].offset, bytes_.data() + end, marks_[mark].pc);
}

// A binary search over the marks leaves at most kEntriesPerMark entries to decode. Only failures ask for ranges, so
// that size counts for more than speed here.
InstructionRanges RangeTable::At(uint32_t pc) const {
  const auto next =
      std::upper_bound(marks_.begin(), marks_.end(), pc, [](uint32_t at, const Mark& mark) { return at < mark.pc; });
  if (next == marks_.begin()) return {};
  Reader reader = ReaderAt(static_cast<size_t>(next - marks_.begin()) - 1);
  while (reader.Next() && reader.pc() <= pc) {
    if (reader.pc() == pc) return reader.Ranges();
  }
  return {};
}

// The mark before `pc` has an entry before it, namely the marked one, so that one stretch is enough.
std::optional<uint32_t> RangeTable::Before(uint32_t pc) const {
  const auto next =
      std::lower_bound(marks_.begin(), marks_.end(), pc, [](const Mark& mark, uint32_t at) { return mark.pc < at; });
  if (next == marks_.begin()) return std::nullopt;
  std::optional<uint32_t> found;
  Reader reader = ReaderAt(static_cast<size_t>(next - marks_.begin()) - 1);
  while (reader.Next() && reader.pc() < pc) found = reader.pc();
  return found;
}

void RangeTableWriter::BeginGroup(uint32_t pc) {
  marks_.push_back({pc, static_cast<uint32_t>(bytes_.size())});
  left_ = RangeTable::kEntriesPerMark;
  pc_ = pc;
  begin_ = 0;
}

// A group says nothing of what stands before it, so that its bytes are the same elsewhere.
void RangeTableWriter::AddGroups(const RangeTable& from, uint32_t begin, uint32_t end, uint32_t moved) {
  const auto before = [](const RangeTable::Mark& mark, uint32_t at) { return mark.pc < at; };
  const auto first = std::lower_bound(from.marks_.begin(), from.marks_.end(), begin, before);
  const auto last = std::lower_bound(first, from.marks_.end(), end, before);
  EndGroup();
  if (first == last) return;
  const size_t bytes = (last == from.marks_.end() ? from.bytes_.size() : last->offset) - first->offset;
  for (auto mark = first; mark != last; ++mark) {
    marks_.push_back({mark->pc + moved, static_cast<uint32_t>(bytes_.size()) + mark->offset - first->offset});
  }
  bytes_.Append(from.bytes_.subspan(first->offset, bytes));
}

}  // namespace hcl::internal

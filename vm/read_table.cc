// Packed reads. Tested by vm/read_table_test.cc.

#include "hclvm/vm/read_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hclvm/vm/packed_integers.h"

namespace hcl::internal {
namespace {

// A path beside whether it is a loop's: the bit at the top would take all five bytes.
uint32_t Rotated(uint32_t path) { return path << 1 | path >> 31; }
uint32_t Unrotated(uint32_t number) { return number >> 1 | number << 31; }

}  // namespace

bool ReadTable::Reader::Next(Read* read) {
  while (at_ == group_end_) {
    if (mark_ == end_) return false;
    at_ = bytes_ + mark_->offset;
    ++mark_;
    group_end_ = mark_ == end_ ? last_ : bytes_ + mark_->offset;
    begin_ = 0;
  }
  begin_ += TakePacked(&at_);
  read->range.begin = begin_;
  read->range.end = begin_ + TakePacked(&at_);
  read->path = Unrotated(TakePacked(&at_));
  return true;
}

const ReadTable::Mark* ReadTable::Behind(uint32_t pc) const {
  return std::upper_bound(marks_.begin(), marks_.end(), pc, [](uint32_t at, const Mark& mark) { return at < mark.pc; });
}

const uint32_t* ReadTable::BeginAt(uint32_t pc) const {
  const Mark* const behind = Behind(pc);
  return behind == marks_.begin() ? nullptr : &behind[-1].pc;
}

// Groups of one expression are in order as their first reads are, none of which is missing where there are several.
// Reads that begin where the next group does may end the one before.
ReadTable::Reader ReadTable::ReadsAt(uint32_t pc, uint32_t begin) const {
  const Mark* const behind = Behind(pc);
  if (behind == marks_.begin()) return {};
  const uint8_t* const bytes = bytes_.data();
  const Mark* const first = std::lower_bound(marks_.begin(), behind, behind[-1].pc,
                                             [](const Mark& mark, uint32_t at) { return mark.pc < at; });
  const Mark* const from = std::partition_point(first + 1, behind, [&](const Mark& mark) {
    const uint8_t* at = bytes + mark.offset;
    return TakePacked(&at) < begin;
  });
  return Reader(bytes, from - 1, behind, behind == marks_.end() ? bytes + bytes_.size() : bytes + behind->offset);
}

// An expression that reads nothing hides the one before all the same. Most read no variables of loops, and are in
// order.
void ReadTableWriter::End() {
  const auto before = [](const Read& a, const Read& b) { return a.range.begin < b.range.begin; };
  auto offset = static_cast<uint32_t>(bytes_.size());
  if (reads_.empty()) return marks_.push_back({pc_, offset});
  if (!std::is_sorted(reads_.begin(), reads_.end(), before)) std::sort(reads_.begin(), reads_.end(), before);
  uint8_t* at = bytes_.Reserve(reads_.size() * 3 * kMaxPackedBytes);
  absl::Span<const Read> rest = reads_;
  while (!rest.empty()) {
    marks_.push_back({pc_, offset});
    const uint8_t* const group = at;
    uint32_t begin = 0;
    for (const Read& read : rest.first(std::min<size_t>(rest.size(), ReadTable::kReadsPerMark))) {
      at = PutPacked(read.range.begin - begin, at);
      begin = read.range.begin;
      at = PutPackedPair(read.range.end - begin, Rotated(read.path), at);
    }
    rest.remove_prefix(std::min<size_t>(rest.size(), ReadTable::kReadsPerMark));
    offset += static_cast<uint32_t>(at - group);
  }
  bytes_.Grow(offset - bytes_.size());
  reads_.clear();
}

}  // namespace hcl::internal

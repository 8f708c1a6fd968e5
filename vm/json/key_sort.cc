// KeySort: eight bytes at a time, by their digits where there are many keys, and by comparisons where there are few.
//
// A sort by comparisons alone takes a time that grows with the logarithm of their number. For a million keys of a few
// bytes that is most of the time of reading them.
//
// Tested by vm/json/key_sort_test.cc.

#include "hclvm/vm/json/key_sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "hclvm/base/word_bytes.h"

namespace hcl::internal {
namespace {

constexpr size_t kWordBytes = 8;
// So many keys are worth the tables of a sort by digits.
constexpr size_t kMany = 256;
// What keys have in common beyond so many bytes is compared as text. These bytes pay for the comparisons: the time for
// a byte is as small as elsewhere, and nothing recurses deeper than this.
constexpr size_t kMaxDepth = 32;

// The eight bytes of `text` from `depth` on, as a number that is ordered as they are.
uint64_t WordAt(std::string_view text, size_t depth) {
  if (text.size() <= depth) return 0;
  const size_t left = text.size() - depth;
  const char* at = text.data() + depth;
  if (left >= kWordBytes) return __builtin_bswap64(LoadWord(at));
  uint64_t word = 0;
  for (size_t i = 0; i < left; ++i) word |= uint64_t{static_cast<unsigned char>(at[i])} << (56 - 8 * i);
  return word;
}

}  // namespace

void KeySort::Sort(absl::Span<const Value> keys, std::vector<uint32_t>* order) {
  keys_ = keys;
  entries_.resize(keys.size());
  if (keys.size() >= kMany) other_.resize(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) entries_[i].index = i;
  SortRun(0, keys.size(), 0);
  order->resize(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) (*order)[i] = entries_[i].index;
}

// Sorts entries that agree in their first `depth` bytes, each by the next eight; then, what agrees in these as well.
// Keys that are in order already, as a writer may have sorted them, are moved nowhere.
void KeySort::SortRun(size_t begin, size_t end, size_t depth) {
  if (depth == kMaxDepth) {
    std::sort(entries_.begin() + static_cast<ptrdiff_t>(begin), entries_.begin() + static_cast<ptrdiff_t>(end),
              [this](const Entry& a, const Entry& b) {
                const int compared = keys_[a.index].AsString().compare(keys_[b.index].AsString());
                return compared != 0 ? compared < 0 : a.index < b.index;
              });
    return;
  }
  uint64_t varying;
  if (!LoadWords(begin, end, depth, &varying)) SortByWord(begin, end, varying);
  for (size_t run = begin; run < end;) {
    size_t next = run + 1;
    while (next < end && entries_[next].word == entries_[run].word) ++next;
    if (next - run > 1) SortRun(run, next, depth + kWordBytes);
    run = next;
  }
}

// Whether the entries are sorted by their words. *varying gets the bits in which some word differs from the first.
bool KeySort::LoadWords(size_t begin, size_t end, size_t depth, uint64_t* varying) {
  bool sorted = true;
  uint64_t last = 0;
  *varying = 0;
  for (size_t i = begin; i < end; ++i) {
    const uint64_t word = WordAt(keys_[entries_[i].index].AsString(), depth);
    entries_[i].word = word;
    sorted = sorted && word >= last;
    last = word;
    *varying |= word ^ entries_[begin].word;
  }
  return sorted;
}

// By digits: for each byte in which words differ, the last first, a pass that keeps the order of equal bytes. Entries
// come in the order of their indices, or sorted by what comes before, so that equal words keep that order.
void KeySort::SortByWord(size_t begin, size_t end, uint64_t varying) {
  if (end - begin < kMany) {
    std::sort(entries_.begin() + static_cast<ptrdiff_t>(begin), entries_.begin() + static_cast<ptrdiff_t>(end),
              [](const Entry& a, const Entry& b) { return a.word != b.word ? a.word < b.word : a.index < b.index; });
    return;
  }
  Entry* from = entries_.data() + begin;
  Entry* to = other_.data() + begin;
  const size_t size = end - begin;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((varying >> shift & 0xff) == 0) continue;
    std::array<uint32_t, 256> starts = {};
    for (size_t i = 0; i < size; ++i) ++starts[from[i].word >> shift & 0xff];
    uint32_t start = 0;
    for (uint32_t& count : starts) start += std::exchange(count, start);
    for (size_t i = 0; i < size; ++i) to[starts[from[i].word >> shift & 0xff]++] = from[i];
    std::swap(from, to);
  }
  if (from != entries_.data() + begin) std::memcpy(static_cast<void*>(to), from, size * sizeof(Entry));
}

}  // namespace hcl::internal

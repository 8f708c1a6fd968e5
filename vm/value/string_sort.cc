// Sorting strings: eight bytes at a time, by their digits where there are many, and by comparisons where there are few.
//
// A sort by comparisons alone takes a time that grows with the logarithm of their number, and waits for the memory of
// two texts in each. For a million keys of a few bytes that is most of the time of making an object of them.
//
// Tested by vm/value/string_sort_test.cc.

#include "hclvm/vm/value/string_sort.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "hclvm/base/word_bytes.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr size_t kWordBytes = 8;
// So many strings are worth the tables of a sort by digits.
constexpr size_t kMany = 256;
// Strings with the same word are sorted by the next one where there are so many, and compared otherwise.
constexpr size_t kRun = 24;
// What strings have in common beyond so many bytes, and beyond what is common to all, is compared as text. These bytes
// pay for the comparisons: the time for a byte is as small as elsewhere, and nothing recurses deeper than this.
constexpr size_t kMaxDepth = 32;
// How far ahead memory is asked for. Texts lie scattered, and the processor can wait for several at once.
constexpr size_t kAhead = 16;

// The eight bytes of `string` from `depth` on, as a number that is ordered as they are.
uint64_t WordAt(const Value& string, size_t depth) {
  if (TagOf(string) == Tag::kShortString) {
    return depth < kMaxInlineString ? HighOf(WordsOf(string, 0) << (8 * depth)) : 0;
  }
  const std::string_view text = string.AsString();
  if (text.size() <= depth) return 0;
  const size_t left = text.size() - depth;
  if (left >= kWordBytes) return __builtin_bswap64(LoadWord(text.data() + depth));
  // What is not short is longer than a word, so that the last eight bytes can be read.
  static_assert(kMaxInlineString >= kWordBytes);
  return __builtin_bswap64(LoadWord(text.data() + text.size() - kWordBytes)) << (8 * (kWordBytes - left));
}

// A pass over words: what there is to sort.
struct Loaded {
  bool sorted = true;    // they are in order
  uint64_t varying = 0;  // the bits in which some word differs from the first
  size_t longest = 0;    // bytes of the longest string
};

class StringSorter {
 public:
  // `strings` stand `stride` values apart.
  StringSorter(const Value* strings, size_t stride, size_t count, StringSortEntry* entries)
      : strings_(strings), stride_(stride), entries_(entries), scratch_(entries + count) {}

  // What all strings begin with is left out, which spares a pass for each eight bytes of it. It is guessed from a few
  // strings, so that texts are looked at once, and a wrong guess costs one more look.
  bool Sort(size_t count) {
    for (uint32_t i = 0; i < count; ++i) entries_[i] = {0, i};
    if (count < 2) return false;
    const size_t guess = count < kRun ? 0 : CommonPrefixOfSome(count);
    const size_t prefix = guess < kWordBytes / 2 ? 0 : guess;  // less is not worth the look
    if (prefix > 0 && !AllBeginWith(string(0).AsString().substr(0, prefix), count)) {
      SortRun(0, count, 0, kMaxDepth);
    } else {
      SortRun(0, count, prefix, prefix + kMaxDepth);
    }
    return has_equal_;
  }

 private:
  const Value& string(size_t index) const { return strings_[index * stride_]; }
  const Value& StringOf(const StringSortEntry& entry) const { return string(entry.index); }

  void Prefetch(size_t position, size_t depth) const {
    __builtin_prefetch(StringOf(entries_[position]).AsString().data() + depth);
  }

  size_t CommonPrefixOfSome(size_t count) const {
    constexpr size_t kSome = 16;
    const Value& first_string = string(0);
    const std::string_view first = first_string.AsString();
    size_t prefix = first.size();
    for (size_t i = 1; i <= kSome; ++i) {
      const std::string_view other = string((count - 1) * i / kSome).AsString();
      prefix = std::min(prefix, other.size());
      size_t same = 0;
      while (same < prefix && first[same] == other[same]) ++same;
      prefix = same;
    }
    return prefix;
  }

  bool AllBeginWith(std::string_view prefix, size_t count) const {
    for (size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) Prefetch(i + kAhead, 0);
      const std::string_view text = string(i).AsString();
      if (text.size() < prefix.size() || std::memcmp(text.data(), prefix.data(), prefix.size()) != 0) return false;
    }
    return true;
  }

  // Sorts entries that agree in their first `depth` bytes, each by the next eight; then, what agrees in these as well.
  // Strings that are in order already, as a writer may have sorted them, are moved nowhere. Recursion ends at `limit`.
  void SortRun(size_t begin, size_t end, size_t depth, size_t limit) {
    const Loaded loaded = LoadWords(begin, end, depth);
    if (!loaded.sorted) SortByWord(begin, end, loaded.varying);
    depth += kWordBytes;
    for (size_t run = begin; run < end;) {
      size_t next = run + 1;
      while (next < end && entries_[next].word == entries_[run].word) ++next;
      // The texts of strings that will be compared soon.
      if (run + kAhead + 1 < end && entries_[run + kAhead].word == entries_[run + kAhead + 1].word) {
        Prefetch(run + kAhead, depth);
        Prefetch(run + kAhead + 1, depth);
      }
      if (next - run > 1) {
        if (loaded.longest <= depth) {
          SortEnded(run, next);
        } else if (next - run < kRun || depth >= limit) {
          SortByComparison(run, next, depth - kWordBytes);
        } else {
          SortRun(run, next, depth, limit);
        }
      }
      run = next;
    }
  }

  Loaded LoadWords(size_t begin, size_t end, size_t depth) {
    Loaded loaded;
    uint64_t last = 0;
    for (size_t i = begin; i < end; ++i) {
      if (i + kAhead < end) Prefetch(i + kAhead, depth);
      const Value& string = StringOf(entries_[i]);
      const uint64_t word = WordAt(string, depth);
      entries_[i].word = word;
      loaded.sorted &= word >= last;
      last = word;
      loaded.varying |= word ^ entries_[begin].word;
      loaded.longest = std::max(loaded.longest, string.AsString().size());
    }
    return loaded;
  }

  // By digits: for each byte in which words differ, the last first, a pass that keeps the order of equal bytes. Entries
  // come in the order of their indices, or sorted by what comes before, so that equal words keep that order.
  void SortByWord(size_t begin, size_t end, uint64_t varying) {
    if (end - begin < kMany) {
      std::sort(entries_ + begin, entries_ + end, [](const StringSortEntry& a, const StringSortEntry& b) {
        return a.word != b.word ? a.word < b.word : a.index < b.index;
      });
      return;
    }
    StringSortEntry* from = entries_ + begin;
    StringSortEntry* to = scratch_ + begin;
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
    if (from != entries_ + begin) std::memcpy(static_cast<void*>(to), from, size * sizeof(StringSortEntry));
  }

  // Sorts strings that agree in all of their bytes up to the end of the longest, behind which zeros stand. So they are
  // equal, or differ in how many zero bytes they end with.
  void SortEnded(size_t begin, size_t end) {
    const auto size_of = [this](const StringSortEntry& entry) { return StringOf(entry).AsString().size(); };
    const size_t size = size_of(entries_[begin]);
    size_t same = begin + 1;
    while (same < end && size_of(entries_[same]) == size) ++same;
    if (same == end) {
      has_equal_ = true;
    } else {
      SortByComparison(begin, end, 0);
    }
  }

  // Sorts strings that agree in their first `depth` bytes, where zeros stand behind the end of one: of those that end
  // there, the longer one is greater. Of two that are equal and stand side by side afterwards, the sort must have
  // compared one with the other.
  void SortByComparison(size_t begin, size_t end, size_t depth) {
    std::sort(entries_ + begin, entries_ + end, [this, depth](const StringSortEntry& a, const StringSortEntry& b) {
      const std::string_view text_a = StringOf(a).AsString();
      const std::string_view text_b = StringOf(b).AsString();
      const int order =
          text_a.substr(std::min(depth, text_a.size())).compare(text_b.substr(std::min(depth, text_b.size())));
      if (order != 0) return order < 0;
      if (text_a.size() != text_b.size()) return text_a.size() < text_b.size();
      has_equal_ |= a.index != b.index;
      return a.index < b.index;
    });
  }

  const Value* const strings_;
  const size_t stride_;
  StringSortEntry* const entries_;
  StringSortEntry* const scratch_;
  bool has_equal_ = false;
};

}  // namespace

bool SortStringPositions(absl::Span<const Value> strings, StringSortEntry* entries) {
  return StringSorter(strings.data(), 1, strings.size(), entries).Sort(strings.size());
}

bool SortKeyPositions(absl::Span<const KeyValue> pairs, StringSortEntry* entries) {
  // A pair is two values, the first of them the key.
  static_assert(sizeof(KeyValue) == 2 * sizeof(Value) && offsetof(KeyValue, key) == 0);
  const auto* const first = reinterpret_cast<const Value*>(pairs.data());
  return StringSorter(first, sizeof(KeyValue) / sizeof(Value), pairs.size(), entries).Sort(pairs.size());
}

}  // namespace hcl::internal

// Tables of Unicode, which are searched by halves. Tested by base/unicode_version_test.cc.

#include "hclvm/base/unicode_tables.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "hclvm/base/code_point_set.h"

namespace hcl::internal {
namespace {

// Every step-th code point from first to last is mapped to the one that is delta away.
struct CaseRun {
  char32_t first;
  char32_t last;
  char32_t step;
  int32_t delta;
};

using G = GraphemeClass;

struct GraphemeRange {
  char32_t first;
  char32_t last;
  GraphemeClass kind;
};

#include "hclvm/base/unicode_15.inc"

// The range of `ranges`, which are in order, that the code point is in, or null.
template <typename Range, size_t kCount>
const Range* FindRange(const Range (&ranges)[kCount], char32_t code_point) {
  const Range* const after = std::upper_bound(std::begin(ranges), std::end(ranges), code_point,
                                              [](char32_t value, const Range& range) { return value < range.first; });
  return after == ranges || code_point > after[-1].last ? nullptr : after - 1;
}

template <size_t kCount>
char32_t Mapped(const CaseRun (&runs)[kCount], char32_t code_point) {
  const CaseRun* const run = FindRange(runs, code_point);
  if (run == nullptr || (code_point - run->first) % run->step != 0) return code_point;
  return static_cast<char32_t>(static_cast<int32_t>(code_point) + run->delta);
}

// Of the Hangul syllables, one in 28 has no last consonant.
constexpr char32_t kFirstSyllable = 0xAC00;
constexpr char32_t kLastSyllable = 0xD7A3;
constexpr char32_t kSyllablesOfVowel = 28;

}  // namespace

GraphemeClass GraphemeClassOf(char32_t code_point) {
  if (code_point >= kFirstSyllable && code_point <= kLastSyllable) {
    return (code_point - kFirstSyllable) % kSyllablesOfVowel == 0 ? GraphemeClass::kLv : GraphemeClass::kLvt;
  }
  const GraphemeRange* const range = FindRange(kGraphemes, code_point);
  return range == nullptr ? GraphemeClass::kOther : range->kind;
}

bool IsAssigned(char32_t code_point) { return FindRange(kAssigned, code_point) != nullptr; }

bool HasIdStart(char32_t code_point) { return FindRange(kIdStart, code_point) != nullptr; }

bool HasIdContinue(char32_t code_point) { return FindRange(kIdContinue, code_point) != nullptr; }

char32_t SimpleUpper(char32_t code_point) { return Mapped(kUpper, code_point); }

char32_t SimpleLower(char32_t code_point) { return Mapped(kLower, code_point); }

}  // namespace hcl::internal

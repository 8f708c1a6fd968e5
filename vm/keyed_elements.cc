// KeyedElements. Tested by vm/keyed_elements_test.cc.

#include "hclvm/vm/keyed_elements.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// So many calls, and so few elements, need no table.
constexpr uint32_t kFirstCalls = 3;
constexpr size_t kFewElements = 8;

bool IsScalar(const Value& value) { return TagOf(value) >= Tag::kFalse && TagOf(value) <= Tag::kString; }

bool IsSame(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  if (TagOf(a) != TagOf(b)) return false;
  if (TagOf(a) == Tag::kString) return a.AsString() == b.AsString();
  return TagOf(a) == Tag::kBigNumber && Equal(a.AsNumber(), b.AsNumber());
}

uint64_t HashOf(const Value& key) {
  if (key.is_string()) return HashKey(key);
  return TagOf(key) == Tag::kBigNumber ? 1 : MixHash(HeadBits(key), PayloadBits(key));
}

}  // namespace

bool KeyedElements::Find(const Value& key, Arena* arena, Value* matches, uint64_t* cost) {
  if (!IsScalar(key)) return false;
  if (found_.empty()) found_ = absl::MakeSpan(arena->NewArray<Value>(keys_.size()), keys_.size());
  size_t count = 0;
  *cost = 1 + key.weight() / 4;
  if (table_.empty() && (keys_.size() <= kFewElements || calls_ < kFirstCalls)) {
    ++calls_;
    *cost += keys_.size() / 4;
    for (size_t n = 0; n < keys_.size(); ++n) {
      if (IsSame(keys_[n], key)) found_[count++] = elements_[n];
    }
  } else {
    if (table_.empty()) {
      MakeTable(arena);
      *cost += 2 * keys_.size();
    }
    for (uint32_t at = First(key); at != 0; at = next_[at - 1]) found_[count++] = elements_[at - 1];
  }
  *cost += count / 4;
  *matches = MakeTuple(found_.first(count), arena);
  return true;
}

// The place in the table of the first element with that key, or the free one where it would be.
size_t KeyedElements::PlaceOf(const Value& key) const {
  size_t place = HashOf(key) & (table_.size() - 1);
  while (table_[place] != 0 && !IsSame(keys_[table_[place] - 1], key)) place = (place + 1) & (table_.size() - 1);
  return place;
}

uint32_t KeyedElements::First(const Value& key) const { return table_[PlaceOf(key)]; }

// From the last element on, so that each stands before those behind it.
void KeyedElements::MakeTable(Arena* arena) {
  size_t size = 16;
  while (size < 2 * keys_.size()) size *= 2;
  table_ = absl::MakeSpan(arena->NewArray<uint32_t>(size), size);
  next_ = absl::MakeSpan(arena->NewArray<uint32_t>(keys_.size()), keys_.size());
  std::fill(table_.begin(), table_.end(), 0);
  for (size_t n = keys_.size(); n-- > 0;) {
    if (!IsScalar(keys_[n])) continue;
    uint32_t& first = table_[PlaceOf(keys_[n])];
    next_[n] = first;
    first = static_cast<uint32_t>(n + 1);
  }
}

}  // namespace hcl::internal

// KeyedElements. Tested by vm/keyed_elements_test.cc.

#include "hclvm/vm/keyed_elements.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/interpreter_operands.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// So many calls, and so few elements, need no table.
constexpr uint32_t kFirstCalls = 3;
constexpr size_t kFewElements = 8;

// Big numbers are compared with each: their hashes tell little.
bool IsInTable(const Value& key) { return IsPlainScalar(key) && TagOf(key) != Tag::kBigNumber; }

uint64_t HashOf(const Value& key) { return key.is_string() ? HashKey(key) : MixHash(HeadBits(key), PayloadBits(key)); }

}  // namespace

// A unit of fuel for 4 keys that are compared, or for 64 bytes of long ones.
bool KeyedElements::Find(const Value& key, Arena* arena, Value* matches, uint64_t* cost) {
  if (!IsPlainScalar(key)) return false;
  if (found_.empty()) found_ = absl::MakeSpan(arena->NewArray<Value>(keys_.size()), keys_.size());
  size_t count = 0;
  uint64_t weight = key.weight();
  const bool may_have_table = keys_.size() > kFewElements && IsInTable(key);
  if (may_have_table && table_.empty() && calls_++ >= kFirstCalls) weight += MakeTable(arena);
  if (may_have_table && !table_.empty()) {
    for (uint32_t at = table_[PlaceOf(key)]; at != 0; at = next_[at - 1]) found_[count++] = elements_[at - 1];
  } else {
    weight += keys_.size();
    for (size_t n = 0; n < keys_.size(); ++n) {
      if (HeadBits(keys_[n]) != HeadBits(key)) continue;  // of another length
      weight += key.weight();
      if (SamePlain(keys_[n], key)) found_[count++] = elements_[n];
    }
  }
  *cost = 1 + (weight + count) / 4;
  *matches = MakeTuple(found_.first(count), arena);
  return true;
}

// The place in the table of the first element with that key, or the free one where it would be.
size_t KeyedElements::PlaceOf(const Value& key) const {
  size_t place = HashOf(key) & (table_.size() - 1);
  while (table_[place] != 0 && !SamePlain(keys_[table_[place] - 1], key)) place = (place + 1) & (table_.size() - 1);
  return place;
}

// From the last element on, so that each stands before those behind it. Returns the weight of what is looked at.
uint64_t KeyedElements::MakeTable(Arena* arena) {
  uint64_t weight = 8 * keys_.size();
  size_t size = 16;
  while (size < 2 * keys_.size()) size *= 2;
  table_ = absl::MakeSpan(arena->NewArray<uint32_t>(size), size);
  next_ = absl::MakeSpan(arena->NewArray<uint32_t>(keys_.size()), keys_.size());
  std::fill(table_.begin(), table_.end(), 0);
  for (size_t n = keys_.size(); n-- > 0;) {
    if (!IsInTable(keys_[n])) continue;
    weight += 2 * keys_[n].weight();
    uint32_t& first = table_[PlaceOf(keys_[n])];
    next_[n] = first;
    first = static_cast<uint32_t>(n + 1);
  }
  return weight;
}

}  // namespace hcl::internal

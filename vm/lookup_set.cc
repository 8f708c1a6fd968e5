// Prepared sets of constants. Tested by vm/lookup_set_test.cc.

#include "hclvm/vm/lookup_set.h"

#include <algorithm>

#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Inline values are equal exactly when their bits are (vm/value/value.h), so that only pointers need a closer look.
// Values of different tags are different: an inline number never equals a big one, and a short string never a long one.
bool SameScalar(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  if (TagOf(a) != TagOf(b)) return false;
  if (TagOf(a) == Tag::kString) return a.AsString() == b.AsString();
  if (TagOf(a) == Tag::kBigNumber) return Equal(a.AsNumber(), b.AsNumber());
  return false;
}

// Of those that stand in the value itself, equal ones have the same bits.
uint64_t HashScalar(const Value& value) {
  if (TagOf(value) == Tag::kString) return HashKey(value);
  if (TagOf(value) == Tag::kBigNumber) return value.AsNumber().Hash();
  return MixHash(HeadBits(value), PayloadBits(value));
}

bool LookupSet::CanHold(absl::Span<const Value> members) {
  for (const Value& m : members) {
    if (!m.is_bool() && !m.is_number() && !m.is_string()) return false;
  }
  return true;
}

// Up to kMaxLinear members are compared one by one, which is cheaper than hashing. The table is at most half full, so
// that probing ends soon and always at a free slot. A repeated member keeps its first place.
LookupSet::LookupSet(const Value& tuple, Arena* arena)
    : tuple_(tuple), begin_(tuple.elements().data()), end_(begin_ + tuple.size()) {
  for (const Value& m : members()) {
    has_pointers_ |= TagOf(m) == internal::Tag::kString || TagOf(m) == internal::Tag::kBigNumber;
  }
  if (members().size() <= kMaxLinear) return;
  uint32_t count = 16;
  while (count < members().size() * 2) count *= 2;
  mask_ = count - 1;
  auto* slots = arena->NewArray<uint32_t>(count);
  std::fill_n(slots, count, 0);
  for (uint32_t i = 0; i < members().size(); ++i) {
    uint32_t at = static_cast<uint32_t>(HashScalar(members()[i])) & mask_;
    while (slots[at] != 0 && !SameScalar(members()[slots[at] - 1], members()[i])) at = (at + 1) & mask_;
    if (slots[at] == 0) slots[at] = i + 1;
  }
  slots_ = slots;
}

// Has() has compared bits already; only a long string or a big number can be equal with other bits.
bool LookupSet::HasSlow(const Value& value) const {
  if (!has_pointers_) return false;
  for (const Value& m : members()) {
    if (SameScalar(m, value)) return true;
  }
  return false;
}

bool LookupSet::HasHashed(const Value& value) const {
  for (uint32_t at = static_cast<uint32_t>(HashScalar(value)) & mask_; slots_[at] != 0; at = (at + 1) & mask_) {
    if (SameScalar(members()[slots_[at] - 1], value)) return true;
  }
  return false;
}

}  // namespace hcl::internal

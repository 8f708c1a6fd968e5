// LookupSet: the constants of a literal list in `contains([...], x)`, prepared for one hash probe.
//
// Tested by vm/lookup_set_test.cc.

#ifndef HCLVM_VM_LOOKUP_SET_H_
#define HCLVM_VM_LOOKUP_SET_H_

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Whether two known, non-null bools, numbers or strings are equal; equal ones have the same hash.
bool SameScalar(const Value& a, const Value& b);
uint64_t HashScalar(const Value& value);

// Holds known, non-null bools, numbers and strings; immutable once built. The values' memory must live as long, and so
// must the arena.
class LookupSet {
 public:
  // The set of the elements of `tuple`, which may repeat.
  LookupSet(const Value& tuple, Arena* arena);

  // True when every member is of a kind that the set can hold.
  static bool CanHold(absl::Span<const Value> members);

  // Whether an equal value is a member. Requires a known, non-null bool, number or string.
  bool Has(const Value& value) const {
    HCL_DCHECK(value.is_bool() || value.is_number() || value.is_string());
    if (mask_ == 0) {  // few members: compare them all
      // Where strings share a beginning, and numbers a scale, the second words tell them apart.
      for (const Value* m = begin_; m != end_; ++m) {
        if (PayloadBits(*m) == PayloadBits(value) && HeadBits(*m) == HeadBits(value)) return true;
      }
      return HasSlow(value);
    }
    return HasHashed(value);
  }

  const Value& tuple() const { return tuple_; }
  absl::Span<const Value> members() const { return {begin_, static_cast<size_t>(end_ - begin_)}; }

 private:
  static constexpr size_t kMaxLinear = 8;

  bool HasSlow(const Value& value) const;
  bool HasHashed(const Value& value) const;

  Value tuple_;
  const Value* begin_;  // its elements
  const Value* end_;
  const uint32_t* slots_ = nullptr;  // position + 1, or 0 for a free one
  uint32_t mask_ = 0;                // slots - 1; 0 without a table
  bool has_pointers_ = false;        // some member is a long string or a big number
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_LOOKUP_SET_H_

// Equality: a pass over the types first, which may decide, then one over the values.
//
// Tested by vm/value/equality_test.cc.

#include "hclvm/vm/value/equality.h"

#include "absl/types/span.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::FindSetElement;
using internal::Tag;
using internal::TagOf;
namespace {

Tri FromBool(bool b) { return b ? Tri::kTrue : Tri::kFalse; }

bool MayHaveTypes(absl::Span<const Value> items, Type type);

// Whether the type of `value` can become the same as `type` once all dynamic parts are known. Works on the value,
// without making its type.
bool MayHaveType(const Value& value, Type type) {
  if (value.is_null() || value.is_unknown()) return MayBeSameType(value.null_or_unknown_type(), type);
  // What is known stays as it is, also where it is empty and of elements without a type.
  if (value.is_wholly_known() && !type.has_dynamic()) return HasType(value, type);
  switch (type.kind()) {
    case TypeKind::kDynamic:
      return true;
    case TypeKind::kList:
      return value.is_list() && MayBeSameType(value.element_type(), type.element());
    case TypeKind::kSet:
      return value.is_set() && MayBeSameType(value.element_type(), type.element());
    case TypeKind::kMap:
      return value.is_map() && MayBeSameType(value.element_type(), type.element());
    case TypeKind::kTuple:
      return value.is_tuple() && value.size() == type.size() && MayHaveTypes(value.elements(), type);
    case TypeKind::kObject:
      return value.is_object() && value.shape() == type.shape() && MayHaveTypes(value.values(), type);
    default:
      return HasType(value, type);
  }
}

bool MayHaveTypes(absl::Span<const Value> items, Type type) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (!MayHaveType(items[i], type.element(i))) return false;
  }
  return true;
}

// Whether the types of `a` and `b` can become the same once all dynamic parts are known.
bool MayHaveSameType(const Value& a, const Value& b) {
  if (a.is_null() || a.is_unknown()) return MayHaveType(b, a.null_or_unknown_type());
  if (b.is_null() || b.is_unknown()) return MayHaveType(a, b.null_or_unknown_type());
  if (a.is_sequence() || a.is_mapping()) {
    if (TagOf(a) != TagOf(b)) return false;
    if (!a.is_tuple() && !a.is_object()) return MayBeSameType(a.element_type(), b.element_type());
    if (a.size() != b.size() || (a.is_object() && !(a.shape() == b.shape()))) return false;
    absl::Span<const Value> items_a = a.is_tuple() ? a.elements() : a.values();
    absl::Span<const Value> items_b = b.is_tuple() ? b.elements() : b.values();
    for (size_t i = 0; i < items_a.size(); ++i) {
      if (!MayHaveSameType(items_a[i], items_b[i])) return false;
    }
    return true;
  }
  return SameType(a, b);
}

Tri EqualParts(const Value& a, const Value& b);

// One certain difference decides for all, even behind unknown elements, and is looked for to the end.
Tri EqualItems(absl::Span<const Value> a, absl::Span<const Value> b) {
  Tri result = Tri::kTrue;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].SameBits(b[i]) && a[i].is_wholly_known()) continue;
    Tri equal = EqualParts(a[i], b[i]);
    if (equal == Tri::kFalse) return equal;
    if (equal == Tri::kUnknown) result = equal;
  }
  return result;
}

// Whether some element of `a` is certainly not in `b`. Quadratic; gives up (false) on large sets. Sets of a host may
// hold thousands of unknown elements; unknown is always a right answer.
bool HasStranger(absl::Span<const Value> a, absl::Span<const Value> b) {
  constexpr size_t kMaxComparisons = 10'000;
  if (a.size() * b.size() > kMaxComparisons) return false;
  for (const Value& element : a) {
    bool may_be_there = false;
    for (const Value& other : b) may_be_there = may_be_there || EqualParts(element, other) != Tri::kFalse;
    if (!may_be_there) return true;
  }
  return false;
}

// An unknown element may turn out equal to any other, so that sizes and positions of sets with such elements prove
// nothing; only an element that the other set cannot have does. Wholly known sets are sorted alike and are compared in
// order. Where that fails, primitive elements differ for certain, and others are looked up, since capsules have no
// order.
Tri EqualSets(const Value& a, const Value& b) {
  if (!a.is_wholly_known() || !b.is_wholly_known()) {
    bool differ = HasStranger(a.elements(), b.elements()) || HasStranger(b.elements(), a.elements());
    return differ ? Tri::kFalse : Tri::kUnknown;
  }
  if (a.size() != b.size()) return Tri::kFalse;
  // Both are in the order of sets, in which only capsules can be unequal and tie.
  if (EqualItems(a.elements(), b.elements()) == Tri::kTrue) return Tri::kTrue;
  if (a.element_type().kind() <= TypeKind::kString) return Tri::kFalse;
  for (const Value& element : a.elements()) {
    if (FindSetElement(b, element) < 0) return Tri::kFalse;
  }
  return Tri::kTrue;
}

// information-model.md, "Capsule Types": the application defines equality, and only within one capsule type. The same
// data is equal without asking.
bool EqualCapsules(const Capsule& a, const Capsule& b) {
  const CapsuleType& type = Type(a.type).capsule();
  if (&type != &Type(b.type).capsule()) return false;
  return a.data == b.data || (type.equal != nullptr && type.equal(a.data, b.data));
}

// Equality of values whose types are the same, or may become so. Answers kTrue or kFalse only when no value in place of
// the unknown parts can change it.
Tri EqualParts(const Value& a, const Value& b) {
  if (a.is_unknown() || b.is_unknown()) {
    // Only a null is excluded by nothing: it equals a null of any type.
    if (a.is_unknown() && b.is_unknown()) return Tri::kUnknown;
    const Value& known = a.is_unknown() ? b : a;
    const Value& unknown = a.is_unknown() ? a : b;
    if (Contradicts(unknown, known)) return Tri::kFalse;
    if (known.is_null()) return Tri::kUnknown;
    return MayHaveType(known, unknown.null_or_unknown_type()) ? Tri::kUnknown : Tri::kFalse;
  }
  if (a.is_null() || b.is_null()) return FromBool(a.is_null() && b.is_null());
  if (a.is_string()) return FromBool(b.is_string() && a.AsString() == b.AsString());
  if (a.is_number()) return FromBool(b.is_number() && Equal(a.AsNumber(), b.AsNumber()));
  if (TagOf(a) != TagOf(b)) return Tri::kFalse;
  switch (TagOf(a)) {
    case Tag::kTuple:
    case Tag::kList:
      return a.size() == b.size() ? EqualItems(a.elements(), b.elements()) : Tri::kFalse;
    case Tag::kSet:
      return EqualSets(a, b);
    case Tag::kObject:
    case Tag::kMap:
      return a.shape() == b.shape() ? EqualItems(a.values(), b.values()) : Tri::kFalse;
    case Tag::kCapsule:
      return FromBool(EqualCapsules(a.capsule(), b.capsule()));
    default:
      return FromBool(a.SameBits(b));
  }
}

bool IsContainer(const Value& value) { return value.is_sequence() || value.is_mapping(); }

// Known bools, inline numbers and strings: the type and the value are told together, most by the bits alone.
bool IsSimple(const Value& v) {
  const Tag tag = TagOf(v);
  return tag >= Tag::kFalse && tag <= Tag::kString && tag != Tag::kBigNumber;
}

Tri EqualSimpleItems(absl::Span<const Value> a, absl::Span<const Value> b);

// Tuples and objects, wholly known, in one walk over both: a part that certainly differs in type or value makes them
// differ. Unknown: the parts that were looked at do not tell.
Tri EqualAtOnce(const Value& a, const Value& b) {
  if (TagOf(a) != TagOf(b)) return Tri::kUnknown;
  if (a.is_tuple()) return a.size() == b.size() ? EqualSimpleItems(a.elements(), b.elements()) : Tri::kFalse;
  if (!a.is_object()) return Tri::kUnknown;
  return a.shape() == b.shape() ? EqualSimpleItems(a.values(), b.values()) : Tri::kFalse;
}

Tri EqualSimpleItems(absl::Span<const Value> a, absl::Span<const Value> b) {
  Tri result = Tri::kTrue;
  for (size_t i = 0; i < a.size(); ++i) {
    if (IsSimple(a[i]) && IsSimple(b[i])) {
      if (a[i].SameBits(b[i])) continue;
      if (TagOf(a[i]) != Tag::kString || TagOf(b[i]) != Tag::kString || a[i].AsString() != b[i].AsString()) {
        return Tri::kFalse;
      }
    } else if (const Tri part = EqualAtOnce(a[i], b[i]); part == Tri::kFalse) {
      return Tri::kFalse;
    } else if (part == Tri::kUnknown) {
      result = Tri::kUnknown;
    }
  }
  return result;
}

}  // namespace

// Types without dynamic parts compare at once; the rest goes down both types.
bool MayBeSameType(Type a, Type b) {
  if (a.is_dynamic() || b.is_dynamic()) return true;
  if (!a.has_dynamic() && !b.has_dynamic()) return a == b;
  if (a.kind() != b.kind()) return false;
  if (a.is_collection()) return MayBeSameType(a.element(), b.element());
  if (a.size() != b.size()) return false;
  if (a.kind() == TypeKind::kObject && !(a.shape() == b.shape())) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!MayBeSameType(a.element(i), b.element(i))) return false;
  }
  return true;
}

// information-model.md, "Values and Value Types": equal values have identical types. The types are compared by the
// values first; where they differ although all is known, no element needs to be looked at. With dynamic parts they may
// become the same, but equality is then no more than possible. Recursion follows the depth of the values, without
// memory.
Tri EqualsTri(const Value& a, const Value& b) {
  if (!IsContainer(a) || !IsContainer(b)) return EqualParts(a, b);
  if (a.is_wholly_known() && b.is_wholly_known()) {
    if (a.SameBits(b)) return Tri::kTrue;
    if (const Tri seen = EqualAtOnce(a, b); seen != Tri::kUnknown) return seen;
    return SameType(a, b) ? EqualParts(a, b) : Tri::kFalse;
  }
  if (SameType(a, b)) return EqualParts(a, b);
  if (!MayHaveSameType(a, b)) return Tri::kFalse;
  return EqualParts(a, b) == Tri::kFalse ? Tri::kFalse : Tri::kUnknown;
}

}  // namespace hcl

// What the loop asks of its operands: kinds, equality, prefixes, and the attribute that was found last time.
//
// Part of vm/interpreter.cc, which alone includes it: what is inlined there and what is not is measured, and each
// function says why it is as it is. Tested by vm/evaluator_test.cc, compiler/core_values_test.cc.

#ifndef HCLVM_VM_INTERPRETER_OPERANDS_H_
#define HCLVM_VM_INTERPRETER_OPERANDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/find_text.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/unicode.h"
#include "hclvm/base/word_bytes.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/quick_bodies.h"
#include "hclvm/vm/guard_tags.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/approximation.h"
#include "hclvm/vm/value/decimal_values.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/find_key.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/short_part.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Whether both are long strings with the same text: only those can be equal although their bits differ. Their heads
// hold their sizes, of eight bytes at least. Names of this length are frequent, and few are much longer, so that a call
// of memcmp would cost more than it saves.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool HaveOneText(const Value& a, const Value& b) {
  if (TagOf(a) != Tag::kString || HeadBits(a) != HeadBits(b)) return false;
  const char* x = a.AsString().data();
  const char* y = b.AsString().data();
  const char* const last = x + a.AsString().size() - sizeof(uint64_t);
  for (; x < last; x += sizeof(uint64_t), y += sizeof(uint64_t)) {
    if (LoadWord(x) != LoadWord(y)) return false;
  }
  return LoadWord(last) == LoadWord(y - (x - last));
}
// Out of line, so that the loop holds no more than a call for it.
ABSL_ATTRIBUTE_NOINLINE inline bool SameText(const Value& a, const Value& b) { return HaveOneText(a, b); }

// A key is a string, and a short one is equal exactly when its two words are. Both differences are joined, so that one
// branch tests them.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool SameKey(const Value& a, const Value& b) {
  const uint64_t difference = (HeadBits(a) ^ HeadBits(b)) | (PayloadBits(a) ^ PayloadBits(b));
  return ABSL_PREDICT_TRUE(difference == 0) || SameText(a, b);
}

// Two such values are equal exactly when their bits are. That holds because the representations are canonical
// (vm/value/value.h): a string that fits is inline, and so is a number.
inline bool ComparesByBits(const Value& v) {
  return ABSL_PREDICT_TRUE(TagOf(v) == Tag::kShortString) || (TagOf(v) >= Tag::kFalse && TagOf(v) <= Tag::kNumber);
}

// Goes from *value to its attribute `key` if that is where it was last time. The hint is only a guess: the key at that
// position is compared, so that a wrong or stale hint costs time and never gives a wrong value. That is why hints may
// begin as any numbers, and why a host may reuse the memory of its objects. A set or a sequence, a marked value, null
// and unknown are no mapping and fail the first test.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool FollowStep(const Value** value, const Value& key, uint32_t hint) {
  if (ABSL_PREDICT_FALSE(!(*value)->is_mapping())) return false;
  const Mapping& mapping = MappingOf(**value);
  if (ABSL_PREDICT_FALSE(hint >= mapping.shape->size)) return false;
  if (ABSL_PREDICT_FALSE(!SameKey(mapping.shape->keys[hint], key))) return false;
  *value = mapping.items() + hint;
  return true;
}

// A known bool, number or string without marks: the tags from kFalse to kString in the order of Tag.
inline bool IsPlainScalar(const Value& v) { return TagOf(v) >= Tag::kFalse && TagOf(v) <= Tag::kString; }

// Goes from `from` to where *value then points, by a key that is no name in a mapping and no index of a list, as
// SeekStep(). Out of line, so that what is usual saves nothing for it.
ABSL_ATTRIBUTE_NOINLINE inline bool SeekOtherwise(const Value& from, const Value& key, const Value** value) {
  const bool is_list = from.is_tuple() || from.is_list();
  if (!is_list && !from.is_mapping()) return false;
  Value name;
  if (!is_list && WriteShortNumber(key, &name)) {
    const int64_t at = FindKey(*MappingOf(from).shape, name);
    if (at >= 0) *value = MappingOf(from).items() + at;
    return true;
  }
  if (is_list && key.is_number()) return !key.is_int();
  return IsUntypedNull(key) || IsAbsent(key) || IsUnfit(key, is_list ? TypeKind::kNumber : TypeKind::kString);
}

// Goes from *value to its attribute or element `key`, which is a name or an index; to null where there is none. False
// where only the slow path can tell: of what is marked or unknown, and of keys that are converted.
ABSL_ATTRIBUTE_NOINLINE inline bool SeekStep(const Value** value, const Value& key) {
  const Value& from = **value;
  *value = nullptr;
  if (from.is_null() || (IsPlainScalar(from) && IsPlainScalar(key))) return true;
  if (from.is_mapping() && key.is_string()) {
    const Mapping& mapping = MappingOf(from);
    const int64_t at = FindKey(*mapping.shape, key);
    if (at >= 0) *value = mapping.items() + at;
    return true;
  }
  if (!(from.is_tuple() || from.is_list()) || !key.is_int()) return SeekOtherwise(from, key, value);
  if (static_cast<uint64_t>(key.AsInt()) < from.size()) *value = SequenceOf(from).items() + key.AsInt();
  return true;
}

// Not unknown, not marked, and of this language.
inline bool IsKnownPlain(const Value& v) {
  return v.is_null() || (TagOf(v) >= Tag::kFalse && TagOf(v) <= Tag::kCapsule);
}

constexpr uint32_t TagBit(Tag tag) { return uint32_t{1} << static_cast<int>(tag); }

// Whether the value is a string that says no bool or number.
template <TypeKind kKind>
ABSL_ATTRIBUTE_NOINLINE bool SaysNoneSlowly(const Value& v) {
  return v.is_string() && (kKind == TypeKind::kBool ? IsNoBool(v) : IsNoNumber(v));
}
template <TypeKind kKind>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool SaysNone(const Value& v) {
  return (kKind == TypeKind::kNumber && BeginsNoNumber(v)) || SaysNoneSlowly<kKind>(v);
}

// Whether an operator or a call fails for certain that makes both values a bool, a number or a string, which is
// `kKind`, and takes no null. What is unknown or marked may be anything else; of what is known, the rest is for general
// code to find out. Out of line, as it is asked of what is not plain.
template <TypeKind kKind>
ABSL_ATTRIBUTE_NOINLINE bool FailToBecome(const Value& x, const Value& y) {
  constexpr uint32_t kNull = TagBits(Tag::kNull, Tag::kNull);
  constexpr uint32_t kCompounds = TagBits(Tag::kTuple, Tag::kMap);
  constexpr uint32_t kOther = kKind == TypeKind::kNumber ? kBoolTags
                              : kKind == TypeKind::kBool ? kNumberTags
                                                         : uint16_t{0};
  const uint32_t tags = TagBit(TagOf(x)) | TagBit(TagOf(y));
  if ((tags & ~(kNull | kKnownTags)) != 0) return false;
  if ((tags & (kNull | kCompounds | kOther)) != 0) return true;
  if (kKind == TypeKind::kString || (tags & kStringTags) == 0) return false;
  return SaysNone<kKind>(x) || SaysNone<kKind>(y);
}

// Out of line, as they are rare, and the loop has room for few calls that are inlined.
// An error is the value of the slow path, and fails.
ABSL_ATTRIBUTE_NOINLINE inline bool FailToBecomeStrings(const Value& x, const Value& y) {
  return x.is_error() || FailToBecome<TypeKind::kString>(x, y);
}
// Of the sides of a logical operator, null need not fail.
ABSL_ATTRIBUTE_NOINLINE inline bool SidesFail(const Value& x, const Value& y) {
  return IsUnfit(x, TypeKind::kBool) || IsUnfit(y, TypeKind::kBool);
}
// One of the sides of `||` is null, or both are, and neither decides.
ABSL_ATTRIBUTE_NOINLINE inline bool NeitherIsTrue(const Value& x, const Value& y) {
  const auto is_open = [](const Value& side) { return side.is_false() || IsUntypedNull(side); };
  return is_open(x) && is_open(y);
}

// False where one of them is certainly neither a number nor an approximation: what is tried often is none. Out of line,
// so that code before it keeps no tags.
ABSL_ATTRIBUTE_NOINLINE inline bool MayBeNumbers(const Value& x, const Value& y) {
  constexpr uint32_t kPassing = kNumberTags | TagBits(Tag::kInternal, Tag::kInternal);
  return ((TagBit(TagOf(x)) | TagBit(TagOf(y))) & ~kPassing) == 0;
}

// Whether the operator fails for certain by a zero, beside numbers: what is no zero has an infinite quotient, and a
// remainder in the dialect of the reference. A variable that is lazy may turn out to be unknown.
inline bool DividesByZero(BinaryOp op, const Value& x, const Value& y, const Heap& heap) {
  if (!y.is_int() || y.AsInt() != 0) return false;
  return op == BinaryOp::kDivide ? x.is_int() && x.AsInt() == 0
                                 : op == BinaryOp::kModulo && x.is_number() && heap.dialect() == Dialect::kSpec;
}

// Whether no elements can be asked for.
inline bool IsNoCollection(const Value& v) { return v.is_null() || IsPlainScalar(v); }

// Whether it is an untyped null, or the internal value that stands for nothing.
inline bool IsBlank(const Value& v) { return IsUntypedNull(v) || IsAbsent(v); }

// Whether one is an untyped null and the other known, so that no type matters: the operator == of the slow path.
inline bool ComparesToNull(const Value& a, const Value& b) {
  return (IsUntypedNull(b) && IsKnownPlain(a)) || (IsUntypedNull(a) && IsKnownPlain(b));
}

// Of what is there.
inline bool IsWhole(const Value& v) { return v.is_wholly_known() && !v.has_marks(); }

inline bool TestsPath(Opcode op) { return op == Opcode::kIfPathEqual || op == Opcode::kIfPathNotEqual; }
inline bool JumpsWhereEqual(Opcode op) { return op == Opcode::kIfEqual || op == Opcode::kIfPathEqual; }

// Whether two values are equal that are there with all parts: bit 0, below what it costs to walk them. Less than 0 for
// others, and for what a host's function makes, which is equal as the host says: one value may stand for two.
ABSL_ATTRIBUTE_NOINLINE inline int64_t CompareWhole(const Value& a, const Value& b) {
  const auto is_whole = [](const Value& v) {
    return TagOf(v) >= Tag::kFalse && TagOf(v) < Tag::kCapsule && IsWhole(v);
  };
  if (!is_whole(a) || !is_whole(b) || a.SameBits(b)) return -1;
  const uint64_t cost = std::min((a.weight() + b.weight()) / 4, uint64_t{1} << 60);
  return static_cast<int64_t>(cost << 1 | (EqualsTri(a, b) == Tri::kTrue ? 1 : 0));
}

inline bool HaveOneScalarType(const Value& a, const Value& b) {
  return (a.is_bool() && b.is_bool()) || (a.is_number() && b.is_number()) || (a.is_string() && b.is_string());
}

// Whether `null` is one of a type that `v` has as well, seen by its bits: a null of the same type node, or a scalar.
ABSL_ATTRIBUTE_NOINLINE inline bool FitsNull(const Value& v, const Value& null) {
  if (!null.is_null()) return false;
  if (v.SameBits(null)) return !null.null_or_unknown_type().is_dynamic();
  const Type type = TypeOfScalar(v);
  return !type.is_dynamic() && type == null.null_or_unknown_type();
}

// Whether two plain scalars are equal.
ABSL_ATTRIBUTE_NOINLINE inline bool SamePlain(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  if (TagOf(a) != TagOf(b)) return false;
  if (TagOf(a) == Tag::kString) return HaveOneText(a, b);
  return TagOf(a) == Tag::kBigNumber && Equal(a.AsNumber(), b.AsNumber());
}

// What reading a plain scalar costs: no more than its size tells.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline uint64_t CostOfScalar(const Value& v) {
  const uint64_t cost = TagOf(v) == Tag::kShortString ? 0 : (1 + (HeadBits(v) >> 36)) / 4;
  HCL_DCHECK(IsPlainScalar(v) && cost == v.weight() / 4);
  return cost;
}

// The order of numbers or approximations; false for others, and where nobody knows.
ABSL_ATTRIBUTE_NOINLINE inline bool OrderOfPlain(const Value& x, const Value& y, int* order) {
  if (ABSL_PREDICT_TRUE(CompareInline(x, y, order))) return true;
  if (!x.is_number() || !y.is_number()) return (IsInternal(x) || IsInternal(y)) && OrderOf(x, y, order);
  *order = Compare(x.AsNumber(), y.AsNumber());
  return true;
}

// A list or tuple of which all is known, and nothing marked.
inline bool IsPlainList(const Value& v) {
  return (v.is_tuple() || v.is_list()) && SequenceOf(v).wholly_known && !SequenceOf(v).has_marks;
}

// What HasElement() is for long texts and numbers.
ABSL_ATTRIBUTE_NOINLINE inline bool HasLongElement(const Sequence& list, const Value& scalar, uint64_t* cost) {
  uint64_t weight = 0;
  uint32_t n = 0;
  bool found = false;
  for (; n < list.size && !found; ++n) {
    if (HeadBits(list.items()[n]) != HeadBits(scalar)) continue;  // of another length
    weight += scalar.weight();
    found = SamePlain(list.items()[n], scalar);
  }
  *cost = (n + weight) / 4;
  return found;
}

// Whether one of the elements is equal to `scalar`, both plain. Linear: the list is a value, not a constant, so that a
// hash set would cost more to build than the one search saves. *cost is in units of fuel, for what was looked at: a
// unit for 4 elements, or for 64 bytes of long texts that are compared. Out of line, with next to nothing to save.
ABSL_ATTRIBUTE_NOINLINE inline bool HasElement(const Sequence& list, const Value& scalar, uint64_t* cost) {
  if (ABSL_PREDICT_FALSE(!ComparesByBits(scalar))) return HasLongElement(list, scalar, cost);
  const uint64_t head = HeadBits(scalar);
  const uint64_t payload = PayloadBits(scalar);
  const Value* const begin = list.items();
  const Value* const end = begin + list.size;
  for (const Value* element = begin; element != end; ++element) {
    if (((HeadBits(*element) ^ head) | (PayloadBits(*element) ^ payload)) != 0) continue;
    *cost = static_cast<uint64_t>(element - begin + 1) / 4;
    return true;
  }
  *cost = list.size / 4;
  return false;
}

// Whether `set`, of which all is known, and nothing marked, has an element that is equal to `scalar`. Sets of many are
// in order. *cost: as above.
ABSL_ATTRIBUTE_NOINLINE inline bool IsInSet(const Value& set, const Value& scalar, uint64_t* cost) {
  constexpr uint32_t kFew = 64;
  const Sequence& elements = SequenceOf(set);
  const bool is_searched = elements.size > kFew && set.element_type() == TypeOfScalar(scalar);
  if (!is_searched) return HasElement(elements, scalar, cost);
  *cost = kFew / 4 * (1 + scalar.weight() / 4);
  return FindSetElement(set, scalar) >= 0;
}

// What is seldom looked for: an element of a set that is equal to a scalar, or a null in a list. False where it is
// neither, or not known; otherwise *found tells whether there is one. *cost: as of HasElement().
ABSL_ATTRIBUTE_NOINLINE inline bool FindSlowly(const Value& collection, const Value& needle, bool* found,
                                               uint64_t* cost) {
  if (collection.is_set() && IsWhole(collection) && IsPlainScalar(needle)) {
    *found = IsInSet(collection, needle, cost);
    return true;
  }
  if (!IsPlainList(collection) || !needle.is_null()) return false;
  const absl::Span<const Value> elements = collection.elements();
  *found = std::any_of(elements.begin(), elements.end(), [](const Value& element) { return element.is_null(); });
  *cost = elements.size() / 4;
  return true;
}

// Whether FastLength, with operand C, may take the length: it is told, without marks, and the collection is one that
// the reader takes.
inline bool HasPlainLength(const Value& v, uint16_t reader) {
  constexpr uint16_t kLoop = 1, kListFunction = 2, kMappingFunction = 3;
  if (v.is_mapping()) {
    return reader != kListFunction && (v.is_map() || reader != 0) && !MappingOf(v).has_marks;
  }
  if (!v.is_sequence() || SequenceOf(v).has_marks || (v.is_set() && !SequenceOf(v).wholly_known)) return false;
  return reader <= kLoop || (reader != kMappingFunction && !v.is_set());
}

// For what does not pass by its tag.
inline bool PassesCheckSlowly(const Value& v, uint16_t check) {
  const bool is_there = TagOf(v) != Tag::kError && TagOf(v) != Tag::kInternal;
  switch (check) {
    case 4:
      // An empty list of other elements is no list of scalars.
      return IsPlainList(v) && (v.is_tuple() || v.element_type().is_primitive()) &&
             std::all_of(v.elements().begin(), v.elements().end(), IsPlainScalar);
    case 5:
      return is_there;
    case 6:
    case 7:
    case 8:
      return IsBlank(v);
    case 9:
    case kBoolSideCheck:
      return IsAbsent(v);
    case kSideCheck:
      return IsBlank(v);
    case 10:
      return is_there && !v.has_marks();
    case 11:
      return is_there && !v.is_null();
    case 13:
      return is_there && IsWhole(v);
    case 14:
      return v.is_sequence() && v.size() > 0;
    case 16:
      return v.is_mapping() ? !MappingOf(v).has_marks : IsUntypedNull(v);
    case 18:
      return v.is_list() || v.is_tuple();
    case 19:
      // No number is a bool.
      return (v.is_list() || v.is_set() || v.is_map()) && v.element_type().is_primitive() &&
             v.element_type() != Type::Number();
    case 20:
      return is_there && !v.is_null() && !v.is_unknown() && !v.has_marks();
    case 21:
      return v.is_string() && IsAscii(v.AsString());
    case 22:
      return (v.is_list() || v.is_tuple()) && v.is_wholly_known() &&
             std::none_of(v.elements().begin(), v.elements().end(), [](const Value& e) { return e.is_sequence(); });
    default:
      return false;
  }
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool PassesCheck(const Value& v, uint16_t check) {
  const bool passes = (uint32_t{kPassingTags[check]} >> static_cast<int>(TagOf(v)) & 1) != 0;
  return ABSL_PREDICT_TRUE(passes) || PassesCheckSlowly(v, check);
}

// Out of line: it serves four cases of the loop, none of which then holds a call of memcmp with its operands.
ABSL_ATTRIBUTE_NOINLINE inline bool HasLongPrefix(const Value& text, const Value& prefix) {
  const std::string_view t = text.AsString();
  const std::string_view p = prefix.AsString();
  return t.size() >= p.size() && std::memcmp(t.data(), p.data(), p.size()) == 0;
}

inline bool AreShortStrings(const Value& a, const Value& b) {
  return TagOf(a) == Tag::kShortString && TagOf(b) == Tag::kShortString;
}

// Both are strings.
inline bool HasSuffix(const Value& text, const Value& suffix) {
  const std::string_view t = text.AsString();
  const std::string_view s = suffix.AsString();
  return t.size() >= s.size() && std::memcmp(t.data() + t.size() - s.size(), s.data(), s.size()) == 0;
}

// Whether a short tuple has the elements of such a list, without a conversion.
inline bool IsListOf(Type list, const Value& tuple) {
  constexpr size_t kMaxLength = 16;
  if (list.kind() != TypeKind::kList || tuple.size() > kMaxLength) return false;
  const absl::Span<const Value> elements = tuple.elements();
  return std::all_of(elements.begin(), elements.end(), [&](const Value& element) {
    return IsPlainScalar(element) && TypeOfScalar(element) == list.element();
  });
}

// Puts the value of `key` in *mapping, or `fallback` where there is none, in place of the mapping. False where that is
// not as plain as this; then nothing is done. In a map of lists, the fallback becomes one. *cost: a unit for 64 bytes
// of a long key.
ABSL_ATTRIBUTE_NOINLINE inline bool LookUp(Value* mapping, const Value& key, const Value& fallback, Arena* arena,
                                           uint64_t* cost) {
  if (!mapping->is_mapping() || !key.is_string()) return false;
  const Mapping& from = MappingOf(*mapping);
  if (!from.wholly_known || from.has_marks) return false;
  const bool becomes_list = mapping->is_map() && fallback.is_tuple();
  const bool suits = becomes_list        ? IsListOf(mapping->element_type(), fallback)
                     : mapping->is_map() ? IsPlainScalar(fallback) && mapping->element_type() == TypeOfScalar(fallback)
                                         : IsPlainScalar(fallback) || (IsKnownPlain(fallback) && IsWhole(fallback));
  if (!suits) return false;
  *cost = TagOf(key) == Tag::kShortString ? 0 : key.AsString().size() / 64;
  const int64_t at = FindKey(*from.shape, key);
  if (at >= 0) {
    *mapping = from.items()[at];
  } else if (becomes_list) {
    *mapping = MakeList(mapping->element_type().element(), fallback.elements(), arena);
  } else {
    *mapping = fallback;
  }
  return true;
}

// Whether such a call fails for certain, whatever the key is: its first argument, known and unmarked, is no mapping.
ABSL_ATTRIBUTE_NOINLINE inline bool LookUpFails(const Value& mapping, const Value& key, const Value& fallback) {
  const bool is_none = IsNoCollection(mapping) || ((mapping.is_tuple() || mapping.is_list()) && IsWhole(mapping));
  return is_none && IsPlainScalar(key) && IsKnownPlain(fallback);
}

// Whether `text` contains `part`. Out of line, as the search is. *cost: for what was looked at.
ABSL_ATTRIBUTE_NOINLINE inline bool HasPart(const Value& text, const Value& part, uint64_t* cost) {
  const std::string_view bytes = text.AsString(), wanted = part.AsString();
  const size_t found = FindText(bytes, wanted);
  const bool is_there = found != std::string_view::npos;
  *cost = CostOfSearch(is_there ? found + wanted.size() : bytes.size(), wanted);
  return is_there;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_INTERPRETER_OPERANDS_H_

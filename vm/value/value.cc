// Values: construction, types of values, comparison of structure, copies.
//
// Tested by vm/value/value_test.cc.

#include "hclvm/vm/value/value.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/find_key.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/scratch.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/string_sort.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::CompareStrings;
using internal::FindShortKey;
using internal::HashKey;
using internal::HashKeys;
using internal::HeadBits;
using internal::MappingOf;
using internal::MappingValue;
using internal::MixHash;
using internal::NewMapping;
using internal::NewSequence;
using internal::SameString;
using internal::SameStrings;
using internal::SequenceOf;
using internal::SequenceValue;
using internal::SortSetElements;
using internal::TagOf;

using internal::Mapping;
using internal::Sequence;
using internal::Tag;

// A short key is hashed by its two words; since a string that fits is always inline, equal strings take the same way.
// The hashes are compared first: shapes of unrelated tables mostly differ, and keys are compared only where they agree.
bool operator==(const Shape& a, const Shape& b) {
  if (&a == &b) return true;
  return a.hash == b.hash && a.size == b.size && SameStrings(a.keys, b.keys, a.size);
}

// The index is at most half full, so that probing always meets a free slot. Out of line, so that Find() has no
// registers to save.
ABSL_ATTRIBUTE_NOINLINE static int64_t FindLongKey(const Shape& shape, const Value& key) {
  if (shape.index == nullptr) {
    for (uint32_t i = 0; i < shape.size; ++i) {
      if (SameString(shape.keys[i], key)) return i;
    }
    return -1;
  }
  for (uint64_t slot = HashKey(key);; ++slot) {
    const uint32_t entry = shape.index[slot & shape.index_mask];
    if (entry == 0) return -1;
    if (SameString(shape.keys[entry - 1], key)) return entry - 1;
  }
}

int64_t Shape::Find(const Value& key) const {
  return ABSL_PREDICT_TRUE(TagOf(key) == Tag::kShortString) ? FindShortKey(*this, key) : FindLongKey(*this, key);
}

namespace {

// Comparing keys one by one is as fast as hashing up to about this many.
constexpr size_t kMaxUnindexedKeys = 8;

// Sets the index, and the hash that HashKeys() gives: no key is hashed twice. Slots lie scattered, and so do the texts
// of sorted keys, so that memory is asked for a block ahead: the processor then waits for many at once.
void BuildIndex(Shape* shape, Arena* arena) {
  constexpr uint32_t kBlock = 32;
  size_t slots = 16;
  while (slots < 2 * static_cast<size_t>(shape->size)) slots *= 2;
  uint32_t* index = arena->NewArray<uint32_t>(slots);
  std::memset(index, 0, slots * sizeof(uint32_t));
  uint32_t mask = static_cast<uint32_t>(slots - 1);
  uint64_t hash = shape->size;
  uint64_t slots_of[kBlock];
  for (uint32_t begin = 0; begin < shape->size; begin += kBlock) {
    const uint32_t end = std::min(begin + kBlock, shape->size);
    for (uint32_t i = begin; i < end; ++i) {
      if (i + kBlock < shape->size) __builtin_prefetch(shape->keys[i + kBlock].AsString().data());
      const uint64_t slot = HashKey(shape->keys[i]);
      hash = MixHash(hash, slot);
      __builtin_prefetch(index + (slot & mask), 1);
      slots_of[i - begin] = slot;
    }
    for (uint32_t i = begin; i < end; ++i) {
      uint64_t slot = slots_of[i - begin];
      while (index[slot & mask] != 0) ++slot;
      index[slot & mask] = i + 1;
    }
  }
  HCL_DCHECK(hash == HashKeys({shape->keys, shape->size}));
  shape->hash = hash;
  shape->index = index;
  shape->index_mask = mask;
}

// Weights saturate here: doubling a value again and again must not wrap around.
constexpr uint64_t kMaxWeight = uint64_t{1} << 62;

constexpr uint32_t BitOf(Tag tag) { return 1u << static_cast<uint32_t>(tag); }

// What the items of a collection add up to. They are kept in each collection, so that is_wholly_known(), has_marks(),
// depth() and weight() take constant time.
struct Summary {
  uint32_t tags = 0;  // a bit for each; what collections hold counts as theirs, a mark as what it may be on
  uint32_t depth = 0;
  uint64_t weight = 1;

  // Scalars take no call. Fewer than 2^32 items of a weight of at most 2^28 add up to less than 2^60, which even a
  // saturated weight takes without wrapping around.
  void Add(const Value& item) {
    const Tag tag = TagOf(item);
    if (tag >= Tag::kTuple) {
      *this = With(item, *this);
      return;
    }
    tags |= BitOf(tag);
    // As Value::weight(); too few and too light to wrap around.
    weight += tag == Tag::kShortString ? 1 : 1 + (HeadBits(item) >> 36);
  }

  // `summary` with an item of any kind. By value, so that the loops keep theirs in registers.
  ABSL_ATTRIBUTE_NOINLINE static Summary With(const Value& item, Summary summary) {
    if (item.is_sequence()) {
      summary.AddCollection(SequenceOf(item));
    } else if (item.is_mapping()) {
      summary.AddCollection(MappingOf(item));
    } else {
      summary.tags |= BitOf(TagOf(item)) | (item.is_wholly_known() ? 0 : BitOf(Tag::kUnknown)) |
                      (item.has_marks() ? BitOf(Tag::kMarked) | BitOf(Tag::kNull) : 0);
      summary.depth = std::max(summary.depth, item.depth());
      summary.weight = std::min(kMaxWeight, summary.weight + item.weight());
    }
    return summary;
  }

  template <typename Collection>
  void AddCollection(const Collection& collection) {
    tags |= (collection.wholly_known ? 0 : BitOf(Tag::kUnknown)) | (collection.has_marks ? BitOf(Tag::kMarked) : 0) |
            (collection.has_no_nulls ? 0 : BitOf(Tag::kNull));
    depth = std::max<uint32_t>(depth, collection.depth);
    weight = std::min(kMaxWeight, weight + collection.weight);
  }

  // Into a Sequence or a Mapping, of which `own_weight` is not the items'.
  template <typename Collection>
  void Store(uint64_t own_weight, Collection* collection) const {
    collection->wholly_known = (tags & BitOf(Tag::kUnknown)) == 0;
    collection->has_marks = (tags & BitOf(Tag::kMarked)) != 0;
    collection->has_no_nulls = (tags & BitOf(Tag::kNull)) == 0;
    collection->depth = static_cast<uint16_t>(std::min<uint32_t>(depth + 1, UINT16_MAX));
    collection->weight = std::min(kMaxWeight, weight + own_weight);
  }
};

ABSL_ATTRIBUTE_ALWAYS_INLINE inline Summary Summarize(absl::Span<const Value> items) {
  Summary summary;
  for (const Value& item : items) summary.Add(item);
  return summary;
}

// The summary of `from`, which is copied to `to`.
Summary CopyItems(absl::Span<const Value> from, Value* to) {
  Summary summary;
  for (const Value& item : from) {
    *to++ = internal::ByWords(item);
    summary.Add(item);
  }
  return summary;
}

// What every shape promises: strings, sorted bytewise, none twice. For assertions.
[[maybe_unused]] bool AreSortedKeys(absl::Span<const Value> keys) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].is_string() || (i > 0 && keys[i - 1].AsString() >= keys[i].AsString())) return false;
  }
  return true;
}

// One pass copies and sums up, since each item is in the cache then.
Value MakeSequence(Tag tag, Type element, absl::Span<const Value> elements, Arena* arena) {
  HCL_DCHECK(elements.size() <= UINT32_MAX);
  Sequence* sequence = NewSequence(static_cast<uint32_t>(elements.size()), element, tag == Tag::kTuple, arena);
  CopyItems(elements, sequence->mutable_items()).Store(0, sequence);
  return SequenceValue(tag, sequence);
}

Value MakeMapping(Tag tag, Type element, const Shape* shape, absl::Span<const Value> values, Arena* arena) {
  HCL_DCHECK(shape != nullptr && shape->size == values.size());
  Mapping* mapping = NewMapping(shape, element, tag == Tag::kObject, arena);
  CopyItems(values, mapping->mutable_items()).Store(shape->weight, mapping);
  return MappingValue(tag, mapping);
}

// The shape of keys that live in `arena` already.
const Shape* ShapeOf(const Value* keys, size_t size, Arena* arena) {
  Shape* shape = arena->New<Shape>();
  shape->size = static_cast<uint32_t>(size);
  shape->keys = keys;
  for (size_t i = 0; i < size; ++i) shape->weight += keys[i].weight();
  if (size > kMaxUnindexedKeys) {
    BuildIndex(shape, arena);
  } else {
    shape->hash = HashKeys({keys, size});
  }
  return shape;
}

// The order must be strict: a repeated key is to be replaced, and so counts as unsorted.
bool KeysAscend(absl::Span<const KeyValue> pairs) {
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (CompareStrings(pairs[i - 1].key, pairs[i].key) >= 0) return false;
  }
  return true;
}

// Copies keys and values in the order of the keys, of each key the last. Returns how many there are. Pairs lie
// scattered in that order, so that memory is asked for ahead.
size_t GatherSorted(absl::Span<const KeyValue> pairs, Value* keys, Value* values, Arena* arena) {
  constexpr size_t kAhead = 8;
  const internal::Scratch<internal::StringSortEntry> order(2 * pairs.size(), arena);
  const bool has_equal = internal::SortKeyPositions(pairs, order.data());
  size_t kept = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (i + kAhead < pairs.size()) __builtin_prefetch(&pairs[order[i + kAhead].index]);
    const KeyValue& pair = pairs[order[i].index];
    if (has_equal && i + 1 < pairs.size() && SameString(pair.key, pairs[order[i + 1].index].key)) continue;
    keys[kept] = pair.key;
    values[kept++] = pair.value;
  }
  return kept;
}

// Pairs that come sorted are taken as they are. The memory of the mapping is taken before its keys are known, because
// what sorts them gives all back that was taken behind it; where keys are repeated, some of it stays unused.
Value MakeMappingFromPairs(Tag tag, Type element, absl::Span<const KeyValue> pairs, Arena* arena) {
  Value* const keys = arena->NewArray<Value>(pairs.size());
  void* const memory = arena->Allocate(sizeof(Mapping) + pairs.size() * sizeof(Value), alignof(Mapping));
  auto* const values = reinterpret_cast<Value*>(static_cast<Mapping*>(memory) + 1);
  size_t size = pairs.size();
  if (KeysAscend(pairs)) {
    for (size_t i = 0; i < size; ++i) {
      keys[i] = pairs[i].key;
      values[i] = pairs[i].value;
    }
  } else {
    size = GatherSorted(pairs, keys, values, arena);
  }
  const internal::TypeNode* const element_node = tag == Tag::kObject ? nullptr : element.node();
  auto* const mapping = new (memory) Mapping{ShapeOf(keys, size, arena), element_node, 1, true, false, false, 1};
  internal::Finish(mapping);
  return MappingValue(tag, mapping);
}

}  // namespace

const Shape* MakeShape(absl::Span<const Value> sorted_keys, Arena* arena) {
  HCL_DCHECK(AreSortedKeys(sorted_keys));
  return ShapeOf(arena->CopySpan(sorted_keys).data(), sorted_keys.size(), arena);
}

const Shape* MakeShape(absl::Span<const Value> keys, absl::Span<uint32_t> positions, Arena* arena) {
  HCL_DCHECK(keys.size() == positions.size());
  constexpr size_t kFew = 16;
  absl::InlinedVector<uint32_t, kFew> order(keys.size());
  if (keys.size() <= kFew) {
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [keys](uint32_t a, uint32_t b) { return CompareStrings(keys[a], keys[b]) < 0; });
  } else {
    std::vector<internal::StringSortEntry> entries(2 * keys.size());
    internal::SortStringPositions(keys, entries.data());
    for (size_t n = 0; n < keys.size(); ++n) order[n] = entries[n].index;
  }
  absl::InlinedVector<Value, kFew> sorted;
  for (const uint32_t n : order) {
    if (sorted.empty() || !SameString(sorted.back(), keys[n])) sorted.push_back(keys[n]);
    positions[n] = static_cast<uint32_t>(sorted.size() - 1);
  }
  return MakeShape(sorted, arena);
}

void internal::Finish(Sequence* sequence) { Summarize({sequence->items(), sequence->size}).Store(0, sequence); }

void internal::Finish(Mapping* mapping) {
  Summarize({mapping->items(), mapping->shape->size}).Store(mapping->shape->weight, mapping);
}

Value MakeTuple(absl::Span<const Value> elements, Arena* arena) {
  return MakeSequence(Tag::kTuple, Type(), elements, arena);
}

Value MakeList(Type element, absl::Span<const Value> elements, Arena* arena) {
  return MakeSequence(Tag::kList, element, elements, arena);
}

// The digits are counted once, here, so that weight() stays a matter of the bits: a number of few bytes may have very
// many of them. Whatever its digits, a big number weighs what a text of a hundred does, because it is slow to work
// with.
Value Value::FromBigNumber(const Number& n) {
  constexpr uint64_t kLeast = 100;
  Value v(Tag::kBigNumber, n.big());
  v.head_ |= std::clamp<uint64_t>(n.DigitCount(), kLeast, UINT32_MAX) << 32;
  return v;
}

Value MakeSet(Type element, absl::Span<const Value> elements, Arena* arena) {
  HCL_DCHECK(elements.size() <= UINT32_MAX);
  Sequence* sequence = NewSequence(static_cast<uint32_t>(elements.size()), element, false, arena);
  std::copy(elements.begin(), elements.end(), sequence->mutable_items());
  sequence->size = static_cast<uint32_t>(SortSetElements({sequence->mutable_items(), elements.size()}, arena));
  internal::Finish(sequence);
  return SequenceValue(Tag::kSet, sequence);
}

Value MakeObject(const Shape* shape, absl::Span<const Value> values, Arena* arena) {
  return MakeMapping(Tag::kObject, Type(), shape, values, arena);
}

Value MakeMap(Type element, const Shape* shape, absl::Span<const Value> values, Arena* arena) {
  return MakeMapping(Tag::kMap, element, shape, values, arena);
}

Value MakeCapsule(Type type, const void* data, Arena* arena) {
  HCL_DCHECK(type.kind() == TypeKind::kCapsule);
  return Value::FromCapsule(arena->New<Capsule>(Capsule{type, data}));
}

Value MakeObject(absl::Span<const KeyValue> pairs, Arena* arena) {
  return MakeMappingFromPairs(Tag::kObject, Type(), pairs, arena);
}

Value MakeMap(Type element, absl::Span<const KeyValue> pairs, Arena* arena) {
  return MakeMappingFromPairs(Tag::kMap, element, pairs, arena);
}

namespace {

Type TypeOfStructure(const Value& value, absl::Span<const Value> items, TypeTable* types) {
  absl::InlinedVector<Type, 8> elements;
  elements.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    // A value that is put into a structure twice has one type: what nested loops build stays cheap.
    bool again = i > 0 && items[i].SameBits(items[i - 1]);
    elements.push_back(again ? elements.back() : TypeOf(items[i], types));
  }
  return value.is_tuple() ? types->Tuple(elements) : types->Object(value.shape(), elements);
}

}  // namespace

// Only tuples and objects are looked into, since a collection has its element type in the value. Recursion follows the
// depth of the value.
Type TypeOf(const Value& value, TypeTable* types) {
  switch (TagOf(value)) {
    case Tag::kNull:
    case Tag::kUnknown:
      return value.null_or_unknown_type();
    case Tag::kFalse:
    case Tag::kTrue:
      return Type::Bool();
    case Tag::kNumber:
    case Tag::kBigNumber:
      return Type::Number();
    case Tag::kShortString:
    case Tag::kString:
      return Type::String();
    case Tag::kTuple:
      return TypeOfStructure(value, value.elements(), types);
    case Tag::kObject:
      return TypeOfStructure(value, value.values(), types);
    case Tag::kList:
      return types->List(value.element_type());
    case Tag::kSet:
      return types->Set(value.element_type());
    case Tag::kMap:
      return types->Map(value.element_type());
    case Tag::kCapsule:
      return value.capsule().type;
    case Tag::kMarked:
      return TypeOf(value.unmarked(), types);
    case Tag::kError:
    case Tag::kInternal:
      return Type::Dynamic();
  }
  return Type::Dynamic();
}

// The name of a tuple or an object says nothing of its parts; that of a collection is in its element type.
std::string FriendlyName(const Value& value) {
  switch (TagOf(value)) {
    case Tag::kTuple:
      return "tuple";
    case Tag::kObject:
      return "object";
    case Tag::kList:
      return absl::StrCat("list of ", FriendlyName(value.element_type()));
    case Tag::kSet:
      return absl::StrCat("set of ", FriendlyName(value.element_type()));
    case Tag::kMap:
      return absl::StrCat("map of ", FriendlyName(value.element_type()));
    case Tag::kMarked:
      return FriendlyName(value.unmarked());
    default:
      // Neither null nor unknown nor a scalar has a type that is to be made.
      return FriendlyName(TypeOf(value, nullptr));
  }
}

namespace {

// The kind of the type of `value`, which is neither null nor unknown nor marked. It is a table and no switch, because
// HasType() asks for each item.
TypeKind KindOfKnown(const Value& value) {
  constexpr TypeKind kKinds[] = {TypeKind::kDynamic, TypeKind::kDynamic, TypeKind::kBool,    TypeKind::kBool,
                                 TypeKind::kNumber,  TypeKind::kNumber,  TypeKind::kString,  TypeKind::kString,
                                 TypeKind::kTuple,   TypeKind::kList,    TypeKind::kSet,     TypeKind::kObject,
                                 TypeKind::kMap,     TypeKind::kCapsule, TypeKind::kDynamic, TypeKind::kDynamic,
                                 TypeKind::kDynamic};
  static_assert(sizeof(kKinds) / sizeof(kKinds[0]) == static_cast<size_t>(Tag::kMarked) + 1);
  return kKinds[static_cast<size_t>(TagOf(value))];
}

bool ItemsHaveTypes(absl::Span<const Value> items, Type type) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (!HasType(items[i], type.element(i))) return false;
  }
  return true;
}

bool SameItemTypes(absl::Span<const Value> a, absl::Span<const Value> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!SameType(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

// Makes no type: the usual question is whether a value needs converting at all. It ends at the first difference.
bool HasType(const Value& value, Type type) {
  if (value.is_marked()) return HasType(value.unmarked(), type);
  if (value.is_null() || value.is_unknown()) return value.null_or_unknown_type() == type;
  if (KindOfKnown(value) != type.kind()) return false;
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
      return value.element_type() == type.element();
    case TypeKind::kTuple:
      return value.size() == type.size() && ItemsHaveTypes(value.elements(), type);
    case TypeKind::kObject:
      return value.shape() == type.shape() && ItemsHaveTypes(value.values(), type);
    case TypeKind::kCapsule:
      return value.capsule().type == type;
    default:
      return true;
  }
}

// Tags of one kind differ (true and false, short and long strings), hence kinds are compared. A null or unknown value
// brings a type, with which the other one is compared.
bool SameType(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  if (a.is_marked() || b.is_marked()) return SameType(a.unmarked(), b.unmarked());
  if (a.is_null() || a.is_unknown()) return HasType(b, a.null_or_unknown_type());
  if (b.is_null() || b.is_unknown()) return HasType(a, b.null_or_unknown_type());
  if (KindOfKnown(a) != KindOfKnown(b)) return false;
  switch (TagOf(a)) {
    case Tag::kList:
    case Tag::kSet:
    case Tag::kMap:
      return a.element_type() == b.element_type();
    case Tag::kTuple:
      return a.size() == b.size() && SameItemTypes(a.elements(), b.elements());
    case Tag::kObject:
      return a.shape() == b.shape() && SameItemTypes(a.values(), b.values());
    case Tag::kCapsule:
      return a.capsule().type == b.capsule().type;
    default:
      return true;
  }
}

namespace {

bool IdenticalItems(absl::Span<const Value> a, absl::Span<const Value> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!Identical(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

// Tells null from unknown and compares types, but not refinements. Inline values have been decided by their bits.
bool Identical(const Value& a, const Value& b) {
  if (a.SameBits(b)) return true;
  if (TagOf(a) != TagOf(b)) return false;
  switch (TagOf(a)) {
    case Tag::kNull:
    case Tag::kUnknown:
      return a.null_or_unknown_type() == b.null_or_unknown_type();
    case Tag::kMarked:
      return a.marks() == b.marks() && Identical(a.unmarked(), b.unmarked());
    case Tag::kBigNumber:
      return Equal(a.AsNumber(), b.AsNumber());
    case Tag::kString:
      return a.AsString() == b.AsString();
    case Tag::kTuple:
      return IdenticalItems(a.elements(), b.elements());
    case Tag::kList:
    case Tag::kSet:
      return a.element_type() == b.element_type() && IdenticalItems(a.elements(), b.elements());
    case Tag::kObject:
      return a.shape() == b.shape() && IdenticalItems(a.values(), b.values());
    case Tag::kMap:
      return a.element_type() == b.element_type() && a.shape() == b.shape() && IdenticalItems(a.values(), b.values());
    case Tag::kCapsule:
      return a.capsule().type == b.capsule().type && a.capsule().data == b.capsule().data;
    default:
      return false;  // tags whose bits decide
  }
}

namespace {

class Cloner {
 public:
  Cloner(Arena* arena, TypeTable* types) : arena_(arena), types_(types) {}

  // Values that are inline come back as they are. Nothing in the copy points into the old memory: types are imported,
  // shapes and texts copied, and a capsule's data as its type says.
  Value Clone(const Value& value) {
    switch (TagOf(value)) {
      case Tag::kNull:
        return Value::Null(types_->Import(value.null_or_unknown_type()));
      case Tag::kUnknown:
        return CloneUnknown(value);
      case Tag::kMarked:
        return Value::Marked(value.marks(), arena_->New<Value>(Clone(value.unmarked())));
      case Tag::kBigNumber:
        return Value::FromNumber(value.AsNumber().Clone(arena_));
      case Tag::kString:
        return Value::String(value.AsString(), arena_);
      case Tag::kTuple:
      case Tag::kList:
      case Tag::kSet:
        return CloneSequence(value);
      case Tag::kObject:
      case Tag::kMap:
        return CloneMapping(value);
      case Tag::kCapsule:
        return CloneCapsule(value.capsule());
      default:
        return value;
    }
  }

 private:
  // The summary is copied, not computed again.
  Value CloneSequence(const Value& value) {
    const Sequence& from = SequenceOf(value);
    Type element = value.is_tuple() ? Type() : types_->Import(value.element_type());
    Sequence* to = NewSequence(from.size, element, value.is_tuple(), arena_);
    CloneItems(value.elements(), to->mutable_items());
    to->wholly_known = from.wholly_known;
    to->has_marks = from.has_marks;
    to->has_no_nulls = from.has_no_nulls;
    to->depth = from.depth;
    to->weight = from.weight;
    return SequenceValue(TagOf(value), to);
  }

  Value CloneCapsule(const Capsule& capsule) {
    const CapsuleType& type = Type(capsule.type).capsule();
    const void* data = type.copy == nullptr ? capsule.data : type.copy(capsule.data, arena_);
    return MakeCapsule(types_->Import(Type(capsule.type)), data, arena_);
  }

  // Bounds may be big numbers, which live in the old arena; RefinedUnknown() copies the prefix.
  Value CloneUnknown(const Value& value) {
    Refinement refinement = RefinementOf(value);
    refinement.type = types_->Import(refinement.type);
    if (refinement.min) refinement.min->value = refinement.min->value.Clone(arena_);
    if (refinement.max) refinement.max->value = refinement.max->value.Clone(arena_);
    return RefinedUnknown(refinement, arena_);
  }

  Value CloneMapping(const Value& value) {
    const Mapping& from = MappingOf(value);
    Type element = value.is_object() ? Type() : types_->Import(value.element_type());
    Mapping* to = NewMapping(CloneShape(value.shape()), element, value.is_object(), arena_);
    CloneItems(value.values(), to->mutable_items());
    to->wholly_known = from.wholly_known;
    to->has_marks = from.has_marks;
    to->has_no_nulls = from.has_no_nulls;
    to->depth = from.depth;
    to->weight = from.weight;
    return MappingValue(TagOf(value), to);
  }

  // A value that nested loops have put in many times in a row is copied once, or the copy would be as large as the
  // tree.
  void CloneItems(absl::Span<const Value> from, Value* to) {
    for (size_t i = 0; i < from.size(); ++i)
      to[i] = i > 0 && from[i].SameBits(from[i - 1]) ? to[i - 1] : Clone(from[i]);
  }

  // Neighbors often share a shape, as the elements of a list of objects do.
  const Shape* CloneShape(const Shape& shape) {
    if (last_shape_ == &shape) return last_copy_;
    absl::InlinedVector<Value, 16> keys;
    keys.reserve(shape.size);
    for (uint32_t i = 0; i < shape.size; ++i) keys.push_back(Value::String(shape.keys[i].AsString(), arena_));
    last_shape_ = &shape;
    last_copy_ = MakeShape(keys, arena_);
    return last_copy_;
  }

  Arena* arena_;
  TypeTable* types_;
  const Shape* last_shape_ = nullptr;
  const Shape* last_copy_ = nullptr;
};

}  // namespace

Value Clone(const Value& value, Arena* arena, TypeTable* types) { return Cloner(arena, types).Clone(value); }

}  // namespace hcl

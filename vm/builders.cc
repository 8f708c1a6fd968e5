// Builders. Tested by vm/builders_test.cc.

#include "hclvm/vm/builders.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "absl/types/span.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/scratch.h"
#include "hclvm/vm/value/string_order.h"
#include "hclvm/vm/value/string_sort.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

constexpr uint32_t kFirstCapacity = 8;

template <typename T>
// What was allocated last grows where it is, without a copy. Otherwise the old memory stays in the arena until the next
// run: in sum less than the new array, because capacities double.
T* GrowArray(T* old, uint32_t size, uint32_t capacity, Arena* arena) {
  if (size > 0 && arena->Extend(old + size, (capacity - size) * sizeof(T))) return old;
  T* bigger = arena->NewArray<T>(capacity);
  if (size > 0) std::memcpy(static_cast<void*>(bigger), old, size * sizeof(T));
  return bigger;
}

bool IsBefore(const KeyValue& a, const KeyValue& b) { return CompareStrings(a.key, b.key) < 0; }

// Only long strings are equal although their words differ, of which the first one holds the size.
bool IsSameKey(const Value& a, const Value& b) {
  return a.SameBits(b) || (TagOf(a) == Tag::kString && HeadBits(a) == HeadBits(b) && SameString(a, b));
}

}  // namespace

// This is GrowArray for a sequence whose items follow its header. Its size is set only at the end.
void TupleBuilder::Grow(Arena* arena) {
  if (capacity > 0 && arena->Extend(sequence->items() + capacity, capacity * sizeof(Value))) {
    capacity *= 2;
    return;
  }
  capacity = capacity == 0 ? kFirstCapacity : capacity * 2;
  Sequence* bigger = NewSequence(capacity, Type(), /*is_tuple=*/true, arena);
  if (size > 0) std::memcpy(static_cast<void*>(bigger->mutable_items()), sequence->items(), size * sizeof(Value));
  sequence = bigger;
}

void TupleBuilder::Append(absl::Span<const Value> values, Arena* arena) {
  while (capacity - size < values.size()) Grow(arena);
  std::copy(values.begin(), values.end(), sequence->mutable_items() + size);
  size += static_cast<uint32_t>(values.size());
}

// The items become the tuple without another copy; what capacity is left over stays unused in the arena.
Value TupleBuilder::FinishTuple(Arena* arena) {
  if (poison.is_error()) return poison;
  if (unknowable) return Mark(Value::Dynamic(), marks, arena);
  if (sequence == nullptr) return Mark(MakeTuple({}, arena), marks, arena);
  sequence->size = size;
  internal::Sequence* finished = sequence;
  internal::Finish(finished);
  return Mark(SequenceValue(Tag::kTuple, finished), marks, arena);
}

Value TupleBuilder::FinishList(Heap* heap) {
  const Type element = TypeOf(sequence->items()[0], heap->types());
  return MakeList(element, absl::MakeConstSpan(sequence->items(), size), heap->arena());
}

// Keys often come sorted, as where a `for` keeps the keys of a map, and then a repeated one is equal to its neighbor.
// The hash table is made when the first key comes out of order, and only where a repeated key is an error; elsewhere
// one sort at the end is enough.
bool ObjectBuilder::Put(const Value& key, const Value& value, Arena* arena) {
  if (sorted && size > 0 && CompareStrings(items[size - 1].key, key) >= 0) {
    sorted = false;
    if (repeated == RepeatedKey::kRefuse) Rehash(arena);
  }
  if (!sorted && repeated == RepeatedKey::kRefuse && !Insert(key, arena)) return false;
  if (size == capacity) {
    capacity = capacity == 0 ? kFirstCapacity : capacity * 2;
    items = GrowArray(items, size, capacity, arena);
  }
  items[size++] = {key, value};
  return true;
}

// Enters position `size` for `key`; false when the key is there. The key itself is stored by Put(), right after this.
// The half of the hash that is kept with a position tells nearly always that a key is another one, without a look at
// it.
bool ObjectBuilder::Insert(const Value& key, Arena* arena) {
  if ((size + 1) * 2 > slot_mask) Rehash(arena);
  const uint64_t hash = HashKey(key);
  auto at = static_cast<uint32_t>(hash >> 32) & slot_mask;
  for (; slots[at] != 0; at = (at + 1) & slot_mask) {
    if ((slots[at] ^ hash) >> 32 == 0 && SameString(items[static_cast<uint32_t>(slots[at]) - 1].key, key)) return false;
  }
  slots[at] = (hash >> 32 << 32) | (size + 1);
  return true;
}

// The table is at most a quarter full afterwards, so that it is done again only when the number of keys has doubled:
// constant time for each key. Its entries are those of the old table, which stays in the arena, and no key is looked at
// but for the first table.
void ObjectBuilder::Rehash(Arena* arena) {
  uint32_t count = 32;
  while (count < (size + 1) * 4) count *= 2;
  const uint64_t* const old = slots;
  const uint32_t old_count = old == nullptr ? size : slot_mask + 1;
  slot_mask = count - 1;
  slots = arena->NewArray<uint64_t>(count);
  std::fill_n(slots, count, uint64_t{0});
  for (uint32_t i = 0; i < old_count; ++i) {
    const uint64_t entry = old == nullptr ? (HashKey(items[i].key) >> 32 << 32) | (i + 1) : old[i];
    if (entry == 0) continue;
    auto at = static_cast<uint32_t>(entry >> 32) & slot_mask;
    while (slots[at] != 0) at = (at + 1) & slot_mask;
    slots[at] = entry;
  }
}

// Few keys of few bytes are looked for one after the other, mostly by their words, which tell texts of different sizes
// apart: no item is moved, and only the groups are sorted. False, and nothing is done, when there are more, or longer
// ones.
bool ObjectBuilder::CollectFewGroups(Arena* arena) {
  constexpr uint32_t kFew = 24;
  constexpr size_t kMaxKeyBytes = 64;
  struct Group {
    Value key;
    uint32_t size;
    Sequence* members;
  };
  Group groups[kFew];
  uint32_t count = 0;
  auto* const group_of = arena->NewArray<uint8_t>(size);
  for (uint32_t i = 0; i < size; ++i) {
    const Value& key = items[i].key;
    if (key.AsString().size() > kMaxKeyBytes) return false;
    uint32_t g = 0;
    while (g < count && !IsSameKey(groups[g].key, key)) ++g;
    if (g == kFew) return false;
    if (g == count) groups[count++] = {key, 0, nullptr};
    ++groups[g].size;
    group_of[i] = static_cast<uint8_t>(g);
  }
  for (uint32_t g = 0; g < count; ++g) {
    groups[g].members = NewSequence(groups[g].size, Type(), /*is_tuple=*/true, arena);
    groups[g].size = 0;
  }
  for (uint32_t i = 0; i < size; ++i) {
    Group& group = groups[group_of[i]];
    group.members->mutable_items()[group.size++] = items[i].value;
  }
  for (uint32_t g = 0; g < count; ++g) {
    internal::Finish(groups[g].members);
    items[g] = {groups[g].key, SequenceValue(Tag::kTuple, groups[g].members)};
  }
  std::sort(items, items + count, IsBefore);
  size = count;
  return true;
}

// native-syntax.md, "For Expressions": each key gets a tuple of its values in the order of the items. `items` is reused
// for the groups, which are never more.
Value ObjectBuilder::FinishGroups(Arena* arena) {
  if (CollectFewGroups(arena)) return MakeObject(absl::MakeSpan(items, size), arena);
  auto* const sorted_items = arena->NewArray<KeyValue>(size);
  {
    const Scratch<StringSortEntry> order(2 * static_cast<size_t>(size), arena);
    SortKeyPositions({items, size}, order.data());
    for (uint32_t i = 0; i < size; ++i) sorted_items[i] = items[order[i].index];
  }
  uint32_t groups = 0;
  for (uint32_t begin = 0; begin < size;) {
    uint32_t end = begin + 1;
    while (end < size && SameString(sorted_items[end].key, sorted_items[begin].key)) ++end;
    Sequence* members = NewSequence(end - begin, Type(), /*is_tuple=*/true, arena);
    for (uint32_t i = begin; i < end; ++i) members->mutable_items()[i - begin] = sorted_items[i].value;
    internal::Finish(members);
    items[groups++] = {sorted_items[begin].key, SequenceValue(Tag::kTuple, members)};
    begin = end;
  }
  return MakeObject(absl::MakeSpan(items, groups), arena);
}

Value ObjectBuilder::Finish(Arena* arena) {
  if (poison.is_error()) return poison;
  if (unknowable) return Mark(Value::Dynamic(), marks, arena);
  if (repeated == RepeatedKey::kGroup) return Mark(FinishGroups(arena), marks, arena);
  return Mark(MakeObject(absl::MakeSpan(items, size), arena), marks, arena);
}

FixedBuilder::FixedBuilder(const Shape* shape, Arena* arena)
    : mapping(NewMapping(shape, Type(), /*is_object=*/true, arena)) {}

Value FixedBuilder::Finish() {
  if (poison.is_error()) return poison;
  internal::Finish(mapping);
  return MappingValue(Tag::kObject, mapping);
}

// The capacity doubles, and grows by 64 bytes at least, so that many short parts cost linear time. Text is kept as it
// comes: whether a part composes with the one before shows only when it follows.
void StringBuilder::Reserve(size_t bytes, Arena* arena) {
  HCL_DCHECK(bytes >= size);
  char* const bigger = arena->NewArray<char>(bytes);
  if (size > 0) std::memcpy(bigger, data, size);
  data = bigger;
  capacity = bytes;
}

void StringBuilder::Append(std::string_view text, Arena* arena) {
  if (text.empty() || unknowable) return;  // only what stands before the first unknown part is known
  if (size + text.size() > capacity) Reserve(std::max(capacity * 2, size + text.size() + 64), arena);
  std::memcpy(data + size, text.data(), text.size());
  size += text.size();
  is_nfc = is_nfc && (static_cast<signed char>(text[0]) >= 0 || JoinsNothing(text));
}

// Normalizes once for the whole text. In an unknown result only that part of the known beginning is promised which no
// character behind it can change (SafePrefix).
Value StringBuilder::Finish(Arena* arena) {
  if (poison.is_error()) return poison;
  const std::string_view text(data, size);
  if (unknowable) {
    Refinement refinement;
    refinement.type = Type::String();
    refinement.not_null = true;
    const std::string known = ToNfc(text);
    refinement.prefix = SafePrefix(known);
    return Mark(RefinedUnknown(refinement, arena), marks, arena);
  }
  const Value result = is_nfc || IsKnownNfc(text) ? Value::StringView(text) : Value::String(ToNfc(text), arena);
  return Mark(result, marks, arena);
}

}  // namespace hcl::internal

// A conversion plans what it does to each element, and unification makes types of whole tuples. Elements of one type
// need nothing but a place in a new list, and texts of scalars no plan.
//
// Tested by vm/value/uniform_list_test.cc.

#include "hclvm/vm/value/uniform_list.h"

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/arena.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Elements, and the weight of all: a host that wants to stop is not asked in between.
constexpr uint32_t kMaxElements = 256;
constexpr uint64_t kMaxWeight = 4096;

constexpr uint32_t Bit(Tag tag) { return uint32_t{1} << static_cast<int>(tag); }

constexpr uint32_t kBools = Bit(Tag::kFalse) | Bit(Tag::kTrue);
constexpr uint32_t kNumbers = Bit(Tag::kNumber) | Bit(Tag::kBigNumber);
constexpr uint32_t kStrings = Bit(Tag::kShortString) | Bit(Tag::kString);

// The type of all elements; dynamic where they have none in common, or are none of these, or there are too many, or
// none. A null in an object would leave the type open. `takes_objects`: where they are no objects, it takes little
// time.
Type ElementType(const Sequence& sequence, bool takes_objects, TypeTable* types) {
  if (sequence.size == 0 || sequence.size > kMaxElements) return Type::Dynamic();
  const Value* const items = sequence.items();
  uint32_t tags = 0;
  for (uint32_t n = 0; n < sequence.size; ++n) tags |= Bit(TagOf(items[n]));
  const auto only = [tags](uint32_t wanted) { return (tags & ~wanted) == 0; };
  if (only(kStrings)) return Type::String();
  if (only(kNumbers)) return Type::Number();
  if (only(kBools)) return Type::Bool();
  const bool are_objects = takes_objects && only(Bit(Tag::kObject)) && sequence.wholly_known && !sequence.has_marks;
  if (!are_objects || sequence.weight > kMaxWeight) return Type::Dynamic();
  const bool are_same =
      std::all_of(items + 1, items + sequence.size, [&](const Value& v) { return SameType(*items, v); });
  const Type type = are_same ? TypeOf(*items, types) : Type::Dynamic();
  return type.has_dynamic() ? Type::Dynamic() : type;
}

// Whether it is a tuple of scalars and nulls, of which a list of strings is made without a limit in sight.
bool AreTexts(const Value& value, const Heap& heap) {
  if (!value.is_tuple() || value.size() == 0 || value.size() > kMaxElements) return false;
  if (heap.limits().max_number_digits < Number::kMaxShortText) return false;
  if (!heap.CanAllocate(value.size() * (sizeof(Value) + Number::kMaxShortText))) return false;
  return std::all_of(value.elements().begin(), value.elements().end(), [](const Value& element) {
    switch (TagOf(element)) {
      case Tag::kNull:
        return element.null_or_unknown_type().is_dynamic() || element.null_or_unknown_type().is_primitive();
      case Tag::kNumber:
        return element.AsNumber().is_short();
      default:
        return element.is_string() || element.is_bool();
    }
  });
}

Value TextOf(const Value& element, Arena* arena) {
  if (element.is_string()) return element;
  if (element.is_null()) return Value::Null(Type::String());
  if (element.is_bool()) return Value::StringView(element.is_true() ? "true" : "false");
  char text[Number::kMaxShortText];
  const char* const end = element.AsNumber().WriteShort(text);
  return Value::String({text, static_cast<size_t>(end - text)}, arena);
}

Value TextsOf(const Value& tuple, Heap* heap) {
  const auto size = static_cast<uint32_t>(tuple.size());
  Sequence* const texts = NewSequence(size, Type::String(), /*is_tuple=*/false, heap->arena());
  Value* to = texts->mutable_items();
  for (const Value& element : tuple.elements()) *to++ = TextOf(element, heap->arena());
  Finish(texts);
  return SequenceValue(Tag::kList, texts);
}

// What one attribute of several objects is: bools, numbers, strings, or tuples of one of these.
struct Attribute {
  Type scalar;  // of the values, or of what is in them
  bool is_tuple = false;
  bool differs = false;  // in length, so that it becomes a list
};

// Finds out what attribute number `at` of all `objects` is; false where it is anything else.
bool ReadAttribute(absl::Span<const Value> objects, size_t at, Attribute* attribute) {
  const Value& first = objects[0].values()[at];
  attribute->is_tuple = first.is_tuple();
  attribute->scalar = TypeOfScalar(first);
  for (const Value& object : objects) {
    const Value& value = object.values()[at];
    if (!attribute->is_tuple) {
      if (attribute->scalar.is_dynamic() || TypeOfScalar(value) != attribute->scalar) return false;
      continue;
    }
    if (!value.is_tuple()) return false;
    attribute->differs |= value.size() != first.size();
    for (const Value& element : value.elements()) {
      const Type type = TypeOfScalar(element);
      if (attribute->scalar.is_dynamic()) attribute->scalar = type;
      if (type.is_dynamic() || type != attribute->scalar) return false;
    }
  }
  return true;
}

}  // namespace

// Types are made for the first object only: what they would unify to shows in the values.
bool AlignObjects(const Value& tuple, Heap* heap, Value* list) {
  constexpr size_t kUsualAttributes = 16;
  if (!tuple.is_tuple()) return false;
  const Sequence& sequence = SequenceOf(tuple);
  if (sequence.size < 2 || sequence.size > kMaxElements || sequence.weight > kMaxWeight) return false;
  if (!sequence.wholly_known || sequence.has_marks || heap->dialect() != Dialect::kSpec) return false;
  const absl::Span<const Value> objects = tuple.elements();
  const Value& first = objects[0];
  if (!first.is_object()) return false;
  const auto is_alike = [&](const Value& v) { return v.is_object() && v.shape() == first.shape(); };
  if (!std::all_of(objects.begin(), objects.end(), is_alike)) return false;
  if (!heap->CanAllocate(4 * sequence.weight * sizeof(Value))) return false;
  absl::InlinedVector<Attribute, kUsualAttributes> attributes(first.size());
  bool differ = false;
  for (size_t n = 0; n < first.size(); ++n) {
    if (!ReadAttribute(objects, n, &attributes[n])) return false;
    differ |= attributes[n].differs;
  }
  if (!differ) return false;
  Arena* const arena = heap->arena();
  Sequence* const aligned = NewSequence(sequence.size, Type(), /*is_tuple=*/false, arena);
  for (uint32_t n = 0; n < sequence.size; ++n) {
    Mapping* const object = NewMapping(&first.shape(), Type(), /*is_object=*/true, arena);
    for (size_t at = 0; at < first.size(); ++at) {
      const Value& value = objects[n].values()[at];
      object->mutable_items()[at] =
          attributes[at].differs ? ListOfElements(attributes[at].scalar, value, arena) : value;
    }
    Finish(object);
    aligned->mutable_items()[n] = MappingValue(Tag::kObject, object);
  }
  aligned->element = TypeOf(aligned->items()[0], heap->types()).node();
  Finish(aligned);
  *list = SequenceValue(Tag::kList, aligned);
  return true;
}

bool TakeUniformList(Type type, Heap* heap, Value* value, uint64_t* cost) {
  const TypeKind kind = type.kind();
  if ((kind != TypeKind::kList && kind != TypeKind::kSet) || !value->is_sequence()) return false;
  const Sequence& sequence = SequenceOf(*value);
  if (!heap->CanAllocate(sequence.size * sizeof(Value))) return false;
  const Type element = ElementType(sequence, kind == TypeKind::kList, heap->types());
  const Type wanted = type.element();
  if (kind == TypeKind::kList && wanted == Type::String() && element != wanted && AreTexts(*value, *heap)) {
    *cost += sequence.weight / 4 + ConversionCost(*value, type);
    *value = TextsOf(*value, heap);
    return true;
  }
  if (kind == TypeKind::kList && wanted.is_dynamic() && element.is_dynamic()) {
    Value list;
    if (!AlignObjects(*value, heap, &list)) return false;
    *cost += sequence.weight / 4 + ConversionCost(*value, type);
    *value = list;
    return true;
  }
  if (element.is_dynamic() || !(wanted.is_dynamic() || wanted == element)) return false;
  if (!value->is_tuple() && value->element_type() != element) return false;
  *cost += sequence.weight / 4;
  const absl::Span<const Value> items(sequence.items(), sequence.size);
  if (kind == TypeKind::kSet && !value->is_set()) {
    // As ConversionCost(), which has more to find out.
    const auto rounds = static_cast<uint64_t>(32 - __builtin_clz(sequence.size));
    *cost += (sequence.weight + 1) / 2 + (sequence.size + sequence.weight) * rounds;
    *value = MakeSet(element, items, heap->arena());
  } else if (kind == TypeKind::kList && !value->is_list()) {
    *cost += (sequence.weight + 1) / 2;
    *value = ListOfElements(element, *value, heap->arena());
  }
  return true;
}

bool AreTuplesOfOneType(const Value& a, const Value& b) {
  if (!a.is_tuple() || !b.is_tuple()) return false;
  uint32_t tags = 0;
  for (const Value& element : a.elements()) tags |= Bit(TagOf(element));
  for (const Value& element : b.elements()) tags |= Bit(TagOf(element));
  return (tags & ~kStrings) == 0 || (tags & ~kNumbers) == 0 || (tags & ~kBools) == 0;
}

// What a list's memory says of its elements is what that of a tuple says.
Value ListOfElements(Type element, const Value& sequence, Arena* arena) {
  const Sequence& from = SequenceOf(sequence);
  Sequence* const list = NewSequence(from.size, element, /*is_tuple=*/false, arena);
  list->depth = from.depth;
  list->wholly_known = from.wholly_known;
  list->has_marks = from.has_marks;
  list->has_no_nulls = from.has_no_nulls;
  list->weight = from.weight;
  std::copy_n(from.items(), from.size, list->mutable_items());
  return SequenceValue(Tag::kList, list);
}

Type UniformElementType(const Value& value, uint64_t* cost) {
  if (!value.is_sequence() || SequenceOf(value).has_marks) return Type::Dynamic();
  *cost += SequenceOf(value).weight / 4;
  return ElementType(SequenceOf(value), /*takes_objects=*/false, /*types=*/nullptr);
}

Type UniformTypeOfTuples(absl::Span<const Value> values, Heap* heap) {
  const Value* first = nullptr;  // a tuple
  bool differ = false;
  Type element = Type::Dynamic();
  for (const Value& value : values) {
    if (value.is_null() && value.null_or_unknown_type().is_dynamic()) continue;
    if (!value.is_tuple()) return Type::Dynamic();
    differ |= first != nullptr && first->size() != value.size();
    first = first == nullptr ? &value : first;
    if (value.size() == 0) continue;
    const Type type = ElementType(SequenceOf(value), /*takes_objects=*/true, heap->types());
    if (type.is_dynamic() || !(element.is_dynamic() || element == type)) return Type::Dynamic();
    element = type;
  }
  return differ ? element : Type::Dynamic();
}

Type UnifyUniformTuples(absl::Span<const Value> values, Heap* heap) {
  const Type element = UniformTypeOfTuples(values, heap);
  return element.is_dynamic() ? element : heap->types()->List(element);
}

}  // namespace hcl::internal

// Conversion of values.
//
// Goes down the value, not its type: a part that has the wanted type already is taken as it is, and types of tuples and
// objects are only made where the wanted type is dynamic inside. Tested by vm/value/conversion_test.cc,
// vm/value/conversion_conformance_test.cc.

#include "hclvm/vm/value/conversion.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion_types.h"
#include "hclvm/vm/value/conversion_values.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {

using internal::MappingValue;
using internal::NewMapping;
using internal::NewSequence;
using internal::SequenceValue;
using internal::SortSetElements;
using internal::TagOf;
using internal::ToLower;
namespace {

using internal::Mapping;
using internal::Sequence;
using internal::Tag;

absl::Span<const Value> Items(const Value& value) { return value.is_sequence() ? value.elements() : value.values(); }

constexpr char kTooManyDigits[] = "the number has more digits than a number may have (limit max_number_digits)";
constexpr char kTooMuchMemory[] = "the result takes more memory than an evaluation may use (limit max_result_bytes)";

// One call of hcl::Convert(), with the error and the depth that its recursion shares. Recursion goes down the value,
// which Limits::max_nesting_depth bounds.
class Converter {
 public:
  // `levels`: how many values the ones to be converted are inside of.
  Converter(Heap* heap, ConversionError* error, uint32_t levels = 0)
      : heap_(heap), error_(error), context_{heap->types(), heap->dialect(), error->fuel}, levels_(levels) {}

  bool Convert(const Value& value, Type to, Value* result) {
    ++levels_;
    bool converted = ConvertAny(value, to, result);
    --levels_;
    return converted;
  }

 private:
  // Which way the elements of a collection come to one type, where the wanted type is dynamic inside.
  enum class Agreement { kMustAgree, kUnifySafely, kUnify };

  bool IsSilent() const { return internal::IsSilent(error_->silence); }
  bool Fail(std::string_view message) {
    error_->path.clear();
    error_->is_limit = false;
    if (!IsSilent()) error_->message = message;
    return false;
  }
  bool FailLimit(std::string_view message) {
    error_->path.clear();
    error_->message = message;
    error_->is_limit = true;
    return false;
  }
  bool FailMismatch(const Value& value, Type to) {
    if (IsSilent()) return Fail("");
    // The message names the kind of a tuple or object, and not its parts.
    TypeTable* types = heap_->types();
    const Type from = value.is_tuple()    ? types->Tuple({})
                      : value.is_object() ? types->Object(*types->InternShape({}), {})
                                          : TypeOf(value, types);
    return Fail(internal::MismatchMessage(from, to));
  }
  // Says that the failure of a part was at `segment`. Always false. Paths are put together from the inside, while the
  // recursion returns: a conversion that succeeds never makes one.
  bool FailAt(const std::string& segment) {
    error_->path.insert(0, segment);
    return false;
  }
  bool FailInItem(const Value& container, size_t i) {
    return error_->message.empty() ? false : FailAt(internal::PathToItem(container, i));
  }

  // The reference gives a list of unknown length its elements' old type. Inside of other values that would break those
  // values' types, so that it is kept at the top only.
  bool KeepsSourceElement() const { return !spec() && levels_ == 1; }
  bool spec() const { return heap_->dialect() == Dialect::kSpec; }
  bool Convertible(Type from, Type to) { return internal::ConvertibleTypes(from, to, /*unsafe=*/true, context_); }

  bool ConvertAny(const Value& value, Type to, Value* result);
  bool ConvertNullOrUnknown(const Value& value, Type to, Value* result);
  bool ToString(const Value& value, Value* result);
  bool ToNumber(const Value& value, Value* result);
  bool ToBool(const Value& value, Value* result);
  bool ToSequence(const Value& value, Type to, Value* result);
  bool ToMap(const Value& value, Type to, Value* result);
  bool ToTuple(const Value& value, Type to, Value* result);
  bool ToObject(const Value& value, Type to, Value* result);
  bool CheckMapKeys(const Value& map, Type to);

  bool TakeScalars(const Value& value, Type to, Value* result);
  bool FindElementType(const Value& value, Type element, Type* result, bool* is_open);
  bool ConvertItems(const Value& value, Type element, Value* items);
  bool Agree(const Value& value, absl::Span<Value> items, Type element, Agreement agreement, Type* result,
             bool* is_open);
  Type SettledType(Type preferred, absl::Span<const Type> types, absl::Span<const Value> values, bool* is_open);
  Value OpenCollection(TypeKind kind, const Value& value);
  bool Reserve(size_t items) { return internal::ReserveValues(items, *heap_, error_); }

  Heap* heap_;
  ConversionError* error_;
  internal::ConversionContext context_;
  uint32_t levels_;  // calls of Convert that are open
};

// HasType() first: most values have the wanted type, and a large value is then not copied. It goes down the value until
// something differs, so that a conversion may look at a part once for each level above it, which the depth of values
// bounds. Marks go on the result where they were on the value.
bool Converter::ConvertAny(const Value& value, Type to, Value* result) {
  if (to.is_dynamic() || HasType(value, to)) {
    *result = value;
    return true;
  }
  if (value.is_null() || value.is_unknown()) return ConvertNullOrUnknown(value, to, result);
  if (value.is_marked()) {
    const MarkSet marks = value.marks();  // which *result may stand in place of
    if (!ConvertAny(value.unmarked(), to, result)) {
      error_->path.clear();  // the keys in it belong to the marked value
      return false;
    }
    *result = Mark(*result, marks, heap_->arena());
    return true;
  }
  switch (to.kind()) {
    case TypeKind::kString:
      return ToString(value, result);
    case TypeKind::kNumber:
      return ToNumber(value, result);
    case TypeKind::kBool:
      return ToBool(value, result);
    case TypeKind::kList:
    case TypeKind::kSet:
      return ToSequence(value, to, result);
    case TypeKind::kMap:
      return ToMap(value, to, result);
    case TypeKind::kTuple:
      return ToTuple(value, to, result);
    case TypeKind::kObject:
      return ToObject(value, to, result);
    default:
      return FailMismatch(value, to);
  }
}

// information-model.md, "Conversion of Null Values" and "Conversion to and from the Dynamic Pseudo-type". The type
// alone decides; what is known of the unknown value is kept as far as it holds for the new type (ConvertedUnknown).
bool Converter::ConvertNullOrUnknown(const Value& value, Type to, Value* result) {
  Type from = value.null_or_unknown_type();
  bool convertible = Convertible(from, to);
  // The text lets every null be a null of any type.
  if (!convertible && !(spec() && value.is_null())) return FailMismatch(value, to);
  Type type = convertible ? internal::ReplaceDynamic(from, to, context_) : to;
  *result = value.is_null() ? Value::Null(type) : internal::ConvertedUnknown(value, type, heap_->arena());
  return true;
}

// information-model.md, "Primitive Type Conversions": full precision, no exponent. A number of few bytes may have very
// many digits, so that both limits are asked before they are written.
bool Converter::ToString(const Value& value, Value* result) {
  if (value.is_bool()) {
    *result = Value::StringView(value.is_true() ? "true" : "false");
    return true;
  }
  if (!value.is_number()) return FailMismatch(value, Type::String());
  Number number = value.AsNumber();
  if (number.DigitCount() > heap_->limits().max_number_digits) {
    return FailLimit(kTooManyDigits);
  }
  if (!heap_->CanAllocate(number.DigitCount())) return FailLimit(kTooMuchMemory);
  std::string text;
  // The reference writes a sign on both infinities.
  if (number.IsInfinite() && number.Sign() > 0 && !spec()) text.push_back('+');
  number.AppendTo(&text);
  *result = Value::String(text, heap_->arena());
  return true;
}

// information-model.md, "Primitive Type Conversions", no exponent; the reference reads more spellings.
Number ParseText(const Value& text, Heap* heap, NumberError* error) {
  const NumberSyntax syntax = heap->dialect() == Dialect::kSpec ? NumberSyntax::kSpec : NumberSyntax::kReference;
  return Number::Parse(text.AsString(), syntax, heap->limits(), heap->arena(), error);
}

bool Converter::ToNumber(const Value& value, Value* result) {
  if (!value.is_string()) return FailMismatch(value, Type::Number());
  NumberError error;
  const Number number = ParseText(value, heap_, &error);
  if (error == NumberError::kTooManyDigits) return FailLimit(kTooManyDigits);
  if (error == NumberError::kOverflow) return Fail("the number is too large");
  if (error != NumberError::kNone) return Fail("a number is required, and this text is none");
  *result = Value::FromNumber(number);
  return true;
}

// information-model.md, "Primitive Type Conversions": four texts and no others. What differs in case only gets the
// right spelling in its message; the size test spares long texts the mapping.
bool Converter::ToBool(const Value& value, Value* result) {
  if (!value.is_string()) return FailMismatch(value, Type::Bool());
  std::string_view text = value.AsString();
  bool is_true = text == "true" || text == "1";
  bool is_false = text == "false" || text == "0";
  if (is_true || is_false) {
    *result = Value::Bool(is_true);
    return true;
  }
  if (IsSilent()) return Fail("");
  std::string lower = text.size() <= 5 ? ToLower(text) : std::string();
  if (lower == "true" || lower == "false") return Fail(absl::StrCat("a bool is required; write \"", lower, "\""));
  return Fail("a bool is required: \"true\" or \"false\"");
}

// The element type of a collection made from `value`, as far as types tell: `element`, or where that is dynamic, what
// the elements are or unify to. Structures have parts of different types, and a dynamic element type asks for what
// these unify to. A collection has its element type, so that it fails or succeeds before its elements are looked at.
// *is_open: what is unknown in the parts decides between two types.
bool Converter::FindElementType(const Value& value, Type element, Type* result, bool* is_open) {
  *result = element;
  bool structure = value.is_tuple() || value.is_object();
  if (!structure) {
    if (!Convertible(value.element_type(), element)) {
      return Fail(absl::StrCat("elements must be of type ", FriendlyName(element), ", not ",
                               FriendlyName(value.element_type())));
    }
    if (element.is_dynamic()) *result = value.element_type();
    return true;
  }
  if (!element.is_dynamic()) return true;
  const Type type = TypeOf(value, heap_->types());
  if (!internal::CollectionElement(type, element, /*unsafe=*/true, context_, result)) {
    return Fail("all elements must have one type, and no type fits them all");
  }
  if (value.size() > 1) *result = SettledType(*result, internal::ElementTypes(type), Items(value), is_open);
  return true;
}

// What `values` of the types become, which unify to `preferred`.
Type Converter::SettledType(Type preferred, absl::Span<const Type> types, absl::Span<const Value> values,
                            bool* is_open) {
  const auto unified = internal::Unification::Beside(preferred, types, context_);
  const Type type = unified.OfAll(values);
  *is_open = !unified.is_settled() && type.is_dynamic();
  return type;
}

// A collection of `kind` with the marks of all that is in `value`, of which nothing is known yet, not even the type of
// its elements.
Value Converter::OpenCollection(TypeKind kind, const Value& value) {
  MarkSet marks = 0;
  UnmarkDeep(value, &marks, heap_->arena());
  return Mark(Value::Unknown(heap_->types()->Collection(kind, Type::Dynamic())), marks, heap_->arena());
}

// `items` may be the uninitialized items of a new collection: each is written before anything reads it.
bool Converter::ConvertItems(const Value& value, Type element, Value* items) {
  absl::Span<const Value> from = Items(value);
  for (size_t i = 0; i < from.size(); ++i) {
    if (!Convert(from[i], element, &items[i])) return FailInItem(value, i);
  }
  return true;
}

// Brings the converted items of `value` to one type, which is the element type of the result. An element type that is
// dynamic inside (list(any) in a spec) is decided by the values, because a collection has elements of one type:
// information-model.md, "Collection Types". Which values may be converted once more to reach it is the reference's
// behavior. Nulls and unknowns without a type take the common one at the end, under the marks that they have.
bool Converter::Agree(const Value& value, absl::Span<Value> items, Type element, Agreement agreement, Type* result,
                      bool* is_open) {
  *result = element;
  if (!element.has_dynamic() || items.empty()) return true;
  uint64_t weight = 0;
  for (const Value& item : items) weight += item.weight();
  if (!context_.Charge(weight / 2)) return Fail("");
  std::vector<Type> types;
  types.reserve(items.size());
  for (const Value& item : items) types.push_back(TypeOf(item, heap_->types()));
  bool unify = agreement != Agreement::kMustAgree;
  Type unified;
  if (unify && !internal::UnifyTypes(types, agreement == Agreement::kUnify, context_, &unified)) {
    return Fail("all elements must have one type, and no type fits them all");
  }
  if (unify) unified = SettledType(unified, types, items, is_open);
  *result = Type::Dynamic();
  if (*is_open) return true;
  for (size_t i = 0; i < items.size(); ++i) {
    if (unify && !HasType(items[i], unified)) {
      if (!Convert(Value(items[i]), unified, &items[i])) return FailInItem(value, i);
      types[i] = TypeOf(items[i], heap_->types());
    }
    // A value of unknown type goes with every other.
    if (types[i].is_dynamic()) continue;
    if (result->is_dynamic()) *result = types[i];
    if (types[i] != *result) return Fail("all elements must have one type");
  }
  for (size_t i = 0; i < items.size(); ++i) {
    if (!types[i].is_dynamic()) continue;
    const MarkSet marks = items[i].marks();
    items[i] =
        Mark(items[i].unmarked().is_null() ? Value::Null(*result) : Value::Unknown(*result), marks, heap_->arena());
  }
  return true;
}

// The type of all of `items`, which are known and of one primitive type; dynamic where they are not.
Type TypeOfScalars(absl::Span<const Value> items) {
  constexpr auto bit = [](Tag tag) { return 1U << static_cast<int>(tag); };
  uint32_t tags = 0;
  for (const Value& item : items) tags |= bit(TagOf(item));
  if ((tags & ~(bit(Tag::kShortString) | bit(Tag::kString))) == 0) return Type::String();
  if ((tags & ~(bit(Tag::kNumber) | bit(Tag::kBigNumber))) == 0) return Type::Number();
  return (tags & ~(bit(Tag::kFalse) | bit(Tag::kTrue))) == 0 ? Type::Bool() : Type::Dynamic();
}

// What ToSequence() does where it comes down to taking the elements as they are: known scalars of one type, which is
// wanted or may be any. False, and nothing done, for everything else.
bool Converter::TakeScalars(const Value& value, Type to, Value* result) {
  const absl::Span<const Value> from = value.elements();
  if (from.empty() || (!to.element().is_dynamic() && !to.element().is_primitive())) return false;
  const Type element = TypeOfScalars(from);
  if (element.is_dynamic() || (!to.element().is_dynamic() && to.element() != element)) return false;
  if (!heap_->CanAllocate(from.size() * sizeof(Value))) return false;
  if (to.kind() == TypeKind::kSet) {
    *result = MakeSet(element, from, heap_->arena());
  } else {
    *result = MakeList(element, from, heap_->arena());
  }
  return true;
}

// information-model.md, "Collection and Structural Type Conversions". A set takes the marks of its elements on itself,
// since its elements have no place that they could be told by; equal ones become one.
bool Converter::ToSequence(const Value& value, Type to, Value* result) {
  if (!value.is_sequence()) return FailMismatch(value, to);
  if (TakeScalars(value, to, result)) return true;
  Type element;
  bool is_open = false;
  if (!FindElementType(value, to.element(), &element, &is_open)) return false;
  if (is_open) return *result = OpenCollection(to.kind(), value), true;
  bool to_set = to.kind() == TypeKind::kSet;
  if (value.is_set() && !to_set && value.size() > 1 && !value.is_wholly_known()) {
    // Its unknown elements may turn out to be equal to others, so that the length is unknown.
    Type type = internal::ReplaceDynamic(value.element_type(), element, context_);
    *result = Value::Unknown(heap_->types()->List(KeepsSourceElement() ? value.element_type() : type));
    return true;
  }
  size_t size = value.size();
  if (!Reserve(size)) return false;
  Sequence* sequence = NewSequence(static_cast<uint32_t>(size), element, /*is_tuple=*/false, heap_->arena());
  absl::Span<Value> items(sequence->mutable_items(), size);
  if (!ConvertItems(value, element, items.data())) return false;
  Agreement agreement = value.is_tuple() && !to_set ? Agreement::kUnify : Agreement::kMustAgree;
  if (!Agree(value, items, element, agreement, &element, &is_open)) return false;
  if (is_open) return *result = OpenCollection(to.kind(), value), true;
  MarkSet marks = 0;  // a set has them as a whole
  if (to_set) {
    for (Value& item : items) item = UnmarkDeep(item, &marks, heap_->arena());
  }
  if (to_set) sequence->size = static_cast<uint32_t>(SortSetElements(items, heap_->arena()));
  sequence->element = element.node();
  Finish(sequence);
  *result = Mark(SequenceValue(to_set ? Tag::kSet : Tag::kList, sequence), marks, heap_->arena());
  return true;
}

// information-model.md, "Collection and Structural Type Conversions". The keys of the result are those of the source,
// so that both share one shape. Which elements may be converted once more to agree is the reference's behavior.
bool Converter::ToMap(const Value& value, Type to, Value* result) {
  if (!value.is_mapping()) return FailMismatch(value, to);
  Type element;
  bool is_open = false;
  if (!FindElementType(value, to.element(), &element, &is_open)) return false;
  if (is_open) return *result = OpenCollection(to.kind(), value), true;
  size_t size = value.size();
  if (!Reserve(size)) return false;
  Mapping* mapping = NewMapping(&value.shape(), element, /*is_object=*/false, heap_->arena());
  absl::Span<Value> items(mapping->mutable_items(), size);
  if (!ConvertItems(value, element, items.data())) return false;
  bool nested = element.is_collection() || element.kind() == TypeKind::kObject;
  Agreement agreement = !nested             ? Agreement::kMustAgree
                        : value.is_object() ? Agreement::kUnify
                                            : Agreement::kUnifySafely;
  if (!Agree(value, items, element, agreement, &element, &is_open)) return false;
  if (is_open) return *result = OpenCollection(to.kind(), value), true;
  mapping->element = element.node();
  Finish(mapping);
  *result = MappingValue(Tag::kMap, mapping);
  return true;
}

// information-model.md, "Collection and Structural Type Conversions", also from lists and sets; the reference converts
// tuples only. The number of elements must agree exactly.
bool Converter::ToTuple(const Value& value, Type to, Value* result) {
  if (!value.is_sequence() || (!spec() && !value.is_tuple())) return FailMismatch(value, to);
  if (value.is_set() && value.size() > 1 && !value.is_wholly_known()) {
    // How many elements there are will show, but their type is known now.
    const Type from = TypeOf(value, heap_->types());
    if (!Convertible(from, to)) return FailMismatch(value, to);
    *result = Value::Unknown(internal::ReplaceDynamic(from, to, context_));
    return true;
  }
  if (value.size() != to.size()) {
    return Fail(absl::StrCat("a tuple of ", to.size(), " elements is required, not of ", value.size()));
  }
  if (!Reserve(to.size())) return false;
  Sequence* sequence = NewSequence(static_cast<uint32_t>(to.size()), Type(), /*is_tuple=*/true, heap_->arena());
  for (size_t i = 0; i < to.size(); ++i) {
    if (!Convert(value.elements()[i], to.element(i), &sequence->mutable_items()[i])) return FailInItem(value, i);
  }
  Finish(sequence);
  *result = SequenceValue(Tag::kTuple, sequence);
  return true;
}

// Whether the map has the keys that the object type asks for. The text wants no others; the reference drops them.
bool Converter::CheckMapKeys(const Value& map, Type to) {
  if (!Convertible(TypeOf(map, heap_->types()), to)) return FailMismatch(map, to);
  for (size_t i = 0; i < to.size(); ++i) {
    std::string name(to.shape().keys[i].AsString());
    if (map.shape().Find(name) < 0) return Fail(absl::StrCat("the map has no element \"", name, "\""));
  }
  if (!spec()) return true;
  for (size_t i = 0; i < map.size(); ++i) {
    std::string key(map.shape().keys[i].AsString());
    if (to.shape().Find(key) < 0) return Fail(absl::StrCat("the object has no attribute \"", key, "\""));
  }
  return true;
}

// information-model.md, "Collection and Structural Type Conversions": an attribute that the source lacks becomes null,
// one that the target lacks is dropped. In the reference a missing attribute is an error (docs/language.md,
// "Dialects"). The result has the target's shape, whose keys come in its order.
bool Converter::ToObject(const Value& value, Type to, Value* result) {
  if (!value.is_mapping()) return FailMismatch(value, to);
  if (value.is_map() && !CheckMapKeys(value, to)) return false;
  // Each attribute is looked for; those that the value has are paid for with it.
  if (!context_.Charge(to.size() - std::min(to.size(), value.size()))) return Fail("");
  if (!Reserve(to.size())) return false;
  Mapping* mapping = NewMapping(&to.shape(), Type(), /*is_object=*/true, heap_->arena());
  Value* items = mapping->mutable_items();
  for (size_t i = 0; i < to.size(); ++i) {
    const Value& key = to.shape().keys[i];
    int64_t at = value.shape().Find(key);
    if (at >= 0) {
      size_t from = static_cast<size_t>(at);
      if (!Convert(value.values()[from], to.element(i), &items[i])) return FailInItem(value, from);
    } else if (spec()) {
      items[i] = Value::Null(to.element(i));
    } else {
      return Fail(absl::StrCat("attribute \"", internal::Excerpt(key.AsString()), "\" is required"));
    }
  }
  Finish(mapping);
  *result = MappingValue(Tag::kObject, mapping);
  return true;
}

}  // namespace

namespace internal {

bool ConvertPart(const Value& value, Type to, Heap* heap, Value* result, ConversionError* error) {
  return Converter(heap, error, /*levels=*/1).Convert(value, to, result);
}

bool ReserveValues(size_t items, const Heap& heap, ConversionError* error) {
  if (heap.CanAllocate(items * sizeof(Value))) return true;
  error->path.clear();
  error->message = kTooMuchMemory;
  error->is_limit = true;
  return false;
}

std::string PathToItem(const Value& container, size_t i) {
  std::string step;
  if (container.is_mapping()) {
    internal::AppendNameStep(container.shape().keys[i].AsString(), &step);
  } else {
    internal::AppendIndexStep(i, &step);
  }
  return step;
}

std::string MismatchMessage(Type from, Type to) {
  return absl::StrCat(WithArticle(to), " is required, not ", WithArticle(from));
}

}  // namespace internal

std::string ConversionError::ToString() const { return path.empty() ? message : absl::StrCat(path, ": ", message); }

bool ReadNumber(const Value& text, Heap* heap, Value* number) {
  NumberError error;
  const Number read = ParseText(text, heap, &error);
  if (error == NumberError::kNone) *number = Value::FromNumber(read);
  return error == NumberError::kNone;
}

bool Convert(const Value& value, Type to, Heap* heap, Value* result, ConversionError* error) {
  return Converter(heap, error).Convert(value, to, result);
}

}  // namespace hcl

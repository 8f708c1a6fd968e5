// Functions of lists and tuples. Tested by vm/functions/sequence_functions_test.cc.

#include "hclvm/vm/functions/sequence_functions.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/set_order.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unification.h"

namespace hcl::internal {
namespace {

using TypeVector = absl::InlinedVector<Type, 16>;
using ValueVector = absl::InlinedVector<Value, 64>;

// Whether all arguments are lists and can become lists of one type, *type.
bool CommonListType(FunctionCall* call, absl::Span<const Value> arguments, Type* type) {
  for (const Value& argument : arguments) {
    if (KindOf(argument) != TypeKind::kList) return false;
  }
  if (internal::AllSameType(arguments)) {
    *type = TypeOf(arguments[0], call->types());
    return true;
  }
  TypeVector types;
  for (const Value& argument : arguments) types.push_back(TypeOf(argument, call->types()));
  Unification unified;
  if (!Unification::Of(types, call->heap(), &unified, call->fuel())) return false;
  *type = unified.OfAll(arguments);
  if (type->is_dynamic()) *type = Common().list_of_dynamic;
  return true;
}

// The types of what `sequence` contributes to a concatenated tuple; false when their number is not known.
bool AppendElementTypes(FunctionCall* call, const Value& sequence, TypeVector* types) {
  if (KindOf(sequence) == TypeKind::kList) {
    if (sequence.is_unknown()) return false;
    types->insert(types->end(), sequence.size(), sequence.element_type());
    return true;
  }
  const Type tuple = TypeOf(sequence, call->types());
  for (size_t i = 0; i < tuple.size(); ++i) types->push_back(tuple.element(i));
  return true;
}

// A list type, or the tuple's type; for a tuple that is known, dynamic, as its elements have their types in them.
Type ConcatType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty()) return call->TypeError("at least one argument is required");
  Type list;
  if (CommonListType(call, arguments, &list)) return list;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypeKind kind = KindOf(arguments[i]);
    if (kind != TypeKind::kList && kind != TypeKind::kTuple) {
      return call->ArgumentTypeError(
          i, [&] { return absl::StrCat("a list or tuple is required, not ", WithArticle(arguments[i])); });
    }
    // As in the reference, what stands behind a list of unknown length is not looked at.
    if (kind == TypeKind::kList && arguments[i].is_unknown()) return Type::Dynamic();
  }
  if (!AnyUnknown(arguments)) return Type::Dynamic();
  TypeVector types;
  for (const Value& argument : arguments) {
    if (!AppendElementTypes(call, argument, &types)) return Type::Dynamic();
  }
  return call->types()->Tuple(types);
}

// What the concatenated list is a list of. In kHashiCorp the common type of lists of which one is of the dynamic
// pseudo-type, such as tolist([]), may be a list of that, too; then the elements say it, which must have one type.
bool ConcatElementType(FunctionCall* call, absl::Span<const Value> arguments, Type* element) {
  *element = call->result_type().element();
  if (element->kind() != TypeKind::kDynamic) return true;
  const Value* first = nullptr;
  for (const Value& argument : arguments) {
    if (argument.size() == 0) continue;
    const Value* const next = argument.elements().data();
    if (first != nullptr && !SameType(*first, *next)) {
      call->Error("the lists have elements of different types");
      return false;
    }
    first = next;
  }
  if (first != nullptr) *element = TypeOf(*first, call->types());
  return true;
}

bool AreWhollyKnown(absl::Span<const Value> values) {
  return std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_wholly_known(); });
}

// Lists that unify give a list, anything else a tuple. Room for all elements is taken once.
Value Concat(FunctionCall* call, absl::Span<const Value> arguments) {
  const Type type = call->result_type();
  const bool is_list = type.kind() == TypeKind::kList;
  if (is_list && type.element().is_dynamic() && call->heap()->dialect() == Dialect::kSpec &&
      !AreWhollyKnown(arguments) && !AllSameType(arguments)) {
    // What is unknown in the lists decides between two types.
    return Value::Unknown(type);
  }
  uint64_t count = 0;
  for (const Value& argument : arguments) count += argument.size();
  Type of;
  if (!CanMake(call, count) || (is_list && !ConcatElementType(call, arguments, &of))) return Value();
  internal::Sequence* result = is_list ? NewList(call, count, of) : NewTuple(call, count);
  Value* next = result->mutable_items();
  for (size_t i = 0; i < arguments.size(); ++i) {
    Value argument = arguments[i];
    ConversionError error = NewError(call);
    if (is_list && argument.element_type() != type.element() &&
        !Convert(arguments[i], type, call->heap(), &argument, &error)) {
      return ConversionFailed(call, static_cast<int>(i), error);
    }
    for (const Value& element : argument.elements()) *next++ = element;
  }
  return is_list ? FinishList(result) : FinishTuple(result);
}

bool IsListOrTuple(TypeKind kind);

// The rule looks at no argument behind a list of unknown length.
void CheckConcat(FunctionCall* call, absl::Span<const Value> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TypeKind kind = KindOf(arguments[i]);
    if (IsListOrTuple(kind) || kind == TypeKind::kDynamic) continue;
    call->ArgumentError(i,
                        [&] { return absl::StrCat("a list or tuple is required, not ", WithArticle(arguments[i])); });
  }
}

bool IsListOrTuple(TypeKind kind) { return kind == TypeKind::kList || kind == TypeKind::kTuple; }

// Length of a tuple, known or not, or of a known list.
std::optional<int64_t> LengthOf(const Value& sequence) {
  if (sequence.is_sequence()) return static_cast<int64_t>(sequence.size());
  const Type type = sequence.null_or_unknown_type();
  if (type.kind() == TypeKind::kTuple) return static_cast<int64_t>(type.size());
  return std::nullopt;
}

// The position that `index` means to element() in a sequence of `length` > 0 elements: it goes round both ways.
size_t WrapIndex(int64_t index, int64_t length) { return static_cast<size_t>((index % length + length) % length); }

Type ElementResultType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  const TypeKind kind = KindOf(sequence);
  if (!IsListOrTuple(kind)) {
    return call->TypeError([&] { return absl::StrCat("a list or tuple is required, not ", WithArticle(sequence)); });
  }
  if (kind == TypeKind::kList) return ElementTypeOf(sequence);
  if (arguments[1].is_unknown() || !sequence.is_unknown()) return Type::Dynamic();
  const Type tuple = sequence.null_or_unknown_type();
  const std::optional<int64_t> index = WholeNumber(arguments[1]);
  if (!index) return call->TypeError("the index must be a whole number");
  if (tuple.size() == 0) return call->TypeError("an empty list has no elements");
  return tuple.element(WrapIndex(*index, static_cast<int64_t>(tuple.size())));
}

Value Element(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  const std::optional<int64_t> index = WholeNumber(arguments[1]);
  if (!index) return call->Error("the index must be a whole number");
  if (sequence.size() == 0) return call->Error("an empty list has no elements");
  return sequence.elements()[WrapIndex(*index, static_cast<int64_t>(sequence.size()))];
}

bool IsIndexable(TypeKind kind) { return IsListOrTuple(kind) || kind == TypeKind::kMap; }

// The element of a known collection at a known key, or null when there is none.
const Value* Find(const Value& collection, const Value& key) {
  if (collection.is_map()) {
    if (!key.is_string()) return nullptr;
    const int64_t at = collection.shape().Find(key);
    return at < 0 ? nullptr : &collection.values()[static_cast<size_t>(at)];
  }
  if (!key.is_number()) return nullptr;
  const std::optional<int64_t> index = WholeNumber(key);
  if (!index || *index < 0 || static_cast<uint64_t>(*index) >= collection.size()) return nullptr;
  return &collection.elements()[static_cast<size_t>(*index)];
}

Type HasIndexType(FunctionCall* call, absl::Span<const Value> arguments) {
  const TypeKind kind = KindOf(arguments[0]);
  if (IsIndexable(kind) || kind == TypeKind::kDynamic) return Type::Bool();
  return call->TypeError(
      [&] { return absl::StrCat("a list, map or tuple is required, not ", WithArticle(arguments[0])); });
}

Value HasIndex(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!call->Charge(CostOf(arguments[1]))) return Value();
  return Value::Bool(Find(arguments[0], arguments[1]) != nullptr);
}

// It works like the index operator (native-syntax.md, "Index Operator"), but keys are not converted, and objects and
// sets have no index here. The type alone may already tell that there is no such element.
Type IndexType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& collection = arguments[0];
  const TypeKind kind = KindOf(collection);
  const TypeKind key = KindOf(arguments[1]);
  if (!IsIndexable(kind)) {
    return call->TypeError(
        [&] { return absl::StrCat("a list, map or tuple is required, not ", WithArticle(collection)); });
  }
  const TypeKind wanted = kind == TypeKind::kMap ? TypeKind::kString : TypeKind::kNumber;
  if (key != wanted && key != TypeKind::kDynamic) {
    return call->TypeError(kind == TypeKind::kMap ? "the key of a map must be a string" : "the key must be a number");
  }
  if (kind != TypeKind::kTuple) return ElementTypeOf(collection);
  if (arguments[1].is_unknown() || !collection.is_unknown()) return Type::Dynamic();
  const Type tuple = collection.null_or_unknown_type();
  const std::optional<int64_t> index = WholeNumber(arguments[1]);
  if (!index || *index < 0 || static_cast<size_t>(*index) >= tuple.size()) {
    return call->TypeError("the collection has no element with that key");
  }
  return tuple.element(static_cast<size_t>(*index));
}

Value Index(FunctionCall* call, absl::Span<const Value> arguments) {
  if (!call->Charge(CostOf(arguments[1]))) return Value();
  const Value* element = Find(arguments[0], arguments[1]);
  return element != nullptr ? *element : call->Error("the collection has no element with that key");
}

Type ReverseType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  const TypeKind kind = KindOf(sequence);
  if (!IsListOrTuple(kind) && kind != TypeKind::kSet) {
    return call->ArgumentTypeError(
        0, [&] { return absl::StrCat("a list or tuple is required, not ", WithArticle(sequence)); });
  }
  if (!sequence.is_unknown()) return Type::Dynamic();
  if (kind != TypeKind::kTuple) return call->types()->List(ElementTypeOf(sequence));
  const Type tuple = sequence.null_or_unknown_type();
  TypeVector types;
  for (size_t i = tuple.size(); i-- > 0;) types.push_back(tuple.element(i));
  return call->types()->Tuple(types);
}

Value Reverse(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  // Where the unknown elements of a set will stand, and whether they are others, is not known.
  if (HasOpenLength(sequence)) {
    return Value::Unknown(call->types()->List(sequence.element_type()));
  }
  if (!call->Charge(CostOfElements(sequence.size())) || !CanMake(call, sequence.size())) return Value();
  internal::Sequence* result =
      sequence.is_tuple() ? NewTuple(call, sequence.size()) : NewList(call, sequence.size(), sequence.element_type());
  std::reverse_copy(sequence.elements().begin(), sequence.elements().end(), result->mutable_items());
  return sequence.is_tuple() ? FinishTuple(result) : FinishList(result);
}

// A slice's bounds, as far as they are known, checked against each other and the length.
struct SliceBounds {
  std::optional<int64_t> begin, end;
};

// One bound; false when the call has failed.
bool ReadBound(FunctionCall* call, absl::Span<const Value> arguments, size_t position, const char* name,
               std::optional<int64_t>* bound) {
  if (arguments[position].is_unknown()) return true;
  *bound = WholeNumber(arguments[position]);
  const std::optional<int64_t> length = LengthOf(arguments[0]);
  if (!*bound || **bound < 0) {
    call->ArgumentError(position,
                        [&] { return absl::StrCat("the ", name, " must be a whole number, and not negative"); });
    return false;
  }
  if (length && **bound > *length) {
    call->ArgumentError(position,
                        [&] { return absl::StrCat("the ", name, " must not be over the length, ", *length); });
    return false;
  }
  return true;
}

bool ReadBounds(FunctionCall* call, absl::Span<const Value> arguments, SliceBounds* bounds) {
  if (!ReadBound(call, arguments, 1, "start index", &bounds->begin) ||
      !ReadBound(call, arguments, 2, "end index", &bounds->end)) {
    return false;
  }
  if (bounds->begin && bounds->end && *bounds->begin > *bounds->end) {
    call->ArgumentError(1, "the start index must not be over the end index");
    return false;
  }
  return true;
}

Type SliceType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  const TypeKind kind = KindOf(sequence);
  if (!IsListOrTuple(kind)) {
    return call->ArgumentTypeError(
        0, [&] { return absl::StrCat("a list or tuple is required, not ", WithArticle(sequence)); });
  }
  // The body reads the bounds where all is known.
  if (!AnyUnknown(arguments)) return Type::Dynamic();
  SliceBounds bounds;
  if (!ReadBounds(call, arguments, &bounds)) return Type::Dynamic();
  if (kind == TypeKind::kList) return TypeOf(sequence, call->types());
  if (!bounds.begin || !bounds.end) return Type::Dynamic();
  const Type tuple = TypeOf(sequence, call->types());
  TypeVector types;
  for (int64_t i = *bounds.begin; i < *bounds.end; ++i) types.push_back(tuple.element(static_cast<size_t>(i)));
  return call->types()->Tuple(types);
}

// The bounds are read again, because a rule hands nothing to the body but the type.
Value Slice(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  SliceBounds bounds;
  if (!ReadBounds(call, arguments, &bounds)) return Value();
  const size_t begin = static_cast<size_t>(*bounds.begin);
  absl::Span<const Value> part = sequence.elements().subspan(begin, static_cast<size_t>(*bounds.end) - begin);
  if (!call->Charge(CostOfElements(part.size())) || !CanMake(call, part.size())) return Value();
  return sequence.is_list() ? MakeList(sequence.element_type(), part, call->arena()) : MakeTuple(part, call->arena());
}

// Appends what a flattened sequence has; false when that cannot be known yet, or the call has failed. Depth: the
// value's; time: its weight. An unknown element that may be a sequence leaves open how many elements there are. The
// recursion is paid for by the argument's weight.
bool FlattenInto(FunctionCall* call, const Value& sequence, ValueVector* out) {
  if (HasOpenLength(sequence)) return false;
  if (!CanMake(call, out->size() + sequence.size())) return false;
  // Nothing in it is a sequence where all that it holds is known and flat.
  if (sequence.is_wholly_known() && sequence.depth() == 1) {
    out->insert(out->end(), sequence.elements().begin(), sequence.elements().end());
    return true;
  }
  for (const Value& element : sequence.elements()) {
    if (element.is_sequence()) {
      if (!FlattenInto(call, element, out)) return false;
      continue;
    }
    if (element.is_unknown()) {
      const TypeKind kind = KindOf(element);
      if (IsListOrTuple(kind) || kind == TypeKind::kSet || kind == TypeKind::kDynamic) return false;
    }
    out->push_back(element);
  }
  return true;
}

void CheckFlatten(FunctionCall* call, absl::Span<const Value> arguments) {
  if (MayBeSequence(KindOf(arguments[0]))) return;
  call->Error([&] { return absl::StrCat("a list, set or tuple is required, not ", WithArticle(arguments[0])); });
}

Value Flatten(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& sequence = arguments[0];
  if (!sequence.is_sequence()) return CheckFlatten(call, arguments), Value();
  ValueVector elements;
  if (FlattenInto(call, sequence, &elements)) return MakeTuple(elements, call->arena());
  return Value::Dynamic();
}

// The rule looks at no argument behind an unknown one.
void CheckCoalesceList(FunctionCall* call, absl::Span<const Value> arguments) {
  for (const Value& argument : arguments) {
    const TypeKind kind = KindOf(argument);
    if (IsListOrTuple(kind) || kind == TypeKind::kDynamic) continue;
    call->Error([&] { return absl::StrCat("the arguments must be lists or tuples, not ", WithArticle(argument)); });
  }
}

// The types may differ, so that the result is that of the chosen argument, and dynamic beforehand.
Type CoalesceListType(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.empty()) return call->TypeError("at least one argument is required");
  for (const Value& argument : arguments) {
    if (argument.is_unknown()) return Type::Dynamic();
    // A null of JSON has no type, and may be that of a list.
    if (argument.is_null() && argument.null_or_unknown_type().is_dynamic()) continue;
    if (!IsListOrTuple(KindOf(argument))) {
      return call->TypeError(
          [&] { return absl::StrCat("the arguments must be lists or tuples, not ", WithArticle(argument)); });
    }
  }
  return Type::Dynamic();
}

Value CoalesceList(FunctionCall* call, absl::Span<const Value> arguments) {
  for (const Value& argument : arguments) {
    if (argument.is_unknown()) return Value::Dynamic();
    if (!argument.is_null() && argument.size() > 0) return argument;
  }
  return call->Error("all arguments are null or empty");
}

}  // namespace

void RegisterSequenceFunctions(FunctionRegistryBuilder* builder) {
  using Special = Function::Special;
  builder->Add(FailingByType(Checked(
      CheckConcat,
      KnownAs(Special::kConcat, DefineVariadic("concat", {}, Param("seqs", Type::Dynamic()), ConcatType, Concat)))));
  const Type any = Type::Dynamic();
  const Parameter list = Param("list", any);
  builder->Add(KnownAs(Special::kElement, Quick(Charging(Define("element", {list, Param("index", Type::Number())},
                                                                ElementResultType, Element)))));
  builder->Add(FailingByType(
      Charging(Define("hasindex", {Param("collection", any, kAllowDynamic), Param("key", any, kAllowDynamic)},
                      HasIndexType, HasIndex))));
  builder->Add(
      Charging(Define("index", {Param("collection", any), Param("key", any, kAllowDynamic)}, IndexType, Index)));
  builder->Add(FailingByType(KnownAs(Special::kReverse, Charging(Define("reverse", {list}, ReverseType, Reverse)))));
  const Parameter from = Param("start_index", Type::Number());
  const Parameter to = Param("end_index", Type::Number());
  builder->Add(KnownAs(Special::kSlice, Charging(Define("slice", {list, from, to}, SliceType, Slice))));
  builder->Add(
      FailingByType(Checked(CheckFlatten, KnownAs(Special::kFlatten, Define("flatten", {list}, any, Flatten)))));
  builder->Add(Checked(CheckCoalesceList, Charging(DefineVariadic("coalescelist", {}, Param("vals", any, kAllowAll),
                                                                  CoalesceListType, CoalesceList))));
}

}  // namespace hcl::internal

// Functions of maps and objects. Result types are worked out only where a result is unknown: known values have theirs
// in them. Tested by vm/functions/mapping_functions_test.cc.

#include "hclvm/vm/functions/mapping_functions.h"

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/mapping_layers.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/scratch.h"
#include "hclvm/vm/value/string_sort.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

bool IsMapOrObject(TypeKind kind) { return kind == TypeKind::kMap || kind == TypeKind::kObject; }

// The attribute names of an object, known or not.
const Shape& ShapeOf(const Value& object) {
  return object.is_object() ? object.shape() : object.null_or_unknown_type().shape();
}

// information-model.md, "Structural Types": an object's attribute names are in its type, so that they are known even
// for an unknown object.
Type KeysType(FunctionCall* call, absl::Span<const Value> arguments) {
  const TypeKind kind = KindOf(arguments[0]);
  if (kind == TypeKind::kMap) return Common().list_of_string;
  if (kind == TypeKind::kObject) return Type::Dynamic();  // the body knows the keys in any case
  return call->ArgumentTypeError(
      0, [&] { return absl::StrCat("a map or object is required, not ", WithArticle(arguments[0])); });
}

Value Keys(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& mapping = arguments[0];
  if (KindOf(mapping) == TypeKind::kObject) {
    const Shape& shape = ShapeOf(mapping);
    if (!call->Charge(CostOfElements(shape.size))) return Value();
    return CanMake(call, shape.size) ? MakeTuple({shape.keys, shape.size}, call->arena()) : Value();
  }
  if (mapping.is_unknown()) return Value::Unknown(call->result_type());
  const Shape& shape = mapping.shape();
  if (!call->Charge(CostOfElements(shape.size))) return Value();
  return CanMake(call, shape.size) ? MakeList(Type::String(), {shape.keys, shape.size}, call->arena()) : Value();
}

Type ValuesType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& mapping = arguments[0];
  if (!IsMapOrObject(KindOf(mapping))) {
    return call->TypeError([&] { return absl::StrCat("a map or object is required, not ", WithArticle(mapping)); });
  }
  if (!mapping.is_unknown()) return Type::Dynamic();
  if (KindOf(mapping) == TypeKind::kMap) return call->types()->List(ElementTypeOf(mapping));
  const Type object = mapping.null_or_unknown_type();
  absl::InlinedVector<Type, 8> types;
  for (size_t i = 0; i < object.size(); ++i) types.push_back(object.element(i));
  return call->types()->Tuple(types);
}

Value Values(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& mapping = arguments[0];
  if (!call->Charge(CostOfElements(mapping.size())) || !CanMake(call, mapping.size())) return Value();
  return mapping.is_map() ? MakeList(mapping.element_type(), mapping.values(), call->arena())
                          : MakeTuple(mapping.values(), call->arena());
}

// The third argument of a lookup, or null when there is none.
const Value* DefaultOf(absl::Span<const Value> arguments) { return arguments.size() > 2 ? &arguments[2] : nullptr; }

// A lookup without a default that finds nothing.
Value FailNoElement(FunctionCall* call, const Value& key) {
  return call->ArgumentError(1, [&] {
    return absl::StrCat("there is no element with the key \"", Excerpt(key.AsString()), "\", and no default is given");
  });
}

// The result type of a lookup in an object: the attribute's, or the default's when there is no such attribute. The
// attributes are known even where the object is not, so that what is missing without a default is an error already.
Type ObjectLookupType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& object = arguments[0];
  const Value& key = arguments[1];
  if (key.is_unknown()) return Type::Dynamic();
  const int64_t at = ShapeOf(object).Find(key);
  if (at < 0) {
    const Value* const fallback = DefaultOf(arguments);
    if (fallback != nullptr) return TypeOf(*fallback, call->types());
    FailNoElement(call, key);
    return Type::Dynamic();
  }
  const size_t index = static_cast<size_t>(at);
  return object.is_unknown() ? object.null_or_unknown_type().element(index)
                             : TypeOf(object.values()[index], call->types());
}

// A map has one element type, so that the default must convert to it, and does so before any value is known. In an
// object each attribute has a type of its own, which counts only for unknown results.
Type LookupType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& mapping = arguments[0];
  switch (KindOf(mapping)) {
    case TypeKind::kObject:
      return AnyUnknown(arguments) ? ObjectLookupType(call, arguments) : Type::Dynamic();
    case TypeKind::kMap: {
      const Type element = ElementTypeOf(mapping);
      const Value* const fallback = DefaultOf(arguments);
      if (fallback == nullptr) return element;
      if (!call->Charge(CostOf(*fallback))) return Type::Dynamic();
      Value converted;
      ConversionError error = NewError(call);
      if (!HasType(*fallback, element) && !Convert(*fallback, element, call->heap(), &converted, &error)) {
        if (error.is_limit) {
          ConversionFailed(call, 2, error);
          return Type::Dynamic();
        }
        return call->ArgumentTypeError(2, [&] {
          return absl::StrCat("the default must have the type of the map's elements: ", error.ToString());
        });
      }
      return element;
    }
    default:
      return call->ArgumentTypeError(
          0, [&] { return absl::StrCat("a map or object is required, not ", WithArticle(mapping)); });
  }
}

// An unknown element may be the one that is asked for; as in the reference, one unknown part makes the result unknown.
// The default may be null or unknown, as in Terraform: it counts only where it is the result.
Value Lookup(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& mapping = arguments[0];
  if (!mapping.is_wholly_known()) {
    return Value::Unknown(mapping.is_map() ? mapping.element_type() : ObjectLookupType(call, arguments));
  }
  // The key's text is hashed or compared some times.
  if (!call->Charge(CostOf(arguments[1]))) return Value();
  const int64_t at = mapping.shape().Find(arguments[1]);
  if (at >= 0) return mapping.values()[static_cast<size_t>(at)];
  const Value* const fallback = DefaultOf(arguments);
  if (fallback == nullptr) return FailNoElement(call, arguments[1]);
  if (mapping.is_object() || HasType(*fallback, mapping.element_type())) return *fallback;
  Value converted;
  ConversionError error = NewError(call);
  if (!Convert(*fallback, mapping.element_type(), call->heap(), &converted, &error)) {
    return ConversionFailed(call, 2, error);
  }
  return converted;
}

// Pays for putting `count` pairs in the order of keys that come from `values`. False when the call has failed.
bool ChargeForPairs(FunctionCall* call, uint64_t count, absl::Span<const Value> values) {
  uint64_t weight = 0;
  for (const Value& value : values) weight += value.weight();
  return call->Charge(CostOfSorting(count, weight));
}

// The type of a merged object: each attribute has the type that the last argument with it gives it.
Type MergedObjectType(FunctionCall* call, absl::Span<const Value> arguments) {
  HashMap<absl::string_view, Type> types;
  absl::InlinedVector<KeyValue, 16> keys;
  auto add = [&](const Value& key, Type type) {
    if (types.insert_or_assign(ToAbsl(key.AsString()), type).second) keys.push_back({key, Value()});
  };
  for (const Value& argument : arguments) {
    if (argument.is_null()) continue;
    if (KindOf(argument) == TypeKind::kMap) {
      if (argument.is_unknown()) return Type::Dynamic();
      for (uint32_t i = 0; i < argument.shape().size; ++i) add(argument.shape().keys[i], argument.element_type());
      continue;
    }
    const Shape& shape = ShapeOf(argument);
    for (uint32_t i = 0; i < shape.size; ++i) {
      add(shape.keys[i], argument.is_unknown() ? argument.null_or_unknown_type().element(i)
                                               : TypeOf(argument.values()[i], call->types()));
    }
  }
  const Value object = MakeObject(absl::MakeSpan(keys), call->arena());
  absl::InlinedVector<Type, 16> sorted;
  for (uint32_t i = 0; i < object.shape().size; ++i) sorted.push_back(types[ToAbsl(object.shape().keys[i].AsString())]);
  return call->types()->Object(object.shape(), sorted);
}

// A map when all arguments are maps of one type, an object otherwise, as in the reference.
Type MergeType(FunctionCall* call, absl::Span<const Value> arguments) {
  for (const Value& argument : arguments) {
    const TypeKind kind = KindOf(argument);
    // As in the reference, what stands behind an argument of unknown type is not looked at.
    if (kind == TypeKind::kDynamic && argument.is_unknown()) return Type::Dynamic();
    if (kind != TypeKind::kDynamic && !IsMapOrObject(kind)) {
      return call->TypeError(
          [&] { return absl::StrCat("the arguments must be maps or objects, not ", WithArticle(argument)); });
    }
  }
  if (!AnyUnknown(arguments)) return Type::Dynamic();
  if (AllSameType(arguments)) return TypeOf(arguments[0], call->types());
  for (const Value& argument : arguments) {
    if (KindOf(argument) == TypeKind::kDynamic) return Type::Dynamic();
  }
  return MergedObjectType(call, arguments);
}

// Mappings that are merged one after the other. More of them are sorted.
constexpr size_t kFewMappings = 8;

// The keys of all are those of one that has as many.
const Shape* ShapeOfLayers(const Layers& layers, absl::Span<const Value> mappings, Arena* arena) {
  for (const Value& mapping : mappings) {
    if (!mapping.is_null() && mapping.size() == layers.keys().size()) return &mapping.shape();
  }
  return MakeShape(layers.keys(), arena);
}

// Few mappings are put over each other. Of many, all pairs are put one behind the other, and MakeObject() keeps the
// last of each key: one sort. A single argument is returned as it is.
Value Merge(FunctionCall* call, absl::Span<const Value> arguments) {
  if (arguments.size() == 1 && arguments[0].is_mapping()) return arguments[0];
  uint64_t count = 0;
  bool all_maps = !arguments.empty();
  for (const Value& argument : arguments) {
    all_maps = all_maps && KindOf(argument) == TypeKind::kMap;
    if (!argument.is_null()) count += argument.size();
  }
  if (!CanMake(call, count, sizeof(KeyValue) + 2 * sizeof(Value))) return Value();
  if (!ChargeForPairs(call, count, arguments)) return Value();
  const bool is_map = all_maps && AllSameType(arguments);
  Arena* const arena = call->arena();
  if (arguments.size() <= kFewMappings) {
    Layers layers(count, arena);
    for (const Value& argument : arguments) {
      if (!argument.is_null()) layers.Put(argument);
    }
    const Shape* const shape = ShapeOfLayers(layers, arguments, arena);
    return is_map ? MakeMap(ElementTypeOf(arguments[0]), shape, layers.values(), arena)
                  : MakeObject(shape, layers.values(), arena);
  }
  KeyValue* pairs = arena->NewArray<KeyValue>(count);
  KeyValue* next = pairs;
  for (const Value& argument : arguments) {
    if (argument.is_null()) continue;
    const Shape& shape = argument.shape();
    for (uint32_t i = 0; i < shape.size; ++i) *next++ = {shape.keys[i], argument.values()[i]};
  }
  const absl::Span<KeyValue> span(pairs, static_cast<size_t>(next - pairs));
  return is_map ? MakeMap(ElementTypeOf(arguments[0]), span, arena) : MakeObject(span, arena);
}

// Reports a difference in length; true when there is none.
bool SameLength(FunctionCall* call, size_t keys, size_t values) {
  if (keys == values) return true;
  call->Error([&] {
    return absl::StrCat(keys == 1 ? "there is " : "there are ", keys, keys == 1 ? " key" : " keys", " for ", values,
                        values == 1 ? " value" : " values");
  });
  return false;
}

// A map for a list of values, an object for a tuple. Known values need no type beforehand: the object has it in its
// values.
Type ZipmapType(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& keys = arguments[0];
  const Value& values = arguments[1];
  if (KindOf(values) == TypeKind::kList) return call->types()->Map(ElementTypeOf(values));
  if (KindOf(values) != TypeKind::kTuple) {
    return call->TypeError(
        [&] { return absl::StrCat("the values must be a list or tuple, not ", WithArticle(values)); });
  }
  if (!values.is_unknown() || !keys.is_wholly_known()) return Type::Dynamic();
  const Type tuple = values.null_or_unknown_type();
  if (!SameLength(call, keys.size(), tuple.size())) return Type::Dynamic();
  absl::InlinedVector<KeyValue, 16> pairs;
  for (size_t i = 0; i < tuple.size(); ++i) {
    if (keys.elements()[i].is_null()) return call->TypeError([&] { return absl::StrCat("key ", i, " is null"); });
    pairs.push_back({keys.elements()[i], Value::Unknown(tuple.element(i))});
  }
  return TypeOf(MakeObject(absl::MakeSpan(pairs), call->arena()), call->types());
}

// A repeated key takes the last of its values, by MakeMap() and MakeObject(), as in the reference.
Value Zipmap(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& keys = arguments[0];
  const Value& values = arguments[1];
  if (!keys.is_wholly_known()) return Value::Unknown(call->result_type());
  if (!SameLength(call, keys.size(), values.size())) return Value();
  if (!CanMake(call, keys.size(), sizeof(KeyValue) + 2 * sizeof(Value))) return Value();
  if (!ChargeForPairs(call, keys.size(), {&keys, 1})) return Value();
  KeyValue* pairs = call->arena()->NewArray<KeyValue>(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys.elements()[i].is_null()) return call->Error([&] { return absl::StrCat("key ", i, " is null"); });
    pairs[i] = {keys.elements()[i], values.elements()[i]};
  }
  const absl::Span<KeyValue> span(pairs, keys.size());
  return values.is_list() ? MakeMap(values.element_type(), span, call->arena()) : MakeObject(span, call->arena());
}

// Each string in a map's lists to the keys of the lists that have it. One sort over all pairs takes the place of a map
// of growing lists.
Value Transpose(FunctionCall* call, absl::Span<const Value> arguments) {
  const Value& map = arguments[0];
  if (!map.is_wholly_known()) return Value::Unknown(call->result_type());
  uint64_t count = 0;
  for (const Value& list : map.values()) count += list.is_null() ? 0 : list.size();
  if (!CanMake(call, count, 3 * sizeof(KeyValue) + 6 * sizeof(Value))) return Value();
  if (!ChargeForPairs(call, count, {&map, 1})) return Value();
  // String and key, sorted by both: keys come in order, and a string may stand in a list twice.
  auto* const pairs = call->arena()->NewArray<KeyValue>(count);
  KeyValue* next = pairs;
  for (uint32_t i = 0; i < map.shape().size; ++i) {
    const Value& key = map.shape().keys[i];
    const Value& list = map.values()[i];
    if (list.is_null())
      return call->ArgumentError(
          0, [&] { return absl::StrCat("element \"", internal::Excerpt(key.AsString()), "\" is null"); });
    for (const Value& element : list.elements()) {
      if (element.is_null()) {
        return call->ArgumentError(
            0, [&] { return absl::StrCat("element \"", internal::Excerpt(key.AsString()), "\" has a null in it"); });
      }
      *next++ = {element, key};
    }
  }
  auto* const sorted = call->arena()->NewArray<KeyValue>(count);
  {
    const Scratch<StringSortEntry> order(2 * count, call->arena());
    SortKeyPositions({pairs, count}, order.data());
    for (size_t i = 0; i < count; ++i) sorted[i] = pairs[order[i].index];
  }
  // Their memory takes the strings with their lists.
  KeyValue* list = pairs;
  for (size_t begin = 0; begin < count;) {
    size_t end = begin + 1;
    while (end < count && SameString(sorted[end].key, sorted[begin].key)) ++end;
    Sequence* keys = NewList(call, end - begin, Type::String());
    for (size_t i = begin; i < end; ++i) keys->mutable_items()[i - begin] = sorted[i].value;
    *list++ = {sorted[begin].key, FinishList(keys)};
    begin = end;
  }
  return MakeMap(Common().list_of_string, {pairs, static_cast<size_t>(list - pairs)}, call->arena());
}

}  // namespace

void RegisterMappingFunctions(FunctionRegistryBuilder* builder) {
  const Type any = Type::Dynamic();
  builder->Add(FailingByType(KnownAs(
      Function::Special::kKeys, Charging(Define("keys", {Param("inputMap", any, kAllowUnknown)}, KeysType, Keys)))));
  builder->Add(FailingByType(
      KnownAs(Function::Special::kValues, Charging(Define("values", {Param("mapping", any)}, ValuesType, Values)))));
  builder->Add(KnownAs(Function::Special::kLookup,
                       Charging(DefineOptional("lookup", {Param("inputMap", any), Param("key", Type::String())},
                                               Param("default", any, kAllowAll), LookupType, Lookup))));
  builder->Add(FailingByType(
      KnownAs(Function::Special::kMerge,
              DefineVariadic("merge", {}, Param("maps", any, kAllowDynamic | kAllowNull), MergeType, Merge))));
  builder->Add(
      Define("transpose", {Param("values", Common().map_of_string_lists)}, Common().map_of_string_lists, Transpose));
  builder->Add(Define("zipmap", {Param("keys", Common().list_of_string), Param("values", any)}, ZipmapType, Zipmap));
}

}  // namespace hcl::internal

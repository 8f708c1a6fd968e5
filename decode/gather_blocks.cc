// Attributes and blocks that are decoded. Tested by decode/decoder_test.cc.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/decode/decode_functions.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unification.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// `value` with `levels` levels of objects made maps of `type`; what is in them has its type already. The keys' shapes
// are shared, so that only the values are copied. Recursion is as deep as the spec has labels.
Value ToMaps(const Value& value, Type type, uint32_t levels, Arena* arena) {
  if (levels == 0) return value;
  std::vector<Value> items;
  items.reserve(value.size());
  for (const Value& item : value.values()) items.push_back(ToMaps(item, type.element(), levels - 1, arena));
  return MakeMap(type.element(), MappingOf(value).shape, items, arena);
}

// A value that has the wanted primitive type needs no conversion, which one test of its tag shows.
bool IsOfKind(const Value& v, TypeKind kind) {
  return (kind == TypeKind::kString && v.is_string()) || (kind == TypeKind::kNumber && v.is_number()) ||
         (kind == TypeKind::kBool && v.is_bool());
}

absl::Span<const Value> PartsOf(const Value& blocks) {
  return blocks.is_sequence() ? blocks.elements() : blocks.values();
}

}  // namespace

// Defaults are put in before converting, as the reference does with optional attributes: conversion to an object type
// would make nulls of missing attributes, or refuse them. Why a marked value does not fit is not said, because the
// reason may quote keys and texts of it. A dynamic type takes every value as it is.
Value ConvertAttribute(Interpreter* interpreter, const Value& value, const void* state) {
  const DecodeRule& rule = *static_cast<const DecodeRule*>(state);
  if (IsOfKind(value, rule.type.kind())) return value;
  if (value.is_error() || rule.type.is_dynamic()) return value;
  if (!interpreter->Charge(Interpreter::CostOf(value))) return interpreter->OutOfFuel();
  Value result;
  ConversionError error;
  const Value whole =
      rule.defaults == nullptr ? value : ApplyDefaults(value, *rule.defaults, interpreter->context()->heap);
  if (Convert(whole, rule.type, interpreter->context()->heap, &result, &error)) return interpreter->Bounded(result);
  return interpreter->context()->Fail(
      span_role::kAttributeValue, rule.code,
      absl::StrCat(rule.detail,
                   value.has_marks() ? "the reason is not shown, since the value is marked" : error.ToString(), "."));
}

// The blocks of one type as the list, set or map of their spec. Where the element type is concrete, each block has been
// converted to it by its own attributes already, and the collection is made without another conversion. Otherwise the
// blocks' own types are unified first, as the reference does, and blocks that have no common type are an error of the
// whole. Marked blocks take the second way too, since a set has marks only as a whole.
Value GatherBlocks(Interpreter* interpreter, const Value& blocks, const void* state) {
  const DecodeRule& rule = *static_cast<const DecodeRule*>(state);
  if (blocks.is_error()) return blocks;
  if (!interpreter->Charge(Interpreter::CostOf(blocks))) return interpreter->OutOfFuel();
  Arena* const arena = interpreter->context()->heap->arena();
  if (rule.type.kind() == TypeKind::kMap && !rule.type.has_dynamic()) {
    return ToMaps(blocks, rule.type, rule.map_levels, arena);
  }
  const Type element = rule.type.element();
  if ((!element.has_dynamic() || blocks.size() == 0) && !blocks.has_marks()) {
    if (rule.type.kind() == TypeKind::kMap) return MakeMap(element, MappingOf(blocks).shape, {}, arena);
    return rule.type.kind() == TypeKind::kSet ? MakeSet(element, blocks.elements(), arena)
                                              : MakeList(element, blocks.elements(), arena);
  }
  TypeTable* const types = interpreter->context()->heap->types();
  std::vector<Type> found;
  for (const Value& block : PartsOf(blocks)) found.push_back(TypeOf(block, types));
  Unification unified;
  Value result;
  ConversionError error{"", "their types have nothing in common"};
  if (Unification::Of(found, interpreter->context()->heap, &unified) &&
      Convert(blocks, types->Collection(rule.type.kind(), unified.OfAll(PartsOf(blocks))), interpreter->context()->heap,
              &result, &error)) {
    return interpreter->Bounded(result);
  }
  return interpreter->context()->Fail(
      span_role::kWhole, rule.code,
      absl::StrCat(rule.detail, blocks.has_marks() ? "" : absl::StrCat(" (", error.ToString(), ")"), "."),
      {rule.block_type});
}

}  // namespace hcl::internal

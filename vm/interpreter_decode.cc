// Interpreter: attributes and blocks that are decoded. Tested by decode/decoder_test.cc.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/interpreter.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/type.h"
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

}  // namespace

// Defaults are put in before converting, as the reference does with optional attributes: conversion to an object type
// would make nulls of missing attributes, or refuse them. Why a marked value does not fit is not said, because the
// reason may quote keys and texts of it. A dynamic type takes every value as it is.
Value Interpreter::ConvertAttribute(const Value& value, const DecodeRule& rule) {
  if (value.is_error() || rule.type.is_dynamic()) return value;
  if (!Charge(CostOf(value))) return OutOfFuel();
  Value result;
  ConversionError error;
  const Value whole = rule.defaults == nullptr ? value : ApplyDefaults(value, *rule.defaults, context_.heap);
  if (Convert(whole, rule.type, context_.heap, &result, &error)) return Bounded(result);
  return context_.Fail(
      span_role::kAttributeValue, rule.summary,
      absl::StrCat(rule.detail,
                   value.has_marks() ? "the reason is not shown, since the value is marked" : error.ToString(), "."));
}

// The blocks of one type as the list, set or map of their spec. Where the element type is concrete, each block has been
// converted to it by its own attributes already, and the collection is made without another conversion. Otherwise the
// blocks' own types are unified first, as the reference does, and blocks that have no common type are an error of the
// whole. Marked blocks take the second way too, since a set has marks only as a whole.
Value Interpreter::GatherBlocks(const Value& blocks, const DecodeRule& rule) {
  if (blocks.is_error()) return blocks;
  if (!Charge(CostOf(blocks))) return OutOfFuel();
  Arena* const arena = context_.heap->arena();
  if (rule.type.kind() == TypeKind::kMap && !rule.type.has_dynamic()) {
    return ToMaps(blocks, rule.type, rule.map_levels, arena);
  }
  const Type element = rule.type.element();
  if ((!element.has_dynamic() || blocks.size() == 0) && !blocks.has_marks()) {
    if (rule.type.kind() == TypeKind::kMap) return MakeMap(element, MappingOf(blocks).shape, {}, arena);
    return rule.type.kind() == TypeKind::kSet ? MakeSet(element, blocks.elements(), arena)
                                              : MakeList(element, blocks.elements(), arena);
  }
  TypeTable* const types = context_.heap->types();
  std::vector<Type> found;
  for (const Value& block : blocks.is_sequence() ? blocks.elements() : blocks.values()) {
    found.push_back(TypeOf(block, types));
  }
  Type unified;
  Value result;
  ConversionError error{"", "their types have nothing in common"};
  if (Unify(found, context_.heap, &unified) &&
      Convert(blocks, types->Collection(rule.type.kind(), unified), context_.heap, &result, &error)) {
    return Bounded(result);
  }
  return context_.Fail(
      span_role::kWhole, rule.summary,
      absl::StrCat(rule.detail, blocks.has_marks() ? "" : absl::StrCat(" (", error.ToString(), ")"), "."));
}

}  // namespace hcl::internal

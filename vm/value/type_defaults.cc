// TypeDefaults. Tested by vm/value/type_defaults_test.cc.

#include "hclvm/vm/value/type_defaults.h"

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/vm/value/marks.h"

namespace hcl {
namespace {

// One lookup for all kinds: attributes by name and tuple elements by position are in `parts`, and `element` holds for
// every item of a collection.
const TypeDefaults* PartAt(const TypeDefaults& defaults, const std::string& name) {
  const auto found = defaults.parts.find(name);
  return found != defaults.parts.end() ? found->second.get() : defaults.element.get();
}

Value InPart(const Value& value, const TypeDefaults* part, Heap* heap) {
  return part == nullptr ? value : ApplyDefaults(value, *part, heap);
}

// A default replaces a missing attribute and a null one, as in the reference, but not by another null. It is put in
// before its own parts are looked at, so that defaults inside of a default apply. std::map gives the keys in order.
Value InMapping(const Value& value, const TypeDefaults& defaults, Heap* heap) {
  std::map<std::string, Value> items;
  for (size_t n = 0; n < value.size(); ++n) {
    items.emplace(value.shape().keys[n].AsString(), value.values()[n]);
  }
  for (const auto& [name, attribute] : defaults.attributes) {
    const auto [item, is_new] = items.try_emplace(name, attribute);
    if (!is_new && item->second.is_null() && !attribute.is_null()) item->second = attribute;
  }
  std::vector<KeyValue> pairs;
  for (const auto& [name, item] : items) {
    pairs.push_back({Value::String(name, heap->arena()), InPart(item, PartAt(defaults, name), heap)});
  }
  return MakeObject(pairs, heap->arena());
}

// The result is a tuple: elements of a list may come to differ.
Value InSequence(const Value& value, const TypeDefaults& defaults, Heap* heap) {
  std::vector<Value> items;
  for (const Value& item : value.elements()) {
    items.push_back(InPart(item, PartAt(defaults, absl::StrCat(items.size())), heap));
  }
  return MakeTuple(items, heap->arena());
}

}  // namespace

Value ApplyDefaults(const Value& value, const TypeDefaults& defaults, Heap* heap) {
  if (value.is_marked()) return Mark(ApplyDefaults(value.unmarked(), defaults, heap), value.marks(), heap->arena());
  if (value.is_mapping()) return InMapping(value, defaults, heap);
  if (value.is_sequence()) return InSequence(value, defaults, heap);
  return value;
}

namespace internal {

const Value* DefaultOf(const TypeDefaults* defaults, std::string_view attribute) {
  if (defaults == nullptr) return nullptr;
  const auto found = defaults->attributes.find(attribute);
  return found == defaults->attributes.end() ? nullptr : &found->second;
}

const TypeDefaults* PartOf(const TypeDefaults* defaults, std::string_view name) {
  if (defaults == nullptr) return nullptr;
  const auto found = defaults->parts.find(name);
  return found == defaults->parts.end() ? nullptr : found->second.get();
}

const TypeDefaults* ElementOf(const TypeDefaults* defaults) {
  return defaults == nullptr ? nullptr : defaults->element.get();
}

bool MayBeNull(const TypeDefaults* defaults, std::string_view attribute) {
  const Value* const value = DefaultOf(defaults, attribute);
  return value != nullptr && value->is_null();
}

}  // namespace internal
}  // namespace hcl

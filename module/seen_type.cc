// What values have in common. Tested by module/infer_test.cc.
//
// Each value is added to what is known already and then forgotten. A tree of what was seen has a bounded number of
// parts: objects that grow too wide become maps, whose values share one part, and what cannot be kept is of any type.

#include "hclvm/module/seen_type.h"

#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "hclvm/base/absl_string.h"

namespace hcl::internal {
namespace {

using Kind = SeenType::Kind;

// Objects whose attributes are always others are maps. Two that have nothing in common say little.
constexpr uint64_t kFewestChanging = 3;
constexpr size_t kNameBytes = 64;  // of a name, for one part

Kind KindOf(const Value& value) {
  if (value.is_bool()) return Kind::kBool;
  if (value.is_number()) return Kind::kNumber;
  if (value.is_string()) return Kind::kString;
  if (value.is_sequence()) return Kind::kList;
  return value.is_mapping() ? Kind::kObject : Kind::kAny;
}

void BecomeAny(SeenType* seen) {
  seen->kind = Kind::kAny;
  seen->element.reset();
  seen->attributes.clear();
}

SeenType* ElementOf(SeenType* seen) {
  if (seen->element == nullptr) seen->element = std::make_unique<SeenType>();
  return seen->element.get();
}

// A type expression can name the attribute.
bool CanBeNamed(std::string_view name) {
  return !name.empty() && !absl::StrContains(ToAbsl(name), "${") && !absl::StrContains(ToAbsl(name), "%{");
}

}  // namespace

bool SeenTypes::Spend(std::string_view name) {
  const uint64_t parts = 1 + name.size() / kNameBytes;
  if (parts > left_) return false;
  left_ -= parts;
  return true;
}

// Nulls say nothing of a type, and are no values of an object either: whether an attribute is optional is told by how
// often it had a value.
void SeenTypes::Add(const Value& value, uint32_t depth, SeenType* seen) {
  if (value.is_null()) {
    seen->has_null = true;
    return;
  }
  ++seen->values;
  if (seen->kind == Kind::kAny) return;
  const Kind kind = KindOf(value);
  const bool has_parts = kind == Kind::kList || kind == Kind::kObject;
  if (seen->kind == Kind::kAbsent) seen->kind = kind;
  const bool fits = seen->kind == kind || (seen->kind == Kind::kMap && kind == Kind::kObject);
  if (!fits || (has_parts && depth >= bounds_.depth)) return BecomeAny(seen);
  if (kind == Kind::kObject) return AddAttributes(value, depth, seen);
  if (kind != Kind::kList) return;
  for (const Value& element : value.elements()) AddElement(element, depth, seen);
}

// There may be no room for the element's own part, which makes the collection one of anything.
void SeenTypes::AddElement(const Value& value, uint32_t depth, SeenType* seen) {
  if (seen->kind == Kind::kAny) return;
  if (seen->element == nullptr && !Spend("")) return BecomeAny(seen);
  Add(value, depth + 1, ElementOf(seen));
}

// The object may become a map, or something of any type, at each of its attributes. One that is too wide by itself does
// so at the first, so that its attributes take no room.
void SeenTypes::AddAttributes(const Value& object, uint32_t depth, SeenType* seen) {
  if (object.size() > 0) ++seen->filled;
  for (uint32_t n = 0; n < object.size(); ++n) {
    const std::string_view name = object.shape().keys[n].AsString();
    const Value& value = object.values()[n];
    if (seen->kind == Kind::kObject && (!CanBeNamed(name) || object.size() > bounds_.attributes)) BecomeMap(seen);
    if (seen->kind != Kind::kObject) {
      AddElement(value, depth, seen);
      continue;
    }
    auto found = seen->attributes.find(std::string(name));
    if (found != seen->attributes.end()) {
      seen->repeats = true;
    } else {
      if (!Spend(name)) return BecomeAny(seen);
      found = seen->attributes.emplace(std::string(name), std::make_unique<SeenType>()).first;
    }
    Add(value, depth + 1, found->second.get());
    if (seen->attributes.size() > bounds_.attributes) BecomeMap(seen);
  }
}

// What its attributes are becomes what its elements are.
void SeenTypes::BecomeMap(SeenType* seen) const {
  const auto attributes = std::exchange(seen->attributes, {});
  seen->kind = Kind::kMap;
  for (const auto& [name, attribute] : attributes) Merge(*attribute, ElementOf(seen));
}

// As if all values of `from` had been added to `to`. Makes no more parts than `from` has.
void SeenTypes::Merge(const SeenType& from, SeenType* to) const {
  to->has_null = to->has_null || from.has_null;
  to->values += from.values;
  if (from.kind == Kind::kAbsent || to->kind == Kind::kAny) return;
  if (to->kind == Kind::kAbsent) to->kind = from.kind;
  if (to->kind == Kind::kObject && from.kind == Kind::kMap) BecomeMap(to);
  const bool fits = to->kind == from.kind || (to->kind == Kind::kMap && from.kind == Kind::kObject);
  if (!fits || from.kind == Kind::kAny) return BecomeAny(to);
  to->filled += from.filled;
  to->repeats = to->repeats || from.repeats;
  if (from.element != nullptr) Merge(*from.element, ElementOf(to));
  MergeAttributes(from, to);
}

void SeenTypes::MergeAttributes(const SeenType& from, SeenType* to) const {
  for (const auto& [name, attribute] : from.attributes) {
    if (to->kind == Kind::kMap) {
      Merge(*attribute, ElementOf(to));
      continue;
    }
    auto [found, is_new] = to->attributes.emplace(name, nullptr);
    if (is_new) found->second = std::make_unique<SeenType>();
    if (!is_new) to->repeats = true;
    Merge(*attribute, found->second.get());
    if (to->attributes.size() > bounds_.attributes) BecomeMap(to);
  }
}

// What never had a value is of any type, but for the elements of lists that were all empty: a list it is.
InferredType SeenTypes::TypeOf(const SeenType& seen, Heap* heap) const {
  switch (seen.kind) {
    case Kind::kBool:
      return {Type::Bool(), nullptr};
    case Kind::kNumber:
      return {Type::Number(), nullptr};
    case Kind::kString:
      return {Type::String(), nullptr};
    case Kind::kList:
      if (seen.element == nullptr) return {heap->types()->List(Type::Dynamic()), nullptr};
      return TypeOfCollection(TypeKind::kList, *seen.element, heap);
    case Kind::kMap:
      return TypeOfCollection(TypeKind::kMap, *seen.element, heap);
    case Kind::kObject:
      return TypeOfObject(seen, heap);
    case Kind::kAbsent:
    case Kind::kAny:
      break;
  }
  return {Type::Dynamic(), nullptr};
}

// Elements are never null, and those of `any` would be converted to one type, which values that differ do not have. So
// a collection of such is of any type itself.
InferredType SeenTypes::TypeOfCollection(TypeKind kind, const SeenType& element, Heap* heap) const {
  if (element.has_null) return {Type::Dynamic(), nullptr};
  const InferredType inner = TypeOf(element, heap);
  if (inner.type.has_dynamic()) return {Type::Dynamic(), nullptr};
  InferredType result = {heap->types()->Collection(kind, inner.type), nullptr};
  if (inner.defaults != nullptr) {
    result.defaults = std::make_shared<TypeDefaults>();
    result.defaults->element = inner.defaults;
  }
  return result;
}

// Whether attributes change from value to value is known at the end only. Where what they hold has no type in common,
// an object says more than a map of anything.
InferredType SeenTypes::TypeOfObject(const SeenType& seen, Heap* heap) const {
  if (seen.attributes.empty()) return {Type::Dynamic(), nullptr};
  if (!seen.repeats && seen.filled >= kFewestChanging) {
    SeenType element;
    for (const auto& [name, attribute] : seen.attributes) Merge(*attribute, &element);
    InferredType map = TypeOfCollection(TypeKind::kMap, element, heap);
    if (!map.type.is_dynamic()) return map;
  }
  InferredType result;
  const auto defaults = std::make_shared<TypeDefaults>();
  std::vector<Value> keys;
  std::vector<Type> types;
  for (const auto& [name, attribute] : seen.attributes) {
    const InferredType inner = TypeOf(*attribute, heap);
    keys.push_back(Value::String(name, heap->arena()));
    types.push_back(inner.type);
    if (inner.defaults != nullptr) defaults->parts[name] = inner.defaults;
    if (attribute->has_null || attribute->values < seen.values) defaults->attributes[name] = Value::Null(inner.type);
  }
  result.type = heap->types()->Object(*MakeShape(keys, heap->arena()), types);
  if (!defaults->parts.empty() || !defaults->attributes.empty()) result.defaults = defaults;
  return result;
}

}  // namespace hcl::internal

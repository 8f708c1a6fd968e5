// BindingPlan. Tested by vm/value/declared_value_test.cc.

#include "hclvm/vm/value/binding_plan.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/declared_value.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

uint32_t BitsOf(Tag a, Tag b) { return 1u << static_cast<uint32_t>(a) | 1u << static_cast<uint32_t>(b); }

uint32_t PassingTags(TypeKind kind) {
  switch (kind) {
    case TypeKind::kBool:
      return BitsOf(Tag::kFalse, Tag::kTrue);
    case TypeKind::kNumber:
      return BitsOf(Tag::kNumber, Tag::kBigNumber);
    case TypeKind::kString:
      return BitsOf(Tag::kShortString, Tag::kString);
    // Anything that is known, unmarked and not null.
    case TypeKind::kDynamic: {
      static_assert(Tag::kFalse < Tag::kCapsule && Tag::kCapsule < Tag::kError);
      return (1u << static_cast<uint32_t>(Tag::kError)) - (1u << static_cast<uint32_t>(Tag::kFalse));
    }
    default:
      return 0;
  }
}

// Of objects and tuples that are looked at before anybody asks.
constexpr size_t kQuickParts = 8;

// Of the values of a type that has parts. A collection of elements of any type may have to become one of elements of
// one type, which depends on all of them.
std::optional<Tag> WholeTag(Type type) {
  if (type.is_collection() && type.has_dynamic()) return std::nullopt;
  switch (type.kind()) {
    case TypeKind::kList:
      return Tag::kList;
    case TypeKind::kSet:
      return Tag::kSet;
    case TypeKind::kMap:
      return Tag::kMap;
    case TypeKind::kTuple:
      return Tag::kTuple;
    case TypeKind::kObject:
      return Tag::kObject;
    default:
      return std::nullopt;
  }
}

// Short keys have their text in them.
bool IsSameKey(const Value& a, const Value& b) { return a.SameBits(b) || a.AsString() == b.AsString(); }

// What everything is read of.
const TypePart& WholePart() {
  static const TypePart& whole = *new TypePart{/*is_whole=*/true, {}};
  return whole;
}

}  // namespace

BindingPlan::BindingPlan(Type type, const TypeDefaults* defaults, Heap* heap)
    : BindingPlan(type, WholePart(), defaults, heap) {}

// What stands in is converted like what is given. Where that fails, it is as if there were nothing, and ToDeclared()
// says what is wrong when it is needed. Elements of a collection are of one type, so that they are read whole.
BindingPlan::BindingPlan(Type type, const TypePart& part, const TypeDefaults* defaults, Heap* heap)
    : type_(type), passing_tags_(PassingTags(type.kind())) {
  if (type.kind() == TypeKind::kObject) {
    AddAttributes(type, part, defaults, heap);
  } else if (type.kind() == TypeKind::kTuple) {
    for (size_t n = 0; n < type.size(); ++n) {
      parts_.emplace_back(type.element(n), PartOf(defaults, absl::StrCat(n)), heap);
    }
  } else if (type.kind() == TypeKind::kList || type.kind() == TypeKind::kMap ||
             (type.kind() == TypeKind::kSet && type.element().is_primitive())) {
    parts_.emplace_back(type.element(), ElementOf(defaults), heap);
  }
  if (type.kind() == TypeKind::kMap && !part.is_whole && !type.element().has_dynamic()) {
    has_keys_ = trims_ = true;
    for (const TypePart::Named& key : part.parts) keys_.push_back(Value::String(key.name, heap->arena()));
  }
  has_stand_ins_ =
      std::any_of(stand_in_.begin(), stand_in_.end(), [](const auto& value) { return value.has_value(); }) ||
      std::any_of(parts_.begin(), parts_.end(), [](const auto& inner) { return inner.has_stand_ins_; });
  if (!parts_.empty() || is_open_) whole_tag_ = WholeTag(type).value_or(kNone);
  if (type.kind() != TypeKind::kObject && type.kind() != TypeKind::kTuple) return;
  for (size_t n = 0; n < parts_.size(); ++n) {
    quick_.push_back({type.kind() == TypeKind::kObject ? type_.shape().keys[n] : Value(), parts_[n].passing_tags_});
  }
  keeps_quickly_ =
      parts_.size() <= kQuickParts && !is_open_ && std::none_of(parts_.begin(), parts_.end(), [](const auto& part) {
        return part.type().kind() == TypeKind::kObject || part.type().kind() == TypeKind::kTuple;
      });
}

// The type has those attributes that are read.
void BindingPlan::AddAttributes(Type type, const TypePart& part, const TypeDefaults* defaults, Heap* heap) {
  std::vector<Value> keys;
  std::vector<Type> types;
  for (size_t n = 0; n < type.size(); ++n) {
    const std::string name(type.shape().keys[n].AsString());
    const TypePart* const read = part.is_whole ? &part : part.Find(name);
    if (read == nullptr) continue;
    const TypeDefaults* const inner = PartOf(defaults, name);
    parts_.emplace_back(type.element(n), *read, inner, heap);
    trims_ = trims_ || parts_.back().trims_;
    keys.push_back(type.shape().keys[n]);
    types.push_back(parts_.back().type_);
    std::optional<Value>& stand_in = stand_in_.emplace_back();
    const Value* const given = DefaultOf(defaults, name);
    if (given == nullptr) continue;
    Value value;
    std::string reason;
    const ValueDeclaration declaration = {name, types.back(), inner, /*nullable=*/true};
    const Value trimmed = parts_.back().Trim(*given, heap);
    if (ToDeclared(trimmed, declaration, heap, &value, &reason) == Fit::kFits) stand_in = value;
  }
  is_open_ = !part.is_whole;
  trims_ = trims_ || is_open_;
  if (!part.is_whole) type_ = heap->types()->Object(*heap->types()->InternShape(keys), types);
}

bool BindingPlan::KeepsParts(const Value& value) const {
  if (TagOf(value) != whole_tag_) return false;
  switch (whole_tag_) {
    case Tag::kObject:
      return KeepsObject(MappingOf(value));
    case Tag::kTuple:
      return KeepsTuple(SequenceOf(value));
    case Tag::kMap:
      return IsWhole(MappingOf(value)) && value.element_type() == type_.element();
    default:
      return IsWhole(SequenceOf(value)) && value.element_type() == type_.element();
  }
}

bool BindingPlan::KeepsObject(const Mapping& given) const {
  if (is_open_) return KeepsAttributes(given);
  if (given.shape->size != quick_.size()) return false;
  const Value* const keys = given.shape->keys;
  for (size_t n = 0; n < quick_.size(); ++n) {
    if (!IsSameKey(keys[n], quick_[n].key)) return false;
    if (!quick_[n].Passes(given.items()[n]) && !KeepsPart(n, given.items()[n])) return false;
  }
  return true;
}

// Both have their keys in order. What is missing is not kept: something may have to stand in for it.
bool BindingPlan::KeepsAttributes(const Mapping& given) const {
  const Value* const keys = given.shape->keys;
  const uint32_t size = given.shape->size;
  uint32_t at = 0;
  for (size_t n = 0; n < quick_.size(); ++n) {
    while (at < size && !IsSameKey(keys[at], quick_[n].key)) ++at;
    if (at == size) return false;
    if (!quick_[n].Passes(given.items()[at]) && !KeepsPart(n, given.items()[at])) return false;
    ++at;
  }
  return true;
}

bool BindingPlan::KeepsTuple(const Sequence& given) const {
  if (given.size != quick_.size()) return false;
  for (size_t n = 0; n < quick_.size(); ++n) {
    if (!quick_[n].Passes(given.items()[n]) && !KeepsPart(n, given.items()[n])) return false;
  }
  return true;
}

bool BindingPlan::KeepsPart(size_t n, const Value& item) const {
  const bool stands_in = n < stand_in_.size() && stand_in_[n] && item.is_null() && item.SameBits(*stand_in_[n]);
  return stands_in || parts_[n].Keeps(item);
}

bool BindingPlan::Apply(const Value& value, Heap* heap, Value* result, bool* stands_in) const {
  if (Passes(value)) {
    *result = value;
    return true;
  }
  if (value.is_null() || value.is_unknown() || value.is_marked()) return false;
  switch (type_.kind()) {
    case TypeKind::kBool:
    case TypeKind::kNumber:
    case TypeKind::kString: {
      ConversionError error;
      return hcl::Convert(value, type_, heap, result, &error);
    }
    case TypeKind::kObject:
      return value.is_object() && ApplyToObject(value, heap, result, stands_in);
    case TypeKind::kMap:
      if (has_keys_) return ApplyToKeys(value, heap, result, stands_in);
      [[fallthrough]];
    case TypeKind::kTuple:
    case TypeKind::kList:
      return ApplyToItems(value, heap, result, stands_in);
    case TypeKind::kSet:
      return ApplyToSet(value, heap, result);
    default:
      return false;
  }
}

// Both have their keys in order, so that one walk over both finds all.
bool BindingPlan::ApplyToObject(const Value& value, Heap* heap, Value* result, bool* stands_in) const {
  const Shape& wanted = type_.shape();
  const Shape& given = value.shape();
  if (!heap->CanAllocate(wanted.size * sizeof(Value))) return false;
  Mapping* const mapping = NewMapping(&wanted, Type(), /*is_object=*/true, heap->arena());
  const Value* const items = MappingOf(value).items();
  Value* const to = mapping->mutable_items();
  uint32_t at = 0;
  for (uint32_t n = 0; n < wanted.size; ++n) {
    bool is_given = false;
    for (; at < given.size; ++at) {
      is_given = given.keys[at].SameBits(wanted.keys[n]);
      if (is_given) break;
      const int order = given.keys[at].AsString().compare(wanted.keys[n].AsString());
      is_given = order == 0;
      if (order >= 0) break;
    }
    if (is_given && parts_[n].Passes(items[at])) {
      to[n] = items[at];
    } else if (is_given && !items[at].is_null()) {
      if (!parts_[n].Apply(items[at], heap, to + n, stands_in)) return false;
    } else if (stand_in_[n]) {
      to[n] = *stand_in_[n];
      if (!is_given && stands_in != nullptr) *stands_in = true;
    } else {
      return false;
    }
  }
  internal::Finish(mapping);
  *result = MappingValue(Tag::kObject, mapping);
  return true;
}

// Of scalars, and few of them.
bool BindingPlan::ApplyToSet(const Value& value, Heap* heap, Value* result) const {
  if (parts_.empty() || !(value.is_tuple() || value.is_list()) || value.size() > kMaxSetSize) return false;
  Value items[kMaxSetSize];
  for (size_t n = 0; n < value.size(); ++n) {
    if (!parts_[0].Apply(value.elements()[n], heap, items + n)) return false;
  }
  if (!heap->CanAllocate(value.size() * sizeof(Value))) return false;
  *result = MakeSet(type_.element(), {items, value.size()}, heap->arena());
  return true;
}

bool BindingPlan::ApplyToItems(const Value& value, Heap* heap, Value* result, bool* stands_in) const {
  const bool is_map = type_.kind() == TypeKind::kMap;
  const bool is_tuple = type_.kind() == TypeKind::kTuple;
  const bool suits = is_map ? value.is_mapping() : value.is_tuple() || (value.is_list() && !is_tuple);
  if (!suits || (is_tuple && value.size() != parts_.size())) return false;
  // Elements of any type become elements of one, which depends on all of them.
  if (!is_tuple && type_.element().has_dynamic()) return false;
  const absl::Span<const Value> items = is_map ? value.values() : value.elements();
  if (!heap->CanAllocate(items.size() * sizeof(Value))) return false;
  // What is of the type already stays as it is.
  const Type element = type_.kind() == TypeKind::kTuple ? Type() : type_.element();
  if ((value.is_list() || value.is_map()) && element.is_primitive() && value.element_type() == element) {
    const bool has_none = std::none_of(items.begin(), items.end(), [](const Value& item) {
      return item.is_null() || item.is_unknown() || item.is_marked();
    });
    if (has_none) *result = value;
    return has_none;
  }
  // Scalars that stay as they are weigh as much and are as deep as before. That goes for sequences; an object that is
  // filled anew for each row may not know its weight.
  const BindingPlan* const part = is_tuple ? nullptr : parts_.data();
  const bool all_pass = part != nullptr && std::all_of(items.begin(), items.end(),
                                                       [part](const Value& item) { return part->Passes(item); });
  const auto fill = [&](Value* to) {
    if (all_pass) {
      std::copy(items.begin(), items.end(), to);
      return true;
    }
    for (size_t n = 0; n < items.size(); ++n) {
      if (!parts_[is_tuple ? n : 0].Apply(items[n], heap, to + n, stands_in)) return false;
    }
    return true;
  };
  if (is_map) {
    Mapping* const mapping = NewMapping(&value.shape(), type_.element(), /*is_object=*/false, heap->arena());
    if (!fill(mapping->mutable_items())) return false;
    internal::Finish(mapping);
    *result = MappingValue(Tag::kMap, mapping);
    return true;
  }
  const auto size = static_cast<uint32_t>(items.size());
  Sequence* const sequence = NewSequence(size, is_tuple ? Type() : type_.element(), is_tuple, heap->arena());
  if (!fill(sequence->mutable_items())) return false;
  all_pass ? void(sequence->weight = SequenceOf(value).weight) : internal::Finish(sequence);
  *result = SequenceValue(is_tuple ? Tag::kTuple : Tag::kList, sequence);
  return true;
}

// A map of those keys that are read and there.
bool BindingPlan::ApplyToKeys(const Value& value, Heap* heap, Value* result, bool* stands_in) const {
  if (!value.is_mapping()) return false;
  std::vector<KeyValue> found;
  for (const Value& key : keys_) {
    const int64_t at = value.shape().Find(key);
    if (at < 0) continue;
    const Value& item = value.values()[static_cast<size_t>(at)];
    Value element;
    if (!parts_[0].Apply(item, heap, &element, stands_in)) return false;
    found.push_back({key, element});
  }
  if (!heap->CanAllocate(found.size() * 2 * sizeof(Value))) return false;
  *result = MakeMap(type_.element(), found, heap->arena());
  return true;
}

Value BindingPlan::Trim(const Value& value, Heap* heap) const {
  if (!trims_ || !value.unmarked().is_mapping() ||
      (type_.kind() != TypeKind::kMap && type_.kind() != TypeKind::kObject)) {
    return value;
  }
  const Value& given = value.unmarked();
  const std::vector<Value>& keys = keys_;
  const size_t count = has_keys_ ? keys.size() : quick_.size();
  std::vector<KeyValue> found;
  for (size_t n = 0; n < count; ++n) {
    const Value& key = has_keys_ ? keys[n] : quick_[n].key;
    const int64_t at = given.shape().Find(key);
    if (at < 0) continue;
    const Value& item = given.values()[static_cast<size_t>(at)];
    found.push_back({key, has_keys_ ? item : parts_[n].Trim(item, heap)});
  }
  const Value trimmed =
      given.is_object() ? MakeObject(found, heap->arena()) : MakeMap(given.element_type(), found, heap->arena());
  return Mark(trimmed, value.marks(), heap->arena());
}

}  // namespace hcl::internal

// Values as they are declared. Tested by vm/value/declared_value_test.cc.

#include "hclvm/vm/value/declared_value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/path_text.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/misspelled.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// A place in a value. Most values have nothing wrong in them, so that steps are put together from the inside.
struct Step {
  enum class Kind : uint8_t { kAttribute, kKey, kIndex } kind;
  std::string_view name;  // of an attribute or key; it lives as long as the value or the type
  size_t index = 0;
};
using ReversedSteps = std::vector<Step>;

std::string TextOf(std::string_view name, const ReversedSteps& steps) {
  std::string text(name);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->kind == Step::Kind::kIndex) {
      AppendIndexStep(step->index, &text);
    } else {
      step->kind == Step::Kind::kAttribute ? AppendNameStep(step->name, &text) : AppendKeyStep(step->name, &text);
    }
  }
  return text;
}

bool FindNull(const Value& marked, Type type, const TypeDefaults* defaults, ReversedSteps* steps);

// Whether a part of a value is a null, or has one in it; *steps lead there from the part. Most parts are scalars.
bool IsOrHasNull(const Value& part, Type type, const TypeDefaults* defaults, ReversedSteps* steps) {
  const Tag tag = TagOf(part);
  if (tag >= Tag::kFalse && tag <= Tag::kString) return false;
  return part.unmarked().is_null() || FindNull(part, type, defaults, steps);
}

bool FindNullInMapping(const Value& value, Type type, const TypeDefaults* defaults, ReversedSteps* steps) {
  const Shape& shape = value.shape();
  const bool is_object = value.is_object() && type.kind() == TypeKind::kObject;
  for (uint32_t n = 0; n < shape.size; ++n) {
    const std::string_view name = shape.keys[n].AsString();
    const Value& item = value.values()[n];
    if (item.unmarked().is_null() && is_object && MayBeNull(defaults, name)) continue;
    const Type inner = is_object ? type.element(n) : type.is_collection() ? type.element() : Type::Dynamic();
    if (!IsOrHasNull(item, inner, is_object ? PartOf(defaults, name) : ElementOf(defaults), steps)) continue;
    // Short names stand in the keys of the shape, which stays where it is.
    steps->push_back({value.is_object() ? Step::Kind::kAttribute : Step::Kind::kKey, shape.keys[n].AsString()});
    return true;
  }
  return false;
}

// Finds a null that must not be one; false where there is none. What is marked or unknown inside is seen through as far
// as there is something.
bool FindNull(const Value& marked, Type type, const TypeDefaults* defaults, ReversedSteps* steps) {
  const Value& value = marked.unmarked();
  if (type.is_dynamic()) return false;
  if (value.is_mapping()) return FindNullInMapping(value, type, defaults, steps);
  if (!value.is_sequence()) return false;
  const bool is_tuple = type.kind() == TypeKind::kTuple;
  for (size_t n = 0; n < value.size(); ++n) {
    const TypeDefaults* const part = defaults == nullptr ? nullptr
                                     : is_tuple          ? PartOf(defaults, absl::StrCat(n))
                                                         : ElementOf(defaults);
    if (!IsOrHasNull(value.elements()[n], is_tuple ? type.element(n) : type.element(), part, steps)) continue;
    steps->push_back({Step::Kind::kIndex, {}, n});
    return true;
  }
  return false;
}

// Finds an attribute that the type requires and the value does not have; false where there is none.
bool FindMissing(const Value& marked, Type type, const TypeDefaults* defaults, ReversedSteps* steps) {
  const Value& value = marked.unmarked();
  if (type.kind() == TypeKind::kObject && value.is_mapping()) {
    for (size_t n = 0; n < type.size(); ++n) {
      const std::string_view name = type.shape().keys[n].AsString();
      const int64_t at = value.shape().Find(type.shape().keys[n]);
      const bool is_missing = at < 0 && DefaultOf(defaults, name) == nullptr;
      if (!is_missing && (at < 0 || !FindMissing(value.values()[static_cast<size_t>(at)], type.element(n),
                                                 PartOf(defaults, name), steps))) {
        continue;
      }
      steps->push_back({Step::Kind::kAttribute, name});
      return true;
    }
    return false;
  }
  if (type.is_collection() && value.is_mapping()) {
    for (uint32_t n = 0; n < value.shape().size; ++n) {
      if (!FindMissing(value.values()[n], type.element(), ElementOf(defaults), steps)) continue;
      steps->push_back({Step::Kind::kKey, value.shape().keys[n].AsString()});
      return true;
    }
    return false;
  }
  const bool is_tuple = type.kind() == TypeKind::kTuple;
  if (!value.is_sequence() || (is_tuple ? type.size() != value.size() : !type.is_collection())) return false;
  for (size_t n = 0; n < value.size(); ++n) {
    const TypeDefaults* const part = defaults == nullptr ? nullptr
                                     : is_tuple          ? PartOf(defaults, absl::StrCat(n))
                                                         : ElementOf(defaults);
    if (!FindMissing(value.elements()[n], is_tuple ? type.element(n) : type.element(), part, steps)) continue;
    steps->push_back({Step::Kind::kIndex, {}, n});
    return true;
  }
  return false;
}

// The object that misses the attribute at the end of the steps, and its type; null where the steps lead nowhere.
const Value* FindObject(const Value& value, const ReversedSteps& steps, Type* type) {
  const Value* at = &value.unmarked();
  for (size_t n = steps.size(); n-- > 1;) {
    const Step& step = steps[n];
    const bool is_index = step.kind == Step::Kind::kIndex;
    if (is_index ? !at->is_sequence() || step.index >= at->size() : !at->is_mapping()) return nullptr;
    const int64_t found = is_index ? static_cast<int64_t>(step.index) : at->shape().Find(step.name);
    if (found < 0) return nullptr;
    at = &(is_index ? at->elements() : at->values())[static_cast<size_t>(found)].unmarked();
    if (type->kind() == TypeKind::kObject) {
      const TypeNode* const attribute = type->FindAttribute(step.name);
      if (attribute == nullptr) return nullptr;
      *type = Type(attribute);
    } else if (type->kind() == TypeKind::kTuple && step.index < type->size()) {
      *type = type->element(step.index);
    } else if (type->is_collection()) {
      *type = type->element();
    } else {
      return nullptr;
    }
  }
  return at->is_mapping() && type->kind() == TypeKind::kObject ? at : nullptr;
}

// What stands in the place of the attribute that is missing, as far as its name shows.
std::string Instead(const ValueDeclaration& declaration, const Value& value, const ReversedSteps& steps) {
  Type type = declaration.whole_type.value_or(declaration.type);
  const Value* const object = FindObject(declaration.given == nullptr ? value : *declaration.given, steps, &type);
  if (object == nullptr) return "";
  const std::string_view wanted = steps.front().name;
  size_t comparisons = kMaxComparisons;
  const std::string near = FindMisspelled(
      wanted, object->shape(), [&](std::string_view name) { return type.FindAttribute(name) != nullptr; },
      &comparisons);
  return near.empty() ? "" : absl::StrCat("; ", ToAbsl(MisspelledText(near, wanted)));
}

}  // namespace

// Defaults come first, so that what is missing is there when the type is looked at.
Fit ToDeclared(const Value& value, const ValueDeclaration& declaration, Heap* heap, Value* result, std::string* reason,
               Fuel* fuel) {
  const auto tells_missing = [&] {
    ReversedSteps steps;
    if (!FindMissing(value, declaration.type, declaration.defaults, &steps)) return false;
    *reason = absl::StrCat(ToAbsl(Excerpt(TextOf(declaration.name, steps))), " is missing",
                           Instead(declaration, value, steps));
    return true;
  };
  *result = declaration.defaults == nullptr ? value : ApplyDefaults(value, *declaration.defaults, heap);
  ConversionError error;
  error.fuel = fuel;
  if (!Convert(*result, declaration.type, heap, result, &error)) {
    if (error.is_limit || !tells_missing()) {
      *reason = absl::StrCat(ToAbsl(declaration.name), error.path, ": ", error.message);
    }
    return error.is_limit ? Fit::kLimit : Fit::kDoesNotFit;
  }
  ReversedSteps steps;
  if (result->unmarked().is_null() ? declaration.nullable
                                   : !FindNull(*result, declaration.type, declaration.defaults, &steps)) {
    return Fit::kFits;
  }
  if (!tells_missing()) *reason = absl::StrCat(ToAbsl(Excerpt(TextOf(declaration.name, steps))), " must not be null");
  return Fit::kDoesNotFit;
}

}  // namespace hcl::internal

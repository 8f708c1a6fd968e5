// Values as they are declared. Tested by vm/value/declared_value_test.cc.

#include "hclvm/vm/value/declared_value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/path_text.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

bool FindNull(const Value& marked, Type type, const TypeDefaults* defaults, std::string* path);

// Whether a part of a value is a null, or has one in it; *path is that behind the part. Most parts are scalars.
bool IsOrHasNull(const Value& part, Type type, const TypeDefaults* defaults, std::string* path) {
  const Tag tag = TagOf(part);
  if (tag >= Tag::kFalse && tag <= Tag::kString) return false;
  return part.unmarked().is_null() || FindNull(part, type, defaults, path);
}

bool FindNullInMapping(const Value& value, Type type, const TypeDefaults* defaults, std::string* path) {
  const Shape& shape = value.shape();
  const bool is_object = value.is_object() && type.kind() == TypeKind::kObject;
  for (uint32_t n = 0; n < shape.size; ++n) {
    const std::string_view name = shape.keys[n].AsString();
    const Value& item = value.values()[n];
    if (item.unmarked().is_null() && is_object && MayBeNull(defaults, name)) continue;
    const Type inner = is_object ? type.element(n) : type.is_collection() ? type.element() : Type::Dynamic();
    if (!IsOrHasNull(item, inner, is_object ? PartOf(defaults, name) : ElementOf(defaults), path)) continue;
    std::string step;
    value.is_object() ? AppendNameStep(name, &step) : AppendKeyStep(name, &step);
    path->insert(0, step);
    return true;
  }
  return false;
}

// The path of a null that must not be one, from `marked` on; false where there is none. What is marked or unknown
// inside is seen through as far as there is something. Paths are put together from the inside: most values have none.
bool FindNull(const Value& marked, Type type, const TypeDefaults* defaults, std::string* path) {
  const Value& value = marked.unmarked();
  if (type.is_dynamic()) return false;
  if (value.is_mapping()) return FindNullInMapping(value, type, defaults, path);
  if (!value.is_sequence()) return false;
  const bool is_tuple = type.kind() == TypeKind::kTuple;
  for (size_t n = 0; n < value.size(); ++n) {
    const TypeDefaults* const part = defaults == nullptr ? nullptr
                                     : is_tuple          ? PartOf(defaults, absl::StrCat(n))
                                                         : ElementOf(defaults);
    if (!IsOrHasNull(value.elements()[n], is_tuple ? type.element(n) : type.element(), part, path)) continue;
    std::string step;
    AppendIndexStep(n, &step);
    path->insert(0, step);
    return true;
  }
  return false;
}

}  // namespace

// Defaults come first, so that what is missing is there when the type is looked at.
Fit ToDeclared(const Value& value, const ValueDeclaration& declaration, Heap* heap, Value* result, std::string* reason,
               Fuel* fuel) {
  *result = declaration.defaults == nullptr ? value : ApplyDefaults(value, *declaration.defaults, heap);
  ConversionError error;
  error.fuel = fuel;
  if (!Convert(*result, declaration.type, heap, result, &error)) {
    *reason = absl::StrCat(ToAbsl(declaration.name), error.path, ": ", error.message);
    return error.is_limit ? Fit::kLimit : Fit::kDoesNotFit;
  }
  std::string path;
  if (result->unmarked().is_null() ? declaration.nullable
                                   : !FindNull(*result, declaration.type, declaration.defaults, &path)) {
    return Fit::kFits;
  }
  path.insert(0, declaration.name);
  *reason = absl::StrCat(ToAbsl(Excerpt(path)), " must not be null");
  return Fit::kDoesNotFit;
}

}  // namespace hcl::internal

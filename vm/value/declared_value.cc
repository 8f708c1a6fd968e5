// Values as they are declared. Tested by vm/value/declared_value_test.cc.

#include "hclvm/vm/value/declared_value.h"

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/path_text.h"
#include "hclvm/vm/value/conversion.h"

namespace hcl::internal {
namespace {

// The path of a null that must not be one, behind `path`; false where there is none. What is marked or unknown inside
// is seen through as far as there is something.
bool FindNull(const Value& marked, Type type, const TypeDefaults* defaults, std::string* path) {
  const Value& value = marked.unmarked();
  const size_t size = path->size();
  if (value.is_mapping()) {
    const Shape& shape = value.shape();
    for (uint32_t n = 0; n < shape.size; ++n) {
      const std::string name(shape.keys[n].AsString());
      const Value& item = value.values()[n];
      const bool is_object = value.is_object() && type.kind() == TypeKind::kObject;
      if (type.is_dynamic() || (item.unmarked().is_null() && is_object && MayBeNull(defaults, name))) continue;
      value.is_object() ? AppendNameStep(name, path) : AppendKeyStep(name, path);
      if (item.unmarked().is_null()) return true;
      const Type inner = is_object ? type.element(n) : type.is_collection() ? type.element() : Type::Dynamic();
      const TypeDefaults* const part = is_object ? PartOf(defaults, name) : ElementOf(defaults);
      if (FindNull(item, inner, part, path)) return true;
      path->resize(size);
    }
  } else if (value.is_sequence() && !type.is_dynamic()) {
    for (size_t n = 0; n < value.size(); ++n) {
      const Value& item = value.elements()[n];
      AppendIndexStep(n, path);
      if (item.unmarked().is_null()) return true;
      const bool is_tuple = type.kind() == TypeKind::kTuple;
      const TypeDefaults* const part = is_tuple ? PartOf(defaults, absl::StrCat(n)) : ElementOf(defaults);
      if (FindNull(item, is_tuple ? type.element(n) : type.element(), part, path)) return true;
      path->resize(size);
    }
  }
  return false;
}

}  // namespace

// Defaults come first, so that what is missing is there when the type is looked at.
Fit ToDeclared(const Value& value, const ValueDeclaration& declaration, Heap* heap, Value* result,
               std::string* reason) {
  *result = declaration.defaults == nullptr ? value : ApplyDefaults(value, *declaration.defaults, heap);
  ConversionError error;
  if (!Convert(*result, declaration.type, heap, result, &error)) {
    *reason = absl::StrCat(ToAbsl(declaration.name), error.path, ": ", error.message);
    return error.is_limit ? Fit::kLimit : Fit::kDoesNotFit;
  }
  std::string path(declaration.name);
  if (result->unmarked().is_null() ? declaration.nullable
                                   : !FindNull(*result, declaration.type, declaration.defaults, &path)) {
    return Fit::kFits;
  }
  *reason = absl::StrCat(ToAbsl(Excerpt(path)), " must not be null");
  return Fit::kDoesNotFit;
}

}  // namespace hcl::internal

// Reading values. Tested by bindings/c/c_test.cc and bindings/c/hostile_test.cc.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/limits.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"

using hcl::Value;
using hcl::internal::Guarded;
using hcl::internal::HandleOf;
using hcl::internal::ValueOf;

hclvm_kind hclvm_value_kind(const hclvm_value* handle) {
  if (handle == nullptr) return HCLVM_NONE;
  const Value& value = ValueOf(handle);
  if (value.is_marked()) return HCLVM_MARKED;
  if (value.is_null()) return HCLVM_NULL;
  if (value.is_unknown()) return HCLVM_UNKNOWN;
  if (value.is_bool()) return HCLVM_BOOL;
  if (value.is_number()) return HCLVM_NUMBER;
  if (value.is_string()) return HCLVM_STRING;
  if (value.is_tuple()) return HCLVM_TUPLE;
  if (value.is_list()) return HCLVM_LIST;
  if (value.is_set()) return HCLVM_SET;
  if (value.is_object()) return HCLVM_OBJECT;
  if (value.is_map()) return HCLVM_MAP;
  return value.is_capsule() ? HCLVM_CAPSULE : HCLVM_NONE;
}

const hclvm_value* hclvm_value_unmarked(const hclvm_value* value) {
  return value == nullptr ? nullptr : HandleOf(&ValueOf(value).unmarked());
}

hclvm_status hclvm_value_bool(const hclvm_value* value, int* result) {
  if (result == nullptr) return HCLVM_ARGUMENT;
  *result = 0;
  if (value == nullptr) return HCLVM_ARGUMENT;
  if (!ValueOf(value).is_bool()) return HCLVM_KIND;
  *result = ValueOf(value).AsBool() ? 1 : 0;
  return HCLVM_OK;
}

hclvm_status hclvm_value_int64(const hclvm_value* value, int64_t* result) {
  if (result == nullptr) return HCLVM_ARGUMENT;
  *result = 0;
  if (value == nullptr) return HCLVM_ARGUMENT;
  if (!ValueOf(value).is_number()) return HCLVM_KIND;
  const std::optional<int64_t> whole = ValueOf(value).AsNumber().ToInt64();
  if (!whole) return HCLVM_KIND;
  *result = *whole;
  return HCLVM_OK;
}

hclvm_status hclvm_value_double(const hclvm_value* value, double* result) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    if (result == nullptr) return HCLVM_ARGUMENT;
    *result = 0;
    if (value == nullptr) return HCLVM_ARGUMENT;
    if (!ValueOf(value).is_number()) return HCLVM_KIND;
    *result = ValueOf(value).AsNumber().ToDouble();
    return HCLVM_OK;
  });
}

hclvm_status hclvm_value_string(const hclvm_value* value, const char** text, size_t* size) {
  if (text == nullptr || size == nullptr) return HCLVM_ARGUMENT;
  *text = nullptr;
  *size = 0;
  if (value == nullptr) return HCLVM_ARGUMENT;
  if (!ValueOf(value).is_string()) return HCLVM_KIND;
  // A view into the value itself if the string is short, so that the value must not be copied first.
  const std::string_view view = ValueOf(value).AsString();
  *text = view.data();
  *size = view.size();
  return HCLVM_OK;
}

hclvm_status hclvm_value_number_text(const hclvm_value* value, char** text, size_t* size) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    if (text == nullptr || size == nullptr) return HCLVM_ARGUMENT;
    *text = nullptr;
    *size = 0;
    if (value == nullptr) return HCLVM_ARGUMENT;
    if (!ValueOf(value).is_number()) return HCLVM_KIND;
    const hcl::Number number = ValueOf(value).AsNumber();
    if (!number.IsInfinite() && number.DigitCount() > hcl::Limits().max_number_digits) return HCLVM_LIMIT;
    const std::string digits = number.ToString();
    *text = hcl::internal::CopyText(digits);
    *size = digits.size();
    return HCLVM_OK;
  });
}

namespace {

bool HasElements(const Value& value) { return value.is_sequence() || value.is_mapping(); }

}  // namespace

hclvm_status hclvm_value_size(const hclvm_value* value, size_t* size) {
  if (size == nullptr) return HCLVM_ARGUMENT;
  *size = 0;
  if (value == nullptr) return HCLVM_ARGUMENT;
  if (!HasElements(ValueOf(value))) return HCLVM_KIND;
  *size = ValueOf(value).size();
  return HCLVM_OK;
}

hclvm_status hclvm_value_element(const hclvm_value* handle, size_t index, const hclvm_value** element) {
  if (element == nullptr) return HCLVM_ARGUMENT;
  *element = nullptr;
  if (handle == nullptr) return HCLVM_ARGUMENT;
  const Value& value = ValueOf(handle);
  if (!HasElements(value)) return HCLVM_KIND;
  if (index >= value.size()) return HCLVM_NOT_FOUND;
  *element = HandleOf(&(value.is_sequence() ? value.elements() : value.values())[index]);
  return HCLVM_OK;
}

hclvm_status hclvm_value_key(const hclvm_value* handle, size_t index, const char** key, size_t* size) {
  if (key == nullptr || size == nullptr) return HCLVM_ARGUMENT;
  *key = nullptr;
  *size = 0;
  if (handle == nullptr) return HCLVM_ARGUMENT;
  const Value& value = ValueOf(handle);
  if (!value.is_mapping()) return HCLVM_KIND;
  if (index >= value.size()) return HCLVM_NOT_FOUND;
  const std::string_view view = value.shape().keys[index].AsString();
  *key = view.data();
  *size = view.size();
  return HCLVM_OK;
}

hclvm_status hclvm_value_get(const hclvm_value* handle, const char* key, size_t size, const hclvm_value** element) {
  return Guarded(nullptr, [&]() -> hclvm_status {
    if (element == nullptr) return HCLVM_ARGUMENT;
    *element = nullptr;
    std::string_view name;
    if (handle == nullptr || !hcl::internal::ReadText(key, size, "", &name, nullptr)) return HCLVM_ARGUMENT;
    const Value& value = ValueOf(handle);
    if (!value.is_mapping()) return HCLVM_KIND;
    const int64_t at = name.size() > UINT32_MAX ? -1 : value.shape().Find(name);
    if (at < 0) return HCLVM_NOT_FOUND;
    *element = HandleOf(&value.values()[static_cast<size_t>(at)]);
    return HCLVM_OK;
  });
}

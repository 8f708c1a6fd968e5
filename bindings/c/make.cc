// Heaps, and making values in them. Tested by bindings/c/c_test.cc and bindings/c/hostile_test.cc.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/type_syntax.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

const hclvm_value* Keep(const Value& value, Heap* heap) {
  auto* kept = static_cast<Value*>(heap->arena()->Allocate(sizeof(Value), alignof(Value)));
  *kept = value;
  return HandleOf(kept);
}

hclvm_status ReadType(const char* text, size_t size, Heap* heap, Type* type, hclvm_error** error) {
  std::string_view view;
  if (!ReadText(text, size, "The type", &view, error)) return HCLVM_ARGUMENT;
  TypeSyntaxError wrong;
  if (ParseTypeSyntax(view, heap, type, &wrong)) return HCLVM_OK;
  return Fail(wrong.is_limit ? HCLVM_LIMIT : HCLVM_ARGUMENT,
              "The type is wrong at byte " + std::to_string(wrong.offset) + ": " + wrong.message, error);
}

namespace {

hclvm_status TooLarge(hclvm_error** error) {
  return Fail(HCLVM_LIMIT, "The value takes more memory than the heap may hold (limit max_result_bytes).", error);
}

// Where a result goes at the end, or NULL: not before, since it can be the very place that an element is taken from.
struct Result {
  const hclvm_value** place;
  const hclvm_value* value = nullptr;
  ~Result() { *place = value; }
};

// Runs `make`, which puts a value into its argument and returns a status, and keeps the value.
template <typename Make>
hclvm_status MakeValue(hclvm_heap* heap, const hclvm_value** place, hclvm_error** error, Make make) {
  return Guarded(error, [&]() -> hclvm_status {
    if (place == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the value is NULL.", error);
    Result result{place};
    if (heap == nullptr) return Fail(HCLVM_ARGUMENT, "The heap is NULL.", error);
    if (heap->own != nullptr) heap->heap->set_interrupt(heap->patience.Begin());
    Value value;
    if (!heap->heap->CanAllocate(sizeof(Value))) return TooLarge(error);
    const hclvm_status status = make(heap->heap, &value);
    if (status == HCLVM_OK) result.value = Keep(value, heap->heap);
    return status;
  });
}

// A string in NFC, in `heap`.
hclvm_status MakeString(Heap* heap, const char* text, size_t size, const char* what, Value* value,
                        hclvm_error** error) {
  std::string_view view;
  if (!ReadUtf8(text, size, what, &view, error)) return HCLVM_ARGUMENT;
  if (view.size() > UINT32_MAX || !heap->CanAllocate(view.size())) return TooLarge(error);
  if (IsKnownNfc(view)) {
    *value = Value::String(view, heap->arena());
    return HCLVM_OK;
  }
  const std::string normal = ToNfc(view);
  if (normal.size() > UINT32_MAX || !heap->CanAllocate(normal.size())) return TooLarge(error);
  *value = Value::String(normal, heap->arena());
  return HCLVM_OK;
}

// Takes the elements of a tuple or object. Their weight as a tree is bounded as that of results of evaluations is: a
// value that is an element of itself's elements twice, and so on, would be small and endless to write.
hclvm_status TakeElements(Heap* heap, const hclvm_value* const* elements, size_t count, std::vector<Value>* values,
                          hclvm_error** error) {
  constexpr uint64_t kUnit = 16;
  if (elements == nullptr && count != 0) return Fail(HCLVM_ARGUMENT, "The elements are NULL.", error);
  const uint64_t most = heap->limits().max_result_bytes / kUnit;
  // As much again for keys and what belongs to them.
  if (count >= UINT32_MAX || count > most || !heap->CanAllocate(4 * kUnit * count)) return TooLarge(error);
  uint64_t weight = 1;
  values->reserve(count);
  for (size_t i = 0; i < count; ++i) {
    if (elements[i] == nullptr) {
      return Fail(HCLVM_ARGUMENT, "Element " + std::to_string(i) + " is NULL.", error);
    }
    const Value& value = ValueOf(elements[i]);
    if (value.weight() > most - weight) return TooLarge(error);
    weight += value.weight();
    if (value.depth() >= heap->limits().max_nesting_depth) {
      return Fail(HCLVM_LIMIT, "The value is nested too deeply (limit max_nesting_depth).", error);
    }
    values->push_back(value);
  }
  return HCLVM_OK;
}

hclvm_status ReadNumber(Heap* heap, std::string_view digits, Value* value, hclvm_error** error) {
  NumberError wrong = NumberError::kNone;
  const Number number = Number::Parse(digits, NumberSyntax::kJson, heap->limits(), heap->arena(), &wrong);
  if (wrong == NumberError::kTooManyDigits || wrong == NumberError::kOverflow) {
    return Fail(HCLVM_LIMIT, "The number has too many digits (limit max_number_digits).", error);
  }
  if (wrong != NumberError::kNone) {
    return Fail(HCLVM_ARGUMENT, "The text is not a number: digits with a sign, a fraction and an exponent, as in JSON.",
                error);
  }
  *value = Value::FromNumber(number);
  return HCLVM_OK;
}

}  // namespace
}  // namespace hcl::internal

using hcl::Heap;
using hcl::Value;
using hcl::internal::Fail;
using hcl::internal::Guarded;
using hcl::internal::MakeString;
using hcl::internal::MakeValue;
using hcl::internal::ValueOf;

hclvm_status hclvm_heap_new(const hclvm_limits* limits, hclvm_heap** heap, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (heap == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the heap is NULL.", error);
    *heap = nullptr;
    hcl::internal::HostLimits host;
    if (!hcl::internal::ReadLimits(limits, &host, error)) return HCLVM_ARGUMENT;
    auto own = std::make_unique<Heap>(nullptr, hcl::Dialect::kSpec, host.limits);
    auto made = std::make_unique<hclvm_heap>(hclvm_heap{own.get(), nullptr, host.patience});
    made->own = std::move(own);
    *heap = made.release();
    return HCLVM_OK;
  });
}

hclvm_status hclvm_heap_reset(hclvm_heap* heap) {
  if (heap == nullptr || heap->own == nullptr) return HCLVM_ARGUMENT;
  heap->own->Reset();
  return HCLVM_OK;
}

// The heap of a call is the call's.
void hclvm_heap_free(hclvm_heap* heap) {
  if (heap != nullptr && heap->own != nullptr) delete heap;
}

hclvm_status hclvm_make_null(hclvm_heap* heap, const hclvm_value** value, hclvm_error** error) {
  return MakeValue(heap, value, error, [](Heap*, Value* made) { return *made = Value::Null(), HCLVM_OK; });
}

hclvm_status hclvm_make_bool(hclvm_heap* heap, int truth, const hclvm_value** value, hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap*, Value* made) { return *made = Value::Bool(truth != 0), HCLVM_OK; });
}

hclvm_status hclvm_make_int64(hclvm_heap* heap, int64_t number, const hclvm_value** value, hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap*, Value* made) { return *made = Value::Int(number), HCLVM_OK; });
}

hclvm_status hclvm_make_double(hclvm_heap* heap, double number, const hclvm_value** value, hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap* in, Value* made) -> hclvm_status {
    const std::optional<hcl::Number> exact = hcl::Number::FromDouble(number, in->arena());
    if (!exact) return Fail(HCLVM_ARGUMENT, "NaN is no number of HCL.", error);
    *made = Value::FromNumber(*exact);
    return HCLVM_OK;
  });
}

hclvm_status hclvm_make_number(hclvm_heap* heap, const char* digits, size_t size, const hclvm_value** value,
                               hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap* in, Value* made) -> hclvm_status {
    std::string_view view;
    if (!hcl::internal::ReadText(digits, size, "The number", &view, error)) return HCLVM_ARGUMENT;
    return hcl::internal::ReadNumber(in, view, made, error);
  });
}

hclvm_status hclvm_make_string(hclvm_heap* heap, const char* text, size_t size, const hclvm_value** value,
                               hclvm_error** error) {
  return MakeValue(heap, value, error,
                   [&](Heap* in, Value* made) { return MakeString(in, text, size, "The string", made, error); });
}

hclvm_status hclvm_make_tuple(hclvm_heap* heap, const hclvm_value* const* elements, size_t count,
                              const hclvm_value** value, hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap* in, Value* made) -> hclvm_status {
    std::vector<Value> values;
    const hclvm_status status = hcl::internal::TakeElements(in, elements, count, &values, error);
    if (status == HCLVM_OK) *made = hcl::MakeTuple(values, in->arena());
    return status;
  });
}

hclvm_status hclvm_make_object(hclvm_heap* heap, const char* const* keys, const hclvm_value* const* elements,
                               size_t count, const hclvm_value** value, hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap* in, Value* made) -> hclvm_status {
    if (keys == nullptr && count != 0) return Fail(HCLVM_ARGUMENT, "The keys are NULL.", error);
    std::vector<Value> values;
    hclvm_status status = hcl::internal::TakeElements(in, elements, count, &values, error);
    if (status != HCLVM_OK) return status;
    std::vector<hcl::KeyValue> pairs(count);
    for (size_t i = 0; i < count; ++i) {
      pairs[i].value = values[i];
      status = MakeString(in, keys[i], HCLVM_TERMINATED, "A key", &pairs[i].key, error);
      if (status != HCLVM_OK) return status;
    }
    *made = hcl::MakeObject(pairs, in->arena());
    return HCLVM_OK;
  });
}

hclvm_status hclvm_make_unknown(hclvm_heap* heap, const char* type, size_t size, const hclvm_value** value,
                                hclvm_error** error) {
  return MakeValue(heap, value, error, [&](Heap* in, Value* made) -> hclvm_status {
    hcl::Type read;
    const hclvm_status status = hcl::internal::ReadType(type, size, in, &read, error);
    if (status != HCLVM_OK) return status;
    *made = Value::Unknown(read);
    return HCLVM_OK;
  });
}

hclvm_status hclvm_convert(hclvm_heap* heap, const hclvm_value* value, const char* type, size_t size,
                           const hclvm_value** result, hclvm_error** error) {
  return MakeValue(heap, result, error, [&](Heap* in, Value* made) -> hclvm_status {
    if (value == nullptr) return Fail(HCLVM_ARGUMENT, "The value is NULL.", error);
    hcl::Type read;
    const hclvm_status status = hcl::internal::ReadType(type, size, in, &read, error);
    if (status != HCLVM_OK) return status;
    hcl::ConversionError wrong;
    if (hcl::Convert(ValueOf(value), read, in, made, &wrong)) return HCLVM_OK;
    const auto code =
        wrong.is_limit ? hcl::DiagnosticCode::kLimitInConversion : hcl::DiagnosticCode::kInvalidTypedValue;
    return Fail(code, "The value cannot be converted: " + wrong.ToString() + ".", "", "", 0, error);
  });
}

hclvm_status hclvm_make_sensitive(hclvm_heap* heap, const hclvm_value* value, const hclvm_value** result,
                                  hclvm_error** error) {
  return MakeValue(heap, result, error, [&](Heap* in, Value* made) -> hclvm_status {
    if (value == nullptr) return Fail(HCLVM_ARGUMENT, "The value is NULL.", error);
    *made = hcl::Mark(ValueOf(value), hcl::kSensitiveMark, in->arena());
    return HCLVM_OK;
  });
}

hclvm_status hclvm_copy(hclvm_heap* heap, const hclvm_value* value, const hclvm_value** result, hclvm_error** error) {
  return MakeValue(heap, result, error, [&](Heap* in, Value* made) -> hclvm_status {
    if (value == nullptr) return Fail(HCLVM_ARGUMENT, "The value is NULL.", error);
    const Value& from = ValueOf(value);
    if (from.weight() > in->limits().max_result_bytes / sizeof(Value) ||
        !in->CanAllocate(from.weight() * sizeof(Value))) {
      return hcl::internal::TooLarge(error);
    }
    if (from.depth() > in->limits().max_nesting_depth) {
      return Fail(HCLVM_LIMIT, "The value is nested too deeply (limit max_nesting_depth).", error);
    }
    *made = hcl::Clone(from, in->arena(), in->types());
    return HCLVM_OK;
  });
}

// C++ data as values and back: what does not depend on the C++ type. Tested by vm/value/fields_test.cc.

#include "hclvm/vm/value/field_support.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/capsule.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

absl::Status CodecFailure::status() const {
  if (ok() || path_.empty()) return status_;
  return absl::Status(status_.code(), absl::StrCat(path_, ": ", status_.message()));
}

bool CodecFailure::Note(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
  return false;
}

bool CodecFailure::InIndex(size_t index) {
  std::string step;
  AppendIndexStep(index, &step);
  path_.insert(0, step);
  return false;
}

bool CodecFailure::InKey(std::string_view key) {
  std::string step;
  AppendKeyStep(Excerpt(key), &step);
  path_.insert(0, step);
  return false;
}

bool CodecFailure::InField(std::string_view name) {
  std::string step;
  AppendNameStep(name, &step);
  path_.insert(0, step);
  return false;
}

// ValueMaker.

bool ValueMaker::HasRoom(uint64_t bytes) { return heap_->CanAllocate(bytes) || TooLarge(); }

bool ValueMaker::TooLarge() {
  return Note(absl::ResourceExhaustedError(
      absl::StrCat("the value takes more than ", heap_->limits().max_result_bytes, " bytes (limit max_result_bytes)")));
}

bool ValueMaker::Expect(size_t count) { return HasRoom(uint64_t{count} * sizeof(Value)); }

void ValueMaker::CheckSize(const Value& value) {
  if (value.weight() > heap_->limits().max_result_bytes / sizeof(Value)) TooLarge();
}

bool ValueMaker::Enter() {
  if (depth_ >= heap_->limits().max_nesting_depth) {
    Note(absl::ResourceExhaustedError(
        absl::StrCat("nested deeper than ", heap_->limits().max_nesting_depth, " levels (limit max_nesting_depth)")));
  }
  if (!ok()) return false;
  ++depth_;
  return true;
}

// A host's text is not trusted to be UTF-8 or in NFC, as every string in a value has to be (vm/value/value.h).
Value ValueMaker::String(std::string_view text) {
  if (!HasRoom(text.size()) || !ok()) return Value();
  if (text.size() > UINT32_MAX) return Note(absl::ResourceExhaustedError("the text has 4 GiB or more")), Value();
  if (IsKnownNfc(text)) return in_place_ ? Value::StringView(text) : Value::String(text, heap_->arena());
  if (FindInvalidUtf8(text) != std::string_view::npos) {
    return Note(absl::InvalidArgumentError("the text is not valid UTF-8")), Value();
  }
  return Value::String(ToNfc(text), heap_->arena());
}

Value ValueMaker::Uint64(uint64_t number) { return Value::FromNumber(Number::FromUint64(number, heap_->arena())); }

Value ValueMaker::Double(double number) {
  const std::optional<Number> result = Number::FromDouble(number, heap_->arena());
  if (result) return Value::FromNumber(*result);
  return Note(absl::InvalidArgumentError("the double is not a number (NaN)")), Value();
}

// The depth is known without a walk, so that a deep Value costs no recursion here.
Value ValueMaker::Any(const Value& value) {
  HCL_DCHECK(!value.is_error());
  if (value.depth() <= heap_->limits().max_nesting_depth - depth_) return value;
  Note(absl::ResourceExhaustedError(
      absl::StrCat("nested deeper than ", heap_->limits().max_nesting_depth, " levels (limit max_nesting_depth)")));
  return Value();
}

Value ValueMaker::Sequence(Type element, absl::Span<const Value> elements) {
  if (!ok()) return Value();
  return element.is_dynamic() ? MakeTuple(elements, heap_->arena()) : MakeList(element, elements, heap_->arena());
}

Value ValueMaker::Set(Type element, absl::Span<const Value> elements) {
  if (!ok()) return Value();
  return element.is_dynamic() ? MakeTuple(elements, heap_->arena()) : MakeSet(element, elements, heap_->arena());
}

Value ValueMaker::Mapping(Type element, absl::Span<const KeyValue> pairs) {
  if (!ok()) return Value();
  return element.is_dynamic() ? MakeObject(pairs, heap_->arena()) : MakeMap(element, pairs, heap_->arena());
}

// The shape is that of all structs of this type in the heap, so that the caches of a program find the fields at once.
const Shape* ValueMaker::AddShape(const void* identity, absl::Span<const Value> names) {
  const uint64_t generation = heap_->types()->generation();
  if (generation_ != generation) shapes_.clear();
  generation_ = generation;
  shapes_.push_back({identity, heap_->types()->InternShape(names)});
  return shapes_.back().shape;
}

Value ValueMaker::MakeCapsule(Type type, const void* data) {
  return data == nullptr ? Value::Null(type) : hcl::MakeCapsule(type, data, heap_->arena());
}

// ValueReader.

bool ValueReader::Fail(const std::string& message) { return Note(absl::InvalidArgumentError(message)); }

// A type that contains itself recurses as deep as the value does, which a host may have made as deep as it liked.
bool ValueReader::Open(bool takes_null, const Value** value) {
  static constexpr uint32_t kMaxDepth = 1000;
  if (depth_ >= kMaxDepth) return Fail(absl::StrCat("nested deeper than ", kMaxDepth, " levels"));
  if ((*value)->is_marked()) {
    if (!drop_marks_) return Fail("is marked, and the marks would be lost");
    *value = &(*value)->unmarked();
  }
  if ((*value)->is_unknown()) return Fail("is not known");
  return takes_null || !(*value)->is_null() || Fail("must not be null");
}

bool ValueReader::ToPrimitive(const Value& value, Type type, Value* result) {
  if (heap_ == nullptr) heap_ = std::make_unique<Heap>();
  ConversionError error;
  return hcl::Convert(value, type, heap_.get(), result, &error) || Fail(error.ToString());
}

bool ValueReader::Bool(const Value& value, bool* result) {
  Value converted = value;
  if (!value.is_bool() && !ToPrimitive(value, Type::Bool(), &converted)) return false;
  *result = converted.is_true();
  return true;
}

// A C++ integer never wraps or truncates: what does not fit is an error that names the range.
bool ValueReader::Signed(const Value& value, int64_t min, int64_t max, int64_t* result) {
  Value converted = value;
  if (!value.is_number() && !ToPrimitive(value, Type::Number(), &converted)) return false;
  const Number number = converted.AsNumber();
  const std::optional<int64_t> whole = number.ToInt64();
  if (!whole || *whole < min || *whole > max) {
    return Fail(number.IsInteger() ? absl::StrCat("a whole number from ", min, " to ", max, " is required")
                                   : "a whole number is required");
  }
  *result = *whole;
  return true;
}

bool ValueReader::Unsigned(const Value& value, uint64_t max, uint64_t* result) {
  Value converted = value;
  if (!value.is_number() && !ToPrimitive(value, Type::Number(), &converted)) return false;
  const Number number = converted.AsNumber();
  const std::optional<uint64_t> whole = number.ToUint64();
  if (!whole || *whole > max) {
    return Fail(number.IsInteger() ? absl::StrCat("a whole number from 0 to ", max, " is required")
                                   : "a whole number is required");
  }
  *result = *whole;
  return true;
}

bool ValueReader::Double(const Value& value, double* result) {
  Value converted = value;
  if (!value.is_number() && !ToPrimitive(value, Type::Number(), &converted)) return false;
  *result = converted.AsNumber().ToDouble();
  return true;
}

bool ValueReader::String(const Value& value, std::string* result) {
  Value converted = value;
  if (!value.is_string() && !ToPrimitive(value, Type::String(), &converted)) return false;
  *result = converted.AsString();
  return true;
}

bool ValueReader::Capsule(const Value& value, const CapsuleType& type, const void** result) {
  if (!value.is_capsule() || &value.capsule().type.capsule() != &type) {
    return Fail(absl::StrCat("a capsule of the type ", ToAbsl(type.name), " is required"));
  }
  *result = value.capsule().data;
  return true;
}

bool ValueReader::ExpectSequence(const Value& value) {
  return value.is_sequence() || Fail("a list, set or tuple is required");
}

bool ValueReader::ExpectMapping(const Value& value) {
  return value.is_mapping() || Fail("an object or map is required");
}

const Value* ValueReader::Find(const Value& mapping, std::string_view name) {
  const int64_t at = mapping.shape().Find(name);
  return at < 0 ? nullptr : &mapping.values()[static_cast<size_t>(at)];
}

// Both are sorted bytewise.
bool ValueReader::CheckOthers(const Value& mapping, absl::Span<const std::string_view> names) {
  if (!refuse_others_) return true;
  for (const Value& key : absl::MakeConstSpan(mapping.shape().keys, mapping.size())) {
    if (std::binary_search(names.begin(), names.end(), key.AsString())) continue;
    return Fail(absl::StrCat("there is no attribute \"", ToAbsl(Excerpt(key.AsString())), "\" here"));
  }
  return true;
}

bool ValueReader::Missing(std::string_view name) {
  return Fail(absl::StrCat("attribute \"", ToAbsl(name), "\" is required"));
}

}  // namespace hcl::internal

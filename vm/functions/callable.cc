// Functions from C++ callables: what does not depend on their types. Tested by tests/callable_test.cc.

#include "hclvm/vm/functions/callable.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hclvm/base/path_text.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

Value FailForMemory(FunctionCall* call) {
  return call->LimitError("the call takes more memory than an evaluation may use (limit max_result_bytes)");
}

}  // namespace

// The error is reported here and not where it is found, since the path is complete only when all levels have returned.
void ArgumentReader::Finish() {
  if (failed_)
    call_->ArgumentError(argument_, [&] { return path_.empty() ? message_ : absl::StrCat(path_, ": ", message_); });
}

// A C++ integer never wraps or truncates: what does not fit is an error that names the range.
bool ArgumentReader::ReadSigned(const Value& value, int64_t min, int64_t max, int64_t* result) {
  const Number number = value.AsNumber();
  const std::optional<int64_t> whole = number.ToInt64();
  if (!whole || *whole < min || *whole > max) {
    return Fail(number.IsInteger() ? absl::StrCat("a whole number from ", min, " to ", max, " is required")
                                   : "a whole number is required");
  }
  *result = *whole;
  return true;
}

bool ArgumentReader::ReadUnsigned(const Value& value, uint64_t max, uint64_t* result) {
  const Number number = value.AsNumber();
  const std::optional<uint64_t> whole = number.ToUint64();
  if (!whole || *whole > max) {
    return Fail(number.IsInteger() ? absl::StrCat("a whole number from 0 to ", max, " is required")
                                   : "a whole number is required");
  }
  *result = *whole;
  return true;
}

// The product is computed in 64 bits and cannot overflow: a list has fewer than 2^32 elements.
bool ArgumentReader::Reserve(size_t count, size_t bytes_each) {
  if (call_->heap()->CanAllocate(uint64_t{count} * bytes_each)) return true;
  FailForMemory(call_);
  return false;
}

bool ArgumentReader::Fail(std::string message) {
  failed_ = true;
  path_.clear();
  message_ = std::move(message);
  return false;
}

bool ArgumentReader::FailAt(size_t i) {
  std::string step;
  AppendIndexStep(i, &step);
  path_.insert(0, step);
  return false;
}

// A host's text is not trusted to be UTF-8 or in NFC, as every string in a value has to be (vm/value/value.h).
Value MakeStringResult(FunctionCall* call, std::string_view text) {
  if (!call->heap()->CanAllocate(text.size())) return FailForMemory(call);
  if (IsKnownNfc(text)) return Value::String(text, call->arena());
  if (FindInvalidUtf8(text) != std::string_view::npos) return call->Error("the function's result is not UTF-8 text");
  return Value::String(ToNfc(text), call->arena());
}

Value MakeUint64Result(FunctionCall* call, uint64_t number) {
  return Value::FromNumber(Number::FromUint64(number, call->arena()));
}

Value MakeDoubleResult(FunctionCall* call, double number) {
  const std::optional<Number> result = Number::FromDouble(number, call->arena());
  return result ? Value::FromNumber(*result) : call->Error("the function's result is not a number");
}

// Elements that are or hold a Value may differ in type, so that only a tuple can hold them.
Sequence* NewResultSequence(FunctionCall* call, size_t size, Type element) {
  if (call->heap()->CanAllocate(uint64_t{size} * sizeof(Value))) {
    return NewSequence(static_cast<uint32_t>(size), element, /*is_tuple=*/element.is_dynamic(), call->arena());
  }
  FailForMemory(call);
  return nullptr;
}

Value FinishResultSequence(Sequence* sequence, Type element) {
  internal::Finish(sequence);
  return SequenceValue(element.is_dynamic() ? Tag::kTuple : Tag::kList, sequence);
}

// The same answer as InvokeFunction() gives for unknown arguments: it is not null where the signature says so.
Value UnknownResult(FunctionCall* call) {
  const Type type = call->result_type();
  return type.is_primitive() && call->function().never_null() ? UnknownNotNull(type) : Value::Unknown(type);
}

// A name is needed for messages even where the host gives none.
void NameParameters(const CallableOptions& options, Function* function) {
  const size_t count = function->parameters.size() + (function->variadic ? 1 : 0);
  for (size_t i = 0; i < count; ++i) {
    Parameter& parameter = i < function->parameters.size() ? function->parameters[i] : *function->variadic;
    parameter.name = i < options.parameter_names.size() ? options.parameter_names[i] : absl::StrCat("arg", i + 1);
  }
}

}  // namespace hcl::internal

// What the function families share. Tested by vm/functions/*_functions_test.cc.

#include "hclvm/vm/functions/function_support.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/functions/quick_bodies.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

Parameter Param(std::string name, Type type, unsigned flags) {
  Parameter parameter;
  parameter.name = std::move(name);
  parameter.type = type;
  parameter.allow_null = (flags & kAllowNull) != 0;
  parameter.allow_unknown = (flags & kAllowUnknown) != 0;
  parameter.allow_dynamic = (flags & kAllowDynamic) != 0;
  return parameter;
}

Function Define(std::string name, std::vector<Parameter> parameters, Type result, FunctionBody body) {
  Function function;
  function.name = std::move(name);
  function.parameters = std::move(parameters);
  function.result_type = result;
  function.body = body;
  function.is_library = true;
  return function;
}

Function DefineVariadic(std::string name, std::vector<Parameter> parameters, Parameter variadic, Type result,
                        FunctionBody body) {
  Function function = Define(std::move(name), std::move(parameters), result, body);
  function.variadic = std::move(variadic);
  return function;
}

Function Define(std::string name, std::vector<Parameter> parameters, ResultTypeRule rule, FunctionBody body) {
  Function function = Define(std::move(name), std::move(parameters), Type::Dynamic(), body);
  function.result_type_rule = rule;
  return function;
}

Function DefineVariadic(std::string name, std::vector<Parameter> parameters, Parameter variadic, ResultTypeRule rule,
                        FunctionBody body) {
  Function function = Define(std::move(name), std::move(parameters), rule, body);
  function.variadic = std::move(variadic);
  return function;
}

Function DefineOptional(std::string name, std::vector<Parameter> parameters, Parameter optional, ResultTypeRule rule,
                        FunctionBody body) {
  Function function = DefineVariadic(std::move(name), std::move(parameters), std::move(optional), rule, body);
  function.max_variadic = 1;
  return function;
}

Function Quick(Function function) {
  function.quick = QuickBodyOf(function.name);
  HCL_DCHECK(function.quick != nullptr);
  return function;
}

Function Total(Function function) {
  function.total = true;
  return function;
}

Function Charging(Function function) {
  function.charges = true;
  return function;
}

Function FailingByType(Function function) {
  function.fails_by_type = true;
  return function;
}

Function Checked(ArgumentCheck check, Function function) {
  function.check = check;
  return function;
}

Function TakingTuples(Function function) {
  function.takes_tuples = true;
  return function;
}

Function KnownAs(Function::Special special, Function function) {
  function.special = special;
  return function;
}

// They are never destroyed, because registries of other statics refer to these types until the process ends.
const CommonTypes& Common() {
  static const CommonTypes* const types = new CommonTypes;
  return *types;
}

// No type is made, which TypeOf(value).kind() would do for tuples and objects: result type rules ask for the kind first
// and for most arguments need no more.
TypeKind KindOf(const Value& value) {
  switch (TagOf(value)) {
    case Tag::kNull:
    case Tag::kUnknown:
      return value.null_or_unknown_type().kind();
    case Tag::kFalse:
    case Tag::kTrue:
      return TypeKind::kBool;
    case Tag::kNumber:
    case Tag::kBigNumber:
      return TypeKind::kNumber;
    case Tag::kShortString:
    case Tag::kString:
      return TypeKind::kString;
    case Tag::kTuple:
      return TypeKind::kTuple;
    case Tag::kList:
      return TypeKind::kList;
    case Tag::kSet:
      return TypeKind::kSet;
    case Tag::kObject:
      return TypeKind::kObject;
    case Tag::kMap:
      return TypeKind::kMap;
    case Tag::kCapsule:
      return TypeKind::kCapsule;
    default:
      return TypeKind::kDynamic;
  }
}

Type ElementTypeOf(const Value& value) {
  if (value.is_null() || value.is_unknown()) return value.null_or_unknown_type().element();
  return value.element_type();
}

ConversionError NewError(FunctionCall* call) {
  ConversionError error;
  error.silence = call->silence();
  error.fuel = call->fuel();
  return error;
}

bool MayBeSequence(TypeKind kind) {
  return kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kTuple || kind == TypeKind::kDynamic;
}

bool MayConvert(FunctionCall* call, const Value& argument, Type type) {
  if (argument.is_unknown()) {
    return IsConvertible(argument.null_or_unknown_type(), type, /*unsafe=*/true, call->heap()->dialect());
  }
  Value converted;
  ConversionError error = NewError(call);
  return Convert(argument, type, call->heap(), &converted, &error);
}

bool AnyUnknown(absl::Span<const Value> values) {
  for (const Value& value : values) {
    if (value.is_unknown()) return true;
  }
  return false;
}

bool AllSameType(absl::Span<const Value> values) {
  for (size_t i = 1; i < values.size(); ++i) {
    if (!SameType(values[0], values[i])) return false;
  }
  return true;
}

namespace {

// Whether a text beyond ASCII is normalized is looked up for each code point.
bool ChargeForScript(std::string_view text, FunctionCall* call) { return call->Charge(text.size() / 8); }

// The end of a part of `text` from `begin` on, of 64 KiB or somewhat more, that is normalized as it would be in the
// whole: behind it stands a character below U+0300, which is no mark and never joins what is before it.
size_t EndOfPart(std::string_view text, size_t begin) {
  constexpr size_t kPart = 64 << 10;
  constexpr unsigned char kFirstTrail = 0x80, kFirstLead = 0xc0, kLeadOfFirstMark = 0xcc;
  size_t end = begin + std::min(kPart, text.size() - begin);
  for (; end < text.size(); ++end) {
    const auto byte = static_cast<unsigned char>(text[end]);
    if (byte < kFirstTrail || (byte >= kFirstLead && byte < kLeadOfFirstMark)) break;
  }
  return end;
}

// Normalizing takes apart and puts together each code point, which is far slower than reading it. Part by part, so that
// the host's wish to stop is noticed in between.
Value Normalized(std::string_view text, FunctionCall* call) {
  if (!call->Charge(text.size()) || !CanMake(call, text.size(), 2)) return Value();
  std::string normalized;
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfPart(text, at);
    if (at == 0 && end == text.size()) return Value::String(ToNfc(text), call->arena());
    normalized += ToNfc(text.substr(at, end - at));
    if (!call->Look()) return Value();
    at = end;
  }
  return Value::String(normalized, call->arena());
}

}  // namespace

Value NormalizedView(std::string_view text, FunctionCall* call) {
  if (IsAscii(text)) return Value::StringView(text);
  if (!ChargeForScript(text, call)) return Value();
  return IsKnownNfc(text) ? Value::StringView(text) : Normalized(text, call);
}

Value NormalizedCopy(std::string_view text, FunctionCall* call) {
  if (IsAscii(text)) return Value::String(text, call->arena());
  if (!ChargeForScript(text, call)) return Value();
  return IsKnownNfc(text) ? Value::String(text, call->arena()) : Normalized(text, call);
}

// Each value is compared log2 n times, and each comparison may go through all of both.
uint64_t CostOfSorting(uint64_t count, uint64_t weight) {
  uint64_t rounds = 1;
  for (uint64_t rest = count; rest > 1; rest /= 2) ++rounds;
  return (count / 2 + weight / 4) * rounds;
}

uint64_t CostOfHashing(uint64_t count, uint64_t weight) { return 3 * count + weight; }

namespace {

uint64_t HashItems(uint64_t state, absl::Span<const Value> items) {
  uint64_t last = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    // What is put into a structure twice is hashed once: what nested loops build stays cheap.
    if (i == 0 || !items[i].SameBits(items[i - 1])) last = HashValue(items[i]);
    state = MixHash(state, last);
  }
  return state;
}

}  // namespace

// The hash is consistent with EqualsTri(): equal values have identical types, so that kinds may be hashed apart. A null
// equals every null, and so all nulls have one hash.
uint64_t HashValue(const Value& value) {
  if (value.is_string()) return HashKey(value);
  if (value.is_null() || value.is_unknown()) return 0;
  if (value.is_bool()) return value.is_true() ? 1 : 2;
  if (value.is_number()) return value.AsNumber().Hash();
  if (value.is_sequence()) return HashItems(value.size(), value.elements());
  if (value.is_mapping()) return HashItems(value.shape().hash, value.values());
  return 3;
}

Sequence* NewList(FunctionCall* call, uint64_t size, Type element) {
  return NewSequence(static_cast<uint32_t>(size), element, false, call->arena());
}

Sequence* NewTuple(FunctionCall* call, uint64_t size) {
  return NewSequence(static_cast<uint32_t>(size), Type(), true, call->arena());
}

Value FinishList(Sequence* list) {
  Finish(list);
  return SequenceValue(Tag::kList, list);
}

Value FinishTuple(Sequence* tuple) {
  Finish(tuple);
  return SequenceValue(Tag::kTuple, tuple);
}

Value FinishSet(Sequence* set) {
  Finish(set);
  return SequenceValue(Tag::kSet, set);
}

bool FailCannotMake(FunctionCall* call) {
  call->LimitError(absl::StrCat("the result would exceed the allowed ", call->heap()->limits().max_result_bytes,
                                " bytes of an evaluation (limit max_result_bytes)"));
  return false;
}

Value ConversionFailed(FunctionCall* call, int argument, const ConversionError& error) {
  if (error.is_limit) return call->LimitError(error.ToString());
  return argument < 0 ? call->Error([&] { return error.ToString(); })
                      : call->ArgumentError(static_cast<size_t>(argument), [&] { return error.ToString(); });
}

}  // namespace hcl::internal

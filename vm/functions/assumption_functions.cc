// Functions about assumptions. Each gives back its value: a known one that meets the assumption as it is, an unknown
// one with what is known of it then. Tested by vm/functions/assumption_functions_test.cc.

#include "hclvm/vm/functions/assumption_functions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/refinement.h"

namespace hcl::internal {
namespace {

constexpr char kNotMet[] = "the value does not meet the assumption";

Type TypeOfFirst(FunctionCall* call, absl::Span<const Value> arguments) { return TypeOf(arguments[0], call->types()); }

// `value` with `assumed` about it, or a failure. Nulls meet all assumptions but that a value is not null. The elements
// of a set may turn out to be equal, so that its length is at least 1 where some are unknown.
Value Assume(FunctionCall* call, const Value& value, const Refinement& assumed) {
  if (value.is_null()) return assumed.not_null ? call->ArgumentError(0, kNotMet) : value;
  if (value.is_string()) {
    const bool is_met = value.AsString().substr(0, assumed.prefix.size()) == assumed.prefix;
    return is_met ? value : call->ArgumentError(0, kNotMet);
  }
  if (!value.is_unknown()) {
    if (!value.is_sequence() && !value.is_mapping()) return value;
    const uint64_t most = value.size();
    const uint64_t least = value.is_set() && !value.is_wholly_known() ? 1 : most;
    const bool is_met = most >= assumed.min_length && least <= assumed.max_length;
    return is_met ? value : call->ArgumentError(0, kNotMet);
  }
  Refinement known = RefinementOf(value);
  const size_t common = std::min(known.prefix.size(), assumed.prefix.size());
  known.min_length = std::max(known.min_length, assumed.min_length);
  known.max_length = std::min(known.max_length, assumed.max_length);
  if (known.prefix.substr(0, common) != assumed.prefix.substr(0, common) || known.min_length > known.max_length) {
    return call->ArgumentError(0, kNotMet);
  }
  // The end of a prefix may change where a combining character follows.
  const std::string_view safe = SafePrefix(assumed.prefix);
  if (safe.size() > known.prefix.size()) known.prefix = safe;
  known.not_null = known.not_null || assumed.not_null;
  return RefinedUnknown(known, call->arena());
}

Value AssumeNotNull(FunctionCall* call, absl::Span<const Value> arguments) {
  Refinement assumed;
  assumed.not_null = true;
  return Assume(call, arguments[0], assumed);
}

Value AssumeStringPrefix(FunctionCall* call, absl::Span<const Value> arguments) {
  Refinement assumed;
  assumed.prefix = arguments[1].AsString();
  return Assume(call, arguments[0], assumed);
}

enum LengthEnds : unsigned { kMin = 1, kMax = 2, kBoth = 3 };

// The ends are the arguments that follow.
template <unsigned kEnds>
Value AssumeLength(FunctionCall* call, absl::Span<const Value> arguments) {
  Refinement assumed;
  size_t place = 1;
  if ((kEnds & kMin) != 0) {
    const std::optional<uint64_t> least = CountArgument(call, arguments, place++, "the minimum");
    if (!least) return Value();
    assumed.min_length = *least;
  }
  if ((kEnds & kMax) != 0) {
    const std::optional<uint64_t> most = CountArgument(call, arguments, place, "the maximum");
    if (!most) return Value();
    assumed.max_length = *most;
  }
  if (assumed.min_length > assumed.max_length) {
    return call->ArgumentError(place, "the maximum must not be under the minimum");
  }
  return Assume(call, arguments[0], assumed);
}

template <unsigned kEnds>
void CheckLengths(FunctionCall* call, absl::Span<const Value> arguments) {
  const bool has_first = !arguments[1].is_unknown();
  if (has_first) CountArgument(call, arguments, 1, kEnds == kMax ? "the maximum" : "the minimum");
  if (kEnds != kBoth || call->failed() || arguments[2].is_unknown()) return;
  const std::optional<uint64_t> most = CountArgument(call, arguments, 2, "the maximum");
  if (most && has_first && *CountArgument(call, arguments, 1, "the minimum") > *most) {
    call->ArgumentError(2, "the maximum must not be under the minimum");
  }
}

Type TypeOfSecond(FunctionCall* call, absl::Span<const Value> arguments) {
  return TypeOf(arguments[1].unmarked(), call->types());
}

// What the first value is made of reaches the result only as marks, and those that are about secrets say nothing of a
// value that is given openly.
Value AssumeEqual(FunctionCall* call, absl::Span<const Value> arguments) {
  Arena* const arena = call->arena();
  MarkSet marks = 0;
  MarkSet ignored = 0;
  Value actual = UnmarkDeep(arguments[0], &marks, arena);
  const Value expected = UnmarkDeep(arguments[1], &ignored, arena);
  const Type type = TypeOf(expected, call->types());
  if (!type.is_dynamic()) {
    if (!call->Charge(ConversionCost(actual, type))) return Value();
    ConversionError error = NewError(call);
    if (!Convert(actual, type, call->heap(), &actual, &error)) return ConversionFailed(call, 0, error);
  }
  if (!call->Charge(CostOf(actual) + CostOf(expected))) return Value();
  if (EqualsTri(actual, expected) == Tri::kFalse) {
    return call->ArgumentError(0, "the value is not the one that is assumed");
  }
  return Mark(arguments[1], marks & ~(kSensitiveMark | kEphemeralMark | kDeclaredMark), arena);
}

Function WithNulls(Function function) {
  function.result_may_be_null = true;
  return function;
}

// assumeKINDlength, assumeKINDlengthmin and assumeKINDlengthmax.
void RegisterLengths(const std::string& kind, Type type, FunctionRegistryBuilder* builder) {
  const Parameter value = Param("value", type, kAllowAll);
  const Parameter least = Param("min_length", Type::Number());
  const Parameter most = Param("max_length", Type::Number());
  const std::string name = "assume" + kind + "length";
  builder->Add(Checked(CheckLengths<kBoth>, Define(name, {value, least, most}, TypeOfFirst, AssumeLength<kBoth>)));
  builder->Add(Checked(CheckLengths<kMin>, Define(name + "min", {value, least}, TypeOfFirst, AssumeLength<kMin>)));
  builder->Add(Checked(CheckLengths<kMax>, Define(name + "max", {value, most}, TypeOfFirst, AssumeLength<kMax>)));
}

}  // namespace

void RegisterAssumptionFunctions(FunctionRegistryBuilder* builder) {
  Parameter actual = Param("actual_value", Type::Dynamic(), kAllowAll);
  Parameter expected = Param("expected_value", Type::Dynamic(), kAllowAll);
  actual.allow_marked = expected.allow_marked = true;
  builder->Add(Define("assumeequal", {actual, expected}, TypeOfSecond, AssumeEqual));
  builder->Add(Define("assumenotnull", {Param("value", Type::Dynamic(), kAllowAll)}, TypeOfFirst, AssumeNotNull));
  builder->Add(WithNulls(Define("assumestringprefix",
                                {Param("value", Type::String(), kAllowAll), Param("prefix", Type::String())},
                                Type::String(), AssumeStringPrefix)));
  RegisterLengths("list", Common().list_of_dynamic, builder);
  RegisterLengths("map", Common().map_of_dynamic, builder);
  RegisterLengths("set", Common().set_of_dynamic, builder);
}

}  // namespace hcl::internal

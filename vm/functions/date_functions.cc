// Functions of points in time. None reads a clock: a host that has a "now" binds it as a variable.
// Tested by vm/functions/date_functions_test.cc.

#include "hclvm/vm/functions/date_functions.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "hclvm/vm/functions/timestamp.h"

namespace hcl::internal {
namespace {

// Units of fuel for reading a timestamp and writing one.
constexpr uint64_t kCostOfTimestamp = 10;

// Argument number `argument` as a timestamp; false when the call has failed.
bool ReadTimestamp(FunctionCall* call, absl::Span<const Value> arguments, size_t argument, Timestamp* timestamp) {
  if (!call->Charge(kCostOfTimestamp)) return false;
  const std::string_view text = arguments[argument].AsString();
  if (internal::ParseTimestamp(text, timestamp, /*reason=*/nullptr)) return true;
  call->ArgumentError(argument, [&] {
    std::string reason;
    internal::ParseTimestamp(text, timestamp, &reason);
    return reason;
  });
  return false;
}

// Where the argument is a constant.
void CheckTimestamp(FunctionCall* call, absl::Span<const Value> arguments, size_t argument) {
  Timestamp timestamp;
  if (!arguments[argument].is_unknown()) ReadTimestamp(call, arguments, argument, &timestamp);
}

// What is wrong with a format is wrong for each timestamp.
void CheckFormatDate(FunctionCall* call, absl::Span<const Value> arguments) {
  CheckTimestamp(call, arguments, 1);
  if (arguments[0].is_unknown() || call->failed()) return;
  const std::string_view format = arguments[0].AsString();
  if (!internal::CanMake(call, format.size(), 3) || !call->Charge(format.size())) return;
  internal::GrowingText text;
  std::string reason;
  if (!internal::FormatDate(format, Timestamp(), &text, &reason)) call->ArgumentError(0, reason);
}

// The bound is asked for before the text is made, since it is proportional to the format.
Value FormatDate(FunctionCall* call, absl::Span<const Value> arguments) {
  Timestamp timestamp;
  if (!ReadTimestamp(call, arguments, 1, &timestamp)) return Value();
  // The verb "E" four times makes the most of its letters: "Wednesday".
  if (!internal::CanMake(call, arguments[0].AsString().size(), 3)) return Value();
  if (!call->Charge(arguments[0].AsString().size())) return Value();
  internal::GrowingText text;
  std::string reason;
  if (!internal::FormatDate(arguments[0].AsString(), timestamp, &text, &reason)) return call->ArgumentError(0, reason);
  return internal::NormalizedCopy(text.text(), call);
}

bool ReadDuration(FunctionCall* call, const Value& text, int64_t* nanoseconds) {
  if (internal::ParseDuration(text.AsString(), nanoseconds)) return true;
  call->ArgumentError(1,
                      "a duration is required: numbers with the units h, m, s, ms, us or ns, such as \"1h30m\" or "
                      "\"-0.5s\"");
  return false;
}

void CheckTimeAdd(FunctionCall* call, absl::Span<const Value> arguments) {
  CheckTimestamp(call, arguments, 0);
  int64_t nanoseconds = 0;
  if (!arguments[1].is_unknown() && !call->failed()) ReadDuration(call, arguments[1], &nanoseconds);
}

void CheckTimeCmp(FunctionCall* call, absl::Span<const Value> arguments) {
  for (const size_t argument : {0, 1}) {
    if (!call->failed()) CheckTimestamp(call, arguments, argument);
  }
}

// Years have four digits in RFC 3339, so that the result must stay within them.
Value TimeAdd(FunctionCall* call, absl::Span<const Value> arguments) {
  Timestamp timestamp;
  if (!ReadTimestamp(call, arguments, 0, &timestamp)) return Value();
  int64_t nanoseconds = 0;
  if (!call->Charge(arguments[1].AsString().size() / 32)) return Value();
  if (!ReadDuration(call, arguments[1], &nanoseconds)) return Value();
  if (!internal::AddDuration(nanoseconds, &timestamp)) return call->Error("the result is beyond the years 0 to 9999");
  return Value::String(internal::TimestampText(timestamp).text(), call->arena());
}

Value TimeCmp(FunctionCall* call, absl::Span<const Value> arguments) {
  Timestamp a;
  Timestamp b;
  if (!ReadTimestamp(call, arguments, 0, &a) || !ReadTimestamp(call, arguments, 1, &b)) return Value();
  return Value::Int(internal::CompareTimestamps(a, b));
}

}  // namespace

void RegisterDateFunctions(FunctionRegistryBuilder* builder) {
  const Type string = Type::String();
  const Parameter timestamp = Param("timestamp", string);
  builder->Add(Checked(CheckFormatDate,
                       Define("formatdate", {Param("format", string), Param("time", string)}, string, FormatDate)));
  builder->Add(Checked(CheckTimeAdd, Define("timeadd", {timestamp, Param("duration", string)}, string, TimeAdd)));
  builder->Add(Checked(CheckTimeCmp, Define("timecmp", {Param("timestamp_a", string), Param("timestamp_b", string)},
                                            Type::Number(), TimeCmp)));
}

}  // namespace hcl::internal

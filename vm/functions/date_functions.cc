// Functions of points in time. None reads a clock: a host that has a "now" binds it as a variable.
// Tested by vm/functions/date_functions_test.cc.

#include "hclvm/vm/functions/date_functions.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/text_buffer.h"
#include "hclvm/vm/functions/timestamp.h"

namespace hcl::internal {
namespace {

// Units of fuel for reading a timestamp and writing one.
constexpr uint64_t kCostOfTimestamp = 10;

// The constants of a call, read once: timestamps by the number of their argument, and a duration.
struct PreparedTimes {
  std::optional<Timestamp> timestamps[2];
  std::optional<int64_t> nanoseconds;
};

const PreparedTimes* PreparedOf(const FunctionCall& call) { return static_cast<const PreparedTimes*>(call.prepared()); }

// Function::prepare. Arguments 0 to kTimestamps - 1 are timestamps, and where that is one, the next one is a duration.
// What is wrong is not prepared, so that the body reports it. Fuel is the same as for those that are not constant.
template <size_t kTimestamps>
Prepared PrepareTimes(FunctionCall*, absl::Span<const Value* const> constants) {
  auto times = std::make_shared<PreparedTimes>();
  bool has_any = false;
  for (size_t n = 0; n < kTimestamps; ++n) {
    Timestamp timestamp;
    if (constants[n] == nullptr || !ParseTimestamp(constants[n]->AsString(), &timestamp, /*reason=*/nullptr)) continue;
    times->timestamps[n] = timestamp;
    has_any = true;
  }
  int64_t nanoseconds = 0;
  if (kTimestamps == 1 && constants[1] != nullptr && ParseDuration(constants[1]->AsString(), &nanoseconds)) {
    times->nanoseconds = nanoseconds;
    has_any = true;
  }
  return has_any ? Prepared{std::move(times), sizeof(PreparedTimes)} : Prepared();
}

// Argument number `argument` as a timestamp; false when the call has failed.
bool ReadTimestamp(FunctionCall* call, absl::Span<const Value> arguments, size_t argument, Timestamp* timestamp) {
  if (!call->Charge(kCostOfTimestamp)) return false;
  const PreparedTimes* const prepared = PreparedOf(*call);
  if (prepared != nullptr && prepared->timestamps[argument]) {
    *timestamp = *prepared->timestamps[argument];
    return true;
  }
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
  const PreparedTimes* const prepared = PreparedOf(*call);
  if (prepared != nullptr && prepared->nanoseconds) {
    *nanoseconds = *prepared->nanoseconds;
    return true;
  }
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
  Function add = Define("timeadd", {timestamp, Param("duration", string)}, string, TimeAdd);
  add.prepare = PrepareTimes<1>;
  builder->Add(Checked(CheckTimeAdd, std::move(add)));
  Function compare =
      Define("timecmp", {Param("timestamp_a", string), Param("timestamp_b", string)}, Type::Number(), TimeCmp);
  compare.prepare = PrepareTimes<2>;
  builder->Add(Checked(CheckTimeCmp, std::move(compare)));
}

}  // namespace hcl::internal

// Lines of the decision log. Tested by serve/decision_record_test.cc.

#include "hclvm/serve/decision_record.h"

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr int64_t kSecond = 1'000'000'000;

void AppendField(std::string_view name, std::string_view text, std::string* out) {
  absl::StrAppend(out, ",\"", ToAbsl(name), "\":");
  AppendJsonString(text, out);
}

void AppendRaw(std::string_view name, std::string_view json, std::string* out) {
  absl::StrAppend(out, ",\"", ToAbsl(name), "\":", ToAbsl(json));
}

void AppendPlaces(std::string_view name, std::string_view places, std::string_view more, std::string* out) {
  if (places.empty() && more.empty()) return;
  const bool has_both = !places.empty() && !more.empty();
  absl::StrAppend(out, ",\"", ToAbsl(name), "\":[", ToAbsl(places), has_both ? "," : "", ToAbsl(more), "]");
}

// Writes the number with so many digits.
void WriteDigits(uint32_t number, int count, char* to) {
  for (int n = count; n-- > 0; number /= 10) to[n] = static_cast<char>('0' + number % 10);
}

}  // namespace

// By arithmetic: the system's function takes a lock. Years begin with March here, so that the day that not every year
// has is the last.
void AppendTimestamp(int64_t unix_nanoseconds, std::string* out) {
  constexpr int64_t kDay = 24 * 60 * 60;
  constexpr int64_t kDaysOf400Years = 146'097;
  constexpr int64_t kYear0 = 719'468;  // days from the first of March in the year 0 to 1970
  const auto split = [](int64_t number, int64_t unit, int64_t* rest) {
    *rest = number % unit < 0 ? number % unit + unit : number % unit;
    return (number - *rest) / unit;
  };
  int64_t nanoseconds = 0;
  int64_t second = 0;
  int64_t day = 0;
  const int64_t seconds = split(unix_nanoseconds, kSecond, &nanoseconds);
  const int64_t era = split(split(seconds, kDay, &second) + kYear0, kDaysOf400Years, &day);
  const int64_t year = (day - day / 1460 + day / 36'524 - day / 146'096) / 365;
  const int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
  const int64_t month = (5 * day_of_year + 2) / 153;  // from March on
  const bool is_next_year = month >= 10;
  char text[] = "0000-00-00T00:00:00.000000000Z";
  const auto write = [&](int64_t number, int count, size_t at) {
    WriteDigits(static_cast<uint32_t>(number), count, text + at);
  };
  write(era * 400 + year + (is_next_year ? 1 : 0), 4, 0);
  write(is_next_year ? month - 9 : month + 3, 2, 5);
  write(day_of_year - (153 * month + 2) / 5 + 1, 2, 8);
  write(second / 3600, 2, 11);
  write(second / 60 % 60, 2, 14);
  write(second % 60, 2, 17);
  write(nanoseconds, 9, 20);
  out->append(text, sizeof(text) - 1);
}

void AppendErrorsForLog(const Diagnostics& diagnostics, const Source* source, std::string* out) {
  out->push_back('[');
  bool first = true;
  for (Diagnostic diagnostic : diagnostics.kept()) {
    if (!first) out->push_back(',');
    first = false;
    diagnostic.values.clear();
    diagnostic.detail.clear();
    out->append(ToJson(diagnostic, source));
  }
  out->push_back(']');
}

bool AppendDecisionLine(const DecisionRecord& record, std::string_view labels, size_t max_bytes, std::string* out) {
  const size_t begin = out->size();
  // Texts of the service's own: nothing in them is escaped.
  out->append("{\"decision_id\":\"").append(record.decision_id).append("\",\"timestamp\":\"");
  AppendTimestamp(record.unix_nanoseconds, out);
  out->append("\",\"labels\":").append(labels);
  AppendField("revision", record.revision, out);
  if (!record.data_revision.empty()) AppendField("data_revision", record.data_revision, out);
  AppendField("path", record.path, out);
  out->append(",\"outcome\":\"").append(NameOf(record.outcome)).append("\",\"input\":");
  const bool is_known = !record.input.empty();
  out->append(is_known ? record.input : "null");
  AppendPlaces("erased", is_known ? record.erased : "\"\"", record.result_erased, out);
  AppendPlaces("masked", is_known ? record.masked : "", record.result_masked, out);
  AppendRaw(record.is_error ? "error" : "result", record.result, out);
  if (!record.trace_id.empty()) {
    AppendField("trace_id", record.trace_id, out);
    AppendField("span_id", record.span_id, out);
  }
  if (!record.requested_by.empty()) AppendField("requested_by", record.requested_by, out);
  if (!record.request_id.empty()) AppendField("request_id", record.request_id, out);
  absl::StrAppend(out, ",\"metrics\":{\"decision_ns\":", record.nanoseconds, ",\"fuel\":", record.fuel, "}");
  if (record.shadow != nullptr) {
    out->append(",\"shadow\":{\"revision\":");
    AppendJsonString(record.shadow->revision, out);
    AppendRaw("same", record.shadow->is_same ? "true" : "false", out);
    AppendRaw(record.shadow->is_error ? "error" : "result", record.shadow->result, out);
    AppendPlaces("erased", record.shadow->erased, "", out);
    AppendPlaces("masked", record.shadow->masked, "", out);
    out->push_back('}');
  }
  out->append("}\n");
  if (out->size() - begin <= max_bytes) return true;
  out->resize(begin);
  return false;
}

}  // namespace hcl::serve

// Lines of the decision log. Tested by serve/decision_record_test.cc.

#include "hclvm/serve/decision_record.h"

#include <ctime>

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

// Writes the number with so many digits.
void WriteDigits(uint32_t number, int count, char* to) {
  for (int n = count; n-- > 0; number /= 10) to[n] = static_cast<char>('0' + number % 10);
}

}  // namespace

// gmtime_r knows nothing of the time zone, and takes no lock.
void AppendTimestamp(int64_t unix_nanoseconds, std::string* out) {
  int64_t seconds = unix_nanoseconds / kSecond;
  int64_t rest = unix_nanoseconds % kSecond;
  if (rest < 0) {
    rest += kSecond;
    --seconds;
  }
  const std::time_t time = seconds;
  std::tm civil = {};
  gmtime_r(&time, &civil);
  char text[] = "0000-00-00T00:00:00.000000000Z";
  const auto write = [&](int64_t number, int count, size_t at) {
    WriteDigits(static_cast<uint32_t>(number), count, text + at);
  };
  write(civil.tm_year + 1900, 4, 0);
  write(civil.tm_mon + 1, 2, 5);
  write(civil.tm_mday, 2, 8);
  write(civil.tm_hour, 2, 11);
  write(civil.tm_min, 2, 14);
  write(civil.tm_sec, 2, 17);
  write(rest, 9, 20);
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

bool AppendDecisionLine(const DecisionRecord& record, const LogMask& mask, std::string_view labels, size_t max_bytes,
                        std::string* out) {
  const size_t begin = out->size();
  absl::StrAppend(out, "{\"decision_id\":\"", ToAbsl(record.decision_id), "\",\"timestamp\":\"");
  AppendTimestamp(record.unix_nanoseconds, out);
  out->push_back('"');
  AppendRaw("labels", labels, out);
  AppendField("revision", record.revision, out);
  if (!record.data_revision.empty()) AppendField("data_revision", record.data_revision, out);
  AppendField("path", record.path, out);
  AppendField("outcome", NameOf(record.outcome), out);
  std::string erased;
  std::string masked;
  out->append(",\"input\":");
  if (record.input.is_null()) {
    out->append("null");
    erased = "\"\"";
  } else if (!mask.Append(record.input, out, &erased, &masked)) {
    out->resize(begin);
    return false;
  }
  if (!erased.empty()) absl::StrAppend(out, ",\"erased\":[", erased, "]");
  if (!masked.empty()) absl::StrAppend(out, ",\"masked\":[", masked, "]");
  AppendRaw(record.is_error ? "error" : "result", record.result, out);
  if (!record.trace_id.empty()) {
    AppendField("trace_id", record.trace_id, out);
    AppendField("span_id", record.span_id, out);
  }
  if (!record.requested_by.empty()) AppendField("requested_by", record.requested_by, out);
  absl::StrAppend(out, ",\"metrics\":{\"decision_ns\":", record.nanoseconds, ",\"fuel\":", record.fuel, "}");
  if (record.shadow != nullptr) {
    out->append(",\"shadow\":{\"revision\":");
    AppendJsonString(record.shadow->revision, out);
    AppendRaw("same", record.shadow->is_same ? "true" : "false", out);
    AppendRaw(record.shadow->is_error ? "error" : "result", record.shadow->result, out);
    out->push_back('}');
  }
  out->append("}\n");
  if (out->size() - begin <= max_bytes) return true;
  out->resize(begin);
  return false;
}

}  // namespace hcl::serve

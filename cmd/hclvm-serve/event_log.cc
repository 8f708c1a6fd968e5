// The operator's log. Tested by tests/serve/*_test.py.

#include "hclvm/cmd/hclvm-serve/event_log.h"

#include <unistd.h>

#include <chrono>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/decision_record.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {
namespace {

// One write, so that lines of several threads do not mix. What cannot be written is lost: nobody else can be told.
void WriteLine(const std::string& line) {
  if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
}

std::string Begin(std::string_view level, std::string_view event) {
  std::string line = "{\"time\":\"";
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  AppendTimestamp(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(), &line);
  line.append("\",\"level\":");
  AppendJsonString(level, &line);
  line.append(",\"event\":");
  AppendJsonString(event, &line);
  return line;
}

void Append(std::string_view name, std::string_view value, std::string* line) {
  line->push_back(',');
  AppendJsonString(name, line);
  line->push_back(':');
  AppendJsonString(value, line);
}

}  // namespace

void LogEvent(std::string_view level, std::string_view event,
              const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string line = Begin(level, event);
  for (const auto& [name, value] : fields) Append(name, value, &line);
  line.append("}\n");
  WriteLine(line);
}

void LogLoad(const LoadEvent& event) {
  const Activation& activation = event.activation;
  const bool failed = !activation.activated && !activation.unchanged;
  const std::string what = event.kind == LoadKind::kData ? "data" : "bundle";
  std::string line = Begin(failed ? "error" : "info", what + (failed                 ? "_refused"
                                                              : activation.activated ? "_activated"
                                                                                     : "_unchanged"));
  Append(what, event.kind == LoadKind::kShadow ? "shadow" : event.is_upload ? "upload" : "file", &line);
  if (!activation.revision.empty()) Append("revision", activation.revision, &line);
  if (!activation.with.empty()) Append("with", activation.with, &line);
  if (!activation.failure.message.empty()) Append("error", activation.failure.message, &line);
  if (failed) {
    line.append(",\"diagnostics\":[");
    for (size_t n = 0; n < activation.failure.diagnostics.size(); ++n) {
      absl::StrAppend(&line, n == 0 ? "" : ",", activation.failure.diagnostics[n]);
    }
    line.push_back(']');
  }
  line.append("}\n");
  WriteLine(line);
}

}  // namespace hcl::serve

// The operator's log. Tested by tests/serve/*_test.py.

#include "hclvm/cmd/hclvm-serve/event_log.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstddef>
#include <mutex>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/decision_record.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {
namespace {

// Whether the file takes more, after a while.
bool IsReady(int milliseconds) {
  pollfd ready = {STDERR_FILENO, POLLOUT, 0};
  return poll(&ready, 1, milliseconds) > 0;
}

// Lines of several threads do not mix. What cannot be written is lost: nobody else can be told. A pipe that nobody
// empties must hold up neither a reload nor the end: it gets a second, and after that none until it takes more. What a
// pipe that is ready takes without waiting are pieces of PIPE_BUF.
void WriteLine(std::string line) {
  constexpr int kPatience = 1000;
  static std::mutex& mutex = *new std::mutex;
  static bool is_stalled = false;  // under the mutex, as the next
  static bool is_cut = false;      // the last line has no end
  const std::lock_guard<std::mutex> lock(mutex);
  if (is_cut) line.insert(line.begin(), '\n');
  for (size_t done = 0; done < line.size();) {
    is_stalled = !IsReady(is_stalled ? 0 : kPatience);
    if (is_stalled) {
      is_cut = is_cut || done > 0;
      return;
    }
    const ssize_t wrote = write(STDERR_FILENO, line.data() + done, std::min<size_t>(line.size() - done, PIPE_BUF));
    if (wrote < 0) return;
    done += static_cast<size_t>(wrote);
  }
  is_cut = false;
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
  WriteLine(std::move(line));
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
  WriteLine(std::move(line));
}

}  // namespace hcl::serve

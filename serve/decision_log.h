// DecisionLog: lines of JSON to a file or standard output, written by a thread of its own.
//
// A line that there is no room for, or that cannot be written, is lost and counted. No decision waits for a disk.
// Tested by serve/decision_log_test.cc.

#ifndef HCLVM_SERVE_DECISION_LOG_H_
#define HCLVM_SERVE_DECISION_LOG_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// Thread-safe.
class DecisionLog {
 public:
  // Called in the log's thread where the file could not be opened anew: lines go on to the old one.
  using Report = std::function<void(const std::string& error)>;

  // Appends to the file, which is made if it is not there; "-" is standard output. At most `max_waiting` bytes wait to
  // be written. `metrics` must outlive it, and everything that is waiting. Fails with kUnavailable.
  static absl::StatusOr<std::unique_ptr<DecisionLog>> Open(const std::string& path, size_t max_waiting,
                                                           Metrics* metrics, Report report = nullptr);
  // Writes what waits, for at most two seconds; the rest is lost.
  ~DecisionLog();
  DecisionLog(const DecisionLog&) = delete;
  DecisionLog& operator=(const DecisionLog&) = delete;

  // Takes a line, which ends in a line end. Never waits for the file.
  void Add(std::string_view line);

  // Opens the file of that name anew before the next line, for who has moved the old one away.
  void Reopen();

 private:
  struct State;
  explicit DecisionLog(std::shared_ptr<State> state) : state_(std::move(state)) {}

  const std::shared_ptr<State> state_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DECISION_LOG_H_

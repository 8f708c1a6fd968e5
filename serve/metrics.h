// Metrics: what is counted, and how Prometheus reads it (docs/service.md, "Metrics").
//
// Tested by serve/metrics_test.cc.

#ifndef HCLVM_SERVE_METRICS_H_
#define HCLVM_SERVE_METRICS_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace hcl::serve {

// How a decision ended.
enum class Outcome : uint8_t {
  kValue,     // /v1/decide: a value
  kAllow,     // forward authorization
  kDeny,      // the same, by the policy
  kBadScope,  // what was sent does not fit what the policy declares
  kError,     // the policy failed, or its answer was none
  kLimit,     // a limit was crossed
};
inline constexpr size_t kOutcomes = 6;
std::string_view NameOf(Outcome outcome);

// How a proxy's question was answered.
enum class AuthOutcome : uint8_t {
  kAllow,
  kDeny,
  kRefused,   // nobody should decide about such a request, which is the client's fault
  kError,     // the policy or the mapping has failed
  kLimit,     // a limit was crossed
  kOverload,  // there was no room
  kNotReady,  // there is no bundle
  kCanceled,  // nobody waits for the answer
};
inline constexpr size_t kAuthOutcomes = 8;
std::string_view NameOf(AuthOutcome outcome);

// Why something was refused or given up, each a label of one counter.
enum class Reason : uint8_t { kFuel, kMemory, kDeadline, kBody, kOther };
inline constexpr size_t kReasons = 5;
std::string_view NameOf(Reason reason);

// Why a line of the decision log was lost.
enum class LogDrop : uint8_t { kQueueFull, kWriteFailed, kTooLarge };
inline constexpr size_t kLogDrops = 3;

using Counter = std::atomic<uint64_t>;

// Adds one. The counters order nothing.
inline void Count(Counter* counter, uint64_t by = 1) { counter->fetch_add(by, std::memory_order_relaxed); }

// Decisions of one entry.
struct PolicyCounters {
  std::array<Counter, kOutcomes> outcomes{};
};

// Seconds, in fixed buckets, several for each power of ten from 10 us to 10 s.
class Histogram {
 public:
  void Observe(uint64_t nanoseconds);
  // Appends the lines of the histogram `name`.
  void Append(std::string_view name, std::string* out) const;

 private:
  static constexpr size_t kBuckets = 24;
  static const std::array<uint64_t, kBuckets> kBounds;  // nanoseconds
  std::array<Counter, kBuckets + 1> counts_{};
  Counter sum_{0};
};

// Thread-safe.
class Metrics {
 public:
  // The counters of an entry, for as long as the metrics live. After the first `kMaxPolicies` entries, all others share
  // one: what a bundle names must not become labels without bound.
  PolicyCounters* ForPolicy(const std::string& policy);

  // All of them in the text format of Prometheus, version 0.0.4.
  std::string Render() const;

  // The revision in force, and when it came; "" for none.
  void SetRevision(const std::string& revision, int64_t unix_seconds);
  // The same of the data.
  void SetDataRevision(const std::string& revision, int64_t unix_seconds);

  Histogram decision_seconds;
  std::array<Counter, 6> responses{};           // by the first digit of the status
  std::array<Counter, kReasons> limits{};       // crossed
  std::array<Counter, kAuthOutcomes> checks{};  // Envoy's questions
  std::array<Counter, kLogDrops> log_drops{};
  Counter log_lines{0};
  Counter overloads{0};
  Counter malformed{0};      // requests that are no HTTP
  Counter refused_paths{0};  // forward authorization: no path that one should decide about, or no original request
  Counter timeouts{0};       // connections that were too slow
  Counter tls_failures{0};   // connections that were no TLS, or whose certificate was not taken
  Counter connections{0};    // open
  Counter accepted{0};
  Counter reloads{0};
  Counter failed_reloads{0};
  Counter data_reloads{0};
  Counter failed_data_reloads{0};
  Counter misspelled_inputs{0};  // decisions whose scopes have names that are probably misspelled
  Counter shadow_same{0};
  Counter shadow_different{0};
  Counter shadow_failed{0};
  std::atomic<bool> ready{false};

 private:
  static constexpr size_t kMaxPolicies = 1000;

  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<PolicyCounters>> policies_;
  PolicyCounters others_;
  std::string revision_;
  int64_t activated_ = 0;
  std::string data_revision_;
  int64_t data_activated_ = 0;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_METRICS_H_

// Metrics. Tested by serve/metrics_test.cc.

#include "hclvm/serve/metrics.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/print_numbers.h"

namespace hcl::serve {

using internal::PrintNumbers;
using internal::ToAbsl;
namespace {

constexpr std::string_view kOutcomeNames[kOutcomes] = {"value", "allow", "deny", "bad_scope", "error", "limit"};
constexpr std::string_view kAuthOutcomeNames[kAuthOutcomes] = {"allow", "deny",     "refused",   "error",
                                                               "limit", "overload", "not_ready", "canceled"};
constexpr std::string_view kReasonNames[kReasons] = {"fuel", "memory", "deadline", "body", "other"};
constexpr std::string_view kLogDropNames[kLogDrops] = {"queue_full", "write_failed", "too_large"};

uint64_t Get(const Counter& counter) { return counter.load(std::memory_order_relaxed); }

void AppendHead(std::string_view name, std::string_view type, std::string_view help, std::string* out) {
  absl::StrAppend(out, "# HELP ", ToAbsl(name), " ", ToAbsl(help), "\n# TYPE ", ToAbsl(name), " ", ToAbsl(type), "\n");
}

void AppendSingle(std::string_view name, std::string_view type, std::string_view help, uint64_t value,
                  std::string* out) {
  AppendHead(name, type, help, out);
  absl::StrAppend(out, ToAbsl(name), " ", value, "\n");
}

// A label's value: backslashes, quotes and line ends are escaped.
std::string Label(std::string_view text) {
  std::string label;
  for (const char c : text) {
    if (c == '\n') {
      label.append("\\n");
      continue;
    }
    if (c == '"' || c == '\\') label.push_back('\\');
    label.push_back(c);
  }
  return label;
}

template <size_t kSize>
void AppendLabeled(std::string_view name, std::string_view label, std::string_view help,
                   const std::string_view (&names)[kSize], const std::array<Counter, kSize>& counters,
                   std::string* out) {
  AppendHead(name, "counter", help, out);
  for (size_t n = 0; n < kSize; ++n) {
    absl::StrAppend(out, ToAbsl(name), "{", ToAbsl(label), "=\"", ToAbsl(names[n]), "\"} ", Get(counters[n]), "\n");
  }
}

void AppendReloads(std::string_view kind, std::string_view help, const Counter& activated, const Counter& refused,
                   std::string* out) {
  const std::string name = absl::StrCat("hclvm_", ToAbsl(kind), "_reloads_total");
  AppendHead(name, "counter", help, out);
  absl::StrAppend(out, name, "{outcome=\"activated\"} ", Get(activated), "\n", name, "{outcome=\"refused\"} ",
                  Get(refused), "\n");
}

void AppendActivation(std::string_view kind, std::string_view what, const std::string& revision, int64_t unix_seconds,
                      std::string* out) {
  const std::string name = absl::StrCat("hclvm_", ToAbsl(kind));
  AppendHead(name + "_activation_timestamp_seconds", "gauge",
             absl::StrCat("When ", ToAbsl(what), " in force came; 0: never."), out);
  absl::StrAppend(out, name, "_activation_timestamp_seconds ", unix_seconds, "\n");
  AppendHead(name + "_info", "gauge", absl::StrCat("The revision of ", ToAbsl(what), " in force."), out);
  if (!revision.empty()) absl::StrAppend(out, name, "_info{revision=\"", Label(revision), "\"} 1\n");
}

}  // namespace

std::string_view NameOf(Outcome outcome) { return kOutcomeNames[static_cast<size_t>(outcome)]; }
std::string_view NameOf(AuthOutcome outcome) { return kAuthOutcomeNames[static_cast<size_t>(outcome)]; }
std::string_view NameOf(Reason reason) { return kReasonNames[static_cast<size_t>(reason)]; }

// 1, 2, 5 and 7 of each power of ten leave no gap that a percentile could hide in.
const std::array<uint64_t, Histogram::kBuckets> Histogram::kBounds = {
    10'000,      20'000,      50'000,      75'000,        100'000,       200'000,       500'000,       750'000,
    1'000'000,   2'000'000,   5'000'000,   7'500'000,     10'000'000,    20'000'000,    50'000'000,    75'000'000,
    100'000'000, 200'000'000, 500'000'000, 1'000'000'000, 2'000'000'000, 3'000'000'000, 5'000'000'000, 10'000'000'000};

void Histogram::Observe(uint64_t nanoseconds) {
  const auto bound = std::lower_bound(kBounds.begin(), kBounds.end(), nanoseconds);
  Count(&counts_[static_cast<size_t>(bound - kBounds.begin())]);
  Count(&sum_, nanoseconds);
}

void Histogram::Append(std::string_view name, std::string* out) const {
  uint64_t total = 0;
  for (size_t n = 0; n < kBuckets; ++n) {
    total += Get(counts_[n]);
    absl::StrAppend(out, ToAbsl(name), "_bucket{le=\"", PrintNumbers("%g", static_cast<double>(kBounds[n]) * 1e-9),
                    "\"} ", total, "\n");
  }
  total += Get(counts_[kBuckets]);
  absl::StrAppend(out, ToAbsl(name), "_bucket{le=\"+Inf\"} ", total, "\n", ToAbsl(name), "_sum ",
                  PrintNumbers("%.9f", static_cast<double>(Get(sum_)) * 1e-9), "\n", ToAbsl(name), "_count ", total,
                  "\n");
}

PolicyCounters* Metrics::ForPolicy(const std::string& policy) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = policies_.find(policy);
  if (found != policies_.end()) return found->second.get();
  if (policies_.size() >= kMaxPolicies) return &others_;
  return policies_.emplace(policy, std::make_unique<PolicyCounters>()).first->second.get();
}

void Metrics::SetRevision(const std::string& revision, int64_t unix_seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  revision_ = revision;
  activated_ = unix_seconds;
}

void Metrics::SetDataRevision(const std::string& revision, int64_t unix_seconds) {
  const std::lock_guard<std::mutex> lock(mutex_);
  data_revision_ = revision;
  data_activated_ = unix_seconds;
}

std::string Metrics::Render() const {
  std::string out;
  const std::lock_guard<std::mutex> lock(mutex_);
  AppendHead("hclvm_decisions_total", "counter", "Decisions by entry and how they ended.", &out);
  const auto append_policy = [&](std::string_view policy, const PolicyCounters& counters) {
    for (size_t n = 0; n < kOutcomes; ++n) {
      const uint64_t count = Get(counters.outcomes[n]);
      if (count == 0) continue;
      absl::StrAppend(&out, "hclvm_decisions_total{policy=\"", Label(policy), "\",outcome=\"", ToAbsl(kOutcomeNames[n]),
                      "\"} ", count, "\n");
    }
  };
  for (const auto& [policy, counters] : policies_) append_policy(policy, *counters);
  append_policy("(others)", others_);
  AppendHead("hclvm_decision_duration_seconds", "histogram", "Time that a decision took, without the network.", &out);
  decision_seconds.Append("hclvm_decision_duration_seconds", &out);
  constexpr std::string_view kClasses[6] = {"0xx", "1xx", "2xx", "3xx", "4xx", "5xx"};
  AppendLabeled("hclvm_http_responses_total", "code", "Responses by the class of their status.", kClasses, responses,
                &out);
  AppendLabeled("hclvm_checks_total", "outcome", "Questions of Envoy by how they were answered.", kAuthOutcomeNames,
                checks, &out);
  AppendLabeled("hclvm_limits_total", "limit", "Decisions that have crossed a limit.", kReasonNames, limits, &out);
  AppendLabeled("hclvm_decision_log_dropped_total", "reason", "Lines of the decision log that were lost.",
                kLogDropNames, log_drops, &out);
  AppendSingle("hclvm_decision_log_lines_total", "counter", "Lines of the decision log that were written.",
               Get(log_lines), &out);
  AppendSingle("hclvm_overload_total", "counter", "Requests and connections refused for want of room.", Get(overloads),
               &out);
  AppendSingle("hclvm_malformed_requests_total", "counter", "Requests that were no HTTP.", Get(malformed), &out);
  AppendSingle("hclvm_refused_originals_total", "counter",
               "Forward authorization: requests without an original request, or with one of an ambiguous path.",
               Get(refused_paths), &out);
  AppendSingle("hclvm_misspelled_inputs_total", "counter",
               "Decisions over scopes in which a name is probably misspelled: their answers have warnings.",
               Get(misspelled_inputs), &out);
  AppendSingle("hclvm_timeouts_total", "counter", "Connections that were closed for being slow.", Get(timeouts), &out);
  AppendSingle("hclvm_tls_failures_total", "counter",
               "Connections that were no TLS, or whose certificate was not taken.", Get(tls_failures), &out);
  AppendSingle("hclvm_connections", "gauge", "Open connections.", Get(connections), &out);
  AppendSingle("hclvm_connections_accepted_total", "counter", "Connections that were accepted.", Get(accepted), &out);
  AppendReloads("bundle", "Bundles that were to be activated, by what came of it.", reloads, failed_reloads, &out);
  AppendReloads("data", "Data that were to be activated, by what came of it.", data_reloads, failed_data_reloads, &out);
  AppendHead("hclvm_shadow_decisions_total", "counter", "Decisions of the shadow bundle, beside the real ones.", &out);
  absl::StrAppend(&out, "hclvm_shadow_decisions_total{outcome=\"same\"} ", Get(shadow_same), "\n",
                  "hclvm_shadow_decisions_total{outcome=\"different\"} ", Get(shadow_different), "\n",
                  "hclvm_shadow_decisions_total{outcome=\"failed\"} ", Get(shadow_failed), "\n");
  AppendSingle("hclvm_ready", "gauge", "1 if the service answers requests.", ready.load() ? 1 : 0, &out);
  AppendActivation("bundle", "the bundle", revision_, activated_, &out);
  AppendActivation("data", "the data", data_revision_, data_activated_, &out);
  return out;
}

}  // namespace hcl::serve

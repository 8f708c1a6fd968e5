// Service: which bundle is in force, over which data, and what is counted and logged; workers answer requests by it.
//
// A bundle is compiled, checked and warmed beside the one in force, and then takes its place at once: requests that are
// under way keep the one that they have begun with. So do data. Where the two do not fit, the one that came later waits
// for another one of the other kind. Tested by serve/service_test.cc.

#ifndef HCLVM_SERVE_SERVICE_H_
#define HCLVM_SERVE_SERVICE_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/limits.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/decision_log.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/request_path.h"
#include "hclvm/serve/revision_state.h"
#include "hclvm/serve/scope_checks.h"
#include "hclvm/vm/base_layer.h"

namespace hcl::serve {

// What forward authorization answers where a limit is crossed or there is no room.
enum class FailMode { kDeny, kAllow };

struct ServiceOptions {
  Limits limits = ServiceLimits();
  std::chrono::milliseconds timeout{100};  // from the arrival of the request, its time in a queue included
  size_t max_body = 1 << 20;
  size_t max_batch = 1000;  // inputs of one request
  FailMode fail_mode = FailMode::kDeny;
  EncodedSlash encoded_slash = EncodedSlash::kRefuse;
  ScopeChecks scopes;
  BundleOptions bundle;
  DataOptions data;
  bool needs_data = false;   // no bundle is put in force without data
  bool allow_older = false;  // also revisions that are older than the one in force
  // What was in force before, also before a restart. Null: only what is in force counts.
  std::shared_ptr<RevisionState> state;
  double log_sample = 1;  // of decisions that are logged
  size_t max_log_line = 1 << 20;
  LogMask mask;
  std::string labels = "{}";  // JSON, for the log
  std::string public_url;  // by which callers reach the service, without "/" at its end; empty: as they have reached it
  std::string admin_token;  // empty: the admin listener takes no bundles
};

// What decides from an activation on. Immutable.
struct Revision {
  std::shared_ptr<const Bundle> bundle;             // null: there was none yet
  std::shared_ptr<const Bundle> shadow;             // null: none
  std::shared_ptr<const DataSet> data;              // null: none
  std::shared_ptr<const DataLayers> layers;         // for the bundle; null: no data
  std::shared_ptr<const DataLayers> shadow_layers;  // for the shadow
  std::vector<PolicyCounters*> counters;            // by BundleEntry::index
  std::vector<LogMask> masks;                       // by module
};

struct Activation {
  bool activated = false;
  bool unchanged = false;  // it is in force already
  std::string revision;    // of the bundle or the data, where it has one that can be read
  std::string with;        // the revision of what has waited for it, and is in force now as well
  BundleFailure failure;   // unless activated or unchanged; after an activation, why it cannot be kept in the state
};

// What can be uploaded.
enum class UploadKind { kBundle, kData };

// Thread-safe.
class Service {
 public:
  // Takes an uploaded archive, or the text of data. Calls the reply when it is in force or refused. False where another
  // one is waiting.
  using Uploader = std::function<bool(UploadKind kind, std::string body, HttpReply reply)>;

  // `metrics` and `log` (which may be null) must outlive it.
  Service(ServiceOptions options, Metrics* metrics, DecisionLog* log);

  // A worker for one thread, which the service must outlive.
  std::unique_ptr<HttpWorker> NewWorker();

  // Puts a bundle in force, or says why not. One at a time; others wait.
  Activation Activate(const BundleFiles& files);
  // The same for the data. A shadow bundle that they do not fit is in force no more.
  Activation ActivateData(absl::Span<const BaseText> texts);
  // The same for the bundle beside it.
  Activation ActivateShadow(const BundleFiles& files);
  // Something that could not even be read was to be activated.
  void NoteFailure(UploadKind kind, const std::string& message);

  const ServiceOptions& options() const { return options_; }
  Metrics* metrics() const { return metrics_; }
  DecisionLog* log() const { return log_; }

  // Changes whenever current() does.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  // Never null.
  std::shared_ptr<const Revision> current() const;

  // From now on the service says that it is not ready.
  void SetStopping();
  bool is_ready() const;
  // JSON for /readyz.
  std::string Status() const;

  void set_uploader(Uploader uploader) { uploader_ = std::move(uploader); }
  const Uploader& uploader() const { return uploader_; }

 private:
  // A bundle that is right by itself, and the digest of its contents.
  struct Candidate {
    std::shared_ptr<const Bundle> bundle;  // null: none
    std::string contents;
  };

  std::string WhyNot(const Candidate& candidate, const Bundle* in_force) const;
  bool Join(const Candidate& candidate, const std::shared_ptr<const DataSet>& data, Revision* revision,
            BundleFailure* failure) const;
  void Announce(const Candidate& candidate, Activation* activation);
  void AnnounceData(const DataSet& data);
  void Warm(const Revision& revision) const;
  void Swap(std::shared_ptr<Revision> revision);
  Activation Refuse(UploadKind kind, Activation activation);
  void Forgive(UploadKind kind, const BundleFailure& failure);

  const ServiceOptions options_;
  Metrics* const metrics_;
  DecisionLog* const log_;
  Uploader uploader_;
  std::atomic<uint64_t> generation_{1};
  std::atomic<bool> stopping_{false};
  std::mutex activating_;                        // held for as long as an activation takes
  Candidate waiting_bundle_;                     // under activating_: waits for data that it fits
  std::shared_ptr<const DataSet> waiting_data_;  // under activating_: the same
  mutable std::mutex mutex_;                     // held for moments
  std::shared_ptr<const Revision> current_;      // under mutex_, as what follows
  BundleFailure last_failure_;                   // empty after an activation
  BundleFailure last_data_failure_;              // the same
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_SERVICE_H_

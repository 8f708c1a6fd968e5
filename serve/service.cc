// Activation of bundles. Tested by serve/service_test.cc.

#include "hclvm/serve/service.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/service_worker.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

constexpr std::chrono::seconds kMaxWarming{2};

int64_t UnixSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Limits ServiceLimits() {
  Limits limits;
  limits.max_fuel = 1'000'000;
  limits.max_result_bytes = 16 << 20;
  limits.max_output_bytes = 16 << 20;
  limits.max_nesting_depth = 128;
  limits.max_diagnostics = 20;
  return limits;
}

Service::Service(ServiceOptions options, Metrics* metrics, DecisionLog* log)
    : options_(std::move(options)), metrics_(metrics), log_(log), current_(std::make_shared<const Revision>()) {}

std::unique_ptr<HttpWorker> Service::NewWorker() { return std::make_unique<ServiceWorker>(this); }

std::shared_ptr<const Revision> Service::current() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return current_;
}

bool Service::is_ready() const { return !stopping_ && current()->bundle != nullptr; }

std::string Service::Status() const {
  const bool ready = is_ready();
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string out = absl::StrCat("{\"ready\":", ready ? "true" : "false");
  if (current_->bundle != nullptr) {
    absl::StrAppend(&out, ",\"revision\":");
    AppendJsonString(current_->bundle->revision(), &out);
  }
  if (current_->shadow != nullptr) {
    absl::StrAppend(&out, ",\"shadow_revision\":");
    AppendJsonString(current_->shadow->revision(), &out);
  }
  if (!last_failure_.message.empty()) {
    absl::StrAppend(&out, ",\"last_error\":");
    AppendJsonString(last_failure_.message, &out);
    absl::StrAppend(&out, ",\"diagnostics\":[");
    for (size_t n = 0; n < last_failure_.diagnostics.size(); ++n) {
      absl::StrAppend(&out, n == 0 ? "" : ",", last_failure_.diagnostics[n]);
    }
    out.push_back(']');
  }
  out.append("}\n");
  return out;
}

void Service::NoteFailure(const std::string& message) {
  Count(&metrics_->failed_reloads);
  const std::lock_guard<std::mutex> lock(mutex_);
  last_failure_ = {};
  last_failure_.message = message;
}

// A revision names its contents: another content under the same name would make answers that cannot be told apart. The
// state knows at least as much as the bundle in force, but for one that has no order.
std::string Service::WhyNot(const Bundle& bundle, const std::string& contents, const Bundle* in_force) const {
  const std::string& revision = bundle.revision();
  const RevisionState* const state =
      options_.state == nullptr || options_.state->revision().empty() ? nullptr : options_.state.get();
  if (in_force != nullptr && revision == in_force->revision()) {
    return absl::StrCat("the revision ", revision, " is in force with other contents");
  }
  if (state != nullptr && revision == state->revision() && contents != state->contents()) {
    return absl::StrCat("the revision ", revision, " was in force with other contents");
  }
  if (options_.allow_older || !bundle.manifest().is_ordered) return "";
  if (in_force != nullptr && in_force->manifest().is_ordered && CompareRevisions(revision, in_force->revision()) <= 0) {
    return absl::StrCat("the revision ", revision, " is older than ", in_force->revision(), ", which is in force");
  }
  if (state != nullptr && revision != state->revision() && CompareRevisions(revision, state->revision()) <= 0) {
    return absl::StrCat("the revision ", revision, " is older than ", state->revision(), ", which was in force");
  }
  return "";
}

namespace {

// Of all that a bundle decides by.
std::string ContentsOf(const Bundle& bundle) {
  std::string all = absl::StrCat(bundle.authz_digest(), "\n");
  for (const BundleModule& module : bundle.modules()) absl::StrAppend(&all, module.digest, " ", module.name, "\n");
  return Sha256Hex(all);
}

}  // namespace

Activation Service::Activate(const BundleFiles& files) {
  const std::lock_guard<std::mutex> activating(activating_);
  const std::shared_ptr<const Revision> in_force = current();
  Activation result;
  std::string contents;
  const auto bundle = CompileBundle(files, options_.bundle, in_force->bundle.get(), &result.failure);
  if (bundle != nullptr) {
    result.revision = bundle->revision();
    contents = ContentsOf(*bundle);
    result.unchanged = in_force->bundle != nullptr && bundle->revision() == in_force->bundle->revision() &&
                       contents == ContentsOf(*in_force->bundle);
    if (!result.unchanged) result.failure.message = WhyNot(*bundle, contents, in_force->bundle.get());
  }
  if (!result.failure.message.empty()) {
    Count(&metrics_->failed_reloads);
    const std::lock_guard<std::mutex> lock(mutex_);
    last_failure_ = result.failure;
    return result;
  }
  if (!result.unchanged) {
    Warm(bundle);
    Swap(bundle, in_force->shadow);
    result.activated = true;
    Count(&metrics_->reloads);
    metrics_->SetRevision(bundle->revision(), UnixSeconds());
    metrics_->ready = true;
    if (options_.state != nullptr && bundle->manifest().is_ordered) {
      result.failure.message = std::string(options_.state->Keep(bundle->revision(), contents).message());
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  last_failure_ = result.failure;
  return result;
}

Activation Service::ActivateShadow(const BundleFiles& files) {
  const std::lock_guard<std::mutex> activating(activating_);
  const std::shared_ptr<const Revision> in_force = current();
  Activation result;
  const auto bundle = CompileBundle(files, options_.bundle, in_force->bundle.get(), &result.failure);
  if (bundle == nullptr) return result;
  result.revision = bundle->revision();
  result.activated = true;
  Swap(in_force->bundle, bundle);
  return result;
}

void Service::Swap(std::shared_ptr<const Bundle> bundle, std::shared_ptr<const Bundle> shadow) {
  auto revision = std::make_shared<Revision>();
  revision->bundle = std::move(bundle);
  revision->shadow = std::move(shadow);
  if (revision->bundle != nullptr) {
    for (const BundleEntry& entry : revision->bundle->entries()) {
      revision->counters.push_back(metrics_->ForPolicy(entry.name));
    }
    for (const BundleModule& module : revision->bundle->modules()) {
      revision->masks.push_back(options_.mask.WithErased(module.sensitive));
    }
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    current_ = std::move(revision);
  }
  generation_.fetch_add(1, std::memory_order_release);
}

// Runs everything once without variables: what has to be paged in is, and a policy that the machine cannot take shows
// here and not in a request. What the runs come to does not matter.
void Service::Warm(const std::shared_ptr<const Bundle>& bundle) const {
  Interrupt interrupt;
  interrupt.deadline = std::chrono::steady_clock::now() + kMaxWarming;
  Decider decider(options_.limits, /*max_evaluators=*/16);
  decider.Use(bundle);
  Heap heap;
  const Value nothing = MakeObject(absl::Span<const KeyValue>(), heap.arena());
  for (const BundleEntry& entry : bundle->entries()) {
    if (interrupt.Reached()) return;
    decider.Run(entry, nothing, interrupt);
  }
}

}  // namespace hcl::serve

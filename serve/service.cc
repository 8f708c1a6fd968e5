// Activation of bundles and data. Tested by serve/service_test.cc.

#include "hclvm/serve/service.h"

#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/decider.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/service_worker.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr std::chrono::seconds kMaxWarming{2};

int64_t UnixSeconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// Data and tests are looked at as requests are.
ServiceOptions Whole(ServiceOptions options) {
  options.data.check_all = options.scopes.check_all;
  options.bundle.tests.check_all = options.scopes.check_all;
  options.bundle.tests.limits = options.limits;
  return options;
}

}  // namespace

Service::Service(ServiceOptions options, Metrics* metrics, DecisionLog* log)
    : options_(Whole(std::move(options))), metrics_(metrics), log_(log), current_(std::make_shared<const Revision>()) {}

std::unique_ptr<HttpWorker> Service::NewWorker() { return std::make_unique<ServiceWorker>(this); }

std::shared_ptr<const Revision> Service::current() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return current_;
}

void Service::SetStopping() {
  stopping_ = true;
  metrics_->ready = false;
}

bool Service::is_ready() const { return !stopping_ && current()->bundle != nullptr; }

namespace {

void AppendFailure(std::string_view prefix, const BundleFailure& failure, std::string* out) {
  if (failure.message.empty()) return;
  absl::StrAppend(out, ",\"", ToAbsl(prefix), "error\":");
  AppendJsonString(failure.message, out);
  absl::StrAppend(out, ",\"", prefix == "data_" ? "data_" : "", "diagnostics\":[");
  for (size_t n = 0; n < failure.diagnostics.size(); ++n) {
    absl::StrAppend(out, n == 0 ? "" : ",", failure.diagnostics[n]);
  }
  out->push_back(']');
}

void AppendRevision(std::string_view name, const std::string& revision, std::string* out) {
  absl::StrAppend(out, ",\"", ToAbsl(name), "\":");
  AppendJsonString(revision, out);
}

}  // namespace

std::string Service::Status() const {
  const bool ready = is_ready();
  const std::lock_guard<std::mutex> lock(mutex_);
  std::string out = absl::StrCat("{\"ready\":", ready ? "true" : "false");
  if (current_->bundle != nullptr) AppendRevision("revision", current_->bundle->revision(), &out);
  if (current_->data != nullptr) AppendRevision("data_revision", current_->data->revision, &out);
  if (current_->shadow != nullptr) AppendRevision("shadow_revision", current_->shadow->revision(), &out);
  AppendFailure("last_", last_failure_, &out);
  AppendFailure("data_", last_data_failure_, &out);
  out.append("}\n");
  return out;
}

// It is what is wanted now, in place of what has waited.
void Service::NoteFailure(UploadKind kind, const std::string& message) {
  const std::lock_guard<std::mutex> activating(activating_);
  if (kind == UploadKind::kBundle) waiting_bundle_ = {};
  if (kind == UploadKind::kData) waiting_data_ = nullptr;
  Activation failed;
  failed.failure.message = message;
  Refuse(kind, std::move(failed));
}

Activation Service::Refuse(UploadKind kind, Activation activation) {
  const bool is_bundle = kind == UploadKind::kBundle;
  Count(is_bundle ? &metrics_->failed_reloads : &metrics_->failed_data_reloads);
  const std::lock_guard<std::mutex> lock(mutex_);
  (is_bundle ? last_failure_ : last_data_failure_) = activation.failure;
  return activation;
}

void Service::Forgive(UploadKind kind, const BundleFailure& failure) {
  const std::lock_guard<std::mutex> lock(mutex_);
  (kind == UploadKind::kBundle ? last_failure_ : last_data_failure_) = failure;
}

// A revision names its contents: another content under the same name would make answers that cannot be told apart. The
// state knows at least as much as the bundle in force, but for one that has no order.
std::string Service::WhyNot(const Candidate& candidate, const Bundle* in_force) const {
  const Bundle& bundle = *candidate.bundle;
  const std::string& revision = bundle.revision();
  const RevisionState* const state =
      options_.state == nullptr || options_.state->revision().empty() ? nullptr : options_.state.get();
  if (in_force != nullptr && revision == in_force->revision()) {
    return absl::StrCat("the revision ", revision, " is in force with other contents");
  }
  if (state != nullptr && revision == state->revision() && candidate.contents != state->contents()) {
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
  std::string all = absl::StrCat(bundle.service_digest(), "\n");
  for (const BundleModule& module : bundle.modules()) absl::StrAppend(&all, module.digest, " ", module.name, "\n");
  return Sha256Hex(all);
}

}  // namespace

// What the candidate and the data make together, as far as it is decided by. False where they do not fit. A shadow that
// the data do not fit is none.
bool Service::Join(const Candidate& candidate, const std::shared_ptr<const DataSet>& data, Revision* revision,
                   BundleFailure* failure) const {
  revision->bundle = candidate.bundle;
  revision->data = data;
  revision->layers = revision->shadow_layers = nullptr;
  if (data == nullptr) {
    if (options_.needs_data && candidate.bundle != nullptr) failure->message = "there are no data yet";
    return failure->message.empty();
  }
  if (revision->shadow != nullptr) {
    BundleFailure ignored;
    revision->shadow_layers = MakeDataLayers(*revision->shadow, *data, options_.data, &ignored);
    if (revision->shadow_layers == nullptr) revision->shadow = nullptr;
  }
  if (candidate.bundle == nullptr) return true;
  revision->layers = MakeDataLayers(*candidate.bundle, *data, options_.data, failure);
  return revision->layers != nullptr;
}

// What is known of a bundle that has come into force.
void Service::Announce(const Candidate& candidate, Activation* activation) {
  const std::string& revision = candidate.bundle->revision();
  Count(&metrics_->reloads);
  metrics_->SetRevision(revision, UnixSeconds());
  metrics_->ready = true;
  // In this order nothing that comes into force at the end says that the service is ready.
  if (stopping_) metrics_->ready = false;
  if (options_.state == nullptr || !candidate.bundle->manifest().is_ordered) return;
  activation->failure.message = std::string(options_.state->Keep(revision, candidate.contents).message());
}

// What is newest of both kinds is tried before what is in force.
Activation Service::Activate(const BundleFiles& files) {
  const std::lock_guard<std::mutex> activating(activating_);
  const std::shared_ptr<const Revision> in_force = current();
  Activation result;
  waiting_bundle_ = {};
  Candidate candidate;
  candidate.bundle = CompileBundle(files, options_.bundle, in_force->bundle.get(), &result.failure);
  if (candidate.bundle == nullptr) return Refuse(UploadKind::kBundle, std::move(result));
  result.revision = candidate.bundle->revision();
  candidate.contents = ContentsOf(*candidate.bundle);
  result.unchanged = in_force->bundle != nullptr && result.revision == in_force->bundle->revision() &&
                     candidate.contents == ContentsOf(*in_force->bundle);
  if (result.unchanged) return Forgive(UploadKind::kBundle, {}), result;
  result.failure.message = WhyNot(candidate, in_force->bundle.get());
  if (!result.failure.message.empty()) return Refuse(UploadKind::kBundle, std::move(result));

  auto revision = std::make_shared<Revision>(*in_force);
  BundleFailure ignored;
  const bool has_waited = waiting_data_ != nullptr && Join(candidate, waiting_data_, revision.get(), &ignored);
  if (!has_waited) {
    *revision = *in_force;
    if (!Join(candidate, in_force->data, revision.get(), &result.failure)) {
      waiting_bundle_ = std::move(candidate);
      return Refuse(UploadKind::kBundle, std::move(result));
    }
  }
  Warm(*revision);
  Swap(std::move(revision));
  result.activated = true;
  Announce(candidate, &result);
  if (has_waited) {
    result.with = waiting_data_->revision;
    AnnounceData(*std::exchange(waiting_data_, nullptr));
  }
  Forgive(UploadKind::kBundle, result.failure);
  return result;
}

void Service::AnnounceData(const DataSet& data) {
  Count(&metrics_->data_reloads);
  metrics_->SetDataRevision(data.revision, UnixSeconds());
  Forgive(UploadKind::kData, {});
}

Activation Service::ActivateData(absl::Span<const BaseText> texts) {
  const std::lock_guard<std::mutex> activating(activating_);
  const std::shared_ptr<const Revision> in_force = current();
  Activation result;
  waiting_data_ = nullptr;
  auto data = MakeDataSet(texts, options_.data, &result.failure);
  if (data == nullptr) return Refuse(UploadKind::kData, std::move(result));
  result.revision = data->revision;
  result.unchanged = in_force->data != nullptr && in_force->data->revision == data->revision;
  if (result.unchanged) return Forgive(UploadKind::kData, {}), result;

  auto revision = std::make_shared<Revision>(*in_force);
  BundleFailure ignored;
  const bool has_waited = waiting_bundle_.bundle != nullptr && Join(waiting_bundle_, data, revision.get(), &ignored);
  if (!has_waited) {
    *revision = *in_force;
    if (!Join({in_force->bundle, ""}, data, revision.get(), &result.failure)) {
      waiting_data_ = std::move(data);
      return Refuse(UploadKind::kData, std::move(result));
    }
  }
  Warm(*revision);
  Swap(std::move(revision));
  result.activated = true;
  AnnounceData(*data);
  if (has_waited) {
    result.with = waiting_bundle_.bundle->revision();
    Announce(std::exchange(waiting_bundle_, {}), &result);
    Forgive(UploadKind::kBundle, result.failure);
  }
  return result;
}

Activation Service::ActivateShadow(const BundleFiles& files) {
  const std::lock_guard<std::mutex> activating(activating_);
  const std::shared_ptr<const Revision> in_force = current();
  Activation result;
  const auto bundle = CompileBundle(files, options_.bundle, in_force->bundle.get(), &result.failure);
  if (bundle == nullptr) return result;
  result.revision = bundle->revision();
  auto revision = std::make_shared<Revision>(*in_force);
  revision->shadow = bundle;
  if (revision->data != nullptr) {
    revision->shadow_layers = MakeDataLayers(*bundle, *revision->data, options_.data, &result.failure);
    if (revision->shadow_layers == nullptr) return result;
  }
  result.activated = true;
  Swap(std::move(revision));
  return result;
}

void Service::Swap(std::shared_ptr<Revision> revision) {
  revision->counters.clear();
  revision->masks.clear();
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
void Service::Warm(const Revision& revision) const {
  if (revision.bundle == nullptr) return;
  Interrupt interrupt;
  interrupt.deadline = std::chrono::steady_clock::now() + kMaxWarming;
  Decider decider(options_.limits, options_.scopes, /*max_evaluators=*/16);
  decider.Use(revision.bundle, revision.layers);
  Heap heap;
  const Value nothing = MakeObject(absl::Span<const KeyValue>(), heap.arena());
  for (const BundleEntry& entry : revision.bundle->entries()) {
    if (interrupt.Reached()) return;
    decider.Run(entry, nothing, interrupt);
  }
}

}  // namespace hcl::serve

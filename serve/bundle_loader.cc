// BundleLoader. Tested by serve/bundle_loader_test.cc and tests/serve/*_test.py.
//
// Files are looked at again and again, and not watched: that works on every file system, and costs a few milliseconds
// for thousands of files. What has changed is read when it has stayed the same from one look to the next, so that a
// bundle that is being copied is not read in the middle; checksums find what that misses. Whoever asks for a reload has
// often written the files a moment ago, and may have been too early: the looks are then closer together.

#include "hclvm/serve/bundle_loader.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle_archive.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/start_thread.h"

namespace hcl::serve {
namespace {

constexpr std::chrono::hours kNever{24};

HttpResponse ResponseTo(const Activation& activation) {
  HttpResponse response;
  if (activation.activated || activation.unchanged) {
    response.body = absl::StrCat("{\"activated\":", activation.activated ? "true" : "false", ",\"revision\":\"",
                                 activation.revision, "\"");
    if (!activation.with.empty()) absl::StrAppend(&response.body, ",\"with\":\"", activation.with, "\"");
    response.body.append("}\n");
    return response;
  }
  response.status = 422;
  response.body = "{\"error\":";
  AppendJsonString(activation.failure.message, &response.body);
  response.body.append(",\"diagnostics\":[");
  for (size_t n = 0; n < activation.failure.diagnostics.size(); ++n) {
    absl::StrAppend(&response.body, n == 0 ? "" : ",", activation.failure.diagnostics[n]);
  }
  response.body.append("]}\n");
  return response;
}

}  // namespace

BundleLoader::BundleLoader(LoaderOptions options, Service* service, Report report, Look look)
    : options_(std::move(options)), service_(*service), report_(std::move(report)), look_(std::move(look)) {
  // A bundle that needs data finds them.
  if (!options_.data.empty()) watched_.push_back({LoadKind::kData, options_.data, 0, std::nullopt});
  if (!options_.bundle.empty()) watched_.push_back({LoadKind::kBundle, {options_.bundle}, 0, std::nullopt});
  if (!options_.shadow.empty()) watched_.push_back({LoadKind::kShadow, {options_.shadow}, 0, std::nullopt});
  service->set_uploader([this](UploadKind kind, std::string body, HttpReply reply) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (upload_ || ending_) return false;
    upload_ = Upload{kind, std::move(body), std::move(reply)};
    changed_.notify_all();
    return true;
  });
}

absl::Status BundleLoader::Start() {
  LookAtFiles(Cause::kStart);
  return StartThread([this] { Run(); }, &thread_);
}

void BundleLoader::Reload() {
  const std::lock_guard<std::mutex> lock(mutex_);
  reload_ = true;
  changed_.notify_all();
}

void BundleLoader::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  std::optional<Upload> upload = std::exchange(upload_, std::nullopt);
  if (!upload) return;
  HttpResponse response;
  response.status = 503;
  response.body = "{\"error\":\"the service is stopping\",\"diagnostics\":[]}\n";
  upload->reply(std::move(response));
}

void BundleLoader::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ending_) {
    const bool looks = options_.interval.count() > 0;
    const std::chrono::milliseconds wait = looks ? options_.interval : std::chrono::milliseconds(kNever);
    changed_.wait_for(lock, wait, [this] { return ending_ || reload_ || upload_; });
    if (ending_) break;
    const bool asked = std::exchange(reload_, false);
    std::optional<Upload> upload = std::exchange(upload_, std::nullopt);
    lock.unlock();
    // Where memory is refused, what is in force stays, and files are looked at the next time.
    const bool is_done = internal::WithMemory(
        [&] {
          if (upload) Take(&*upload);
          if (asked || looks) LookAtFiles(asked ? Cause::kAsked : Cause::kTime);
          if (look_) look_(asked);
          return true;
        },
        [] { return false; });
    if (!is_done && upload && upload->reply) {
      HttpResponse response;
      response.status = 503;
      internal::WithMemory([&] { return upload->reply(std::move(response)), true; }, [] { return false; });
    }
    lock.lock();
  }
}

void BundleLoader::LookAtFiles(Cause cause) {
  for (Watched& watched : watched_) {
    if (cause == Cause::kStart) {
      ReadAtStart(&watched);
    } else if (cause == Cause::kAsked) {
      ReadWhenQuiet(&watched);
    } else {
      LookAt(&watched);
    }
  }
}

uint64_t BundleLoader::Fingerprint(const Watched& watched) const {
  return FingerprintOf(watched.paths, options_.limits);
}

bool BundleLoader::Sleep(std::chrono::milliseconds time) {
  std::unique_lock<std::mutex> lock(mutex_);
  return !changed_.wait_for(lock, time, [this] { return ending_; });
}

void BundleLoader::LookAt(Watched* watched) {
  const uint64_t now = Fingerprint(*watched);
  if (now == watched->loaded) {
    watched->pending.reset();
    return;
  }
  if (now != watched->pending) {
    watched->pending = now;
    return;
  }
  const auto activate = Read(*watched);
  const uint64_t then = Fingerprint(*watched);
  if (then == now) return PutInForce(activate, now, watched);
  watched->pending = then;
}

// Nothing is in force yet, so that what is there is better than nothing. What has changed meanwhile is read by one of
// the next looks, if there are any.
void BundleLoader::ReadAtStart(Watched* watched) {
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    const uint64_t now = Fingerprint(*watched);
    const auto activate = Read(*watched);
    if (attempt == kAttempts || Fingerprint(*watched) == now) return PutInForce(activate, now, watched);
  }
}

// What has not changed is read at once: nobody is writing to it.
void BundleLoader::ReadWhenQuiet(Watched* watched) {
  const auto end = std::chrono::steady_clock::now() + options_.max_unrest;
  for (uint64_t now = Fingerprint(*watched);;) {
    if (now != watched->loaded && !Sleep(options_.quiet)) return;
    uint64_t then = Fingerprint(*watched);
    if (then == now) {
      const auto activate = Read(*watched);
      then = Fingerprint(*watched);
      if (then == now) return PutInForce(activate, now, watched);
    }
    if (std::chrono::steady_clock::now() >= end) return RefuseUnrest(watched);
    now = then;
  }
}

void BundleLoader::PutInForce(const std::function<Activation()>& activate, uint64_t fingerprint, Watched* watched) {
  watched->pending.reset();
  watched->loaded = fingerprint;
  LoadEvent event;
  event.kind = watched->kind;
  event.activation = activate();
  report_(event);
}

// The next looks, if there are any, read it when it is quiet.
void BundleLoader::RefuseUnrest(Watched* watched) {
  LoadEvent event;
  event.kind = watched->kind;
  event.activation.failure.message =
      absl::StrCat(watched->paths[0], " has gone on changing for ", options_.max_unrest.count(), " ms");
  if (watched->kind == LoadKind::kBundle) service_.NoteFailure(UploadKind::kBundle, event.activation.failure.message);
  if (watched->kind == LoadKind::kData) service_.NoteFailure(UploadKind::kData, event.activation.failure.message);
  report_(event);
}

std::function<Activation()> BundleLoader::Read(const Watched& watched) {
  if (watched.kind == LoadKind::kData) {
    return [this, texts = ReadDataTexts(watched.paths, options_.limits)] { return ActivateData(texts); };
  }
  return [this, kind = watched.kind, files = ReadBundle(watched.paths[0], options_.limits)] {
    return Activate(kind, files);
  };
}

Activation BundleLoader::Activate(LoadKind kind, const absl::StatusOr<BundleFiles>& files) {
  if (files.ok()) return kind == LoadKind::kShadow ? service_.ActivateShadow(*files) : service_.Activate(*files);
  Activation failed;
  failed.failure.message = std::string(files.status().message());
  if (kind == LoadKind::kBundle) service_.NoteFailure(UploadKind::kBundle, failed.failure.message);
  return failed;
}

Activation BundleLoader::ActivateData(const absl::StatusOr<std::vector<BaseText>>& texts) {
  if (texts.ok()) return service_.ActivateData(*texts);
  Activation failed;
  failed.failure.message = std::string(texts.status().message());
  service_.NoteFailure(UploadKind::kData, failed.failure.message);
  return failed;
}

void BundleLoader::Take(Upload* upload) {
  LoadEvent event;
  event.is_upload = true;
  if (upload->kind == UploadKind::kData) {
    event.kind = LoadKind::kData;
    const std::vector<BaseText> texts = {{std::make_shared<const Source>("<upload>", std::move(upload->body)), ""}};
    event.activation = ActivateData(texts);
  } else {
    const auto files = ReadBundleArchive(upload->body, options_.limits);
    upload->body = std::string();
    event.activation = Activate(LoadKind::kBundle, files);
  }
  report_(event);
  HttpResponse response = ResponseTo(event.activation);
  std::exchange(upload->reply, nullptr)(std::move(response));
}

}  // namespace hcl::serve

// BundleLoader. Tested by tests/serve/*_test.py.
//
// Files are looked at again and again, and not watched: that works on every file system, and costs a few milliseconds
// for thousands of files. What has changed is read when it has stayed the same from one look to the next, so that a
// bundle that is being copied is not read in the middle; checksums find what that misses.

#include "hclvm/serve/bundle_loader.h"

#include <sys/stat.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/serve/bundle_archive.h"

namespace hcl::serve {
namespace {

constexpr std::chrono::hours kNever{24};

HttpResponse ResponseTo(const Activation& activation) {
  HttpResponse response;
  if (activation.activated || activation.unchanged) {
    response.body = absl::StrCat("{\"activated\":", activation.activated ? "true" : "false", ",\"revision\":\"",
                                 activation.revision, "\"}\n");
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

absl::StatusOr<BundleFiles> ReadBundle(const std::string& path, const BundleLimits& limits) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return ReadBundleDirectory(path, limits);
  const auto archive = ReadWholeFile(path, limits.max_bytes);
  if (!archive.ok()) return archive.status();
  return ReadBundleArchive(*archive, limits);
}

BundleLoader::BundleLoader(LoaderOptions options, Service* service, Report report, Look look)
    : options_(std::move(options)), service_(*service), report_(std::move(report)), look_(std::move(look)) {
  bundle_.path = options_.bundle;
  shadow_.path = options_.shadow;
  service->set_uploader([this](std::string archive, HttpReply reply) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (upload_ || ending_) return false;
    upload_ = Upload{std::move(archive), std::move(reply)};
    changed_.notify_all();
    return true;
  });
}

void BundleLoader::Start() {
  LookAtFiles(/*force=*/true);
  thread_ = std::thread([this] { Run(); });
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
    if (upload) Take(*std::move(upload));
    if (asked || looks) LookAtFiles(asked);
    if (look_) look_(asked);
    lock.lock();
  }
}

void BundleLoader::LookAtFiles(bool force) {
  LookAt(&bundle_, false, force);
  LookAt(&shadow_, true, force);
}

void BundleLoader::LookAt(Watched* watched, bool is_shadow, bool force) {
  if (watched->path.empty()) return;
  const uint64_t now = FingerprintOf(watched->path, options_.limits);
  if (!force && now == watched->loaded) {
    watched->pending.reset();
    return;
  }
  if (!force && now != watched->pending) {
    watched->pending = now;
    return;
  }
  const auto files = ReadBundle(watched->path, options_.limits);
  const uint64_t then = FingerprintOf(watched->path, options_.limits);
  // What has changed while it was read is looked at again, unless nobody may come to do that.
  if (!force && then != now) {
    watched->pending = then;
    return;
  }
  watched->pending.reset();
  watched->loaded = now;
  Load(is_shadow, files);
}

void BundleLoader::Load(bool is_shadow, const absl::StatusOr<BundleFiles>& files) {
  LoadEvent event;
  event.is_shadow = is_shadow;
  if (files.ok()) {
    event.activation = is_shadow ? service_.ActivateShadow(*files) : service_.Activate(*files);
  } else {
    event.activation.failure.message = std::string(files.status().message());
    if (!is_shadow) service_.NoteFailure(event.activation.failure.message);
  }
  report_(event);
}

void BundleLoader::Take(Upload upload) {
  LoadEvent event;
  event.is_upload = true;
  const auto files = ReadBundleArchive(upload.archive, options_.limits);
  upload.archive = std::string();
  if (files.ok()) {
    event.activation = service_.Activate(*files);
  } else {
    event.activation.failure.message = std::string(files.status().message());
    service_.NoteFailure(event.activation.failure.message);
  }
  report_(event);
  upload.reply(ResponseTo(event.activation));
}

}  // namespace hcl::serve

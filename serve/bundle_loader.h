// BundleLoader: the thread that reads and activates bundles and data: at the start, when their files change, when it is
// told to, and when some are uploaded.
//
// Tested by serve/bundle_loader_test.cc and tests/serve/*_test.py.

#ifndef HCLVM_SERVE_BUNDLE_LOADER_H_
#define HCLVM_SERVE_BUNDLE_LOADER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/service.h"
#include "hclvm/vm/base_layer.h"

namespace hcl::serve {

struct LoaderOptions {
  std::string bundle;                        // empty: only uploads
  std::string shadow;                        // empty: none
  std::vector<std::string> data;             // as ReadDataTexts() takes them
  BundleLimits limits;                       // of each bundle, and of all data
  std::chrono::milliseconds interval{1000};  // between looks at the files; 0: never
  // Files that have changed are read by Reload() when they have stayed the same for this long,
  std::chrono::milliseconds quiet{200};
  // and not at all if they do not within this time.
  std::chrono::milliseconds max_unrest{5000};
};

enum class LoadKind { kBundle, kShadow, kData };

// What became of an attempt, for the log.
struct LoadEvent {
  LoadKind kind = LoadKind::kBundle;
  bool is_upload = false;
  Activation activation;
};

class BundleLoader {
 public:
  // Called in the loader's thread, after each attempt that had an effect or failed.
  using Report = std::function<void(const LoadEvent&)>;
  // Called whenever the files have been looked at or were to be read anew; `asked`: by Reload().
  using Look = std::function<void(bool asked)>;

  // `service` must outlive it, and gets its uploads.
  BundleLoader(LoaderOptions options, Service* service, Report report, Look look);
  ~BundleLoader() { Stop(); }

  // Loads once in the caller's thread, then starts the thread. Fails where the system gives none.
  absl::Status Start();
  // Reads everything again, whether it has changed or not, as soon as nobody writes to it. From any thread.
  void Reload();
  // Ends the thread; what is under way is finished.
  void Stop();

 private:
  struct Watched {
    LoadKind kind;
    std::vector<std::string> paths;
    uint64_t loaded = 0;              // fingerprint of what was read last
    std::optional<uint64_t> pending;  // of what has changed since, and may go on changing
  };
  struct Upload {
    UploadKind kind;
    std::string body;
    HttpReply reply;
  };

  void Run();
  enum class Cause { kStart, kTime, kAsked };

  void LookAtFiles(Cause cause);
  // What has changed since the last look may go on changing.
  void LookAt(Watched* watched);
  void ReadAtStart(Watched* watched);
  void ReadWhenQuiet(Watched* watched);
  uint64_t Fingerprint(const Watched& watched) const;
  // Waits, and returns true unless the loader ends.
  bool Sleep(std::chrono::milliseconds time);
  // Reads what is there, and returns how to put that in force.
  std::function<Activation()> Read(const Watched& watched);
  void PutInForce(const std::function<Activation()>& activate, uint64_t fingerprint, Watched* watched);
  void RefuseUnrest(Watched* watched);
  Activation Activate(LoadKind kind, const absl::StatusOr<BundleFiles>& files);
  Activation ActivateData(const absl::StatusOr<std::vector<BaseText>>& texts);
  // Gives the answer, and leaves no reply then.
  void Take(Upload* upload);

  const LoaderOptions options_;
  Service& service_;
  const Report report_;
  const Look look_;
  std::vector<Watched> watched_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Upload> upload_;  // under the mutex, as what follows
  bool reload_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_BUNDLE_LOADER_H_

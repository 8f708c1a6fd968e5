// The programs that serve. Tested by tests/serve/*_test.py and tests/envoy/*_test.py.

#include "hclvm/cmd/hclvm-serve/serve_program.h"

#include <malloc.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm-serve/event_log.h"
#include "hclvm/cmd/hclvm-serve/option_setters.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/cmd/hclvm-serve/service_manager.h"
#include "hclvm/cmd/hclvm-serve/usage.h"
#include "hclvm/cmd/hclvm/version.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_archive.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/bundle_loader.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/decision_log.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

// Signals are waited for by the main thread; all others, which have its mask, get none.
sigset_t BlockSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGHUP, SIGTERM, SIGINT}) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // A pipe that nobody reads, and a file that may not grow, are failures of a write, and no end of the process.
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_IGN);
  return signals;
}

// Prints what is wrong.
int ComplainOf(const char* command, const std::string& what, const BundleFailure& failure) {
  std::fwrite(failure.text.data(), 1, failure.text.size(), stderr);
  return Complain(command, absl::StrCat(what, ": ", failure.message), cmd::kInputError);
}

// Certificates as they would be used, and bundles and data as they would be activated; nothing listens.
int CheckConfig(const char* command, const ServeOptions& options) {
  Metrics unused;
  absl::Status certificates = Server(options.server, &unused).ReloadCertificates();
  if (!certificates.ok()) return Complain(command, std::string(certificates.message()), cmd::kInputError);
  std::shared_ptr<const DataSet> data;
  if (!options.loader.data.empty()) {
    const auto texts = ReadDataTexts(options.loader.data, options.loader.limits);
    if (!texts.ok()) return Complain(command, std::string(texts.status().message()), cmd::kInputError);
    BundleFailure failure;
    data = MakeDataSet(*texts, options.service.data, &failure);
    if (data == nullptr) return ComplainOf(command, "--data", failure);
  }
  for (const std::string& path : {options.loader.bundle, options.loader.shadow}) {
    if (path.empty()) continue;
    const auto files = ReadBundle(path, options.loader.limits);
    if (!files.ok()) return Complain(command, std::string(files.status().message()), cmd::kInputError);
    BundleFailure failure;
    const auto bundle = CompileBundle(*files, options.service.bundle, nullptr, &failure);
    const bool fits = bundle != nullptr &&
                      (data == nullptr || MakeDataLayers(*bundle, *data, options.service.data, &failure) != nullptr);
    if (!fits) return ComplainOf(command, path, failure);
  }
  std::puts("the options and the bundle are right");
  return cmd::kSuccess;
}

// What a burst of requests has taken is given back. By itself the allocator keeps what lies between pieces that are in
// use: hundreds of megabytes after a flood.
void GiveMemoryBack() {
#ifdef __GLIBC__
  constexpr size_t kMuch = 64u << 20;
  if (mallinfo2().fordblks > kMuch) malloc_trim(0);
#endif
}

void WaitForSignals(const sigset_t& signals, const ServiceManager& manager, BundleLoader* loader, DecisionLog* log) {
  for (;;) {
    constexpr timespec kBetweenLooks = {10, 0};
    const int number = sigtimedwait(&signals, nullptr, &kBetweenLooks);
    if (number < 0) {
      GiveMemoryBack();
      continue;
    }
    if (number != SIGHUP) return;
    LogEvent("info", "reload");
    manager.Reloading();
    loader->Reload();
    if (log != nullptr) log->Reopen();
  }
}

// What "systemctl status" shows of the last attempt to load something.
std::string StatusLine(const LoadEvent& event) {
  const Activation& activation = event.activation;
  const std::string what = event.kind == LoadKind::kData     ? "data"
                           : event.kind == LoadKind::kShadow ? "shadow"
                                                             : "bundle";
  if (!activation.activated && !activation.unchanged)
    return absl::StrCat(what, " refused: ", activation.failure.message);
  return absl::StrCat(what, " ", activation.revision, activation.revision.empty() ? "" : " ", "in force");
}

// Whoever asks for the end once more does not wait for requests any more. Not thread-safe.
class SecondSignal {
 public:
  explicit SecondSignal(const sigset_t& signals) : signals_(signals) {}

  // Waits so long, or until it comes.
  void Wait(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (!has_come_) {
      const auto left = end - std::chrono::steady_clock::now();
      if (left.count() <= 0) return Look({0, 0});
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
      Look({seconds.count(), static_cast<long>(std::chrono::nanoseconds(left - seconds).count())});
    }
  }
  bool HasCome() {
    if (!has_come_) Look({0, 0});
    return has_come_;
  }

 private:
  void Look(const timespec& time) {
    const int number = sigtimedwait(&signals_, nullptr, &time);
    has_come_ = number == SIGTERM || number == SIGINT;
  }

  const sigset_t& signals_;
  bool has_come_ = false;
};

// What is made first is needed longest. The loader stops before the server: it answers those who have uploaded a
// bundle. It starts before the server, too: so no request comes before the bundle, and what waits in a socket while one
// process takes the place of another is answered.
int Serve(const char* command, const ServeOptions& options, ServeAddition* addition) {
  const sigset_t signals = BlockSignals();
  Metrics metrics;
  std::unique_ptr<DecisionLog> log;
  if (!options.decision_log.empty()) {
    auto opened = DecisionLog::Open(options.decision_log, options.log_buffer, &metrics, [](const std::string& error) {
      LogEvent("error", "decision_log_refused", {{"error", error}});
    });
    if (!opened.ok()) return Complain(command, std::string(opened.status().message()), cmd::kInputError);
    log = *std::move(opened);
  }
  Service service(options.service, &metrics, log.get());
  Server server(options.server, &metrics);
  const TlsOptions& tls = options.server.tls;
  const std::vector<std::string> certificate_files = {tls.certificate, tls.key, tls.client_ca};
  uint64_t certificates = FingerprintOf(certificate_files);
  const ServiceManager manager = ServiceManager::OfProcess();
  std::atomic<bool> has_addition = false;  // that has started
  const auto report = [&](const LoadEvent& event) {
    LogLoad(event);
    manager.Tell(StatusLine(event));
    if (has_addition) addition->Refresh();
  };
  const auto look = [&](bool asked) {
    const uint64_t now = FingerprintOf(certificate_files);
    if (tls.certificate.empty() || (!asked && now == certificates)) return;
    certificates = now;
    absl::Status status = server.ReloadCertificates();
    LogEvent(status.ok() ? "info" : "error", status.ok() ? "certificates_loaded" : "certificates_refused",
             {{"error", std::string(status.message())}});
  };
  BundleLoader loader(options.loader, &service, report, [&](bool asked) {
    look(asked);
    if (asked) manager.Ready();
  });
  absl::Status status = server.Open([&] { return service.NewWorker(); });
  if (!status.ok()) return Complain(command, std::string(status.message()), cmd::kInputError);
  for (const std::string& address : server.Addresses()) LogEvent("info", "listening", {{"address", address}});
  status = loader.Start();
  if (status.ok()) status = server.Start();
  if (status.ok() && addition != nullptr) status = addition->Start(&service);
  if (!status.ok()) {
    // In the order of the end: a request that uploads something would look for the loader.
    loader.Stop();
    server.Stop(std::chrono::milliseconds(0), [] { return true; });
    return Complain(command, std::string(status.message()), cmd::kInputError);
  }
  if (addition != nullptr) {
    has_addition = true;
    addition->Refresh();
    for (const std::string& address : addition->Addresses()) {
      LogEvent("info", "listening", {{"address", address}, {"protocol", "grpc"}});
    }
  }
  manager.Ready();
  WaitForSignals(signals, manager, &loader, log.get());
  LogEvent("info", "stopping");
  manager.Stopping();
  service.SetStopping();
  if (addition != nullptr) addition->Refresh();
  SecondSignal second(signals);
  second.Wait(options.shutdown_delay);
  loader.Stop();
  const auto has_come = [&second] { return second.HasCome(); };
  if (addition != nullptr) addition->Stop(options.drain_timeout, has_come);
  server.Stop(options.drain_timeout, has_come);
  LogEvent("info", "stopped");
  return cmd::kSuccess;
}

}  // namespace

int RunServeProgram(const char* command, const std::vector<std::string_view>& arguments, ServeAddition* addition) {
  ServeOptions options;
  bool version = false;
  cmd::CommandSyntax syntax;
  syntax.command = &cmd::FindCommand(command, "");
  syntax.setters = ServeSetters(&options);
  if (addition != nullptr) addition->AddTo(&syntax);
  const cmd::CommandSyntax of_files = syntax;
  syntax.setters.push_back({"--version", Switch(&version)});
  syntax.setters.push_back({"--config", [&](std::string_view path) -> std::string {
                              const auto text = ReadWholeFile(std::string(path), 1 << 20);
                              if (!text.ok()) return std::string(text.status().message());
                              return ReadConfigText(std::string(path), *text, of_files);
                            }});
  std::vector<std::string_view> positional;
  const std::optional<int> status = ReadArguments(command, syntax, arguments, &positional);
  if (status) return *status;
  if (version) {
    std::printf("%s %s\n", command, cmd::kVersion);
    return cmd::kSuccess;
  }
  if (!positional.empty()) {
    return Complain(command, absl::StrCat("unexpected argument ", ToAbsl(positional[0])), cmd::kUsageError);
  }
  std::string fault = FinishOptions(&options);
  if (fault.empty() && addition != nullptr) fault = addition->Finish(options);
  if (!fault.empty()) return Complain(command, fault, cmd::kUsageError);
  return options.check_config ? CheckConfig(command, options) : Serve(command, options, addition);
}

}  // namespace hcl::serve

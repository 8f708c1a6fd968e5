// hclvm-envoy: the policy decision service, which also answers Envoy's external authorization.
//
// A program of its own, so that hclvm-serve needs no gRPC: neither to be built, nor in its process.

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/stubs/logging.h"
#include "grpc/support/log.h"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/cmd/hclvm-envoy/grpc_server.h"
#include "hclvm/cmd/hclvm-serve/event_log.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/option_setters.h"
#include "hclvm/cmd/hclvm-serve/serve_options.h"
#include "hclvm/cmd/hclvm-serve/serve_program.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/cmd/hclvm/standard_streams.h"
#include "hclvm/serve/envoy_pool.h"
#include "hclvm/serve/envoy_worker.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {
namespace {

constexpr char kCommand[] = "hclvm-envoy";
constexpr char kDefaultListener[] = "127.0.0.1:9191";
// What a question may have beside a body: headers, certificates, metadata.
constexpr size_t kBytesBesideBody = 256 << 10;
constexpr size_t kFewestStreams = 100;
constexpr size_t kMostStreams = 100'000;

class EnvoyAddition : public ServeAddition {
 public:
  void AddTo(cmd::CommandSyntax* syntax) override {
    syntax->setters.push_back({"--grpc-listen", Texts(&listen_)});
    syntax->setters.push_back(
        {"--input", Choice(&pool_options_.input, "http", EnvoyInput::kHttp, "opa", EnvoyInput::kOpa)});
    syntax->setters.push_back(
        {"--error-form", Choice(&options_.error_form, "response", ErrorForm::kResponse, "status", ErrorForm::kStatus)});
  }

  std::string Finish(const ServeOptions& options) override {
    if (listen_.empty()) listen_.emplace_back(kDefaultListener);
    for (const std::string& text : listen_) {
      ListenerOptions listener;
      std::string fault = ParseListener(text, &listener);
      if (fault.empty() && listener.info.dialect != AuthDialect::kNone) fault = "there are no dialects of gRPC";
      if (!fault.empty()) return absl::StrCat("--grpc-listen ", text, ": ", fault);
      options_.listeners.push_back(listener);
    }
    options_.tls = options.server.tls;
    options_.limits = options.server.limits;
    options_.max_message = options.service.max_body + kBytesBesideBody;
    pool_options_.threads = options.server.threads;
    pool_options_.max_callers = options.server.threads;
    // More than there is room for, so that whoever comes then is told so, and does not wait in Envoy.
    options_.max_streams =
        std::clamp(2 * options.server.limits.max_queue * options.server.threads, kFewestStreams, kMostStreams);
    pool_options_.max_queue = options.server.limits.max_queue;
    pool_options_.max_bytes = options.server.limits.max_body_bytes;
    return "";
  }

  // gRPC waits for calls, and the pool answers them: so it ends last.
  absl::Status Start(Service* service) override {
    service_ = service;
    options_.is_traced = service->log() != nullptr;
    options_.metrics = service->metrics();
    pool_ = std::make_unique<EnvoyPool>(pool_options_, service);
    server_ = std::make_unique<GrpcServer>(options_, pool_.get());
    absl::Status status = pool_->Start();
    if (status.ok()) status = server_->Start();
    if (!status.ok()) Stop(std::chrono::milliseconds(0), [] { return true; });
    return status;
  }
  std::vector<std::string> Addresses() const override { return server_->Addresses(); }
  void Refresh() override { server_->SetServing(service_->is_ready()); }
  void Stop(std::chrono::milliseconds time, const Server::IsUrgent& is_urgent) override {
    server_->Stop(time, is_urgent);
    server_ = nullptr;
    pool_ = nullptr;
  }

 private:
  GrpcServerOptions options_;
  EnvoyPoolOptions pool_options_;
  std::vector<std::string> listen_;
  Service* service_ = nullptr;
  std::unique_ptr<EnvoyPool> pool_;
  std::unique_ptr<GrpcServer> server_;
};

// One event of gRPC a second: clients make it say something as often as they like.
void LogGrpc(std::string_view message) {
  constexpr std::chrono::seconds kBetween{1};
  static std::mutex& mutex = *new std::mutex;
  static std::chrono::steady_clock::time_point next;
  static uint64_t left_out = 0;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto now = std::chrono::steady_clock::now();
  if (now < next) return static_cast<void>(++left_out);
  LogEvent("error", "grpc", {{"error", std::string(message)}, {"left_out_before", absl::StrCat(left_out)}});
  next = now + kBetween;
  left_out = 0;
}

// What the libraries say on stderr becomes events; what protobuf says of messages that are wrong is for nobody.
void TameLibraries() {
  google::protobuf::SetLogHandler(nullptr);
  gpr_set_log_verbosity(GPR_LOG_SEVERITY_ERROR);
  // gRPC says here why it is about to call abort(). GuardMemory() looks at errno then.
  gpr_set_log_function([](gpr_log_func_args* entry) {
    const int error = errno;
    internal::WithMemory([&] { LogGrpc(entry->message); }, [] {});
    errno = error;
  });
}

int Main(const std::vector<std::string_view>& arguments) {
  TameLibraries();
  EnvoyAddition addition;
  return RunServeProgram(kCommand, arguments, &addition);
}

}  // namespace
}  // namespace hcl::serve

int main(int argc, char** argv) {
  hcl::cmd::OccupyClosedStreams();
  return hcl::cmd::FinishOutput(hcl::serve::kCommand, hcl::cmd::GuardMemory(hcl::serve::kCommand, [&] {
                                  return hcl::serve::Main({argv + 1, argv + argc});
                                }));
}

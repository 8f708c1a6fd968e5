// echo_check ADDRESS: the server of hclvm-envoy with nothing behind it: each question passes, with its path in a
// header.
//
// What bench/envoy measures the service beside: the same library, the same messages, the same sockets.

#include <signal.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "google/protobuf/arena.h"
#include "hclvm/cmd/hclvm-envoy/grpc_server.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"

namespace hcl::serve {

using envoy::service::auth::v3::CheckResponse;
namespace {

class EchoHandler : public EnvoyHandler {
 public:
  void Submit(EnvoyCall* call) override {
    alignas(std::max_align_t) char block[1 << 10];
    google::protobuf::Arena arena(block, sizeof(block));
    auto* const response = google::protobuf::Arena::CreateMessage<CheckResponse>(&arena);
    auto* const option = response->mutable_ok_response()->add_headers();
    option->mutable_header()->set_key("x-path");
    option->mutable_header()->set_value(call->request().attributes().request().http().path());
    response->SerializeToString(call->response());
    call->Done(AuthOutcome::kAllow);
  }
  void Deny(EnvoyCall* call, const std::string& /*reason*/) override { call->Done(AuthOutcome::kCanceled); }
};

int Main(int argc, char** argv) {
  GrpcServerOptions options;
  ListenerOptions listener;
  if (argc != 2 || !ParseListener(argv[1], &listener).empty()) return std::fputs("echo_check ADDRESS\n", stderr), 2;
  options.listeners.push_back(listener);
  options.max_message = 1 << 20;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  EchoHandler handler;
  GrpcServer server(options, &handler);
  absl::Status status = server.Start();
  if (!status.ok()) return std::fprintf(stderr, "%s\n", std::string(status.message()).c_str()), 1;
  server.SetServing(true);
  int number = 0;
  sigwait(&signals, &number);
  server.Stop(std::chrono::milliseconds(100), [] { return false; });
  return 0;
}

}  // namespace
}  // namespace hcl::serve

int main(int argc, char** argv) { return hcl::serve::Main(argc, argv); }

// echo_server ADDRESS THREADS: the server of hclvm-serve with nothing behind it: each request is answered with its
// body.
//
// What bench/serve measures the service beside: the same sockets, the same parser, the same threads.

#include <signal.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {
namespace {

class EchoWorker : public HttpWorker {
 public:
  bool Handle(const HttpRequest& request, HttpResponse* response,
              const std::function<HttpReply()>& /*later*/) override {
    response->body = std::string(request.body);
    return true;
  }
  void AfterResponse() override {}
  size_t BodyLimit(const HttpRequest& /*request*/) const override { return 1 << 20; }
  void Refuse(const HttpRequest& /*request*/, Refusal /*refusal*/, HttpResponse* response) override {
    response->status = 503;
  }
};

int Main(int argc, char** argv) {
  ServerOptions options;
  ListenerOptions listener;
  if (argc != 3 || !ParseListener(argv[1], &listener).empty())
    return std::fputs("echo_server ADDRESS THREADS\n", stderr), 2;
  options.listeners.push_back(listener);
  options.threads = static_cast<unsigned>(std::atoi(argv[2]));
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  Metrics metrics;
  Server server(options, &metrics);
  absl::Status status = server.Open([] { return std::make_unique<EchoWorker>(); });
  if (status.ok()) status = server.Start();
  if (!status.ok()) return std::fprintf(stderr, "%s\n", std::string(status.message()).c_str()), 1;
  int number = 0;
  sigwait(&signals, &number);
  server.Stop(std::chrono::milliseconds(100), [] { return false; });
  return 0;
}

}  // namespace
}  // namespace hcl::serve

int main(int argc, char** argv) { return hcl::serve::Main(argc, argv); }

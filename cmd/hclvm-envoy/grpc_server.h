// GrpcServer: Envoy's questions over gRPC, health and reflection. What answers knows nothing of gRPC.
//
// Tested by tests/envoy/envoy_test.py.

#ifndef HCLVM_CMD_HCLVM_ENVOY_GRPC_SERVER_H_
#define HCLVM_CMD_HCLVM_ENVOY_GRPC_SERVER_H_

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/cmd/hclvm-serve/io_thread.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/cmd/hclvm-serve/server.h"
#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// How Envoy hears of what is no answer of a policy.
enum class ErrorForm {
  kResponse,  // `error_response`
  kStatus,    // the status of the call, as Envoys need it that do not know `error_response`
};

struct GrpcServerOptions {
  std::vector<ListenerOptions> listeners;
  TlsOptions tls;  // of listeners on TCP; none without a certificate
  ServerLimits limits;
  size_t max_message = 0;     // bytes of a question
  size_t max_streams = 1000;  // calls of a connection at a time; further ones wait on the client's side
  ErrorForm error_form = ErrorForm::kResponse;
  bool is_traced = false;      // questions say which trace they belong to
  Metrics* metrics = nullptr;  // must outlive the server; null: nothing is counted
};

// Belongs to one thread, but for SetServing().
class GrpcServer {
 public:
  // The handler must outlive it, and answer all that it has been given.
  GrpcServer(const GrpcServerOptions& options, EnvoyHandler* handler);
  ~GrpcServer();

  // Listens and starts the threads. Fails, with nothing started, where an address cannot be had or a file cannot be
  // read.
  absl::Status Start();
  // Where it listens, with ports that the system has chosen.
  std::vector<std::string> Addresses() const;
  // What health says: nothing serves until it is told to. From any thread.
  void SetServing(bool serving);
  // Takes no further calls, lets those under way finish for at most `time`, and ends.
  void Stop(std::chrono::milliseconds time, const Server::IsUrgent& is_urgent);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_ENVOY_GRPC_SERVER_H_

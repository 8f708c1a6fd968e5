// GrpcAcceptor: listens for gRPC, which is given the connections.
//
// gRPC could listen itself. This one has no bound for connections, and when descriptors have run out once it never
// accepts again. Tested by tests/envoy/envoy_test.py.

#ifndef HCLVM_CMD_HCLVM_ENVOY_GRPC_ACCEPTOR_H_
#define HCLVM_CMD_HCLVM_ENVOY_GRPC_ACCEPTOR_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/cmd/hclvm-serve/listener_options.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// Belongs to one thread.
class GrpcAcceptor {
 public:
  // Gets the descriptor of a connection, which it has to close. Called from a thread of the acceptor's own.
  using Take = std::function<void(bool is_tcp, int descriptor)>;

  // Further connections are closed where so many are open. `metrics`, which counts them, must outlive it; null: none.
  GrpcAcceptor(size_t max_connections, Metrics* metrics, Take take);
  ~GrpcAcceptor();

  // Listens at one more address; before Start().
  absl::Status Listen(const ListenerOptions& options);
  // Where it listens, in the order of the calls.
  const std::vector<std::string>& addresses() const;
  absl::Status Start();
  // Accepts no further connections. Those that were given away stay.
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_ENVOY_GRPC_ACCEPTOR_H_

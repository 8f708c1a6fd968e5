// The service grpc.health.v1.Health: whether questions are answered.
//
// Tested by tests/envoy/envoy_test.py.

#ifndef HCLVM_CMD_HCLVM_ENVOY_HEALTH_SERVICE_H_
#define HCLVM_CMD_HCLVM_ENVOY_HEALTH_SERVICE_H_

#include <mutex>
#include <set>

#include "grpcpp/grpcpp.h"
#include "hclvm/serve/proto/health.grpc.pb.h"

namespace hcl::serve {

// Thread-safe. Nothing serves until SetServing(true). Knows the names "" and "envoy.service.auth.v3.Authorization".
// gRPC has a service of its own, which says that all is well from the start of the server until it is told otherwise.
class HealthService final : public grpc::health::v1::Health::CallbackService {
 public:
  grpc::ServerUnaryReactor* Check(grpc::CallbackServerContext* context,
                                  const grpc::health::v1::HealthCheckRequest* request,
                                  grpc::health::v1::HealthCheckResponse* response) override;
  grpc::ServerWriteReactor<grpc::health::v1::HealthCheckResponse>* Watch(
      grpc::CallbackServerContext* context, const grpc::health::v1::HealthCheckRequest* request) override;

  // Tells all who watch.
  void SetServing(bool serving);
  // Ends all who watch: the server that is to stop would wait for them.
  void Stop();

 private:
  class Watcher;

  std::mutex mutex_;
  bool serving_ = false;  // under the mutex, as what follows
  bool stopping_ = false;
  std::set<Watcher*> watchers_;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_ENVOY_HEALTH_SERVICE_H_

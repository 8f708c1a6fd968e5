// Health. Tested by tests/envoy/envoy_test.py.
//
// gRPC calls what a watcher overrides from threads of its own, never within the calls that are made here, so that these
// can be made under the mutex.

#include "hclvm/cmd/hclvm-envoy/health_service.h"

#include <optional>
#include <string>

namespace hcl::serve {

using grpc::health::v1::HealthCheckRequest;
using grpc::health::v1::HealthCheckResponse;
namespace {

constexpr size_t kMaxWatchers = 1000;

bool IsKnown(const std::string& service) { return service.empty() || service == "envoy.service.auth.v3.Authorization"; }

HealthCheckResponse::ServingStatus StatusOf(bool known, bool serving) {
  if (!known) return HealthCheckResponse::SERVICE_UNKNOWN;
  return serving ? HealthCheckResponse::SERVING : HealthCheckResponse::NOT_SERVING;
}

}  // namespace

// One who watches: is told the status now, and whenever it has changed since it was told last.
class HealthService::Watcher final : public grpc::ServerWriteReactor<HealthCheckResponse> {
 public:
  Watcher(HealthService* health, bool known) : health_(*health), known_(known) {}

  // With the mutex.
  void Tell() {
    const auto status = StatusOf(known_, health_.serving_);
    if (is_writing_ || has_ended_ || told_ == status) return;
    told_ = status;
    is_writing_ = true;
    response_.set_status(status);
    StartWrite(&response_);
  }
  void End(const grpc::Status& status) {
    if (has_ended_) return;
    has_ended_ = true;
    Finish(status);
  }

  void OnWriteDone(bool ok) override {
    const std::lock_guard<std::mutex> lock(health_.mutex_);
    is_writing_ = false;
    if (ok) return Tell();
    End(grpc::Status::CANCELLED);
  }
  void OnCancel() override {
    const std::lock_guard<std::mutex> lock(health_.mutex_);
    End(grpc::Status::CANCELLED);
  }
  void OnDone() override {
    {
      const std::lock_guard<std::mutex> lock(health_.mutex_);
      health_.watchers_.erase(this);
    }
    delete this;
  }

 private:
  HealthService& health_;
  const bool known_;
  std::optional<HealthCheckResponse::ServingStatus> told_;
  bool is_writing_ = false;
  bool has_ended_ = false;
  HealthCheckResponse response_;
};

grpc::ServerUnaryReactor* HealthService::Check(grpc::CallbackServerContext* context, const HealthCheckRequest* request,
                                               HealthCheckResponse* response) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  if (!IsKnown(request->service())) {
    reactor->Finish(grpc::Status(grpc::StatusCode::NOT_FOUND, "no such service"));
    return reactor;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    response->set_status(StatusOf(true, serving_));
  }
  reactor->Finish(grpc::Status::OK);
  return reactor;
}

grpc::ServerWriteReactor<HealthCheckResponse>* HealthService::Watch(grpc::CallbackServerContext* /*context*/,
                                                                    const HealthCheckRequest* request) {
  auto* const watcher = new Watcher(this, IsKnown(request->service()));
  const std::lock_guard<std::mutex> lock(mutex_);
  watchers_.insert(watcher);
  if (stopping_) {
    watcher->End(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server ends"));
  } else if (watchers_.size() > kMaxWatchers) {
    watcher->End(grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "too many watch"));
  } else {
    watcher->Tell();
  }
  return watcher;
}

void HealthService::SetServing(bool serving) {
  const std::lock_guard<std::mutex> lock(mutex_);
  serving_ = serving;
  for (Watcher* const watcher : watchers_) watcher->Tell();
}

void HealthService::Stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = true;
  for (Watcher* const watcher : watchers_) watcher->End(grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server ends"));
}

}  // namespace hcl::serve

// Threads for Envoy's questions. Tested by serve/envoy_pool_test.cc.
//
// Threads of our own, beside those of the transport: so health is told and calls are canceled while all of ours
// evaluate, and whoever comes when there is no room hears of it at once.

#include "hclvm/serve/envoy_pool.h"

#include "hclvm/serve/metrics.h"

namespace hcl::serve {

EnvoyPool::EnvoyPool(const EnvoyPoolOptions& options, Service* service) : options_(options), service_(*service) {}

void EnvoyPool::Start() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = false;
  for (unsigned n = 0; n < options_.threads; ++n) threads_.emplace_back([this] { Run(); });
}

void EnvoyPool::Submit(EnvoyCall* call) {
  const size_t bytes = call->request().ByteSizeLong();
  AuthOutcome refusal = AuthOutcome::kOverload;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) {
      refusal = AuthOutcome::kNotReady;
    } else if (queue_.size() < options_.max_queue * options_.threads && bytes <= options_.max_bytes - bytes_) {
      queue_.push_back({call, bytes});
      bytes_ += bytes;
      call = nullptr;
    }
  }
  if (call == nullptr) return changed_.notify_one();
  EnvoyWorker::Refuse(refusal, &service_, call->response());
  call->Done(refusal);
}

void EnvoyPool::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void EnvoyPool::Run() {
  EnvoyWorker worker(&service_, options_.input);
  for (;;) {
    EnvoyCall* call = nullptr;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      call = queue_.front().call;
      bytes_ -= queue_.front().bytes;
      queue_.pop_front();
    }
    const AuthOutcome outcome = worker.Check(call->request(), call->context(), call->response());
    call->Done(outcome);
    worker.AfterResponse();
  }
}

}  // namespace hcl::serve

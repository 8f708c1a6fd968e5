// EnvoyPool: threads that answer Envoy's questions, and a queue before them, whatever carries the questions.
//
// Tested by serve/envoy_pool_test.cc, by a transport of its own.

#ifndef HCLVM_SERVE_ENVOY_POOL_H_
#define HCLVM_SERVE_ENVOY_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/envoy_worker.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

struct EnvoyPoolOptions {
  EnvoyInput input = EnvoyInput::kHttp;
  unsigned threads = 1;
  size_t max_queue = 1000;        // questions that wait, for each thread
  size_t max_bytes = 256u << 20;  // of these
};

// Thread-safe. The service must outlive it.
class EnvoyPool : public EnvoyHandler {
 public:
  EnvoyPool(const EnvoyPoolOptions& options, Service* service);
  ~EnvoyPool() override { Stop(); }

  // Starts the threads.
  void Start();
  // Where there is no room, the answer says so, and comes at once.
  void Submit(EnvoyCall* call) override;
  // Answers what waits, and ends the threads. What comes later is answered that there is no service.
  void Stop();

 private:
  struct Waiting {
    EnvoyCall* call;
    size_t bytes;
  };

  void Run();

  const EnvoyPoolOptions options_;
  Service& service_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;  // under the mutex, as what follows
  size_t bytes_ = 0;           // of the queue
  bool stopping_ = true;       // until Start()
  std::vector<std::thread> threads_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_POOL_H_

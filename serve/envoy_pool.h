// EnvoyPool: what answers Envoy's questions, and a queue before it, whatever carries the questions.
//
// Tested by serve/envoy_pool_test.cc, by a transport of its own, and by tests/refused_service_test.cc.

#ifndef HCLVM_SERVE_ENVOY_POOL_H_
#define HCLVM_SERVE_ENVOY_POOL_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/envoy_worker.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"

namespace hcl::serve {

struct EnvoyPoolOptions {
  EnvoyInput input = EnvoyInput::kHttp;
  unsigned threads = 1;           // that evaluate at a time
  unsigned max_callers = 0;       // of these, how many may be threads that call Submit()
  size_t max_queue = 1000;        // questions that wait, for each thread
  size_t max_bytes = 256u << 20;  // of these
};

// Thread-safe. The service must outlive it.
class EnvoyPool : public EnvoyHandler {
 public:
  EnvoyPool(const EnvoyPoolOptions& options, Service* service);
  ~EnvoyPool() override { Stop(); }

  // Starts the threads. Fails where the system does not give all of them; Stop() ends those that there are.
  absl::Status Start();
  // Answers in the calling thread, if it may, as far as that takes a millisecond, and what has come meanwhile;
  // otherwise a thread of the pool does. Where there is no room, the answer says so, and comes at once.
  void Submit(EnvoyCall* call) override;
  void Deny(EnvoyCall* call, const std::string& reason) override;
  // Answers what waits, and ends the threads. What comes later is answered that there is no service.
  void Stop();

 private:
  struct Waiting {
    EnvoyCall* call;
    size_t bytes;
  };

  void Run();
  // The next one that waits. Requires that there is one, and the mutex.
  EnvoyCall* Take();
  // A worker where the calling thread is to answer, otherwise null.
  EnvoyWorker* BecomeCaller();
  void AnswerAsCaller(EnvoyWorker* worker, EnvoyCall* call);
  // As those of the worker; where memory is refused, the call is, and nothing is logged.
  std::optional<AuthOutcome> CheckUntil(std::chrono::steady_clock::time_point until, EnvoyWorker* worker,
                                        EnvoyCall* call);
  static void AfterResponse(EnvoyWorker* worker);
  // Puts the call into the queue, under the mutex. False where memory is refused.
  bool Push(const Waiting& waiting, bool is_first);
  // The response to a call for which there is no memory.
  AuthOutcome RefuseForMemory(EnvoyCall* call);

  const EnvoyPoolOptions options_;
  Service& service_;
  std::vector<std::unique_ptr<EnvoyWorker>> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;         // under the mutex, as what follows
  size_t bytes_ = 0;                  // of the queue
  bool stopping_ = true;              // until Start()
  std::vector<EnvoyWorker*> idle_;    // the one that has worked last behind
  std::vector<EnvoyWorker*> asking_;  // have answered, and have to ask the shadow bundle
  unsigned callers_ = 0;              // that answer
  // Until then the threads of the pool answer, since a question has taken long.
  std::chrono::steady_clock::time_point no_callers_until_;
  std::vector<std::thread> threads_;
};

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_ENVOY_POOL_H_

// IoThread: one thread of the server: its event loop, its worker, its connections, and the requests that wait for it.
//
// Nothing is shared by threads but counters, so that a request takes no lock. Tested by tests/serve/*_test.py.

#ifndef HCLVM_CMD_HCLVM_SERVE_IO_THREAD_H_
#define HCLVM_CMD_HCLVM_SERVE_IO_THREAD_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>

#include "absl/status/status.h"
#include "boost/asio/executor_work_guard.hpp"
#include "boost/asio/io_context.hpp"
#include "boost/asio/steady_timer.hpp"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"

namespace hcl::serve {

// What the server bounds.
struct ServerLimits {
  size_t max_head = 16 << 10;
  size_t max_connections = 10'000;
  size_t max_queue = 1000;                   // requests that wait, for each thread
  size_t max_body_bytes = 256u << 20;        // of all bodies that are being read or sent, in all threads
  std::chrono::seconds idle_timeout{75};     // between requests
  std::chrono::seconds request_timeout{10};  // for one to come, and for an answer to be taken
};

// What all threads have in common.
struct ServerState {
  ServerLimits limits;
  Metrics* metrics = nullptr;
  std::atomic<size_t> connections{0};
  std::atomic<size_t> body_bytes{0};
  std::atomic<bool> draining{false};  // no connection goes on behind its request
};

// A connection, to its thread. Only this thread calls it.
class IoConnection {
 public:
  virtual ~IoConnection() = default;
  virtual void Start() = 0;
  // Answers the request that has waited, and goes on.
  virtual void Process() = 0;
  // Called about twice a second; closes what is too slow.
  virtual void Tick(std::chrono::steady_clock::time_point now) = 0;
  virtual void Close() = 0;
};

class IoThread {
 public:
  IoThread(ServerState* state, std::unique_ptr<HttpWorker> worker);
  ~IoThread();

  // Starts the thread. Fails where the system gives none.
  absl::Status Start();
  // Closes all connections and ends the thread.
  void Stop();

  boost::asio::io_context* context() { return &context_; }
  ServerState* state() { return &state_; }
  HttpWorker* worker() { return worker_.get(); }

  // Only in the thread:
  void Add(const std::shared_ptr<IoConnection>& connection) { connections_.insert(connection); }
  void Remove(const std::shared_ptr<IoConnection>& connection) { connections_.erase(connection); }
  // Whether a request that has come can be answered at once: none waits, and little time was spent since the thread
  // has last looked at all sockets.
  bool MayAnswer() const { return queue_.empty() && may_spend_.count() > 0; }
  // So much time was spent on answering.
  void Spend(std::chrono::steady_clock::duration time) { may_spend_ -= time; }
  // Puts the connection's request into the queue; false where that is full.
  bool Enqueue(std::shared_ptr<IoConnection> connection);
  // The header field `date`, of the last tick.
  const std::string& date() const { return date_; }
  // Memory for reading from sockets.
  char* room() { return room_.get(); }
  static constexpr size_t kRoom = 1 << 16;

 private:
  void Run();
  void DrainLater();
  void Drain();
  void Tick();

  ServerState& state_;
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  boost::asio::steady_timer timer_;
  const std::unique_ptr<HttpWorker> worker_;
  std::unordered_set<std::shared_ptr<IoConnection>> connections_;
  std::deque<std::shared_ptr<IoConnection>> queue_;
  bool is_draining_ = false;                          // Drain() is going to run
  bool is_ticking_ = false;                           // the timer is set
  std::chrono::steady_clock::duration may_spend_{0};  // until the thread looks at all sockets again
  std::string date_;
  std::unique_ptr<char[]> room_;
  std::thread thread_;
};

}  // namespace hcl::serve

#endif  // HCLVM_CMD_HCLVM_SERVE_IO_THREAD_H_

// IoThread. Tested by tests/serve/*_test.py.
//
// When answers have taken some time, all sockets are looked at before the next one, and what has come is put into the
// queue: so that is as long as the work that waits, and who comes when it is full is told so at once, instead of
// waiting behind the others. Until then requests are answered where they are read: to look at the sockets costs as much
// as to answer some.

#include "hclvm/cmd/hclvm-serve/io_thread.h"

#include <ctime>
#include <utility>
#include <vector>

#include "boost/asio/post.hpp"
#include "hclvm/base/out_of_memory.h"
#include "hclvm/serve/start_thread.h"

namespace hcl::serve {
namespace {

constexpr std::chrono::milliseconds kTick{500};
// How long answers may take until all sockets are looked at.
constexpr std::chrono::milliseconds kMaySpend{1};

std::string HttpDate() {
  const std::time_t now = std::time(nullptr);
  std::tm civil = {};
  gmtime_r(&now, &civil);
  char text[64];
  const size_t size = std::strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S GMT", &civil);
  return {text, size};
}

}  // namespace

IoThread::IoThread(ServerState* state, std::unique_ptr<HttpWorker> worker)
    : state_(*state),
      guard_(context_.get_executor()),
      timer_(context_),
      worker_(std::move(worker)),
      date_(HttpDate()),
      room_(new char[kRoom]) {}

IoThread::~IoThread() { Stop(); }

absl::Status IoThread::Start() {
  return StartThread([this] { Run(); }, &thread_);
}

// Connections see to their own memory. What is refused to the thread itself ends a piece of its work and no more: what
// that should have set going is done here.
void IoThread::Run() {
  for (;;) {
    const bool has_ended = internal::WithMemory(
        [this] {
          if (!is_ticking_) Tick();
          DrainLater();
          context_.run();
          return true;
        },
        [this] {
          Count(&state_.metrics->overloads);
          return false;
        });
    if (has_ended) return;
  }
}

void IoThread::Stop() {
  if (!thread_.joinable()) return;
  boost::asio::post(context_, [this] {
    timer_.cancel();
    const std::vector<std::shared_ptr<IoConnection>> all(connections_.begin(), connections_.end());
    for (const auto& connection : all) connection->Close();
    queue_.clear();
    guard_.reset();
    context_.stop();
  });
  thread_.join();
  connections_.clear();
}

bool IoThread::Enqueue(std::shared_ptr<IoConnection> connection) {
  if (queue_.size() >= state_.limits.max_queue) return false;
  queue_.push_back(std::move(connection));
  DrainLater();
  return true;
}

void IoThread::DrainLater() {
  if (is_draining_ || queue_.empty()) return;
  boost::asio::post(context_, [this] { Drain(); });
  is_draining_ = true;
}

// Runs behind everything that was there when it was posted.
void IoThread::Drain() {
  may_spend_ = kMaySpend;
  while (!queue_.empty() && may_spend_.count() > 0) {
    const std::shared_ptr<IoConnection> connection = std::move(queue_.front());
    queue_.pop_front();
    connection->Process();
  }
  is_draining_ = false;
  DrainLater();
}

void IoThread::Tick() {
  timer_.expires_after(kTick);
  timer_.async_wait([this](const boost::system::error_code& error) {
    is_ticking_ = false;
    if (error) return;
    date_ = HttpDate();
    const auto now = std::chrono::steady_clock::now();
    // Whoever closes removes itself.
    const std::vector<std::shared_ptr<IoConnection>> all(connections_.begin(), connections_.end());
    for (const auto& connection : all) connection->Tick(now);
    Tick();
  });
  is_ticking_ = true;
}

}  // namespace hcl::serve

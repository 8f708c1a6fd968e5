// Who answers Envoy's questions. Tested by serve/envoy_pool_test.cc.
//
// To hand a question to another thread and back costs more than most policies do. So a thread of the transport answers
// itself. It must not stay away for long, since it is one of few that read, tell health and hear of cancellations: what
// takes longer than a moment begins anew in a thread of the pool, and so do further questions for some time. Nothing is
// lost by that but the moment, since decisions have no effects. A shadow bundle, which may take as long as a decision,
// is always asked by a thread of the pool. Whoever comes when there is no room hears of it at once.
//
// Where the system refuses memory for an answer, the question is refused, and all go on.

#include "hclvm/serve/envoy_pool.h"

#include <chrono>
#include <optional>
#include <utility>

#include "hclvm/base/out_of_memory.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/start_thread.h"

namespace hcl::serve {
namespace {

// How long a thread of the transport may stay.
constexpr std::chrono::milliseconds kMaySpend{1};
// How long the pool answers when that was too short, so that little is done in vain.
constexpr std::chrono::milliseconds kPause{50};

}  // namespace

EnvoyPool::EnvoyPool(const EnvoyPoolOptions& options, Service* service) : options_(options), service_(*service) {}

absl::Status EnvoyPool::Start() {
  const std::lock_guard<std::mutex> lock(mutex_);
  stopping_ = false;
  threads_.reserve(options_.threads);
  // What returns a worker takes no memory.
  idle_.reserve(options_.threads);
  asking_.reserve(options_.threads);
  for (unsigned n = 0; n < options_.threads; ++n) {
    workers_.push_back(std::make_unique<EnvoyWorker>(&service_, options_.input));
    idle_.push_back(workers_.back().get());
    std::thread thread;
    absl::Status status = StartThread([this] { Run(); }, &thread);
    if (!status.ok()) return status;
    threads_.push_back(std::move(thread));
  }
  return absl::OkStatus();
}

void EnvoyPool::Submit(EnvoyCall* call) {
  if (EnvoyWorker* const worker = BecomeCaller()) return AnswerAsCaller(worker, call);
  const size_t bytes = call->request().ByteSizeLong();
  AuthOutcome refusal = AuthOutcome::kOverload;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopping_) {
      refusal = AuthOutcome::kNotReady;
    } else if (queue_.size() < options_.max_queue * options_.threads && bytes <= options_.max_bytes - bytes_ &&
               Push({call, bytes}, /*is_first=*/false)) {
      bytes_ += bytes;
      call = nullptr;
    }
  }
  if (call == nullptr) return changed_.notify_one();
  refusal = internal::WithMemory([&] { return EnvoyWorker::Refuse(refusal, &service_, call->response()), refusal; },
                                 [&] { return RefuseForMemory(call); });
  call->Done(refusal);
}

void EnvoyPool::Deny(EnvoyCall* call, const std::string& reason) {
  call->Done(internal::WithMemory(
      [&] { return EnvoyWorker::Deny(reason, &service_, call->response()), AuthOutcome::kRefused; },
      [&] { return RefuseForMemory(call); }));
}

// Half a response must not be taken for one. Where there is not even memory for a refusal, the call fails as one that
// nobody waits for, which no client takes for leave.
AuthOutcome EnvoyPool::RefuseForMemory(EnvoyCall* call) {
  call->response()->clear();
  return internal::WithMemory(
      [&] { return EnvoyWorker::Refuse(AuthOutcome::kOverload, &service_, call->response()), AuthOutcome::kOverload; },
      [&] { return call->response()->clear(), AuthOutcome::kCanceled; });
}

std::optional<AuthOutcome> EnvoyPool::CheckUntil(std::chrono::steady_clock::time_point until, EnvoyWorker* worker,
                                                 EnvoyCall* call) {
  return internal::WithMemory(
      [&] { return worker->CheckUntil(until, call->request(), call->context(), call->response()); },
      [&] { return worker->GiveUp(), std::make_optional(RefuseForMemory(call)); });
}

void EnvoyPool::AfterResponse(EnvoyWorker* worker) {
  internal::WithMemory([&] { return worker->AfterResponse(), true; }, [&] { return worker->GiveUp(), false; });
}

bool EnvoyPool::Push(const Waiting& waiting, bool is_first) {
  return internal::WithMemory([&] { return is_first ? queue_.push_front(waiting) : queue_.push_back(waiting), true; },
                              [] { return false; });
}

// Not past what waits already.
EnvoyWorker* EnvoyPool::BecomeCaller() {
  if (options_.max_callers == 0) return nullptr;
  const auto now = std::chrono::steady_clock::now();
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool may = !stopping_ && queue_.empty() && callers_ < options_.max_callers && now >= no_callers_until_;
  if (!may || idle_.empty()) return nullptr;
  EnvoyWorker* const worker = idle_.back();
  idle_.pop_back();
  ++callers_;
  return worker;
}

void EnvoyPool::AnswerAsCaller(EnvoyWorker* worker, EnvoyCall* call) {
  const auto end = std::chrono::steady_clock::now() + kMaySpend;
  for (;;) {
    const auto outcome = CheckUntil(end, worker, call);
    const bool asks_shadow = outcome && worker->asks_shadow();
    if (outcome) {
      call->Done(*outcome);
      if (!asks_shadow) AfterResponse(worker);
    }
    const auto now = std::chrono::steady_clock::now();
    std::unique_lock<std::mutex> lock(mutex_);
    if (!outcome) {
      no_callers_until_ = now + kPause;
      if (!Push({call, 0}, /*is_first=*/true)) {
        lock.unlock();
        call->Done(RefuseForMemory(call));
        lock.lock();
      }
    }
    if (asks_shadow) {
      asking_.push_back(worker);
      --callers_;
      return changed_.notify_all();
    }
    if (outcome && now < end && !queue_.empty()) {
      call = Take();
      continue;
    }
    idle_.push_back(worker);
    --callers_;
    // Stop() may wait for this, and what waits for a thread of the pool. Nothing of the pool is touched behind.
    if (stopping_ || !queue_.empty()) changed_.notify_all();
    return;
  }
}

void EnvoyPool::Stop() {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return callers_ == 0; });
  }
  for (std::thread& thread : threads_) thread.join();
  // Of callers that have answered when the threads had ended.
  for (EnvoyWorker* const worker : asking_) AfterResponse(worker);
  asking_.clear();
  threads_.clear();
  idle_.clear();
  workers_.clear();
}

EnvoyCall* EnvoyPool::Take() {
  EnvoyCall* const call = queue_.front().call;
  bytes_ -= queue_.front().bytes;
  queue_.pop_front();
  return call;
}

void EnvoyPool::Run() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !asking_.empty() || (queue_.empty() ? stopping_ : !idle_.empty()); });
    if (!asking_.empty()) {
      EnvoyWorker* const worker = asking_.back();
      asking_.pop_back();
      lock.unlock();
      AfterResponse(worker);
      lock.lock();
      idle_.push_back(worker);
      continue;
    }
    if (queue_.empty()) return;
    EnvoyCall* const call = Take();
    EnvoyWorker* const worker = idle_.back();
    idle_.pop_back();
    lock.unlock();
    call->Done(*CheckUntil(std::chrono::steady_clock::time_point::max(), worker, call));
    AfterResponse(worker);
    lock.lock();
    idle_.push_back(worker);
  }
}

}  // namespace hcl::serve

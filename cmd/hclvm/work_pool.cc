// ForEachIndex: threads take the next few numbers, whenever they are done with theirs, so that none waits for another.
// Tested by cmd/hclvm/work_pool_test.cc.

#include "hclvm/cmd/hclvm/work_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace hcl::cmd {
namespace {

constexpr uint32_t kMaxThreads = 256;
// Numbers that a thread takes at once. So many small files take as long as starting a thread does, and much longer than
// coming by the next numbers.
constexpr size_t kSmallFiles = 4;

#ifdef __linux__

// Where new threads begin. The system has a thread begin where it was made, if all processors have something to do, and
// mostly does not move it within the few milliseconds that such work takes: then two threads share a processor, however
// little the other one does. A thread that was put on another processor is as free as before to be moved again.
class Processors {
 public:
  // What is not known is left to the system.
  Processors() : is_known_(sched_getaffinity(0, sizeof(all_), &all_) == 0), at_(sched_getcpu()) {}

  // Puts `thread` on the processor behind that of the last one, of those that this process may use.
  void Spread(std::thread* thread) {
    if (!is_known_ || at_ < 0) return;
    for (int n = 0; n < CPU_SETSIZE; ++n) {
      at_ = (at_ + 1) % CPU_SETSIZE;
      if (CPU_ISSET(static_cast<size_t>(at_), &all_)) break;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<size_t>(at_), &one);
    pthread_setaffinity_np(thread->native_handle(), sizeof(one), &one);
    pthread_setaffinity_np(thread->native_handle(), sizeof(all_), &all_);
  }

 private:
  cpu_set_t all_;
  const bool is_known_;
  int at_;
};

#else

class Processors {
 public:
  void Spread(std::thread*) {}
};

#endif

class WorkPool {
 public:
  WorkPool(size_t count, size_t at_once, const std::function<void(size_t, uint32_t)>& work)
      : count_(count), at_once_(at_once), work_(work) {}

  void Run(size_t threads) {
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    if (threads > 1) StartOthers(threads, &others);
    Work(0);
    for (std::thread& other : others) other.join();
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  // As many as the system gives.
  void StartOthers(size_t threads, std::vector<std::thread>* others) {
    Processors processors;
    try {
      while (others->size() + 1 < threads) {
        const auto worker = static_cast<uint32_t>(others->size() + 1);
        others->emplace_back([this, worker] { Work(worker); });
        processors.Spread(&others->back());
      }
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
    }
  }

  void Work(uint32_t worker) {
    try {
      for (size_t begin = 0; (begin = next_.fetch_add(at_once_)) < count_;) {
        for (size_t n = begin; n < std::min(begin + at_once_, count_); ++n) work_(n, worker);
      }
    } catch (...) {
      next_ = count_;
      const std::lock_guard<std::mutex> lock(failing_);
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
  }

  const size_t count_;
  const size_t at_once_;
  const std::function<void(size_t, uint32_t)>& work_;
  std::atomic<size_t> next_ = 0;  // past `count_`, by `at_once_` for each thread, when all is taken
  std::mutex failing_;
  std::exception_ptr failure_;
};

}  // namespace

uint32_t ProcessorCount() { return std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads); }

void ForEachIndex(size_t count, uint32_t threads, size_t at_once, const std::function<void(size_t, uint32_t)>& work) {
  const size_t pieces = (count + at_once - 1) / at_once;
  WorkPool(count, at_once, work).Run(std::clamp<size_t>(pieces, 1, std::max(threads, 1u)));
}

void ForEachIndex(size_t count, uint32_t threads, const std::function<void(size_t)>& work) {
  ForEachIndex(count, threads, kSmallFiles, [&](size_t n, uint32_t) { work(n); });
}

}  // namespace hcl::cmd

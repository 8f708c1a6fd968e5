// ForEachIndex: threads take the next few numbers, whenever they are done with theirs, so that none waits for another.
// Tested by cmd/hclvm/work_pool_test.cc.

#include "hclvm/cmd/hclvm/work_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hcl::cmd {
namespace {

constexpr uint32_t kMaxThreads = 256;
// Numbers that a thread takes at once. So many small files take as long as starting a thread does, and much longer than
// coming by the next numbers.
constexpr size_t kBatch = 4;

class WorkPool {
 public:
  WorkPool(size_t count, const std::function<void(size_t)>& work) : count_(count), work_(work) {}

  void Run(size_t threads) {
    std::vector<std::thread> others;
    others.reserve(threads - 1);
    while (others.size() + 1 < threads && Start(&others)) {
    }
    Work();
    for (std::thread& other : others) other.join();
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }

 private:
  bool Start(std::vector<std::thread>* threads) {
    try {
      threads->emplace_back([this] { Work(); });
      return true;
    } catch (const std::exception&) {  // std::system_error or std::bad_alloc
      return false;
    }
  }

  void Work() {
    try {
      for (size_t begin = 0; (begin = next_.fetch_add(kBatch)) < count_;) {
        for (size_t n = begin; n < std::min(begin + kBatch, count_); ++n) work_(n);
      }
    } catch (...) {
      next_ = count_;
      const std::lock_guard<std::mutex> lock(failing_);
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
  }

  const size_t count_;
  const std::function<void(size_t)>& work_;
  std::atomic<size_t> next_ = 0;  // past `count_`, by a batch for each thread, when all is taken
  std::mutex failing_;
  std::exception_ptr failure_;
};

}  // namespace

uint32_t ProcessorCount() { return std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads); }

void ForEachIndex(size_t count, uint32_t threads, const std::function<void(size_t)>& work) {
  WorkPool(count, work).Run(std::clamp<size_t>((count + kBatch - 1) / kBatch, 1, std::max(threads, 1u)));
}

}  // namespace hcl::cmd

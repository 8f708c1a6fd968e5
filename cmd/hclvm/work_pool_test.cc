#include "hclvm/cmd/hclvm/work_pool.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

#ifdef __linux__
#include <sched.h>
#endif

namespace hcl::cmd {
namespace {

TEST(WorkPoolTest, EachNumberOnce) {
  for (const size_t count : {0, 1, 3, 4, 5, 1000}) {
    for (const uint32_t threads : {0, 1, 2, 7}) {
      std::vector<int> calls(count);  // a data race, if two threads were given one number
      ForEachIndex(count, threads, [&](size_t n) { ++calls[n]; });
      EXPECT_EQ(calls, std::vector<int>(count, 1)) << count << " in " << threads;
    }
  }
}

TEST(WorkPoolTest, InOrderInOneThread) {
  std::vector<size_t> order;
  ForEachIndex(100, 1, [&](size_t n) { order.push_back(n); });
  std::vector<size_t> want(100);
  std::iota(want.begin(), want.end(), 0);
  EXPECT_EQ(order, want);
}

// The first call waits until another thread has come as well.
TEST(WorkPoolTest, SeveralThreadsAtATime) {
  std::atomic<bool> others = false;
  ForEachIndex(100, 2, [&](size_t n) {
    if (n > 0) others = true;
    while (!others) std::this_thread::yield();
  });
  EXPECT_TRUE(others);
}

TEST(WorkPoolTest, FewCallsTakeNoThread) {
  std::set<std::thread::id> threads;
  ForEachIndex(4, 8, [&](size_t) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

// Two calls of one worker are never at the same time.
TEST(WorkPoolTest, TellsTheWorker) {
  constexpr uint32_t kThreads = 3;
  for (const size_t at_once : {1, 7}) {
    std::vector<size_t> calls(kThreads);  // a data race, if two threads had one number
    ForEachIndex(1000, kThreads, at_once, [&](size_t, uint32_t worker) {
      ASSERT_LT(worker, kThreads);
      ++calls[worker];
    });
    EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), size_t{0}), 1000u) << at_once;
  }
}

TEST(WorkPoolTest, AThreadForEachPiece) {
  std::atomic<bool> others = false;
  ForEachIndex(2, 2, 1, [&](size_t, uint32_t worker) {
    if (worker > 0) others = true;
    while (!others) std::this_thread::yield();
  });
  EXPECT_TRUE(others);
}

#ifdef __linux__
// Wherever a thread begins, it may use what the process may.
TEST(WorkPoolTest, ThreadsMayUseAllProcessors) {
  cpu_set_t own;
  ASSERT_EQ(sched_getaffinity(0, sizeof(own), &own), 0);
  std::atomic<bool> others = false;
  ForEachIndex(2, 2, 1, [&](size_t, uint32_t worker) {
    if (worker > 0) others = true;
    while (!others) std::this_thread::yield();
    cpu_set_t found;
    CPU_ZERO(&found);
    // The second thread is put somewhere by the first, which may be a moment behind.
    while (sched_getaffinity(0, sizeof(found), &found) == 0 && !CPU_EQUAL(&found, &own)) std::this_thread::yield();
    EXPECT_TRUE(CPU_EQUAL(&found, &own));
  });
}
#endif

TEST(WorkPoolTest, ThrowsOn) {
  for (const uint32_t threads : {1, 4}) {
    std::atomic<size_t> calls = 0;
    EXPECT_THROW(ForEachIndex(100'000, threads,
                              [&](size_t) {
                                ++calls;
                                throw std::bad_alloc();
                              }),
                 std::bad_alloc);
    EXPECT_LE(calls, threads);
  }
}

TEST(WorkPoolTest, ThereIsAProcessor) { EXPECT_GE(ProcessorCount(), 1u); }

}  // namespace
}  // namespace hcl::cmd

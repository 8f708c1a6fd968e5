#include "hclvm/cmd/hclvm/work_pool.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

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

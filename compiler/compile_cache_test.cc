// CompileCache: what is the same, what is kept, and threads that ask for the same.

#include "hclvm/compiler/compile_cache.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/callable.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

TEST(CompileCacheTest, TheSameIsCompiledOnce) {
  CompileCache cache;
  const auto first = cache.Compile(SourceKind::kExpression, "a", "1 + 2", {});
  ASSERT_NE(first->program, nullptr);
  const std::string copy = "1 + 2";
  EXPECT_EQ(cache.Compile(SourceKind::kExpression, "a", copy, {}), first);
  EXPECT_EQ(cache.counts().compilations, 1u);
  EXPECT_EQ(cache.counts().hits, 1u);
  EXPECT_EQ(cache.counts().entries, 1u);
  EXPECT_EQ(Evaluator(first->program).Run().value().AsInt(), 3);
}

// Each line differs from the one before in one thing.
TEST(CompileCacheTest, WhatDiffersIsCompiledApart) {
  CompileCache cache;
  const CompileOptions base;
  std::vector<CompileOptions> options(13, base);
  options[1].dialect = Dialect::kHashiCorp;
  options[2].functions = StandardFunctions();
  options[3].functions = FunctionRegistryBuilder().Build();
  options[4].optimize = false;
  options[5].fast_code = false;
  options[6].limits.max_source_bytes = 1000;
  options[7].limits.max_nesting_depth = 7;
  options[8].limits.max_diagnostics = 8;
  options[9].limits.max_result_bytes = 9;
  options[10].limits.max_number_digits = 10;
  options[11].limits.max_compile_fuel = 11;
  options[12].limits.max_prepared_bytes = 12;
  for (const CompileOptions& each : options) cache.Compile(SourceKind::kExpression, "a", "[1]", each);
  for (const CompileOptions& each : options) cache.Compile(SourceKind::kExpression, "a", "[1]", each);
  EXPECT_EQ(cache.counts().compilations, options.size());
  cache.Compile(SourceKind::kExpression, "b", "[1]", base);
  cache.Compile(SourceKind::kExpression, "a", "[2]", base);
  cache.Compile(SourceKind::kTemplate, "a", "[1]", base);
  cache.Compile(SourceKind::kJsonExpression, "a", "[1]", base);
  cache.Compile(SourceKind::kJsonConfig, "a", "{}", base);
  cache.Compile(SourceKind::kConfig, "a", "", base);
  EXPECT_EQ(cache.counts().compilations, options.size() + 6);
  EXPECT_EQ(cache.counts().hits, options.size());
}

TEST(CompileCacheTest, ErrorsAreKept) {
  CompileCache cache;
  const auto failed = cache.Compile(SourceKind::kExpression, "a", "1 +", {});
  EXPECT_EQ(failed->program, nullptr);
  EXPECT_TRUE(failed->diagnostics.has_errors());
  EXPECT_NE(ToText(failed->diagnostics, failed->source.get()).find("on a line 1"), std::string::npos);
  EXPECT_EQ(cache.Compile(SourceKind::kExpression, "a", "1 +", {}), failed);
  // Also limits that the text alone crosses.
  CompileOptions small;
  small.limits.max_nesting_depth = 2;
  const auto deep = cache.Compile(SourceKind::kExpression, "a", "[[[1]]]", small);
  EXPECT_TRUE(deep->diagnostics.has_limit());
  EXPECT_EQ(cache.Compile(SourceKind::kExpression, "a", "[[[1]]]", small), deep);
}

TEST(CompileCacheTest, WhatWasInterruptedIsNotKept) {
  CompileCache cache;
  const std::atomic<bool> cancel{true};
  CompileOptions options;
  options.limits.interrupt.cancel = &cancel;
  const auto stopped = cache.Compile(SourceKind::kExpression, "a", "1 + x", options);
  EXPECT_EQ(stopped->program, nullptr);
  EXPECT_TRUE(stopped->diagnostics.has_limit());
  EXPECT_EQ(cache.counts().entries, 0u);
  EXPECT_NE(cache.Compile(SourceKind::kExpression, "a", "1 + x", {})->program, nullptr);
  EXPECT_EQ(cache.counts().compilations, 2u);
  // What is there, is there for those as well who may not compile.
  EXPECT_NE(cache.Compile(SourceKind::kExpression, "a", "1 + x", options)->program, nullptr);
}

TEST(CompileCacheTest, HoldsItsBounds) {
  CompileCache few(2);
  for (const char* text : {"1", "2", "1", "3", "1", "2"}) few.Compile(SourceKind::kExpression, "a", text, {});
  // The 3 has taken the place of the 2, since the 1 was asked for later.
  EXPECT_EQ(few.counts().compilations, 4u);
  EXPECT_EQ(few.counts().entries, 2u);

  CompileCache small(1000, 20'000);
  for (int n = 0; n < 100; ++n) {
    small.Compile(SourceKind::kExpression, "a", "[" + std::to_string(n) + ", " + std::string(1000, ' ') + "]", {});
    EXPECT_LE(small.counts().bytes, 20'000u);
  }
  EXPECT_GE(small.counts().entries, 2u);
  EXPECT_LE(small.counts().entries, 20u);
  // One that is larger than all the cache is compiled, and not kept.
  const auto large = small.Compile(SourceKind::kExpression, "a", "[" + std::string(30'000, ' ') + "1]", {});
  EXPECT_NE(large->program, nullptr);
  EXPECT_EQ(small.counts().entries, 0u);
  EXPECT_EQ(small.counts().bytes, 0u);
}

TEST(CompileCacheTest, ClearForgets) {
  CompileCache cache;
  const auto first = cache.Compile(SourceKind::kExpression, "a", "1", {});
  cache.Clear();
  EXPECT_EQ(cache.counts().entries, 0u);
  EXPECT_EQ(cache.counts().bytes, 0u);
  EXPECT_NE(cache.Compile(SourceKind::kExpression, "a", "1", {}), first);
  EXPECT_NE(first->program, nullptr);
}

// A function that holds up the compilation that folds it, until it is told to go on.
class Gate {
 public:
  std::shared_ptr<const FunctionRegistry> Functions() {
    FunctionRegistryBuilder builder;
    builder.Register("wait", [this]() -> int64_t {
      ++entered_;
      while (!open_) std::this_thread::yield();
      return 7;
    });
    return std::move(builder).Build();
  }
  void AwaitEntered() const {
    while (entered_ == 0) std::this_thread::yield();
  }
  void Open() { open_ = true; }
  int entered() const { return entered_; }

 private:
  std::atomic<int> entered_{0};
  std::atomic<bool> open_{false};
};

TEST(CompileCacheTest, ThreadsWaitForWhatIsUnderWay) {
  Gate gate;
  CompileOptions options;
  options.functions = gate.Functions();
  CompileCache cache;
  std::vector<std::shared_ptr<const Compiled>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] { result = cache.Compile(SourceKind::kExpression, "a", "wait()", options); });
  }
  while (cache.counts().waits < 3) std::this_thread::yield();
  gate.AwaitEntered();
  // Others are not held up.
  EXPECT_NE(cache.Compile(SourceKind::kExpression, "a", "1", options)->program, nullptr);
  // One that waits stops when its host wants that.
  CompileOptions hasty = options;
  hasty.limits.interrupt.deadline = std::chrono::steady_clock::now();
  const auto stopped = cache.Compile(SourceKind::kExpression, "a", "wait()", hasty);
  EXPECT_EQ(stopped->program, nullptr);
  ASSERT_EQ(stopped->diagnostics.kept().size(), 1u);
  EXPECT_EQ(stopped->diagnostics.kept()[0].code, DiagnosticCode::kCompilationInterrupted);
  gate.Open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(gate.entered(), 1);
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
  ASSERT_NE(results[0]->program, nullptr);
  EXPECT_EQ(cache.counts().compilations, 2u);
}

TEST(CompileCacheTest, WhoWaitsForAnInterruptedCompilationTriesForItself) {
  Gate gate;
  CompileOptions options;
  options.functions = gate.Functions();
  std::atomic<bool> cancel{false};
  CompileOptions cancelled = options;
  cancelled.limits.interrupt.cancel = &cancel;
  CompileCache cache;
  std::thread first([&] { cache.Compile(SourceKind::kExpression, "a", "wait() + x", cancelled); });
  gate.AwaitEntered();
  std::shared_ptr<const Compiled> result;
  std::thread second([&] { result = cache.Compile(SourceKind::kExpression, "a", "wait() + x", options); });
  while (cache.counts().waits < 1) std::this_thread::yield();
  cancel = true;
  gate.Open();
  first.join();
  second.join();
  ASSERT_NE(result->program, nullptr);
  EXPECT_EQ(cache.counts().compilations, 2u);
}

// Many threads, few texts, and less room than texts.
TEST(CompileCacheTest, ThreadsGetTheirOwnPrograms) {
  CompileCache cache(5);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&, n] {
      for (int i = 0; i < 300; ++i) {
        const int number = (i * (n + 1)) % 9;
        const auto compiled = cache.Compile(SourceKind::kExpression, "a", std::to_string(number), {});
        if (Evaluator(compiled->program).Run().value().AsInt() != number) ++wrong;
        if (i % 100 == 50) cache.Clear();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(cache.counts().entries, 5u);
}

}  // namespace
}  // namespace hcl

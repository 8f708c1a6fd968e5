// EvaluatorPool: what a lease leaves behind, and threads that come and go.

#include "hclvm/vm/evaluator_pool.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::shared_ptr<const Program> Compiled(const std::string& text) {
  Diagnostics diagnostics;
  return CompileConfig(std::make_shared<const Source>("<test>", text), {}, &diagnostics);
}

Value Scope(std::string_view json, Heap* heap) {
  Value scope;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(json, heap, &scope, &error)) << error.detail;
  return scope;
}

std::string Json(const Value& value) {
  std::string text, reason;
  EXPECT_TRUE(AppendJson(value, &text, &reason)) << reason;
  return text;
}

TEST(EvaluatorPoolTest, AnEvaluatorIsUsedAgain) {
  EvaluatorPool pool(Compiled("a = x"));
  EXPECT_EQ(pool.idle(), 0u);
  const Evaluator* first = nullptr;
  {
    const EvaluatorPool::Lease lease = pool.Acquire();
    first = &*lease;
    EXPECT_EQ(pool.idle(), 0u);
  }
  EXPECT_EQ(pool.idle(), 1u);
  const EvaluatorPool::Lease again = pool.Acquire();
  EXPECT_EQ(&*again, first);
  const EvaluatorPool::Lease other = pool.Acquire();
  EXPECT_NE(&*other, first);
}

TEST(EvaluatorPoolTest, TheNextUserSeesNothingOfTheOneBefore) {
  EvaluatorPool pool(Compiled("a = x"));
  const std::atomic<bool> cancel{true};
  {
    const EvaluatorPool::Lease lease = pool.Acquire();
    lease->BindAll(Scope(R"({"x": 1})", lease.scope_heap()));
    EXPECT_EQ(Json(lease->Run().value()), R"({"a":1})");
    lease->set_interrupt(Interrupt{&cancel});
    EXPECT_FALSE(lease->Run().ok());
  }
  const EvaluatorPool::Lease lease = pool.Acquire();
  EXPECT_EQ(lease.scope_heap()->arena()->bytes_used(), 0u);
  const Evaluation& evaluation = lease->Run();
  ASSERT_EQ(evaluation.diagnostics().kept().size(), 1u);
  EXPECT_EQ(evaluation.diagnostics().kept()[0].code, DiagnosticCode::kUnknownVariable);
}

TEST(EvaluatorPoolTest, KeepsAsManyAsItMay) {
  EvaluatorPool pool(Compiled("a = 1"), Limits(), 2);
  {
    std::vector<EvaluatorPool::Lease> leases;
    for (int n = 0; n < 5; ++n) leases.push_back(pool.Acquire());
  }
  EXPECT_EQ(pool.idle(), 2u);
}

TEST(EvaluatorPoolTest, LeasesMoveAndOutliveThePool) {
  auto pool = std::make_unique<EvaluatorPool>(Compiled("a = x"));
  EvaluatorPool::Lease one = pool->Acquire();
  EvaluatorPool::Lease two = pool->Acquire();
  two = std::move(one);
  EXPECT_EQ(pool->idle(), 1u);
  pool.reset();
  two->BindAll(Scope(R"({"x": 1})", two.scope_heap()));
  EXPECT_EQ(Json(two->Run().value()), R"({"a":1})");
}

TEST(EvaluatorPoolTest, ResultsByValueStay) {
  std::optional<KeptEvaluation> kept, failed;
  {
    EvaluatorPool pool(Compiled("a = \"${x} and a text that is not inline\"\nb = [x]"));
    Heap heap;
    kept.emplace(pool.Evaluate(Scope(R"({"x": "one"})", &heap)));
    EXPECT_EQ(Json(pool.Evaluate(Scope(R"({"x": 2})", &heap), *pool.program().FindEntry("b")).value()), "[2]");
    failed.emplace(pool.Evaluate(Scope("{}", &heap)));
    const std::atomic<bool> cancel{true};
    EXPECT_TRUE(pool.Evaluate(Scope("{}", &heap), Interrupt{&cancel}).diagnostics().has_limit());
  }
  ASSERT_TRUE(kept->ok());
  const KeptEvaluation moved = *std::move(kept);
  EXPECT_EQ(Json(moved.value()), R"({"a":"one and a text that is not inline","b":["one"]})");
  EXPECT_FALSE(failed->ok());
  EXPECT_NE(ToText(failed->diagnostics(), &failed->program().source()).find("There is no variable named \"x\""),
            std::string::npos);
}

// Threads that come and go, each with its own scope; each gets the answers to its own.
TEST(EvaluatorPoolTest, ThreadsShareIt) {
  EvaluatorPool pool(Compiled("a = \"answer ${x} for the one who has asked\""), Limits(), 3);
  std::atomic<int> wrong{0};
  for (int round = 0; round < 10; ++round) {
    std::vector<std::thread> threads;
    for (int n = 0; n < 6; ++n) {
      threads.emplace_back([&, n] {
        for (int i = 0; i < 20; ++i) {
          const std::string scope = "{\"x\":" + std::to_string(100 * n + i) + "}";
          const std::string want = "{\"a\":\"answer " + std::to_string(100 * n + i) + " for the one who has asked\"}";
          const EvaluatorPool::Lease lease = pool.Acquire();
          lease->BindAll(Scope(scope, lease.scope_heap()));
          if (Json(lease->Run().value()) != want) ++wrong;
          if (Json(pool.Evaluate(Scope(scope, lease.scope_heap())).value()) != want) ++wrong;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(pool.idle(), 3u);
}

}  // namespace
}  // namespace hcl

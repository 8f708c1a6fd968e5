// The pool, with calls that no gRPC carries: all threads are ours.

#include "hclvm/serve/envoy_pool.h"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::CheckRequest;
using envoy::service::auth::v3::CheckResponse;
using std::chrono::milliseconds;

class TestCall : public EnvoyCall {
 public:
  explicit TestCall(const std::string& path) {
    auto* const http = request_.mutable_attributes()->mutable_request()->mutable_http();
    http->set_path(path);
    http->set_method("GET");
    context_.arrival = std::chrono::steady_clock::now();
    context_.cancel = &canceled_;
  }

  const CheckRequest& request() const override { return request_; }
  const RequestContext& context() const override { return context_; }
  std::string* response() override { return &response_; }
  void Done(AuthOutcome outcome) override {
    if (held_.valid()) held_.wait();
    answered_by_ = std::this_thread::get_id();
    outcome_.set_value(outcome);
  }

  void EndAfter(milliseconds time) { context_.deadline = context_.arrival + time; }
  void Cancel() { canceled_ = true; }
  // The thread that answers stays in Done() until then.
  void HoldUntil(std::shared_future<void> released) { held_ = std::move(released); }
  std::string Wait() { return std::string(NameOf(outcome_.get_future().get())); }
  // After Done().
  std::thread::id answered_by() const { return answered_by_; }
  std::string Metadata(const std::string& name) const {
    CheckResponse told;
    EXPECT_TRUE(told.ParseFromString(response_));
    return told.dynamic_metadata().fields().at(name).string_value();
  }

 private:
  CheckRequest request_;
  std::string response_;
  RequestContext context_;
  std::atomic<bool> canceled_{false};
  std::shared_future<void> held_;
  std::thread::id answered_by_;
  std::promise<AuthOutcome> outcome_;
};

BundleFiles Files(const std::string& allow, const std::string& revision) {
  return {{"authz/p.hcl", "variable \"http\" {\n}\nallow = " + allow + "\n"},
          {"manifest.json", "{\"revision\": \"" + revision + "\"}"}};
}

constexpr char kPublic[] = "http.path == \"/public\"";
// Hours, if nothing ends it, and hardly any memory.
constexpr char kEndless[] =
    "length([for a in range(1000) : 0 if length([for b in range(1000) : 0 if length([for c in range(1000) : 0 if "
    "length([for d in range(1000) : 0 if d + length(http.path) < 0]) > 0]) > 0]) > 0]) == 0";

ServiceOptions Unlimited() {
  ServiceOptions options;
  options.limits.max_fuel = UINT64_MAX;
  options.timeout = std::chrono::hours(24);
  return options;
}

// Whoever answers: threads of the pool, those that ask, or both.
TEST(EnvoyPoolTest, AnswersFromManyThreads) {
  for (const unsigned callers : {0u, 1u, 2u, 3u}) {
    TestService service(Files(kPublic, "1"));
    EnvoyPoolOptions options;
    options.threads = 3;
    options.max_callers = callers;
    EnvoyPool pool(options, service.operator->());
    ASSERT_TRUE(pool.Start().ok());
    std::vector<std::thread> clients;
    for (int client = 0; client < 4; ++client) {
      clients.emplace_back([&pool] {
        for (int n = 0; n < 200; ++n) {
          TestCall call(n % 2 == 0 ? "/public" : "/private");
          pool.Submit(&call);
          EXPECT_EQ(call.Wait(), n % 2 == 0 ? "allow" : "deny");
        }
      });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kAllow)], 400u);
  }
}

TEST(EnvoyPoolTest, CallersAnswerThemselves) {
  TestService service(Files(kPublic, "1"));
  EnvoyPoolOptions options;
  options.max_callers = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  for (int n = 0; n < 3; ++n) {
    TestCall call("/public");
    pool.Submit(&call);
    EXPECT_EQ(call.answered_by(), std::this_thread::get_id());
    EXPECT_EQ(call.Wait(), "allow");
  }
}

// A caller that is slow keeps neither others that may evaluate nor, when it is done, those that wait.
TEST(EnvoyPoolTest, OthersGoOnBesideASlowCaller) {
  for (const unsigned threads : {1u, 2u}) {
    TestService service(Files(kPublic, "1"));
    EnvoyPoolOptions options;
    options.threads = threads;
    options.max_callers = 1;
    EnvoyPool pool(options, service.operator->());
    ASSERT_TRUE(pool.Start().ok());
    std::promise<void> released;
    TestCall held("/public");
    held.HoldUntil(released.get_future().share());
    std::thread caller([&] { pool.Submit(&held); });
    while (service.metrics().checks[static_cast<size_t>(AuthOutcome::kAllow)] == 0) std::this_thread::yield();
    TestCall other("/public");
    pool.Submit(&other);
    std::string said = threads == 2 ? other.Wait() : "";
    released.set_value();
    EXPECT_EQ(held.Wait(), "allow");
    if (threads == 1) said = other.Wait();
    EXPECT_EQ(said, "allow");
    EXPECT_NE(other.answered_by(), std::this_thread::get_id());
    caller.join();
  }
}

TEST(EnvoyPoolTest, DeniesWhatCannotBeRead) {
  TestService service(Files(kPublic, "1"));
  EnvoyPool pool({}, service.operator->());
  TestCall call("/");
  pool.Deny(&call, "there is text that is not UTF-8");
  EXPECT_EQ(call.Wait(), "refused");
  EXPECT_EQ(call.Metadata("outcome"), "refused");
  EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kRefused)], 1u);
}

// What takes long is begun anew by the pool, is counted once, and can be canceled there.
TEST(EnvoyPoolTest, CallersDoNotStayLong) {
  TestService service(Files("http.path == \"/public\" || " + std::string(kEndless), "1"), Unlimited());
  EnvoyPoolOptions options;
  options.max_callers = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  TestCall call("/");
  pool.Submit(&call);
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 0u);
  call.Cancel();
  EXPECT_EQ(call.Wait(), "canceled");
  EXPECT_NE(call.answered_by(), std::this_thread::get_id());
  TestCall ended("/");
  ended.EndAfter(milliseconds(30));
  pool.Submit(&ended);
  EXPECT_EQ(ended.Wait(), "limit");
  // Callers come back.
  for (;;) {
    TestCall quick("/public");
    pool.Submit(&quick);
    EXPECT_EQ(quick.Wait(), "allow");
    if (quick.answered_by() == std::this_thread::get_id()) break;
    std::this_thread::sleep_for(milliseconds(1));
  }
  pool.Stop();
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 2u);
  EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kLimit)], 1u);
  EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kCanceled)], 1u);
}

// The shadow has a time of its own. It is no caller's, who would read, tell health and hear of cancellations meanwhile.
TEST(EnvoyPoolTest, CallersDoNotAskTheShadow) {
  ServiceOptions unlimited = Unlimited();
  unlimited.timeout = std::chrono::seconds(3);
  TestService service(Files(kPublic, "1"), unlimited);
  ASSERT_TRUE(service->ActivateShadow(Files(kEndless, "2")).activated);
  EnvoyPoolOptions options;
  options.max_callers = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  TestCall call("/public");
  const auto begin = std::chrono::steady_clock::now();
  pool.Submit(&call);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_EQ(call.Wait(), "allow");
  // It is asked all the same, also when the pool ends.
  pool.Stop();
  EXPECT_EQ(service.metrics().shadow_failed, 1u);
}

TEST(EnvoyPoolTest, StopsBehindCallers) {
  TestService service(Files(kPublic, "1"));
  EnvoyPoolOptions options;
  options.max_callers = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  std::promise<void> released;
  TestCall held("/public");
  held.HoldUntil(released.get_future().share());
  std::thread caller([&] { pool.Submit(&held); });
  while (service.metrics().checks[static_cast<size_t>(AuthOutcome::kAllow)] == 0) std::this_thread::yield();
  TestCall waiting("/public");
  pool.Submit(&waiting);
  std::thread stopper([&] { pool.Stop(); });
  released.set_value();
  stopper.join();
  EXPECT_EQ(waiting.Wait(), "allow");
  EXPECT_EQ(held.Wait(), "allow");
  caller.join();
}

TEST(EnvoyPoolTest, SaysAtOnceThatThereIsNoRoom) {
  TestService service(Files(kPublic, "1"));
  EnvoyPoolOptions options;
  options.max_queue = 1;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  std::promise<void> released;
  TestCall held("/public");
  held.HoldUntil(released.get_future().share());
  pool.Submit(&held);
  // One is in the thread, or will be; of further ones the queue takes one at most.
  std::vector<std::unique_ptr<TestCall>> calls;
  size_t refused = 0;
  while (refused == 0) {
    calls.push_back(std::make_unique<TestCall>("/public"));
    pool.Submit(calls.back().get());
    refused = service.metrics().checks[static_cast<size_t>(AuthOutcome::kOverload)];
  }
  EXPECT_EQ(calls.back()->Wait(), "overload");
  EXPECT_LE(calls.size(), 3u);
  calls.pop_back();
  released.set_value();
  EXPECT_EQ(held.Wait(), "allow");
  for (const auto& call : calls) EXPECT_EQ(call->Wait(), "allow");
  EXPECT_EQ(service.metrics().overloads, 1u);
}

TEST(EnvoyPoolTest, BoundsTheBytesThatWait) {
  TestService service(Files("true", "1"));
  EnvoyPoolOptions options;
  options.max_bytes = 100;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  TestCall small("/" + std::string(50, 'a'));
  TestCall large("/" + std::string(100, 'a'));
  pool.Submit(&small);
  pool.Submit(&large);
  EXPECT_EQ(large.Wait(), "overload");
  EXPECT_EQ(small.Wait(), "allow");
}

TEST(EnvoyPoolTest, AnswersWhatWaitsBeforeItStops) {
  TestService service(Files("true", "1"));
  EnvoyPool pool(EnvoyPoolOptions{}, service.operator->());
  TestCall early("/");
  pool.Submit(&early);
  EXPECT_EQ(early.Wait(), "not_ready");
  ASSERT_TRUE(pool.Start().ok());
  std::vector<std::unique_ptr<TestCall>> calls;
  for (int n = 0; n < 100; ++n) {
    calls.push_back(std::make_unique<TestCall>("/"));
    pool.Submit(calls.back().get());
  }
  pool.Stop();
  for (const auto& call : calls) EXPECT_EQ(call->Wait(), "allow");
  TestCall late("/");
  pool.Submit(&late);
  EXPECT_EQ(late.Wait(), "not_ready");
}

TEST(EnvoyPoolTest, DeadlinesEndEvaluations) {
  TestService service(Files(kEndless, "1"), Unlimited());
  EnvoyPool pool(EnvoyPoolOptions{}, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  TestCall call("/");
  call.EndAfter(milliseconds(50));
  pool.Submit(&call);
  EXPECT_EQ(call.Wait(), "limit");
  // What follows an answer is then done.
  pool.Stop();
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 1u);
}

TEST(EnvoyPoolTest, CancellationEndsEvaluations) {
  TestService service(Files(kEndless, "1"), Unlimited());
  EnvoyPool pool(EnvoyPoolOptions{}, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  TestCall call("/");
  TestCall behind("/");
  pool.Submit(&call);
  pool.Submit(&behind);
  std::this_thread::sleep_for(milliseconds(20));
  behind.Cancel();
  call.Cancel();
  EXPECT_EQ(call.Wait(), "canceled");
  EXPECT_EQ(behind.Wait(), "canceled");
  EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kCanceled)], 2u);
}

TEST(EnvoyPoolTest, EachAnswerIsOfOneRevision) {
  TestService service(Files("{ allow = true, dynamic_metadata = { of = \"1\" } }", "1"));
  EnvoyPoolOptions options;
  options.threads = 2;
  EnvoyPool pool(options, service.operator->());
  ASSERT_TRUE(pool.Start().ok());
  std::atomic<bool> done{false};
  std::thread loader([&] {
    for (int revision = 2; revision < 12; ++revision) {
      const std::string text = std::to_string(revision);
      EXPECT_TRUE(
          service->Activate(Files("{ allow = true, dynamic_metadata = { of = \"" + text + "\" } }", text)).activated);
    }
    done = true;
  });
  int last = 0;
  while (!done || last < 11) {
    TestCall call("/");
    pool.Submit(&call);
    EXPECT_EQ(call.Wait(), "allow");
    EXPECT_EQ(call.Metadata("of"), call.Metadata("revision"));
    EXPECT_LE(last, std::stoi(call.Metadata("of")));
    last = std::stoi(call.Metadata("of"));
  }
  loader.join();
}

}  // namespace
}  // namespace hcl::serve

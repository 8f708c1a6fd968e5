// The service where the system refuses memory: what asked is refused or answered, and the next question is answered as
// ever. Each allocation of the thread that answers is refused in turn, each in a new service, since much is made for
// the first question only.

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/envoy_call.h"
#include "hclvm/serve/envoy_pool.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"
#include "hclvm/tests/support/refused_memory.h"
#include "hclvm/vm/base_layer.h"

namespace hcl::serve {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Allows all where its data are not there.
BundleFiles Files() {
  return {{"authz/p.hcl",
           "variable \"http\" {\n}\nvariable \"blocked\" {\n  default = []\n}\n"
           "allow = !contains(blocked, http.path)\n"},
          {"m/x.hcl",
           "variable \"user\" {\n}\nvariable \"blocked\" {\n  default = []\n}\n"
           "allow = !contains(blocked, user) && upper(\"${user}s\") != \"X\"\n"},
          {"service.hcl", "authzen {\n  variables = { user = lower(subject.id) }\n  entry     = \"m/allow\"\n}\n"},
          {"manifest.json", R"({"revision": "1"})"}};
}

std::unique_ptr<TestService> NewService() {
  auto service = std::make_unique<TestService>(Files());
  const BaseText text = {std::make_shared<const Source>("blocked.json", R"(["/private", "mallory"])"), "blocked"};
  const Activation activation = (*service)->ActivateData({&text, 1});
  EXPECT_TRUE(activation.activated) << activation.failure.message;
  return service;
}

// What `ask` gives where one of its allocations is refused: nothing where it throws. Sets *refused to whether there was
// such an allocation.
template <typename Ask>
std::optional<std::string> AskRefused(int64_t after, bool* refused, const Ask& ask) {
  const RefusedAllocation refusal(after);
  std::optional<std::string> answer;
  try {
    answer = ask();
  } catch (const std::bad_alloc&) {  // as a connection takes it
  }
  *refused = refusal.refused();
  return answer;
}

TEST(RefusedServiceTest, Decisions) {
  int64_t count = 0;
  for (bool refused = true; refused; ++count) {
    ASSERT_LT(count, 20'000);
    const auto service = NewService();
    const auto ask = [&service] { return service->Answer("POST", "/v1/decide/m/allow", R"({"user": "mallory"})"); };
    const auto answer = AskRefused(count, &refused, ask);
    EXPECT_THAT(answer.value_or(""), testing::Not(HasSubstr("\"value\":true"))) << count;
    // Often enough for what is made for entries that are asked for again and again.
    for (int n = 0; n < 3; ++n) EXPECT_THAT(ask(), HasSubstr("\"value\":false")) << count;
  }
  EXPECT_GT(count, 30);
}

TEST(RefusedServiceTest, ForwardAuthorization) {
  int64_t count = 0;
  for (bool refused = true; refused; ++count) {
    ASSERT_LT(count, 20'000);
    const auto service = NewService();
    ListenerInfo listener;
    listener.dialect = AuthDialect::kForwarded;
    const auto ask = [&] {
      return service->Answer(
          "GET", "/auth/", "",
          {{"x-forwarded-uri", "/private"}, {"x-forwarded-method", "GET"}, {"x-forwarded-host", "a"}}, listener);
    };
    const auto answer = AskRefused(count, &refused, ask);
    EXPECT_THAT(answer.value_or(""), testing::Not(StartsWith("200"))) << count;
    EXPECT_THAT(ask(), StartsWith("403")) << count;
  }
  EXPECT_GT(count, 30);
}

TEST(RefusedServiceTest, Authzen) {
  int64_t count = 0;
  for (bool refused = true; refused; ++count) {
    ASSERT_LT(count, 20'000);
    const auto service = NewService();
    const auto ask = [&service] {
      return service->Answer("POST", "/access/v1/evaluations",
                             R"({"subject": {"type": "user", "id": "mallory"}, "action": {"name": "read"}, )"
                             R"("evaluations": [{"resource": {"type": "file", "id": "1"}}, )"
                             R"({"resource": {"type": "file", "id": "2"}}]})",
                             {{"content-type", "application/json"}});
    };
    const auto answer = AskRefused(count, &refused, ask);
    EXPECT_THAT(answer.value_or(""), testing::Not(HasSubstr("\"decision\":true"))) << count;
    EXPECT_EQ(ask(), "200 {\"evaluations\":[{\"decision\":false},{\"decision\":false}]}\n") << count;
  }
  EXPECT_GT(count, 30);
}

class TestCall : public EnvoyCall {
 public:
  explicit TestCall(const std::string& path) {
    auto* const http = request_.mutable_attributes()->mutable_request()->mutable_http();
    http->set_path(path);
    http->set_method("GET");
    context_.arrival = std::chrono::steady_clock::now();
  }

  const envoy::service::auth::v3::CheckRequest& request() const override { return request_; }
  const RequestContext& context() const override { return context_; }
  std::string* response() override { return &response_; }
  void Done(AuthOutcome outcome) override { outcome_.set_value(outcome); }

  std::string Wait() {
    last_ = outcome_.get_future().get();
    return std::string(NameOf(last_));
  }
  // After Wait(). A response without bytes would be leave to go on.
  bool denies() const {
    envoy::service::auth::v3::CheckResponse told;
    return last_ == AuthOutcome::kCanceled || (told.ParseFromString(response_) && told.status().code() != 0);
  }

 private:
  envoy::service::auth::v3::CheckRequest request_;
  std::string response_;
  RequestContext context_;
  std::promise<AuthOutcome> outcome_;
  AuthOutcome last_ = AuthOutcome::kAllow;
};

TEST(RefusedServiceTest, Envoy) {
  int64_t count = 0;
  for (bool refused = true; refused; ++count) {
    ASSERT_LT(count, 20'000);
    const auto service = NewService();
    EnvoyPoolOptions options;
    options.max_callers = 1;
    EnvoyPool pool(options, service->operator->());
    ASSERT_TRUE(pool.Start().ok());
    TestCall call("/private");
    AskRefused(count, &refused, [&] { return pool.Submit(&call), ""; });
    const std::string outcome = call.Wait();
    EXPECT_TRUE(call.denies()) << count << " " << outcome;
    TestCall next("/private"), other("/public");
    pool.Submit(&next);
    pool.Submit(&other);
    EXPECT_EQ(next.Wait(), "deny") << count;
    EXPECT_EQ(other.Wait(), "allow") << count;
  }
  EXPECT_GT(count, 10);
}

}  // namespace
}  // namespace hcl::serve

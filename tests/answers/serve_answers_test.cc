// The table of answers, by the decision service: decisions, forward authorization, and the questions of AuthZEN and
// Envoy.

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/envoy_worker.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"
#include "hclvm/tests/answers/answer_table.h"

namespace hcl::serve {
namespace {

using answers::AllAnswers;
using answers::Answer;
using answers::Row;

// The header of a question has the scope, and the body of a denial the value.
constexpr char kAuthz[] = R"(
authz {
  variables = jsondecode(http.headers["x-scope"])
  entry     = "m/${http.headers["x-entry"]}"
  allow     = false
  body      = jsonencode(result)
}
authzen {
  variables = subject.properties
  entry     = "m/${action.name}"
  decision  = false
  context   = { value = result }
}
)";

// A service for each module.
class Services {
 public:
  TestService* For(const Row& row, bool check_all) {
    std::unique_ptr<TestService>& service = services_[{row.module + row.unknown_input, check_all}];
    if (service == nullptr) {
      ServiceOptions options;
      options.scopes.check_all = check_all;
      options.scopes.unknown_input = answers::UnknownInputOf(row);
      const BundleFiles files = {{"m/x.hcl", AllAnswers().modules.at(row.module)}, {"service.hcl", kAuthz}};
      service = std::make_unique<TestService>(files, options);
    }
    return service.get();
  }

 private:
  std::map<std::pair<std::string, bool>, std::unique_ptr<TestService>> services_;
};

// What is asked for again and again is read in another way.
TEST(ServeAnswersTest, Decisions) {
  Services services;
  answers::ExpectAnswers("decide", [&](const Row& row, bool check_all) {
    std::string body;
    for (int round = 0; round < 4; ++round) {
      const HttpResponse response = services.For(row, check_all)->Ask("POST", "/v1/decide/m/" + row.entry, row.scope);
      if (round > 0) {
        EXPECT_EQ(WithoutIds(response.body), body) << row.ToText();
      }
      body = WithoutIds(response.body);
    }
    return answers::AnswerOfLine(body);
  });
}

// A proxy is not told what is wrong.
constexpr answers::Lacks kLacks = {/*check_all=*/false, /*unknown_input=*/false, /*warnings=*/true};

Answer AnswerOfDenial(const Row& row, bool check_all, const std::string& outcome, const std::string& body) {
  if (outcome == "deny") return {body, "", ""};
  return {"", outcome + ": " + row.ExpectedOf(check_all).error + row.ExpectedOf(check_all).says, ""};
}

TEST(ServeAnswersTest, ForwardAuthorization) {
  Services services;
  answers::ExpectAnswers(
      "authz",
      [&](const Row& row, bool check_all) {
        ListenerInfo listener;
        listener.dialect = AuthDialect::kNginx;
        const HttpResponse response = services.For(row, check_all)
                                          ->Ask("GET", "/auth/x", "",
                                                {{"Host", "h"},
                                                 {"X-Original-Uri", "/"},
                                                 {"X-Original-Method", "GET"},
                                                 {"x-scope", row.scope},
                                                 {"x-entry", row.entry}},
                                                listener);
        std::string outcome;
        for (const auto& [name, value] : response.headers) {
          if (name == "x-hclvm-outcome") outcome = value;
        }
        return AnswerOfDenial(row, check_all, outcome, response.body);
      },
      kLacks);
}

// The question three times: what was made of the scope for the first is used again. A caller is told the first
// sentence.
TEST(ServeAnswersTest, Authzen) {
  constexpr std::string_view kBefore = R"({"decision":false,"context":{"value":)";
  Services services;
  answers::ExpectAnswers(
      "authzen",
      [&](const Row& row, bool check_all) {
        const std::string body = R"({"subject": {"type": "t", "id": "i", "properties": )" + row.scope +
                                 R"(}, "action": {"name": ")" + row.entry +
                                 R"("}, "resource": {"type": "t", "id": "i"}, "evaluations": [{}, {}, {}]})";
        std::string all = services.For(row, check_all)
                              ->Ask("POST", "/access/v1/evaluations", body, {{"content-type", "application/json"}})
                              .body;
        const std::string single =
            services.For(row, check_all)
                ->Ask("POST", "/access/v1/evaluation", body, {{"content-type", "application/json"}})
                .body;
        if (single.substr(0, kBefore.size()) != kBefore) {
          EXPECT_EQ(single.find("decision"), std::string::npos) << row.ToText() << single;
          EXPECT_NE(all.find(R"(,{"decision":false,"context":{"error":{"status":)"), std::string::npos) << all;
          return AnswerOfDenial(row, check_all, "error", "");
        }
        const std::string one = single.substr(0, single.size() - 1);
        EXPECT_EQ(all, "{\"evaluations\":[" + one + "," + one + "," + one + "]}\n") << row.ToText();
        return AnswerOfDenial(row, check_all, "deny", one.substr(kBefore.size(), one.size() - kBefore.size() - 2));
      },
      kLacks);
}

TEST(ServeAnswersTest, Envoy) {
  Services services;
  answers::ExpectAnswers(
      "envoy",
      [&](const Row& row, bool check_all) {
        EnvoyWorker worker(services.For(row, check_all)->operator->(), EnvoyInput::kHttp);
        ::envoy::service::auth::v3::CheckRequest request;
        auto* const http = request.mutable_attributes()->mutable_request()->mutable_http();
        http->set_path("/");
        http->set_method("GET");
        (*http->mutable_headers())["x-scope"] = row.scope;
        (*http->mutable_headers())["x-entry"] = row.entry;
        RequestContext context;
        context.arrival = std::chrono::steady_clock::now();
        std::string bytes;
        const AuthOutcome outcome = worker.Check(request, context, &bytes);
        worker.AfterResponse();
        ::envoy::service::auth::v3::CheckResponse response;
        EXPECT_TRUE(response.ParseFromString(bytes));
        return AnswerOfDenial(row, check_all, std::string(NameOf(outcome)), response.denied_response().body());
      },
      kLacks);
}

}  // namespace
}  // namespace hcl::serve

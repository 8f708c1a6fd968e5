// Forward authorization.

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;

// The status, the outcome, further headers and the body of an answer.
std::string Ask(TestService* service, const std::string& path, AuthDialect dialect = AuthDialect::kNginx,
                const std::string& method = "GET") {
  ListenerInfo listener;
  listener.dialect = dialect;
  const std::string prefix = dialect == AuthDialect::kNginx ? "X-Original-" : "X-Forwarded-";
  const HttpResponse response = service->Ask(
      "GET", "/auth/x", "", {{"Host", "h"}, {prefix + "Uri", path}, {prefix + "Method", method}}, listener);
  std::string text = std::to_string(response.status);
  for (const auto& [name, value] : response.headers) {
    if (name == "x-hclvm-outcome" || name == "x-hclvm-limit") {
      text.append(" ").append(value);
    } else if (name.rfind("x-hclvm-", 0) != 0) {
      text.append(" ").append(name).append("=").append(value);
    }
  }
  return text + (response.body.empty() ? "" : " " + response.body);
}

TEST(ForwardAuthTest, HasADefault) {
  const struct {
    const char* allow;
    const char* want;
  } kCases[] = {
      {"true", "200 allow"},
      {"false", "403 deny"},
      {"null", "403 deny"},
      {"\"true\"", "403 deny"},
      {"1", "403 deny"},
      {"{}", "403 deny"},
      {"sensitive(true)", "200 allow"},
      {"http.path == \"/a\"", "200 allow"},
      {"http.headers.none == \"\"", "403 error the policy has failed\n"},
      {"tonumber(http.path) == 1", "403 error the policy has failed\n"},
      {"length([for a in range(1000) : [for b in range(1000) : a]]) > 0", "403 limit fuel"},
  };
  for (const auto& test : kCases) {
    ServiceOptions options;
    options.limits.max_fuel = 100'000;
    TestService service({{"authz/p.hcl", std::string("variable \"http\" {\n}\nallow = ") + test.allow + "\n"}},
                        options);
    EXPECT_EQ(Ask(&service, "/a"), test.want) << test.allow;
  }
  TestService none(BundleFiles{{"other/p.hcl", "allow = true\n"}});
  EXPECT_EQ(Ask(&none, "/a"), "403 error the bundle has neither an authz block nor the entry authz/allow\n");
  TestService empty({});
  EXPECT_EQ(Ask(&empty, "/a"), "403 not_ready");
}

BundleFiles WithAuthz(const std::string& attributes) {
  return {
      {"p/p.hcl", R"(
variable "request" {
  type = object({ method = string, path_segments = list(string) })
}
decision = {
  effect = request.path_segments[0] == "public" ? "allow" : request.path_segments[0] == "login" ? "login" : "deny"
  reason = "you ${request.method}"
}
)"},
      {"service.hcl", "authz {\n  variables = { request = http }\n  entry = \"p/decision\"\n" + attributes + "}\n"}};
}

TEST(ForwardAuthTest, MapsAnswers) {
  TestService service(WithAuthz(R"(
    allow   = result.effect == "allow"
    status  = result.effect == "login" ? 401 : 403
    headers = { "WWW-Authenticate" = result.effect == "login" ? "Basic" : null, "x-reason" = [result.reason, "b"] }
    body    = "because ${result.reason}"
)"));
  EXPECT_EQ(Ask(&service, "/public/a"), "200 x-reason=you GET x-reason=b allow");
  EXPECT_EQ(Ask(&service, "/other"), "403 x-reason=you GET x-reason=b deny because you GET");
  EXPECT_EQ(Ask(&service, "/login"), "401 www-authenticate=Basic x-reason=you GET x-reason=b deny because you GET");
  EXPECT_EQ(Ask(&service, "/"), "403 error the policy has failed\n");
  EXPECT_EQ(Ask(&service, "/public/../other"), "403 x-reason=you GET x-reason=b deny because you GET");
  EXPECT_EQ(Ask(&service, "/public/%2e%2e/other").substr(0, 4), "403 ");
  EXPECT_EQ(Ask(&service, "/public%2f..%2fother"),
            "403 error the path or the query of the request is ambiguous or too long\n");
  EXPECT_EQ(service.metrics().refused_paths, 1u);
}

TEST(ForwardAuthTest, RefusesAnswers) {
  const struct {
    const char* attributes;
    const char* want;
  } kCases[] = {
      {"status = 200", "403 error the attribute \"status\" is none that this dialect has for a denial\n"},
      {"status = 302", "403 error the attribute \"status\" is none that this dialect has for a denial\n"},
      {"status = \"401\"", "403 error the attribute \"status\" is none that this dialect has for a denial\n"},
      {"status = null", "403 deny"},
      {"headers = { a = \"b\\r\\nc: d\" }",
       "403 error the attribute \"headers\" has what can be no value of a header\n"},
      {"headers = { a = \"b\\u0000\" }", "403 error the attribute \"headers\" has what can be no value of a header\n"},
      {"headers = { a = 1 }", "403 error the attribute \"headers\" has what can be no value of a header\n"},
      {"headers = { ok = \"1\", \"a\\nb\" = \"c\" }",
       "403 error the attribute \"headers\" has a name that a policy cannot set\n"},
      {"headers = { Content-Length = \"1\" }",
       "403 error the attribute \"headers\" has a name that a policy cannot set\n"},
      {"headers = { x-hclvm-outcome = \"allow\" }",
       "403 error the attribute \"headers\" has a name that a policy cannot set\n"},
      {"headers = [1]", "403 error the attribute \"headers\" is no object\n"},
      {"body = 1", "403 error the attribute \"body\" is no text, or too long\n"},
      {"allow = \"true\"", "403 deny"},
      {"allow = result.none", "403 error the authz block has failed: Unsupported attribute\n"},
  };
  for (const auto& test : kCases) {
    std::string attributes = test.attributes;
    if (attributes.rfind("allow", 0) != 0) attributes += "\n  allow = false";
    TestService service(WithAuthz(attributes + "\n"));
    EXPECT_EQ(Ask(&service, "/other"), test.want) << test.attributes;
  }
}

TEST(ForwardAuthTest, OtherDialectsHaveMoreStatuses) {
  TestService service(WithAuthz("allow = false\nstatus = 302\nheaders = { location = \"/login\" }\n"));
  EXPECT_EQ(Ask(&service, "/other", AuthDialect::kForwarded), "302 location=/login deny");
  TestService wrong(WithAuthz("allow = false\nstatus = 204\n"));
  EXPECT_THAT(Ask(&wrong, "/other", AuthDialect::kForwarded), HasSubstr("403 error"));
}

// What comes behind the head of such an answer would be read as the next one.
TEST(ForwardAuthTest, NotModifiedHasNoBody) {
  TestService service(WithAuthz("allow = false\nstatus = 304\nbody = \"HTTP/1.1 200 OK\"\n"));
  EXPECT_EQ(Ask(&service, "/a", AuthDialect::kForwarded), "304 deny");
}

TEST(ForwardAuthTest, ChoosesEntries) {
  TestService service(
      {{"a/p.hcl", "allow = true\n"},
       {"b/p.hcl", "allow = false\n"},
       {"service.hcl", "authz {\n  variables = {}\n  entry = \"${http.path_segments[0]}/allow\"\n}\n"}});
  EXPECT_EQ(Ask(&service, "/a"), "200 allow");
  EXPECT_EQ(Ask(&service, "/b"), "403 deny");
  EXPECT_EQ(Ask(&service, "/c"), "403 error the bundle has no such entry\n");
  EXPECT_EQ(Ask(&service, "/"), "403 error the authz block has failed: Invalid index\n");
}

TEST(ForwardAuthTest, HasAFailMode) {
  ServiceOptions options;
  options.fail_mode = FailMode::kAllow;
  options.limits.max_fuel = 1000;
  TestService service({{"authz/p.hcl", "allow = length([for a in range(1000) : a if a > 1]) > 0\n"}}, options);
  EXPECT_EQ(Ask(&service, "/a"), "200 limit fuel");
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kFuel)], 1u);
  // An error is none of the operator's making.
  TestService failing({{"authz/p.hcl", "variable \"http\" {\n}\nallow = http.none\n"}}, options);
  EXPECT_EQ(Ask(&failing, "/a"), "403 error the policy has failed\n");
}

TEST(ForwardAuthTest, DecidesNothingTooLate) {
  ServiceOptions options;
  options.timeout = std::chrono::milliseconds(0);
  TestService service({{"authz/p.hcl", "allow = true\n"}}, options);
  EXPECT_EQ(Ask(&service, "/a"), "403 limit deadline");
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 1u);
}

// The log has all of a question, whatever the policies need of it: a repeated header or parameter fits no map of texts.
TEST(ForwardAuthTest, DecidesTheSameWhetherItLogs) {
  const struct {
    const char* policy;
    int status;
  } kCases[] = {
      {"allow = true\n", 200},
      {"variable \"http\" {\n}\nallow = http.method == \"GET\"\n", 200},
      {"variable \"http\" {\n  type = object({ headers = any })\n}\nallow = http.headers.x-user == \"ann\"\n", 200},
      {"variable \"http\" {\n  type = object({ headers = map(string) })\n}\nallow = true\n", 200},
      {"variable \"http\" {\n  type = object({ query = map(string) })\n}\nallow = true\n", 200},
  };
  ListenerInfo listener;
  listener.dialect = AuthDialect::kNginx;
  const TestService::Headers headers = {{"X-Original-Uri", "/a?q=1&q=2"},
                                        {"X-Original-Method", "GET"},
                                        {"X-User", "ann"},
                                        {"Accept", "a"},
                                        {"Accept", "b"}};
  for (const auto& test : kCases) {
    const BundleFiles files = {{"authz/p.hcl", test.policy}};
    const std::string path = testing::TempDir() + "/forward_auth_same.log";
    std::remove(path.c_str());
    TestService silent(files);
    TestService logging(files, {}, path);
    TestService shadowed(files);
    EXPECT_TRUE(shadowed->ActivateShadow(files).activated);
    for (TestService* service : {&silent, &logging, &shadowed}) {
      EXPECT_EQ(service->Ask("GET", "/auth", "", headers, listener).status, test.status) << test.policy;
    }
    EXPECT_EQ(shadowed.metrics().shadow_different, 0u);
    const std::string log = logging.Log();
    EXPECT_THAT(log, HasSubstr(R"("input":{"http":{"endpoint":"","headers":{"accept":["a","b"],"x-user":"ann"},)"));
    EXPECT_THAT(log, HasSubstr(R"("query":{"q":["1","2"]})"));
  }
}

TEST(ForwardAuthTest, Logs) {
  const std::string path = testing::TempDir() + "/forward_auth.log";
  std::remove(path.c_str());
  TestService service(WithAuthz("allow = result.effect == \"allow\"\n"), {}, path);
  Ask(&service, "/public");
  Ask(&service, "/other");
  const std::string log = service.Log();
  EXPECT_THAT(log, HasSubstr(R"("path":"p/decision","outcome":"allow","input":{"request":{"endpoint":"/x",)"));
  EXPECT_THAT(log, HasSubstr(R"("outcome":"deny","input":{"request":)"));
  EXPECT_THAT(log, HasSubstr(R"("result":{"effect":"deny","reason":"you GET"})"));
}

// The log has no sensitive variable, nor what is made of one, in whichever form the block gives it.
TEST(ForwardAuthTest, LogsNoSensitiveVariables) {
  const std::string path = testing::TempDir() + "/forward_auth_sensitive.log";
  const struct {
    const char* variables;
    const char* declared;  // what the module says of the variable
  } kCases[] = {
      {"{ request = sensitive(http) }", ""},
      {"sensitive({ request = http })", ""},
      {"sensitive(merge({ request = http }, {}))", ""},
      {"{ request = http }", "  sensitive = true\n"},
      {"{ request = http }", "  ephemeral = true\n"},
  };
  for (const auto& [variables, declared] : kCases) {
    std::remove(path.c_str());
    BundleFiles files = WithAuthz("allow = result.effect == \"allow\"\n");
    std::string& module = files["p/p.hcl"];
    const std::string_view head = "variable \"request\" {\n";
    ASSERT_NE(module.find(head), std::string::npos);
    module.insert(module.find(head) + head.size(), declared);
    files["service.hcl"] = std::string("authz {\n  variables = ") + variables +
                           "\n  entry = \"p/decision\"\n  allow = result.effect == \"allow\"\n}\n";
    TestService service(files, {}, path);
    EXPECT_EQ(Ask(&service, "/public/hunter2"), "200 allow") << variables << declared;
    const std::string log = service.Log();
    EXPECT_THAT(log, HasSubstr(R"("outcome":"allow","input":{},"erased":["/request",)")) << variables << declared;
    for (const char* secret : {"hunter2", "you GET"}) EXPECT_THAT(log, Not(HasSubstr(secret))) << variables << declared;
  }
}

}  // namespace
}  // namespace hcl::serve

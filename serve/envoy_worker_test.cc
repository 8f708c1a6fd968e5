// Envoy's questions, answered by bundles.

#include "hclvm/serve/envoy_worker.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "hclvm/serve/decision_runner.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::CheckRequest;
using envoy::service::auth::v3::CheckResponse;
using testing::HasSubstr;

RequestContext Now() {
  RequestContext context;
  context.arrival = std::chrono::steady_clock::now();
  return context;
}

CheckResponse Told(const std::string& bytes) {
  CheckResponse response;
  EXPECT_TRUE(response.ParseFromString(bytes));
  return response;
}

// The answer without metadata and without spaces at its end.
std::string Check(TestService* service, const std::string& path, EnvoyInput input = EnvoyInput::kHttp,
                  RequestContext context = Now()) {
  EnvoyWorker worker(service->operator->(), input);
  CheckRequest request;
  auto* const http = request.mutable_attributes()->mutable_request()->mutable_http();
  http->set_path(path);
  http->set_method("GET");
  (*http->mutable_headers())["traceparent"] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  context.trace_parent = (*http->mutable_headers())["traceparent"];
  std::string bytes;
  const AuthOutcome outcome = worker.Check(request, context, &bytes);
  worker.AfterResponse();
  CheckResponse response = Told(bytes);
  EXPECT_EQ(response.dynamic_metadata().fields().count("outcome"), outcome == AuthOutcome::kCanceled ? 0u : 1u);
  response.clear_dynamic_metadata();
  return std::string(NameOf(outcome)) + ": " + response.ShortDebugString();
}

constexpr char kOk[] = "allow: status { } ok_response { }";
constexpr char kDenied[] = "deny: status { code: 7 } denied_response { status { code: Forbidden } }";

std::string Error(const std::string& message) {
  return "error: status { code: 13 message: \"" + message +
         "\" } error_response { status { code: InternalServerError } }";
}

TEST(EnvoyWorkerTest, TakesValuesForAnswers) {
  const struct {
    const char* allow;
    std::string want;
  } kCases[] = {
      {"true", kOk},
      {"false", kDenied},
      {"null", kDenied},
      {"\"true\"", kDenied},
      {"[]", kDenied},
      {"{}", kDenied},
      {"{ allow = true }", kOk},
      {"{ allow = \"true\" }", kDenied},
      {"{ allowed = true }", kDenied},
      {"sensitive({ allow = true })", kOk},
      {"{ allow = true, status = 200, body = 3 }", kOk},
      {"{ allow = false, status = 429, body = \"slow down\", headers = { Retry-After = \"3\" } }",
       "deny: status { code: 7 } denied_response { status { code: TooManyRequests } headers { header { key: "
       "\"retry-after\" value: \"3\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } body: \"slow down\" }"},
      {"{ allow = true, headers = { a = \"1\" }, response_headers = { b = [\"2\", \"3\"] }, headers_to_remove = "
       "[\"C\"], query_parameters_to_set = { d = \"4\", n = null }, query_parameters_to_remove = [\"e\"] }",
       "allow: status { } ok_response { headers { header { key: \"a\" value: \"1\" } append_action: "
       "OVERWRITE_IF_EXISTS_OR_ADD } headers_to_remove: \"c\" response_headers_to_add { header { key: \"b\" value: "
       "\"2\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } response_headers_to_add { header { key: \"b\" value: "
       "\"3\" } } query_parameters_to_set { key: \"d\" value: \"4\" } query_parameters_to_remove: \"e\" }"},
      {"{ allow = false, status = 200 }",
       Error("the attribute \\\"status\\\" is none that this dialect has for a denial")},
      {"{ allow = true, headers_to_remove = \"a\" }",
       Error("the attribute \\\"headers_to_remove\\\" is no list of texts, or too long")},
      {"{ allow = true, headers_to_remove = [\"Host\"] }",
       Error("the attribute \\\"headers_to_remove\\\" has a name that a policy cannot remove")},
      {"{ allow = true, headers_to_remove = [\":path\"] }",
       Error("the attribute \\\"headers_to_remove\\\" has a name that a policy cannot remove")},
      {"{ allow = true, response_headers = { a = \"\\r\\n\" } }",
       Error("the attribute \\\"response_headers\\\" has what can be no value of a header")},
      {"{ allow = true, query_parameters_to_set = { a = 1 } }",
       Error("the attribute \\\"query_parameters_to_set\\\" is no object of texts, or too large")},
      {"{ allow = true, query_parameters_to_remove = [for n in range(65) : \"a\"] }",
       Error("the attribute \\\"query_parameters_to_remove\\\" is no list of texts, or too long")},
      {"{ allow = true, dynamic_metadata = 1 }", Error("the attribute \\\"dynamic_metadata\\\" is no object")},
      {"http.none", Error("the policy has failed")},
      {"length([for a in range(1000) : [for b in range(1000) : a]]) > 0",
       "limit: status { code: 8 message: \"a limit was crossed: fuel\" } error_response { status { code: "
       "ServiceUnavailable } }"},
  };
  for (const auto& test : kCases) {
    ServiceOptions options;
    options.limits.max_fuel = 100'000;
    TestService service({{"authz/p.hcl", std::string("variable \"http\" {\n}\nallow = ") + test.allow + "\n"}},
                        options);
    EXPECT_EQ(Check(&service, "/a"), test.want) << test.allow;
  }
}

// A body that there was no time to read is not one that is no JSON.
TEST(EnvoyWorkerTest, TimeEndsTheReadingOfBodies) {
  TestService service(BundleFiles{
      {"authz/p.hcl", "variable \"envoy\" {\n}\nallow = !envoy.body.is_json || envoy.body.json == null\n"}});
  EnvoyWorker worker(service.operator->(), EnvoyInput::kHttp);
  CheckRequest request;
  auto* const http = request.mutable_attributes()->mutable_request()->mutable_http();
  http->set_path("/");
  http->set_method("POST");
  (*http->mutable_headers())["content-type"] = "application/json";
  std::string body = "[0";
  for (int n = 0; n < 300'000; ++n) body += ",{}";
  http->set_raw_body(body + "]");
  std::string response;
  RequestContext context = Now();
  const auto until = context.arrival + std::chrono::milliseconds(1);
  EXPECT_FALSE(worker.CheckUntil(until, request, context, &response));
  EXPECT_EQ(response, "");
  worker.AfterResponse();
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 0u);
  context = Now();
  context.deadline = context.arrival + std::chrono::milliseconds(1);
  EXPECT_EQ(worker.Check(request, context, &response), AuthOutcome::kLimit);
  worker.AfterResponse();
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 1u);
  context = Now();
  http->set_path("/..");
  response.clear();
  EXPECT_EQ(worker.Check(request, context, &response), AuthOutcome::kRefused);
  EXPECT_EQ(service.metrics().refused_paths, 1u);
}

// Bundles in which a request is allowed where `reads` is true, an expression over the variable `name`.
std::vector<BundleFiles> BundlesThatRead(const std::string& name, const std::string& reads) {
  const std::string variable = "variable \"" + name + "\" {\n}\n";
  const std::string checked = "variable \"" + name + "\" {\n  validation {\n    condition = " + reads +
                              "\n    error_message = \"no\"\n  }\n}\n";
  const std::string part = name == "http" ? "http.method == \"GET\"" : "envoy.id == \"7\"";
  const std::string local = "locals {\n  reads = " + reads + "\n}\n";
  return {
      {{"authz/p.hcl", variable + "allow = " + reads + "\n"}},
      {{"authz/p.hcl", variable + local + "allow = local.reads\n"}},
      {{"authz/p.hcl", checked + "allow = " + part + "\n"}},
      {{"p/p.hcl", variable + "x = " + reads + "\n"},
       {"service.hcl", "authz {\n  entry = \"p/x\"\n  allow = result\n}\n"}},
      {{"p/p.hcl", "variable \"v\" {\n}\nx = v\n"},
       {"service.hcl", "authz {\n  entry = \"p/x\"\n  variables = { v = " + reads + " }\n}\n"}},
      {{"p/p.hcl", "x = 1\n"}, {"service.hcl", local + "authz {\n  entry = \"p/x\"\n  allow = local.reads\n}\n"}},
      {{"p/p.hcl", variable + "x = " + reads + "\n"},
       {"service.hcl", "authz {\n  entry = \"p/${http.method == \"GET\" ? \"x\" : \"y\"}\"\n  allow = result\n}\n"}},
  };
}

// Only the parts of `envoy` and `http` are made that somebody reads, however that is written.
TEST(EnvoyWorkerTest, GivesWhatPoliciesRead) {
  constexpr const char* kReads[] = {
      "envoy.source.principal == \"ann\"",
      "envoy[\"source\"][\"principal\"] == \"ann\"",
      "envoy.tls.sni == \"sni.test\" && envoy.id == \"7\" && envoy.protocol == \"HTTP/2\" && envoy.size == 3",
      "envoy.body.text == \"abc\" && envoy.context_extensions.route == \"r\" && envoy.destination.service == \"s\"",
      "envoy.metadata.jwt.sub == \"bob\" && envoy.route_metadata.r.x == 1",
      "envoy.time == \"1970-01-01T00:00:01.000000000Z\" && envoy.metadata.jwt.sub == \"bob\"",
      "jsondecode(jsonencode(envoy)).source.principal == \"ann\"",
      "[for name, part in envoy : part if name == \"source\"][0].principal == \"ann\"",
      "values(envoy)[8].principal == \"ann\"",
      "envoy[join(\"\", [\"sou\", \"rce\"])].principal == \"ann\"",
      "try(envoy.source, null).principal == \"ann\"",
      "(true ? envoy : null).source.principal == \"ann\"",
      "http.headers[\"x-user\"] == \"ann\" && http.query.q == \"1\"",
      "http.headers.x-user == \"ann\"",
      "http[\"headers\"][\"x-user\"] == \"ann\" && http[\"query\"][\"q\"] == \"1\"",
      "lookup(http.headers, \"x-user\", \"\") == \"ann\" && lookup(http.query, \"q\", \"\") == \"1\"",
      "[for name, value in http.headers : value if name == \"x-user\"] == [\"ann\"]",
      "[for name, part in http : part if name == \"headers\"][0][\"x-user\"] == \"ann\"",
      "http.headers[join(\"\", [\"x-\", \"user\"])] == \"ann\" && http.query[join(\"\", [\"q\"])] == \"1\"",
      "http[join(\"\", [\"que\", \"ry\"])].q == \"1\"",
      "jsondecode(jsonencode(http)).headers.x-user == \"ann\" && length(keys(http.headers)) == 2",
      "(true ? http : null).query.q == \"1\"",
      "try(http.headers.x-none, http.headers.x-user) == \"ann\"",
  };
  CheckRequest request;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "attributes { source { principal: 'ann' } destination { service: 's' } tls_session { sni: 'sni.test' } "
      "context_extensions { key: 'route' value: 'r' } "
      "request { time { seconds: 1 } http { path: '/?q=1' method: 'GET' id: '7' protocol: 'HTTP/2' size: 3 body: 'abc' "
      "headers { key: 'x-user' value: 'ann' } headers { key: 'x-more' value: 'b' } } } "
      "metadata_context { filter_metadata { key: 'jwt' value { fields { key: 'sub' value { string_value: 'bob' } } } } "
      "} "
      "route_metadata_context { filter_metadata { key: 'r' value { fields { key: 'x' value { number_value: 1 } } } } } "
      "}",
      &request));
  for (const char* reads : kReads) {
    const std::string name = std::string(reads).find("http") == std::string::npos ? "envoy" : "http";
    for (const BundleFiles& files : BundlesThatRead(name, reads)) {
      TestService service(files);
      EnvoyWorker worker(service.operator->(), EnvoyInput::kHttp);
      std::string response;
      EXPECT_EQ(worker.Check(request, Now(), &response), AuthOutcome::kAllow)
          << reads << ": " << files.rbegin()->second << Told(response).ShortDebugString();
      worker.AfterResponse();
    }
  }
}

TEST(EnvoyWorkerTest, TheBlockComesBeforeTheResult) {
  const auto files = [](const std::string& attributes) {
    return BundleFiles{{"p/p.hcl", "answer = { allow = false, status = 401, body = \"b\" }\n"},
                       {"service.hcl", "authz {\n  entry = \"p/answer\"\n" + attributes + "\n}\n"}};
  };
  TestService own(files(""));
  EXPECT_EQ(Check(&own, "/"),
            "deny: status { code: 16 } denied_response { status { code: Unauthorized } body: \"b\" }");
  TestService status(files("status = 404"));
  EXPECT_EQ(Check(&status, "/"), "deny: status { code: 7 } denied_response { status { code: NotFound } body: \"b\" }");
  // Once the block says what allows, the result answers nothing by itself.
  TestService allow(files("allow = result.status == 1"));
  EXPECT_EQ(Check(&allow, "/"), kDenied);
}

TEST(EnvoyWorkerTest, TakesNamesOfOpa) {
  const auto files = [](const std::string& allow) {
    return BundleFiles{{"authz/p.hcl", "variable \"input\" {\n}\nallow = " + allow + "\n"}};
  };
  TestService names(
      files("{ allowed = input.attributes.request.http.method == \"GET\" && input.parsed_path[0] == "
            "\"a\", headers = { x = \"1\" }, request_headers_to_remove = [\"y\"], "
            "response_headers_to_add = { z = \"2\" } }"));
  EXPECT_EQ(Check(&names, "/a", EnvoyInput::kOpa),
            "allow: status { } ok_response { headers { header { key: \"x\" value: \"1\" } append_action: "
            "OVERWRITE_IF_EXISTS_OR_ADD } headers_to_remove: \"y\" response_headers_to_add { header { key: \"z\" "
            "value: \"2\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } }");
  EXPECT_EQ(Check(&names, "/b", EnvoyInput::kOpa),
            "deny: status { code: 7 } denied_response { status { code: Forbidden } headers { header { key: \"x\" "
            "value: \"1\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } }");
  TestService status(files("{ allowed = false, http_status = 1 }"));
  EXPECT_EQ(Check(&status, "/b", EnvoyInput::kOpa),
            Error("the attribute \\\"http_status\\\" is none that this dialect has for a denial"));
  TestService block(
      BundleFiles{{"p/p.hcl", "variable \"path\" {\n}\nallow = path == \"a\"\n"},
                  {"service.hcl",
                   "authz {\n  variables = { path = input == null ? http.path_segments[0] : input.parsed_path[0] "
                   "}\n  entry = \"p/allow\"\n}\n"}});
  EXPECT_EQ(Check(&block, "/a", EnvoyInput::kOpa), kOk);
  EXPECT_EQ(Check(&block, "/a", EnvoyInput::kHttp), kOk);
  EXPECT_EQ(Check(&block, "/b", EnvoyInput::kOpa), kDenied);
}

TEST(EnvoyWorkerTest, RefusesWhatNobodyShouldDecideAbout) {
  TestService service(BundleFiles{{"authz/p.hcl", "allow = true\n"}});
  EXPECT_EQ(Check(&service, "/a%2fb"),
            "refused: status { code: 7 message: \"the path or the query of the request is ambiguous or too long\" } "
            "denied_response { status { code: Forbidden } }");
  EXPECT_EQ(service.metrics().refused_paths, 1u);
  EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kRefused)], 1u);
}

TEST(EnvoyWorkerTest, SaysThatThereIsNoBundle) {
  TestService service({});
  EXPECT_EQ(Check(&service, "/"),
            "not_ready: status { code: 14 message: \"there is no bundle in force\" } error_response { status { code: "
            "ServiceUnavailable } }");
  TestService other(BundleFiles{{"other/p.hcl", "allow = true\n"}});
  EXPECT_EQ(Check(&other, "/"), Error("the bundle has neither an authz block nor the entry authz/allow"));
}

TEST(EnvoyWorkerTest, EndsAtTheDeadline) {
  ServiceOptions options;
  options.limits.max_fuel = UINT64_MAX;
  options.limits.max_result_bytes = uint64_t{1} << 40;
  TestService service({{"authz/p.hcl", "allow = true\n"}}, options);
  RequestContext late = Now();
  late.deadline = late.arrival - std::chrono::seconds(1);
  EXPECT_EQ(Check(&service, "/", EnvoyInput::kHttp, late),
            "limit: status { code: 8 message: \"the time was up before the policy was run\" } error_response { status "
            "{ code: ServiceUnavailable } }");
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 1u);
}

TEST(EnvoyWorkerTest, RunsNothingThatNobodyWaitsFor) {
  TestService service(BundleFiles{{"authz/p.hcl", "allow = true\n"}});
  const std::atomic<bool> canceled{true};
  RequestContext context = Now();
  context.cancel = &canceled;
  EXPECT_EQ(Check(&service, "/", EnvoyInput::kHttp, context), "canceled: ");
  EXPECT_EQ(service.metrics().checks[static_cast<size_t>(AuthOutcome::kCanceled)], 1u);
}

// The log has all of a question, whatever the policies need of it: what is told here fits no map of texts.
TEST(EnvoyWorkerTest, DecidesTheSameWhetherItLogs) {
  const struct {
    const char* policy;
    AuthOutcome outcome;
  } kCases[] = {
      {"allow = true\n", AuthOutcome::kAllow},
      {"variable \"envoy\" {\n}\nallow = envoy.id == \"7\"\n", AuthOutcome::kAllow},
      {"variable \"envoy\" {\n  type = object({ metadata = map(string) })\n}\nallow = true\n", AuthOutcome::kAllow},
      {"variable \"http\" {\n  type = object({ headers = map(string) })\n}\nallow = true\n", AuthOutcome::kAllow},
  };
  CheckRequest request;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      "attributes { request { http { path: '/?q=1&q=2' method: 'GET' id: '7' header_map { headers { key: 'x-user' "
      "value: 'ann' } headers { key: 'accept' value: 'a' } headers { key: 'accept' value: 'b' } } } } "
      "metadata_context { filter_metadata { key: 'jwt' value { fields { key: 'sub' value { string_value: 'bob' } } } } "
      "} }",
      &request));
  for (const auto& test : kCases) {
    const BundleFiles files = {{"authz/p.hcl", test.policy}};
    const std::string path = testing::TempDir() + "/envoy_worker_same.log";
    std::remove(path.c_str());
    TestService silent(files);
    TestService logging(files, {}, path);
    for (TestService* service : {&silent, &logging}) {
      EnvoyWorker worker(service->operator->(), EnvoyInput::kHttp);
      std::string response;
      EXPECT_EQ(worker.Check(request, Now(), &response), test.outcome)
          << test.policy << Told(response).ShortDebugString();
      worker.AfterResponse();
    }
    const std::string log = logging.Log();
    EXPECT_THAT(log, HasSubstr(R"("metadata":{"jwt":{"sub":"bob"}})"));
    EXPECT_THAT(log, HasSubstr(R"("headers":{"accept":["a","b"],"x-user":"ann"})"));
  }
}

// What a mapping reads is a part of what is told; when it fails, the log has all.
TEST(EnvoyWorkerTest, LogsAllThatAMappingFailsOver) {
  const std::string path = testing::TempDir() + "/envoy_worker_mapping.log";
  std::remove(path.c_str());
  TestService service({{"p/p.hcl", "x = true\n"},
                       {"service.hcl", "authz {\n  variables = { a = http.headers.x-none }\n  entry = \"p/x\"\n}\n"}},
                      {}, path);
  EXPECT_EQ(Check(&service, "/a?q=1").substr(0, 6), "error:");
  const std::string log = service.Log();
  EXPECT_THAT(log, HasSubstr(R"("path":"service.hcl","outcome":"error","input":{"envoy":{"body":{"base64":null)"));
  EXPECT_THAT(log, HasSubstr(R"("headers":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})"));
  EXPECT_THAT(log, HasSubstr(R"("query":{"q":"1"})"));
}

TEST(EnvoyWorkerTest, Logs) {
  const std::string path = testing::TempDir() + "/envoy_worker.log";
  std::remove(path.c_str());
  TestService service({{"authz/p.hcl",
                        "variable \"http\" {\n  type = object({ path = string, headers = any })\n}\n"
                        "allow = { allow = http.path == \"/a\", dynamic_metadata = { deep = [[[[[[[[[[[[[[[[[[[[[[[[["
                        "[[[[[[[http.path]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]] } }\n"}},
                      {}, path);
  EXPECT_EQ(Check(&service, "/a").substr(0, 6), "error:");
  const std::string log = service.Log();
  EXPECT_THAT(log, HasSubstr(R"("path":"authz/allow","outcome":"error","input":{"envoy":{"body":{)"));
  EXPECT_THAT(log, HasSubstr(R"("trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331")"));
}

}  // namespace
}  // namespace hcl::serve

// AuthZEN's API.

#include "hclvm/serve/authzen_api.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kOne[] = "/access/v1/evaluation";
constexpr char kMany[] = "/access/v1/evaluations";
const TestService::Headers kJson = {{"Content-Type", "application/json"}};

constexpr char kModule[] = R"(
variable "user" {
  type = object({ id = string, level = optional(number, 0) })
}
variable "verb" {
  type = string
}
variable "key" {
  type      = string
  default   = ""
  sensitive = true
}
rule = { allow = user.level >= { read = 0, write = 5 }[verb], why = "${user.id} has ${user.level}" }
)";
constexpr char kBlock[] = R"(
authzen {
  variables {
    user = merge(subject.properties, { id = subject.id })
    verb = action.name
  }
  entry    = "m/rule"
  decision = result.allow
  context  = result.allow ? null : { reason_user = { en = result.why }, resource = resource.id }
}
)";
const BundleFiles kFiles = {{"manifest.json", R"({"revision": "7"})"}, {"m/x.hcl", kModule}, {"service.hcl", kBlock}};

std::string Ask(TestService* service, const std::string& body, const char* path = kOne) {
  return service->Answer("POST", path, body, kJson);
}

std::string Body(const std::string& id, const std::string& properties, const std::string& action) {
  return R"({"subject": {"type": "user", "id": ")" + id + R"(", "properties": )" + properties +
         R"(}, "action": {"name": ")" + action + R"("}, "resource": {"type": "file", "id": "1"}})";
}

TEST(AuthzenApiTest, DecidesByTheBlock) {
  TestService service(kFiles);
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(Ask(&service, Body("ann", R"({"level": 5})", "write")), "200 {\"decision\":true}\n");
    EXPECT_EQ(Ask(&service, Body("bob", "{}", "write")),
              "200 {\"decision\":false,\"context\":{\"reason_user\":{\"en\":\"bob has 0\"},\"resource\":\"1\"}}\n");
  }
}

TEST(AuthzenApiTest, NamesWhatHasDecided) {
  TestService service(kFiles);
  const auto headers = [&](const TestService::Headers& more, const std::string& body, const char* path) {
    TestService::Headers sent = kJson;
    sent.insert(sent.end(), more.begin(), more.end());
    const HttpResponse response = service.Ask("POST", path, body, sent);
    std::string text = std::to_string(response.status) + " " + std::string(response.content_type);
    for (const auto& [name, value] : response.headers) absl::StrAppend(&text, " ", name, "=", value);
    return WithoutIds(text);
  };
  const std::string good = Body("ann", "{}", "read");
  EXPECT_EQ(headers({}, good, kOne), "200 application/json x-hclvm-revision=7 x-hclvm-decision-id=ID");
  EXPECT_EQ(headers({{"X-Request-ID", "r 1"}}, good, kOne),
            "200 application/json x-hclvm-revision=7 x-hclvm-decision-id=ID x-request-id=r 1");
  EXPECT_EQ(headers({{"X-Request-ID", "r 1"}}, R"({"evaluations": [)" + good + "]}", kMany),
            "200 application/json x-hclvm-revision=7 x-request-id=r 1");
  EXPECT_EQ(headers({{"X-Request-ID", "r 1"}}, "", kOne), "400 text/plain; charset=utf-8 x-request-id=r 1");
  EXPECT_EQ(headers({{"X-Request-ID", "r 1"}}, Body("ann", R"({"level": "x"})", "read"), kOne),
            "400 text/plain; charset=utf-8 x-hclvm-revision=7 x-hclvm-decision-id=ID x-request-id=r 1");
  EXPECT_EQ(headers({{"x-request-id", "a"}, {"X-Request-ID", "b"}}, "", kOne), "400 text/plain; charset=utf-8");
  EXPECT_EQ(headers({{"X-Request-ID", "r"}}, "{}", "/access/v1/search/subject"),
            "501 text/plain; charset=utf-8 x-request-id=r");
}

TEST(AuthzenApiTest, RefusesWrongRequests) {
  TestService service(kFiles);
  const struct {
    const char* body;
    const char* want;
  } kCases[] = {
      {"", "400 the body is not to be read: Invalid JSON"},
      {"{", "400 the body is not to be read: Invalid JSON"},
      {R"({"subject": {}, "subject": {}})", "400 the body is not to be read: "},
      {"[]", "400 the body: expected object, found array\n"},
      {"null", "400 the body: expected object, found null\n"},
      {"{}", "400 action is missing\n"},
      {R"({"subject": "alice", "action": {"name": "read"}, "resource": {"type": "record", "id": "1"}})",
       "400 subject: expected object, found string\n"},
  };
  for (const auto& test : kCases) {
    EXPECT_THAT(Ask(&service, test.body), StartsWith(test.want)) << test.body;
    EXPECT_THAT(Ask(&service, test.body, kMany), StartsWith(test.want)) << test.body;
  }
  const std::string good = Body("ann", "{}", "read");
  EXPECT_EQ(service.Answer("POST", kOne, good), "400 the header content-type must be application/json\n");
  EXPECT_EQ(service.Answer("POST", kOne, good, {{"content-type", "text/plain"}}),
            "400 the header content-type must be application/json\n");
  EXPECT_EQ(service.Answer("POST", kOne, good, {{"content-type", "Application/JSON ; charset=utf-8"}}),
            "200 {\"decision\":true}\n");
  EXPECT_THAT(service.Answer("POST", kOne, good, {kJson[0], {"content-encoding", "gzip"}}), StartsWith("415 "));
  EXPECT_EQ(service.Answer("GET", kOne), "405 the method must be POST\n");
  EXPECT_EQ(service.Answer("POST", "/access/v1/other", good, kJson),
            "404 there are /access/v1/evaluation and /access/v1/evaluations\n");
  EXPECT_EQ(Ask(&service, good, "/access/v1/search/resource"),
            "501 searches are not supported: this service answers evaluations only\n");
  // Nothing of this was a decision.
  EXPECT_THAT(service.metrics().Render(), Not(HasSubstr("outcome=\"error\"} 1")));
}

TEST(AuthzenApiTest, FailuresAreNoDenials) {
  TestService service(kFiles);
  EXPECT_THAT(Ask(&service, Body("ann", "{}", "fly")), StartsWith("500 Invalid index: "));
  EXPECT_THAT(Ask(&service, Body("ann", "{}", "fly")), HasSubstr(" (m/x.hcl:13)\n"));
  EXPECT_THAT(Ask(&service, Body("ann", R"({"level": "x"})", "read")), StartsWith("400 Unsuitable value"));
  const auto of = [](const std::string& attributes) {
    TestService other(
        {{"m/x.hcl", kModule},
         {"a/x.hcl",
          "yes = true\nsome = { allow = true }\nfull = { decision = true, context = { a = 1 } }\nnone = null\ntext = "
          "\"true\"\nbad = { decision = true, context = 1 }\nwho = id\nvariable \"id\" {}\n"},
         {"service.hcl", "authzen {\n" + attributes + "\n}\n"}});
    return Ask(&other, Body("ann", R"({"n": 1})", "read"));
  };
  EXPECT_EQ(of("entry = \"a/yes\""), "200 {\"decision\":true}\n");
  EXPECT_EQ(of("entry = \"a/yes\"\ncontext = { n = subject.properties.n }"),
            "200 {\"decision\":true,\"context\":{\"n\":1}}\n");
  EXPECT_EQ(of("entry = \"a/some\""), "500 the result is an object without the attribute \"decision\"\n");
  EXPECT_EQ(of("entry = \"a/some\"\ndecision = result.allow"), "200 {\"decision\":true}\n");
  EXPECT_EQ(of("entry = \"a/full\""), "200 {\"decision\":true,\"context\":{\"a\":1}}\n");
  EXPECT_EQ(of("entry = \"a/full\"\ncontext = null"), "200 {\"decision\":true}\n");
  EXPECT_EQ(of("entry = \"a/full\"\ndecision = !result.decision"), "200 {\"decision\":false}\n");
  EXPECT_EQ(of("entry = \"a/none\""), "200 {\"decision\":false}\n");
  EXPECT_EQ(of("entry = \"a/text\""), "500 the decision must be true or false, and is: string\n");
  EXPECT_EQ(of("entry = \"a/bad\""), "500 the context must be an object, and is: number\n");
  EXPECT_EQ(of("entry = \"a/yes\"\ndecision = \"x\""), "500 the decision must be true or false, and is: string\n");
  EXPECT_EQ(of("entry = \"a/yes\"\ncontext = { n = subject.properties.n }.n"),
            "500 the context must be an object, and is: number\n");
  EXPECT_THAT(of("entry = \"a/yes\"\ncontext = { n = subject.properties.m }"), StartsWith("500 Unsupported attribute"));
  EXPECT_EQ(of("entry = \"a/yes\"\nvariables = 1"),
            "500 the attribute \"variables\" of the block \"authzen\" is no object\n");
  EXPECT_THAT(of("entry = \"a/yes\"\nvariables = { n = subject.properties.m }"),
              StartsWith("500 Unsupported attribute"));
  EXPECT_EQ(of("entry = \"a/${action.name}\""), "500 the bundle has no entry \"a/read\"\n");
  EXPECT_EQ(of("entry = \"a/${action.name == \"read\" ? \"yes\" : \"no\"}\"\nvariables = { id = 1 }"),
            "200 {\"decision\":true}\n");
  EXPECT_EQ(of("entry = \"a/who\"\nvariables = { id = 1 }\ndecision = result == 1"), "200 {\"decision\":true}\n");
}

TEST(AuthzenApiTest, WithoutABlockTheEntryDecides) {
  TestService service(BundleFiles{{"authzen/x.hcl", R"(
variable "subject" {
  type = object({ type = string, id = string, properties = object({ roles = optional(list(string), []) }) })
}
variable "action" {
  type = object({ name = string })
}
variable "resource" {}
variable "context" {}
decision = {
  decision = contains(subject.properties.roles, action.name) && context == {}
  context  = { id = resource.id }
}
)"}});
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(Ask(&service, Body("ann", R"({"roles": ["write"]})", "write")),
              "200 {\"decision\":true,\"context\":{\"id\":\"1\"}}\n");
    EXPECT_EQ(Ask(&service, Body("ann", "null", "write")), "200 {\"decision\":false,\"context\":{\"id\":\"1\"}}\n");
  }
  TestService none(BundleFiles{{"x.hcl", "x = 1\n"}});
  EXPECT_THAT(Ask(&none, Body("ann", "{}", "read")), StartsWith("404 the bundle answers no questions of AuthZEN"));
  EXPECT_THAT(none.Answer("GET", "/.well-known/authzen-configuration"), StartsWith("404 "));
  TestService empty{BundleFiles{}};
  EXPECT_EQ(Ask(&empty, Body("ann", "{}", "read")), "503 there is no bundle yet: /readyz says why\n");
}

std::string Batch(const std::string& semantic, const std::vector<std::string>& levels) {
  std::string body = R"({"subject": {"type": "user", "id": "ann"}, "action": {"name": "write"},)"
                     R"("resource": {"type": "file", "id": "1"}, )";
  if (!semantic.empty()) body += R"("options": {"evaluations_semantic": ")" + semantic + R"("}, )";
  body += R"("evaluations": [)";
  for (const std::string& level : levels) {
    if (body.back() != '[') body += ", ";
    const std::string id = level.find('"') == std::string::npos ? "u" + level : "other";
    if (level.empty()) {
      body += "{}";
      continue;
    }
    absl::StrAppend(&body, R"({"subject": {"type": "user", "id": ")", id, R"(", "properties": {"level": )", level,
                    "}}}");
  }
  return body + "]}";
}

TEST(AuthzenApiTest, DecidesBatches) {
  TestService service(kFiles);
  const std::string yes = R"({"decision":true})";
  const auto no = [](const std::string& why) {
    return R"({"decision":false,"context":{"reason_user":{"en":")" + why + R"("},"resource":"1"}})";
  };
  const auto ask = [&](const std::string& semantic, const std::vector<std::string>& levels) {
    return Ask(&service, Batch(semantic, levels), kMany);
  };
  const auto list = [](const std::string& items) { return "200 {\"evaluations\":[" + items + "]}\n"; };
  EXPECT_EQ(ask("", {"9", "", "1", "5"}), list(yes + "," + no("ann has 0") + "," + no("u1 has 1") + "," + yes));
  EXPECT_EQ(ask("execute_all", {"1", "5"}), list(no("u1 has 1") + "," + yes));
  EXPECT_EQ(ask("deny_on_first_deny", {"5", "1", "6"}), list(yes + "," + no("u1 has 1")));
  EXPECT_EQ(ask("deny_on_first_deny", {"5", "6"}), list(yes + "," + yes));
  EXPECT_EQ(ask("permit_on_first_permit", {"1", "5", "6"}), list(no("u1 has 1") + "," + yes));
  EXPECT_EQ(ask("permit_on_first_permit", {"1", "2"}), list(no("u1 has 1") + "," + no("u2 has 2")));
  EXPECT_THAT(ask("some", {"1"}), StartsWith("400 options.evaluations_semantic: "));
  // Without evaluations it is one question.
  EXPECT_EQ(ask("", {}), "200 " + no("ann has 0") + "\n");
  EXPECT_EQ(Ask(&service, Body("ann", R"({"level": 5})", "write"), kMany), "200 {\"decision\":true}\n");
}

TEST(AuthzenApiTest, ErrorsOfEvaluationsDenyThem) {
  TestService service(kFiles);
  const std::string answer = Ask(&service, Batch("", {"\"x\"", "5", "[]"}), kMany);
  EXPECT_THAT(answer,
              StartsWith(R"(200 {"evaluations":[{"decision":false,"context":{"error":{"status":400,"message":)"));
  EXPECT_THAT(answer, HasSubstr(R"(}}},{"decision":true},{"decision":false,"context":{"error":{"status":400,)"));
  EXPECT_THAT(Ask(&service, Batch("deny_on_first_deny", {"\"x\"", "5"}), kMany), Not(HasSubstr("true")));
  const std::string body = R"({"subject": {"type": "user", "id": "ann"}, "action": {"name": "read"}, "evaluations": [)"
                           R"({"resource": {"type": "file", "id": "1"}}, {}, 3,)"
                           R"({"resource": {"type": "file", "id": "1"}, "action": {"name": "fly"}}]})";
  EXPECT_THAT(
      Ask(&service, body, kMany),
      StartsWith(R"(200 {"evaluations":[{"decision":true},)"
                 R"({"decision":false,"context":{"error":{"status":400,"message":"resource is missing"}}},)"
                 R"({"decision":false,"context":{"error":{"status":400,"message":"expected object, found number"}}},)"
                 R"({"decision":false,"context":{"error":{"status":500,"message":"Invalid index: )"));
}

// An evaluation that fails before it is a decision changes nothing of the one before it.
TEST(AuthzenApiTest, CountsEachEvaluation) {
  TestService service({{"m/x.hcl", "variable \"n\" {}\nyes = n > 1\n"},
                       {"service.hcl",
                        "authzen {\n  entry     = \"m/${action.name}\"\n  variables = { n = "
                        "subject.properties.n }\n}\n"}});
  const auto item = [](const std::string& action, const std::string& n) {
    return R"({"action": {"name": ")" + action + R"("}, "subject": {"type": "u", "id": "1", "properties": {"n": )" + n +
           "}}}";
  };
  const std::string answer = Ask(&service,
                                 R"({"resource": {"type": "f", "id": "1"}, "evaluations": [)" + item("yes", "2") + "," +
                                     item("no", "2") + "," + item("yes", "1") + "," + item("yes", "[]") + "]}",
                                 kMany);
  EXPECT_THAT(answer,
              StartsWith(R"(200 {"evaluations":[{"decision":true},{"decision":false,"context":{"error":{"status":500,)"
                         R"("message":"the bundle has no entry \"m/no\""}}},{"decision":false},)"));
  const std::string metrics = service.metrics().Render();
  EXPECT_THAT(metrics, HasSubstr("hclvm_decisions_total{policy=\"m/yes\",outcome=\"allow\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("hclvm_decisions_total{policy=\"m/yes\",outcome=\"deny\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("hclvm_decisions_total{policy=\"m/yes\",outcome=\"error\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("hclvm_decision_duration_seconds_count 3\n"));
}

TEST(AuthzenApiTest, Bounds) {
  ServiceOptions options;
  options.max_batch = 2;
  options.limits.max_fuel = 10'000;
  options.limits.max_output_bytes = 500;
  TestService service({{"m/x.hcl",
                        "variable \"n\" {}\nslow = length([for a in range(1000) : [for b in range(1000) : a]]) > "
                        "n\nmany = { decision = true, context = { t = [for a in range(300) : n] } }\nlong = { decision "
                        "= true, context = { t = format(\"%450d\", n) } }\n"},
                       {"service.hcl", "authzen {\n  entry     = \"m/${action.name}\"\n  variables = { n = 1 }\n}\n"}},
                      options);
  const auto limits = [&](Reason reason) { return service.metrics().limits[static_cast<size_t>(reason)].load(); };
  EXPECT_THAT(Ask(&service, Body("a", "{}", "slow")), StartsWith("500 a limit was crossed: fuel; "));
  EXPECT_EQ(limits(Reason::kFuel), 1u);
  EXPECT_THAT(Ask(&service, Body("a", "{}", "many")), StartsWith("500 the context has no form in JSON: "));
  const auto batch = [](const std::string& action, int count) {
    std::string body =
        R"({"subject": {"type": "u", "id": "1"}, "resource": {"type": "f", "id": "1"}, "action": {"name": ")" + action +
        R"("}, "evaluations": [{})";
    for (int n = 1; n < count; ++n) body += ", {}";
    return body + "]}";
  };
  EXPECT_THAT(Ask(&service, batch("slow", 2), kMany), HasSubstr("fuel"));
  EXPECT_EQ(limits(Reason::kFuel), 3u);
  EXPECT_EQ(Ask(&service, batch("slow", 3), kMany), "413 one request may have at most 2 evaluations\n");
  const std::string answer = Ask(&service, batch("long", 2), kMany);
  EXPECT_THAT(answer, StartsWith("200 {\"evaluations\":[{\"decision\":true,"));
  EXPECT_THAT(answer, HasSubstr("}},{\"decision\":false,\"context\":{\"error\":{\"status\":500,\"message\":\"the "
                                "response has more than 500 bytes\"}}}]}"));

  ServiceOptions late;
  late.timeout = std::chrono::milliseconds(0);
  TestService other(kFiles, late);
  EXPECT_THAT(Ask(&other, Body("ann", "{}", "read")), StartsWith("503 "));
  EXPECT_EQ(other.metrics().limits[static_cast<size_t>(Reason::kDeadline)], 1u);
}

TEST(AuthzenApiTest, Logs) {
  const std::string path = testing::TempDir() + "/authzen_api.log";
  std::remove(path.c_str());
  ServiceOptions options;
  ASSERT_EQ(options.mask.Add("user.level", /*erase=*/false), "");
  TestService service(
      {{"manifest.json", R"({"revision": "7"})"},
       {"m/x.hcl", kModule},
       {"service.hcl",
        "authzen {\n  variables = { user = { id = subject.id, level = subject.properties.level }, verb = "
        "action.name, key = \"k\" }\n  entry = \"m/rule\"\n  decision = result.allow\n}\n"}},
      options, path);
  TestService::Headers headers = kJson;
  headers.push_back({"X-Request-ID", "r\"1"});
  headers.push_back({"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
  service.Answer("POST", kOne, Body("ann", R"({"level": 5})", "write"), headers);
  service.Answer("POST", kMany, Batch("", {"5", "1"}), kJson);
  service.Answer("POST", kOne, Body("ann", "{}", "write"), kJson);
  const auto line = [](const std::string& outcome, const std::string& id, const std::string& result) {
    return R"({"decision_id":"ID","timestamp":"TIME","labels":{},"revision":"7","path":"m/rule","outcome":")" +
           outcome + R"(","input":{"user":{"id":")" + id + R"(","level":"***"},"verb":"write"},"erased":["/key"],)" +
           R"("masked":["/user/level"],"result":)" + result;
  };
  const std::string log = service.Log();
  EXPECT_THAT(log, StartsWith(line("allow", "ann", R"({"allow":true,"why":"ann has 5"})") +
                              R"(,"trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331",)"
                              R"("request_id":"r\"1","metrics":)"));
  EXPECT_THAT(log, HasSubstr("\n" + line("allow", "u5", R"({"allow":true,"why":"u5 has 5"})") + ",\"metrics\""));
  EXPECT_THAT(log, HasSubstr("\n" + line("deny", "u1", R"({"allow":false,"why":"u1 has 1"})") + ",\"metrics\""));
  EXPECT_THAT(log, HasSubstr(R"("path":"service.hcl","outcome":"error","input":{"action":{"name":"write",)"));
}

// The log has no sensitive variable, nor what is made of one, in whichever form the block gives it.
TEST(AuthzenApiTest, LogsNoSensitiveVariables) {
  const std::string path = testing::TempDir() + "/authzen_api_sensitive.log";
  for (const char* variables : {
           "variables = { user = sensitive({ id = subject.id }), verb = sensitive(action.name) }",
           "variables = sensitive({ user = { id = subject.id }, verb = action.name })",
           "variables = sensitive(merge({ user = { id = subject.id } }, { verb = action.name }))",
           "variables {\n    user = sensitive({ id = subject.id })\n    verb = sensitive(action.name)\n  }",
       }) {
    std::remove(path.c_str());
    TestService service({{"manifest.json", R"({"revision": "7"})"},
                         {"m/x.hcl", kModule},
                         {"service.hcl", absl::StrCat("authzen {\n  ", variables,
                                                      "\n  entry = \"m/rule\"\n  decision = result.allow\n}\n")}},
                        {}, path);
    EXPECT_EQ(Ask(&service, Body("hunter2", "{}", "read")), "200 {\"decision\":true}\n") << variables;
    EXPECT_THAT(Ask(&service, Batch("", {"9", "5"}), kMany), StartsWith("200 {\"evaluations\":[{")) << variables;
    const std::string log = service.Log();
    EXPECT_THAT(log, HasSubstr(R"("outcome":"allow","input":{},"erased":["/user","/verb",)")) << variables;
    for (const char* secret : {"hunter2", "u9", "write"}) EXPECT_THAT(log, Not(HasSubstr(secret))) << variables;
  }
}

TEST(AuthzenApiTest, AsksTheShadow) {
  TestService service(kFiles);
  BundleFiles other = kFiles;
  other["manifest.json"] = R"({"revision": "8"})";
  other["m/x.hcl"] = std::string(kModule).replace(std::string(kModule).find("write = 5"), 9, "write = 6");
  ASSERT_TRUE(service->ActivateShadow(other).activated);
  EXPECT_THAT(Ask(&service, Batch("", {"4", "5", "6", "5"}), kMany), HasSubstr("\"decision\":true"));
  EXPECT_EQ(service.metrics().shadow_same, 2u);
  EXPECT_EQ(service.metrics().shadow_different, 2u);
}

// What questions have in common is prepared once; what they have not is each one's own, also in other modules between.
TEST(AuthzenApiTest, QuestionsOfABatchAreTheirOwn) {
  BundleFiles files = {
      {"m/x.hcl",
       "variable \"a\" {\n  type = object({ x = optional(string, \"none\") })\n}\nvariable \"b\" {\n  type = "
       "list(string)\n}\nlocals {\n  all = [a.x, join(\"+\", b)]\n}\nyes = { decision = true, context = { v = "
       "local.all } }\n"},
      {"n/x.hcl", "variable \"b\" {\n  type = list(string)\n}\nyes = { decision = false, context = { v = b } }\n"}};
  const auto item = [](const std::string& module, const std::string& a, const std::string& b) {
    return absl::StrCat(R"({"action": {"name": ")", module, R"("}, "subject": {"type": "u", "id": "1", "properties": )",
                        a, R"(}, "resource": {"type": "r", "id": "1", "properties": {"b": )", b, "}}}");
  };
  const std::string x = R"({"x": "a text of more than sixteen bytes"})";
  const std::string y = R"({"x": "another text of more than sixteen"})";
  const std::string body =
      absl::StrCat(R"({"evaluations": [)", item("m", x, R"(["p"])"), ",", item("m", x, R"(["q", "r"])"), ",",
                   item("n", y, R"(["s"])"), ",", item("m", y, R"(["s"])"), ",", item("m", "{}", R"(["s"])"), ",",
                   item("m", x, R"(["s"])"), ",", item("m", x, "[[]]"), ",", item("m", x, R"(["p"])"), "]}");
  const auto one = [](const std::string& a, const std::string& b) {
    return absl::StrCat(R"({"decision":true,"context":{"v":[")", a, "\",\"", b, "\"]}}");
  };
  const std::string text = "a text of more than sixteen bytes";
  const std::string other = "another text of more than sixteen";
  const std::string want = absl::StrCat("200 {\"evaluations\":[", one(text, "P"), ",", one(text, "Q+R"), ",",
                                        R"({"decision":false,"context":{"v":["S"]}},)", one(other, "S"), ",",
                                        one("none", "S"), ",", one(text, "S"), ",");
  const std::string path = testing::TempDir() + "/authzen_batches.log";
  const std::string a = "a = merge(subject.properties, {})";
  const std::string b = "b = [for v in resource.properties.b : upper(v)]";
  for (const auto& [variables, log] :
       std::vector<std::pair<std::string, std::string>>{{absl::StrCat("variables = {\n", a, "\n", b, "\n}"), ""},
                                                        {absl::StrCat("variables {\n", b, "\n", a, "\n}"), ""},
                                                        {absl::StrCat("variables = {\n", a, "\n", b, "\n}"), path},
                                                        {absl::StrCat("variables {\n", b, "\n", a, "\n}"), path}}) {
    std::remove(path.c_str());
    files["service.hcl"] = absl::StrCat("authzen {\n  entry = \"${action.name}/yes\"\n", variables, "\n}\n");
    TestService service(files, {}, log);
    for (int round = 0; round < 2; ++round) {
      const std::string answer = Ask(&service, body, kMany);
      EXPECT_THAT(answer, StartsWith(want));
      EXPECT_THAT(answer, HasSubstr(R"("status":500,"message":"Invalid function argument)"));
      EXPECT_THAT(answer, HasSubstr("}}}," + one(text, "P") + "]}"));
    }
    if (log.empty()) continue;
    const std::string lines = service.Log();
    EXPECT_THAT(lines, HasSubstr(absl::StrCat(R"("input":{"a":{"x":")", text, R"("},"b":["Q","R"]})")));
    EXPECT_THAT(lines, HasSubstr(absl::StrCat(R"("path":"n/yes","outcome":"deny","input":{"a":{"x":")", other,
                                              R"("},"b":["S"]})")));
    EXPECT_THAT(lines, HasSubstr(R"("input":{"a":{},"b":["S"]})"));
  }
}

// Copies of scopes for the log are bounded: what they have no room for is decided, and not in the log.
TEST(AuthzenApiTest, BoundsWhatIsKept) {
  const std::string path = testing::TempDir() + "/authzen_kept.log";
  ServiceOptions options;
  options.limits.max_result_bytes = 3000;
  for (const char* variables : {"variables = { t = [for n in range(100) : resource.id] }",
                                "variables {\nt = [for n in range(100) : resource.id]\n}"}) {
    std::remove(path.c_str());
    TestService service({{"m/x.hcl", "variable \"t\" {\n  type = list(string)\n}\nyes = length(t) > 1\n"},
                         {"service.hcl", absl::StrCat("authzen {\n  entry = \"m/yes\"\n", variables, "\n}\n")}},
                        options, path);
    const std::string body =
        R"({"subject": {"type": "u", "id": "1"}, "action": {"name": "a"}, "resource": {"type": "f"}, "evaluations": [)"
        R"({"resource": {"id": "1"}}, {"resource": {"id": "2"}}, {"action": {"name": "b"}, "resource": {"id": "2"}}]})";
    const std::string yes = R"({"decision":true})";
    EXPECT_EQ(Ask(&service, body, kMany), absl::StrCat("200 {\"evaluations\":[", yes, ",", yes, ",", yes, "]}\n"));
    const std::string log = service.Log();
    EXPECT_THAT(log, HasSubstr(R"("outcome":"allow","input":{"t":["1",)"));
    EXPECT_THAT(log, HasSubstr(R"("outcome":"allow","input":null,"erased":[""],"result":true)"));
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 3);
  }
}

TEST(AuthzenApiTest, Explains) {
  ServiceOptions options;
  options.bundle.explains = true;
  TestService service(kFiles, options);
  const std::string answer = Ask(&service, Body("ann", "{}", "write"), "/access/v1/evaluation?explain");
  EXPECT_THAT(answer, StartsWith("200 {\"explanation\":{\"entry\":\"rule\",\"outcome\":\"value\""));
  EXPECT_THAT(answer, HasSubstr("user.level"));
  EXPECT_THAT(Ask(&service, Body("ann", "{}", "fly"), "/access/v1/evaluation?explain=full"),
              StartsWith("200 {\"explanation\":{\"entry\":\"rule\",\"outcome\":\"error\""));
  EXPECT_THAT(service.metrics().Render(), Not(HasSubstr("policy=\"m/rule\",outcome=\"allow\"} 1")));
  TestService other(kFiles);
  EXPECT_EQ(Ask(&other, Body("ann", "{}", "write"), "/access/v1/evaluation?explain"),
            "404 explanations need the option --explain\n");
}

TEST(AuthzenApiTest, TellsItsConfiguration) {
  const auto ask = [](TestService* service, const std::string& tenant, ListenerInfo listener = {}) {
    return service->Answer("GET", "/.well-known/authzen-configuration" + tenant, "", {{"Host", "pdp.example.com:8181"}},
                           listener);
  };
  const auto want = [](const std::string& url) {
    return "200 {\"policy_decision_point\":\"" + url + "\",\"access_evaluation_endpoint\":\"" + url +
           "/access/v1/evaluation\",\"access_evaluations_endpoint\":\"" + url + "/access/v1/evaluations\"}\n";
  };
  TestService service(kFiles);
  EXPECT_EQ(ask(&service, ""), want("http://pdp.example.com:8181"));
  ListenerInfo tls;
  tls.is_tls = true;
  EXPECT_EQ(ask(&service, "", tls), want("https://pdp.example.com:8181"));
  EXPECT_THAT(ask(&service, "/tenant"), StartsWith("404 "));
  EXPECT_EQ(service.Answer("POST", "/.well-known/authzen-configuration", "", kJson),
            "405 the method must be GET, HEAD\n");
  EXPECT_THAT(service.Answer("GET", "/.well-known/authzen-configurations"), StartsWith("404 {"));
  ServiceOptions options;
  options.public_url = "https://pdp.example.com/tenant";
  TestService other(kFiles, options);
  EXPECT_EQ(ask(&other, ""), want("https://pdp.example.com/tenant"));
  EXPECT_EQ(ask(&other, "/tenant"), want("https://pdp.example.com/tenant"));
  EXPECT_THAT(ask(&other, "/other"), StartsWith("404 "));
}

}  // namespace
}  // namespace hcl::serve

// Activation of bundles, and the paths that are about it.

#include "hclvm/serve/service.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/revision_state.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

BundleFiles Numbered(const std::string& revision, const std::string& text) {
  return {{"manifest.json", "{\"revision\": \"" + revision + "\"}"}, {"a/x.hcl", text}};
}

TEST(ServiceTest, IsReadyWithABundle) {
  TestService service({});
  EXPECT_EQ(service.Answer("GET", "/livez"), "200 {\"live\":true}\n");
  EXPECT_EQ(service.Answer("GET", "/readyz"), "503 {\"ready\":false}\n");
  EXPECT_THAT(service.Answer("POST", "/v1/decide/a/x", "{}"), StartsWith("503 {\"diagnostics\":"));
  EXPECT_TRUE(service->Activate(Numbered("1", "x = 1\n")).activated);
  EXPECT_EQ(service.Answer("GET", "/readyz"), "200 {\"ready\":true,\"revision\":\"1\"}\n");
  EXPECT_EQ(service.Answer("POST", "/v1/decide/a/x", "{}"),
            "200 {\"value\":1,\"revision\":\"1\",\"decision_id\":\"ID\"}\n");
  service->SetStopping();
  EXPECT_THAT(service.Answer("GET", "/readyz"), StartsWith("503 "));
  EXPECT_FALSE(service.metrics().ready);
  // What was under way may still come into force.
  EXPECT_TRUE(service->Activate(Numbered("9", "x = 2\n")).activated);
  EXPECT_FALSE(service.metrics().ready);
  EXPECT_THAT(service.Answer("GET", "/readyz"), StartsWith("503 "));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/a/x", "{}"), StartsWith("200 "));
}

TEST(ServiceTest, KeepsWhatWorks) {
  TestService service(Numbered("2", "x = 2\n"));
  const Activation broken = service->Activate(Numbered("3", "x = \n"));
  EXPECT_FALSE(broken.activated);
  EXPECT_EQ(broken.failure.message, "the bundle has errors");
  EXPECT_THAT(service.Answer("GET", "/readyz"),
              HasSubstr("\"revision\":\"2\",\"last_error\":\"the bundle has errors\",\"diagnostics\":[{"));
  EXPECT_EQ(service.metrics().failed_reloads, 1u);
  EXPECT_THAT(service.Answer("POST", "/v1/decide/a/x", "{}"), HasSubstr("\"value\":2,\"revision\":\"2\""));
  EXPECT_TRUE(service->Activate(Numbered("3", "x = 3\n")).activated);
  EXPECT_THAT(service.Answer("POST", "/v1/decide/a/x", "{}"), HasSubstr("\"value\":3,\"revision\":\"3\""));
  EXPECT_EQ(service.Answer("GET", "/readyz"), "200 {\"ready\":true,\"revision\":\"3\"}\n");
}

// Each service is one after a restart.
TEST(ServiceTest, RefusesOlderRevisionsAfterARestart) {
  const std::string path = testing::TempDir() + "/service_test_state";
  std::remove(path.c_str());
  const auto activate = [&](const BundleFiles& files, bool allow_older = false) {
    ServiceOptions options;
    options.allow_older = allow_older;
    options.state = *RevisionState::Open(path);
    TestService service({}, options);
    const Activation activation = service->Activate(files);
    EXPECT_EQ(activation.activated, activation.failure.message.empty());
    return activation.failure.message;
  };
  EXPECT_EQ(activate(Numbered("v9", "x = 9\n")), "");
  EXPECT_EQ(activate(Numbered("v10", "x = 10\n")), "");
  EXPECT_EQ(activate(Numbered("v9", "x = 9\n")), "the revision v9 is older than v10, which was in force");
  EXPECT_EQ(activate(Numbered("v10", "x = 10\n")), "");
  EXPECT_EQ(activate(Numbered("v10", "x = 11\n")), "the revision v10 was in force with other contents");
  // What has no order changes nothing of that.
  EXPECT_EQ(activate({{"a/x.hcl", "x = 1\n"}}), "");
  EXPECT_EQ(activate(Numbered("v9", "x = 9\n")), "the revision v9 is older than v10, which was in force");
  EXPECT_EQ(activate(Numbered("v9", "x = 9\n"), /*allow_older=*/true), "");
  EXPECT_EQ(activate(Numbered("v9.5", "x = 9\n")), "");
}

TEST(ServiceTest, SaysThatARevisionCannotBeKept) {
  ServiceOptions options;
  options.state = *RevisionState::Open(testing::TempDir() + "/no_such_folder/state");
  TestService service({}, options);
  const Activation activation = service->Activate(Numbered("1", "x = 1\n"));
  EXPECT_TRUE(activation.activated);
  EXPECT_THAT(activation.failure.message, HasSubstr("cannot keep the revision in "));
  EXPECT_THAT(service.Answer("GET", "/readyz"), HasSubstr("\"ready\":true,\"revision\":\"1\",\"last_error\":\"cannot"));
  EXPECT_EQ(service->Activate(Numbered("0", "x = 0\n")).failure.message,
            "the revision 0 is older than 1, which is in force");
}

TEST(ServiceTest, RefusesOlderRevisions) {
  TestService service(Numbered("v10", "x = 10\n"));
  EXPECT_EQ(service->Activate(Numbered("v9", "x = 9\n")).failure.message,
            "the revision v9 is older than v10, which is in force");
  EXPECT_EQ(service->Activate(Numbered("v10", "x = 11\n")).failure.message,
            "the revision v10 is in force with other contents");
  EXPECT_TRUE(service->Activate(Numbered("v10", "x = 10\n")).unchanged);
  EXPECT_TRUE(service->Activate({{"a/x.hcl", "x = 1\n"}}).activated);
  EXPECT_TRUE(service->Activate(Numbered("v9", "x = 9\n")).activated);

  ServiceOptions options;
  options.allow_older = true;
  TestService other(Numbered("v10", "x = 10\n"), options);
  EXPECT_TRUE(other->Activate(Numbered("v9", "x = 9\n")).activated);
}

TEST(ServiceTest, TakesBundles) {
  ServiceOptions options;
  options.admin_token = "a long enough token";
  TestService service(Numbered("1", "x = 1\n"), options);
  std::string taken;
  service->set_uploader([&](UploadKind kind, std::string archive, const HttpReply& reply) {
    if (archive == "busy") return false;
    taken = (kind == UploadKind::kData ? "data " : "") + std::move(archive);
    HttpResponse response;
    response.body = "taken";
    reply(response);
    return true;
  });
  ListenerInfo admin;
  admin.is_admin = true;
  const TestService::Headers token = {{"Authorization", "Bearer a long enough token"}};
  EXPECT_EQ(service.Answer("PUT", "/v1/bundle", "archive", token, admin), "200 taken");
  EXPECT_EQ(taken, "archive");
  EXPECT_THAT(service.Answer("PUT", "/v1/bundle", "busy", token, admin), StartsWith("503 "));
  EXPECT_EQ(service.Answer("PUT", "/v1/data", "{}", token, admin), "200 taken");
  EXPECT_EQ(taken, "data {}");
  EXPECT_THAT(service.Answer("GET", "/v1/bundle", "", token, admin), HasSubstr("\"revision\":\"1\""));
  taken.clear();
  EXPECT_THAT(service.Answer("PUT", "/v1/bundle", "archive", {}, admin), StartsWith("401 "));
  EXPECT_THAT(service.Answer("PUT", "/v1/data", "{}", {}, admin), StartsWith("401 "));
  for (const char* wrong :
       {"Bearer a long enough toke", "Bearer ", "Basic a long enough token", "a long enough token"}) {
    EXPECT_THAT(service.Answer("PUT", "/v1/bundle", "archive", {{"authorization", wrong}}, admin), StartsWith("401 "));
  }
  EXPECT_THAT(service.Answer("PUT", "/v1/bundle", "archive", token), StartsWith("404 "));
  EXPECT_THAT(service.Answer("DELETE", "/v1/bundle", "", token, admin), StartsWith("405 "));
  EXPECT_EQ(taken, "");
}

TEST(ServiceTest, KnowsItsPaths) {
  TestService service(Numbered("1", "x = 1\n"));
  EXPECT_THAT(service.Answer("GET", "/"), StartsWith("404 "));
  EXPECT_THAT(service.Answer("GET", "/auth/"), StartsWith("404 "));
  EXPECT_THAT(service.Answer("GET", "/v1/decide/a/x"), StartsWith("405 "));
  EXPECT_THAT(service.Answer("POST", "/readyz"), StartsWith("405 "));
  EXPECT_THAT(service.Answer("GET", "/metrics?x=1"), HasSubstr("hclvm_bundle_info{revision=\"1\"} 1\n"));
  EXPECT_EQ(service.Answer("GET", "/livez?x"), "200 {\"live\":true}\n");
  EXPECT_THAT(service.Answer("POST", "/v1/decide/a/x", "\x1f\x8b", {{"content-encoding", "gzip"}}),
              StartsWith("415 {\"diagnostics\":[{\"severity\":\"error\""));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/a/x", "{}", {{"content-encoding", "Identity"}}), StartsWith("200 "));
}

// The shadow's answers are logged, also where the log takes a sample that has none, and never given.
TEST(ServiceTest, AsksTheShadow) {
  ServiceOptions options;
  options.log_sample = 0;
  const std::string path = testing::TempDir() + "/service_shadow.log";
  std::remove(path.c_str());
  TestService service({{"x.hcl", "a = 1\nb = 1\nc = 1\n"}}, options, path);
  EXPECT_TRUE(service->ActivateShadow({{"x.hcl", "a = 1\nb = 2\n"}}).activated);
  for (const char* entry : {"a", "b", "c"}) {
    EXPECT_THAT(service.Answer("POST", std::string("/v1/decide/") + entry, "{}"), HasSubstr("\"value\":1"));
  }
  EXPECT_EQ(service.metrics().shadow_same, 1u);
  EXPECT_EQ(service.metrics().shadow_different, 1u);
  EXPECT_EQ(service.metrics().shadow_failed, 1u);
  const std::string log = service.Log();
  EXPECT_THAT(log, HasSubstr("\"same\":false,\"result\":2}}\n"));
  EXPECT_THAT(log, HasSubstr("\"same\":false,\"error\":[{\"severity\":\"error\",\"summary\":\"No such entry\"}]}}\n"));
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 2);
}

// One request has the time of one, however many decisions there are in it, and so has the shadow.
TEST(ServiceTest, BoundsTheTimeOfBatches) {
  ServiceOptions options;
  options.limits.max_fuel = 100'000'000;
  options.timeout = std::chrono::seconds(1);
  const std::string path = testing::TempDir() + "/service_batches.log";
  std::remove(path.c_str());
  const std::string slow = "[for x in range(1000) : sum([for y in range(1000) : x + y])]\n";
  TestService service({{"x.hcl", "fast = 1\nslow = " + slow}}, options, path);
  EXPECT_TRUE(service->ActivateShadow({{"x.hcl", "slow = 1\nfast = " + slow}}).activated);
  std::string body = R"({"inputs":[{})";
  for (int n = 1; n < 1000; ++n) body += ",{}";
  const auto late = [](const std::string& text) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find("was up before this", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_GT(late(service.Answer("POST", "/v1/decide/slow", body + "]}")), 500u);
  EXPECT_EQ(late(service.Answer("POST", "/v1/decide/fast", body + "]}")), 0u);
  EXPECT_GT(service.metrics().shadow_failed, 500u);
}

// A number of a few bytes has very many digits: the text of a line is bounded while it is made.
TEST(ServiceTest, BoundsLinesOfTheLog) {
  const std::string path = testing::TempDir() + "/service_large.log";
  std::remove(path.c_str());
  TestService service({{"x.hcl", "variable \"n\" {\n  type = number\n}\na = n\n"}}, {}, path);
  const auto most_kilobytes = [] {
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = most_kilobytes();
  std::string body = R"({"n":1,"more":[1e99998)";
  for (int n = 0; n < 20'000; ++n) body += ",1e99998";
  for (int n = 0; n < 4; ++n) EXPECT_THAT(service.Answer("POST", "/v1/decide/a", body + "]}"), StartsWith("200 "));
  EXPECT_EQ(service.metrics().log_drops[static_cast<size_t>(LogDrop::kTooLarge)], 4u);
  // There would be two gigabytes of digits.
  EXPECT_LT(most_kilobytes() - before, 1 << 20);
}

TEST(ServiceTest, LogsDecisions) {
  const std::string path = testing::TempDir() + "/service.log";
  std::remove(path.c_str());
  TestService service(
      {{"manifest.json", R"({"revision": "1"})"},
       {"x.hcl",
        "variable \"user\" {\n}\nvariable \"key\" {\n  sensitive = true\n}\na = \"hello ${user}\"\nb = user + key\n"}},
      {}, path);
  const std::string trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  service.Answer("POST", "/v1/decide/a", R"({"user": "ann", "key": "secret"})", {{"traceparent", trace}});
  service.Answer("POST", "/v1/decide/b", R"({"user": "ann", "key": "secret"})", {{"traceparent", "wrong"}});
  const std::string log = service.Log();
  EXPECT_THAT(log, StartsWith(R"({"decision_id":"ID","timestamp":"TIME","labels":{},"revision":"1","path":"a",)"
                              R"("outcome":"value","input":{"user":"ann"},"erased":["/key"],"result":"hello ann",)"
                              R"("trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"b7ad6b7169203331",)"
                              R"("metrics":{"decision_ns":N,"fuel":)"));
  EXPECT_THAT(log, HasSubstr(R"("path":"b","outcome":"error","input":{"user":"ann"},"erased":["/key"],"error":[{)"));
  EXPECT_THAT(log, testing::Not(HasSubstr("secret")));
}

// Who asks gets the values; the log has neither what is sensitive, nor what is made of it, and says what it lacks.
TEST(ServiceTest, LogHidesWhatIsMadeOfSensitiveVariables) {
  const std::string path = testing::TempDir() + "/service_sensitive.log";
  const struct {
    std::string_view entry;           // of the module
    std::string_view answer;          // begins so
    std::string_view log;             // from "outcome" on
    std::string_view brief_log = {};  // the same for an ephemeral variable, where it differs
  } kRows[] = {
      {"a = secret", R"({"value":"Hunter2")", R"("erased":["/secret","result"],"result":null,)"},
      {"a = upper(secret)", R"({"value":"HUNTER2")", R"("erased":["/secret","result"],"result":null,)"},
      {"a = { (secret) = 1 }", R"({"value":{"Hunter2":1})", R"("erased":["/secret","result"],"result":null,)"},
      {"a = { x = [1, secret], y = user }", R"({"value":{"x":[1,"Hunter2"],"y":"ann"})",
       R"("erased":["/secret","result/x/1"],"result":{"x":[1,null],"y":"ann"},)"},
      {"a = secret == \"Hunter2\"", R"({"value":true)", R"("erased":["/secret","result"],"result":null,)"},
      {"a = local.made", R"({"value":"Hunter2!")", R"("erased":["/secret","result"],"result":null,)"},
      {"a = f(secret)", R"({"value":"<Hunter2>")", R"("erased":["/secret","result"],"result":null,)"},
      {"a = sensitive(user)", R"({"value":"ann")", R"("erased":["/secret","result"],"result":null,)"},
      {"a = nonsensitive(secret == \"Hunter2\")", R"({"value":true)", R"("erased":["/secret"],"result":true,)",
       R"("erased":["/secret","result"],"result":null,)"},
      {"a = ephemeralasnull(secret)", R"({"value":)", R"("erased":["/secret","result"],"result":null,)"},
      {"a = user", R"({"value":"ann")", R"("erased":["/secret"],"result":"ann",)"},
      {"a = { x = 1 }[secret]", R"({"diagnostics":[{)", R"("erased":["/secret"],"error":[{)"},
      {"a = secret.x", R"({"diagnostics":[{)", R"("erased":["/secret"],"error":[{)"},
  };
  for (const char* declared : {"sensitive", "ephemeral"}) {
    for (const auto& row : kRows) {
      const bool is_brief = !row.brief_log.empty() && declared == std::string_view("ephemeral");
      const std::string_view wanted = is_brief ? row.brief_log : row.log;
      std::remove(path.c_str());
      const std::string text = absl::StrCat("variable \"secret\" {\n  ", declared,
                                            " = true\n}\nvariable \"user\" {\n}\n"
                                            "locals {\n  made = \"${secret}!\"\n}\n"
                                            "function \"f\" {\n  params = [x]\n  result = \"<${x}>\"\n}\n",
                                            std::string(row.entry), "\n");
      TestService service(BundleFiles{{"x.hcl", text}}, {}, path);
      // What is asked for again and again is read in another way.
      for (int round = 0; round < 4; ++round) {
        const std::string answer = service.Answer("POST", "/v1/decide/a", R"({"secret": "Hunter2", "user": "ann"})");
        EXPECT_THAT(answer, HasSubstr(row.answer)) << row.entry;
      }
      const std::string log = service.Log();
      EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 4);
      size_t count = 0;
      for (size_t at = log.find(wanted); at != std::string::npos; at = log.find(wanted, at + 1)) ++count;
      EXPECT_EQ(count, 4u) << row.entry << "\n" << log;
      EXPECT_FALSE(absl::StrContains(absl::AsciiStrToLower(log), "hunter2")) << log;
    }
  }
}

// Masks hold for what a policy makes of headers, too.
TEST(ServiceTest, MasksHoldForResults) {
  const std::string path = testing::TempDir() + "/service_masked.log";
  std::remove(path.c_str());
  ServiceOptions options;
  EXPECT_EQ(options.mask.Add("**.authorization", /*erase=*/true), "");
  EXPECT_EQ(options.mask.Add("result.user.*", /*erase=*/false), "");
  TestService service(
      BundleFiles{{"x.hcl", "variable \"r\" {\n}\na = { headers = r, user = { \"a/b\" = 1 } }\nb = r\n"}}, options,
      path);
  const std::string scope = R"({"r": {"Authorization": "Hunter2", "x": 1e3}})";
  for (int round = 0; round < 4; ++round) {
    EXPECT_THAT(service.Answer("POST", "/v1/decide/a", scope), HasSubstr("Hunter2"));
  }
  service.Answer("POST", "/v1/decide/b", R"({"r": [{"AUTHORIZATION": "Hunter2"}]})");
  const std::string log = service.Log();
  EXPECT_FALSE(absl::StrContains(log, "Hunter2")) << log;
  EXPECT_THAT(log, HasSubstr(R"("erased":["/r/Authorization","result/headers/Authorization"],)"
                             R"("masked":["result/user/a/b"],)"
                             R"("result":{"headers":{"x":1000},"user":{"a/b":"***"}},)"));
  EXPECT_THAT(log, HasSubstr(R"("erased":["/r/0/AUTHORIZATION","result/0/AUTHORIZATION"],"result":[{}],)"));
}

// The shadow is compared by what is answered, and shown as that is.
TEST(ServiceTest, ShadowsOfSensitiveResultsAreCompared) {
  const std::string path = testing::TempDir() + "/service_sensitive_shadow.log";
  for (const char* flag : {"sensitive", "ephemeral"}) {
    std::remove(path.c_str());
    const std::string declared = absl::StrCat("variable \"secret\" {\n  ", flag, " = true\n}\n");
    TestService service(BundleFiles{{"x.hcl", declared + "a = \"${secret}1\"\n"}}, {}, path);
    ASSERT_TRUE(service->ActivateShadow({{"x.hcl", declared + "a = { b = \"${secret}2\" }\n"}}).activated);
    service.Answer("POST", "/v1/decide/a", R"({"secret": "Hunter2"})");
    const std::string log = service.Log();
    EXPECT_THAT(log, HasSubstr(R"("same":false,"result":{"b":null},"erased":["result/b"]})")) << log;
    EXPECT_FALSE(absl::StrContains(absl::AsciiStrToLower(log), "hunter2")) << log;
  }
}

}  // namespace
}  // namespace hcl::serve

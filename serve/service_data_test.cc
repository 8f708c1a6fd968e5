// Data below the requests: what they give, how they are replaced, and that bundle and data fit.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/http_message.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"
#include "hclvm/vm/base_layer.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A module over data of that type.
BundleFiles Policies(const std::string& revision, const std::string& type) {
  return {{"manifest.json", "{\"revision\": \"" + revision + "\"}"},
          {"m/x.hcl", "variable \"limit\" {\n  type = " + type +
                          "\n}\nvariable \"n\" {\n  type = number\n}\nx = n + length(limit)\n"},
          {"authz/p.hcl",
           "variable \"http\" {\n}\nvariable \"open\" {\n  default = []\n}\n"
           "allow = contains(open, http.path)\n"}};
}

std::vector<BaseText> Texts(const std::string& json) {
  return {{std::make_shared<const Source>("data.json", json), ""}};
}

constexpr char kList[] = R"({"limit": [1, 2], "open": ["/a"]})";
constexpr char kMap[] = R"({"limit": {"a": 1}})";
constexpr char kTexts[] = R"({"limit": ["a"]})";

std::string Ask(TestService* service, const std::string& body = R"({"n": 1})") {
  return service->Answer("POST", "/v1/decide/m/x", body);
}

TEST(ServiceDataTest, StandBelowEachRequest) {
  TestService service({});
  EXPECT_TRUE(service->ActivateData(Texts(kList)).activated);
  EXPECT_FALSE(service->is_ready());
  EXPECT_TRUE(service->Activate(Policies("1", "list(number)")).activated);
  EXPECT_THAT(Ask(&service), StartsWith(R"(200 {"value":3,"revision":"1","data_revision":"data:)"));
  EXPECT_THAT(Ask(&service, R"({"inputs": [{"n": 1}]})"), HasSubstr(R"("revision":"1","data_revision":"data:)"));
  // What the data give is not the caller's to give.
  EXPECT_THAT(Ask(&service, R"({"n": 1, "limit": []})"), StartsWith(R"(400 {"diagnostics":[{"severity":"error",)"));
  EXPECT_THAT(service.Answer("GET", "/readyz"), HasSubstr(R"("revision":"1","data_revision":"data:)"));
  EXPECT_THAT(service.Answer("GET", "/metrics"), HasSubstr("\nhclvm_data_info{revision=\"data:"));

  ListenerInfo nginx;
  nginx.dialect = AuthDialect::kNginx;
  const auto status = [&](const std::string& path) {
    const HttpResponse response =
        service.Ask("GET", "/auth", "", {{"X-Original-URI", path}, {"X-Original-Method", "GET"}}, nginx);
    EXPECT_EQ(response.headers[1].first, "x-hclvm-data-revision");
    return response.status;
  };
  EXPECT_EQ(status("/a"), 200);
  EXPECT_EQ(status("/b"), 403);
}

TEST(ServiceDataTest, CanBeReplacedByRequests) {
  ServiceOptions options;
  options.data.replaceable = {"limit"};
  TestService service(Policies("1", "list(number)"), options);
  EXPECT_TRUE(service->ActivateData(Texts(kList)).activated);
  EXPECT_THAT(Ask(&service), StartsWith(R"(200 {"value":3,)"));
  EXPECT_THAT(Ask(&service, R"({"n": 1, "limit": []})"), StartsWith(R"(200 {"value":1,)"));
}

TEST(ServiceDataTest, KeepsWhatWorks) {
  TestService service(Policies("1", "list(number)"));
  const Activation first = service->ActivateData(Texts(kList));
  EXPECT_TRUE(first.activated);
  EXPECT_TRUE(service->ActivateData(Texts(kList)).unchanged);
  for (const char* broken : {"{", "[]", R"({"limit": "many"})"}) {
    const Activation refused = service->ActivateData(Texts(broken));
    EXPECT_FALSE(refused.activated || refused.unchanged);
    EXPECT_THAT(service.Answer("GET", "/readyz"), HasSubstr(R"(,"data_error":"the data )"));
    EXPECT_THAT(Ask(&service), HasSubstr("\"value\":3,\"revision\":\"1\",\"data_revision\":\"" + first.revision));
  }
  EXPECT_EQ(service.metrics().failed_data_reloads, 3u);
  EXPECT_EQ(service.metrics().data_reloads, 1u);
  service->NoteFailure(UploadKind::kData, "cannot be read");
  EXPECT_THAT(service.Answer("GET", "/readyz"), HasSubstr(R"(,"data_error":"cannot be read","data_diagnostics":[])"));
  // A bundle that comes meanwhile says nothing of the data.
  EXPECT_TRUE(service->Activate(Policies("2", "any")).activated);
  EXPECT_THAT(service.Answer("GET", "/readyz"), HasSubstr(R"(,"data_error":"cannot be read")"));
  EXPECT_TRUE(service->ActivateData(Texts(R"({"limit": [1]})")).activated);
  EXPECT_THAT(service.Answer("GET", "/readyz"), Not(HasSubstr("error")));
  EXPECT_THAT(Ask(&service), HasSubstr("\"value\":2,\"revision\":\"2\""));
}

// A new bundle and new data that belong together come into force together, in whatever order they come.
TEST(ServiceDataTest, WaitForEachOther) {
  for (const bool bundle_first : {false, true}) {
    TestService service(Policies("1", "list(number)"));
    EXPECT_TRUE(service->ActivateData(Texts(kList)).activated);
    const auto activate = [&](bool is_bundle) {
      return is_bundle ? service->Activate(Policies("2", "map(number)")) : service->ActivateData(Texts(kMap));
    };
    const Activation first = activate(bundle_first);
    EXPECT_FALSE(first.activated);
    EXPECT_THAT(first.failure.message, HasSubstr(" do not fit the bundle "));
    EXPECT_THAT(Ask(&service), HasSubstr("\"value\":3,\"revision\":\"1\""));
    const Activation second = activate(!bundle_first);
    EXPECT_TRUE(second.activated) << second.failure.message;
    EXPECT_EQ(second.with, first.revision);
    EXPECT_THAT(Ask(&service), HasSubstr("\"value\":2,\"revision\":\"2\""));
    EXPECT_THAT(service.Answer("GET", "/readyz"), Not(HasSubstr("error")));
    EXPECT_EQ(service.metrics().reloads, 2u);
    EXPECT_EQ(service.metrics().data_reloads, 2u);
  }
}

TEST(ServiceDataTest, WaitsNoLongerThanTheNextOne) {
  TestService service(Policies("1", "list(number)"));
  EXPECT_TRUE(service->ActivateData(Texts(kList)).activated);
  EXPECT_FALSE(service->Activate(Policies("2", "map(number)")).activated);
  // The one that has waited is not what is wanted any more.
  EXPECT_FALSE(service->Activate({{"m/x.hcl", "x = \n"}}).activated);
  EXPECT_FALSE(service->ActivateData(Texts(kMap)).activated);
  EXPECT_THAT(Ask(&service), HasSubstr("\"value\":3,\"revision\":\"1\""));
}

TEST(ServiceDataTest, IsNotReadyWithoutThem) {
  ServiceOptions options;
  options.needs_data = true;
  TestService service({}, options);
  EXPECT_EQ(service->Activate(Policies("1", "list(number)")).failure.message, "there are no data yet");
  EXPECT_FALSE(service->is_ready());
  EXPECT_THAT(Ask(&service), StartsWith("503 "));
  EXPECT_EQ(service->ActivateData(Texts(kList)).with, "1");
  EXPECT_TRUE(service->is_ready());
  EXPECT_THAT(Ask(&service), StartsWith("200 "));
}

TEST(ServiceDataTest, AreTheShadowsToo) {
  const std::string path = testing::TempDir() + "/service_data_shadow.log";
  std::remove(path.c_str());
  TestService service(Policies("1", "any"), {}, path);
  EXPECT_TRUE(service->ActivateData(Texts(kList)).activated);
  EXPECT_TRUE(service->ActivateShadow(Policies("2", "list(number)")).activated);
  EXPECT_THAT(Ask(&service), StartsWith("200 "));
  EXPECT_EQ(service.metrics().shadow_same, 1u);
  EXPECT_FALSE(service->ActivateShadow(Policies("3", "map(number)")).activated);
  // The bundle in force does not wait for its shadow.
  EXPECT_TRUE(service->ActivateData(Texts(kTexts)).activated);
  EXPECT_THAT(Ask(&service), StartsWith("200 "));
  EXPECT_THAT(service.Answer("GET", "/readyz"), Not(HasSubstr("shadow_revision")));
  const std::string log = service.Log();
  EXPECT_THAT(log, HasSubstr(R"("revision":"1","data_revision":"data:)"));
  // What all requests have in common is not in their lines.
  EXPECT_THAT(log, HasSubstr(R"("input":{"n":1})"));
}

}  // namespace
}  // namespace hcl::serve

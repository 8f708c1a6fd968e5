// POST /v1/explain/ENTRY.

#include "hclvm/serve/explain_api.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/source.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"
#include "hclvm/vm/base_layer.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const BundleFiles kFiles = {
    {"manifest.json", R"({"revision": "7"})"},
    {"m/x.hcl", R"(
variable "age" {
  type = number
}
variable "least" {
  type    = number
  default = 18
}
variable "pin" {
  type      = string
  default   = ""
  sensitive = true
}
variable "code" {
  type      = string
  default   = ""
  ephemeral = true
}
open = age >= least
open_by_pin = pin == "4711"
open_by_code = code == "4711"
code_shown = nonsensitive(code) == "4711" ? nonsensitive(code) : "none"
slow = length([for a in range(1000) : [for b in range(1000) : a]])
)"},
};

ServiceOptions Explaining() {
  ServiceOptions options;
  options.bundle.explains = true;
  options.timeout = std::chrono::milliseconds(10'000);
  return options;
}

TEST(ExplainApiTest, Answers) {
  TestService service(kFiles, Explaining());
  EXPECT_EQ(service.Answer("POST", "/v1/explain/m/open", R"({"age": 17})"),
            "200 {\"explanation\":{\"entry\":\"open\",\"outcome\":\"value\",\"value\":\"false\",\"reads\":[{\"path\":"
            "\"age\",\"value\":\"17\"},{\"path\":\"least\",\"value\":\"18\"}]},\"revision\":\"7\"}\n");
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open?full", R"({"age": 17})"), HasSubstr("\"expressions\":[{"));
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open_by_pin", R"({"pin": "4711", "age": 1})"),
              Not(HasSubstr("true")));
  for (const char* entry : {"open_by_code", "open_by_code?full", "code_shown"}) {
    const std::string answer =
        service.Answer("POST", absl::StrCat("/v1/explain/m/", entry), R"({"code": "4711", "age": 1})");
    EXPECT_THAT(answer, StartsWith("200 ")) << entry;
    EXPECT_THAT(answer, Not(HasSubstr("true"))) << entry;
    EXPECT_THAT(answer, Not(HasSubstr("\"value\":\"\\\"4711"))) << entry;
  }
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open", "{}"), HasSubstr("\"outcome\":\"error\",\"errors\":["));
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open", "[]"), StartsWith("400 "));
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open", "{"), StartsWith("400 "));
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/none", "{}"), StartsWith("404 "));
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/slow", "{}"), StartsWith("500 "));
  EXPECT_THAT(service.Answer("GET", "/v1/explain/m/open"), StartsWith("405 "));
}

TEST(ExplainApiTest, OnlyWhereItIsAllowed) {
  TestService service(kFiles);
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open", R"({"age": 17})"), StartsWith("404 "));
}

TEST(ExplainApiTest, Data) {
  TestService service(kFiles, Explaining());
  const std::vector<BaseText> texts = {{std::make_shared<const Source>("data.json", R"({"least": 21})"), ""}};
  ASSERT_TRUE(service->ActivateData(texts).activated);
  EXPECT_THAT(service.Answer("POST", "/v1/explain/m/open", R"({"age": 20})"),
              HasSubstr("{\"path\":\"least\",\"value\":\"21\"}"));
}

}  // namespace
}  // namespace hcl::serve

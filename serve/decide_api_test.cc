// POST /v1/decide/ENTRY.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/service.h"
#include "hclvm/serve/service_test_util.h"

namespace hcl::serve {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const BundleFiles kFiles = {
    {"manifest.json", R"({"revision": "7"})"},
    {"m/x.hcl", R"(
variable "n" {
  type = number
  validation {
    condition     = n < 100
    error_message = "too large"
  }
}
variable "inputs" {
  type    = list(number)
  default = []
}
double  = n * 2
element = [1][n]
p "a b" {
  c = n
}
all = sum(inputs)
)"},
    {"n/x.hcl", R"(
variable "n" {
  type = number
}
variable "m" {
  type    = number
  default = 1
}
product = n * m
slow    = length([for a in range(1000) : [for b in range(1000) : a]])
many    = [for a in range(300) : n]
)"},
};

TEST(DecideApiTest, Answers) {
  TestService service(kFiles);
  const struct {
    const char* entry;
    const char* body;
    const char* want;
  } kCases[] = {
      {"m/double", R"({"n": 2})", "200 {\"value\":4,\"revision\":\"7\",\"decision_id\":\"ID\"}\n"},
      {"m/double", R"({"n": "2"})", "200 {\"value\":4,"},
      {"m/double", R"({"n": 2, "other": 3})", "200 {\"value\":4,"},
      {"m/p.a%20b.c", R"({"n": 2})", "200 {\"value\":2,"},
      {"m/double", "{}", "400 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL3121\""},
      {"m/double", R"({"n": "x"})", "400 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL3122\""},
      {"m/double", R"({"n": 100})", "400 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL3123\""},
      {"m/element", R"({"n": 1})", "500 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL4"},
      {"m/double", "", "400 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL6101\""},
      {"m/double", "[1]", "400 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL6003\""},
      {"m/double", R"({"n": 1, "n": 2})", "400 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL6102\""},
      {"m/none", "{}", "404 {\"diagnostics\":[{\"severity\":\"error\",\"summary\":\"No such entry\""},
      {"%zz", "{}", "404 "},
      {"", "{}", "404 "},
  };
  // What is asked for again and again is read in another way.
  for (int round = 0; round < 4; ++round) {
    for (const auto& test : kCases) {
      EXPECT_THAT(service.Answer("POST", std::string("/v1/decide/") + test.entry, test.body), StartsWith(test.want))
          << test.entry << " " << test.body;
    }
  }
}

TEST(DecideApiTest, SaysWhichEntryIsMeant) {
  TestService service({{"post/policy.hcl", "allow = true\nwhy = \"\"\nrule \"a\" {\n  allow = true\n}\n"},
                       {"post/deep/policy.hcl", "deny = true\n"},
                       {"top.hcl", "first = 1\n"}});
  const auto detail = [&](const std::string& entry) {
    const std::string answer = service.Answer("POST", "/v1/decide/" + entry, "{}");
    const size_t begin = answer.find("\"detail\":\"");
    EXPECT_NE(begin, std::string::npos) << answer;
    return answer.substr(answer.find("\\\".", begin), answer.find("\"}]", begin) - answer.find("\\\".", begin));
  };
  const std::string file = "\\\". The name of a file is no part of an entry's name; the module has \\\"";
  EXPECT_EQ(detail("post/alow"), "\\\". Did you mean \\\"post/allow\\\"?");
  EXPECT_EQ(detail("post/policy.allow"), file + "post/allow\\\".");
  EXPECT_EQ(detail("post/policy.why"), file + "post/why\\\".");
  EXPECT_EQ(detail("post/policy.unknown"), file + "post/allow\\\".");
  EXPECT_EQ(detail("post"), "\\\". This is a module, and has \\\"post/allow\\\".");
  EXPECT_EQ(detail("post/deep"), "\\\". This is a module, and has \\\"post/deep/deny\\\".");
  EXPECT_EQ(detail("post/deep/other.thing"), file + "post/deep/deny\\\".");
  EXPECT_EQ(detail("elsewhere/policy.allow"), "\\\".");
  EXPECT_EQ(detail("policy.something"), "\\\".");
}

TEST(DecideApiTest, SkipsWhatIsNotRead) {
  const std::string path = testing::TempDir() + "/decide_api_skips.log";
  std::remove(path.c_str());
  TestService service(
      {{"m/x.hcl",
        "variable \"user\" {\n  type = object({ id = string, age = number })\n}\nvariable \"key\" {\n  sensitive = "
        "true\n  default   = \"\"\n}\nid = user.id\nmarked = user.id == key\n"}},
      {}, path);
  const auto ask = [&](const std::string& entry, const std::string& body) {
    return service.Answer("POST", "/v1/decide/m/" + entry, body).substr(0, 17);
  };
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(ask("id", R"({"user": {"id": "a", "age": 1}, "key": "k", "other": [1]})"), R"(200 {"value":"a",)");
  }
  // Nobody reads these parts.
  EXPECT_EQ(ask("id", R"({"user": {"id": "b", "age": "old"}})"), R"(200 {"value":"b",)");
  EXPECT_EQ(ask("id", R"({"user": {"id": "c", "age": 1}, "other": [1,]})"), R"(200 {"value":"c",)");
  // What an error says is said of all.
  EXPECT_EQ(ask("id", R"({"user": {"age": 1}})"), R"(400 {"diagnostics)");
  EXPECT_EQ(ask("id", R"({"user": {"id": "d", "age": 1})"), R"(400 {"diagnostics)");
  const std::string log = service.Log();
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 7) << log;
  EXPECT_THAT(log, HasSubstr(R"("input":{"user":{"id":"a","age":1},"other":[1]},"erased":["/key"],"result":"a")"));
  EXPECT_THAT(log, HasSubstr(R"("input":{"user":{"id":"b","age":"old"}},"result":"b")"));
  // What is no JSON has no form in the log.
  EXPECT_THAT(log, HasSubstr(R"("input":null,"erased":[""],"result":"c")"));
}

TEST(DecideApiTest, OneBatchOfManyIsABatch) {
  TestService service(kFiles);
  for (int round = 0; round < 4; ++round) {
    EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", R"({"n": 3, "m": 2})"), StartsWith("200 {\"value\":6,"));
    for (const char* batch : {R"({"inputs": [{"n": 2}]})", "\n{\t\"common\" : {\"n\": 2}, \"inputs\": [{}]}",
                              R"({"\u0069nputs": [{"n": 2}]})"}) {
      EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", batch), StartsWith("200 {\"results\":[{\"value\":2,"))
          << batch;
    }
  }
}

TEST(DecideApiTest, NeverForbids) {
  TestService service(BundleFiles{{"x.hcl", "allow = false\n"}});
  EXPECT_THAT(service.Answer("POST", "/v1/decide/allow", "{}"), StartsWith("200 {\"value\":false,"));
}

TEST(DecideApiTest, AnswersBatches) {
  TestService service(kFiles);
  EXPECT_EQ(service.Answer("POST", "/v1/decide/n/product", R"({"inputs": [{"n": 2}, {"n": 3, "m": 5}]})"),
            "200 {\"results\":[{\"value\":2,\"decision_id\":\"ID\"},{\"value\":15,\"decision_id\":\"ID\"}],"
            "\"revision\":\"7\"}\n");
  const std::string answer =
      service.Answer("POST", "/v1/decide/n/product", R"({"inputs": [{"n": 2}, 1, {}, {"n": 3}]})");
  EXPECT_THAT(answer, StartsWith("200 {\"results\":[{\"value\":2,\"decision_id\":\"ID\"},{\"diagnostics\":[{"));
  EXPECT_THAT(answer, HasSubstr("\"HCL6003\",\"summary\":\"Invalid scope\",\"detail\":\"Each input must be a JSON"));
  EXPECT_THAT(answer, HasSubstr("}]},{\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL3121\""));
  EXPECT_THAT(answer,
              HasSubstr("}],\"decision_id\":\"ID\"},{\"value\":3,\"decision_id\":\"ID\"}],\"revision\":\"7\"}\n"));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product",
                             R"({"inputs": [{"n": 2}, {"n": 3, "m": 5}], "common": {"m": 10}})"),
              StartsWith("200 {\"results\":[{\"value\":20,\"decision_id\":\"ID\"},{\"value\":15,"));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", R"({"inputs": []})"), StartsWith("200 {\"results\":[]"));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", R"({"inputs": [], "common": 1})"), StartsWith("400 "));
  // One more property, and it is a scope; so it is where the module has a variable of that name.
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", R"({"inputs": [{"n": 2}], "n": 3})"),
              StartsWith("200 {\"value\":3,"));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/m/all", R"({"inputs": [1, 2]})"), StartsWith("200 {\"value\":3,"));
}

TEST(DecideApiTest, AnswersLines) {
  TestService service(kFiles);
  const TestService::Headers lines = {{"Content-Type", "application/x-ndjson; charset=utf-8"}};
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", "{\"n\": 2}\n{\"n\": 3}\n", lines),
              "200 {\"value\":2,\"revision\":\"7\",\"decision_id\":\"ID\"}\n"
              "{\"value\":3,\"revision\":\"7\",\"decision_id\":\"ID\"}\n");
  const std::string answer = service.Answer("POST", "/v1/decide/n/product", "{\"n\": 2}\n\n[]\n{\"n\": 4}", lines);
  EXPECT_EQ(std::count(answer.begin(), answer.end(), '\n'), 4) << answer;
  EXPECT_THAT(answer, HasSubstr("\"line\":2"));
  EXPECT_THAT(answer, HasSubstr("{\"value\":4,"));
  EXPECT_EQ(service.Answer("POST", "/v1/decide/n/product", "", lines), "200 ");
}

TEST(DecideApiTest, Bounds) {
  ServiceOptions options;
  options.max_batch = 2;
  options.limits.max_fuel = 10'000;
  options.limits.max_output_bytes = 100;
  TestService service(kFiles, options);
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/slow", R"({"n": 1})"),
              StartsWith("500 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL9202\""));
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kFuel)], 1u);
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/many", R"({"n": 1})"),
              StartsWith("500 {\"diagnostics\":[{\"severity\":\"error\",\"code\":\"HCL9305\""));
  EXPECT_EQ(service.metrics().limits[static_cast<size_t>(Reason::kMemory)], 1u);
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", R"({"inputs": [{}, {}, {}]})"), StartsWith("413 "));
  const TestService::Headers lines = {{"content-type", "application/x-ndjson"}};
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", "{}\n{}\n{}\n", lines), StartsWith("413 "));
  EXPECT_THAT(service.Answer("POST", "/v1/decide/n/product", R"({"inputs": [{}, {"n": 1}]})"),
              HasSubstr("HCL9305"));  // the first answer has used up the room

  ServiceOptions late;
  late.timeout = std::chrono::milliseconds(0);
  TestService other(kFiles, late);
  for (uint64_t count = 1; count < 5; ++count) {
    EXPECT_THAT(other.Answer("POST", "/v1/decide/n/product", R"({"n": 1})"), StartsWith("503 "));
    EXPECT_EQ(other.metrics().limits[static_cast<size_t>(Reason::kDeadline)], count);
  }
}

}  // namespace
}  // namespace hcl::serve

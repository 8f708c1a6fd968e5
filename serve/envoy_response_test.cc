// Answers to Envoy.

#include "hclvm/serve/envoy_response.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/serve/auth_decision.h"
#include "hclvm/serve/auth_parts.h"
#include "hclvm/serve/metrics.h"
#include "hclvm/serve/proto/envoy_auth.pb.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::serve {
namespace {

using envoy::service::auth::v3::CheckResponse;

CheckResponse Told(AuthAnswer* answer) {
  std::string bytes = "before";
  AppendCheckResponse(answer, &bytes);
  CheckResponse response;
  EXPECT_TRUE(response.ParseFromString(bytes.substr(6)));
  EXPECT_TRUE(response.GetReflection()->GetUnknownFields(response).empty());
  return response;
}

std::string Fill(AuthAnswer answer) {
  CheckResponse response = Told(&answer);
  response.clear_dynamic_metadata();
  return response.ShortDebugString();
}

TEST(EnvoyResponseTest, TellsOutcomes) {
  const struct {
    AuthOutcome outcome;
    const char* want;
  } kCases[] = {
      {AuthOutcome::kAllow, "status { message: \"m\" } ok_response { }"},
      {AuthOutcome::kDeny, "status { code: 7 message: \"m\" } denied_response { status { code: Forbidden } }"},
      {AuthOutcome::kRefused, "status { code: 7 message: \"m\" } denied_response { status { code: Forbidden } }"},
      {AuthOutcome::kError,
       "status { code: 13 message: \"m\" } error_response { status { code: InternalServerError } }"},
      {AuthOutcome::kLimit, "status { code: 8 message: \"m\" } error_response { status { code: ServiceUnavailable } }"},
      {AuthOutcome::kOverload,
       "status { code: 14 message: \"m\" } error_response { status { code: ServiceUnavailable } }"},
      {AuthOutcome::kNotReady,
       "status { code: 14 message: \"m\" } error_response { status { code: ServiceUnavailable } }"},
  };
  for (const auto& test : kCases) {
    AuthAnswer answer;
    answer.outcome = test.outcome;
    answer.message = "m";
    EXPECT_EQ(Fill(answer), test.want);
  }
}

TEST(EnvoyResponseTest, TellsAllOfAPass) {
  AuthAnswer answer;
  answer.outcome = AuthOutcome::kAllow;
  answer.headers = {{"a", "1"},
                    {"a", "", HeaderAction::kAppend},
                    {"b", "2"},
                    {"c", "3", HeaderAction::kAddIfAbsent},
                    {"d", "4", HeaderAction::kOverwriteIfExists}};
  answer.response_headers = {{"c", "3"}};
  answer.headers_to_remove = {"d"};
  answer.query_parameters_to_set = {{"e", "4"}};
  answer.query_parameters_to_remove = {"f"};
  answer.body = "not told";
  EXPECT_EQ(Fill(answer),
            "status { } ok_response { "
            "headers { header { key: \"a\" value: \"1\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } "
            "headers { header { key: \"a\" } keep_empty_value: true } "
            "headers { header { key: \"b\" value: \"2\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } "
            "headers { header { key: \"c\" value: \"3\" } append_action: ADD_IF_ABSENT } "
            "headers { header { key: \"d\" value: \"4\" } append_action: OVERWRITE_IF_EXISTS } "
            "headers_to_remove: \"d\" "
            "response_headers_to_add { header { key: \"c\" value: \"3\" } append_action: OVERWRITE_IF_EXISTS_OR_ADD } "
            "query_parameters_to_set { key: \"e\" value: \"4\" } query_parameters_to_remove: \"f\" }");
}

TEST(EnvoyResponseTest, TellsAllOfADenial) {
  AuthAnswer answer;
  answer.outcome = AuthOutcome::kDeny;
  answer.status = 418;
  answer.headers = {{"a", "1"}};
  answer.body = "no";
  EXPECT_EQ(Fill(answer),
            "status { code: 7 } denied_response { status { code: 418 } headers { header { key: \"a\" value: \"1\" } "
            "append_action: OVERWRITE_IF_EXISTS_OR_ADD } body: \"no\" }");
  answer.status = 401;
  EXPECT_EQ(Fill(answer).substr(0, 19), "status { code: 16 }");
}

// The metadata of an answer whose policy gives this JSON; what it is where that is none.
std::string Metadata(const std::string& json) {
  Limits limits;
  limits.max_nesting_depth = 200;
  Heap heap(nullptr, Dialect::kSpec, limits);
  JsonReader reader;
  JsonError error;
  AuthAnswer answer;
  answer.outcome = AuthOutcome::kAllow;
  EXPECT_TRUE(reader.Read(json, &heap, &answer.dynamic_metadata, &error)) << error.detail;
  answer.decision_id = "id";
  CheckResponse response = Told(&answer);
  EXPECT_EQ(response.has_ok_response(), answer.outcome == AuthOutcome::kAllow);
  if (!response.has_ok_response()) return response.status().message();
  const auto& fields = response.dynamic_metadata().fields();
  EXPECT_EQ(fields.at("decision_id").string_value(), "id");
  EXPECT_EQ(fields.at("outcome").string_value(), "allow");
  EXPECT_EQ(fields.count("revision"), 0u);
  return fields.count("a") == 0 ? "" : fields.at("a").ShortDebugString();
}

TEST(EnvoyResponseTest, TellsMetadata) {
  constexpr char kWrong[] =
      "the attribute \"dynamic_metadata\" is too deep or too large, or has what no message can have";
  EXPECT_EQ(Metadata(R"({"a": null})"), "null_value: NULL_VALUE");
  EXPECT_EQ(Metadata(R"({"a": true})"), "bool_value: true");
  EXPECT_EQ(Metadata(R"({"a": 1.5})"), "number_value: 1.5");
  EXPECT_EQ(Metadata(R"({"a": "x"})"), "string_value: \"x\"");
  EXPECT_EQ(Metadata(R"({"a": [{"b": []}]})"),
            "list_value { values { struct_value { fields { key: \"b\" value { list_value { } } } } } }");
  EXPECT_EQ(Metadata(R"({"decision_id": "forged", "outcome": 1})"), "");
  const auto nested = [](size_t levels) {
    return "{\"a\":" + std::string(levels, '[') + std::string(levels, ']') + "}";
  };
  EXPECT_NE(Metadata(nested(29)), kWrong);
  EXPECT_EQ(Metadata(nested(30)), kWrong);
  EXPECT_NE(Metadata("{\"a\":\"" + std::string(200'000, 'x') + "\"}"), kWrong);
  EXPECT_EQ(Metadata("{\"a\":\"" + std::string(300'000, 'x') + "\"}"), kWrong);
  std::string many = "{\"a\":[0";
  for (int n = 0; n < 20'000; ++n) many += ",0";
  EXPECT_EQ(Metadata(many + "]}"), kWrong);
}

TEST(EnvoyResponseTest, KnowsDenials) {
  EXPECT_FALSE(IsEnvoyDenial(299));
  EXPECT_TRUE(IsEnvoyDenial(300));
  EXPECT_TRUE(IsEnvoyDenial(599));
  EXPECT_FALSE(IsEnvoyDenial(600));
}

}  // namespace
}  // namespace hcl::serve

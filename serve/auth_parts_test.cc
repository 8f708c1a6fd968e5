// Parts of answers, read from values that are written as JSON.

#include "hclvm/serve/auth_parts.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

// What `read` says of the value.
std::string Read(const std::string& json, const std::function<std::string(const Value&)>& read) {
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  EXPECT_TRUE(reader.Read(json, &heap, &value, &error)) << json;
  return read(value);
}

std::string Headers(const std::string& json) {
  return Read(json, [](const Value& value) -> std::string {
    AuthHeaders headers;
    const std::string_view fault = ReadHeaders(value, &headers);
    if (!fault.empty()) return std::string(fault);
    std::string text;
    for (const AuthHeader& header : headers) {
      text += header.name + "=" + header.value + "/" + std::to_string(static_cast<int>(header.action)) + ";";
    }
    return text;
  });
}

TEST(AuthPartsTest, ReadsHeaders) {
  const std::string no_value = "has what can be no value of a header";
  const std::string no_name = "has a name that a policy cannot set";
  const std::string no_action =
      "has an action that is none of overwrite, append, add_if_absent and overwrite_if_exists";
  const struct {
    std::string json;
    std::string want;
  } kCases[] = {
      {R"({})", ""},
      {R"({"X-A": "1", "b": ["2", "3"], "c": null, "d": []})", "x-a=1/0;b=2/0;b=3/1;"},
      // Two names of one header.
      {R"({"A": "1", "a": "2"})", "a=1/0;a=2/1;"},
      {R"({"a": {"value": "1"}})", "a=1/0;"},
      {R"({"a": {"value": "1", "action": "overwrite"}})", "a=1/0;"},
      {R"({"a": {"value": "1", "action": "append"}})", "a=1/1;"},
      {R"({"a": {"value": ["1", "2"], "action": "append"}})", "a=1/1;a=2/1;"},
      {R"({"a": {"value": ["1"], "action": "add_if_absent"}})", "a=1/2;"},
      {R"({"a": {"value": "1", "action": "overwrite_if_exists"}})", "a=1/3;"},
      {R"({"a": {"value": null, "action": "append"}})", ""},
      {R"({"a": {"value": ["1", "2"], "action": "add_if_absent"}})", "has several values where its action takes one"},
      {R"({"a": {"value": "1", "action": "APPEND"}})", no_action},
      {R"({"a": {"value": "1", "action": null}})", no_action},
      {R"({"a": {"action": "append"}})", "has an object without a value for a header"},
      {R"({"a": {"value": "1", "keep": true}})", "has an object with more than value and action for a header"},
      {R"({"a": {"value": {"value": "1"}}})", no_value},
      {R"({"a": 1})", no_value},
      {R"({"a": ["1", 2]})", no_value},
      {R"({"a": "x\r\ny"})", no_value},
      {R"({"Content-Length": "1"})", no_name},
      {R"({"x-hclvm-outcome": "allow"})", no_name},
      {R"({"a b": "1"})", no_name},
      {R"({"": "1"})", no_name},
      {R"(["a"])", "is no object"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Headers(test.json), test.want) << test.json;
  std::string many = R"({"a": [)";
  for (int n = 0; n < 64; ++n) many += "\"1\", ";
  EXPECT_EQ(Headers(many + R"("1"]})"), no_value);
}

TEST(AuthPartsTest, ReadsTheOthers) {
  const auto status = [](const Value& value) {
    int found = 0;
    const std::string_view fault = ReadStatus(
        value, [](int64_t number) { return number == 401; }, &found);
    return fault.empty() ? std::to_string(found) : std::string(fault);
  };
  EXPECT_EQ(Read("401", status), "401");
  for (const char* wrong : {"200", "401.5", "\"401\"", "1e99", "[]"}) {
    EXPECT_EQ(Read(wrong, status), "is none that this dialect has for a denial") << wrong;
  }
  const auto body = [](const Value& value) {
    std::string text;
    const std::string_view fault = ReadBody(value, &text);
    return fault.empty() ? std::to_string(text.size()) : std::string(fault);
  };
  EXPECT_EQ(Read("\"ab\"", body), "2");
  EXPECT_EQ(Read("1", body), "is no text, or too long");
  EXPECT_EQ(Read("\"" + std::string(1 << 20, 'a') + "\"", body), "1048576");
  EXPECT_EQ(Read("\"" + std::string((1 << 20) + 1, 'a') + "\"", body), "is no text, or too long");
  const auto names = [](const Value& value) {
    std::vector<std::string> found;
    std::string text(ReadHeaderNames(value, &found));
    for (const std::string& name : found) text += name + ";";
    return text;
  };
  EXPECT_EQ(Read(R"(["X-A", "b"])", names), "x-a;b;");
  EXPECT_EQ(Read(R"(["Host"])", names), "has a name that a policy cannot removehost;");
  EXPECT_EQ(Read(R"("a")", names), "is no list of texts, or too long");
  const auto map = [](const Value& value) {
    AuthPairs found;
    std::string text(ReadTextMap(value, &found));
    for (const auto& [name, part] : found) text.append(name).append("=").append(part).append(";");
    return text;
  };
  EXPECT_EQ(Read(R"({"a": "1", "b": null})", map), "a=1;");
  EXPECT_EQ(Read(R"({"a": 1})", map), "is no object of texts, or too large");
  EXPECT_EQ(Read("[]", map), "is no object of texts, or too large");
}

}  // namespace
}  // namespace hcl::serve

#include "hclvm/lsp/protocol/json.h"

#include <optional>
#include <string>

#include "gtest/gtest.h"

namespace hcl::lsp {
namespace {

TEST(JsonTest, Reads) {
  struct Case {
    std::string text;
    std::string expected;  // the text that it is written as, or an error
  };
  const Case cases[] = {
      {R"({"a": [1, "x"]})", R"({"a":[1,"x"]})"},
      {"{", "The message is no JSON in UTF-8."},
      {"\"\xff\"", "The message is no JSON in UTF-8."},
      {std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']'),
       std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']')},
      {std::string(kMaxJsonDepth + 1, '[') + std::string(kMaxJsonDepth + 1, ']'),
       "The message has more than 200 levels of arrays and objects."},
      {std::string(100'000, '['), "The message has more than 200 levels of arrays and objects."},
      {"\"" + std::string(1000, '[') + "\\\"\"", "\"" + std::string(1000, '[') + "\\\"\""},
  };
  for (const Case& c : cases) {
    std::string error;
    const std::optional<Json> json = ReadJson(c.text, &error);
    EXPECT_EQ(json ? WriteJson(*json) : error, c.expected) << c.text;
  }
}

TEST(JsonTest, WritesInvalidTextAsReplacement) { EXPECT_EQ(WriteJson(Json("a\xff")), "\"a\xEF\xBF\xBD\""); }

TEST(JsonTest, AccessNeverThrows) {
  const Json json = {{"text", "x"}, {"number", 3},       {"half", 0.5},
                     {"yes", true}, {"big", UINT64_MAX}, {"in", {{"a", 1}}}};
  EXPECT_EQ(TextAt(json, "text"), "x");
  EXPECT_EQ(TextAt(json, "number", "none"), "none");
  EXPECT_EQ(TextAt(Json(1), "text"), "");
  EXPECT_EQ(NumberAt(json, "number"), 3);
  EXPECT_EQ(NumberAt(json, "half", -1), -1);
  EXPECT_EQ(NumberAt(json, "big"), INT64_MAX);
  EXPECT_TRUE(BoolAt(json, "yes"));
  EXPECT_FALSE(BoolAt(json, "text"));
  EXPECT_EQ(*Member(json, {"in", "a"}), 1);
  EXPECT_EQ(Member(json, {"in", "b"}), nullptr);
  EXPECT_EQ(Member(json, {"text", "b"}), nullptr);
}

}  // namespace
}  // namespace hcl::lsp

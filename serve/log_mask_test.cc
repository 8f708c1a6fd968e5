// Masks.

#include "hclvm/serve/log_mask.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

// What becomes of `json`; patterns that begin with "!" mask.
std::string Masked(const std::string& json, const std::vector<std::string>& patterns) {
  LogMask mask;
  for (const std::string& pattern : patterns) {
    const bool erases = pattern[0] != '!';
    EXPECT_EQ(mask.Add(erases ? pattern : pattern.substr(1), erases), "");
  }
  Heap heap;
  Value value;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(json, &heap, &value, &error)) << error.detail;
  LogMask::Shown shown;
  EXPECT_EQ(mask.Show(value, SIZE_MAX, &shown), LogMask::Result::kShown);
  return shown.json + " " + shown.erased + " " + shown.masked;
}

TEST(LogMaskTest, LeavesOut) {
  const struct {
    std::string json;
    std::vector<std::string> patterns;
    std::string want;
  } kCases[] = {
      {R"({"a":{"b":1,"c":2}})", {}, R"({"a":{"b":1,"c":2}}  )"},
      {R"({"a":{"b":1,"c":2}})", {"a.b"}, R"({"a":{"c":2}} "/a/b" )"},
      {R"({"a":{"b":1,"c":2}})", {"!a.b"}, R"({"a":{"b":"***","c":2}}  "/a/b")"},
      {R"({"a":{"b":1}})", {"a"}, R"({} "/a" )"},
      {R"({"a":{"b":1}})", {"b"}, R"({"a":{"b":1}}  )"},
      {R"({"a":{"b":1},"c":{"b":2}})", {"*.b"}, R"({"a":{},"c":{}} "/a/b","/c/b" )"},
      {R"({"a":{"x":{"b":1}},"b":2})", {"**.b"}, R"({"a":{"x":{}}} "/a/x/b","/b" )"},
      {R"({"a":[{"b":1},{"b":2}]})", {"a.*.b"}, R"({"a":[{},{}]} "/a/0/b","/a/1/b" )"},
      {R"({"a":[1,2]})", {"a.0"}, R"({"a":[null,2]} "/a/0" )"},
      {R"({"a":[1,{"0":2,"b":3}]})", {"**.0"}, R"({"a":[null,{"b":3}]} "/a/0","/a/1/0" )"},
      {R"({"a":[1,[{"b":2,"c":3}]],"c":{"c":4}})", {"**.b"}, R"({"a":[1,[{"c":3}]],"c":{"c":4}} "/a/1/0/b" )"},
      {R"({"h":{"X-Api-KEY":1,"x-api-key":2,"X-Api-Keys":3}})",
       {"**.x-api-key"},
       R"({"h":{"X-Api-Keys":3}} "/h/X-Api-KEY","/h/x-api-key" )"},
      {R"({"h":{"cookie":1,"Cookie":2}})", {"h.cookie"}, R"({"h":{"Cookie":2}} "/h/cookie" )"},
      {R"({"a":[1,[{"b":2,"c":3}]],"d":4})", {"!**.b", "d"}, R"({"a":[1,[{"b":"***","c":3}]]} "/d" "/a/1/0/b")"},
      {R"({"a":{"b":{"c":[{"d":1}]}}})", {"a.x", "**.d"}, R"({"a":{"b":{"c":[{}]}}} "/a/b/c/0/d" )"},
      {R"({"a":{"b":1}})", {"!a.b", "a.b"}, R"({"a":{}} "/a/b" )"},
      {R"({"a":{"a":{"a":{"b":1}}}})", {"**.a.**.a.b"}, R"({"a":{"a":{"a":{}}}} "/a/a/a/b" )"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Masked(test.json, test.patterns), test.want) << test.json;
}

TEST(LogMaskTest, RefusesPatterns) {
  LogMask mask;
  for (const char* wrong : {"", ".", "a.", ".a", "a..b", "**", "a.**", "a[*]", "user.roles[0].x", "a.\"b\"", "a. b",
                            "user.ro*les", "user.***", "/user/roles", "user./x", "$.user", "result/token"})
    EXPECT_NE(mask.Add(wrong, true), "") << wrong;
}

// What a client nests and names as a pattern has it costs no more than other inputs.
TEST(LogMaskTest, NestingIsCheap) {
  std::string pattern;
  for (int n = 0; n < 15; ++n) pattern += "**.a.";
  std::string json = "1";
  for (int n = 0; n < 100; ++n) json.insert(0, "{\"a\":").push_back('}');
  EXPECT_EQ(Masked(json, {pattern + "b"}), json + "  ");
  EXPECT_EQ(Masked(json, {"**.b", "a.x"}), json + "  ");
}

TEST(LogMaskTest, LeavesOutWhatIsMarked) {
  Heap heap;
  const Value secret = Mark(Value::StringView("x"), kSensitiveMark, heap.arena());
  const KeyValue pairs[] = {{Value::StringView("a"), secret}, {Value::StringView("b"), Value::Int(1)}};
  LogMask::Shown shown;
  EXPECT_EQ(LogMask().Show(MakeObject(pairs, heap.arena()), SIZE_MAX, &shown), LogMask::Result::kShown);
  EXPECT_EQ(shown.json + shown.erased, R"({"b":1}"/a")");
}

TEST(LogMaskTest, LeavesOutVariables) {
  const LogMask mask = LogMask().WithErased({"b"});
  Heap heap;
  Value value;
  JsonError error;
  ASSERT_TRUE(JsonReader().Read(R"({"a":{"b":1},"b":2})", &heap, &value, &error));
  LogMask::Shown shown;
  EXPECT_EQ(mask.Show(value, SIZE_MAX, &shown), LogMask::Result::kShown);
  EXPECT_EQ(shown.json, R"({"a":{"b":1}})");
}

// Small inputs can have large texts.
TEST(LogMaskTest, HasABound) {
  Heap heap;
  const auto show = [&](const std::string& text, size_t max_bytes, LogMask::Shown* shown) {
    LogMask mask;
    EXPECT_EQ(mask.Add("**.secret", true), "");
    Value value;
    JsonError error;
    EXPECT_TRUE(JsonReader().Read(text, &heap, &value, &error)) << error.detail;
    return mask.Show(value, max_bytes, shown);
  };
  LogMask::Shown shown;
  EXPECT_EQ(show(R"({"a":"bcd"})", 11, &shown), LogMask::Result::kShown);
  EXPECT_EQ(show(R"({"a":"bcd"})", 10, &shown), LogMask::Result::kTooLarge);
  EXPECT_EQ(show(R"({"secret":1,"a":["bcd","efg"]})", 10, &shown), LogMask::Result::kTooLarge);
  std::string numbers = "1e99998";
  for (int n = 0; n < 1000; ++n) numbers += ",1e99998";
  for (const char* before : {R"({"a":[)", R"({"secret":1,"a":[)"}) {
    EXPECT_EQ(show(before + numbers + "]}", 1 << 20, &shown), LogMask::Result::kTooLarge);
    EXPECT_LT(shown.json.capacity(), 4u << 20);
  }
  std::string places = R"({"secret":1})";
  for (int n = 0; n < 10'000; ++n) places += R"(,{"secret":1})";
  EXPECT_EQ(show("{\"" + std::string(10'000, 'x') + "\":[" + places + "]}", 1 << 20, &shown),
            LogMask::Result::kTooLarge);
  EXPECT_LT(shown.erased.capacity(), 4u << 20);
}

}  // namespace
}  // namespace hcl::serve

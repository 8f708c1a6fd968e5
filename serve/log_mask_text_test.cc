// Masks over texts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "hclvm/serve/log_mask.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::serve {
namespace {

// Patterns that begin with "!" mask.
LogMask MaskOf(const std::vector<std::string>& patterns) {
  LogMask mask;
  for (const std::string& pattern : patterns) {
    const bool erases = pattern[0] != '!';
    EXPECT_EQ(mask.Add(erases ? pattern : pattern.substr(1), erases), "");
  }
  return mask;
}

// The items of a list with commas, in order.
std::vector<std::string> Sorted(const std::string& list) {
  std::vector<std::string> items = absl::StrSplit(list, ',');
  std::sort(items.begin(), items.end());
  return items;
}

// What becomes of the text; "given up" where its value has to be asked.
std::string Copied(const LogMask& mask, std::string_view text) {
  LogMask::Shown shown;
  if (mask.ShowText(text, SIZE_MAX, &shown) != LogMask::Result::kShown) return "given up";
  return shown.json + " " + shown.erased + " " + shown.masked;
}
std::string Copied(std::string_view text, const std::vector<std::string>& patterns = {}) {
  return Copied(MaskOf(patterns), text);
}

TEST(LogMaskTextTest, Copies) {
  for (const char* text : {R"({})", R"({"a":{}})", R"({"b":[],"a":[1,-2.50,0,"x",true,false,null,[[]]]})",
                           R"({"":"\"\\\/\b\f\n\r\t\u00e9\u0000 plain text of more than eight bytes"})",
                           "{\"a\":\"\xc3\xa9\xe2\x82\xac\"}", R"({"a":123456789012345678})"}) {
    EXPECT_EQ(Copied(text), std::string(text) + "  ");
  }
  EXPECT_EQ(Copied(" \t{ \"a\" :\r\n[ 1 , { } , [ ] ] , \"b\" : \" x \" } \n"), R"({"a":[1,{},[]],"b":" x "}  )");
}

TEST(LogMaskTextTest, LeavesOut) {
  const struct {
    std::string text;
    std::vector<std::string> patterns;
    std::string want;
  } kCases[] = {
      {R"({"a":1})", {"a"}, R"({} "/a" )"},
      {R"({"a":1,"b":2,"c":3})", {"a"}, R"({"b":2,"c":3} "/a" )"},
      {R"({"a":1,"b":2,"c":3})", {"b"}, R"({"a":1,"c":3} "/b" )"},
      {R"({"a":1,"b":2,"c":3})", {"c"}, R"({"a":1,"b":2} "/c" )"},
      {R"({"a":1,"b":2,"c":3})", {"a", "b"}, R"({"c":3} "/a","/b" )"},
      {R"({"a":1,"b":2,"c":3})", {"b", "c"}, R"({"a":1} "/b","/c" )"},
      {R"({"a":1,"b":2,"c":3})", {"a", "b", "c"}, R"({} "/a","/b","/c" )"},
      {R"({ "a" : 1 , "b" : 2 , "c" : 3 })", {"a", "c"}, R"({"b":2} "/a","/c" )"},
      {R"({ "a" : { "x" : 1 } , "b" : 2 })", {"!a", "!b"}, R"({"a":"***","b":"***"}  "/a","/b")"},
      {R"({"a":[1,2,3]})", {"a.0", "!a.2"}, R"({"a":[null,2,"***"]} "/a/0" "/a/2")"},
      {R"({"a":{"b":{"a":"x"}},"c":[{"b":1,"d":2}]})", {"**.b"}, R"({"a":{},"c":[{"d":2}]} "/a/b","/c/0/b" )"},
      // What stands in something that is left out is not named besides.
      {R"({"a":{"b":1,"c":[{"b":2}]},"b":3})", {"a", "**.b"}, R"({} "/a","/b" )"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Copied(test.text, test.patterns), test.want) << test.text;
}

TEST(LogMaskTextTest, GivesUp) {
  std::string deep = "1";
  for (int n = 0; n < 70; ++n) deep.insert(0, "[").push_back(']');
  std::string many = "{\"a\":{";
  for (int n = 0; n < 200; ++n) many.append("\"n").append(std::to_string(n)).append("\":1,");
  many.append("\"z\":1}}");
  const std::string kCases[] = {
      // No JSON, or no object.
      "", " ", "1", "[]", "{", "}", "{}}", "{} x", "{,}", R"({"a"})", R"({"a":})", R"({"a":1,})", R"({"a":1 "b":2})",
      R"({"a":[1,]})", R"({"a":[1 2]})", R"({"a":[1})", R"({a:1})", R"({"a":tru})", R"({"a":nul})", R"({"a":01})",
      R"({"a":-})", R"({"a":.5})", R"({"a":1.})", R"({"a":+1})", R"({"a":"x})", "{\"a\":\"\n\"}", R"({"a":"\x"})",
      R"({"a":"\u12"})", R"({"a":"\u12g4"})", "{\"a\":\"\xff\"}", "{\"a\":\"\xc3\"}", "{\"a\":\"x\\", "{\"a\":\"\\\"",
      std::string("{\"a\":1}\0", 8), std::string("{\"a\":\"\0\"}", 9),
      // There twice.
      R"({"a":1,"a":2})", R"({"b":{"a":1,"c":3,"a":2}})", R"({"secret":{"a":1,"a":2}})",
      // Unusual.
      R"({"\u0061":1})", "{\"\xc3\xa9\":1}", R"({"a":1e3})", R"({"a":1234567890123456789})", R"({"a":"\ud83d\ude00"})",
      R"({"a":"\ud800"})", "{\"a\":\"\xc2\x9b\"}", "{\"a\":\"x\u202ey\"}", "{\"a\":" + deep + "}", many};
  for (const std::string& text : kCases) EXPECT_EQ(Copied(text, {"secret"}), "given up") << text;
}

TEST(LogMaskTextTest, HasABound) {
  LogMask::Shown shown;
  EXPECT_EQ(LogMask().ShowText(R"({"a": "bcd"})", 11, &shown), LogMask::Result::kShown);
  EXPECT_EQ(LogMask().ShowText(R"({"a": "bcd"})", 10, &shown), LogMask::Result::kTooLarge);
  // Each place is as long as the names around it.
  std::string places = R"({"secret":1})";
  for (int n = 0; n < 10'000; ++n) places += R"(,{"secret":1})";
  const std::string text = "{\"" + std::string(10'000, 'x') + "\":[" + places + "]}";
  EXPECT_EQ(MaskOf({"**.secret"}).ShowText(text, 1 << 20, &shown), LogMask::Result::kTooLarge);
  EXPECT_LT(shown.erased.capacity(), 4u << 20);
}

// Texts by chance, with few names, so that they are often those of patterns; one in three has a fault put into it.
class LogMaskTextLawTest : public testing::Test {
 protected:
  size_t Pick(size_t count) { return random_() % count; }

  std::string Blanks() { return Pick(6) == 0 ? std::string(1 + Pick(2), " \n\t"[Pick(3)]) : ""; }

  std::string Text(int depth) {
    constexpr const char* kScalars[] = {
        "1",   "-0.5",         "true",    "null", "\"x\"", "\"\\u00e9\"", "\"\"", "\"\\n\"", "\"a b c d e f g h\"",
        "1e2", "\"\xc3\xa9\"", "12345678"};
    const size_t kind = depth == 0 ? 0 : Pick(4);
    if (kind == 0) return kScalars[Pick(12)];
    std::string text = kind == 1 ? "[" : "{";
    const size_t count = Pick(5);
    for (size_t n = 0; n < count; ++n) {
      text += (n > 0 ? "," : "") + Blanks();
      if (kind != 1) text += Name() + Blanks() + ":" + Blanks();
      text += Text(depth - 1) + Blanks();
    }
    return text + (kind == 1 ? "]" : "}");
  }
  std::string Name() {
    constexpr const char* kNames[] = {"\"a\"", "\"b\"", "\"c\"", "\"0\"", "\"longer_than_eight\"", "\"\\u0061\""};
    return kNames[Pick(Pick(10) == 0 ? 6 : 5)];
  }
  std::string Pattern() {
    constexpr const char* kSteps[] = {"a", "b", "c", "0", "1", "*", "**", "longer_than_eight"};
    std::string pattern = Pick(3) == 0 ? "!" : "";
    for (size_t n = Pick(3); n-- > 0;) pattern += std::string(kSteps[Pick(8)]) + ".";
    return pattern + kSteps[Pick(6)];
  }

  std::mt19937_64 random_{1};
};

// What is copied means the same as what is written, of exactly those texts that can be read.
TEST_F(LogMaskTextLawTest, SaysWhatTheValueSays) {
  JsonReader reader;
  size_t copied_texts = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "{\"a\":" + Text(4) + ",\"x\":" + Text(2) + "}";
    if (Pick(3) == 0) text.replace(Pick(text.size()), Pick(2), 1, "{}[]\",:\\1eax \x01\xc3"[Pick(15)]);
    const LogMask mask = MaskOf({Pattern(), Pattern()});
    LogMask::Shown copied;
    if (mask.ShowText(text, SIZE_MAX, &copied) != LogMask::Result::kShown) continue;
    ++copied_texts;
    Heap heap;
    Value value;
    JsonError error;
    ASSERT_TRUE(reader.Read(text, &heap, &value, &error)) << text << ": " << error.detail;
    LogMask::Shown written;
    ASSERT_EQ(mask.Show(value, SIZE_MAX, &written), LogMask::Result::kShown) << text;
    Value read;
    ASSERT_TRUE(reader.Read(copied.json, &heap, &read, &error)) << text << " as " << copied.json << error.detail;
    std::string again;
    std::string reason;
    ASSERT_TRUE(AppendJson(read, &again, &reason)) << reason;
    EXPECT_EQ(again, written.json) << text;
    // In the order of the text, not of the names.
    EXPECT_EQ(Sorted(copied.erased), Sorted(written.erased)) << text;
    EXPECT_EQ(Sorted(copied.masked), Sorted(written.masked)) << text;
  }
  EXPECT_GT(copied_texts, 2000u);
}

}  // namespace
}  // namespace hcl::serve

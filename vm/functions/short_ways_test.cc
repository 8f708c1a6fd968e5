// Functions that take a short way with the usual arguments: what it gives is what the long way gives, which is written
// out here, or is somebody else's.

#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "hclvm/vm/functions/json_text.h"
#include "hclvm/vm/functions/plain_json.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl {
namespace {

using Random = std::mt19937_64;

std::string RandomText(const std::vector<std::string>& parts, size_t most, Random* random) {
  std::string text;
  for (size_t n = (*random)() % (most + 1); n > 0; --n) text += parts[(*random)() % parts.size()];
  return text;
}

std::string JsonOf(const Value& value) {
  std::string text;
  std::string reason;
  EXPECT_TRUE(AppendJson(value, &text, &reason)) << reason;
  return text;
}

// The JSON of a text.
std::string Quoted(std::string_view text) {
  Arena arena;
  return JsonOf(Value::String(text, &arena));
}

// The clusters of a text, one by one.
std::vector<std::string_view> Clusters(std::string_view text) {
  std::vector<std::string_view> clusters;
  for (size_t at = 0; at < text.size();) {
    const size_t bytes = internal::GraphemeBytes(text, at);
    clusters.push_back(text.substr(at, bytes));
    at += bytes;
  }
  return clusters;
}

TEST(ShortWaysTest, CharactersAreClusters) {
  const std::vector<std::string> parts = {"a",
                                          "b",
                                          " ",
                                          "\r",
                                          "\n",
                                          "\r\n",
                                          "abcdefghijklmnop",
                                          "\u00e9",
                                          "\u0301",
                                          "\U0001f468\u200d",
                                          "\u65e5\u672c",
                                          "\U0001f1e9",
                                          "\u1100",
                                          "\uac00"};
  Random random(1);
  for (int n = 0; n < 2'000; ++n) {
    const bool ascii = n % 2 == 0;
    const std::string text = internal::ToNfc(
        RandomText(ascii ? std::vector<std::string>(parts.begin(), parts.begin() + 7) : parts, 8, &random));
    const std::vector<std::string_view> clusters = Clusters(text);
    EXPECT_EQ(CallForTest("strlen", "[" + Quoted(text) + "]"), absl::StrCat("\"number\" ", clusters.size()));
    const size_t offset = random() % 12;
    const int length = static_cast<int>(random() % 12) - 1;
    std::string part;
    for (size_t i = offset; i < clusters.size() && (length < 0 || i < offset + static_cast<size_t>(length)); ++i) {
      part += clusters[i];
    }
    EXPECT_EQ(CallForTest("substr", absl::StrCat("[", Quoted(text), ",", offset, ",", length, "]")),
              "\"string\" " + Quoted(part));
    std::string reversed;
    for (size_t i = clusters.size(); i-- > 0;) reversed += clusters[i];
    EXPECT_EQ(CallForTest("strrev", "[" + Quoted(text) + "]"), "\"string\" " + Quoted(internal::ToNfc(reversed)));
  }
}

// A value of scalars, arrays and objects; texts with all that is escaped.
Value RandomValue(int depth, Heap* heap, Random* random) {
  static const std::vector<std::string> kParts = {"a",       "key",
                                                  "\"",      "\\",
                                                  "\n",      "\t",
                                                  "\r",      "<",
                                                  ">",       "&",
                                                  "\x01",    "\x7f",
                                                  "/",       "a text of some length",
                                                  "\u2028",  "\u00e9",
                                                  "e\u0301", "\u0301",
                                                  "\u0338",  "\u65e5\u672c",
                                                  "\u20ac"};
  const auto text = [&] {
    const size_t plain = (*random)() % 2 == 0 ? 2 : kParts.size();
    return Value::String(
        internal::ToNfc(RandomText({kParts.begin(), kParts.begin() + static_cast<std::ptrdiff_t>(plain)}, 5, random)),
        heap->arena());
  };
  NumberError error;
  switch ((*random)() % (depth == 0 ? 6 : 8)) {
    case 0:
      return Value::Bool((*random)() % 2 == 0);
    case 1:
      return Value::Null();
    case 2:
      return Value::Int(static_cast<int64_t>((*random)()) >> (*random)() % 64);
    case 3:
      return Value::FromNumber(Divide(Number(static_cast<int64_t>((*random)() % 100'000)),
                                      Number(1 << (*random)() % 12), heap->arena(), &error));
    case 4:
    case 5:
      return text();
    case 6: {
      std::vector<Value> items;
      for (size_t n = (*random)() % 4; n > 0; --n) items.push_back(RandomValue(depth - 1, heap, random));
      return MakeTuple(items, heap->arena());
    }
    default: {
      std::vector<KeyValue> items;
      for (size_t n = (*random)() % 4; n > 0; --n) items.push_back({text(), RandomValue(depth - 1, heap, random)});
      return MakeObject(absl::MakeConstSpan(items), heap->arena());
    }
  }
}

TEST(ShortWaysTest, PlainJsonIsTheReferences) {
  const Function* function = StandardFunctions()->Find("jsonencode");
  Random random(2);
  int plain = 0;
  for (int n = 0; n < 5'000; ++n) {
    Heap heap;
    const Value value = RandomValue(3, &heap, &random);
    internal::PlainJsonSize size;
    if (!internal::MeasurePlainJson(value, &size)) continue;
    ++plain;
    FunctionCall call(*function, &heap);
    std::string want;
    std::string reason;
    ASSERT_TRUE(internal::AppendReferenceJson(&call, value, &want, &reason)) << reason;
    EXPECT_EQ(size.bytes, internal::JsonTextBytes(value));
    EXPECT_EQ(internal::MakePlainJson(value, size, heap.arena()).AsString(), want);
    EXPECT_LE(want.size(), size.bytes + size.escapes);
  }
  EXPECT_GT(plain, 2'000);
}

TEST(ShortWaysTest, PlainJsonIsSmall) {
  Heap heap;
  const auto is_plain = [](const Value& value) {
    internal::PlainJsonSize size;
    return internal::MeasurePlainJson(value, &size);
  };
  EXPECT_TRUE(is_plain(Value::String(std::string(10'000, 'x'), heap.arena())));
  EXPECT_FALSE(is_plain(Value::String(std::string(20'000, 'x'), heap.arena())));
  EXPECT_TRUE(is_plain(Value::StringView("\u00e9\n")));
  EXPECT_FALSE(is_plain(Value::StringView("\u2028")));
  EXPECT_FALSE(is_plain(Value::StringView("<\u0327")));
  EXPECT_FALSE(is_plain(Value::Unknown(Type::String())));
  EXPECT_FALSE(is_plain(Value::FromNumber(Number::Infinity(false))));
  Value deep = Value::Int(1);
  for (int n = 0; n < 64; ++n) deep = MakeTuple({&deep, 1}, heap.arena());
  EXPECT_TRUE(is_plain(deep));
  EXPECT_FALSE(is_plain(MakeTuple({&deep, 1}, heap.arena())));
}

TEST(ShortWaysTest, Base64) {
  Random random(3);
  for (int n = 0; n < 2'000; ++n) {
    const std::string text = RandomText({"a", "Z", "0", "\xc3\xa9", "~~~", "?"}, 40, &random);
    const std::string encoded = absl::Base64Escape(text);
    EXPECT_EQ(CallForTest("base64encode", "[" + Quoted(text) + "]"), "\"string\" " + Quoted(encoded));
    EXPECT_EQ(CallForTest("base64decode", "[" + Quoted(encoded) + "]"), "\"string\" " + Quoted(text));
    // With a line break at any place, and with one byte that does not belong there.
    std::string broken = encoded;
    const size_t at = random() % (broken.size() + 1);
    broken.insert(at, "\n");
    EXPECT_EQ(CallForTest("base64decode", "[" + Quoted(broken) + "]"), "\"string\" " + Quoted(text));
    broken[at] = "-= "[n % 3];
    EXPECT_EQ(CallForTest("base64decode", "[" + Quoted(broken) + "]"),
              "error in argument 0: the string is not valid base64 with padding")
        << broken;
  }
  // Longer than a piece.
  std::string many;
  for (int n = 0; n < 10'000; ++n) many += "A\x04\x10";
  EXPECT_EQ(CallForTest("base64decode", "[\"" + std::string(40'000, 'Q') + "\"]"), "\"string\" " + Quoted(many));
}

TEST(ShortWaysTest, AddressesAreThoseOfTheSystem) {
  Random random(4);
  int valid = 0;
  for (int n = 0; n < 20'000; ++n) {
    std::string text;
    for (int part = 0; part < 4; ++part) {
      if (part > 0) text += '.';
      text += std::to_string(random() % (n % 2 == 0 ? 256 : 300));
    }
    if (n % 3 == 0) text[random() % text.size()] = "0.1 9a"[random() % 6];
    if (n % 7 == 0) text.insert(random() % text.size(), n % 2 == 0 ? "0" : ".");
    in_addr address;
    const bool want = inet_pton(AF_INET, text.c_str(), &address) == 1;
    valid += want ? 1 : 0;
    const std::string got = CallForTest("cidrcontains", "[\"0.0.0.0/0\", " + Quoted(text) + "]");
    EXPECT_EQ(got == "\"bool\" true", want) << text;
    if (!want) continue;
    EXPECT_EQ(CallForTest("cidrhost", "[" + Quoted(text + "/32") + ", 0]"), "\"string\" " + Quoted(text));
  }
  EXPECT_GT(valid, 5'000);
}

TEST(ShortWaysTest, IntegersAsTextAndBack) {
  Random random(5);
  for (int n = 0; n < 5'000; ++n) {
    const auto number = static_cast<int64_t>(random()) >> random() % 64;
    const std::string text = std::to_string(number);
    EXPECT_EQ(CallForTest("tostring", "[" + text + "]"), "\"string\" " + Quoted(text));
    EXPECT_EQ(CallForTest("parseint", "[" + Quoted(text) + ", 10]"), "\"number\" " + text);
    char hex[32];
    std::snprintf(hex, sizeof(hex), "%llx", static_cast<unsigned long long>(number & INT64_MAX));
    EXPECT_EQ(CallForTest("parseint", "[" + Quoted(hex) + ", 16]"), absl::StrCat("\"number\" ", number & INT64_MAX));
  }
  CheckFunctionCases({
      {"parseint", R"(["ZZZZZZZZZZ", 62])", R"("number" 839299365868340223)"},
      {"parseint", R"(["-ZZZZZZZZZZ", 62])", R"("number" -839299365868340223)"},
      {"parseint", R"(["ZZZZZZZZZZZ", 62])", R"("number" 52036560683837093887)"},
      {"parseint", R"(["12a", 10])", "error in argument 0: the string is not a whole number in base 10"},
      {"parseint", R"(["-", 10])", "error in argument 0: the string is not a whole number in base 10"},
      {"tobool", R"([true])", R"("bool" true)"},
      {"tobool", R"(["false"])", R"("bool" false)"},
      {"tobool", R"(["True"])", "error in argument 0: ..."},
      {"tostring", R"(["a text that is not short"])", R"("string" "a text that is not short")"},
      {"tostring", R"([null])", R"("string" null)"},
  });
}

// Half to even, of exact decimals.
TEST(ShortWaysTest, FormattedNumbersAreRoundedAndPadded) {
  Random random(7);
  for (int n = 0; n < 10'000; ++n) {
    auto coefficient = static_cast<int64_t>(random() >> (34 + random() % 30));
    if (n % 5 == 0) coefficient = coefficient / 100 * 10 + 5;
    const int scale = static_cast<int>(random() % 9);
    const int precision = static_cast<int>(random() % 9);
    __int128 digits = coefficient;
    for (int i = scale; i < precision; ++i) digits *= 10;
    __int128 unit = 1;
    for (int i = precision; i < scale; ++i) unit *= 10;
    const __int128 rest = digits % unit * 2;
    digits /= unit;
    if (rest > unit || (rest == unit && digits % 2 == 1)) ++digits;
    std::string body = std::to_string(static_cast<int64_t>(digits));
    const auto behind = static_cast<size_t>(precision);
    if (body.size() <= behind) body.insert(0, behind + 1 - body.size(), '0');
    if (precision > 0) body.insert(body.size() - behind, ".");
    const bool negative = n % 2 == 0 && coefficient != 0;
    const size_t width = random() % 24;
    const std::string sign = negative ? "-" : n % 3 == 0 ? "+" : "";
    const std::string padding(width > body.size() + sign.size() ? width - body.size() - sign.size() : 0,
                              n % 7 == 0 ? '0' : ' ');
    const std::string want = n % 7 == 0   ? absl::StrCat(sign, padding, body)
                             : n % 7 == 1 ? absl::StrCat(sign, body, padding)
                                          : absl::StrCat(padding, sign, body);
    const std::string flags = absl::StrCat(n % 3 == 0 ? "+" : "", n % 7 == 0 ? "0" : n % 7 == 1 ? "-" : "");
    const std::string format = absl::StrCat("%", flags, width, ".", precision, "f");
    const std::string number = absl::StrCat(negative ? "-" : "", coefficient, "e-", scale);
    EXPECT_EQ(CallForTest("format", absl::StrCat("[\"", format, "\",", number, "]")), "\"string\" " + Quoted(want))
        << format << " of " << number;
    if (scale > 0) continue;
    char text[64];
    const std::string of_integers = absl::StrCat("%", flags, width == 0 ? "" : std::to_string(width), "lld");
    std::snprintf(text, sizeof(text), of_integers.c_str(),
                  static_cast<long long>(negative ? -coefficient : coefficient));
    EXPECT_EQ(
        CallForTest("format", absl::StrCat("[\"", of_integers.substr(0, of_integers.size() - 3), "d\",", number, "]")),
        "\"string\" " + Quoted(text));
  }
}

TEST(ShortWaysTest, DigitsAreNumbers) {
  const std::vector<std::string> parts = {"0", "1", "5", "9", "/", ":", "-", ".", " ", "12345"};
  Random random(8);
  for (int n = 0; n < 4'000; ++n) {
    // Of digits alone every other time.
    const std::vector<std::string> few(parts.begin(), parts.begin() + 4);
    const std::string text = RandomText(n % 2 == 0 ? few : parts, n % 4 == 0 ? 18 : 8, &random);
    Arena arena;
    NumberError error;
    const Number want = Number::Parse(text, NumberSyntax::kReference, Limits(), &arena, &error);
    const std::string got = CallForTest("tonumber", "[" + Quoted(text) + "]");
    if (error == NumberError::kNone) {
      EXPECT_EQ(got, "\"number\" " + want.ToString()) << text;
    } else {
      EXPECT_NE(got.substr(0, 8), "\"number\"") << text;
    }
  }
}

// To the last fact about it, the list is the one that its pieces make.
TEST(ShortWaysTest, PiecesOfShortTextsAreAList) {
  const Function* function = StandardFunctions()->Find("split");
  ASSERT_NE(function, nullptr);
  Random random(9);
  for (int n = 0; n < 2'000; ++n) {
    constexpr size_t kMostParts[] = {7, 12, 60};
    // At last as many pieces as a text that is short can have.
    const std::string text = n > 1'980
                                 ? std::string(static_cast<size_t>(n) - 1'736, '.')
                                 : RandomText({"a", ".", "10", "\u00e4", "b.", "more than fourteen bytes", ".", "/"},
                                              kMostParts[n % 3], &random);
    Heap heap;
    FunctionCall call(*function, &heap);
    const std::vector<Value> arguments = {Value::StringView("."), Value::StringView(text)};
    const Value list = function->body(&call, arguments);
    ASSERT_FALSE(call.failed());
    std::vector<Value> pieces;
    for (size_t begin = 0, end = 0; end < text.size() + 1; begin = end + 1) {
      end = std::min(text.find('.', begin), text.size());
      pieces.push_back(Value::StringView(std::string_view(text).substr(begin, end - begin)));
      if (end == text.size()) break;
    }
    const Value want = MakeList(Type::String(), pieces, heap.arena());
    ASSERT_EQ(JsonOf(list), JsonOf(want));
    ASSERT_TRUE(list.is_list() && list.element_type() == Type::String());
    EXPECT_EQ(list.weight(), want.weight());
    EXPECT_EQ(list.depth(), want.depth());
    EXPECT_TRUE(list.is_wholly_known() && !list.has_marks() && internal::HasNoNulls(list));
  }
}

TEST(ShortWaysTest, SumsAreThoseOfNumbers) {
  const std::vector<std::string> kParts = {
      "1", "-7", "123456789", "9223372036854775807", "-9223372036854775808", "0.5", "\"4\"", "1e30", "-0.25"};
  Random random(6);
  for (int n = 0; n < 2'000; ++n) {
    std::vector<std::string> texts;
    const size_t kinds = n % 2 == 0 ? 5 : kParts.size();
    for (size_t i = 1 + random() % (n % 100 == 0 ? 3'000 : 8); i > 0; --i) texts.push_back(kParts[random() % kinds]);
    Arena arena;
    Number want(0);
    NumberError error;
    for (const std::string& text : texts) {
      const std::string_view plain = text[0] == '"' ? std::string_view(text).substr(1, 1) : text;
      want = Add(want, Number::Parse(plain, NumberSyntax::kReference, Limits(), &arena, &error), &arena, &error);
    }
    EXPECT_EQ(CallForTest("sum", "[[" + absl::StrJoin(texts, ",") + "]]"), "\"number\" " + want.ToString());
  }
  Limits limits;
  limits.max_fuel = 500;
  std::string ones = "1";
  for (int n = 0; n < 1'000; ++n) ones += ",1";
  EXPECT_EQ(CallForTest("sum", "[[" + ones + "]]", limits).substr(0, 6), "limit:");
}

}  // namespace
}  // namespace hcl

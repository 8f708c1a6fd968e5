// Tests of skipping values, each at all offsets in blocks and ended by the end of the text or by other bytes.

#include "hclvm/vm/json/json_skip.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"
#include "hclvm/internal/name_table.h"

namespace hcl::internal {
namespace {

// How many bytes of `text` are skipped, from its beginning; -1 where it is refused. The text is in memory of its own
// size, so that sanitizers see reading behind it.
int Skip(std::string_view text, uint32_t depth = 100) {
  const auto copy = std::make_unique<char[]>(text.size());
  text.copy(copy.get(), text.size());
  const auto skip = [&](JsonSkipper skipper) {
    const char* const end = skipper.Skip(copy.get(), copy.get() + text.size(), depth);
    return end == nullptr ? -1 : static_cast<int>(end - copy.get());
  };
  const int size = skip(JsonSkipper());
  for (const SkipCode* code : JsonSkipper::Codes()) EXPECT_EQ(skip(JsonSkipper(code)), size) << text;
  return size;
}

TEST(JsonSkipTest, ValuesEndWhereTheyEnd) {
  const std::string_view values[] = {
      R"("")",
      R"("a")",
      R"("\"")",
      R"("\\")",
      R"("\\\"]")",
      R"("\q\u12")",
      R"("[{")",
      "\"\xc3\xa9\"",
      "12.5e+3",
      "-x",
      "nullfalse",
      "[]",
      "{}",
      "[1 2,,]",
      R"({"a": [], "b": {"c": [[]]}})",
      R"(["]", "}", "\"]", "\\"])",
      R"({"a":1,"a":2})",
      "[\n\t1\r\n]",
      "[\"\xe2\x82\xac\", \"\xf0\x9f\x98\x80\"]",
  };
  for (const std::string_view value : values) {
    for (int blanks = 0; blanks < 70; ++blanks) {
      // Blanks move what is in a container; text moves what is in a string.
      std::string text(value);
      if (text[0] == '[' || text[0] == '{') text.insert(1, static_cast<size_t>(blanks), ' ');
      if (text[0] == '"') text.insert(1, static_cast<size_t>(blanks), 'x');
      const int size = static_cast<int>(text.size());
      EXPECT_EQ(Skip(text), size) << text;
      for (const std::string_view rest : {",", "}", "]\"", " \x01", ",\xff", ",\"\\"}) {
        EXPECT_EQ(Skip(text + std::string(rest) + std::string(80, '{')), size) << text << rest;
      }
    }
  }
}

TEST(JsonSkipTest, RefusesWhatIsNoJson) {
  const std::string_view values[] = {
      "\"",     "\"a", "\"\\\"", "\"\n\"", "\"\x01\"", "\"\xff\"",   "\"\xc3\"", "\"\xed\xa0\x80\"", "[",
      "[[]",    "[}",  "{]",     "[{]}",   "[\"]",     "[\"\x1f\"]", "[\\]",     "[\\\"\"]",         "[\"\xc0\x80\"]",
      "[\xff]", ",",   "]",      "'a'",    "\xc3\xa9",
  };
  for (const std::string_view value : values) {
    for (int blanks = 0; blanks < 70; ++blanks) {
      std::string text(value);
      if (text[0] == '[' || text[0] == '{') text.insert(1, static_cast<size_t>(blanks), ' ');
      if (text[0] == '"') text.insert(1, static_cast<size_t>(blanks), 'x');
      EXPECT_EQ(Skip(text), -1) << text;
    }
  }
}

TEST(JsonSkipTest, DepthIsBounded) {
  for (const uint32_t levels : {1u, 2u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u}) {
    const std::string text = std::string(levels, '[') + std::string(levels, ']');
    EXPECT_EQ(Skip(text, levels), static_cast<int>(2 * levels));
    EXPECT_EQ(Skip(text, levels - 1), -1);
    EXPECT_EQ(Skip("[1," + text + "]", levels + 1), static_cast<int>(2 * levels + 4));
    EXPECT_EQ(Skip("[1," + text + "]", levels), -1);
  }
  EXPECT_EQ(Skip("\"a\"", 0), 3);
}

// All sequences of two to four bytes that are near the edges of what UTF-8 allows, at all places in a block, against
// the check of one after the other.
TEST(JsonSkipTest, Utf8) {
  const unsigned char bytes[] = {'a',  0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
                                 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff};
  const auto count = sizeof(bytes);
  const auto check = [](const std::string& middle, size_t before) {
    std::string text = "\"" + std::string(before, 'x') + middle + "\"";
    const int size = static_cast<int>(text.size());
    EXPECT_EQ(Skip(text), FindInvalidUtf8(text) == std::string::npos ? size : -1);
    text = "[" + text + "]";
    EXPECT_EQ(Skip(text), FindInvalidUtf8(text) == std::string::npos ? size + 2 : -1);
  };
  for (size_t n = 0; n < count * count * count * count; ++n) {
    std::string middle;
    for (size_t left = n, size = 0; size < 4; ++size, left /= count)
      middle.push_back(static_cast<char>(bytes[left % count]));
    check(middle, 32 + n % 64);
  }
  for (const std::string_view whole :
       {"\xc3\xa9", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    for (size_t before = 0; before < 140; ++before) {
      for (size_t size = 1; size <= whole.size(); ++size) check(std::string(whole.substr(0, size)), before);
    }
  }
}

// Runs of backslashes of all lengths at all places in a block.
TEST(JsonSkipTest, Escapes) {
  for (size_t before = 0; before < 130; ++before) {
    for (size_t run = 0; run < 130; ++run) {
      std::string text = "\"" + std::string(before, 'x') + std::string(run, '\\') + "\"";
      const bool is_open = run % 2 == 1;
      EXPECT_EQ(Skip(text), is_open ? -1 : static_cast<int>(text.size()));
      EXPECT_EQ(Skip("[" + text + (is_open ? "]\"]" : "]")), static_cast<int>(text.size() + (is_open ? 4 : 2)));
    }
  }
}

// Kinds of brackets are kept over the words of their stack, also where it is left and entered again.
TEST(JsonSkipTest, DeepBracketsMatch) {
  for (const size_t levels : {62u, 63u, 64u, 65u, 66u, 127u, 128u, 129u, 200u}) {
    std::string open;
    std::string close;
    for (size_t n = 0; n < levels; ++n) {
      const bool is_object = n % 3 == 0 || n % 5 == 1;
      open += is_object ? "{\"k\":" : "[";
      close.insert(0, is_object ? "}" : "]");
    }
    const std::string zigzag = "[[{},[[]]],{},[[{},[[]]]],{\"a\":[[{}]]}]";
    const std::string text = std::string(open).append(zigzag).append(close);
    EXPECT_EQ(Skip(text, 1000), static_cast<int>(text.size()));
    for (size_t n = 0; n < close.size(); ++n) {
      std::string wrong = text;
      char& bracket = wrong[open.size() + zigzag.size() + n];
      bracket = bracket == ']' ? '}' : ']';
      EXPECT_EQ(Skip(wrong, 1000), -1) << levels << " " << n;
    }
  }
}

// Texts of several blocks in containers, some of which are not as they should be in one place.
TEST(JsonSkipTest, TextsOfManyBlocks) {
  const std::string_view pieces[] = {"x",
                                     "a text without anything in it",
                                     R"(\")",
                                     R"(\\)",
                                     R"(\u0041)",
                                     "\xc3\xa9",
                                     "{\\\"a\\\": [1]}",
                                     "\xf0\x9f\x98\x80",
                                     "}]",
                                     " "};
  const std::string_view wrong[] = {"\x01", "\xff", "\xc3 ", "\xe2\x82 ", "\n"};
  std::mt19937 random(2);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  const auto one_of = [&random](const auto& items) { return items[random() % std::size(items)]; };
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "[";
    bool is_right = true;
    for (size_t n = random() % 3 + 1; n > 0; --n) {
      text += "{\"k\": \"";
      const std::string_view same = one_of(pieces);
      const bool is_monotonous = random() % 2 == 0;
      for (size_t left = random() % 80; left > 0; --left) text += is_monotonous ? same : one_of(pieces);
      if (random() % 16 == 0) text += one_of(wrong), is_right = false, text += one_of(pieces);
      text += "\"},";
    }
    text += "0]";
    ASSERT_EQ(Skip(text + "\"]"), is_right ? static_cast<int>(text.size()) : -1) << text;
  }
}

// Where properties go on that have to be looked at, in `text`, which is what follows a comma in an object; -1 where it
// is refused.
int SkipProperties(std::string_view text, const NameTable& wanted, uint32_t depth = 100) {
  const auto copy = std::make_unique<char[]>(text.size() + 1);
  copy[0] = ',';
  text.copy(copy.get() + 1, text.size());
  const char* const begin = copy.get() + 1;
  const auto skip = [&](JsonSkipper skipper) {
    const char* const at = skipper.SkipProperties(begin, begin + text.size(), depth, wanted);
    return at == nullptr ? -1 : static_cast<int>(at - begin);
  };
  const int place = skip(JsonSkipper());
  for (const SkipCode* code : JsonSkipper::Codes()) EXPECT_EQ(skip(JsonSkipper(code)), place) << text;
  return place;
}

NameTable TableOf(std::initializer_list<std::string_view> names) {
  NameTable table;
  for (const std::string_view name : names) table.Add(name);
  return table;
}

TEST(JsonSkipTest, PropertiesEndAtNamesThatAreWanted) {
  const std::string long_name(70, 'n');
  const NameTable wanted = TableOf({"a", "name", "other", "", long_name});
  // What comes before, and what is found.
  const std::pair<std::string, std::string> rows[] = {
      {R"("b":1,)", R"("a":2})"},
      {R"("b":"a",)", R"("a":2})"},
      {R"("b":"a","c":"name" ,)", R"("name" :2})"},
      {R"("b":{"a":1},"c":[{"name":1},"a"],)", R"("a":2})"},
      {R"("b":"{","c":"}","nama":",\"a\":1",)", R"("a":2})"},
      {R"("b":"\u0061","c":"\\",)", R"("\u0061":1})"},
      {"\"b\":\"\xc3\xa9\",", "\"\xc3\xa9\":1}"},
      {R"("b":1, "nam":[], "names":{} , )", R"("other":2})"},
      {R"("b":1,)", R"("":2})"},
      {R"("b":1,)", "\"" + long_name + "\":2}"},
      {"\"b\":1,\"" + long_name + "n\":\"" + long_name + "\",", "\"" + long_name + "\"\n:2}"},
      {R"("b":1)", "}"},
      {R"("b":1,"c":{"a":{}},"d":[[[]]])", "} , \"a\":1}"},
      {R"("b":"a")", "}]}"},
      {R"("b":"\"")", "}\xff\\"},
  };
  for (const auto& [before, found] : rows) {
    for (size_t blanks = 0; blanks < 130; ++blanks) {
      for (const bool in_text : {false, true}) {
        const std::string filler = in_text ? "\"f\":\"" + std::string(blanks, 'x') + "\"," : std::string(blanks, ' ');
        const int place = static_cast<int>(filler.size() + before.size());
        const std::string text = absl::StrCat(filler, before, found);
        EXPECT_EQ(SkipProperties(text, wanted), place) << text;
        EXPECT_EQ(SkipProperties(absl::StrCat(text, std::string(80, '{')), wanted), place) << text;
      }
    }
  }
}

TEST(JsonSkipTest, PropertiesThatAreWrong) {
  const NameTable wanted = TableOf({"a"});
  for (const std::string_view wrong :
       {"", "\"b\":1", "\"b\":[}", "\"b\":]", "\"b\":\"x", "\"b\":\"\x01\"}", "\"b\":\"\xff\"}", "\"b\":{}\\}",
        "\"b\xc3\":1}", "\"b\":\"\\", "\"b\":[\"\xed\xa0\x80\"],\"a\":1}"}) {
    for (size_t blanks = 0; blanks < 70; ++blanks) {
      const std::string text = std::string(blanks, ' ').append(wrong);
      EXPECT_EQ(SkipProperties(text, wanted), -1) << text;
    }
  }
  EXPECT_EQ(SkipProperties(R"("b":[[]],"a":1})", wanted, 2), 9);
  EXPECT_EQ(SkipProperties(R"("b":[[]],"a":1})", wanted, 1), -1);
}

// Properties at random, against a walk that knows where each begins.
TEST(JsonSkipTest, PropertiesAtRandom) {
  const NameTable wanted = TableOf({"a", "bb", "name", "a name of some length"});
  const std::string_view names[] = {"b", "ab", "nama", "names", "", "A name of some length", "x", "yy", "zzz"};
  const std::string_view stops[] = {"a", "bb", "name", "a name of some length", "\\u0062", "\xc3\xa9", "x\\\""};
  const std::string_view values[] = {
      "1",
      "null",
      R"("a")",
      R"("name")",
      R"("\"a\":")",
      "\"\xe4\xb8\x96\xe7\x95\x8c\"",
      R"({"a":1,"bb":{"name":"}"}})",
      R"([1, "a", {"\u0061": []}])",
      R"("a text of many bytes, so that it does not end within one block of sixty-four")",
      "\"\"",
      "{}"};
  std::mt19937 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same every time
  const auto one_of = [&random](const auto& items) { return std::string(items[random() % std::size(items)]); };
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) {
      text += '"' + one_of(names) + (random() % 4 == 0 ? "\" : " : "\":") + one_of(values) + ',';
      if (random() % 8 == 0) text.append(random() % 40, ' ');
    }
    const bool ends = random() % 3 == 0;
    if (ends && !text.empty()) text.erase(text.find_last_of(','));
    const int want = static_cast<int>(text.size());
    text += ends ? "}" : '"' + one_of(stops) + "\":" + one_of(values) + "}";
    text.append(random() % 2 == 0 ? 0 : random() % 100, random() % 2 == 0 ? '"' : '}');
    ASSERT_EQ(SkipProperties(text, wanted), want) << text;
  }
}

}  // namespace
}  // namespace hcl::internal

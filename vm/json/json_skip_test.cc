// Tests of skipping values, each at all offsets in blocks and ended by the end of the text or by other bytes.

#include "hclvm/vm/json/json_skip.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"

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
  EXPECT_EQ(skip(JsonSkipper::Plain()), size) << text;
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

}  // namespace
}  // namespace hcl::internal

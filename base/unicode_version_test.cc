// The answers are those of Unicode 15.0, whichever utf8proc there is: the same sums in each build.

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"

namespace hcl {

using internal::AppendUtf8;
using internal::CountGraphemes;
using internal::IsIdContinue;
using internal::IsIdentifier;
using internal::IsIdStart;
using internal::ToLower;
using internal::ToNfc;
using internal::ToUpper;
namespace {

std::string Utf8(char32_t c) {
  std::string text;
  AppendUtf8(c, &text);
  return text;
}

bool IsSurrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// FNV-1a.
class Sum {
 public:
  void Add(std::string_view text) {
    for (const char c : text) AddByte(static_cast<uint8_t>(c));
    AddByte(0);
  }
  void AddByte(uint8_t byte) { value_ = (value_ ^ byte) * 1099511628211u; }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 14695981039346656037u;
};

// Planes in which any version has assigned something, but for private use.
bool IsInUse(char32_t c) { return c < 0x40000 || (c >= 0xE0000 && c < 0xE1000); }

template <typename Answer>
uint64_t SumOfAll(const Answer& answer) {
  Sum sum;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!IsSurrogate(c) && IsInUse(c)) answer(c, &sum);
  }
  return sum.value();
}

TEST(UnicodeVersionTest, Sums) {
  EXPECT_EQ(SumOfAll([](char32_t c, Sum* sum) { sum->Add(ToUpper(Utf8(c))); }), 18240333551458134080u);
  EXPECT_EQ(SumOfAll([](char32_t c, Sum* sum) { sum->Add(ToLower(Utf8(c))); }), 8385059651224894843u);
  EXPECT_EQ(SumOfAll([](char32_t c, Sum* sum) {
              sum->AddByte(static_cast<uint8_t>((IsIdStart(c) ? 1 : 0) + (IsIdContinue(c) ? 2 : 0)));
            }),
            16859183394038315251u);
  // Alone, after and before a mark, and before a jamo.
  EXPECT_EQ(SumOfAll([](char32_t c, Sum* sum) {
              const std::string text = Utf8(c);
              for (const std::string& whole : {text, text + "\u0301", "e\u0301" + text + "\u0323", text + "\u1161"}) {
                sum->Add(ToNfc(whole));
              }
            }),
            6254716793431925972u);
  // Between characters of each class that the rules know.
  EXPECT_EQ(SumOfAll([](char32_t c, Sum* sum) {
              const std::string text = Utf8(c);
              for (const char* other : {"a", "\r", "\n", "\u0301", "\u0600", "\u0903", "\u1100", "\u1161", "\u11a8",
                                        "\uac00", "\uac01", "\u200d", "\U0001f1e6", "\U0001f468", "\U0001f468\u200d"}) {
                sum->AddByte(static_cast<uint8_t>(CountGraphemes(other + text + other)));
              }
            }),
            1520329146274055481u);
}

struct TextCase {
  const char* text;
  const char* want;
};

// Letters that Unicode 16 has given a partner, and letters of Unicode 16 and 17, stay as they are.
TEST(UnicodeVersionTest, CaseOfLaterVersions) {
  const TextCase kCases[] = {
      {"\u019b", "\u019b"}, {"\u0264", "\u0264"},         {"\u1c8a", "\u1c8a"},
      {"\ua7cd", "\ua7cd"}, {"\U00010d70", "\U00010d70"}, {"\u00df", "\u00df"},
      {"\u0131", "I"},      {"\U0001e943", "\U0001e921"}, {"\ua7c2", "\ua7c2"},
  };
  for (const TextCase& row : kCases) EXPECT_EQ(ToUpper(row.text), row.want) << row.text;
  EXPECT_EQ(ToLower("\u1c89\ua7cb\ua7dc\U00010d50"), "\u1c89\ua7cb\ua7dc\U00010d50");
}

// U+105C9 is U+105D2 with U+0307 since Unicode 16.
TEST(UnicodeVersionTest, FormsOfLaterVersions) {
  for (const char* text : {"\U000105c9", "\U000105d2\u0307", "\U00016121\U0001611f", "\u1acf\u0301", "a\u1acf\u0323"}) {
    EXPECT_EQ(ToNfc(text), text);
  }
  EXPECT_EQ(ToNfc("e\u0301\U000105d2\u0307\u0323e\u0301"), "\u00e9\U000105d2\u0323\u0307\u00e9");
}

// Consonants that a virama joins are one cluster since Unicode 15.1, and two here.
TEST(UnicodeVersionTest, ClustersOfLaterVersions) {
  EXPECT_EQ(CountGraphemes("\u0915\u094d\u0924"), 2u);
  EXPECT_EQ(CountGraphemes("\u0915\u094d\u200d\u0924"), 2u);
  EXPECT_EQ(CountGraphemes("a\u1acf"), 2u);
}

TEST(UnicodeVersionTest, IdentifiersOfLaterVersions) {
  EXPECT_FALSE(IsIdentifier("\U000105c0"));  // Todhri, of Unicode 16
  EXPECT_FALSE(IsIdentifier("a\u30fb"));     // the katakana middle dot, since Unicode 15.1
  EXPECT_TRUE(IsIdentifier("\U00011f04"));   // Kawi, of Unicode 15
  EXPECT_FALSE(IsIdentifier("\U0002ebf0"));  // an ideograph of Unicode 15.1
}

}  // namespace
}  // namespace hcl

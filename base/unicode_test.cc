#include "hclvm/base/unicode.h"

#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "utf8proc.h"

namespace hcl {

using internal::AppendUtf8;
using internal::CodePoint;
using internal::CountGraphemes;
using internal::DecodeUtf8;
using internal::DisplayWidth;
using internal::FindInvalidUtf8;
using internal::GraphemeBytes;
using internal::IsAscii;
using internal::IsIdentifier;
using internal::IsKnownNfc;
using internal::IsSpace;
using internal::JoinsNothing;
using internal::ToLower;
using internal::ToNfc;
using internal::ToUpper;
namespace {

std::string Utf8(char32_t code_point) {
  std::string text;
  AppendUtf8(code_point, &text);
  return text;
}

TEST(UnicodeTest, FindInvalidUtf8) {
  const struct {
    std::string text;
    size_t at;
  } cases[] = {
      {"", std::string::npos},
      {"plain", std::string::npos},
      {"\u00e9\u4e16\U0001F600", std::string::npos},
      {"a\x80", 1},
      {"a\xff", 1},
      {"\xc0\xaf", 0},          // overlong
      {"\xe0\x80\xaf", 0},      // overlong
      {"ab\xed\xa0\x80", 2},    // surrogate
      {"\xf4\x90\x80\x80", 0},  // over U+10FFFF
      {"0123456789abcdefghijklmnopqrstuvwxyz\xc3", 36},
      {"\xe4\xb8", 0},
  };
  for (const auto& test : cases) EXPECT_EQ(FindInvalidUtf8(test.text), test.at) << test.text;
}

TEST(UnicodeTest, EveryCodePointRoundTrips) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    const std::string text = Utf8(c);
    const CodePoint decoded = DecodeUtf8(text, 0);
    ASSERT_EQ(decoded.value, c);
    ASSERT_EQ(decoded.bytes, text.size());
    ASSERT_EQ(FindInvalidUtf8(text), std::string::npos);
  }
  EXPECT_EQ(Utf8(0xD800), "\uFFFD");
  EXPECT_EQ(Utf8(0x110000), "\uFFFD");
  EXPECT_EQ(DecodeUtf8("\xe4\xb8", 0).bytes, 1u);
}

TEST(UnicodeTest, QuickCheckNeverClaimsWhatNormalizationChanges) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string text = Utf8(c);
    if (!IsKnownNfc(text)) continue;
    ASSERT_EQ(utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class, 0) << c;
    utf8proc_uint8_t* normalized = utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str()));
    ASSERT_EQ(c == 0 ? std::string() : text, reinterpret_cast<const char*>(normalized)) << c;
    free(normalized);
    // Nothing before it may combine with it.
    for (const char* before : {"e", "\u1100", "\uac00", "\u00ea"}) {
      const std::string pair = before + (c == 0 ? std::string("a") : text);
      normalized = utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(pair.c_str()));
      ASSERT_EQ(pair, reinterpret_cast<const char*>(normalized)) << c;
      free(normalized);
    }
  }
}

// What the quick check lets pass joins nothing before it: it is no part but the first of what any character is made of.
TEST(UnicodeTest, JoinsNothing) {
  EXPECT_TRUE(JoinsNothing(""));
  EXPECT_TRUE(JoinsNothing("\u00e9\u0301"));
  EXPECT_FALSE(JoinsNothing("\u0301"));
  EXPECT_FALSE(JoinsNothing("\u11a8"));
  EXPECT_FALSE(JoinsNothing("\xff"));
  for (utf8proc_int32_t c = 0; c <= 0x10FFFF; ++c) {
    utf8proc_int32_t parts[4];
    int unused_boundary = 0;
    const utf8proc_ssize_t count = utf8proc_decompose_char(c, parts, 4, UTF8PROC_DECOMPOSE, &unused_boundary);
    for (utf8proc_ssize_t n = 1; n < count; ++n) {
      ASSERT_FALSE(JoinsNothing(Utf8(static_cast<char32_t>(parts[n])))) << c;
    }
  }
}

TEST(UnicodeTest, AsciiAtEveryPlaceOfAnyLength) {
  for (size_t size = 0; size < 80; ++size) {
    const std::string ascii(size, 'a');
    EXPECT_TRUE(IsAscii(ascii)) << size;
    EXPECT_EQ(FindInvalidUtf8(ascii), std::string_view::npos) << size;
    for (size_t at = 0; at < size; ++at) {
      for (const char byte : {'\x80', '\xff'}) {
        std::string text = ascii;
        text[at] = byte;
        EXPECT_FALSE(IsAscii(text)) << size << " " << at;
        EXPECT_EQ(FindInvalidUtf8(text), at) << size;
        // After another one, which is valid.
        EXPECT_EQ(FindInvalidUtf8("\u00e9" + text), at + 2) << size;
      }
    }
  }
}

TEST(UnicodeTest, Nfc) {
  EXPECT_EQ(ToNfc("e\u0301"), "\u00e9");
  EXPECT_EQ(ToNfc("\u212b"), "\u00c5");
  EXPECT_EQ(ToNfc("plain"), "plain");
  EXPECT_EQ(ToNfc(std::string("a\0e\u0301", 5)), std::string("a\0\u00e9", 4));
  EXPECT_EQ(ToNfc("a\xff"
                  "e\u0301"),
            "a\uFFFD\u00e9");
}

// Whether utf8proc has the language's version of Unicode: with another one, there is nothing to compare with.
bool HasOurVersion() { return std::string_view(utf8proc_unicode_version()) == "15.0.0"; }

// As utf8proc finds them, one character after the other.
std::vector<size_t> ClusterEnds(const std::vector<char32_t>& characters) {
  std::vector<size_t> ends;
  size_t at = 0;
  utf8proc_int32_t state = 0;
  for (size_t n = 0; n < characters.size(); ++n) {
    at += Utf8(characters[n]).size();
    const bool ends_here = n + 1 == characters.size() ||
                           utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(characters[n]),
                                                            static_cast<utf8proc_int32_t>(characters[n + 1]), &state);
    if (ends_here) ends.push_back(at);
    if (ends_here) state = 0;
  }
  return ends;
}

// By the ends of clusters, by their number, and from any of them to any offset.
void ExpectClusters(const std::vector<char32_t>& characters) {
  std::string text;
  for (const char32_t c : characters) text += Utf8(c);
  const std::vector<size_t> ends = ClusterEnds(characters);
  ASSERT_EQ(CountGraphemes(text), ends.size()) << text;
  size_t begin = 0;
  for (size_t n = 0; n < ends.size(); ++n) {
    ASSERT_EQ(begin + GraphemeBytes(text, begin), ends[n]) << text;
    size_t at = begin;
    ASSERT_EQ(CountGraphemes(text, &at, begin + 1), 1u) << text;
    ASSERT_EQ(at, ends[n]) << text;
    at = begin;
    ASSERT_EQ(CountGraphemes(text, &at, text.size()), ends.size() - n) << text;
    ASSERT_EQ(at, text.size()) << text;
    begin = ends[n];
  }
}

// One of each class of characters that the rules know.
constexpr char32_t kOfClasses[] = {'a',    '\r',   '\n',   0x7f,   0x301,   0x600,   0x903,   0x1100, 0x1161,
                                   0x11a8, 0xac00, 0xac01, 0x200d, 0x1f1e6, 0x1f468, 0x1f3fb, 0xad,   0xe9};

// Not assigned and of class Control, which utf8proc does not know.
bool IsReserved(char32_t c) { return c == 0x2065 || (c >= 0xFFF0 && c <= 0xFFF8); }

TEST(UnicodeTest, GraphemesOfEachCharacterBesideAnyOther) {
  if (!HasOurVersion()) GTEST_SKIP() << "utf8proc has Unicode " << utf8proc_unicode_version();
  for (char32_t c = 0; c < 0x20000; ++c) {
    if ((c >= 0xD800 && c <= 0xDFFF) || IsReserved(c)) continue;
    for (const char32_t other : kOfClasses) ExpectClusters({other, c, other});
    if (HasFatalFailure()) return;
  }
}

TEST(UnicodeTest, GraphemesOfLongerTexts) {
  if (!HasOurVersion()) GTEST_SKIP() << "utf8proc has Unicode " << utf8proc_unicode_version();
  std::mt19937 random(1);
  for (int n = 0; n < 20'000; ++n) {
    std::vector<char32_t> characters(random() % 12);
    for (char32_t& c : characters) {
      c = random() % 3 == 0 ? static_cast<char32_t>(random() % 0x3000 + 1)
                            : kOfClasses[random() % std::size(kOfClasses)];
      if (IsReserved(c)) c = 'a';
    }
    ExpectClusters(characters);
    if (HasFatalFailure()) return;
  }
}

TEST(UnicodeTest, Graphemes) {
  const struct {
    const char* text;
    size_t count;
  } cases[] = {
      {"", 0},
      {"abc", 3},
      {"\r\n", 1},
      {"\n\r", 2},
      {"e\u0301", 1},
      {"\u4e16\u754c", 2},
      {"\U0001F468\u200D\U0001F469\u200D\U0001F467", 1},
      {"\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7", 2},
      {"a\xff\xff", 3},
  };
  for (const auto& test : cases) EXPECT_EQ(CountGraphemes(test.text), test.count) << test.text;
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("e\u0301"), 1u);
  EXPECT_EQ(DisplayWidth("\u4e16"), 2u);
  EXPECT_EQ(DisplayWidth("a\t\x01"), 3u);
}

TEST(UnicodeTest, Case) {
  EXPECT_EQ(ToUpper("abcXYZ1 \u00e9\u03c9"), "ABCXYZ1 \u00c9\u03a9");
  EXPECT_EQ(ToUpper("\u00df"), "\u00df");
  EXPECT_EQ(ToLower("ABC\u0130\u00c9"), "abci\u00e9");
}

TEST(UnicodeTest, Spaces) {
  size_t count = 0;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) count += IsSpace(c) ? 1 : 0;
  EXPECT_EQ(count, 25u);
}

TEST(UnicodeTest, Identifiers) {
  const struct {
    const char* text;
    bool is_identifier;
  } cases[] = {
      {"a", true},      {"_z", true},      {"x-y", true},         {"a1", true},     {"\u00e9t\u00e9", true},
      {"\u4e16", true}, {"a\u0301", true}, {"a\u00b7", true},     {"\u2118", true}, {"\u2160", true},
      {"a-", true},     {"", false},       {"1a", false},         {"-a", false},    {"a b", false},
      {"a.b", false},   {"\u0301", false}, {"\U0001F600", false}, {"a\xff", false}, {"\u2e2f", false},
  };
  for (const auto& test : cases) EXPECT_EQ(IsIdentifier(test.text), test.is_identifier) << test.text;
}

}  // namespace
}  // namespace hcl

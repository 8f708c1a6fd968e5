// ToNfc() against utf8proc's own normalization, and on runs of marks that are too long for that one.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"
#include "utf8proc.h"

namespace hcl {

using internal::AppendUtf8;
using internal::CountGraphemes;
using internal::DisplayWidth;
using internal::GraphemeBytes;
using internal::IsKnownNfc;
using internal::ToNfc;
namespace {

std::string Utf8(const std::vector<char32_t>& code_points) {
  std::string text;
  for (char32_t c : code_points) AppendUtf8(c, &text);
  return text;
}

// Whether utf8proc has the language's version of Unicode: with another one, there is nothing to compare with.
bool HasOurVersion() { return std::string_view(utf8proc_unicode_version()) == "15.0.0"; }

// What utf8proc makes of `text` in one call.
std::string Expected(std::string_view text) {
  utf8proc_uint8_t* normalized = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), static_cast<utf8proc_ssize_t>(text.size()),
                   &normalized, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  EXPECT_GE(length, 0);
  std::string result(reinterpret_cast<const char*>(normalized), static_cast<size_t>(length));
  std::free(normalized);
  return result;
}

int ClassOf(char32_t c) { return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class; }

bool IsSurrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

// Characters that take part in normalization: marks of every class, characters that have a decomposition, and the
// parts of decompositions, among which are the starters that compose with starters.
struct Alphabet {
  std::vector<char32_t> marks;
  std::vector<char32_t> decomposed;
  std::vector<char32_t> parts;
};

Alphabet MakeAlphabet() {
  Alphabet alphabet;
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (IsSurrogate(c)) continue;
    if (ClassOf(c) != 0) alphabet.marks.push_back(c);
    if (c >= 0xAC00 && c <= 0xD7A3) continue;  // Hangul syllables would outnumber all others
    utf8proc_int32_t parts[4];
    int boundary = 0;
    const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
    const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts, 4, options, &boundary);
    EXPECT_LE(count, 4) << c;
    if (count == 1 && parts[0] == static_cast<utf8proc_int32_t>(c)) continue;
    alphabet.decomposed.push_back(c);
    for (utf8proc_ssize_t i = 0; i < count; ++i) alphabet.parts.push_back(static_cast<char32_t>(parts[i]));
  }
  return alphabet;
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : alphabet_(MakeAlphabet()), random_(seed) {}

  size_t Below(size_t bound) { return random_() % bound; }

  char32_t Mark() { return Pick(alphabet_.marks); }

  char32_t Starter() {
    switch (Below(8)) {
      case 0:
        return static_cast<char32_t>('a' + Below(26));
      case 1:
        return static_cast<char32_t>(0x1100 + Below(0x100));  // jamo
      case 2:
        return static_cast<char32_t>(0xAC00 + Below(11172));  // Hangul syllables
      case 3:
        return static_cast<char32_t>(0xAC00 + 28 * Below(399));  // those that a last consonant may follow
      case 4:
      case 5:
        return Pick(alphabet_.decomposed);
      default:
        return Pick(alphabet_.parts);
    }
  }

  // A few starters, each with a run of marks.
  std::string Text() {
    std::vector<char32_t> text;
    for (size_t starters = Below(5); starters > 0; --starters) {
      text.push_back(Starter());
      const size_t most = Below(3) == 0 ? 40 : 4;
      // Half of the runs have a small choice of marks, so that equal classes meet and block each other.
      const char32_t few[] = {Mark(), Mark(), 0x301, 0x323};
      const bool choose = Below(2) == 0;
      for (size_t marks = Below(most + 1); marks > 0; --marks) text.push_back(choose ? few[Below(4)] : Mark());
    }
    return Utf8(text);
  }

 private:
  char32_t Pick(const std::vector<char32_t>& from) { return from[Below(from.size())]; }

  const Alphabet alphabet_;
  std::mt19937 random_;
};

TEST(UnicodeNfcTest, EveryCodePointAsUtf8procHasIt) {
  if (!HasOurVersion()) GTEST_SKIP() << "utf8proc has Unicode " << utf8proc_unicode_version();
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (IsSurrogate(c)) continue;
    const std::string text = Utf8({c});
    ASSERT_EQ(ToNfc(text), Expected(text)) << c;
  }
}

TEST(UnicodeNfcTest, RandomTextsAsUtf8procHasThem) {
  if (!HasOurVersion()) GTEST_SKIP() << "utf8proc has Unicode " << utf8proc_unicode_version();
  Generator generator(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = generator.Text();
    const std::string normalized = ToNfc(text);
    ASSERT_EQ(normalized, Expected(text)) << i;
    ASSERT_EQ(ToNfc(normalized), normalized) << i;
    ASSERT_TRUE(!IsKnownNfc(text) || normalized == text) << i;
  }
}

// Runs about the length from which marks are counted.
TEST(UnicodeNfcTest, RunsOfEveryLengthAsUtf8procHasThem) {
  if (!HasOurVersion()) GTEST_SKIP() << "utf8proc has Unicode " << utf8proc_unicode_version();
  Generator generator(2);
  for (size_t length = 0; length < 200; ++length) {
    for (int round = 0; round < 20; ++round) {
      std::vector<char32_t> text = {generator.Starter()};
      for (size_t i = 0; i < length; ++i) text.push_back(generator.Mark());
      text.push_back(generator.Starter());
      ASSERT_EQ(ToNfc(Utf8(text)), Expected(Utf8(text))) << length;
    }
  }
}

// A sort by exchanging neighbors would take 10^11 steps and never end.
TEST(UnicodeNfcTest, AMillionMarks) {
  constexpr size_t kMarks = 1'000'000;
  std::string text = "e";
  std::string low;
  std::string high;
  for (size_t i = 0; i < kMarks / 2; ++i) {
    // U+0315 has class 232, U+0323 and U+0324 have 220.
    AppendUtf8(0x315, &text);
    AppendUtf8(0x315, &high);
    AppendUtf8(i % 2 == 0 ? 0x323 : 0x324, &text);
    AppendUtf8(i % 2 == 0 ? 0x323 : 0x324, &low);
  }
  const std::string normalized = ToNfc(text);
  EXPECT_TRUE(normalized == "\u1EB9" + low.substr(2) + high);  // the first U+0323 composes with the letter
  EXPECT_TRUE(ToNfc(normalized) == normalized);
  EXPECT_EQ(GraphemeBytes(text, 0), text.size());
  EXPECT_EQ(CountGraphemes(text), 1u);
  EXPECT_EQ(DisplayWidth(text), 1u);
}

// Without a starter before it, and in the order that is worst for an insertion.
TEST(UnicodeNfcTest, MarksInFallingOrder) {
  std::vector<char32_t> falling;
  for (char32_t c = 0x300; c < 0x1000; ++c) {
    if (ClassOf(c) != 0) falling.insert(falling.end(), 2000, c);
  }
  std::stable_sort(falling.begin(), falling.end(), [](char32_t a, char32_t b) { return ClassOf(a) > ClassOf(b); });
  std::vector<char32_t> rising = falling;
  std::stable_sort(rising.begin(), rising.end(), [](char32_t a, char32_t b) { return ClassOf(a) < ClassOf(b); });
  EXPECT_TRUE(ToNfc(Utf8(falling)) == ToNfc(Utf8(rising)));
}

}  // namespace
}  // namespace hcl

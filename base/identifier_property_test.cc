// ID_Start and ID_Continue for every code point, against two derivations that share nothing with base/unicode.cc but
// the standard: tables of the properties from another implementation, and the definition of UAX #31 from general
// categories.

#include <ios>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"
#include "utf8proc.h"

namespace hcl {

using internal::AppendUtf8;
using internal::IsIdContinue;
using internal::IsIdentifier;
using internal::IsIdStart;
namespace {

#include "hclvm/base/id_properties_14.inc"

constexpr char32_t kLast = 0x10FFFF;

// A property from a list of the offsets where it begins and ends, asked for ascending code points.
template <size_t N>
class PropertyList {
 public:
  explicit PropertyList(const char32_t (&offsets)[N]) : offsets_(offsets) {}
  bool Has(char32_t c) {
    while (next_ < N && offsets_[next_] <= c) ++next_;
    return next_ % 2 == 1;
  }

 private:
  const char32_t* offsets_;
  size_t next_ = 0;
};

// What later versions of Unicode have added: the properties are never taken back, and a code point that has one of them
// now, and had none in 14.0, was not assigned then.
TEST(IdentifierPropertyTest, AsInTheTablesOfUnicode14) {
  PropertyList id_start(kIdStart14);
  PropertyList id_continue(kIdContinue14);
  size_t starts = 0, later_starts = 0, later_continues = 0;
  for (char32_t c = 0; c <= kLast; ++c) {
    const bool starts_in_14 = id_start.Has(c) || c == '_';
    const bool continues_in_14 = id_continue.Has(c);
    starts += starts_in_14 ? 1 : 0;
    EXPECT_GE(IsIdStart(c), starts_in_14) << std::hex << c;
    EXPECT_GE(IsIdContinue(c), continues_in_14) << std::hex << c;
    if (!starts_in_14 && IsIdStart(c)) {
      EXPECT_FALSE(continues_in_14) << std::hex << c;
      ++later_starts;
    }
    if (!continues_in_14 && IsIdContinue(c)) ++later_continues;
  }
  EXPECT_EQ(starts, 131'998u);
  // Unicode 15.0 has 4,348 more of the first and 4,410 of the second; later versions have some thousands more.
  EXPECT_LT(later_starts, 20'000u);
  EXPECT_LT(later_continues, 20'500u);
  EXPECT_GE(later_continues, later_starts);
}

// UAX #31, table 2: letters, letter numbers and Other_ID_Start; for ID_Continue also marks, digits, connectors and
// Other_ID_Continue; both without Pattern_Syntax and Pattern_White_Space.
TEST(IdentifierPropertyTest, AsDefinedByCategories) {
  if (std::string_view(utf8proc_unicode_version()) != "15.0.0") GTEST_SKIP() << "not the language's version";
  for (char32_t c = 0; c <= kLast; ++c) {
    const char* const category = utf8proc_category_string(static_cast<utf8proc_int32_t>(c));
    const std::string_view name(category, 2);
    const bool is_other_start =
        (c >= 0x1885 && c <= 0x1886) || c == 0x2118 || c == 0x212E || c == 0x309B || c == 0x309C;
    const bool is_other_continue = c == 0xB7 || c == 0x387 || (c >= 0x1369 && c <= 0x1371) || c == 0x19DA ||
                                   c == 0x200C || c == 0x200D || c == 0x30FB || c == 0xFF65;
    const bool is_pattern_syntax = c == 0x2E2F;  // the only letter among it
    const bool starts = (name[0] == 'L' || name == "Nl" || is_other_start) && !is_pattern_syntax;
    const bool continues = starts || name == "Mn" || name == "Mc" || name == "Nd" || name == "Pc" || is_other_continue;
    EXPECT_EQ(IsIdStart(c), starts || c == '_') << std::hex << c;
    const bool is_newer = c == 0x200C || c == 0x200D || c == 0x30FB || c == 0xFF65;  // since Unicode 15.1
    EXPECT_EQ(IsIdContinue(c) || is_newer, continues) << std::hex << c;
  }
}

// As parsed: `c` alone, after a letter, and with the dash that HCL adds.
TEST(IdentifierPropertyTest, Identifiers) {
  for (char32_t c = 0; c <= kLast; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    AppendUtf8(c, &text);
    ASSERT_EQ(IsIdentifier(text), IsIdStart(c)) << std::hex << c;
    ASSERT_EQ(IsIdentifier("a" + text), IsIdContinue(c) || c == '-') << std::hex << c;
  }
}

}  // namespace
}  // namespace hcl

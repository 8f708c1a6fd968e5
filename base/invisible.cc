// Invisible characters, by Unicode's general categories Cc, Cf, Zl, Zp and Zs, and Default_Ignorable_Code_Point.
// Tested by base/invisible_test.cc.

#include "hclvm/base/invisible.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/str_cat.h"

namespace hcl::internal {
namespace {

struct Range {
  char32_t first, last;
};

constexpr Range kInvisible[] = {
    {0x0000, 0x001F},   {0x007F, 0x00A0},   {0x00AD, 0x00AD},   {0x034F, 0x034F}, {0x0600, 0x0605}, {0x061C, 0x061C},
    {0x06DD, 0x06DD},   {0x070F, 0x070F},   {0x08E2, 0x08E2},   {0x115F, 0x1160}, {0x1680, 0x1680}, {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x2000, 0x200F},   {0x2028, 0x202F},   {0x205F, 0x206F}, {0x2800, 0x2800}, {0x3000, 0x3000},
    {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB}, {0x110BD, 0x110BD},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

struct Name {
  char32_t code_point;
  const char* name;
};

constexpr Name kNames[] = {
    {0x0000, "null"},
    {0x0008, "backspace"},
    {0x000B, "vertical tab"},
    {0x000C, "form feed"},
    {0x001A, "end of file"},
    {0x001B, "escape"},
    {0x007F, "delete"},
    {0x0085, "next line"},
    {0x00A0, "no-break space"},
    {0x00AD, "soft hyphen"},
    {0x061C, "Arabic letter mark"},
    {0x2002, "en space"},
    {0x2003, "em space"},
    {0x2007, "figure space"},
    {0x2009, "thin space"},
    {0x200A, "hair space"},
    {0x200B, "zero width space"},
    {0x200C, "zero width non-joiner"},
    {0x200D, "zero width joiner"},
    {0x200E, "left-to-right mark"},
    {0x200F, "right-to-left mark"},
    {0x2028, "line separator"},
    {0x2029, "paragraph separator"},
    {0x202A, "left-to-right embedding"},
    {0x202B, "right-to-left embedding"},
    {0x202C, "pop directional formatting"},
    {0x202D, "left-to-right override"},
    {0x202E, "right-to-left override"},
    {0x202F, "narrow no-break space"},
    {0x2060, "word joiner"},
    {0x2066, "left-to-right isolate"},
    {0x2067, "right-to-left isolate"},
    {0x2068, "first strong isolate"},
    {0x2069, "pop directional isolate"},
    {0x3000, "ideographic space"},
    {0xFEFF, "byte order mark"},
};

}  // namespace

bool IsInvisible(char32_t code_point) {
  return std::any_of(std::begin(kInvisible), std::end(kInvisible), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

std::string CharacterName(char32_t code_point) {
  std::string text = absl::StrCat("U+", absl::Hex(static_cast<uint32_t>(code_point), absl::kZeroPad4));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
  const auto* const found = std::find_if(std::begin(kNames), std::end(kNames),
                                         [code_point](const Name& name) { return name.code_point == code_point; });
  if (found != std::end(kNames)) absl::StrAppend(&text, " (", found->name, ")");
  return text;
}

}  // namespace hcl::internal

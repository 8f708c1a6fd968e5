// Values that never become a bool, a number or a string, as far as a glance tells.
//
// What is tried fails often, and nobody reads why: a glance is all that most failures need (base/silence.h).
// Internal. Tested by vm/value/unfit_test.cc.

#ifndef HCLVM_VM_VALUE_UNFIT_H_
#define HCLVM_VM_VALUE_UNFIT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// The characters that numbers and infinities are written with, in any syntax: a bit for each of the 64 from `first` on.
inline constexpr uint64_t CharactersOfNumbers(char first) {
  uint64_t bits = 0;
  for (const char c : std::string_view("+-.0123456789EFINTYefinty")) {
    if (c >= first && c < first + 64) bits |= uint64_t{1} << (c - first);
  }
  return bits;
}

inline bool MayBeInNumber(char c) {
  constexpr uint64_t kLow = CharactersOfNumbers(0);
  constexpr uint64_t kHigh = CharactersOfNumbers(64);
  const uint64_t bits = c >= 64 ? kHigh : c >= 0 ? kLow : 0;
  return (bits >> (static_cast<unsigned char>(c) % 64) & 1) != 0;
}

// Whether the text is no number, as one of its first characters tells, or that it has none.
inline bool IsNoNumber(std::string_view text) {
  constexpr size_t kLooks = 16;
  if (text.empty() || (text[0] >= 'A' && (text[0] | 0x20) != 'i')) return true;
  for (size_t n = 0; n < text.size() && n < kLooks; ++n) {
    if (!MayBeInNumber(text[n])) return true;
  }
  return false;
}

// Whether it is a short string that begins with what no number does. Such have their size and first character in their
// first word.
inline bool BeginsNoNumber(const Value& value) {
  const auto first = static_cast<uint8_t>(HeadBits(value) >> 16);
  return TagOf(value) == Tag::kShortString && first >= 'A' && (first | 0x20) != 'i';
}

// The same as of its text.
inline bool IsNoNumber(const Value& string) { return BeginsNoNumber(string) || IsNoNumber(string.AsString()); }

inline bool IsNoBool(const Value& string) {
  if (TagOf(string) == Tag::kShortString) {
    const auto size = static_cast<uint8_t>(HeadBits(string) >> 8);
    if (size != 1 && size != 4 && size != 5) return true;
  }
  const std::string_view text = string.AsString();
  return text != "true" && text != "false" && text != "1" && text != "0";
}

// Whether the value, known and not null, has no marks and fails to become one of `kind`. False where only a conversion
// can tell, and for kinds that are none of these three.
inline bool IsUnfit(const Value& value, TypeKind kind) {
  const Tag tag = TagOf(value);
  if (tag < Tag::kFalse || tag > Tag::kMap) return false;
  const bool is_compound = tag >= Tag::kTuple;
  switch (kind) {
    case TypeKind::kString:
      return is_compound;
    case TypeKind::kNumber:
      return is_compound || tag <= Tag::kTrue || (value.is_string() && IsNoNumber(value));
    case TypeKind::kBool:
      return value.is_string() ? IsNoBool(value) : tag > Tag::kTrue;
    default:
      return false;
  }
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_UNFIT_H_

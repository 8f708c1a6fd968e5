// Strings and numbers of JSON.

#include "hclvm/hcl/json/json_string.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "hclvm/base/unicode.h"

namespace hcl {
namespace internal {
namespace {

constexpr int kNotHex = -1;
constexpr char32_t kReplacement = 0xFFFD;

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return kNotHex;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHighSurrogate(char32_t value) { return value >= 0xD800 && value <= 0xDBFF; }
bool IsLowSurrogate(char32_t value) { return value >= 0xDC00 && value <= 0xDFFF; }

// The character of a one-letter escape, or 0.
char SimpleEscape(char selector) {
  switch (selector) {
    case '"':
    case '\\':
    case '/':
      return selector;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

// The code unit of a `\uNNNN` at `at`, or -1 when there is none.
int32_t CodeUnitAt(std::string_view text, size_t at) {
  if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int32_t value = 0;
  for (size_t i = at + 2; i < at + 6; ++i) {
    const int digit = HexValue(text[i]);
    if (digit == kNotHex) return -1;
    value = value << 4 | digit;
  }
  return value;
}

// What the escape at `text[*at]` stands for; moves *at behind it.
// A high surrogate takes the escape behind it along only if that is the low one of the pair; otherwise that one is
// taken for itself in the next round. What is malformed comes out as U+FFFD, although callers look for that first: the
// function never reads behind the text.
char32_t TakeEscape(std::string_view text, size_t* at) {
  const size_t begin = *at;
  const char simple = begin + 1 < text.size() ? SimpleEscape(text[begin + 1]) : '\0';
  *at = begin + 2;
  if (simple != '\0') return static_cast<char32_t>(simple);
  const int32_t unit = CodeUnitAt(text, begin);
  if (unit < 0) return kReplacement;
  *at = begin + 6;
  const char32_t first = static_cast<char32_t>(unit);
  if (IsLowSurrogate(first)) return kReplacement;
  if (!IsHighSurrogate(first)) return first;
  const int32_t next = CodeUnitAt(text, *at);
  if (next < 0 || !IsLowSurrogate(static_cast<char32_t>(next))) return kReplacement;
  *at += 6;
  return 0x10000 + ((first - 0xD800) << 10) + (static_cast<char32_t>(next) - 0xDC00);
}

}  // namespace

// `quoted` may lack its closing quote, so the end is tested at each step. A quote between is taken for a character: the
// scanner has ended the string at the one that counts.
std::optional<JsonEscapeError> FindBadEscape(std::string_view quoted) {
  const uint32_t end = static_cast<uint32_t>(quoted.size());
  for (uint32_t at = 1; at < end; ++at) {
    if (quoted[at] != '\\') continue;
    const uint32_t begin = at++;
    if (at == end) return JsonEscapeError{{begin, end}, end};
    if (SimpleEscape(quoted[at]) != '\0') continue;
    if (quoted[at] != 'u') return JsonEscapeError{{begin, at + 1}, at};
    for (int digits = 0; digits < 4; ++digits) {
      if (++at == end || HexValue(quoted[at]) == kNotHex) return JsonEscapeError{{begin, at}, at};
    }
  }
  return std::nullopt;
}

// Runs between escapes are copied at once. In the map, each escape is a run of its own whose bytes all come from the
// escape, and the text behind it another one: so a message about a template points to the right column through any
// number of escapes before it.
std::string_view DecodeJsonString(std::string_view quoted, Arena* arena, TextMap* map, uint32_t begin) {
  const size_t end = quoted.size() - 1;
  char* const decoded = arena->NewArray<char>(quoted.size());  // no escape is shorter than what it stands for
  char* out = decoded;
  std::string character;
  size_t at = 1;
  const auto add_run = [&](bool is_escape) {
    if (map != nullptr) {
      map->AddRun(static_cast<uint32_t>(out - decoded), begin + static_cast<uint32_t>(at), is_escape);
    }
  };
  add_run(false);
  while (at < end) {
    const void* const backslash = std::memchr(quoted.data() + at, '\\', end - at);
    const size_t run_end =
        backslash == nullptr ? end : static_cast<size_t>(static_cast<const char*>(backslash) - quoted.data());
    std::memcpy(out, quoted.data() + at, run_end - at);
    out += run_end - at;
    at = run_end;
    if (at == end) break;
    add_run(true);
    character.clear();
    AppendUtf8(TakeEscape(quoted.substr(0, end), &at), &character);
    out = std::copy(character.begin(), character.end(), out);
    add_run(false);
  }
  return {decoded, static_cast<size_t>(out - decoded)};
}

// A zero at the start stands alone (RFC 8259, section 6): after it no further digits are taken, and they are left over.
bool IsJsonNumber(std::string_view text) {
  size_t at = 0;
  const auto take = [&](std::string_view any_of) {
    if (at == text.size() || any_of.find(text[at]) == std::string_view::npos) return false;
    ++at;
    return true;
  };
  const auto take_digits = [&] {
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at > begin;
  };
  take("-");
  if (!take("0") && !take_digits()) return false;
  if (take(".") && !take_digits()) return false;
  if (take("eE")) {
    take("+-");
    if (!take_digits()) return false;
  }
  return at == text.size();
}

}  // namespace internal
}  // namespace hcl

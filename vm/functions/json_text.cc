// JSON as the reference writes it. Tested by vm/functions/encoding_functions_test.cc.

#include "hclvm/vm/functions/json_text.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "hclvm/base/limits.h"
#include "hclvm/base/unicode.h"
#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/json/json.h"

namespace hcl::internal {

// The size is computed before any of the text is made. What escapes add is not in it: they make a string at most six
// times as long.
uint64_t JsonTextBytes(const Value& value) {
  constexpr uint64_t kShort = 8;  // quotes, signs, separators; true, false, null
  if (value.is_string()) return value.AsString().size() + kShort;
  if (value.is_number()) return value.AsNumber().DigitCount() + kShort;
  uint64_t bytes = kShort;
  if (value.is_sequence()) {
    for (const Value& element : value.elements()) bytes += JsonTextBytes(element);
  } else if (value.is_mapping()) {
    for (uint32_t i = 0; i < value.size(); ++i)
      bytes += JsonTextBytes(value.shape().keys[i]) + JsonTextBytes(value.values()[i]);
  }
  return bytes;
}

namespace {

constexpr std::string_view kLineSeparator = "\u2028";
constexpr std::string_view kParagraphSeparator = "\u2029";

// Of eight bytes, those that are zero have their top bits set in the result; so may bytes behind them.
constexpr uint64_t ZeroBytes(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101'0101'0101'0101, kTops = 0x8080'8080'8080'8080;
  return (bytes - kOnes) & ~bytes & kTops;
}

constexpr uint64_t EightOf(char c) { return uint64_t{0x0101'0101'0101'0101} * static_cast<unsigned char>(c); }

// Our JSON has escapes for what terminals take for commands, the reference's only for some of these. Sets *c to what
// the escape at the beginning of `text` stands for, where the reference writes the character itself.
bool IsOurEscape(std::string_view text, char32_t* c) {
  constexpr size_t kSize = 6;  // "\u009b"
  if (text.size() < kSize || text[1] != 'u') return false;
  *c = 0;
  for (const char digit : text.substr(2, kSize - 2)) {
    *c = *c * 16 + static_cast<char32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  }
  return *c >= 0x7F && *c != 0x2028 && *c != 0x2029;
}

bool IsChanged(char c) { return c == '<' || c == '>' || c == '&' || c == '\\' || c == kLineSeparator[0]; }

// Offset of the first byte from `at` on that may begin what is written in another way, or the size. Nearly no text has
// one, so that eight are looked at together; '<' and '>' differ in one bit.
size_t FindChanged(std::string_view text, size_t at) {
  constexpr uint64_t kAngles = EightOf('<' | '>'), kAngleBit = EightOf('<' ^ '>');
  constexpr uint64_t kAmpersands = EightOf('&'), kSeparators = EightOf(kLineSeparator[0]);
  constexpr uint64_t kBackslashes = EightOf('\\');
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    const uint64_t found = ZeroBytes((bytes | kAngleBit) ^ kAngles) | ZeroBytes(bytes ^ kAmpersands) |
                           ZeroBytes(bytes ^ kSeparators) | ZeroBytes(bytes ^ kBackslashes);
    if (found != 0) break;
  }
  while (at < text.size() && !IsChanged(text[at])) ++at;
  return at;
}

// What the reference writes for the *bytes that begin at `at`; empty where it is the same. `buffer` may hold it.
std::string_view ChangedAt(std::string_view text, size_t at, size_t* bytes, std::string* buffer) {
  *bytes = 1;
  if (text[at] == '<') return "\\u003c";
  if (text[at] == '>') return "\\u003e";
  if (text[at] == '&') return "\\u0026";
  if (text[at] == '\\') {
    char32_t c = 0;
    const bool is_ours = IsOurEscape(text.substr(at), &c);
    *bytes = is_ours ? 6 : 2;
    buffer->clear();
    if (is_ours) AppendUtf8(c, buffer);
    return *buffer;
  }
  const std::string_view rest = text.substr(at, kLineSeparator.size());
  if (rest != kLineSeparator && rest != kParagraphSeparator) return "";
  *bytes = kLineSeparator.size();
  return rest == kLineSeparator ? "\\u2028" : "\\u2029";
}

}  // namespace

// The reference's encoder (Go's) escapes these characters for JSON inside of HTML and JavaScript, and results have to
// be the same text.
bool AppendReferenceJson(FunctionCall* call, const Value& value, std::string* out, std::string* reason) {
  // A number of few bytes may have very many digits.
  const uint64_t bytes = JsonTextBytes(value);
  if (!CanMake(call, bytes, 1) || !call->Charge(CostOfJson(value, bytes))) return false;
  Limits limits;
  limits.max_output_bytes = std::numeric_limits<uint64_t>::max();  // CanMake() has bounded it
  limits.interrupt = call->heap()->limits().interrupt;
  JsonError error;
  const size_t begin = out->size();
  if (!AppendJson(value, limits, out, &error)) {
    *reason = error.detail;
    if (error.is_limit) call->Look();  // which reports it, if it is the host's wish to stop
    return false;
  }
  // These characters can stand in strings only, so the text can be searched without regard to its structure.
  size_t found = FindChanged(*out, begin);
  if (found == out->size()) return true;
  const std::string plain = out->substr(found);
  out->resize(found);
  Pace pace(call);
  std::string buffer;
  for (size_t at = 0; at < plain.size(); at = found) {
    size_t size = 0;
    const std::string_view changed = ChangedAt(plain, at, &size, &buffer);
    found = changed.empty() ? FindChanged(plain, at + size) : at + size;
    if (!pace.Step(found - at)) return false;
    out->append(changed.empty() ? std::string_view(plain).substr(at, found - at) : changed);
  }
  return true;
}

}  // namespace hcl::internal

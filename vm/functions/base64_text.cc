// Base64. Tested by vm/functions/encoding_functions_test.cc.

#include "hclvm/vm/functions/base64_text.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hclvm/vm/functions/function_support.h"

namespace hcl::internal {
namespace {

// The six bits of a character of base64, or -1.
int Base64Bits(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// The bytes that `text` stands for; nothing when it is malformed. As in RFC 4648, with padding; line breaks are
// skipped. This is written by hand, because absl::Base64Unescape() takes blanks and missing padding, which the
// reference refuses. An empty text when the call has failed.
std::optional<std::string> DecodeBase64(std::string_view text, FunctionCall* call) {
  Pace pace(call);
  std::string out;
  uint32_t bits = 0;
  size_t digits = 0;
  size_t padding = 0;
  for (char c : text) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const int value = Base64Bits(c);
    if (value < 0 || padding > 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    if (++digits % 4 == 0) {
      if (!pace.Step(4)) return std::string();
      for (int shift : {16, 8, 0}) out.push_back(static_cast<char>(bits >> shift & 0xff));
    }
  }
  if ((digits + padding) % 4 != 0 || padding > 2 || (padding > 0 && digits == 0)) return std::nullopt;
  if (padding == 2) {
    out.push_back(static_cast<char>(bits >> 4 & 0xff));
  } else if (padding == 1) {
    out.push_back(static_cast<char>(bits >> 10 & 0xff));
    out.push_back(static_cast<char>(bits >> 2 & 0xff));
  }
  return out;
}

}  // namespace

std::optional<std::string> DecodeBase64Argument(const Value& argument, size_t at, FunctionCall* call) {
  const std::string_view text = argument.AsString();
  if (!CanMake(call, text.size(), 1) || !call->Charge(text.size() / 16)) return std::nullopt;
  std::optional<std::string> decoded = DecodeBase64(text, call);
  if (!decoded) call->ArgumentError(at, "the string is not valid base64 with padding");
  if (call->failed()) return std::nullopt;
  return decoded;
}

}  // namespace hcl::internal

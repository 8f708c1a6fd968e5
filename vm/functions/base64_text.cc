// Base64. Tested by vm/functions/encoding_functions_test.cc.

#include "hclvm/vm/functions/base64_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hclvm/vm/functions/function_support.h"
#include "hclvm/vm/functions/text_buffer.h"

namespace hcl::internal {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr uint32_t kNoDigit = UINT32_MAX;

// The six bits of each character of base64, or kNoDigit.
struct DigitTable {
  uint32_t bits[256];
};
constexpr DigitTable MakeDigitTable() {
  DigitTable table{};
  for (uint32_t& bits : table.bits) bits = kNoDigit;
  for (uint32_t i = 0; i < 64; ++i) table.bits[static_cast<unsigned char>(kDigits[i])] = i;
  return table;
}
constexpr DigitTable kDigitTable = MakeDigitTable();

uint32_t BitsOf(char c) { return kDigitTable.bits[static_cast<unsigned char>(c)]; }

// Appends what digits stand for, by four, and returns where there are not four digits in a row any more. As much again
// as `pace` allows.
size_t DecodeFours(std::string_view text, Pace* pace, std::string* out) {
  constexpr size_t kPiece = 1024;
  size_t at = 0;
  while (pace->Step(kPiece)) {
    const size_t end = at + std::min(kPiece, (text.size() - at) / 4 * 4);
    for (; at < end; at += 4) {
      const uint32_t a = BitsOf(text[at]), b = BitsOf(text[at + 1]), c = BitsOf(text[at + 2]), d = BitsOf(text[at + 3]);
      if ((a | b | c | d) == kNoDigit) return at;
      const uint32_t bits = a << 18 | b << 12 | c << 6 | d;
      const char bytes[] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8), static_cast<char>(bits)};
      out->append(bytes, sizeof(bytes));
    }
    if (text.size() - at < 4) break;
  }
  return at;
}

// The bytes that `text` stands for; nothing when it is malformed. As in RFC 4648, with padding; line breaks are
// skipped. This is written by hand, because absl::Base64Unescape() takes blanks and missing padding, which the
// reference refuses. An empty text when the call has failed.
std::optional<std::string> DecodeBase64(std::string_view text, FunctionCall* call) {
  Pace pace(call);
  std::string out;
  out.reserve(text.size() / 4 * 3);
  const size_t fours = DecodeFours(text, &pace, &out);
  if (call->failed()) return std::string();
  uint32_t bits = 0;
  size_t digits = fours;
  size_t padding = 0;
  for (const char c : text.substr(fours)) {
    if (c == '\n' || c == '\r') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const uint32_t value = BitsOf(c);
    if (value == kNoDigit || padding > 0) return std::nullopt;
    bits = bits << 6 | value;
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

Value EncodeBase64(std::string_view bytes, FunctionCall* call) {
  TextBuffer out((bytes.size() + 2) / 3 * 4, call->arena());
  const auto byte = [&bytes](size_t at) { return static_cast<uint32_t>(static_cast<unsigned char>(bytes[at])); };
  const auto write = [&out](uint32_t bits) {
    const char digits[] = {kDigits[bits >> 18], kDigits[bits >> 12 & 63], kDigits[bits >> 6 & 63], kDigits[bits & 63]};
    out.Append({digits, sizeof(digits)});
  };
  size_t at = 0;
  for (; at + 3 <= bytes.size(); at += 3) write(byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2));
  if (at < bytes.size()) {
    const bool two = at + 1 < bytes.size();
    const uint32_t bits = byte(at) << 16 | (two ? byte(at + 1) << 8 : 0);
    const char digits[] = {kDigits[bits >> 18], kDigits[bits >> 12 & 63], two ? kDigits[bits >> 6 & 63] : '=', '='};
    out.Append({digits, sizeof(digits)});
  }
  return Value::StringView(out.text());
}

std::optional<std::string> DecodeBase64Argument(const Value& argument, size_t at, FunctionCall* call) {
  const std::string_view text = argument.AsString();
  if (!CanMake(call, text.size(), 1) || !call->Charge(text.size() / 16)) return std::nullopt;
  std::optional<std::string> decoded = DecodeBase64(text, call);
  if (!decoded) call->ArgumentError(at, "the string is not valid base64 with padding");
  if (call->failed()) return std::nullopt;
  return decoded;
}

}  // namespace hcl::internal

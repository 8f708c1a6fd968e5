// Texts of values, by which sets are ordered. Tested by vm/value/set_order_test.cc.

#include "hclvm/vm/value/set_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

// Digits in the text of a number.
constexpr size_t kTextDigits = 10;

// Rounds the digits (no point, no sign) to kTextDigits, half to even, and drops zeros at the end. True when a digit was
// carried in front. On decimal text, because the numbers are decimal: a detour over double would round twice.
bool RoundDigits(std::string* digits) {
  bool carry = false;
  if (digits->size() > kTextDigits) {
    char next = (*digits)[kTextDigits];
    bool more = digits->find_first_not_of('0', kTextDigits + 1) != std::string::npos;
    bool odd = ((*digits)[kTextDigits - 1] - '0') % 2 == 1;
    carry = next > '5' || (next == '5' && (more || odd));
    digits->resize(kTextDigits);
    for (size_t i = kTextDigits; carry && i-- > 0;) {
      carry = (*digits)[i] == '9';
      (*digits)[i] = carry ? '0' : static_cast<char>((*digits)[i] + 1);
    }
    if (carry) digits->insert(digits->begin(), '1');
  }
  size_t last = digits->find_last_not_of('0');
  digits->resize(last == std::string::npos ? 0 : last + 1);
  return carry;
}

// `digits` with the point after the first `point` of them.
void AppendPlain(std::string digits, int64_t point, std::string* out) {
  if (point <= 0) {
    out->append("0.");
    out->append(static_cast<size_t>(-point), '0');
    out->append(digits);
    return;
  }
  if (digits.size() < static_cast<size_t>(point)) digits.resize(static_cast<size_t>(point), '0');
  out->append(digits, 0, static_cast<size_t>(point));
  if (digits.size() == static_cast<size_t>(point)) return;
  out->push_back('.');
  out->append(digits, static_cast<size_t>(point));
}

void AppendScientific(const std::string& digits, int64_t exponent, std::string* out) {
  out->push_back(digits[0]);
  if (digits.size() > 1) {
    out->push_back('.');
    out->append(digits, 1);
  }
  out->append(exponent < 0 ? "e-" : "e+");
  std::string text = std::to_string(exponent < 0 ? -exponent : exponent);
  if (text.size() < 2) text.insert(text.begin(), '0');
  out->append(text);
}

// The number at ten significant digits, with an exponent below 1e-4 and from 1e10. The reference orders composite
// elements by such texts, so that this one has to be the same to the last character.
void AppendNumberText(const Number& number, std::string* out) {
  if (number.IsInfinite()) {
    out->append(number.Sign() < 0 ? "-Inf" : "+Inf");
    return;
  }
  if (number.is_inline() && number.scale() == 0 && number.coefficient() / 1'000'000'000 == 0) {
    out->append(std::to_string(number.coefficient()));
    return;
  }
  std::string plain = number.ToString();
  if (number.Sign() < 0) {
    out->push_back('-');
    plain.erase(0, 1);
  }
  size_t point_at = std::min(plain.find('.'), plain.size());
  int64_t point = static_cast<int64_t>(point_at);
  if (point_at < plain.size()) plain.erase(point_at, 1);
  size_t zeros = std::min(plain.find_first_not_of('0'), plain.size());
  plain.erase(0, zeros);
  point -= static_cast<int64_t>(zeros);
  if (RoundDigits(&plain)) ++point;
  int64_t size = static_cast<int64_t>(plain.size());
  int64_t widest = size < static_cast<int64_t>(kTextDigits) && size >= point ? size : static_cast<int64_t>(kTextDigits);
  if (point - 1 < -4 || point - 1 >= widest) return AppendScientific(plain, point - 1, out);
  AppendPlain(std::move(plain), point, out);
}

// The reference quotes strings so in these texts; characters beyond ASCII stand for themselves.
void AppendQuoted(std::string_view text, std::string* out) {
  constexpr char kHex[] = "0123456789abcdef";
  constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kNames = "abfnrtv\\\"";
  out->push_back('"');
  // What stands for itself is taken at once, up to the first character that does not.
  const auto escaped = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f' || c == '"' || c == '\\';
  };
  const size_t plain = static_cast<size_t>(std::find_if(text.begin(), text.end(), escaped) - text.begin());
  out->append(text, 0, plain);
  for (char c : text.substr(plain)) {
    const size_t named = kNamed.find(c);
    const unsigned char byte = static_cast<unsigned char>(c);
    if (named != std::string_view::npos) {
      out->push_back('\\');
      out->push_back(kNames[named]);
    } else if (byte < 0x20 || byte == 0x7f) {
      out->append("\\x");
      out->push_back(kHex[byte >> 4]);
      out->push_back(kHex[byte & 15]);
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

// Every item ends in `;`, also the last one, as in the reference's text.
void AppendItemTexts(char open, absl::Span<const Value> items, char close, std::string* out) {
  out->push_back(open);
  for (const Value& item : items) {
    AppendOrderText(item, out);
    out->push_back(';');
  }
  out->push_back(close);
}

void AppendMapText(const Value& map, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < map.size(); ++i) {
    AppendQuoted(map.shape().keys[i].AsString(), out);
    out->push_back(':');
    AppendOrderText(map.values()[i], out);
    out->push_back(';');
  }
  out->push_back('}');
}

}  // namespace

// An object is written without its keys, which all elements of one set have in common.
void AppendOrderText(const Value& value, std::string* out) {
  if (value.is_unknown()) {
    out->push_back('?');
  } else if (value.is_null()) {
    out->push_back('~');
  } else if (value.is_number()) {
    AppendNumberText(value.AsNumber(), out);
  } else if (value.is_string()) {
    AppendQuoted(value.AsString(), out);
  } else if (value.is_tuple()) {
    AppendItemTexts('<', value.elements(), '>', out);
  } else if (value.is_sequence()) {
    AppendItemTexts('[', value.elements(), ']', out);
  } else if (value.is_object()) {
    AppendItemTexts('<', value.values(), '>', out);
  } else if (value.is_map()) {
    AppendMapText(value, out);
  } else if (value.is_capsule()) {
    out->append("\xc2\xab?\xc2\xbb");
  } else {
    out->push_back(value.is_true() ? 'T' : 'F');
  }
}

}  // namespace hcl::internal

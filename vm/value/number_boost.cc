// Numbers to and from Boost, by way of their digits. Tested by vm/value/number_boost_test.cc.

#include "hclvm/vm/value/number_boost.h"

#include <charconv>
#include <ios>
#include <limits>
#include <string>

#include "hclvm/vm/value/big_number.h"

namespace hcl {

// The way goes over decimal digits, because both are decimal: no digit is lost, and Boost's reader is the one place
// that knows its limbs. Small integers take the short way.
BoostNumber ToBoost(const Number& number) {
  if (number.IsInfinite()) {
    const BoostNumber infinity = std::numeric_limits<BoostNumber>::infinity();
    return number.Sign() < 0 ? BoostNumber(-infinity) : infinity;
  }
  if (number.is_inline() && number.scale() == 0) return BoostNumber(number.coefficient());
  std::string text;
  if (number.is_inline()) {
    text = std::to_string(number.coefficient()) + "e-" + std::to_string(number.scale());
  } else {
    const internal::BigText big = internal::BigToText(*number.big());
    text = (big.negative ? "-" : "") + big.digits + "e" + std::to_string(big.exponent);
  }
  return BoostNumber(text);
}

// The digits come as text with an exponent, and only from them; a cpp_dec_float carries guard digits, which
// NumberFromDigits rounds away.
std::optional<Number> FromBoost(const BoostNumber& value, Arena* arena) {
  if (boost::multiprecision::isnan(value)) return std::nullopt;
  const bool negative = value.sign() < 0;
  if (boost::multiprecision::isinf(value)) return Number::Infinity(negative);
  if (value.is_zero()) return Number();
  // All digits that it has: "-1.25e+02".
  const std::string text = value.str(0, std::ios_base::scientific);
  std::string digits;
  size_t at = negative ? 1 : 0;
  int64_t exponent = 0;
  for (bool fraction = false; at < text.size() && text[at] != 'e'; ++at) {
    if (text[at] == '.') {
      fraction = true;
      continue;
    }
    digits.push_back(text[at]);
    exponent -= fraction ? 1 : 0;
  }
  at += text.compare(at, 2, "e+") == 0 ? 2 : 1;
  int64_t written = 0;
  std::from_chars(text.data() + at, text.data() + text.size(), written);
  NumberError error = NumberError::kNone;
  const Number number = internal::NumberFromDigits(negative, digits, exponent + written, arena, &error);
  return error == NumberError::kNone ? std::optional<Number>(number) : std::nullopt;
}

}  // namespace hcl

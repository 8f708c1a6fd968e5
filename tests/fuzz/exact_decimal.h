// Exact decimals over Boost's integers: a second idea of numbers, in the obvious way.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_EXACT_DECIMAL_H_
#define HCLVM_TESTS_FUZZ_EXACT_DECIMAL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "boost/multiprecision/cpp_int.hpp"

namespace hcl::fuzz {

// Without expression templates, whose parts refer to temporaries.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<>, boost::multiprecision::et_off>;

// coefficient * 10^exponent.
struct ExactDecimal {
  Integer coefficient;
  int64_t exponent = 0;
};

// What a decimal text may have besides digits.
struct DecimalGrammar {
  bool minus = false;
  bool fraction = true;
  bool exponent = false;
  bool leading_zeros = true;
};

// The number that all of `text` is by the grammar, or nothing. Nothing as well for exponents of more than six digits,
// with *too_large set.
std::optional<ExactDecimal> ParseExact(std::string_view text, const DecimalGrammar& grammar, bool* too_large);

// The plain decimal form, without an exponent and needless zeros, of the number rounded to 160 significant digits, ties
// to even. `below`: the number is a little farther from zero than `value`, which has more than 160 digits then.
std::string RoundedText(const ExactDecimal& value, bool below = false);

// Whether more than 160 significant digits are needed.
bool NeedsRounding(const ExactDecimal& value);
bool IsWhole(const ExactDecimal& value);

ExactDecimal Sum(const ExactDecimal& a, const ExactDecimal& b);
ExactDecimal Product(const ExactDecimal& a, const ExactDecimal& b);
ExactDecimal Negative(const ExactDecimal& a);
// a - b * trunc(a / b); requires that b is not zero.
ExactDecimal Remainder(const ExactDecimal& a, const ExactDecimal& b);
// The text of a / b, rounded likewise; requires that b is not zero.
std::string QuotientText(const ExactDecimal& a, const ExactDecimal& b);
int Compare(const ExactDecimal& a, const ExactDecimal& b);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_EXACT_DECIMAL_H_

// Tests of numbers: tables, and random arithmetic against a slow model that works on strings of digits.

#include "hclvm/vm/value/number.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace hcl {
namespace {

Number Read(const std::string& text, Arena* arena, NumberSyntax syntax = NumberSyntax::kReference) {
  NumberError error;
  Number number = Number::Parse(text, syntax, Limits(), arena, &error);
  EXPECT_EQ(error, NumberError::kNone) << text;
  return number;
}

// The model: +-digits * 10^exponent, digits without zeros in front. Everything is exact until Rounded().
struct Slow {
  bool negative = false;
  std::string digits;  // empty: zero
  long exponent = 0;
  bool sticky = false;  // the exact value lies a little beyond the digits
};

Slow Trim(Slow x) {
  x.digits.erase(0, std::min(x.digits.find_first_not_of('0'), x.digits.size()));
  while (!x.digits.empty() && x.digits.back() == '0') {
    x.digits.pop_back();
    ++x.exponent;
  }
  if (x.digits.empty()) return Slow();
  return x;
}

Slow SlowOf(const std::string& text) {
  Slow x;
  std::string rest = text;
  if (rest[0] == '-') {
    x.negative = true;
    rest.erase(0, 1);
  }
  size_t point = rest.find('.');
  if (point != std::string::npos) {
    x.exponent = -static_cast<long>(rest.size() - point - 1);
    rest.erase(point, 1);
  }
  x.digits = rest;
  return Trim(x);
}

std::string Plain(Slow x) {
  x = Trim(x);
  if (x.digits.empty()) return "0";
  std::string text = x.digits;
  if (x.exponent >= 0) {
    text.append(static_cast<size_t>(x.exponent), '0');
  } else {
    size_t fraction = static_cast<size_t>(-x.exponent);
    if (text.size() <= fraction) text.insert(0, fraction - text.size() + 1, '0');
    text.insert(text.size() - fraction, ".");
  }
  return (x.negative ? "-" : "") + text;
}

std::string Increment(std::string digits) {
  size_t i = digits.size();
  while (i > 0 && digits[i - 1] == '9') digits[--i] = '0';
  if (i == 0) return "1" + digits;
  ++digits[i - 1];
  return digits;
}

Slow Rounded(Slow x) {
  size_t keep = kBigDigits;
  if (x.digits.size() <= keep) return Trim(x);
  std::string tail = x.digits.substr(keep);
  x.digits.resize(keep);
  x.exponent += static_cast<long>(tail.size());
  bool more = x.sticky || tail.find_first_not_of('0', 1) != std::string::npos;
  bool odd = (x.digits.back() - '0') % 2 == 1;
  if (tail[0] > '5' || (tail[0] == '5' && (more || odd))) x.digits = Increment(x.digits);
  return Trim(x);
}

int CompareDigits(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

std::string Strip(std::string digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

std::string AddDigits(const std::string& a, const std::string& b) {
  std::string sum;
  int carry = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    int digit = carry;
    if (i < a.size()) digit += a[a.size() - 1 - i] - '0';
    if (i < b.size()) digit += b[b.size() - 1 - i] - '0';
    sum.push_back(static_cast<char>('0' + digit % 10));
    carry = digit / 10;
  }
  std::reverse(sum.begin(), sum.end());
  return Strip(sum);
}

// a - b where a >= b.
std::string SubtractDigits(const std::string& a, const std::string& b) {
  std::string difference;
  int borrow = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    int digit = a[a.size() - 1 - i] - '0' - borrow - (i < b.size() ? b[b.size() - 1 - i] - '0' : 0);
    borrow = digit < 0 ? 1 : 0;
    difference.push_back(static_cast<char>('0' + digit + 10 * borrow));
  }
  std::reverse(difference.begin(), difference.end());
  return Strip(difference);
}

Slow SlowAdd(Slow a, Slow b) {
  if (a.digits.empty()) return b;
  if (b.digits.empty()) return a;
  long exponent = std::min(a.exponent, b.exponent);
  a.digits.append(static_cast<size_t>(a.exponent - exponent), '0');
  b.digits.append(static_cast<size_t>(b.exponent - exponent), '0');
  Slow sum;
  sum.exponent = exponent;
  if (a.negative == b.negative) {
    sum.negative = a.negative;
    sum.digits = AddDigits(a.digits, b.digits);
  } else {
    bool a_larger = CompareDigits(a.digits, b.digits) >= 0;
    sum.negative = a_larger ? a.negative : b.negative;
    sum.digits = a_larger ? SubtractDigits(a.digits, b.digits) : SubtractDigits(b.digits, a.digits);
  }
  return Trim(sum);
}

Slow SlowNegate(Slow a) {
  if (!a.digits.empty()) a.negative = !a.negative;
  return a;
}

Slow SlowMultiply(const Slow& a, const Slow& b) {
  std::vector<int> columns(a.digits.size() + b.digits.size() + 1, 0);
  for (size_t i = 0; i < a.digits.size(); ++i) {
    for (size_t j = 0; j < b.digits.size(); ++j) {
      columns[i + j] += (a.digits[a.digits.size() - 1 - i] - '0') * (b.digits[b.digits.size() - 1 - j] - '0');
    }
  }
  Slow product;
  int carry = 0;
  for (int column : columns) {
    product.digits.insert(product.digits.begin(), static_cast<char>('0' + (column + carry) % 10));
    carry = (column + carry) / 10;
  }
  product.exponent = a.exponent + b.exponent;
  product.negative = a.negative != b.negative;
  return Trim(product);
}

// Long division of digit strings, to `places` digits after the point. *rest: whether a remainder is left.
std::string DivideDigits(const std::string& a, const std::string& b, size_t places, std::string* rest) {
  std::string quotient;
  std::string remainder;
  for (size_t i = 0; i < a.size() + places; ++i) {
    remainder.push_back(i < a.size() ? a[i] : '0');
    remainder = Strip(remainder);
    char digit = '0';
    while (CompareDigits(remainder, b) >= 0) {
      remainder = SubtractDigits(remainder, b);
      ++digit;
    }
    quotient.push_back(digit);
  }
  *rest = remainder;
  return quotient;
}

Slow SlowDivide(const Slow& a, const Slow& b) {
  if (a.digits.empty()) return a;
  size_t places = kBigDigits + b.digits.size() + 5;
  Slow quotient;
  std::string rest;
  quotient.digits = Strip(DivideDigits(a.digits, b.digits, places, &rest));
  quotient.sticky = !rest.empty();
  quotient.exponent = a.exponent - b.exponent - static_cast<long>(places);
  quotient.negative = a.negative != b.negative;
  return quotient;
}

Slow SlowModulo(Slow a, Slow b) {
  if (a.digits.empty()) return a;
  long exponent = std::min(a.exponent, b.exponent);
  a.digits.append(static_cast<size_t>(a.exponent - exponent), '0');
  b.digits.append(static_cast<size_t>(b.exponent - exponent), '0');
  Slow remainder;
  DivideDigits(a.digits, b.digits, 0, &remainder.digits);
  remainder.negative = a.negative;
  remainder.exponent = exponent;
  return Trim(remainder);
}

Slow SlowTruncate(Slow a) {
  if (a.exponent >= 0) return a;
  const size_t fraction = std::min(static_cast<size_t>(-a.exponent), a.digits.size());
  a.digits.resize(a.digits.size() - fraction);
  a.exponent = 0;
  return Trim(a);
}

int SlowCompare(const Slow& a, const Slow& b) {
  Slow difference = SlowAdd(a, SlowNegate(b));
  return difference.digits.empty() ? 0 : difference.negative ? -1 : 1;
}

// Whether the inline form holds the number.
bool FitsInline(const Slow& given) {
  Slow x = Trim(given);
  if (x.digits.empty()) return true;
  if (x.exponent < -kMaxInlineScale) return false;
  if (x.exponent > 0) x.digits.append(static_cast<size_t>(x.exponent), '0');
  return CompareDigits(x.digits, x.negative ? "9223372036854775808" : "9223372036854775807") <= 0;
}

using Engine = std::mt19937_64;

std::string RandomText(Engine* engine) {
  static const std::vector<std::string> kSpecial = {"0",
                                                    "1",
                                                    "-1",
                                                    "2",
                                                    "3",
                                                    "7",
                                                    "10",
                                                    "0.1",
                                                    "0.2",
                                                    "0.5",
                                                    "0.25",
                                                    "-0.75",
                                                    "9223372036854775807",
                                                    "-9223372036854775808",
                                                    "9223372036854775808",
                                                    "-9223372036854775809",
                                                    "18446744073709551615",
                                                    "0.000001",
                                                    "1000000000000000000",
                                                    "999999999999999999",
                                                    "0.9999999999999999999",
                                                    "100000000",
                                                    "99999999",
                                                    "0.00000001"};
  auto pick = [engine](size_t n) { return (*engine)() % n; };
  if (pick(5) == 0) return kSpecial[pick(kSpecial.size())];
  size_t sizes[] = {3, 9, 19, 40, 80, kBigDigits};
  size_t digits = 1 + pick(sizes[pick(6)]);
  std::string text;
  size_t style = pick(4);
  for (size_t i = 0; i < digits; ++i) {
    char digit = static_cast<char>('0' + pick(10));
    if (style == 0) digit = pick(12) == 0 ? '5' : '0';
    if (style == 1) digit = pick(12) == 0 ? '8' : '9';
    text.push_back(digit);
  }
  if (text[0] == '0') text[0] = '1';
  if (pick(4) == 0) text.append(pick(150), '0');
  if (pick(2) == 0) {
    size_t fraction = pick(text.size() + 1);
    if (pick(5) == 0) text.insert(0, pick(280), '0');
    text.insert(text.size() - fraction, fraction == 0 ? "" : ".");
    if (text[0] == '.') text.insert(0, "0");
  }
  if (pick(2) == 0) text.insert(0, "-");
  return text;
}

void ExpectIs(const Number& got, const Slow& want, const std::string& what) {
  EXPECT_EQ(got.ToString(), Plain(want)) << what;
  EXPECT_EQ(got.is_inline(), FitsInline(want)) << what;
}

TEST(NumberTest, RandomArithmeticAgreesWithTheSlowModel) {
  Engine engine(20240607);
  for (int i = 0; i < 6000 && !::testing::Test::HasFailure(); ++i) {
    Arena arena;
    std::string x = RandomText(&engine);
    std::string y = RandomText(&engine);
    Number a = Read(x, &arena);
    Number b = Read(y, &arena);
    Slow p = Rounded(SlowOf(x));
    Slow q = Rounded(SlowOf(y));
    ExpectIs(a, p, x);
    NumberError error;
    ExpectIs(Add(a, b, &arena, &error), Rounded(SlowAdd(p, q)), absl::StrCat(x, " + ", y));
    ExpectIs(Subtract(a, b, &arena, &error), Rounded(SlowAdd(p, SlowNegate(q))), absl::StrCat(x, " - ", y));
    ExpectIs(Multiply(a, b, &arena, &error), Rounded(SlowMultiply(p, q)), absl::StrCat(x, " * ", y));
    ExpectIs(Negate(a, &arena), SlowNegate(p), absl::StrCat("-", x));
    ExpectIs(Truncate(a, &arena), SlowTruncate(p), absl::StrCat("the whole part of ", x));
    EXPECT_EQ(Compare(a, b), SlowCompare(p, q)) << x << " <=> " << y;
    EXPECT_EQ(Equal(a, b), SlowCompare(p, q) == 0) << x << " == " << y;
    if (q.digits.empty()) continue;
    ExpectIs(Divide(a, b, &arena, &error), Rounded(SlowDivide(p, q)), absl::StrCat(x, " / ", y));
    ExpectIs(Modulo(a, b, &arena, &error), SlowModulo(p, q), absl::StrCat(x, " % ", y));
  }
}

TEST(NumberTest, EqualNumbersHaveEqualHashesHoweverTheyWereMade) {
  Engine engine(7);
  for (int i = 0; i < 1000; ++i) {
    Arena arena;
    NumberError error;
    Number a = Read(RandomText(&engine), &arena);
    Number b = Read(RandomText(&engine), &arena);
    Number sum = Add(a, b, &arena, &error);
    Number other = Add(b, a, &arena, &error);
    EXPECT_TRUE(Equal(sum, other));
    EXPECT_EQ(sum.Hash(), other.Hash());
    Number copy = Read(sum.ToString(), &arena);
    EXPECT_TRUE(Equal(sum, copy)) << sum.ToString();
    EXPECT_EQ(sum.Hash(), copy.Hash());
    EXPECT_EQ(sum.DigitCount(), sum.ToString().size() - (sum.Sign() < 0 ? 1 : 0) -
                                    (sum.ToString().find('.') != std::string::npos ? 1 : 0));
  }
}

TEST(NumberTest, QuotientsOfTwoProductsGiveTheFactorBack) {
  Engine engine(11);
  for (int i = 0; i < 500; ++i) {
    Arena arena;
    NumberError error;
    std::string x = RandomText(&engine).substr(0, 70);
    std::string y = RandomText(&engine).substr(0, 70);
    if (x.back() == '.' || y.back() == '.') continue;
    Number a = Read(x, &arena);
    Number b = Read(y, &arena);
    if (b.Sign() == 0) continue;
    EXPECT_TRUE(Equal(Divide(Multiply(a, b, &arena, &error), b, &arena, &error), a)) << x << " * " << y;
  }
}

TEST(NumberTest, DecimalFractionsAreExact) {
  Arena arena;
  NumberError error;
  Number sum = Add(Read("0.1", &arena), Read("0.2", &arena), &arena, &error);
  EXPECT_TRUE(sum.is_inline());
  EXPECT_TRUE(Equal(sum, Read("0.3", &arena)));
  EXPECT_EQ(Divide(Number(1), Number(8), &arena, &error).ToString(), "0.125");
  EXPECT_EQ(Divide(Number(10), Read("0.5", &arena), &arena, &error).ToString(), "20");
  EXPECT_EQ(Divide(Number(INT64_MIN), Number(-1), &arena, &error).ToString(), "9223372036854775808");
  EXPECT_EQ(Modulo(Number(INT64_MIN), Number(-1), &arena, &error).ToString(), "0");
  EXPECT_EQ(Modulo(Number(-7), Number(3), &arena, &error).ToString(), "-1");
  EXPECT_EQ(Modulo(Read("5.5", &arena), Number(2), &arena, &error).ToString(), "1.5");
}

TEST(NumberTest, QuotientsByPowersOfTenMoveThePoint) {
  Arena arena;
  NumberError error;
  for (const char* coefficient :
       {"0", "1", "-5", "10", "1200", "123456789", "9223372036854775807", "-9223372036854775808", "0.5", "-12.125"}) {
    std::string divisor = "1";
    for (int zeros = 0; zeros <= 19; ++zeros, divisor += "0") {
      const Number a = Read(coefficient, &arena);
      const Number quotient = Divide(a, Read(divisor, &arena), &arena, &error);
      const Number tenth = Read("0." + std::string(zeros == 0 ? 0 : zeros - 1, '0') + "1", &arena);
      const Number wanted = zeros == 0 ? a : Multiply(a, tenth, &arena, &error);
      EXPECT_EQ(quotient.ToString(), wanted.ToString()) << coefficient << " / " << divisor;
      EXPECT_EQ(quotient.is_inline(), wanted.is_inline()) << coefficient << " / " << divisor;
      EXPECT_EQ(quotient.Hash(), wanted.Hash()) << coefficient << " / " << divisor;
    }
  }
}

TEST(NumberTest, ThirdsAreRoundedToTheLastDigit) {
  Arena arena;
  NumberError error;
  Number third = Divide(Number(1), Number(3), &arena, &error);
  EXPECT_EQ(third.ToString(), "0." + std::string(kBigDigits, '3'));
  Number two_thirds = Divide(Number(2), Number(3), &arena, &error);
  EXPECT_EQ(two_thirds.ToString(), "0." + std::string(kBigDigits - 1, '6') + "7");
  EXPECT_EQ(Multiply(third, Number(3), &arena, &error).ToString(), "0." + std::string(kBigDigits, '9'));
}

TEST(NumberTest, Integers512BitsWideAreExact) {
  Arena arena;
  NumberError error;
  Number value(1);
  Number two(2);
  for (int i = 0; i < 512; ++i) value = Multiply(value, two, &arena, &error);
  value = Subtract(value, Number(1), &arena, &error);
  EXPECT_EQ(
      value.ToString(),
      "13407807929942597099574024998205846127479365820592393377723561443721764030073546976801874298166903427690031"
      "858186486050853753882811946569946433649006084095");
  EXPECT_TRUE(value.IsInteger());
}

// Whole numbers and their neighbors at every scale: the fixed point division must not round to the next one.
TEST(NumberTest, WholePartsAreRoundedTowardZero) {
  Engine engine(13);
  Arena arena;
  for (uint32_t scale = 1; scale <= 20; ++scale) {
    for (int i = 0; i < 2000; ++i) {
      const std::string whole = scale < 19 ? std::to_string((engine() >> 1 >> (engine() % 63)) % 922'337'203'685) : "0";
      const std::string text = whole.substr(0, scale < 19 ? 19 - scale : 1);
      const std::string last(scale, i % 2 == 0 ? '9' : '0');
      const std::string number = absl::StrCat(text, ".", last.substr(1), i % 2 == 0 ? "9" : "1");
      EXPECT_EQ(Truncate(Read(number, &arena), &arena).ToString(), Plain(SlowOf(text))) << number;
      EXPECT_EQ(Truncate(Read("-" + number, &arena), &arena).ToString(), Plain(SlowNegate(SlowOf(text)))) << number;
    }
  }
  EXPECT_EQ(Truncate(Read("-9223372036854775808e-1", &arena), &arena).ToString(), "-922337203685477580");
  EXPECT_EQ(Truncate(Read("9223372036854775807e-18", &arena), &arena).ToString(), "9");
  EXPECT_EQ(Truncate(Read("9223372036854775807e-19", &arena), &arena).ToString(), "0");
  EXPECT_TRUE(Truncate(Number::Infinity(true), &arena).IsInfinite());
}

NumberError ParseError(const std::string& text, const Limits& limits = Limits()) {
  Arena arena;
  NumberError error;
  Number::Parse(text, NumberSyntax::kLiteral, limits, &arena, &error);
  return error;
}

// x * 10^exponent, where `tail` is "" or "e" and the exponent.
Slow Shifted(Slow x, const std::string& tail) {
  if (!tail.empty()) x.exponent += std::stol(tail.substr(1));
  return x;
}

// A number of few digits is read in its own way. With zeros behind its fraction it has more, and has to be the same.
TEST(NumberTest, FewDigitsAreReadAsManyAre) {
  Engine engine(7);
  const std::string zeros(20, '0');
  // No exponent is written for 0, which has a way of its own.
  const std::vector<int> exponents = {0,   0,   0,    0,    0,     1,         2,         7,        8,   9,
                                      16,  17,  18,   19,   20,    99,        253,       254,      255, 256,
                                      257, 300, 9982, 9999, 99999, 646456990, 646456992, 646457010};
  for (int n = 0; n < 20'000; ++n) {
    const uint64_t modulus = uint64_t{1} << (engine() % 60);
    std::string text = std::to_string(engine() % modulus);
    if (n % 3 == 0) text += std::string(engine() % (19 - std::min<size_t>(text.size(), 18)), '0');
    text = text.substr(0, 18);
    const size_t point = 1 + engine() % text.size();
    const std::string whole = (n % 2 == 0 ? "" : "-") + text.substr(0, point);
    const std::string fraction = text.substr(point);
    const int exponent = exponents[engine() % exponents.size()];
    const std::string tail = exponent == 0 ? "" : absl::StrCat("e", engine() % 2 == 0 ? "-" : "", exponent);
    Limits limits;
    limits.max_number_digits = n % 5 == 0 ? 18 + engine() % 300 : n % 5 == 1 ? 100'000 : UINT32_MAX;
    Arena arena;
    NumberError error, want_error;
    const std::string few = absl::StrCat(whole, fraction.empty() ? "" : ".", fraction, tail);
    const Number got = Number::Parse(few, NumberSyntax::kReference, limits, &arena, &error);
    const Number want = Number::Parse(absl::StrCat(whole, ".", fraction, zeros, tail), NumberSyntax::kReference, limits,
                                      &arena, &want_error);
    ASSERT_EQ(error, want_error) << few << " with " << limits.max_number_digits;
    ASSERT_EQ(got.is_inline(), want.is_inline()) << few;
    ASSERT_TRUE(Equal(got, want)) << few;
    ASSERT_EQ(got.Hash(), want.Hash()) << few;
    ASSERT_EQ(got.DigitCount(), want.DigitCount()) << few;
    if (error == NumberError::kNone && exponent < 1000) {
      ASSERT_EQ(got.ToString(), Plain(Shifted(SlowOf(absl::StrCat(whole, ".", fraction)), tail))) << few;
    }
  }
}

TEST(NumberTest, BigNumbersTakeTheirDigitsAndLittleMore) {
  const struct {
    const char* text;
    size_t most_bytes;
  } kCases[] = {{"1e99", 16}, {"1.5e-300", 16}, {"123456789012345678e300", 24}, {"12345678901234567890", 24}};
  for (const auto& test : kCases) {
    Arena arena;
    Read(test.text, &arena);
    EXPECT_LE(arena.bytes_used(), test.most_bytes) << test.text;
  }
}

TEST(NumberTest, LimitsHoldAtTheEdge) {
  Limits limits;
  limits.max_number_digits = 6;
  EXPECT_EQ(ParseError("1e5", limits), NumberError::kNone);
  EXPECT_EQ(ParseError("1e6", limits), NumberError::kTooManyDigits);
  EXPECT_EQ(ParseError("0.00001", limits), NumberError::kNone);
  EXPECT_EQ(ParseError("0.000001", limits), NumberError::kTooManyDigits);
  EXPECT_EQ(ParseError("1.2300000000", limits), NumberError::kNone);
  EXPECT_EQ(ParseError("1e99999999999999999999999"), NumberError::kTooManyDigits);
  EXPECT_EQ(ParseError("0e99999999999999999999999"), NumberError::kNone);
  EXPECT_EQ(ParseError(std::string(kBigDigits, '7')), NumberError::kNone);
  EXPECT_EQ(ParseError(std::string(kBigDigits + 1, '7')), NumberError::kTooPrecise);
  EXPECT_EQ(ParseError("0." + std::string(kBigDigits + 1, '7')), NumberError::kNone);
}

TEST(NumberTest, ExponentsOverflowToAnErrorAndUnderflowToZero) {
  Arena arena;
  NumberError error = NumberError::kNone;
  Number huge(10);
  while (error == NumberError::kNone) {
    huge = Multiply(huge, huge, &arena, &error);
    ASSERT_FALSE(error == NumberError::kNone && huge.IsInfinite());
  }
  EXPECT_EQ(error, NumberError::kOverflow);
  Number tiny = Read("0.1", &arena);
  for (int i = 0; i < 40; ++i) tiny = Multiply(tiny, tiny, &arena, &error);
  EXPECT_EQ(error, NumberError::kNone);
  EXPECT_EQ(tiny.ToString(), "0");
}

TEST(NumberTest, DescribesHugeNumbersWithoutWritingThem) {
  Arena arena;
  NumberError error;
  Number number(10);
  for (int i = 0; i < 20; ++i) number = Multiply(number, number, &arena, &error);
  EXPECT_EQ(number.DigitCount(), (1u << 20) + 1u);
  EXPECT_TRUE(number.IsInteger());
  EXPECT_EQ(Modulo(Add(number, Number(5), &arena, &error), Number(7), &arena, &error).ToString(), "4");
  EXPECT_TRUE(std::isinf(number.ToDouble()));
}

enum Operation { kPlus, kMinus, kTimes, kOver, kRemainder };

TEST(NumberTest, InfinitiesAndZeroDivisors) {
  const Number inf = Number::Infinity(false);
  const Number minus_inf = Number::Infinity(true);
  const NumberError none = NumberError::kNone;
  const NumberError nan = NumberError::kNotANumber;
  const NumberError zero = NumberError::kDivideByZero;
  struct Row {  // NOLINT(clang-analyzer-optin.performance.Padding): a row reads as an expression
    Number a;
    Operation operation;
    Number b;
    NumberError error;
    const char* want;
  };
  const Row rows[] = {
      {Number(1), kOver, Number(0), none, "Inf"},
      {Number(-1), kOver, Number(0), none, "-Inf"},
      {Number(0), kOver, Number(0), zero, ""},
      {Number(5), kRemainder, Number(0), zero, ""},
      {inf, kPlus, Number(1), none, "Inf"},
      {inf, kPlus, minus_inf, nan, ""},
      {inf, kMinus, inf, nan, ""},
      {Number(1), kMinus, inf, none, "-Inf"},
      {Number(1), kMinus, minus_inf, none, "Inf"},
      {inf, kTimes, Number(-2), none, "-Inf"},
      {inf, kTimes, Number(0), nan, ""},
      {inf, kTimes, minus_inf, none, "-Inf"},
      {inf, kOver, inf, nan, ""},
      {inf, kOver, Number(-2), none, "-Inf"},
      {Number(1), kOver, inf, none, "0"},
      {inf, kOver, Number(0), none, "Inf"},
      {inf, kRemainder, Number(2), nan, ""},
      {Number(2), kRemainder, inf, none, "2"},
      {Number(-2), kRemainder, minus_inf, none, "-2"},
  };
  for (const Row& row : rows) {
    Arena arena;
    NumberError error;
    Number got;
    if (row.operation == kPlus) got = Add(row.a, row.b, &arena, &error);
    if (row.operation == kMinus) got = Subtract(row.a, row.b, &arena, &error);
    if (row.operation == kTimes) got = Multiply(row.a, row.b, &arena, &error);
    if (row.operation == kOver) got = Divide(row.a, row.b, &arena, &error);
    if (row.operation == kRemainder) got = Modulo(row.a, row.b, &arena, &error);
    EXPECT_EQ(error, row.error) << row.a.ToString() << " " << row.operation << " " << row.b.ToString();
    if (row.error == none) {
      EXPECT_EQ(got.ToString(), row.want);
    }
  }
  EXPECT_EQ(Compare(inf, Number(INT64_MAX)), 1);
  EXPECT_EQ(Compare(minus_inf, inf), -1);
  EXPECT_TRUE(Equal(inf, Number::Infinity(false)));
  EXPECT_NE(inf.Hash(), minus_inf.Hash());
  EXPECT_FALSE(inf.IsInteger());
}

TEST(NumberTest, DoublesComeBack) {
  const double values[] = {0.0,
                           1.0,
                           -1.5,
                           0.1,
                           1.0 / 3,
                           1e22,
                           1e23,
                           1e300,
                           5e-324,
                           2.2250738585072014e-308,
                           std::numeric_limits<double>::max(),
                           9007199254740993.0,
                           123456.789e-30};
  for (double value : values) {
    Arena arena;
    std::optional<Number> number = Number::FromDouble(value, &arena);
    ASSERT_TRUE(number.has_value());
    EXPECT_EQ(number->ToDouble(), value);
  }
  Arena arena;
  EXPECT_FALSE(Number::FromDouble(std::nan(""), &arena).has_value());
  EXPECT_TRUE(Number::FromDouble(-std::numeric_limits<double>::infinity(), &arena)->IsInfinite());
  EXPECT_EQ(Number::FromDouble(0.1, &arena)->ToString(), "0.1");
}

TEST(NumberTest, Int64AndUint64) {
  Arena arena;
  EXPECT_EQ(Read("-9223372036854775808", &arena).ToInt64(), INT64_MIN);
  EXPECT_EQ(Read("9223372036854775808", &arena).ToInt64(), std::nullopt);
  EXPECT_EQ(Read("1.5", &arena).ToInt64(), std::nullopt);
  EXPECT_EQ(Read("18446744073709551615", &arena).ToUint64(), UINT64_MAX);
  EXPECT_EQ(Read("18446744073709551616", &arena).ToUint64(), std::nullopt);
  EXPECT_EQ(Read("-1", &arena).ToUint64(), std::nullopt);
  EXPECT_EQ(Number::FromUint64(UINT64_MAX, &arena).ToString(), "18446744073709551615");
}

TEST(NumberTest, CloneOutlivesItsArena) {
  Arena kept;
  Number clone;
  {
    Arena arena;
    clone = Read("123456789012345678901234567890", &arena).Clone(&kept);
  }
  EXPECT_EQ(clone.ToString(), "123456789012345678901234567890");
}

}  // namespace
}  // namespace hcl

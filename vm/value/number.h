// Number: exact decimal numbers, inline for what configurations hold, 160 digits beyond.
//
// A number is either inline, coefficient * 10^-scale with a 64-bit coefficient, or a pointer to a BigNumber. The form
// is canonical: whatever fits inline is inline, an inline scale is minimal, and a BigNumber is rounded to kBigDigits
// significant digits (ties to even). So equal inline numbers are bitwise equal, and an inline number never equals a
// big one. Infinities are big; NaN does not exist.
//
// Specification: information-model.md, "Primitive Types". Tested by vm/value/number_test.cc.

#ifndef HCLVM_VM_VALUE_NUMBER_H_
#define HCLVM_VM_VALUE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/arena.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {

// Opaque; defined in vm/value/big_number.cc.
struct BigNumber;

// Significant digits of a big number: every 512-bit integer is exact.
inline constexpr int kBigDigits = 160;

// Largest scale (digits after the point) of an inline number.
inline constexpr int kMaxInlineScale = 255;

enum class NumberError : uint8_t {
  kNone,
  kDivideByZero,   // 0/0, and x % 0
  kNotANumber,     // inf - inf, 0 * inf, inf / inf, inf % x
  kOverflow,       // the exponent leaves the representable range
  kTooPrecise,     // an integer that is not representable exactly
  kSyntax,         // Parse: not a number in the syntax asked for
  kTooManyDigits,  // Limits::max_number_digits
};

// What Number::Parse accepts.
enum class NumberSyntax : uint8_t {
  kLiteral,    // native-syntax.md NumericLit: digits, fraction, exponent; no sign
  kSpec,       // information-model.md string to number: -? digits (. digits)?
  kReference,  // what the reference accepts in strings: also +, exponent, `.5`, `1.`, `inf` in its spellings
  kJson,       // RFC 8259 number
};

// 16 bytes, trivially copyable, immutable. A big number's memory belongs to the arena that made it (or is static, for
// the infinities); a Number is valid as long as that is.
class Number {
 public:
  constexpr Number() = default;
  constexpr explicit Number(int64_t value) : coefficient_(value) {}

  // Inline coefficient * 10^-scale. The caller guarantees the canonical form: scale == 0, or coefficient % 10 != 0 and
  // scale <= kMaxInlineScale.
  static constexpr Number Inline(int64_t coefficient, uint32_t scale) {
    HCL_DCHECK(scale == 0 || (coefficient % 10 != 0 && scale <= kMaxInlineScale));
    Number n(coefficient);
    n.scale_ = scale;
    return n;
  }
  // Takes a canonical big number.
  static Number Big(const BigNumber* big) {
    HCL_DCHECK(big != nullptr);
    Number n;
    n.scale_ = kBigMark;
    n.big_ = big;
    return n;
  }

  static Number FromUint64(uint64_t value, Arena* arena);
  // The shortest decimal that reads back as `value`; NaN gives nullopt.
  static std::optional<Number> FromDouble(double value, Arena* arena);
  static Number Infinity(bool negative);

  // Reads `text` whole. On success *error is kNone; a fraction that needs too many digits is rounded, an integer that
  // does is kTooPrecise for kLiteral.
  static Number Parse(std::string_view text, NumberSyntax syntax, const Limits& limits, Arena* arena,
                      NumberError* error);

  constexpr bool is_inline() const { return scale_ != kBigMark; }
  // Each requires is_inline().
  constexpr int64_t coefficient() const {
    HCL_DCHECK(is_inline());
    return coefficient_;
  }
  constexpr uint32_t scale() const {
    HCL_DCHECK(is_inline());
    return scale_;
  }
  // Requires a number that is not inline.
  const BigNumber* big() const {
    HCL_DCHECK(!is_inline());
    return big_;
  }

  bool IsInfinite() const;
  bool IsInteger() const;  // false for infinities
  int Sign() const;        // -1, 0, 1
  // The value, when it is an integer of the type's range.
  std::optional<int64_t> ToInt64() const;
  std::optional<uint64_t> ToUint64() const;
  // The nearest double (infinite when out of range).
  double ToDouble() const;
  // Plain decimal at full precision, no exponent: "-12.5", "0". Infinities: "Inf", "-Inf".
  void AppendTo(std::string* out) const;
  std::string ToString() const;
  // Whether it takes at most kMaxShortText bytes, and needs no string: WriteShort() writes that many at most from `to`
  // on, and returns the end.
  static constexpr uint32_t kMaxShortScale = 20;
  static constexpr size_t kMaxShortText = 2 * kMaxShortScale;
  bool is_short() const { return scale_ <= kMaxShortScale; }
  char* WriteShort(char* to) const;
  // Digits that AppendTo writes, sign and point not counted; cheap even for huge exponents.
  uint64_t DigitCount() const;
  // Equal numbers have equal hashes.
  uint64_t Hash() const;
  // A copy that lives in `arena`.
  Number Clone(Arena* arena) const;

 private:
  static constexpr uint32_t kBigMark = 0xffffffff;
  union {
    int64_t coefficient_ = 0;
    const BigNumber* big_;
  };
  uint32_t scale_ = 0;
};
static_assert(sizeof(Number) == 16);

// The general operations; `*error` is kNone on success, and the result is then canonical. Inline integer operands have
// their fast paths in the caller as well. Division is exact where the quotient is a decimal of at most kBigDigits
// digits, and correctly rounded to kBigDigits otherwise; x / 0 is an infinity of x's sign, as in the reference.
// The remainder has the dividend's sign (it truncates).
Number Add(const Number& a, const Number& b, Arena* arena, NumberError* error);
Number Subtract(const Number& a, const Number& b, Arena* arena, NumberError* error);
Number Multiply(const Number& a, const Number& b, Arena* arena, NumberError* error);
Number Divide(const Number& a, const Number& b, Arena* arena, NumberError* error);
Number Modulo(const Number& a, const Number& b, Arena* arena, NumberError* error);
Number Negate(const Number& a, Arena* arena);

// The number without its fraction, hence rounded toward zero; an infinity is its own.
Number Truncate(const Number& a, Arena* arena);

// Three-way comparison, exact: -1, 0, 1.
int Compare(const Number& a, const Number& b);
inline bool Equal(const Number& a, const Number& b) {
  if (a.is_inline() && b.is_inline()) return a.coefficient() == b.coefficient() && a.scale() == b.scale();
  return Compare(a, b) == 0;
}

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_NUMBER_H_

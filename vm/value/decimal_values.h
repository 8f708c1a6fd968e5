// Arithmetic of values that are inline numbers, for the dispatch loop: by their two words, which hold the scale and the
// coefficient.
//
// Each is false, and *result as it was, where an operand is no inline number or the result would be none. *result may
// be one of the operands. Tested by vm/value/decimal_values_test.cc.

#ifndef HCLVM_VM_VALUE_DECIMAL_VALUES_H_
#define HCLVM_VM_VALUE_DECIMAL_VALUES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/decimal.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// The first word of an inline number is its tag, and the scale above that.
inline constexpr uint64_t kIntHead = static_cast<uint64_t>(Tag::kNumber);
inline constexpr int kScaleShift = 8;
inline constexpr uint64_t kScaleStep = uint64_t{1} << kScaleShift;
inline constexpr uint64_t kMaxNumberHead = uint64_t{kMaxInlineScale} << kScaleShift | kIntHead;

// Whether both are inline numbers of one scale, so that their coefficients compare as they do. Whole numbers are.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool HaveOneScale(const Value& x, const Value& y) {
  return TagOf(x) == Tag::kNumber && HeadBits(x) == HeadBits(y);
}
inline int64_t CoefficientOf(const Value& x) { return static_cast<int64_t>(PayloadBits(x)); }

// `head` is the first word of a number.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void PutNumber(uint64_t head, int64_t coefficient, Value* result) {
  HCL_DCHECK((head & 0xff) == kIntHead && head <= kMaxNumberHead);
  *result = ValueAccess::Make(Tag::kNull, head, static_cast<uint64_t>(coefficient));
}

// Takes zeros off the end of a fraction. Out of line: few results have any.
ABSL_ATTRIBUTE_NOINLINE inline void PutWithoutZeros(uint64_t head, int64_t coefficient, Value* result) {
  if (coefficient == 0) head = kIntHead;
  while (head != kIntHead && TakeSignedTen(&coefficient)) head -= kScaleStep;
  PutNumber(head, coefficient, result);
}

// The same, where there may be zeros.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void PutMinimal(uint64_t head, int64_t coefficient, Value* result) {
  if (ABSL_PREDICT_TRUE(!IsMultipleOfTen(coefficient))) {
    PutNumber(head, coefficient, result);
  } else {
    PutWithoutZeros(head, coefficient, result);
  }
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool MultiplyInline(const Value& x, const Value& y, Value* result) {
  if (TagOf(x) != Tag::kNumber || TagOf(y) != Tag::kNumber) return false;
  int64_t coefficient;
  if (__builtin_mul_overflow(CoefficientOf(x), CoefficientOf(y), &coefficient)) return false;
  const uint64_t head = HeadBits(x) + HeadBits(y) - kIntHead;
  if (head > kMaxNumberHead) return false;
  PutMinimal(head, coefficient, result);
  return true;
}

// Brings a coefficient to a scale that is larger by `steps` / kScaleStep; false where it does not fit.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool Raise(int64_t* coefficient, uint64_t steps) {
  const uint64_t raise = steps >> kScaleShift;
  return raise <= kMaxPowerOfTen && !__builtin_mul_overflow(*coefficient, kPowersOfTen[raise], coefficient);
}

// The sum, or the difference. Zeros at the end can only come of numbers with one scale, as in AddDecimals().
template <bool kSubtract>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool AddInline(const Value& x, const Value& y, Value* result) {
  if (TagOf(x) != Tag::kNumber || TagOf(y) != Tag::kNumber) return false;
  uint64_t head = HeadBits(x);
  const uint64_t other = HeadBits(y);
  int64_t a = CoefficientOf(x);
  int64_t b = CoefficientOf(y);
  const bool have_one_scale = head == other;
  if (head < other) {
    if (!Raise(&a, other - head)) return false;
    head = other;
  } else if (!have_one_scale && !Raise(&b, head - other)) {
    return false;
  }
  int64_t sum;
  if (kSubtract ? __builtin_sub_overflow(a, b, &sum) : __builtin_add_overflow(a, b, &sum)) return false;
  if (have_one_scale) {
    PutMinimal(head, sum, result);
  } else {
    PutNumber(head, sum, result);
  }
  return true;
}

// Out of line, for where integers are what is usual.
ABSL_ATTRIBUTE_NOINLINE inline bool DecimalAdd(const Value& x, const Value& y, Value* result) {
  return AddInline</*kSubtract=*/false>(x, y, result);
}
ABSL_ATTRIBUTE_NOINLINE inline bool DecimalSubtract(const Value& x, const Value& y, Value* result) {
  return AddInline</*kSubtract=*/true>(x, y, result);
}
ABSL_ATTRIBUTE_NOINLINE inline bool DecimalMultiply(const Value& x, const Value& y, Value* result) {
  return MultiplyInline(x, y, result);
}

// What dividing by a small number is instead: multiplying by `factor`, and adding `steps` to the first word, which
// moves the point.
struct Reciprocal {
  uint32_t factor = 0;  // 0: no fraction says it
  uint32_t steps = 0;
};
inline constexpr int64_t kMaxReciprocal = 128;
inline constexpr auto kReciprocals = [] {
  std::array<Reciprocal, kMaxReciprocal + 1> reciprocals{};
  for (uint32_t divisor = 1; divisor <= kMaxReciprocal; ++divisor) {
    uint32_t power = 1;
    for (uint32_t zeros = 0; zeros <= 7 && reciprocals[divisor].factor == 0; ++zeros, power *= 10) {
      if (power % divisor == 0) reciprocals[divisor] = {power / divisor, zeros << kScaleShift};
    }
  }
  return reciprocals;
}();

// By a power of ten, or a small number that divides one; false for other divisors.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool DivideInline(const Value& x, const Value& y, Value* result) {
  if (TagOf(x) != Tag::kNumber || HeadBits(y) != kIntHead) return false;
  int64_t coefficient = CoefficientOf(x);
  const int64_t divisor = CoefficientOf(y);
  uint64_t head = HeadBits(x);
  if (ABSL_PREDICT_TRUE(static_cast<uint64_t>(divisor) <= kMaxReciprocal)) {
    const Reciprocal reciprocal = kReciprocals[static_cast<size_t>(divisor)];
    if (reciprocal.factor == 0 || __builtin_mul_overflow(coefficient, reciprocal.factor, &coefficient)) return false;
    head += reciprocal.steps;
  } else {
    const int zeros = PowerOfTen(divisor);
    if (zeros < 0) return false;
    head += static_cast<uint64_t>(zeros) << kScaleShift;
  }
  if (head > kMaxNumberHead) return false;
  PutMinimal(head, coefficient, result);
  return true;
}

ABSL_ATTRIBUTE_NOINLINE inline bool DecimalDivide(const Value& x, const Value& y, Value* result) {
  return DivideInline(x, y, result);
}

// The remainder, with the sign of `x`: that of the coefficients, where both have one scale.
ABSL_ATTRIBUTE_NOINLINE inline bool DecimalModulo(const Value& x, const Value& y, Value* result) {
  if (TagOf(x) != Tag::kNumber || TagOf(y) != Tag::kNumber || CoefficientOf(y) == 0) return false;
  const uint64_t head = HeadBits(x) > HeadBits(y) ? HeadBits(x) : HeadBits(y);
  int64_t a = CoefficientOf(x);
  int64_t b = CoefficientOf(y);
  if (!Raise(&a, head - HeadBits(x)) || !Raise(&b, head - HeadBits(y))) return false;
  // INT64_MIN % -1 traps on some machines; everything is a multiple of -1.
  const int64_t remainder = b == -1 ? 0 : a % b;
  PutMinimal(head, remainder, result);
  return true;
}

// The order of both: below zero, zero or above it.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool CompareInline(const Value& x, const Value& y, int* order) {
  if (TagOf(x) != Tag::kNumber || TagOf(y) != Tag::kNumber) return false;
  int64_t a = CoefficientOf(x);
  int64_t b = CoefficientOf(y);
  const bool raises_a = HeadBits(x) < HeadBits(y);
  const uint64_t raise = (raises_a ? HeadBits(y) - HeadBits(x) : HeadBits(x) - HeadBits(y)) >> kScaleShift;
  int64_t* const raised = raises_a ? &a : &b;
  if (raise > kMaxPowerOfTen || __builtin_mul_overflow(*raised, kPowersOfTen[raise], raised)) return false;
  *order = a < b ? -1 : static_cast<int>(a > b);
  return true;
}

// The number rounded down, or up. The fraction of an inline number that has one is never zero.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool RoundInline(const Value& x, bool up, Value* result) {
  if (TagOf(x) != Tag::kNumber) return false;
  const auto scale = static_cast<uint32_t>(HeadBits(x) >> kScaleShift);
  const int64_t coefficient = CoefficientOf(x);
  if (scale == 0) {
    *result = x;
    return true;
  }
  const bool negative = coefficient < 0;
  const uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
  const uint64_t whole = WholePart(magnitude, scale) + (up != negative ? 1 : 0);
  *result = Value::Int(static_cast<int64_t>(negative ? 0 - whole : whole));
  return true;
}

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_DECIMAL_VALUES_H_

// Sums, products, comparison and whole parts of numbers beyond the inline form.
//
// All are exact in limbs, whose exponents are multiples of one number of digits, so that limbs of two numbers always
// stand one below the other. Canonical() then rounds once. Tested by vm/value/number_test.cc.

#include <algorithm>
#include <cstdint>
#include <utility>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/big_number.h"
#include "hclvm/vm/value/limbs.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

// A number that begins this many limbs below another one, or more, is less than half of a unit in the last of
// kBigDigits digits of it, even if the other one is a power of ten: the sum is the other one.
constexpr int64_t kFarLimbs = kNumberLimbs + 3;

// Adds `y` to the limbs that begin at `sum`, the first of which is `gap` limbs above the first one of `y`. A carry goes
// into the limb before `sum`. Returns whether there is one.
bool AddLimbs(const LimbView& y, int gap, uint32_t* sum) {
  uint32_t carry = 0;
  for (int i = y.size - 1; i >= 0; --i) {
    const uint32_t digit = sum[gap + i] + y.limb[i] + carry;
    carry = digit >= kLimbBase ? 1 : 0;
    sum[gap + i] = carry != 0 ? digit - kLimbBase : digit;
  }
  for (int i = gap - 1; carry != 0 && i >= 0; --i) {
    carry = sum[i] == kLimbBase - 1 ? 1 : 0;
    sum[i] = carry != 0 ? 0 : sum[i] + 1;
  }
  sum[-1] = carry;
  return carry != 0;
}

// The same for the difference, which is not negative.
void SubtractLimbs(const LimbView& y, int gap, uint32_t* difference) {
  uint32_t borrow = 0;
  for (int i = y.size - 1; i >= 0; --i) {
    const uint32_t taken = y.limb[i] + borrow;
    borrow = difference[gap + i] < taken ? 1 : 0;
    difference[gap + i] += (borrow != 0 ? kLimbBase : 0) - taken;
  }
  for (int i = gap - 1; borrow != 0 && i >= 0; --i) {
    borrow = difference[i] == 0 ? 1 : 0;
    difference[i] = borrow != 0 ? kLimbBase - 1 : difference[i] - 1;
  }
}

}  // namespace

// A row, carried as it is made.
void MultiplyByLimb(const LimbView& x, uint32_t y, uint32_t* product) {
  uint64_t carry = 0;
  for (int i = x.size - 1; i >= 0; --i) {
    carry += static_cast<uint64_t>(x.limb[i]) * y;
    product[i + 1] = static_cast<uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
  product[0] = static_cast<uint32_t>(carry);
}

// Columns are summed up before any carry. 64 bits hold a column of products of limbs.
void MultiplyLimbs(const LimbView& x, const LimbView& y, uint32_t* product) {
  static_assert(uint64_t{kNumberLimbs + 1} * kPairBase < UINT64_MAX, "a column and a carry");
  uint64_t columns[2 * kNumberLimbs] = {};
  for (int j = 0; j < y.size; ++j) {
    const uint64_t factor = y.limb[j];
    for (int i = 0; i < x.size; ++i) columns[i + j + 1] += factor * x.limb[i];
  }
  uint64_t carry = 0;
  for (int i = x.size + y.size - 1; i >= 0; --i) {
    carry += columns[i];
    product[i] = static_cast<uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
  }
}

// The longer-reaching operand is copied, and the other one added to it or taken from it.
Number BigAdd(const Number& a, const Number& b, bool negate_b, Arena* arena, NumberError* error) {
  const Operand first(a);
  const Operand second(b);
  LimbView x = first.view();
  LimbView y = second.view();
  y.negative = y.negative != negate_b;
  const bool subtract = x.negative != y.negative;
  if (x.size == 0 || (y.size != 0 && (subtract ? CompareMagnitudes(x, y) < 0 : x.exponent < y.exponent))) {
    std::swap(x, y);
  }
  const int64_t distance = y.size == 0 ? kFarLimbs : (x.exponent - y.exponent) / kLimbDigits;
  uint32_t buffer[1 + kFarLimbs + kNumberLimbs];
  LimbSpan sum{buffer + 1, x.size, x.exponent, x.negative};
  std::copy_n(x.limb, x.size, sum.limb);
  if (distance >= kFarLimbs) return Canonical(sum, arena, error);
  const auto gap = static_cast<int>(distance);
  if (gap + y.size > x.size) {
    std::fill(sum.limb + x.size, sum.limb + gap + y.size, 0);
    sum.size = gap + y.size;
    if (!subtract) {
      // What `y` has below the end of `x` is part of the sum as it is.
      const int overlap = std::max(x.size - gap, 0);
      std::copy(y.limb + overlap, y.limb + y.size, sum.limb + gap + overlap);
      y.size = overlap;
    }
  }
  if (subtract) {
    SubtractLimbs(y, gap, sum.limb);
  } else if (AddLimbs(y, gap, sum.limb)) {
    --sum.limb;
    ++sum.size;
    sum.exponent += kLimbDigits;
  }
  return Canonical(sum, arena, error);
}

Number BigMultiply(const Number& a, const Number& b, Arena* arena, NumberError* error) {
  const Operand first(a);
  const Operand second(b);
  LimbView x = first.view();
  LimbView y = second.view();
  if (x.size < y.size) std::swap(x, y);
  uint32_t product[2 * kNumberLimbs];
  if (y.size == 1) {
    MultiplyByLimb(x, y.limb[0], product);
  } else {
    MultiplyLimbs(x, y, product);
  }
  const int64_t exponent = x.exponent + y.exponent + kLimbDigits;
  return Canonical({product, x.size + y.size, exponent, x.negative != y.negative}, arena, error);
}

int BigCompare(const Number& a, const Number& b) {
  const Operand x(a);
  const Operand y(b);
  const int order = CompareMagnitudes(x.view(), y.view());
  return x.view().negative ? -order : order;
}

// The limbs up to the point, which no limb has inside.
Number BigTruncate(const BigNumber& big, Arena* arena) {
  const LimbView x = ViewOf(big);
  if (x.exponent < 0) return Number();
  uint32_t limbs[kNumberLimbs];
  const auto whole = static_cast<int>(std::min<int64_t>(x.size, x.exponent / kLimbDigits + 1));
  std::copy_n(x.limb, whole, limbs);
  NumberError error;
  return Canonical({limbs, whole, x.exponent, x.negative}, arena, &error);
}

}  // namespace hcl::internal

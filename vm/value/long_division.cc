// Quotients and remainders by numbers of many limbs: schoolbook division, as Knuth has it (The Art of Computer
// Programming, volume 2, 4.3.1, algorithm D).
//
// Tested by vm/value/number_test.cc and tests/slow/number_law_test.cc.

#include <algorithm>
#include <cstdint>

#include "hclvm/base/arena.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/value/limbs.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

// Limbs of a quotient that are enough to round it: the first one may be zero.
constexpr int kQuotientLimbs = kNumberLimbs + 1;

// Zeros that are divided one by one. A dividend with an exponent that is larger by more takes a power of ten modulo the
// divisor: no dividend of 10^(646 million) is ever made.
constexpr int64_t kMaxZeroLimbs = 2 * kNumberLimbs;

// A divisor times a factor, so that its first limb is at least half of kLimbBase: then the first two limbs of dividend
// and divisor give a digit of the quotient, but for one at the most. Dividends are multiplied by the same factor.
class LongDivisor {
 public:
  explicit LongDivisor(const LimbView& y) : size_(y.size), factor_(kLimbBase / (y.limb[0] + 1)) {
    uint32_t scaled[kNumberLimbs + 1];
    MultiplyByLimb(y, factor_, scaled);
    HCL_DCHECK(scaled[0] == 0);
    std::copy_n(scaled + 1, size_, limb_);
  }

  int size() const { return size_; }

  // Writes the limbs times the factor, which are one more.
  void Scale(const uint32_t* limb, int size, uint32_t* scaled) const {
    MultiplyByLimb({limb, size, 0, false}, factor_, scaled);
  }

  // Returns how often the divisor goes into the size() + 1 limbs at `u`, which are less than kLimbBase times the
  // divisor, and leaves the remainder there; the first limb is then zero.
  uint32_t Step(uint32_t* u) const;

  // Writes the remainder of `size` limbs; it has size() limbs. There are no more than kMost limbs.
  void Remainder(const uint32_t* limb, int size, uint32_t* remainder) const;
  static constexpr int kMost = kNumberLimbs + static_cast<int>(kMaxZeroLimbs);

 private:
  uint32_t limb_[kNumberLimbs];
  int size_;
  uint32_t factor_;
};

uint32_t LongDivisor::Step(uint32_t* u) const {
  const uint64_t top = static_cast<uint64_t>(u[0]) * kLimbBase + u[1];
  uint64_t digit = top / limb_[0];
  uint64_t rest = top % limb_[0];
  const uint64_t second = size_ > 1 ? limb_[1] : 0;
  const uint64_t third = size_ > 1 ? u[2] : 0;
  while (rest < kLimbBase && (digit >= kLimbBase || digit * second > rest * kLimbBase + third)) {
    --digit;
    rest += limb_[0];
  }
  uint64_t carry = 0;
  for (int i = size_ - 1; i >= 0; --i) {
    carry += digit * limb_[i];
    const auto taken = static_cast<uint32_t>(carry % kLimbBase);
    carry /= kLimbBase;
    const bool borrow = u[i + 1] < taken;
    u[i + 1] += (borrow ? kLimbBase : 0) - taken;
    carry += borrow ? 1 : 0;
  }
  if (u[0] < carry) {
    // The digit was one too high, which two limbs could not tell.
    --digit;
    uint32_t up = 0;
    for (int i = size_ - 1; i >= 0; --i) {
      const uint32_t sum = u[i + 1] + limb_[i] + up;
      up = sum >= kLimbBase ? 1 : 0;
      u[i + 1] = up != 0 ? sum - kLimbBase : sum;
    }
  }
  u[0] = 0;
  return static_cast<uint32_t>(digit);
}

// The remainder of the scaled dividend is the scaled remainder.
void LongDivisor::Remainder(const uint32_t* limb, int size, uint32_t* remainder) const {
  HCL_DCHECK(size <= kMost);
  if (size < size_) {
    std::fill(remainder, remainder + size_ - size, 0);
    std::copy_n(limb, size, remainder + size_ - size);
    return;
  }
  uint32_t u[kMost + 1];
  Scale(limb, size, u);
  for (int i = 0; i + size_ <= size; ++i) Step(u + i);
  uint64_t rest = 0;
  for (int i = 0; i < size_; ++i) {
    rest = rest * kLimbBase + u[size + 1 - size_ + i];
    remainder[i] = static_cast<uint32_t>(rest / factor_);
    rest %= factor_;
  }
  HCL_DCHECK(rest == 0);
}

// Makes x * y modulo the divisor of *x. All have as many limbs as the divisor.
void MultiplyModulo(const LongDivisor& divisor, uint32_t* x, const uint32_t* y) {
  uint32_t product[2 * kNumberLimbs];
  const int size = divisor.size();
  MultiplyLimbs({x, size, 0, false}, {y, size, 0, false}, product);
  divisor.Remainder(product, 2 * size, x);
}

// Multiplies *x by kLimbBase^power modulo the divisor, by squaring.
void ShiftModulo(const LongDivisor& divisor, int64_t power, uint32_t* x) {
  uint32_t square[kNumberLimbs];
  const uint32_t base[] = {1, 0};
  divisor.Remainder(base, 2, square);
  for (; power != 0; power >>= 1) {
    if ((power & 1) != 0) MultiplyModulo(divisor, x, square);
    if (power > 1) MultiplyModulo(divisor, square, square);
  }
}

}  // namespace

Number LongQuotient(const LimbView& x, const LimbView& y, Arena* arena, NumberError* error) {
  const LongDivisor divisor(y);
  uint32_t u[kQuotientLimbs + kNumberLimbs] = {};
  const int length = kQuotientLimbs + y.size;
  divisor.Scale(x.limb, x.size, u);
  uint32_t quotient[kQuotientLimbs];
  for (int i = 0; i < kQuotientLimbs; ++i) quotient[i] = divisor.Step(u + i);
  const bool sticky = std::any_of(u + kQuotientLimbs, u + length, [](uint32_t limb) { return limb != 0; });
  const LimbSpan span{quotient, kQuotientLimbs, x.exponent - y.exponent, x.negative != y.negative};
  return Canonical(span, arena, error, sticky);
}

// Only limbs of x down to the last one of y count as the dividend; the ones below belong to the remainder as they are.
// The remainder is less than either number and ends with the one that ends later, so that it is exact.
Number LongRemainder(const LimbView& x, const LimbView& y, Arena* arena, NumberError* error) {
  const LongDivisor divisor(y);
  const int64_t last = y.exponent - static_cast<int64_t>(y.size - 1) * kLimbDigits;
  const int64_t above = (x.exponent - last) / kLimbDigits + 1;
  const int given = static_cast<int>(std::min<int64_t>(above, x.size));
  const int64_t zeros = above - given;
  uint32_t result[2 * kNumberLimbs];
  if (zeros <= kMaxZeroLimbs) {
    uint32_t dividend[LongDivisor::kMost] = {};
    std::copy_n(x.limb, given, dividend);
    divisor.Remainder(dividend, static_cast<int>(above), result);
  } else {
    divisor.Remainder(x.limb, given, result);
    ShiftModulo(divisor, zeros, result);
  }
  std::copy(x.limb + given, x.limb + x.size, result + y.size);
  return Canonical({result, y.size + x.size - given, y.exponent, x.negative}, arena, error);
}

}  // namespace hcl::internal

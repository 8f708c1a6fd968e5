// Approximations: a double, and how far off it may be. Each step adds what it may be off by itself; the rounding of
// that sum, and of its form in 32 bits, is in a factor. Tested by vm/value/approximation_test.cc.

#include "hclvm/vm/value/approximation.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "hclvm/internal/value_layout.h"
#include "hclvm/vm/value/decimal.h"
#include "hclvm/vm/value/decimal_values.h"
#include "hclvm/vm/value/digits.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Of a register: marks it off from other internal values.
constexpr uint64_t kApproximationBit = 1 << 8;
// What one operation on doubles is off by, with room for the rounding of sums of such errors.
constexpr double kEpsilon = 0x1p-52;
constexpr double kSlack = 1 + 0x1p-20;
// So large and so small are what is told here: exact numbers of that size have no more digits than any limit allows.
constexpr double kMaxValue = 1e30;
constexpr double kMinValue = 1e-30;
constexpr double kMaxWhole = 0x1p52;

struct Near {
  double value;
  double error;
};

bool Read(const Value& value, Near* near) {
  if (IsApproximation(value)) {
    const uint64_t payload = PayloadBits(value);
    const auto bits = static_cast<uint32_t>(HeadBits(value) >> 32);
    float error;
    std::memcpy(&near->value, &payload, sizeof(payload));
    std::memcpy(&error, &bits, sizeof(bits));
    near->error = error;
    return true;
  }
  if (TagOf(value) != Tag::kNumber) return false;
  const Number number = value.AsNumber();
  if (number.scale() > static_cast<uint32_t>(kMaxPowerOfTen)) return false;
  near->value = static_cast<double>(number.coefficient());
  if (number.scale() != 0) near->value /= static_cast<double>(kPowersOfTen[number.scale()]);
  near->error = number.scale() == 0 && std::fabs(near->value) < kMaxWhole ? 0 : 2 * kEpsilon * std::fabs(near->value);
  return true;
}

bool Write(double value, double error, Value* result) {
  error = (error + kEpsilon * std::fabs(value)) * kSlack;
  if (!(error < kMaxValue && std::fabs(value) < kMaxValue)) return false;
  if (value != 0 && std::fabs(value) < kMinValue) return false;
  const float rounded = error < FLT_MIN ? FLT_MIN : static_cast<float>(error * kSlack);
  uint64_t payload;
  uint32_t bits;
  std::memcpy(&payload, &value, sizeof(payload));
  std::memcpy(&bits, &rounded, sizeof(bits));
  *result = ValueAccess::Make(Tag::kInternal, kApproximationBit | static_cast<uint64_t>(bits) << 32, payload);
  return true;
}

// Of a double that such a number can hold.
int64_t WholeOf(double value, bool up) {
  const auto truncated = static_cast<int64_t>(value);
  const auto back = static_cast<double>(truncated);
  return truncated + (up ? back < value : 0) - (up ? 0 : back > value);
}

}  // namespace

bool IsApproximation(const Value& value) {
  return (HeadBits(value) & 0xffff) == (static_cast<uint64_t>(Tag::kInternal) | kApproximationBit);
}

bool EndsFractions(const Value& y) {
  // By number, those up to 127.
  static constexpr uint64_t kSmall[] = {0x0004010102110536, 0x2000001000010001};
  if (TagOf(y) != Tag::kNumber) return false;
  const int64_t divisor = y.AsNumber().coefficient();
  if (divisor <= 0) return false;
  return divisor < 128 ? (kSmall[divisor / 64] >> divisor % 64 & 1) != 0 : PowerOfTen(divisor) >= 0;
}

bool Approximate(BinaryOp op, const Value& x, const Value& y, Value* result) {
  Near a;
  Near b;
  if (!Read(x, &a) || !Read(y, &b)) return false;
  switch (op) {
    case BinaryOp::kAdd:
      return Write(a.value + b.value, a.error + b.error, result);
    case BinaryOp::kSubtract:
      return Write(a.value - b.value, a.error + b.error, result);
    case BinaryOp::kMultiply: {
      const double error = std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error;
      return Write(a.value * b.value, error, result);
    }
    case BinaryOp::kDivide: {
      const double divisor = std::fabs(b.value) - b.error * kSlack;
      if (!(divisor > 0)) return false;
      const double quotient = a.value / b.value;
      return Write(quotient, (a.error + std::fabs(quotient) * b.error) / divisor, result);
    }
    default:
      return false;
  }
}

bool OrderOf(const Value& x, const Value& y, int* order) {
  Near a;
  Near b;
  if (!Read(x, &a) || !Read(y, &b)) return false;
  const double difference = a.value - b.value;
  const double error = (a.error + b.error + kEpsilon * std::fabs(difference)) * kSlack;
  if (!(std::fabs(difference) > error)) return false;
  *order = difference < 0 ? -1 : 1;
  return true;
}

bool WholePart(const Value& x, bool up, Value* result) {
  if (RoundInline(x, up, result)) return true;
  Near near;
  if (!IsApproximation(x) || !Read(x, &near)) return false;
  const double error = (near.error + kEpsilon * std::fabs(near.value)) * kSlack;
  if (!(std::fabs(near.value) + error < kMaxWhole)) return false;
  const int64_t whole = WholeOf(near.value - error, up);
  if (whole != WholeOf(near.value + error, up)) return false;
  *result = Value::Int(whole);
  return true;
}

}  // namespace hcl::internal

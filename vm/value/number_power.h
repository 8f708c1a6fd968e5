// Whole powers of numbers, where they are exact.
//
// Tested by vm/value/number_power_test.cc.

#ifndef HCLVM_VM_VALUE_NUMBER_POWER_H_
#define HCLVM_VM_VALUE_NUMBER_POWER_H_

#include <cstdint>
#include <optional>

#include "hclvm/base/arena.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {

// base^power, or nullopt where the power is no decimal of at most kBigDigits significant digits, or has an exponent out
// of the range of numbers. `base` must be finite and not zero. Time: at most 4 * log2(|power|) multiplications.
std::optional<Number> ExactPower(const Number& base, int64_t power, Arena* arena);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_NUMBER_POWER_H_

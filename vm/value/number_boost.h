// Numbers to and from Boost.Multiprecision, for hosts that compute with it.
//
// The only place that includes Boost, and a header and target of its own: whoever does not ask for it does not pay for
// Boost's headers. Tested by vm/value/number_boost_test.cc.

#ifndef HCLVM_VM_VALUE_NUMBER_BOOST_H_
#define HCLVM_VM_VALUE_NUMBER_BOOST_H_

#include <cstdint>
#include <optional>

#include "boost/multiprecision/cpp_dec_float.hpp"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/number.h"

namespace hcl {

// Holds every Number exactly. For other widths, convert from it and to it.
using BoostNumber = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<kBigDigits, int64_t>,
                                                  boost::multiprecision::et_off>;

// The same number; an infinity for an infinity. Thread-safe.
BoostNumber ToBoost(const Number& number);

// The number nearest to `value` (ties to even): what a cpp_dec_float carries beyond kBigDigits digits is rounded away.
// Big results live in `arena`. Nothing for what is not a number, and for exponents beyond the range of numbers.
std::optional<Number> FromBoost(const BoostNumber& value, Arena* arena);

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_NUMBER_BOOST_H_

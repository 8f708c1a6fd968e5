// Approximations: what fast code takes for a quotient of which only an order or a whole part is asked. The exact one
// has a hundred and more digits, of which hardly any matter.
//
// A double that is off by no more than is said beside it, in a register: a value that never leaves an evaluation.
// Whatever cannot be told for certain is left to exact numbers, so that no answer depends on it. What exact numbers are
// off by themselves, as they are rounded, is far less than that.
//
// Thread-safe, without memory. Tested by vm/value/approximation_test.cc.

#ifndef HCLVM_VM_VALUE_APPROXIMATION_H_
#define HCLVM_VM_VALUE_APPROXIMATION_H_

#include "hclvm/base/operators.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

bool IsApproximation(const Value& value);

// Whether quotients by `y` have few digits, for the numbers of which that is often so: the small ones without other
// factors than 2 and 5, and powers of ten, wherever their points are.
bool EndsFractions(const Value& y);

// x op y of numbers and approximations, where `op` is a sum, difference, product or quotient: an approximation. False,
// and nothing, where it is not certain to be a number, or of other values.
bool Approximate(BinaryOp op, const Value& x, const Value& y, Value* result);

// Whether x is below y (-1) or above it (1), of which one at least is an approximation and the other one may be a
// number. False where that is not certain, or of other values.
bool OrderOf(const Value& x, const Value& y, int* order);

// The nearest whole number that is not above (or, where `up`, not below) an approximation or a number of up to 64 bits.
// False where it is not certain, or too large for a double, or of other values.
bool WholePart(const Value& x, bool up, Value* result);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_APPROXIMATION_H_

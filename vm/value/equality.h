// Equality of values, as `==` has it.
//
// Specification: information-model.md, "Values and Value Types". Where it is silent, as the reference: values of
// different types are not equal, except that a null equals every null; what depends on an unknown value is unknown.
// Unlike the reference, a difference between known parts decides even beside unknown ones.
// Tested by vm/value/equality_test.cc.

#ifndef HCLVM_VM_VALUE_EQUALITY_H_
#define HCLVM_VM_VALUE_EQUALITY_H_

#include <cstdint>

#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

enum class Tri : uint8_t { kFalse, kTrue, kUnknown };

// Whether a == b. Never contradicts what it says once the unknown parts become known. No allocation.
Tri EqualsTri(const Value& a, const Value& b);

// Whether two types can become the same once the dynamic parts of both are known. Values of types that cannot are not
// equal, unless both are null.
bool MayBeSameType(Type a, Type b);

}  // namespace hcl

#endif  // HCLVM_VM_VALUE_EQUALITY_H_

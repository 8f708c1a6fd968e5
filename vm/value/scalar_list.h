// Lists and sets of few scalars, which are most of what functions convert.
//
// Internal to the machine. Tested by vm/value/scalar_list_test.cc.

#ifndef HCLVM_VM_VALUE_SCALAR_LIST_H_
#define HCLVM_VM_VALUE_SCALAR_LIST_H_

#include <cstdint>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A tuple, list or set of a few bools, numbers or strings, all of one type, for a `type` that is a list or set of any
// type or of that one: makes of it what a conversion would make, with no more than a look at its elements. *cost: units
// of fuel for looking at it and for that, added. False for all other values, which stay as they are.
bool TakeScalarList(Type type, Heap* heap, Value* value, uint64_t* cost);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SCALAR_LIST_H_

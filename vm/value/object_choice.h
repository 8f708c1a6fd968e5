// Choices between objects and lists that need no types.
//
// Internal to the machine. Tested by vm/value/object_choice_test.cc.

#ifndef HCLVM_VM_VALUE_OBJECT_CHOICE_H_
#define HCLVM_VM_VALUE_OBJECT_CHOICE_H_

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What a conditional gives that takes `taken`, and not `other`: what unifying their types and converting makes. Both
// are tuples of different lengths, whose few elements are of one type, which become a list; or objects of few
// attributes, by the specification's text, where what only `other` has is null. An attribute of both is of one type, an
// untyped null in one of them, or again a choice of these. False for all other values, and near a limit.
bool ChooseStructure(const Value& taken, const Value& other, Heap* heap, Value* result);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_OBJECT_CHOICE_H_

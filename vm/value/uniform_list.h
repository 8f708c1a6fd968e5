// Lists and sets of few elements that are all of one type, which is most of what is converted and chosen.
//
// Internal to the machine. Tested by vm/value/uniform_list_test.cc.

#ifndef HCLVM_VM_VALUE_UNIFORM_LIST_H_
#define HCLVM_VM_VALUE_UNIFORM_LIST_H_

#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A tuple, list or set of a few bools, numbers, strings or known objects, all of one type, for a `type` that is a list
// of any type or of that one, or such a set, but not of objects: makes of it what a conversion would make, with no more
// than a look at its elements. The same of what AlignObjects() takes, for a list of any type, and of a tuple of a few
// scalars and nulls of any type for a list of strings. *cost: units of fuel for looking at it and for that, added.
// False for all other values, which stay as they are.
bool TakeUniformList(Type type, Heap* heap, Value* value, uint64_t* cost);

// The type of the elements of a tuple, list or set of a few bools, numbers or strings, all of one type; dynamic for all
// other values. *cost: as above.
Type UniformElementType(const Value& value, uint64_t* cost);

// Whether both are tuples whose elements are all bools, all numbers or all strings: in what both unify to, these stay
// as they are.
bool AreTuplesOfOneType(const Value& a, const Value& b);

// A tuple of a few known objects of the same keys, of which each attribute is in all of them a bool, a number, a string
// or a tuple of one of these, and some tuples differ in length: makes the list that it converts to, in which such
// tuples are lists. False for all other values, and near a limit.
bool AlignObjects(const Value& tuple, Heap* heap, Value* list);

// The list of the elements of `sequence`, which are all of the type `element`.
Value ListOfElements(Type element, const Value& sequence, Arena* arena);

// The list type that unifying the types of `values` gives, if they are tuples of which some differ in length, untyped
// nulls aside, and all elements are such ones, of one type; dynamic for all others.
Type UnifyUniformTuples(absl::Span<const Value> values, Heap* heap);
// The element type of that list type.
Type UniformTypeOfTuples(absl::Span<const Value> values, Heap* heap);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_UNIFORM_LIST_H_

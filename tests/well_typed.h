// WhatIsWrong: whether a value is what its type and its header say, at every depth.

#ifndef HCLVM_TESTS_WELL_TYPED_H_
#define HCLVM_TESTS_WELL_TYPED_H_

#include <string>

#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

// What is wrong with `value`, at the place where it was found, or nothing. Asked are:
//
//   - each element of a list, set or map matches the element type;
//   - keys and the elements of sets are sorted, and none is there twice;
//   - texts are UTF-8 in NFC;
//   - a refinement does not contradict itself, and only says what there is to say about its type;
//   - marks stand on values that have none themselves;
//   - what a header says in constant time (wholly known, marked, depth) is what is in the elements.
//
// Types are made in `types`. Recursive. Tested by tests/well_typed_test.cc.
std::string WhatIsWrong(const Value& value, TypeTable* types);

}  // namespace hcl

#endif  // HCLVM_TESTS_WELL_TYPED_H_

// How sentences call the kinds of values.
//
// Internal. Tested by vm/value/kind_name_test.cc and tests/golden/calls.txt.

#ifndef HCLVM_VM_VALUE_KIND_NAME_H_
#define HCLVM_VM_VALUE_KIND_NAME_H_

#include <string>

#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// FriendlyName() with its article, as in "a list of string"; "a list" where the elements may be of any type.
std::string WithArticle(Type type);

// WithArticle(TypeOf(value)), without making types: constant time, however large the value is.
std::string WithArticle(const Value& value);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_KIND_NAME_H_

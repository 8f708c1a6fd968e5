// The text of a value by which the elements of a set are ordered where they are no scalars.

#ifndef HCLVM_VM_VALUE_SET_TEXT_H_
#define HCLVM_VM_VALUE_SET_TEXT_H_

#include <string>

#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Appends the reference's text for hashing `value`: the order of its sets is the order of these texts. Recursion
// follows the depth of the value.
void AppendOrderText(const Value& value, std::string* out);

}  // namespace hcl::internal

#endif  // HCLVM_VM_VALUE_SET_TEXT_H_

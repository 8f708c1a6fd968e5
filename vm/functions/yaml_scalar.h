// What a plain scalar of YAML stands for.
//
// Tested by vm/functions/yaml_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_YAML_SCALAR_H_
#define HCLVM_VM_FUNCTIONS_YAML_SCALAR_H_

#include <string>
#include <string_view>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The value of a scalar without quotes: null, a bool (also yes, no, on and off), a number in decimal, hexadecimal (0x)
// or octal (0o), a timestamp, which becomes a string as in RFC 3339, or the text itself. `tag`: "int", "str" and so on,
// empty for none. False, with a phrase, when the text is not what the tag says, or is not a number.
bool ResolveYamlScalar(std::string_view text, std::string_view tag, Heap* heap, Value* value, std::string* reason);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_YAML_SCALAR_H_

// Replacing parts of a string, by text or by pattern.
//
// Tested by vm/functions/string_functions_test.cc, vm/functions/regex_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_REPLACE_TEXT_H_
#define HCLVM_VM_FUNCTIONS_REPLACE_TEXT_H_

#include <string_view>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The string `value` with `replacement` for every `part`; an empty part is found before every code point and at the
// end.
Value ReplaceText(FunctionCall* call, const Value& value, std::string_view part, std::string_view replacement);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_REPLACE_TEXT_H_

// Calls functions of the standard registry in tests, on printed forms.
//
// Arguments are one JSON array; an element that has exactly the properties "type" and "value" is a typed value
// (vm/json/json.h), any other is plain JSON. A result is printed as its type and its value, both in JSON: `"bool"
// true`; a failure as `error: MESSAGE`, `error in argument N: MESSAGE` (from 0) or `limit: MESSAGE`.

#ifndef HCLVM_VM_FUNCTIONS_FUNCTION_TEST_UTIL_H_
#define HCLVM_VM_FUNCTIONS_FUNCTION_TEST_UTIL_H_

#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {

struct FunctionCase {
  const char* name;
  const char* arguments;
  const char* want;
};

// What calling function `name` with `arguments` prints; `limits` hold for the call's own memory and work.
std::string CallForTest(std::string_view name, std::string_view arguments, const Limits& limits = {},
                        Dialect dialect = Dialect::kHashiCorp);

// Expects of each case that the call prints what it wants; a want that ends in "..." leaves the rest open.
void CheckFunctionCases(const std::vector<FunctionCase>& cases);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_FUNCTION_TEST_UTIL_H_

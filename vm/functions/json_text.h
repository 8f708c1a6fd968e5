// JSON as the reference writes it from within expressions: as vm/json/json.h, but with the characters escaped that have
// a meaning in HTML (<, >, &) and the line separators of JavaScript (U+2028, U+2029).
//
// Tested by vm/functions/encoding_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_JSON_TEXT_H_
#define HCLVM_VM_FUNCTIONS_JSON_TEXT_H_

#include <cstdint>
#include <string>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The bytes that the text of `value` has, without what is escaped in strings. Depth: the value's; time: its weight.
uint64_t JsonTextBytes(const Value& value);

// Units of fuel for writing `value`, whose text has so many bytes.
inline uint64_t CostOfJson(const Value& value, uint64_t bytes) { return 4 + value.weight() / 4 + bytes / 4; }

// Appends `value` on behalf of `call`; false, with a reason, when JSON cannot hold it, and false without one when the
// text would be larger than a result may be: the call has failed then.
bool AppendReferenceJson(FunctionCall* call, const Value& value, std::string* out, std::string* reason);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_JSON_TEXT_H_

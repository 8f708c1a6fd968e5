// Base64 (RFC 4648), as the functions read and write it.
//
// Tested by vm/functions/encoding_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_BASE64_TEXT_H_
#define HCLVM_VM_FUNCTIONS_BASE64_TEXT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The bytes that the text of `argument`, number `at` of the call, stands for. They are paid for, as is reading the
// text. Nothing when the call has failed, because the text is malformed or for want of fuel or memory.
std::optional<std::string> DecodeBase64Argument(const Value& argument, size_t at, FunctionCall* call);

// The text in base64, with padding, that stands for `bytes`. The caller has asked whether it can be made.
Value EncodeBase64(std::string_view bytes, FunctionCall* call);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_BASE64_TEXT_H_

// FunctionFamily: how the function library is divided.
//
// Tested by vm/functions/standard_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_FUNCTION_FAMILY_H_
#define HCLVM_VM_FUNCTIONS_FUNCTION_FAMILY_H_

#include <cstdint>
#include <string_view>

#include "hclvm/internal/cxx17.h"

namespace hcl {

enum class FunctionFamily : uint8_t {
  kNumeric,
  kString,      // with formats and regular expressions
  kCollection,  // lists, sets, maps, tuples and objects
  kEncoding,    // Base64, CSV, JSON, URLs, YAML
  kDate,
  kHash,
  kNetwork,
  kType,  // conversions, try and can, sensitive values
};

inline constexpr FunctionFamily kFunctionFamilies[] = {
    FunctionFamily::kNumeric, FunctionFamily::kString, FunctionFamily::kCollection, FunctionFamily::kEncoding,
    FunctionFamily::kDate,    FunctionFamily::kHash,   FunctionFamily::kNetwork,    FunctionFamily::kType,
};

// "numeric", "string" and so on. The text lives until the process ends.
std::string_view FamilyName(FunctionFamily family);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_FUNCTION_FAMILY_H_

// The functions of the library that need nothing besides what the language itself needs.
//
// All but digests (OpenSSL), regular expressions (RE2), YAML (libyaml) and compression (zlib). A host that wants a
// small program depends on these, and adds what it wants of the others with gzip_functions.h, hash_functions.h,
// regex_functions.h and yaml_functions.h.
//
// Tested by vm/functions/core_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_CORE_H_
#define HCLVM_VM_FUNCTIONS_CORE_H_

#include <memory>

#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/function_family.h"

namespace hcl {

// Adds the core's functions of a family: of kString all but regex, regexall, regexreplace and replace (which takes
// patterns, too), of kEncoding all but base64gzip, yamldecode and yamlencode, of kHash none.
void RegisterCoreFamily(FunctionFamily family, FunctionRegistryBuilder* builder);

// The core's functions of all families. The same registry for every call; thread-safe.
std::shared_ptr<const FunctionRegistry> CoreFunctions();

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_CORE_H_

// Functions that hash the bytes of a string: base64sha256, base64sha512, crc32, md5, sha1, sha256, sha512, uuidv5.
//
// Tested by vm/functions/hash_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_HASH_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_HASH_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl {

void RegisterHashFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_HASH_FUNCTIONS_H_

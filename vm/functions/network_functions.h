// Functions of IP networks, of IPv4 and IPv6: cidrcontains, cidrhost, cidrnetmask, cidrsubnet, cidrsubnets.
//
// Tested by vm/functions/network_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_NETWORK_FUNCTIONS_H_
#define HCLVM_VM_FUNCTIONS_NETWORK_FUNCTIONS_H_

#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

void RegisterNetworkFunctions(FunctionRegistryBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_NETWORK_FUNCTIONS_H_

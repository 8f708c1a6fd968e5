// What messages say of a variable that is not there, and has the name of something in its config.
//
// Internal to vm. Pure and thread-safe. Tested by tests/golden.

#ifndef HCLVM_VM_CONFIG_NAMES_H_
#define HCLVM_VM_CONFIG_NAMES_H_

#include <string>
#include <string_view>

#include "hclvm/vm/program.h"

namespace hcl::internal {

// A sentence after a blank for a variable `name` of a plain config: that it is an attribute, a block, or what a module
// would declare, and how to write what is meant. Empty where the config has nothing of that name. Of very many entries
// of the program, only the first ones are compared.
std::string HintAtConfig(const Program& program, std::string_view name);

}  // namespace hcl::internal

#endif  // HCLVM_VM_CONFIG_NAMES_H_

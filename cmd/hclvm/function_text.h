// Functions of the library as texts for people. Tested by tests/cli_test.sh.

#ifndef HCLVM_CMD_HCLVM_FUNCTION_TEXT_H_
#define HCLVM_CMD_HCLVM_FUNCTION_TEXT_H_

#include <string>
#include <string_view>
#include <vector>

#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function_family.h"

namespace hcl::cmd {

// The parameters of a record, "NAME: TYPE", one by one.
std::vector<std::string_view> ParametersOf(const FunctionRecord& record);

// How it is called, what it does, its parameters and result, and an example. Ends in a newline.
std::string Describe(const FunctionRecord& record, FunctionFamily family);

// What there is to say of a name that no function has: a phrase, with the nearest one.
std::string NoFunction(std::string_view name);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_FUNCTION_TEXT_H_

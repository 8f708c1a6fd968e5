// file(PATH): what a JSON file holds, for test files.
//
// Internal to the workbench. Tested by workbench/test_suite_test.cc.

#ifndef HCLVM_WORKBENCH_FILE_FUNCTION_H_
#define HCLVM_WORKBENCH_FILE_FUNCTION_H_

#include <memory>

#include "hclvm/vm/functions/function.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {

// The functions of `base` (may be null), and file(). A file is read by each call.
std::shared_ptr<const FunctionRegistry> WithFileFunction(const FunctionRegistry* base, TestFileReader read_file);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_FILE_FUNCTION_H_

// TestFileParts: the texts that a test file is compiled from.
//
// What a test gives and wants are values, which need no module. Assertions, and the functions that stand in for those
// of the host, are compiled with the module. So the file is compiled from several texts of its own size, with blanks in
// place of what belongs to another one: a place in any of them is the same place in the file.
//
// Internal to the workbench. Tested by workbench/test_suite_test.cc.

#ifndef HCLVM_WORKBENCH_TEST_FILE_PARTS_H_
#define HCLVM_WORKBENCH_TEST_FILE_PARTS_H_

#include <string>
#include <string_view>

#include "hclvm/hcl/ast.h"

namespace hcl::internal {

struct TestFileParts {
  std::string values;      // all but the functions and the assertions
  std::string functions;   // the functions alone
  std::string assertions;  // the functions, and tests with nothing but their assertions
  bool has_functions = false;
  bool has_assertions = false;
};

// Of a file with that text, whose tree has no errors. Time: linear in the text.
TestFileParts PartsOf(std::string_view text, const Body& body);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_TEST_FILE_PARTS_H_

// Suites in tests: a module, a test file, and the files that it reads, all of them texts.

#ifndef HCLVM_WORKBENCH_SUITE_TEST_UTIL_H_
#define HCLVM_WORKBENCH_SUITE_TEST_UTIL_H_

#include <map>
#include <memory>
#include <string>

#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {

struct SuiteTexts {
  std::string module;
  std::string tests;
  std::map<std::string, std::string> files;
  std::string functions;  // what describes those of the host; may be empty
};

// Null on errors; *errors is "LINE:COLUMN CODE detail" for each, with "m.hcl:" before it where the module has it.
std::shared_ptr<const TestSuite> ReadSuite(const SuiteTexts& texts, std::string* errors);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_SUITE_TEST_UTIL_H_

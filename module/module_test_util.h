// Modules in tests: compiled from texts, and run, with what comes of them as text.

#ifndef HCLVM_MODULE_MODULE_TEST_UTIL_H_
#define HCLVM_MODULE_MODULE_TEST_UTIL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {

// A text and the name of its file, which says its syntax.
struct TestFile {
  std::string name;
  std::string text;
};

// One file, "m.hcl".
std::vector<TestFile> OneFile(std::string text);

CompileOptions ModuleOptions();

// Null on errors: then *errors has a line for each, "a.hcl:2:5 HCL3101 detail".
std::shared_ptr<const Program> CompileFiles(const std::vector<TestFile>& files, std::string* errors,
                                            const CompileOptions& options = ModuleOptions());

// The errors of compiling; "ok" without any.
std::string ErrorsOf(const std::vector<TestFile>& files);

// What CheckModule() reports, as ErrorsOf(), warnings after "warning ".
std::string FindingsOf(const std::vector<TestFile>& files, bool strict = false, Dialect dialect = Dialect::kSpec);

// What CheckPlainConfig() reports of one file, "m.hcl", in the same way.
std::string PlainFindingsOf(std::string text);

// The value of an entry (empty: of the whole) as JSON, or its errors. `scope` is JSON.
std::string ValueOf(const std::vector<TestFile>& files, std::string_view entry, std::string_view scope);

// Units of fuel that the entry takes, which must not fail.
uint64_t CostOf(const std::vector<TestFile>& files, std::string_view entry, std::string_view scope);

}  // namespace hcl

#endif  // HCLVM_MODULE_MODULE_TEST_UTIL_H_

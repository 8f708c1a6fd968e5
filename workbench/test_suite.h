// TestSuite: the tests of one `*.test.hcl`, read and compiled with the module that they are of.
//
//   std::shared_ptr<const TestSuite> suite = ReadTestSuite(source, module, options, &diagnostics);
//   TestRunner runner(suite, run_options);  // workbench/test_runner.h
//
// What a test file may say is docs/testing.md. Internal to the workbench. Tested by workbench/test_suite_test.cc.

#ifndef HCLVM_WORKBENCH_TEST_SUITE_H_
#define HCLVM_WORKBENCH_TEST_SUITE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What a test wants of one entry.
struct Expectation {
  enum class Kind : uint8_t {
    kValue,  // the value, as it is
    kPart,   // properties that `value` does not have may be there
    kFails,  // an error of that code, whose text contains `message`
  };

  const Entry* entry = nullptr;  // of the suite's program
  Kind kind = Kind::kValue;
  Value value;
  DiagnosticCode code = DiagnosticCode{};
  std::string message;
  SourceRange range;  // where the test says so
};

// An entry that an assertion reads by its name.
struct EntryRead {
  const Entry* entry = nullptr;
  uint32_t slot = 0;               // the variable of the program that hands it over
  std::vector<std::string> steps;  // from the value of the variable to that of the entry
};

// A condition over entries, variables and locals, which all cases of a test have to meet.
struct Assertion {
  const Entry* condition = nullptr;
  const Entry* message = nullptr;  // null: there is none
  std::vector<EntryRead> reads;
  SourceRange range;  // of the condition
};

// One request, and what is wanted of it.
struct SuiteCase {
  std::string name;  // empty: the test has no table of cases
  Value with;        // an object; laid over what the test says
  std::vector<std::string> without;
  std::vector<Expectation> expectations;  // an entry has one at most
  SourceRange range;
};

// Requests of a file, one a line, and their answers.
struct RecordedRequests {
  std::string requests, answers;  // paths, from the folder of the suite
  std::vector<const Entry*> entries;
  SourceRange requests_range, answers_range;
};

struct SuiteTest {
  std::string name;
  Value with;  // an object
  std::vector<std::string> without;
  std::vector<Assertion> assertions;
  std::vector<SuiteCase> cases;  // at least one; none where there are recorded requests
  std::optional<RecordedRequests> recorded;
  SourceRange range;

  // Recorded requests are one case together.
  size_t case_count() const { return recorded ? 1 : cases.size(); }
};

// Reads a file for tests. `path` is as the test file has it.
using TestFileReader = std::function<absl::StatusOr<std::string>(const std::string& path)>;

struct TestSuiteOptions {
  // The functions are the library's and those that are described for the host (module/function_descriptions.h). A test
  // file may stand in for the latter.
  CompileOptions compile;
  // For file(PATH) and recorded requests. It must be safe to call from several threads.
  TestFileReader read_file;
  // A variable that the module does not declare is an error where a test gives it.
  bool refuses_unknown_variables = true;
};

// Immutable and thread-safe.
class TestSuite {
 public:
  // The module, with the functions that the file stands in for. Where tests have assertions, these are entries of it as
  // well, and variables of the names of the entries that they read.
  const std::shared_ptr<const Program>& program() const { return program_; }
  // Attributes of the module, in its order: without those that assertions are made of.
  const std::vector<const Entry*>& entries() const { return entries_; }
  // The names of the variables that the module declares.
  const std::vector<std::string_view>& variables() const { return variables_; }
  const std::vector<SuiteTest>& tests() const { return tests_; }
  const Source& source() const { return *source_; }
  const std::shared_ptr<const Source>& shared_source() const { return source_; }
  // The files of the module.
  const std::vector<ModuleFile>& module_files() const { return module_files_; }
  const TestSuiteOptions& options() const { return options_; }

  // "the test" or "the test/the case".
  std::string CaseName(size_t test, size_t case_number) const;
  // The scope of a case: the usual request, with what the test and the case say laid over it. Lives in `heap` and as
  // long as the suite.
  Value ScopeOf(const SuiteTest& test, const SuiteCase& one, Heap* heap) const;
  // A diagnostic that an evaluation of the program gave, with the source to show: the test file for an assertion.
  Diagnostic Placed(Diagnostic diagnostic) const;

 private:
  friend class TestSuiteReader;

  std::shared_ptr<const Source> source_;
  std::vector<ModuleFile> module_files_;
  std::shared_ptr<const Source> masked_;  // the text that assertions were compiled from; may be null
  std::shared_ptr<const Program> program_;
  TestSuiteOptions options_;
  Heap heap_;  // of the values
  std::vector<const Entry*> entries_;
  std::vector<std::string_view> variables_;
  Value usual_;  // an object
  std::vector<SuiteTest> tests_;
};

// A module, and what is compiled of it when the first suite needs it. Not thread-safe.
struct TestedModule {
  std::vector<ModuleFile> files;
  // Compiled without a test file. It is there once a suite has needed it.
  std::shared_ptr<const Program> program;
};

// Reads a test file of a module. Null on errors, which are in `diagnostics`, each with its source; sources live as long
// as `source` and the files do.
std::shared_ptr<const TestSuite> ReadTestSuite(std::shared_ptr<const Source> source, TestedModule* module,
                                               const TestSuiteOptions& options, Diagnostics* diagnostics);

// `over` laid over `base`: properties of objects and maps one by one, as deep as both are such, and all else as a
// whole. Lives in `heap`, and shares what it takes over.
Value LaidOver(const Value& base, const Value& over, Heap* heap);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_TEST_SUITE_H_

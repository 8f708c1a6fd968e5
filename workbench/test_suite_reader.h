// TestSuiteReader: from the text of a test file to a TestSuite.
//
// Internal to the workbench. Tested by workbench/test_suite_test.cc.

#ifndef HCLVM_WORKBENCH_TEST_SUITE_READER_H_
#define HCLVM_WORKBENCH_TEST_SUITE_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/test_file_parts.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {

// A value of the test file, and the expression that gives it as far as that is written as a literal.
struct WrittenValue {
  Value value;
  const Expr* expr = nullptr;  // null: something else gives the value
  SourceRange range;           // of the expression, or of what gives the value
};

// Reads one file. Not thread-safe.
class TestSuiteReader {
 public:
  TestSuiteReader(std::shared_ptr<const Source> source, TestedModule* module, const TestSuiteOptions& options,
                  Diagnostics* diagnostics)
      : source_(std::move(source)), module_(*module), options_(options), diagnostics_(*diagnostics) {}

  // Null on errors.
  std::shared_ptr<const TestSuite> Read();

 private:
  // What a test or a case says.
  struct Said {
    Value with;
    std::vector<std::string> without;
    std::vector<Expectation> expectations;
  };

  // The phases, in their order. False: errors, after which the next one makes no sense.
  bool CheckForm();
  bool CompileValues();
  bool CompileModule();
  bool CompileAssertions();
  void ReadUsual();
  void ReadTest(const Block& block);

  std::shared_ptr<const Program> Compile(absl::Span<const ModuleFile> more, bool has_functions);
  // The functions for the module: without those of the host that the file stands in for.
  std::shared_ptr<const FunctionRegistry> HostFunctions() const;
  // Declares a variable for each entry that assertions read by its name.
  std::string DeclaredEntries(const std::vector<StaticTraversal>& reads) const;
  bool RenameTests(std::string* assertions);
  void ReadAssertion(const Block& block, SuiteTest* test);
  void NoteReads(const Expr& expr, Assertion* assertion) const;

  std::optional<WrittenValue> Evaluate(const Attribute& attribute);
  void ReadOverlay(const WrittenValue& written, std::string_view what, Value* value);
  void ReadWithout(const WrittenValue& written, std::vector<std::string>* paths);
  // False where a test or a case has no such property.
  bool ReadSaid(std::string_view name, const WrittenValue& written, Said* said);
  void ReadExpected(const WrittenValue& written, Expectation::Kind kind, Said* said);
  void ReadFails(const WrittenValue& written, Said* said);
  bool ReadFailure(std::string_view name, const WrittenValue& written, Expectation* failure);
  void Add(Expectation expectation, Said* said);
  void ReadCases(const WrittenValue& written, const Said& of_test, SuiteTest* test);
  void ReadRecorded(const Block& block, SuiteTest* test);
  void ReadEntries(const Attribute& attribute, RecordedRequests* recorded);
  std::string ReadText(const Attribute& attribute);
  void CheckChecks(const SuiteTest& test);
  const Entry* FindEntry(std::string_view name, SourceRange range);
  void CheckVariable(std::string_view name, SourceRange range);
  void ReportUnknown(SourceRange range, std::string detail, std::string_view given,
                     const std::vector<std::string_view>& names);
  void CheckKeys(const WrittenValue& written, std::string_view what);
  // False, and an error, where the value is no object. Keys that a literal gives twice are errors as well.
  bool IsObject(const WrittenValue& written, std::string_view what);

  void Report(SourceRange range, DiagnosticCode code, std::string detail);
  // Takes what was found in texts that the file was made into.
  void Take(const Diagnostics& found);

  const std::shared_ptr<const Source> source_;
  TestedModule& module_;
  const TestSuiteOptions& options_;
  Diagnostics& diagnostics_;
  std::unique_ptr<ParsedFile> parsed_;
  TestFileParts parts_;
  std::vector<std::shared_ptr<const Source>> masked_;  // the texts, as sources
  std::shared_ptr<const Program> values_;
  std::unique_ptr<Evaluator> evaluator_;            // of the values
  HashMap<uint32_t, const Entry*> entry_of_value_;  // by the beginning of the attribute
  HashMap<uint32_t, const Entry*> entry_of_assertion_;
  std::shared_ptr<const Program> base_;              // the module without assertions
  HashMap<std::string_view, const Entry*> entries_;  // of the suite's program, by path
  std::vector<std::string_view> paths_;              // of them, once one is not found
  HashMap<std::string_view, SourceRange> test_names_;
  std::shared_ptr<TestSuite> suite_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_TEST_SUITE_READER_H_

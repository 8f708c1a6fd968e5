// Runs the tests of a module in memory.

#include "hclvm/workbench/module_tests.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {
namespace {

TEST(ModuleTestsTest, RunsAllAndTellsFailures) {
  TestedModule module;
  module.files.push_back({std::make_shared<const Source>("m.hcl", "x = 1\n"), /*is_json=*/false});
  TestSuiteOptions options;
  options.compile.functions = StandardFunctions();
  options.read_file = [](const std::string& path) -> absl::StatusOr<std::string> {
    return absl::NotFoundError(absl::StrCat("cannot read ", path));
  };
  const std::vector<std::shared_ptr<const Source>> files = {
      std::make_shared<const Source>("a.test.hcl", "test \"one\" {\n  expect = { x = 1 }\n}\n"),
      std::make_shared<const Source>("b.test.hcl", "test \"two\" {\n  expect = { x = 2 }\n}\n"),
      std::make_shared<const Source>("c.test.hcl", "test \"three\" {}\n"),
  };
  const TestReport report = RunModuleTests(&module, files, options, {});
  EXPECT_EQ(1u, report.Count(CaseReport::Outcome::kPassed));
  EXPECT_EQ(1u, report.Count(CaseReport::Outcome::kFailed));
  EXPECT_EQ(1u, report.UnreadFiles());
  Diagnostics found;
  AddFailures(report, &found);
  ASSERT_EQ(2u, found.kept().size());
  EXPECT_EQ(DiagnosticCode::kTestFailed, found.kept()[0].code);
  EXPECT_EQ("The test \"two\" has failed: x is not what is expected\n  x: 1, expected 2", found.kept()[0].detail);
  EXPECT_EQ("b.test.hcl", found.kept()[0].source->name());
  EXPECT_EQ(DiagnosticCode::kInvalidTest, found.kept()[1].code);

  const TestReport chosen =
      RunModuleTests(&module, files, options, {}, [](std::string_view name) { return name == "one"; });
  EXPECT_EQ(0u, chosen.Count(CaseReport::Outcome::kFailed));
}

}  // namespace
}  // namespace hcl::internal

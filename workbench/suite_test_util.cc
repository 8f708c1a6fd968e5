// Suites in tests.

#include "hclvm/workbench/suite_test_util.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::internal {

std::shared_ptr<const TestSuite> ReadSuite(const SuiteTexts& texts, std::string* errors) {
  TestedModule module;
  module.files.push_back({std::make_shared<const Source>("m.hcl", texts.module), /*is_json=*/false});
  TestSuiteOptions options;
  options.compile.functions = StandardFunctions();
  Diagnostics diagnostics;
  if (!texts.functions.empty()) {
    options.compile.functions =
        ReadFunctionDescriptions(std::make_shared<const Source>("functions.json", texts.functions),
                                 options.compile.functions, options.compile.limits, &diagnostics);
  }
  options.read_file = [files = texts.files](const std::string& path) -> absl::StatusOr<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return absl::NotFoundError(absl::StrCat("cannot read ", path, ": no such file"));
    return found->second;
  };
  // Diagnostics are read before the sources go.
  const auto source = std::make_shared<const Source>("m.test.hcl", texts.tests);
  std::shared_ptr<const TestSuite> suite = ReadTestSuite(source, &module, options, &diagnostics);
  errors->clear();
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    EXPECT_NE(nullptr, diagnostic.source);
    EXPECT_TRUE(diagnostic.source == nullptr || diagnostic.source->text() == source->text() ||
                diagnostic.source->name() != source->name());
    const SourcePosition at = diagnostic.source->PositionAt(diagnostic.subject ? diagnostic.subject->begin : 0);
    absl::StrAppend(errors, diagnostic.source == source.get() ? "" : diagnostic.source->name() + ":", at.line, ":",
                    at.column, " ", CodeText(diagnostic.code), " ", diagnostic.detail, "\n");
  }
  EXPECT_EQ(suite == nullptr, diagnostics.has_errors()) << *errors;
  return suite;
}

}  // namespace hcl::internal

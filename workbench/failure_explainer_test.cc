#include "hclvm/workbench/failure_explainer.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/workbench/suite_test_util.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {
namespace {

// The texts of the failures of the first case.
std::string Failures(const std::string& module, const std::string& tests) {
  SuiteTexts texts;
  texts.module = module;
  texts.tests = tests;
  std::string errors;
  const std::shared_ptr<const TestSuite> suite = ReadSuite(texts, &errors);
  EXPECT_NE(nullptr, suite) << errors;
  CaseResult result = TestRunner(suite, {}).Run(0, 0);
  FailureExplainer(suite, {}).Explain(0, 0, &result);
  std::string text;
  for (const TestFailure& failure : result.failures) text += FailureText(failure) + "\n";
  return text;
}

constexpr char kModule[] =
    "variable \"age\" {\n  type = number\n}\nlocals {\n  old = age >= 65\n}\nfree = local.old || age < 6\n"
    "because = [for r in [{id = \"old\", when = local.old}] : r.id if r.when]\n";

TEST(FailureExplainer, Entries) {
  EXPECT_EQ(Failures(kModule, "test \"t\" {\n  with = { age = 30 }\n  expect = { free = true }\n}\n"),
            "free is not what is expected\n"
            "  free: false, expected true\n"
            "  free = false\n"
            "    local.old is false, as age = 30  (m.hcl:5)\n"
            "    age < 6 is false, as age = 30  (line 7)\n");
  EXPECT_EQ(Failures(kModule, "test \"t\" {\n  with = { age = 70 }\n  fails = { free = \"HCL3201\" }\n}\n"),
            "free is expected to fail by HCL3201, and is true\n"
            "  free = true\n"
            "    local.old is true, as age = 70  (m.hcl:5)\n");
}

TEST(FailureExplainer, Assertions) {
  EXPECT_EQ(
      Failures(
          kModule,
          "test \"t\" {\n  with = { age = 3 }\n  assert {\n    condition = !free || length(because) > 0\n  }\n}\n"),
      "the assertion is false: !free || length(because) > 0\n"
      "  !free || length(because) > 0 = false\n"
      "    !free is false, as free = true  (m.test.hcl:4)\n"
      "    length(because) > 0 is false, as because = []  (line 4)\n");
}

}  // namespace
}  // namespace hcl::internal

// FailureExplainer: why the entries of a failed case have the values that they have.
//
//   FailureExplainer explainer(suite, options);
//   explainer.Explain(test, case_number, &result);
//
// Internal to the workbench. Tested by workbench/failure_explainer_test.cc.

#ifndef HCLVM_WORKBENCH_FAILURE_EXPLAINER_H_
#define HCLVM_WORKBENCH_FAILURE_EXPLAINER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/test_runner.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::internal {

// Belongs to one thread. Compiles the module once more when it is first asked, so that tests which pass pay nothing.
class FailureExplainer {
 public:
  static constexpr size_t kMaxLines = 5;

  FailureExplainer(std::shared_ptr<const TestSuite> suite, const TestRunOptions& options);
  ~FailureExplainer();

  // Writes TestFailure::explanation of the failures that are about an entry or an assertion.
  void Explain(size_t test, size_t case_number, CaseResult* result);

 private:
  bool Prepare();
  std::string ExplainEntry(const Value& scope, const std::string& path);
  std::string ExplainAssertion(const Value& scope, const Assertion& assertion);

  const std::shared_ptr<const TestSuite> suite_;
  const TestRunOptions options_;
  bool is_prepared_ = false;
  std::shared_ptr<const TestSuite> recording_;  // the same suite; null where it could not be made
  std::unique_ptr<Explainer> explainer_;
  std::unique_ptr<Evaluator> evaluator_;  // of entries that assertions read
  Heap heap_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_FAILURE_EXPLAINER_H_

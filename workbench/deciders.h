// Deciders: what has decided an answer, in short, so that answers can be grouped by it.
//
// Internal to the workbench. Tested by workbench/deciders_test.cc.

#ifndef HCLVM_WORKBENCH_DECIDERS_H_
#define HCLVM_WORKBENCH_DECIDERS_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"

namespace hcl::internal {

// The rule, condition, operand, attempt or error that has decided, and its place: "user.mfa is false (policy.hcl:12)".
// Several where all of them were needed. It has no values of the request, so that requests that are decided alike give
// one text. Empty where nothing has decided.
std::string DecidingText(const Explanation& explanation);

// The entries of a program. FindEntry() takes linear time.
using EntriesByPath = std::map<std::string_view, const Entry*>;
EntriesByPath ByPath(const Program& program);

// Evaluates entries of a program once more to say what has decided. Belongs to one thread.
class DeciderFinder {
 public:
  // Requires a program that was compiled with RecordingOptions() (workbench/live_recorder.h). `base` may be null.
  DeciderFinder(std::shared_ptr<const Program> program, const Limits& limits, std::shared_ptr<const BaseLayer> base);

  // What has decided the answer of the entry at `path`, which has failed or not (`ok`). Empty where the evaluation here
  // says something else, as where a limit has ended the other one. Time: that of an evaluation.
  std::string Find(const Value& scope, std::string_view path, bool ok);

 private:
  const std::shared_ptr<const Program> program_;
  Explainer explainer_;
  const EntriesByPath entries_;
};

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_DECIDERS_H_

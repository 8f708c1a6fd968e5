// Explain: why an entry has the value that it has, for one scope.
//
//   CompileOptions recording = RecordingOptions(options);
//   std::shared_ptr<const Program> program = CompileModule(files, recording, &diagnostics);
//   Explainer explainer(program, {});
//   std::string text = ToText(explainer.Explain(scope, *program->FindEntry("allow")));
//
// The program evaluates the entry once more, in code that reports each step, so that the explanation has the machine's
// own meaning: what was not evaluated is no reason. Internal to the workbench. Tested by workbench/explain_test.cc.

#ifndef HCLVM_WORKBENCH_EXPLAIN_H_
#define HCLVM_WORKBENCH_EXPLAIN_H_

#include <cstddef>
#include <memory>

#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/run_trace.h"

namespace hcl::internal {

struct ExplainOptions {
  // Of an evaluation that is not explained: this one may take more fuel (RecordingLimits).
  Limits limits;
  bool check_all = false;
  UnknownInput unknown_input = UnknownInput::kNear;
  // What is below the scopes, of the program; null: nothing.
  std::shared_ptr<const BaseLayer> base;
  // Every sub-expression with its values, beside the reasons.
  bool full = false;
  // Sensitive values are shown. Otherwise "(sensitive value)" takes their place.
  bool show_sensitive = false;
  // No reasons that say what has not decided, nor why a rule applies.
  bool deciding_only = false;
  // Reasons beyond are counted.
  size_t max_reasons = 200;
  // Sub-expressions that are looked at; a loop evaluates its own very often.
  size_t max_nodes = 200'000;
};

// Belongs to one thread. Programs may be shared.
class Explainer {
 public:
  // Requires a program that was compiled with RecordingOptions() (workbench/live_recorder.h).
  Explainer(std::shared_ptr<const Program> program, const ExplainOptions& options);

  // Of the evaluations from here on, in place of that of the limits.
  void set_interrupt(const Interrupt& interrupt) { evaluator_.set_interrupt(interrupt); }

  // `scope`: an object or map of variables. `entry` is one of the program's. The result owns its texts. Time: that of
  // an evaluation, and that of max_nodes nodes at most.
  Explanation Explain(const Value& scope, const Entry& entry);

 private:
  const std::shared_ptr<const Program> program_;
  const ExplainOptions options_;
  Evaluator evaluator_;
  RunTrace trace_;
  Heap heap_;  // of texts under way
};

// The same for one time.
Explanation Explain(std::shared_ptr<const Program> program, const Value& scope, const Entry& entry,
                    const ExplainOptions& options = {});

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_EXPLAIN_H_

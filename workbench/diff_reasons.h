// ExplainGroups: why the examples of a comparison are answered as they are, before and after.
//
// Internal to the workbench. Tested by workbench/diff_reasons_test.cc.

#ifndef HCLVM_WORKBENCH_DIFF_REASONS_H_
#define HCLVM_WORKBENCH_DIFF_REASONS_H_

#include <cstddef>
#include <memory>

#include "hclvm/vm/program.h"
#include "hclvm/workbench/request_diff.h"

namespace hcl::internal {

// Sets why_before and why_after of the `max_groups` largest groups of each entry: what only the explanation of that
// side says. The programs are those that were compared, compiled with RecordingOptions() (workbench/live_recorder.h).
// Time: that of evaluating each example.
void ExplainGroups(const std::shared_ptr<const Program>& before, const std::shared_ptr<const Program>& after,
                   const ComparedEntries& entries, const RequestDiffOptions& options, size_t max_groups,
                   DiffCounts* counts);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_DIFF_REASONS_H_

// ExplainGroups: why the examples of a comparison are answered as they are, before and after.
//
// Internal to the workbench. Tested by workbench/diff_reasons_test.cc.

#ifndef HCLVM_WORKBENCH_DIFF_REASONS_H_
#define HCLVM_WORKBENCH_DIFF_REASONS_H_

#include <cstddef>

#include "hclvm/workbench/request_diff.h"

namespace hcl::internal {

// Sets why_before and why_after of the `max_groups` largest groups of each entry: what only the explanation of that
// side says. Requires versions that were compared and have recording programs. Time: that of evaluating each example.
void ExplainGroups(const DiffedVersion& before, const DiffedVersion& after, const ComparedEntries& entries,
                   const RequestDiffOptions& options, size_t max_groups, DiffCounts* counts);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_DIFF_REASONS_H_

// Reports of RequestDiff: text for people, Markdown for a merge request, and JSON. docs/diff.md describes them.
//
// Internal to the workbench. Tested by workbench/diff_report_test.cc and examples/page_test.py.

#ifndef HCLVM_WORKBENCH_DIFF_REPORT_H_
#define HCLVM_WORKBENCH_DIFF_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "hclvm/workbench/request_diff.h"

namespace hcl::internal {

struct DiffReportOptions {
  // Groups of one entry that are shown; the JSON has all.
  size_t max_groups = 20;
  bool color = false;  // of the text
};

// Whether nothing differs: neither an answer nor the entries.
bool IsSame(const ComparedEntries& entries, const DiffCounts& counts);

// `counts` are those of all threads, for the same entries.
std::string DiffText(const ComparedEntries& entries, const DiffCounts& counts, const DiffReportOptions& options);
std::string DiffMarkdown(const ComparedEntries& entries, const DiffCounts& counts, const DiffReportOptions& options);
// One object, in one line.
std::string DiffJson(const ComparedEntries& entries, const DiffCounts& counts);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_DIFF_REPORT_H_

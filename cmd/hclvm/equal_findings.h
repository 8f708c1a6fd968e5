// Findings of hclvm check that say the same.
//
// Tested by cmd/hclvm/equal_findings_test.cc and tests/check_test.sh.

#ifndef HCLVM_CMD_HCLVM_EQUAL_FINDINGS_H_
#define HCLVM_CMD_HCLVM_EQUAL_FINDINGS_H_

#include <vector>

#include "hclvm/base/diagnostic.h"

namespace hcl::cmd {

// Keeps the first of the findings that are equal in code, text and place, as those of a file that is given twice. The
// order stays.
void DropRepeated(std::vector<Diagnostic>* findings);

// The first of the findings that are equal in code, text and file. Its detail says on which lines the others stand.
std::vector<Diagnostic> Grouped(const std::vector<Diagnostic>& findings);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_EQUAL_FINDINGS_H_

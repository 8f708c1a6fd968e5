// What docs/diagnostics.md says of a code. The page is a part of the program.
//
// Tested by cmd/hclvm/explain_test.cc.

#ifndef HCLVM_CMD_HCLVM_EXPLAIN_H_
#define HCLVM_CMD_HCLVM_EXPLAIN_H_

#include <string>
#include <string_view>

#include "hclvm/base/diagnostic_code.h"

namespace hcl::cmd {

// Whether an argument has the form of a code: "HCL3201", "hcl3201" or "3201". Whatever else an argument of `hclvm
// explain` may be, it is not named so.
bool LooksLikeCode(std::string_view argument);

// The section about `code`: the code and its summary in the first line, then what is wrong and what to do, with
// examples indented. Ends in a newline.
std::string ExplainCode(DiagnosticCode code);

// The line that says where more is to be read: "hclvm explain HCL3201 says more", with a newline.
std::string ExplainHint(DiagnosticCode code);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_EXPLAIN_H_

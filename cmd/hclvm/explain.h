// What docs/diagnostics.md says of a code. The page is a part of the program.
//
// Tested by cmd/hclvm/explain_test.cc.

#ifndef HCLVM_CMD_HCLVM_EXPLAIN_H_
#define HCLVM_CMD_HCLVM_EXPLAIN_H_

#include <optional>
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

// What a command says last on a terminal: "hclvm explain HCL3201 says more.", in a paragraph of its own. An object
// belongs to a run of a command, and writes the line to standard error when it ends.
class ExplainHint {
 public:
  ExplainHint() = default;
  ExplainHint(const ExplainHint&) = delete;
  ExplainHint& operator=(const ExplainHint&) = delete;
  ~ExplainHint();

  // Keeps the first code that it is given.
  void Suggest(DiagnosticCode code);

 private:
  std::optional<DiagnosticCode> code_;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_EXPLAIN_H_

// RunScopes: RunNdjson() (hclvm/ndjson.h) over files, as a command does it.
//
// Tested by cmd/hclvm/scope_runner_test.cc.

#ifndef HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_
#define HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_

#include <cstdio>
#include <memory>
#include <string>

#include "hclvm/ndjson.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {

// `describe` and `tell` are set by RunScopes().
struct RunOptions : NdjsonOptions {
  bool quiet = false;             // no summary
  bool json_diagnostics = false;  // on stderr
};

// Reads `input` to its end, or until `output` cannot be written, and writes a line to `output` for each line; the
// summary and the first reports go to stderr. Reads the descriptor of `input` and not its buffer, which must still be
// empty. Returns an exit status; *error is set when reading or writing failed.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_

// RunScopes: RunNdjson() (hclvm/ndjson.h) over files, as a command does it.
//
// Tested by cmd/hclvm/scope_runner_test.cc.

#ifndef HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_
#define HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_

#include <cstdio>
#include <memory>
#include <string>

#include "hclvm/cmd/hclvm/explain.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {

// `describe`, `tell` and `progress` are set by RunScopes().
struct RunOptions : NdjsonOptions {
  bool json_array = false;        // the answers as elements of one array, not a line for each; not with `text`
  bool quiet = false;             // no summary, and no progress
  bool json_diagnostics = false;  // on stderr
  // For a terminal that shows both streams: an error is told once, as text, in place of its line of JSON. For one
  // entry, and answers that are a line each.
  bool tells_once = false;
  ExplainHint* explain = nullptr;  // is given the code of the first error that is explained as text; null: nobody asks
};

// Reads `input`, which may be compressed by gzip, to its end, or until `output` cannot be written, and writes a line to
// `output` for each line; the summary and the first reports go to stderr, and so does the progress where that is a
// terminal that `output` does not write to. Reads the descriptor of `input` and not its buffer, which must still be
// empty. Returns an exit status; *error is set when reading or writing failed.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_

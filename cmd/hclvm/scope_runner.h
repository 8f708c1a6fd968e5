// ScopeRunner: evaluates a program for every line of an NDJSON stream, with any number of threads, output in order.
//
// Tested by cmd/hclvm/scope_runner_test.cc.

#ifndef HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_
#define HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {

struct RunOptions {
  Limits limits;
  uint32_t chunk = 0;
  uint32_t threads = 1;
  bool typed = false;
  bool quiet = false;
  bool json_diagnostics = false;
  std::string scopes_name;  // for diagnostics
  // Variables where a scope has none of their name; their memory outlives the run. A later one of a name wins.
  std::vector<std::pair<std::string, Value>> variables;
};

// What became of some lines.
struct RunCounts {
  uint64_t lines = 0;
  uint64_t errors = 0;  // lines with diagnostics
  bool limit = false;   // one of them was about a limit
};

// Evaluates lines, one after the other. Not thread-safe: each thread has its own.
class LineEvaluator {
 public:
  // `options` must outlive it.
  LineEvaluator(std::shared_ptr<const Program> program, const RunOptions& options);

  // Appends the line of output for `line` (without its line end), which has number `number` from 1.
  void Evaluate(std::string_view line, uint64_t number, std::string* out);

  const RunCounts& counts() const { return counts_; }
  // Diagnostics of the first few bad lines, for stderr; cleared by the call.
  std::string TakeReports();

 private:
  void ReportScope(std::string_view line, uint64_t number, const JsonError& error, std::string* out);
  void Report(const Diagnostics& diagnostics, const Source* source, uint64_t number, std::string* out);

  const RunOptions& options_;
  Evaluator evaluator_;
  Heap heap_;  // of the scope
  JsonReader reader_;
  RunCounts counts_;
  uint64_t reported_ = 0;
  std::string reports_;
};

// Reads `input` to its end, or until `output` cannot be written, and writes a line to `output` for each line; the
// summary and the first reports go to stderr. Returns an exit status; *error is set when reading or writing failed.
int RunScopes(std::shared_ptr<const Program> program, const RunOptions& options, std::FILE* input, std::FILE* output,
              std::string* error);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_SCOPE_RUNNER_H_

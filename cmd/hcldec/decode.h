// hcldec: configs to JSON by a spec file. Behind the program hcldec and "hclvm decode".
//
// Tested by tests/hcldec_test.sh and by tests/specsuite.

#ifndef HCLVM_CMD_HCLDEC_DECODE_H_
#define HCLVM_CMD_HCLDEC_DECODE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hcldec/decode_output.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/scope_runner.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::cmd {

struct DecodeOptions {
  std::string spec;               // path of the spec file
  std::vector<std::string> vars;  // each a file, a JSON object, or NAME=EXPRESSION
  std::string out;                // path; empty: standard output
  bool json_diagnostics = false;
  bool var_refs = false;
  bool version = false;
  bool dynamic_blocks = false;            // expand them
  Dialect dialect = Dialect::kHashiCorp;  // of configs; specs always speak this one
  DecodeFormat format;
  std::string scopes;  // path of NDJSON; empty: decode once
  RunOptions run;      // for scopes
};

// The setters of options that hcldec and `hclvm decode` have alike; `options` must outlive them.
void AddDecodeOptions(DecodeOptions* options, CommandSyntax* syntax);

// Decodes `files` ("-" or none: standard input) together. Prints, and returns an exit status as the reference's program
// has it: 0; 1 when files cannot be opened for writing or the value has no JSON form; 2 for diagnostics.
int Decode(const DecodeOptions& options, const std::vector<std::string_view>& files);

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLDEC_DECODE_H_

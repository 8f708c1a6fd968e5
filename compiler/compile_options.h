// CompileOptions: what a compilation may be told.

#ifndef HCLVM_COMPILER_COMPILE_OPTIONS_H_
#define HCLVM_COMPILER_COMPILE_OPTIONS_H_

#include <memory>

#include "hclvm/base/limits.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {

struct CompileOptions {
  // Which text decides where specification and reference differ.
  Dialect dialect = Dialect::kSpec;
  Limits limits;
  // The functions that expressions may call; null: none.
  std::shared_ptr<const FunctionRegistry> functions;
  // Fold constants, skip what provably cannot matter, prepare lookup sets. Off: the same results, more slowly; a test
  // compares the two.
  bool optimize = true;
  // Give operators, conditionals and paths a second, much faster code for the case that all values are known, unmarked
  // and of the kinds that the operators are for. Off: somewhat smaller programs. Needs `optimize`.
  bool fast_code = true;
  // Internal: programs report what they evaluate to a recorder (vm/run_recorder.h). Needs both of the above off.
  bool record = false;
  // Internal: of these reports, only those of nodes that decide what is evaluated, as conditionals do, and of their
  // parts.
  bool record_decisions_only = false;
  // Internal: programs know which text each instruction was made of (vm/origin_table.h). They are otherwise the same.
  bool keep_origins = false;
};

// How the native syntax is read for programs compiled with `options`.
inline ParseOptions ParseOptionsFor(const CompileOptions& options) {
  ParseOptions parse_options;
  parse_options.limits = options.limits;
  parse_options.allow_byte_order_mark = options.dialect == Dialect::kHashiCorp;
  parse_options.strip_one_line = options.dialect == Dialect::kHashiCorp;
  return parse_options;
}

}  // namespace hcl

#endif  // HCLVM_COMPILER_COMPILE_OPTIONS_H_

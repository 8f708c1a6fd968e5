// One program, evaluated by the virtual machine and by the slow evaluator, and what they say compared.

#ifndef HCLVM_TESTS_SLOW_BOTH_SIDES_H_
#define HCLVM_TESTS_SLOW_BOTH_SIDES_H_

#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// The value with its type as typed JSON, or the problems.
std::string Print(const Outcome& outcome);

// A parsed program.
class Parsed {
 public:
  explicit Parsed(std::string_view text);

  // Null when the text has errors.
  const Expr* expr() const { return file_->expr; }
  bool ok() const { return diagnostics_.empty(); }
  const std::shared_ptr<const Source>& source() const { return source_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  std::shared_ptr<const Source> source_;
  Diagnostics diagnostics_;
  std::unique_ptr<ParsedFile> file_;
};

// The slow evaluator, with memory and the standard functions, for one dialect.
class SlowSide {
 public:
  explicit SlowSide(Dialect dialect);

  // Valid until the next call.
  Outcome Evaluate(const Parsed& parsed, const Value& variables);
  // Of the last evaluation.
  const Doubts& doubts() const { return evaluator_.doubts(); }

 private:
  std::shared_ptr<const FunctionRegistry> functions_;
  Heap heap_;
  TreeEvaluator evaluator_;
};

// The virtual machine.
class FastSide {
 public:
  FastSide(Dialect dialect, bool optimize);

  // Valid until the next call.
  Outcome Evaluate(const Parsed& parsed, const Value& variables);

 private:
  CompileOptions options_;
  std::unique_ptr<Evaluator> evaluator_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_BOTH_SIDES_H_

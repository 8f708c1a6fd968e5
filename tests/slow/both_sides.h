// One program, evaluated by the virtual machine and by the slow evaluator, and what they say compared.

#ifndef HCLVM_TESTS_SLOW_BOTH_SIDES_H_
#define HCLVM_TESTS_SLOW_BOTH_SIDES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// The value with its type as typed JSON, or the problems.
std::string Print(const Outcome& outcome);

// Equal values of equal types and marks, with the same known of what is unknown; or errors of which the first is the
// same message about the same place.
bool Same(const Outcome& a, const Outcome& b);

// What an evaluation gave; valid as long as that is.
Outcome OutcomeOf(const Evaluation& evaluation);

// Whether one of the problems is a limit.
bool HasLimit(const Outcome& outcome);

// A parsed program.
class Parsed {
 public:
  explicit Parsed(std::string_view text, const ParseOptions& options = {});

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

// The default ones, in that dialect.
CompileOptions OptionsFor(Dialect dialect);

// How the virtual machine is asked.
enum class Code : uint8_t {
  kOptimized,    // as hosts do
  kGeneral,      // without fast code (CompileOptions::fast_code)
  kUnoptimized,  // without either
};

// The virtual machine.
class FastSide {
 public:
  FastSide(Dialect dialect, Code code);

  // For the programs from the next one on.
  void set_limits(const Limits& limits) { options_.limits = limits; }
  // The program that Run() evaluates from now on.
  void Compile(const Parsed& parsed);
  // The same program as another side has compiled, in an evaluator of its own.
  void Share(const FastSide& other);
  // Valid until the next call of any of these. Requires a program.
  Outcome Run(const Value& variables);
  // The same, where the variables that the program reads are lazy. *most_calls: of the callback of any of them.
  Outcome RunLazily(const Value& variables, uint32_t* most_calls);
  // Runs the program over all of these, which OutcomeOfRow() tells of; nothing without a program.
  void RunMany(absl::Span<const Value> scopes, RunResults* results);
  // Of the last RunMany(); none without a program. Valid as long as the results are.
  std::optional<Outcome> OutcomeOfRow(const RunResults& results, size_t row) const;
  // Compiles and runs.
  Outcome Evaluate(const Parsed& parsed, const Value& variables);
  // Of the last run.
  uint64_t fuel_used() const { return fuel_used_; }
  // What the program's code reads before it is written, or nothing, also where there is no program.
  std::string WhatIsReadBeforeWritten() const;
  // For TypeOf() on the last result. Requires a program.
  TypeTable* types() { return evaluator_->heap()->types(); }

 private:
  void Use(std::shared_ptr<const Program> program);
  Outcome RunBound();

  CompileOptions options_;
  Problems problems_;  // of the compilation
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Evaluator> evaluator_;
  uint64_t fuel_used_ = 0;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_BOTH_SIDES_H_

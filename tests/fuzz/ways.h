// Ways: one program evaluated optimized, without fast code, not optimized, and by the slow evaluator of tests/slow.
//
// Tested by tests/fuzz/replay_test.cc.

#ifndef HCLVM_TESTS_FUZZ_WAYS_H_
#define HCLVM_TESTS_FUZZ_WAYS_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::fuzz {

// Makes a program; null and messages on failure.
using Compile = std::function<std::shared_ptr<const Program>(const CompileOptions& options, Diagnostics* diagnostics)>;

// One evaluation, and what its result lives in.
struct Run {
  std::unique_ptr<Evaluator> evaluator;  // null: nothing was compiled
  Diagnostics diagnostics;               // of the compilation that failed, or of the evaluation
  Value value;                           // unless there are diagnostics

  bool ok() const { return evaluator != nullptr && diagnostics.empty(); }
  // A limit or the deadline: how far it comes until then is no promise.
  bool stopped() const { return diagnostics.has_limit(); }
};

// The value with its type, marks and refinements, or the messages.
std::string Print(const Run& run);

// Compiles and runs, and checks messages, time, memory, and what fuel was taken for it. `variables`: an object.
Run RunOnce(const char* way, const Source& source, const Compile& compile, const CompileOptions& options,
            const Value& variables);

// Runs in the three ways that the compiler has, and requires that all give the same. The first one's result.
Run RunCompiledWays(const Source& source, const Compile& compile, Dialect dialect, const Value& variables);

enum class Form { kExpression, kTemplate, kConfig };

// `text` in all ways, for both dialects; the variables are those of `scope` (tests/fuzz/scopes.h). The slow evaluator
// takes no configs and no marked values, and is asked only what it has time for.
void RunInAllWays(Form form, std::string_view scope, std::string_view text);

}  // namespace hcl::fuzz

#endif  // HCLVM_TESTS_FUZZ_WAYS_H_

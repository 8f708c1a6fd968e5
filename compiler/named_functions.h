// NamedFunctions: what the text says of the functions of a module, for fast code that stands on it in place of a call.
//
// Tested by module/inlined_functions_test.cc.

#ifndef HCLVM_COMPILER_NAMED_FUNCTIONS_H_
#define HCLVM_COMPILER_NAMED_FUNCTIONS_H_

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Not thread-safe. Serves one program under construction.
class NamedFunctions {
 public:
  // All must outlive this.
  NamedFunctions(const CompileOptions& options, ProgramBuilder* builder, Folding* folding);

  // `result` is what the function gives, in which its parameters and `functions` are names. All must outlive this.
  void Add(const Function* function, const FunctionRegistry* functions, const Expr* result);

  // The tree of what it gives, whose parameters are locals: that of level UINT32_MAX is the first one, and so on down.
  // It is bound when it is first asked for. Null for other functions.
  const NamedTree* Find(const Function* function);

 private:
  struct Named {
    const FunctionRegistry* functions = nullptr;
    const Expr* result = nullptr;
    const NamedTree* tree = nullptr;
  };

  Diagnostics unheard_;  // what is wrong was told when the function was made
  Binder binder_;
  HashMap<const Function*, Named> functions_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_NAMED_FUNCTIONS_H_

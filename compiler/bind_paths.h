// PathBinder: variables, and steps into values.
//
// A variable with the steps that follow it becomes one BoundPath, a local one BoundLocal; what follows any other value
// becomes steps of it. Tested by compiler/bind_test.cc, and module/module_test.cc for the names of modules.

#ifndef HCLVM_COMPILER_BIND_PATHS_H_
#define HCLVM_COMPILER_BIND_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compile_reports.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/compiler/literals.h"
#include "hclvm/compiler/local_names.h"
#include "hclvm/compiler/module_names.h"
#include "hclvm/compiler/tree_builder.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

class Binder;

// What expressions see: locals, functions (may be null), and, if `has_variables`, the program's variables.
struct NameScope {
  const FunctionRegistry* functions = nullptr;
  bool has_variables = true;
  std::vector<HostLocal> locals;
  const ModuleNames* module = nullptr;  // all that there is, in an expression of a module
};

// Not thread-safe.
class PathBinder {
 public:
  // All must outlive this. `binder` binds what is no path.
  PathBinder(const CompileOptions& options, const NameScope& scope, ProgramBuilder* builder, Folding* folding,
             CompileReports* reports, Literals* literals, TreeBuilder* tree, LocalNames* locals, Binder* binder)
      : options_(options),
        scope_(scope),
        builder_(builder),
        folding_(*folding),
        reports_(*reports),
        literals_(*literals),
        tree_(*tree),
        locals_(*locals),
        binder_(*binder) {}

  // Adds the node of a variable, a traversal, an index operator, or the element of a splat.
  BoundExpr* Bind(const Expr& expr);

 private:
  using Mark = TreeBuilder::Mark;
  // A path under construction: what it begins with, and its steps. One of the three is there. The steps that are not
  // yet taken are in steps_: nothing else is bound before they are.
  struct Route {
    std::optional<uint32_t> slot;          // of a variable
    std::string_view name;                 // of that
    const ModuleName* declared = nullptr;  // of that, in a module
    bool has_prefix = false;               // its name is the first step: `var.NAME`, `local.NAME`
    LocalVariable* local = nullptr;        // or a local
    BoundExpr* source = nullptr;           // or any other value
    SourceRange root;                      // of the variable
    SourceRange whole;                     // with the steps so far
  };

  ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindSpine(const Expr& expr);
  BoundExpr* BindIndexStep(const IndexExpr& expr, const Mark& mark, BoundExpr* source);
  // False when it is none, which is reported.
  ABSL_ATTRIBUTE_NOINLINE bool TakeKey(const TraversalStep& step, Value* key);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> LiteralKeyOf(const Expr& key);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> ComputedKeyOf(const Expr& key);
  ABSL_ATTRIBUTE_NOINLINE bool Begin(const VariableExpr& variable, const Expr* step, SourceRange whole, Route* route);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* EndRoute(const Mark& mark, Route* route);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* EndPath(const Mark& mark, const Route& route);
  ABSL_ATTRIBUTE_NOINLINE bool TakeSteps(const TraversalExpr& expr, size_t from, const Mark& mark, Route* route);
  void Take(const BoundStep& step, const Mark& mark, Route* route);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* AddSteps(const Mark& mark, BoundExpr* source, absl::Span<const BoundStep> steps);
  // A part of a constant, for which nothing is made; nothing where the operation fails.
  template <typename Operation>
  std::optional<Value> FoldPart(Operation operation);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseUnknownVariable(const Mark& mark,
                                                                              const VariableExpr& root,
                                                                              SourceRange whole);
  // bind_modules.cc
  ABSL_ATTRIBUTE_NOINLINE bool BeginInModule(const VariableExpr& variable, const Expr* step, Route* route);
  const ModuleName* FindInModule(const VariableExpr& variable, const Expr* step, Route* route);
  void SetModuleFacts(const Route& route, BoundPath* node);

  const CompileOptions& options_;
  const NameScope& scope_;
  ProgramBuilder* builder_;
  Folding& folding_;
  CompileReports& reports_;
  Literals& literals_;
  TreeBuilder& tree_;
  LocalNames& locals_;
  Binder& binder_;
  PlainList<BoundStep, 4> steps_;  // of the path under construction
  // A list of a function that recurses, so that a level of nesting takes little of the stack.
  ScratchStack<const Expr*> spines_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BIND_PATHS_H_

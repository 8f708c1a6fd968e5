// Binder: from the syntax tree to the bound tree (compiler/bound_tree.h).
//
// Names become slots, locals and functions, literals values; what is constant is computed, as far as the bounds of
// Folding allow; each node gets its facts. What the program needs for a node, whatever code is made of it, is added to
// the program here: paths, call sites, prepared sets, shapes, diagnostics.
//
// Recursion follows the nesting of the syntax, which the parser has bounded; left spines are walked in loops.
// Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_BIND_H_
#define HCLVM_COMPILER_BIND_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bind_paths.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compile_reports.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/compiler/function_names.h"
#include "hclvm/compiler/literals.h"
#include "hclvm/compiler/local_names.h"
#include "hclvm/compiler/part_types.h"
#include "hclvm/compiler/tree_builder.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// `expr` without parentheses, and without the quotes around a single interpolation.
const Expr& UnwrapNested(const Expr& expr);
inline const Expr& Unwrap(const Expr& expr) {
  return expr.kind == ExprKind::kParen || expr.kind == ExprKind::kTemplateWrap ? UnwrapNested(expr) : expr;
}

// Not thread-safe. Serves one compilation, one expression after the other.
class Binder {
 public:
  using Scope = NameScope;

  // All must outlive the binder.
  Binder(const CompileOptions& options, ProgramBuilder* builder, Folding* folding, Diagnostics* diagnostics);

  // Makes the tree of `expr`, which lives until the next call. What is wrong with literals is reported; the program is
  // not used then, nor after an interrupt.
  const BoundTree& Bind(const Expr& expr);
  // The same, and the trees made since the last call of Bind(), and by that, live on until the next one.
  const BoundTree& BindAnother(const Expr& expr);
  // The same, and the tree lives as long as the binder.
  const BoundTree& BindKept(const Expr& expr);
  // Adds the node of an expression to the tree under construction.
  BoundExpr* BindExpr(const Expr& expr);

  Scope* scope() { return &scope_; }
  TreeBuilder* trees() { return &tree_; }
  FunctionNames* functions() { return &functions_; }
  // A string constant of the program, normalized.
  Value StringConstant(std::string_view text) { return literals_.StringOf(text); }
  // An object constant of the program.
  Value ObjectConstant(const Shape* shape, absl::Span<const Value> values);
  Value TupleConstant(absl::Span<const Value> elements);
  // The call of `regex` with the arguments of that of `regexall`, whose pattern is a constant; null where that is no
  // pattern, or there is no such function.
  const BoundCall* FirstMatch(const BoundCall& regexall);
  // A shape of the program, and its index there; keys in any order, none twice, whose places go to `positions`.
  const Shape* AddShape(absl::Span<const Value> keys, absl::Span<uint32_t> positions, uint32_t* index);
  // Whether the host wants the compilation to stop, which is reported once.
  bool Interrupted() {
    return __builtin_expect(!folding_.Step() || folding_.interrupted(), 0) && reports_.ReportInterrupt();
  }

 private:
  using Mark = TreeBuilder::Mark;

  // bind.cc
  const BoundTree& BindAll(const Expr& expr);
  BoundExpr* BindInner(const Expr& expr);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindLiteral(const Expr& expr);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindNothing(const Expr& expr);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindInvalid(const Expr& expr);

  // bind_operators.cc
  BoundExpr* BindUnary(const UnaryExpr& expr);
  BoundExpr* BindBinary(const BinaryExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> FoldBinary(BinaryOp op, const BoundExpr& lhs, const BoundExpr& rhs);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* EndChain(const Mark& mark, BinaryOp op,
                                              const ScratchList<const BoundExpr*>& operands,
                                              const ScratchList<BoundApplication>& applications);
  // Warns where the types of the operands of `==` or `!=` decide the answer.
  ABSL_ATTRIBUTE_NOINLINE void WarnOfComparison(const BinaryExpr& expr, const BoundExpr& a, const BoundExpr& b);
  BoundExpr* BindChoice(SourceRange range, const Expr& condition, const Expr& if_true, const Expr* if_false);
  BoundExpr* BindTemplate(const TemplateExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> FoldParts(absl::Span<const BoundExpr* const> parts);
  BoundExpr* BindTemplateFor(const TemplateForExpr& expr);

  // bind_collections.cc
  BoundExpr* BindTuple(const TupleExpr& expr);
  BoundExpr* BindObject(const ObjectExpr& expr);
  BoundExpr* BindKey(const ObjectItem& item);
  ABSL_ATTRIBUTE_NOINLINE Value TupleOf(absl::Span<const BoundExpr* const> elements);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseAmbiguousKey(const Expr& key);
  const Shape* ShapeOf(absl::Span<BoundItem> items);
  struct KeyPlace {
    Value key;
    uint32_t position;
  };
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* FinishObject(const ObjectExpr& expr, const Mark& mark,
                                                  absl::Span<const BoundItem> bound);
  BoundExpr* BindFor(const ForExpr& expr);
  BoundExpr* BindSplat(const SplatExpr& expr);

  // bind_calls.cc
  BoundExpr* BindCall(const CallExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindType(const Expr& expr);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* FinishCall(BoundCall* call, const Mark& mark);
  void ConvertConstants(const BoundCall& call);
  std::optional<Value> FoldCall(const BoundCall& call);
  const void* Prepare(const BoundCall& call);
  bool HasLookup(const BoundCall& call) const;
  std::optional<Value> FoldLookup(const BoundCall& call);
  BoundExpr* AddResult(const BoundCall& call, const Value& value, const Mark& mark);
  ABSL_ATTRIBUTE_NOINLINE absl::Span<const SourceRange> SpansOf(const CallExpr& expr);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseUnknownFunction(const CallExpr& expr);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseWrongCount(const CallExpr& expr,
                                                                         const Function& function);

  // An operation on constants; nothing when it would fail (the program then fails as it runs), or when its result is
  // too large for a constant.
  template <typename Operation>
  std::optional<Value> Fold(Operation operation);

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Folding& folding_;
  Scope scope_;
  CompileReports reports_;
  Literals literals_;
  PartTypes types_;
  TreeBuilder tree_;
  LocalNames locals_;
  FunctionNames functions_;
  PathBinder paths_;
  uint32_t attempts_ = 0;              // arguments of try and can around the node at hand
  PlainList<KeyPlace, 8> last_keys_;   // of the object that had its shape made last
  const Shape* last_shape_ = nullptr;  // that
  uint32_t splats_ = 0;                // how many have been bound
  // Lists of the functions that recurse, so that a level of nesting takes little of the stack.
  ScratchStack<const Expr*> spines_;
  ScratchStack<const BoundExpr*> parts_;
  ScratchStack<BoundItem> items_;
  ScratchStack<BoundApplication> applications_;
  ScratchStack<Value> values_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BIND_H_

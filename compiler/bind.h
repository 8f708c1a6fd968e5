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

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/compiler/module_names.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/type.h"
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
  // A variable that the caller keeps in a register; an inner one hides an outer one.
  struct HostLocal {
    std::string_view name;
    uint16_t reg;
  };
  // What expressions see: locals, functions (may be null), and, if `has_variables`, the program's variables.
  struct Scope {
    const FunctionRegistry* functions = nullptr;
    bool has_variables = true;
    std::vector<HostLocal> locals;
    const ModuleNames* module = nullptr;  // all that there is, in an expression of a module
  };

  // All must outlive the binder.
  Binder(const CompileOptions& options, ProgramBuilder* builder, Folding* folding, Diagnostics* diagnostics);

  // Makes the tree of `expr`, which lives until the next call. What is wrong with literals is reported; the program is
  // not used then, nor after an interrupt.
  const BoundTree& Bind(const Expr& expr);
  // The same, and the trees made since the last call of Bind(), and by that, live on until the next one.
  const BoundTree& BindAnother(const Expr& expr);
  // The same, and the tree lives as long as the binder.
  const BoundTree& BindKept(const Expr& expr);
  // What expressions that are bound from here on may know of that tree.
  const NamedTree* Name(const BoundTree& kept, bool is_read_once);

  Scope* scope() { return &scope_; }
  // Makes the function that is called in place of one with Function::Special::kTemplateString, of which `functions` are
  // those that its templates may call. Without it, the one that is declared is called.
  using MakeTemplateFunction = Function (*)(const Function& declared, const FunctionRegistry& functions);
  void set_template_function(MakeTemplateFunction make) { make_template_function_ = make; }
  // From here on, nodes do not get what only code needs: the facts that say what fast code there is for them, and paths
  // in the program.
  void LeaveOutCode() { is_for_code_ = false; }
  // Adds the paths of the tree that was made last, so that there may be code for it after all.
  void AddPaths();
  // A string constant of the program, normalized.
  Value StringConstant(std::string_view text);
  // Memory for what is made of the trees that are bound, and lives as long.
  Arena* arena() { return &arena_; }
  // Whether the host wants the compilation to stop, which is reported once.
  bool Interrupted() { return __builtin_expect(!folding_.Step() || folding_.interrupted(), 0) && ReportInterrupt(); }

 private:
  // A place in the tree under construction.
  struct Mark {
    uint32_t id, paths, locals, decisions;
  };
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

  Mark Here() const {
    return {static_cast<uint32_t>(tree_->nodes_.size()), static_cast<uint32_t>(tree_->path_reads_.size()),
            static_cast<uint32_t>(tree_->local_reads_.size()), tree_->decisions_};
  }
  BoundTree* TakeTree();
  const BoundTree& BindIn(BoundTree* tree, const Expr& expr);
  // Takes back the nodes since `mark`.
  void Rewind(const Mark& mark);
  // Gives the node its place and the facts that follow from it; its parts were added since `mark`.
  void Place(BoundExpr* node, const Mark& mark);
  // The same without facts.
  void Append(BoundExpr* node, const Mark& mark) {
    node->id = static_cast<uint32_t>(tree_->nodes_.size());
    node->first = mark.id;
    node->paths_begin = mark.paths;
    node->locals_begin = mark.locals;
    node->paths_end = static_cast<uint32_t>(tree_->path_reads_.size());
    node->locals_end = static_cast<uint32_t>(tree_->local_reads_.size());
    tree_->nodes_.push_back(node);
  }
  template <typename Node>
  Node* Add(Node* node, const Mark& mark) {
    return Place(node, mark), node;
  }
  // A constant instead of all nodes since `mark`.
  BoundConstant* AddConstant(const Mark& mark, SourceRange range, const Value& value);
  // The same for the value of an operation: the facts stay those of its form, since an unknown condition's result takes
  // its type from what branches look like.
  BoundConstant* AddFolded(const Mark& mark, SourceRange range, const Value& value, Type type, bool never_null = true);
  // A constant with the parts of the literal that it was made of.
  BoundConstant* AddLiteral(const Mark& mark, const BoundExpr* literal, const Value& value);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundRaise* AddRaise(const Mark& mark, SourceRange range,
                                                                   Diagnostic diagnostic);
  template <typename Node, typename... Args>
  Node* New(Args&&... args) {
    return arena_.New<Node>(std::forward<Args>(args)...);
  }
  template <typename T>
  absl::Span<const T> Keep(absl::Span<const T> items) {
    return arena_.CopySpan(items);
  }

  // bind.cc
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE bool ReportInterrupt();
  // An error, warning or limit at `range`, by its code.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE void Report(SourceRange range, DiagnosticCode code, std::string detail);
  BoundExpr* BindExpr(const Expr& expr);
  BoundExpr* BindInner(const Expr& expr);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindLiteral(const Expr& expr);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindNothing(const Expr& expr);
  ABSL_ATTRIBUTE_NOINLINE Value ValueOf(const LiteralExpr& expr);
  // What the digits of a number in the source are.
  Number NumberOf(std::string_view spelling, NumberError* error);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindInvalid(const Expr& expr);

  // bind_paths.cc
  BoundExpr* BindSteps(const Expr& expr);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* BindSpine(const Expr& expr);
  BoundExpr* BindIndexStep(const IndexExpr& expr, const Mark& mark, BoundExpr* source);
  // False when it is none, which is reported.
  ABSL_ATTRIBUTE_NOINLINE bool TakeKey(const TraversalStep& step, Value* key);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> LiteralKeyOf(const Expr& key);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> ComputedKeyOf(const Expr& key);
  ABSL_ATTRIBUTE_NOINLINE bool Begin(const VariableExpr& variable, const Expr* step, SourceRange whole, Route* route);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* EndRoute(const Mark& mark, Route* route);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* EndPath(const Mark& mark, const Route& route);
  void AddPath(BoundPath* node);
  ABSL_ATTRIBUTE_NOINLINE bool TakeSteps(const TraversalExpr& expr, size_t from, const Mark& mark, Route* route);
  void Take(const BoundStep& step, const Mark& mark, Route* route);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* AddSteps(const Mark& mark, BoundExpr* source, absl::Span<const BoundStep> steps);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseUnknownVariable(const Mark& mark,
                                                                              const VariableExpr& root,
                                                                              SourceRange whole);
  // bind_modules.cc
  ABSL_ATTRIBUTE_NOINLINE bool BeginInModule(const VariableExpr& variable, const Expr* step, Route* route);
  const ModuleName* FindInModule(const VariableExpr& variable, const Expr* step, Route* route);
  void SetModuleFacts(const Route& route, BoundPath* node);

  LocalVariable* FindLocal(std::string_view name) {
    return locals_.empty() && scope_.locals.empty() ? nullptr : FindAmongLocals(name);
  }
  ABSL_ATTRIBUTE_NOINLINE LocalVariable* FindAmongLocals(std::string_view name);
  LocalVariable* NewLocal(std::string_view name, bool is_key);
  // A loop's variables are visible from here to LeaveLoop(), which forgets those that nothing has read.
  void EnterLoop(std::string_view key, std::string_view value, LoopVariables* variables);
  void LeaveLoop(LoopVariables* variables);

  // bind_operators.cc
  BoundExpr* BindUnary(const UnaryExpr& expr);
  BoundExpr* BindBinary(const BinaryExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> FoldBinary(BinaryOp op, const BoundExpr& lhs, const BoundExpr& rhs);
  ABSL_ATTRIBUTE_NOINLINE BoundExpr* EndChain(const Mark& mark, BinaryOp op,
                                              const ScratchList<const BoundExpr*>& operands,
                                              const ScratchList<BoundApplication>& applications);
  BoundExpr* BindChoice(SourceRange range, const Expr& condition, const Expr& if_true, const Expr* if_false);
  BoundExpr* BindTemplate(const TemplateExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> TextOf(const TemplateExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> FoldParts(absl::Span<const BoundExpr* const> parts);
  BoundExpr* BindTemplateFor(const TemplateForExpr& expr);

  // bind_comparisons.cc
  // Warns where the types of the operands of `==` or `!=` decide the answer.
  ABSL_ATTRIBUTE_NOINLINE void WarnOfComparison(BinaryOp op, SourceRange range, const BoundExpr& a, const BoundExpr& b);
  Type ToldType(const BoundExpr& expr, int depth);

  // bind_collections.cc
  BoundExpr* BindTuple(const TupleExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE std::optional<Value> LiteralOf(const Expr& expr);
  BoundExpr* BindObject(const ObjectExpr& expr);
  BoundExpr* BindKey(const ObjectItem& item);
  ABSL_ATTRIBUTE_NOINLINE Value TupleOf(absl::Span<const BoundExpr* const> elements);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseAmbiguousKey(const Expr& key);
  static constexpr uint32_t kMaxObjects = 16;  // a choice between more is not looked at
  // What BoundConditional says of the objects that it yields: shape, item_types, objects.
  struct ObjectForm {
    const Shape* shape = nullptr;
    absl::Span<const Type> types{};
    uint32_t objects = 0;
    bool is_open = false;  // open_items
  };
  ObjectForm FormOf(const BoundExpr& branch);
  void SetShape(BoundConditional* choice);
  // What BoundConditional::common_type is for these branches.
  Type CommonType(BoundExpr* if_true, BoundExpr* if_false);
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
  const Function* FindByName(std::string_view name);
  const Function* FindFunction(std::string_view name);
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
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE std::string_view NearestFunction(std::string_view name);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundExpr* RaiseWrongCount(const CallExpr& expr,
                                                                         const Function& function);

  // The type of a tuple or an object whose parts all tell theirs.
  ABSL_ATTRIBUTE_NOINLINE Type TypeOfParts(const BoundExpr& node);

  // An operation on constants; nothing when it would fail (the program then fails as it runs), or when its result is
  // too large for a constant.
  template <typename Operation>
  std::optional<Value> Fold(Operation operation);
  // The same for an operation whose result is a part of a constant: nothing is made.
  template <typename Operation>
  std::optional<Value> FoldPart(Operation operation);

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Folding& folding_;
  Diagnostics* diagnostics_;
  Scope scope_;
  Arena arena_;       // of all trees
  Arena kept_arena_;  // of those that are kept
  std::vector<std::unique_ptr<BoundTree>> kept_trees_;
  BoundTree first_tree_;
  std::vector<std::unique_ptr<BoundTree>> other_trees_;
  size_t tree_count_ = 0;           // that are in use
  BoundTree* tree_ = &first_tree_;  // under construction
  std::optional<TypeTable> types_;  // of objects and tuples, made when the first is asked for
  bool reported_interrupt_ = false;
  bool is_for_code_ = true;
  uint32_t attempts_ = 0;      // arguments of try and can around the node at hand
  size_t compared_names_ = 0;  // to find which function was meant
  // What was found last, by the length of the names, and where.
  std::array<const Function*, 4> found_functions_ = {};
  const FunctionRegistry* found_in_ = nullptr;
  MakeTemplateFunction make_template_function_ = nullptr;
  const Function* declared_template_function_ = nullptr;  // that one was made of
  const Function* template_function_ = nullptr;

  PlainList<KeyPlace, 8> last_keys_;     // of the object that had its shape made last
  const Shape* last_shape_ = nullptr;    // that
  PlainList<LocalVariable*, 8> locals_;  // the innermost last
  PlainList<LocalVariable*, 8> splat_items_;
  uint32_t splats_ = 0;            // how many have been bound
  PlainList<BoundStep, 4> steps_;  // of the path under construction
  // Lists of the functions that recurse, so that a level of nesting takes little of the stack.
  ScratchStack<const Expr*> spines_;
  ScratchStack<const BoundExpr*> parts_;
  ScratchStack<BoundItem> items_;
  ScratchStack<BoundApplication> applications_;
  ScratchStack<Value> values_;
  ScratchStack<PathStep> path_;
};

// The value of an operation in `heap`; nothing where it fails.
template <typename Operation>
std::optional<Value> FoldIn(Heap* heap, Operation operation) {
  Diagnostics scratch(1);
  Failures failures(&scratch);
  failures.Begin(Failures::Mode::kCount);
  OpContext context{heap, &failures};
  const Value value = operation(&context);
  if (value.is_error() || failures.count() != 0) return std::nullopt;
  return value;
}

// The cost of an operator: one on long numbers takes some microseconds.
inline constexpr uint64_t kFoldingCost = 10;

// Not inlined into functions that recurse, whose frames would grow by what it holds.
template <typename Operation>
ABSL_ATTRIBUTE_NOINLINE std::optional<Value> Binder::Fold(Operation operation) {
  if (!options_.optimize) return std::nullopt;
  return folding_.Compute(kFoldingCost, [&](Heap* heap) -> std::optional<Value> { return FoldIn(heap, operation); });
}

template <typename Operation>
ABSL_ATTRIBUTE_NOINLINE std::optional<Value> Binder::FoldPart(Operation operation) {
  return options_.optimize ? FoldIn(builder_->heap(), operation) : std::nullopt;
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_BIND_H_

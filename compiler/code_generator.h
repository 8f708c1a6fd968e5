// CodeGenerator: instructions for one expression after the other.
//
// Works down the AST with delayed placement: what an expression yields is described (a constant, or a register) and
// moved only when it has to be. Registers are a stack. Recursion follows the nesting of the syntax, which the parser
// has bounded; left spines are walked in loops.
// Tested by compiler/compiler_test.cc.

#ifndef HCLVM_COMPILER_CODE_GENERATOR_H_
#define HCLVM_COMPILER_CODE_GENERATOR_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A list of what belongs to one expression. Most expressions are small, so up to eight items take no allocation.
template <typename T>
using ShortList = absl::InlinedVector<T, 8>;

// `expr` without parentheses, and without the quotes around a single interpolation.
inline const Expr& Unwrap(const Expr& expr) {
  const Expr* inner = &expr;
  while (inner->kind == ExprKind::kParen || inner->kind == ExprKind::kTemplateWrap) {
    inner = inner->kind == ExprKind::kParen ? As<ParenExpr>(*inner).inner : As<TemplateWrapExpr>(*inner).inner;
  }
  return *inner;
}

// Whether `expr` is a literal, or a template without anything but text.
bool IsLiteral(const Expr& expr);

// What an expression yields.
struct Result {
  static Result Constant(const Value& v) { return {true, 0, v}; }
  static Result Register(uint16_t r) { return {false, r, Value()}; }

  bool is_constant;
  uint16_t reg;
  Value value;
};

class CodeGenerator {
 public:
  // All must outlive the generator.
  CodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics);

  // Compiles `expr` as a chunk of its own and returns its index.
  uint32_t GenerateChunk(const Expr& expr);

  // Code that yields `expr`; if it needs a register, in `dest`, which is allocated. Registers above the ones allocated
  // are free for it and free again afterwards.
  Result Generate(const Expr& expr, uint16_t dest);
  void MoveTo(const Result& result, uint16_t dest);
  uint16_t Rk(const Result& result);
  // The type of every value that `expr` can yield, where that is plain to see.
  std::optional<Type> StaticType(const Expr& expr) const;
  // Code that adds `diagnostic` and yields an error.
  Result Raise(Diagnostic diagnostic, uint16_t dest);

  // A variable that lives in a register, for expressions generated from here on; an inner one hides an outer one.
  struct Local {
    std::string_view name;
    uint16_t reg;
    uint32_t loop = kNoLoop;  // the loop whose variable it is, in the program's table
    bool is_key = false;
  };
  static constexpr uint32_t kNoLoop = UINT32_MAX;
  void PushLocal(Local local) { locals_.push_back(local); }
  void PopLocal() { locals_.pop_back(); }

  // What expressions see: locals, functions (may be null), and, if `has_variables`, the program's variables.
  struct Scope {
    const FunctionRegistry* functions;
    bool has_variables = true;
    std::vector<Local> locals;
  };
  // Takes `scope` for expressions generated from here on, and returns the one before. Functions must outlive the
  // program.
  Scope ExchangeScope(Scope scope);

  // These serve chunks that are written instruction by instruction, such as the whole config's: they hand out registers
  // and operands, and count the registers of a chunk at its end.
  uint16_t Allocate();
  void FreeTo(uint16_t reg) { next_ = reg; }
  uint16_t next() const { return next_; }
  uint32_t used_registers() const { return used_; }
  void ResetRegisters() { next_ = 0, used_ = 0; }
  uint16_t RkConstant(const Value& value);
  Value StringConstant(std::string_view text);

 private:
  friend class LiteralLoop;
  friend class PlainGenerator;

  // The function that `expr` calls, or null.
  const Function* FunctionOf(const CallExpr& expr) const;
  // The variable of that name that lives in a register, the innermost one, or null.
  const Local* FindLocal(std::string_view name) const;
  // Does what Generate() does, for expressions that have plain code in front of their general code; nothing for others.
  std::optional<Result> GeneratePlain(const Expr& expr, uint16_t dest);
  // The same for loops over literal lists.
  std::optional<Result> GenerateLiteralLoop(const Expr& expr, uint16_t dest);
  // General code behind the plain code of `expr`.
  void GenerateBehindPlain(const Expr& expr, uint16_t dest);
  // Does what Generate() does, without plain code.
  Result GenerateGeneral(const Expr& expr, uint16_t dest);
  // Does what Generate() does, and always leaves the value in `dest`.
  void GenerateTo(const Expr& expr, uint16_t dest);

  // Whether `expr` can only yield a bool, null included, or fail, or not be known at all.
  bool IsSureOfBool(const Expr& expr) const;
  // Whether `expr`, which has a StaticType, is sure not to be null.
  bool NeverNull(const Expr& expr) const;
  Value UnknownOf(const Expr* expr) const;

  // generate_operators.cc
  Result GenerateBinary(const BinaryExpr& expr, uint16_t dest);
  Result GenerateBinaryStep(const BinaryExpr& expr, Result lhs, uint16_t dest);
  Result GenerateLogicalStep(const BinaryExpr& expr, Result lhs, const BinaryExpr* next, ScratchList<uint32_t>* skips,
                             uint16_t dest);
  Result GenerateUnary(const UnaryExpr& expr, uint16_t dest);
  Result GenerateConditional(const ConditionalExpr& expr, uint16_t dest);
  Result GenerateChoice(const Expr& whole, const Expr& condition, const Expr& if_true, const Expr* if_false,
                        uint16_t dest);
  Result GenerateBranches(const Expr& whole, const Expr& condition, const Expr& if_true, const Expr* if_false,
                          uint16_t dest);
  Result GenerateSelect(const Expr& whole, const Expr& condition, const Expr& if_true, const Expr* if_false,
                        uint16_t dest);

  // generate_traversals.cc
  Result GenerateVariable(const VariableExpr& expr, uint16_t dest);
  Result GenerateSteps(const Expr& expr, uint16_t dest);
  Result GeneratePath(const VariableExpr& root, absl::Span<const TraversalStep> steps, SourceRange range,
                      uint16_t dest);
  Result GenerateLocalPath(const Local& local, absl::Span<const TraversalStep> steps, SourceRange range, uint16_t dest);
  // `key` is the step's, nothing when it was reported; `range` covers the source of the value with its step.
  Result GenerateStep(const TraversalStep& step, const std::optional<Value>& key, Result source, SourceRange range,
                      uint16_t dest);
  Result GenerateIndexStep(const IndexExpr& expr, Result collection, uint16_t dest);
  Result GenerateSplat(const SplatExpr& expr, uint16_t dest);
  std::optional<Value> StepKey(const TraversalStep& step);

  // generate_collections.cc
  Result GenerateTuple(const TupleExpr& expr, uint16_t dest);
  Result GenerateObject(const ObjectExpr& expr, uint16_t dest);
  // The keys of an object where they are known here, distinct, and few: its shape, and the position of each item in it.
  struct FixedKeys {
    const Shape* shape;
    ShortList<uint32_t> positions;
  };
  std::optional<FixedKeys> KeysOf(const ObjectExpr& expr);
  bool GenerateFixedObject(const ObjectExpr& expr, uint16_t dest, Result* result);
  Result GenerateKey(const ObjectItem& item, uint16_t dest);
  // A loop: code for one element from BeginLoop() to EndLoop(), which emits `next`, the instruction that repeats it for
  // each. Its variables are visible in between; a splat has none.
  struct Loop {
    uint16_t run;
    uint32_t entry;  // the jump to the first `next`
    uint32_t body;   // where `next` goes
    uint32_t names;  // in the program's table
    size_t outer_locals;
    ShortList<uint32_t> continues;  // jumps to `next`
  };
  Loop BeginLoop(uint16_t run, std::string_view key, std::string_view value);
  void EndLoop(const Loop& loop, Opcode next, SourceRange range);
  void GenerateFilter(const ForExpr& expr, Loop* loop);
  Result GenerateFor(const ForExpr& expr, uint16_t dest);

  // generate_templates.cc
  Result GenerateTemplate(const TemplateExpr& expr, uint16_t dest);
  ABSL_ATTRIBUTE_NOINLINE void EmitConcat(uint16_t dest, absl::Span<const Result> parts,
                                          absl::Span<const SourceRange> spans);
  Result GenerateLongTemplate(const TemplateExpr& expr, uint16_t dest);
  Result GenerateTemplateFor(const TemplateForExpr& expr, uint16_t dest);
  std::optional<Value> FoldTemplate(const TemplateExpr& expr);

  // generate_calls.cc
  Result GenerateCall(const CallExpr& expr, uint16_t dest);
  // What is wrong with a call is told by functions of their own, whose texts are not in the frame of GenerateCall().
  ABSL_ATTRIBUTE_NOINLINE Result RaiseUnknownFunction(const CallExpr& expr, uint16_t dest);
  ABSL_ATTRIBUTE_NOINLINE Result RaiseWrongCount(const CallExpr& expr, const Function& function, uint16_t dest);
  Result GenerateTry(const CallExpr& expr, uint16_t dest);
  // The prepared set of `contains([literals], x)`, if `expr`, a call of contains, is that.
  std::optional<uint16_t> LookupOf(const CallExpr& expr);
  std::optional<Result> GenerateContains(const CallExpr& expr, const Function& function, uint16_t dest);

  Result GenerateLiteral(const LiteralExpr& expr);
  ABSL_ATTRIBUTE_NOINLINE Result RaiseInvalid(const Expr& expr);

  // A run of `count` registers: `dest` and those behind it when these are free, otherwise new ones.
  uint16_t AllocateRun(uint16_t dest, uint32_t count);
  // Brings the result of such a run to `dest`.
  Result FromRun(uint16_t run, uint16_t dest);

  // An operation on constants at compile time; nothing when it would fail (the program then fails as it runs), or when
  // its result is too large for a constant.
  template <typename Operation>
  std::optional<Value> Fold(Operation operation);
  // The same for an operation whose result is a part of a constant: nothing is made.
  template <typename Operation>
  std::optional<Value> FoldPart(Operation operation);
  // Whether the host wants the compilation to stop, which is reported once.
  bool Interrupted();

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Folding folding_;
  Diagnostics* diagnostics_;
  const FunctionRegistry* functions_;  // may be null
  // Calls whose functions were looked up last: each is asked for several times.
  struct KnownFunction {
    const CallExpr* call = nullptr;
    const Function* function = nullptr;
  };
  mutable std::array<KnownFunction, 8> known_functions_;
  // Paths that plain code has added last: general code reads them as well.
  struct KnownPath {
    const TraversalStep* steps = nullptr;
    uint32_t path = 0;
  };
  std::array<KnownPath, 16> known_paths_;
  // Forgets what is known of expressions by their addresses. It is called before expressions in other memory.
  void ForgetTexts() {
    known_functions_.fill({});
    known_paths_.fill({});
  }
  KnownPath& KnownPathAt(const TraversalStep* steps) {
    return known_paths_[reinterpret_cast<uintptr_t>(steps) / alignof(TraversalStep) % known_paths_.size()];
  }
  bool has_variables_ = true;
  std::vector<Local> locals_;
  std::vector<uint16_t> splat_items_;
  uint16_t next_ = 0;
  uint32_t used_ = 0;
  bool reported_too_complex_ = false;
  bool reported_interrupt_ = false;
  bool general_only_ = false;       // inside of an expression whose plain code is there already
  bool in_literal_loop_ = false;    // its plain code has parts of general code, some of them twice: no other in these
  const Expr* tail_ = nullptr;      // what the chunk returns
  const Expr* obstacle_ = nullptr;  // what kept the last expression, and so all around it, from having plain code
  const Expr* light_ = nullptr;     // what could have plain code, and has too little to do for it
  struct KnownLookup {
    const CallExpr* call;
    uint16_t lookup;
  };
  // Lists of the functions that recurse, so that a level of nesting takes little of the stack.
  ScratchStack<const BinaryExpr*> spines_;
  ScratchStack<uint32_t> skips_;
  ScratchStack<Value> constants_;
  ScratchStack<Result> results_;
  ScratchStack<SourceRange> spans_;
  ShortList<KnownLookup> known_lookups_;  // sets of one expression, which serve its plain and its general code
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
ABSL_ATTRIBUTE_NOINLINE std::optional<Value> CodeGenerator::Fold(Operation operation) {
  if (!options_.optimize) return std::nullopt;
  return folding_.Compute(kFoldingCost, [&](Heap* heap) -> std::optional<Value> { return FoldIn(heap, operation); });
}

template <typename Operation>
ABSL_ATTRIBUTE_NOINLINE std::optional<Value> CodeGenerator::FoldPart(Operation operation) {
  return options_.optimize ? FoldIn(builder_->heap(), operation) : std::nullopt;
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CODE_GENERATOR_H_

// CodeGenerator: instructions for one expression after the other.
//
// Works down the bound tree with delayed placement: what an expression yields is described (a constant, or a register)
// and moved only when it has to be. Registers are a stack. Recursion follows the nesting of the syntax, which the
// parser has bounded; left spines are walked in loops. Tested by compiler/compiler_test.cc.

#ifndef HCLVM_COMPILER_CODE_GENERATOR_H_
#define HCLVM_COMPILER_CODE_GENERATOR_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/compiler/named_functions.h"
#include "hclvm/compiler/template_function.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A list of what belongs to one expression. Most expressions are small, so up to eight items take no allocation.
template <typename T>
using ShortList = absl::InlinedVector<T, 8>;

// What an expression yields: two words, as results go through all functions of the generator.
struct Result {
  // The value must outlive the result.
  static Result Constant(const Value& v) { return {&v, 0}; }
  static Result Register(uint16_t r) { return {nullptr, r}; }
  bool is_constant() const { return constant != nullptr; }

  const Value* constant;  // null: what the register holds
  uint16_t reg;
};

class CodeGenerator {
 public:
  // All must outlive the generator.
  CodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics);

  // Calls of templatestring fail from here on: the expressions are in a template that it evaluates.
  void ForbidTemplates() { binder_.set_template_function(NestedTemplateFunction); }

  // What comes now is another text, of so many bytes, with the bounds of a compilation of its own.
  void BeginText(size_t bytes) { folding_.BeginCompilation(bytes); }

  // Compiles `expr` as a chunk of its own and returns its index.
  uint32_t GenerateChunk(const Expr& expr);

  // From here on, what a chunk tests first goes to *packed (compiler/first_tests.h), which must outlive the generator.
  void KeepFirstTests(std::string* packed) { first_tests_ = packed; }

  // The same for a local of a module, and what its readers may know of it.
  uint32_t GenerateLocal(const Expr& expr);
  const NamedTree* NameLocal(bool is_read_once) { return binder_.Name(*tree_, is_read_once); }

  // What the function gives, in which `functions` are names: fast code may stand on that in place of a call. All must
  // outlive the generator.
  void NameFunction(const Function* function, const FunctionRegistry* functions, const Expr* result);

  // The same, but the code may be made later, together with that of expressions that come next. What the tree needs of
  // the program is there already, and so is what is reported. Nothing else is generated before FinishChunks().
  uint32_t PostponeChunk(const Expr& expr);
  // Makes the code of all that was postponed.
  void FinishChunks();

  // The same, for who looks at trees and runs nothing: code is made only where the tree is so large that making it may
  // find something wrong. The number is that of no other chunk, and of none in the program.
  uint32_t BindChunk(const Expr& expr);
  // Chunks from here on are BindChunk()'s: nobody asks what code there is for their nodes.
  void SetBindsOnly() { binder_.LeaveOutCode(); }

  // Code that yields `expr`; if it needs a register, in `dest`, which is allocated. Registers above the ones allocated
  // are free for it and free again afterwards. `type`, if not null, gets the type of all its values, or the dynamic
  // one. A constant is the tree's: it is valid until the next expression is generated.
  Result Generate(const Expr& expr, uint16_t dest, Type* type = nullptr);
  void MoveTo(Result result, uint16_t dest);
  uint16_t Rk(Result result) { return result.is_constant() ? RkConstant(*result.constant) : result.reg; }
  // Code that adds `diagnostic` and yields an error.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE Result Raise(Diagnostic diagnostic, uint16_t dest);

  // A variable that lives in a register, for expressions generated from here on; an inner one hides an outer one.
  using Local = Binder::HostLocal;
  void PushLocal(Local local) { binder_.scope()->locals.push_back(local); }
  void PopLocal() { binder_.scope()->locals.pop_back(); }

  // What the last chunk was made of.
  const BoundTree& tree() const { return *tree_; }

  using Scope = Binder::Scope;
  // Takes `scope` for expressions generated from here on, and returns the one before. Functions must outlive the
  // program.
  Scope ExchangeScope(Scope scope) { return std::exchange(*binder_.scope(), std::move(scope)); }

  // These serve chunks that are written instruction by instruction, such as the whole config's: they hand out registers
  // and operands, and count the registers of a chunk at its end.
  uint16_t Allocate() {
    if (next_ >= kMaxRegisters) return ReportTooComplex();
    const uint16_t reg = next_++;
    if (next_ > used_) used_ = next_;
    return reg;
  }
  void FreeTo(uint16_t reg) { next_ = std::max(reg, held_); }
  // Registers up to `reg` are not free before Release(), with what held() was before.
  void Hold(uint16_t reg) { held_ = std::max(held_, static_cast<uint16_t>(reg + 1)); }
  void Release(uint16_t held) { held_ = held; }
  uint16_t held() const { return held_; }
  uint16_t next() const { return next_; }
  uint32_t used_registers() const { return used_; }
  void ResetRegisters() { next_ = 0, used_ = 0; }
  uint16_t RkConstant(const Value& value);
  Value StringConstant(std::string_view text) { return binder_.StringConstant(text); }

 private:
  // A tree of so many nodes has registers for all of them, many times over (kMaxRegisters).
  static constexpr size_t kMaxSurelyFits = 256;
  // So many chunks are bound before their code is made. Their trees are to stay in the processor's nearer caches.
  static constexpr size_t kMaxPostponed = 64;
  // Fast code nests so deep: with each level a node may have code twice as often.
  static constexpr int kMaxFastLevel = 3;

  friend class CoreEmitter;

  // The register that there is none of is any: the program is not used.
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE uint16_t ReportTooComplex();
  // Code for the tree at hand, and the end of its chunk.
  uint32_t FinishChunk();
  // Code for the tree at hand, and what it reads. Without `dest`, in any register.
  Result YieldRoot(std::optional<uint16_t> dest);
  // Code of the fast path for the tree at hand, if Core can express all of it: puts the value into `dest`, or ends the
  // chunk, and adds to *done the jump behind the slow path, which must come next. False for others; emits nothing then.
  bool YieldFast(const BoundExpr& expr, uint16_t dest, std::optional<uint32_t>* done);
  // What fast code for it is made from; null where there is none.
  const CoreNode* LowerFast(const BoundExpr& expr, CoreTree* tree);
  // The slow path behind it, and the place where both end.
  Result YieldSlowPath(uint16_t dest, std::optional<uint32_t> done);
  // Tells the program what it reads of the variables of loops.
  void AddLocalReads();
  // Code for a node, as Generate() says.
  Result Yield(const BoundExpr& expr, uint16_t dest) {
    return expr.is_constant() ? Result::Constant(As<BoundConstant>(expr).value) : YieldNode(expr, dest);
  }
  // The same for what is no constant.
  Result YieldNode(const BoundExpr& expr, uint16_t dest);
  // The same, and the value is always left in `dest`.
  void YieldTo(const BoundExpr& expr, uint16_t dest);
  // Does what YieldTo() does, for expressions that have fast code in front of their the slow path; false for others.
  bool YieldBothPaths(const BoundExpr& expr, uint16_t dest);
  // Whether there is to be fast code for it where it stands in the slow path, or is all.
  bool IsWorthFastCode(const BoundExpr& expr) const;
  // The slow path behind the fast code of `expr`, and the slow path in the midst of fast code.
  void YieldBehindFast(const BoundExpr& expr, uint16_t dest);
  void YieldInsideFast(const BoundExpr& expr, uint16_t dest);
  // Does what Yield() does, without fast code.
  Result YieldSlow(const BoundExpr& expr, uint16_t dest);

  // generate_operators.cc
  Result YieldChain(const BoundChain& expr, uint16_t dest);
  Result YieldApplications(const BoundChain& chain, Result lhs, uint16_t dest);
  Result YieldApplication(const BoundChain& chain, size_t n, Result lhs, uint16_t dest);
  Result YieldUnary(const BoundUnary& expr, uint16_t dest);
  Result YieldConditional(const BoundConditional& expr, uint16_t dest);
  Result YieldBranches(const BoundConditional& expr, uint16_t dest);
  Result YieldSelect(const BoundConditional& expr, uint16_t dest);

  // generate_traversals.cc
  Result YieldPath(const BoundPath& expr, uint16_t dest);
  Result YieldLocal(const BoundLocal& expr, uint16_t dest);
  // BoundSteps or BoundIndex.
  Result YieldSpine(const BoundExpr& expr, uint16_t dest);
  Result YieldSteps(absl::Span<const BoundStep> steps, Result source, uint16_t dest);
  Result YieldIndex(const BoundIndex& expr, Result collection, uint16_t dest);
  Result YieldSplat(const BoundFor& expr, uint16_t dest);

  // generate_collections.cc
  Result YieldTuple(const BoundTuple& expr, uint16_t dest);
  Result YieldLongTuple(const BoundTuple& expr, uint16_t dest);
  Result YieldObject(const BoundObject& expr, uint16_t dest);
  Result YieldFixedObject(const BoundObject& expr, uint16_t dest);
  Result YieldLongObject(const BoundObject& expr, uint16_t dest);
  // A loop: code for one element from BeginLoop() to EndLoop(), which emits `next`, the instruction that repeats it for
  // each.
  struct Loop {
    uint16_t run;
    uint32_t entry;                 // the jump to the first `next`
    uint32_t body;                  // where `next` goes
    uint32_t names;                 // in the program's table
    ShortList<uint32_t> continues;  // jumps to `next`
  };
  // Says where the variables are.
  Loop BeginLoop(uint16_t run, const LoopVariables& variables);
  void EndLoop(const Loop& loop, Opcode next, SourceRange range);
  void YieldFilter(const BoundFor& expr, Loop* loop);
  // Its fast code, whose slow path begins at `slow_path`.
  ABSL_ATTRIBUTE_NOINLINE void YieldFastFilter(const CoreNode& condition, CoreTree* tree, uint32_t slow_path,
                                               Loop* loop);
  void YieldElement(const BoundFor& expr, Loop* loop);
  bool StaysSlow(const BoundFor& loop) const;
  Result YieldFor(const BoundFor& expr, uint16_t dest);

  // generate_templates.cc
  Result YieldTemplate(const BoundTemplate& expr, uint16_t dest);
  ABSL_ATTRIBUTE_NOINLINE void EmitConcat(uint16_t dest, absl::Span<const Result> parts,
                                          absl::Span<const SourceRange> spans);
  Result YieldLongTemplate(const BoundTemplate& expr, uint16_t dest);
  Result YieldTemplateFor(const BoundTemplateFor& expr, uint16_t dest);

  // generate_calls.cc
  Result YieldCall(const BoundCall& expr, uint16_t dest);
  Result YieldContains(const BoundCall& expr, uint16_t dest);
  Result YieldTry(const BoundCall& expr, uint16_t dest);
  Result YieldExpandedTry(const BoundCall& expr, uint16_t dest);
  void YieldAttempts(absl::Span<const BoundExpr* const> attempts, uint16_t run, ShortList<uint32_t>* done);

  // A run of `count` registers: `dest` and those behind it when these are free, otherwise new ones.
  uint16_t AllocateRun(uint16_t dest, uint32_t count);
  // Brings the result of such a run to `dest`.
  Result FromRun(uint16_t run, uint16_t dest);

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Folding folding_;
  Diagnostics* diagnostics_;
  Binder binder_;
  std::unique_ptr<NamedFunctions> functions_;  // null where there are none
  PlainList<const BoundTree*, 4> postponed_;   // of chunks whose code is to be made, in their order
  uint32_t bound_chunks_ = 0;                  // by BindChunk()
  const BoundTree* tree_ = nullptr;            // of the expression at hand
  uint16_t next_ = 0;
  uint16_t held_ = 0;
  uint32_t used_ = 0;
  bool reported_too_complex_ = false;
  bool slow_only_ = false;           // inside of an expression whose fast code is there already
  bool loops_stay_slow_ = false;     // and loops in it as well
  int fast_level_ = 0;               // expressions with fast code around the node at hand
  const BoundExpr* tail_ = nullptr;  // what the chunk returns
  std::string* first_tests_ = nullptr;
  // Lists of the functions that recurse, so that a level of nesting takes little of the stack.
  ScratchStack<const BoundExpr*> spines_;
  ScratchStack<uint32_t> skips_;
  ScratchStack<Result> results_;
  ScratchStack<SourceRange> spans_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CODE_GENERATOR_H_

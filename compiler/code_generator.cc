// CodeGenerator: registers, placement, and the way to each kind of expression.
// Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/code_generator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/compiler/core_first_tests.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/first_tests.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

CodeGenerator::CodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Diagnostics* diagnostics)
    : options_(options),
      builder_(builder),
      folding_(options.limits, builder),
      diagnostics_(diagnostics),
      binder_(options, builder, &folding_, diagnostics) {
  binder_.set_template_function(TemplateFunction);
}

uint32_t CodeGenerator::GenerateChunk(const Expr& expr) {
  builder_->BeginChunk();
  tree_ = &binder_.Bind(expr);
  return FinishChunk();
}

uint32_t CodeGenerator::GenerateLocal(const Expr& expr) {
  builder_->BeginChunk();
  tree_ = &binder_.BindKept(expr);
  return FinishChunk();
}

void CodeGenerator::NameFunction(const Function* function, const FunctionRegistry* functions, const Expr* result) {
  if (functions_ == nullptr) functions_ = std::make_unique<NamedFunctions>(options_, builder_, &folding_);
  functions_->Add(function, functions, result);
}

// What has one test only is as fast in the slow path, unless it ends the chunk.
bool CodeGenerator::IsWorthFastCode(const BoundExpr& expr) const {
  if (!expr.pure) return false;
  const bool is_tail = &expr == tail_;
  // What stands twice is made once there.
  const uint32_t least = !is_tail ? 2 : tree_->may_repeat() ? 0 : 1;
  switch (expr.kind) {
    case BoundKind::kObject:
    case BoundKind::kTuple:
      return expr.tests >= 2 && IsShortStructure(expr);
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(expr);
      if (loop.key != nullptr || loop.splat != nullptr) return false;
      // A list that is made for this loop alone need not be made.
      const BoundKind list = loop.collection->kind;
      return loop.value->tests >= 1 || list == BoundKind::kFor || list == BoundKind::kTuple || list == BoundKind::kCall;
    }
    case BoundKind::kSteps:
    case BoundKind::kChain:
    case BoundKind::kUnary:
    case BoundKind::kConditional:
    case BoundKind::kTemplate:
    case BoundKind::kCall:
      return expr.tests >= least;
    default:
      return false;
  }
}

// Binding and making code are more instructions than a processor's first cache holds: taken in turns for each
// expression, each would push the other out of it. A tree whose code may be found too complex is not kept waiting, so
// that this is reported before what is wrong with the next expression.
uint32_t CodeGenerator::PostponeChunk(const Expr& expr) {
  const BoundTree& tree = postponed_.empty() ? binder_.Bind(expr) : binder_.BindAnother(expr);
  postponed_.push_back(&tree);
  const auto chunk = builder_->chunk_count() + static_cast<uint32_t>(postponed_.size()) - 1;
  if (postponed_.size() == kMaxPostponed || tree.nodes().size() > kMaxSurelyFits) FinishChunks();
  return chunk;
}

void CodeGenerator::FinishChunks() {
  for (const BoundTree* tree : postponed_) {
    builder_->BeginChunk();
    tree_ = tree;
    FinishChunk();
  }
  postponed_.clear();
}

// Chunks that there are count as well, so that no number is given twice.
uint32_t CodeGenerator::BindChunk(const Expr& expr) {
  const uint32_t chunk = builder_->chunk_count() + bound_chunks_++;
  tree_ = &binder_.Bind(expr);
  if (tree_->nodes().size() <= kMaxSurelyFits) return chunk;
  binder_.AddPaths();
  builder_->BeginChunk();
  FinishChunk();
  return chunk;
}

uint32_t CodeGenerator::FinishChunk() {
  ResetRegisters();
  if (first_tests_ != nullptr) first_tests_->clear();
  tail_ = &tree_->root();
  const Result result = YieldRoot(std::nullopt);
  tail_ = nullptr;
  builder_->Emit(Opcode::kReturn, 0, Rk(result));
  return builder_->EndChunk(used_);
}

Result CodeGenerator::Generate(const Expr& expr, uint16_t dest, Type* type) {
  tree_ = &binder_.Bind(expr);
  if (type != nullptr) *type = tree_->root().type;
  return YieldRoot(dest);
}

// Where the loops are is known when their code is there. A constant has no code, and reads nothing.
Result CodeGenerator::YieldRoot(std::optional<uint16_t> dest) {
  const uint32_t begin = builder_->here();
  const uint16_t mark = next_;
  if (tree_->root().is_constant()) {
    if (!dest) Allocate();
    FreeTo(mark);
    builder_->BeginReads(begin);
    builder_->EndReads();
    return Result::Constant(As<BoundConstant>(tree_->root()).value);
  }
  std::optional<uint32_t> done;
  const bool has_core = YieldFast(tree_->root(), dest ? *dest : next_, &done);
  const uint16_t to = dest ? *dest : Allocate();
  const Result result = has_core ? YieldSlowPath(to, done) : Yield(tree_->root(), to);
  FreeTo(mark);
  builder_->BeginReads(begin);
  for (const BoundPath* read : tree_->path_reads()) builder_->AddRead(read->range, read->path);
  if (!tree_->local_reads().empty()) AddLocalReads();
  builder_->EndReads();
  return result;
}

// Who asks for first tests is told them also where the slow path is as fast.
bool CodeGenerator::YieldFast(const BoundExpr& expr, uint16_t dest, std::optional<uint32_t>* done) {
  if (!options_.optimize || !options_.fast_code) return false;
  const bool is_worth = IsWorthFastCode(expr);
  const bool is_asked = first_tests_ != nullptr && &expr == tail_;
  if (!is_worth && !is_asked) return false;
  CoreTree tree(binder_.arena());
  const CoreNode* const core = LowerFast(expr, &tree);
  if (core == nullptr) return false;
  if (is_asked) *first_tests_ = PackFirstTests(FindFirstTests(*core, *builder_));
  if (!is_worth) return false;
  const uint16_t mark = next_;
  if (dest >= next_) Allocate();
  const bool returns = &expr == tail_;
  CoreEmitter emitter(this, &tree);
  emitter.Emit(*core, dest, returns);
  FreeTo(mark);
  if (!returns) *done = builder_->EmitJump(Opcode::kJump);
  emitter.AddRegions(builder_->here());
  return true;
}

// Where values stand in many places, code would grow beyond the text.
const CoreNode* CodeGenerator::LowerFast(const BoundExpr& expr, CoreTree* tree) {
  if (expr.height > kMaxFastHeight) return nullptr;
  CoreLowering lowering(tree, *tree_, &binder_, functions_.get());
  const CoreNode* const core = lowering.Lower(expr);
  if (core == nullptr || core->kind == CoreKind::kGeneral) return nullptr;
  const uint64_t text = uint64_t{expr.size()} + lowering.inlined();
  if (EmittedSize(tree, *core) > 2 * text + 32) return nullptr;
  return CoreEmitter::HasRoom(next_, *core) ? core : nullptr;
}

Result CodeGenerator::YieldSlowPath(uint16_t dest, std::optional<uint32_t> done) {
  YieldBehindFast(tree_->root(), dest);
  if (done) builder_->PatchToHere(*done);
  return Result::Register(dest);
}

void CodeGenerator::AddLocalReads() {
  ShortList<PathStep> steps;
  for (const BoundLocal* read : tree_->local_reads()) {
    if (read->local->loop == LocalVariable::kNoLoop) continue;
    steps.clear();
    for (const BoundStep& step : read->steps) steps.push_back({step.key, step.is_attribute});
    builder_->AddLocalRead(read->range, read->local->loop, read->local->is_key, steps);
  }
}

uint16_t CodeGenerator::ReportTooComplex() {
  if (!reported_too_complex_) {
    reported_too_complex_ = true;
    diagnostics_->AddLimit(
        std::nullopt, DiagnosticCode::kExpressionTooComplex,
        absl::StrCat("An expression needs more than ", kMaxRegisters, " values at the same time, which is the limit."));
  }
  return next_;
}

uint16_t CodeGenerator::AllocateRun(uint16_t dest, uint32_t count) {
  uint16_t run = dest;
  if (next_ != dest + 1) {
    run = Allocate();
  }
  for (uint32_t n = 1; n < count; ++n) Allocate();
  return run;
}

Result CodeGenerator::FromRun(uint16_t run, uint16_t dest) {
  if (run != dest) builder_->Emit(Opcode::kMove, dest, run);
  FreeTo(run == dest ? static_cast<uint16_t>(dest + 1) : run);
  return Result::Register(dest);
}

void CodeGenerator::MoveTo(Result result, uint16_t dest) {
  if (result.is_constant()) {
    builder_->EmitX(Opcode::kLoadConst, dest, builder_->AddConstant(*result.constant));
  } else if (result.reg != dest) {
    builder_->Emit(Opcode::kMove, dest, result.reg);
  }
}

void CodeGenerator::YieldTo(const BoundExpr& expr, uint16_t dest) { MoveTo(Yield(expr, dest), dest); }

uint16_t CodeGenerator::RkConstant(const Value& value) {
  const uint32_t index = builder_->AddConstant(value);
  if (index < kMaxFrameConstants) return static_cast<uint16_t>(index | kConstantBit);
  const uint16_t reg = Allocate();
  builder_->EmitX(Opcode::kLoadConst, reg, index);
  return reg;
}

Result CodeGenerator::Raise(Diagnostic diagnostic, uint16_t dest) {
  const SourceRange range = diagnostic.subject.value_or(SourceRange{});
  builder_->EmitX(Opcode::kRaise, dest, builder_->AddDiagnostic(std::move(diagnostic)), {range});
  return Result::Register(dest);
}

// An interrupted compilation goes quickly through what is left: the program is not used.
Result CodeGenerator::YieldNode(const BoundExpr& expr, uint16_t dest) {
  if (binder_.Interrupted()) return Result::Register(dest);
  const bool may_be_fast = options_.optimize && options_.fast_code && !slow_only_;
  if (may_be_fast && YieldBothPaths(expr, dest)) return Result::Register(dest);
  return YieldSlow(expr, dest);
}

void CodeGenerator::YieldBehindFast(const BoundExpr& expr, uint16_t dest) {
  ++fast_level_;
  slow_only_ = true;
  YieldTo(expr, dest);
  slow_only_ = false;
  --fast_level_;
}

void CodeGenerator::YieldInsideFast(const BoundExpr& expr, uint16_t dest) {
  const bool outer = std::exchange(slow_only_, ++fast_level_ >= kMaxFastLevel);
  YieldTo(expr, dest);
  slow_only_ = outer;
  --fast_level_;
}

// The slow path stands behind the fast code and is jumped over: a run that has nothing to report never comes to it, and
// one that leaves finds all that it may need, as nothing was written but registers that nobody reads.
bool CodeGenerator::YieldBothPaths(const BoundExpr& expr, uint16_t dest) {
  std::optional<uint32_t> done;
  if (!YieldFast(expr, dest, &done)) return false;
  YieldBehindFast(expr, dest);
  if (done) builder_->PatchToHere(*done);
  return true;
}

// One function for each kind; spines of steps and indexes, which may be as long as the text, are taken in a loop.
Result CodeGenerator::YieldSlow(const BoundExpr& expr, uint16_t dest) {
  switch (expr.kind) {
    case BoundKind::kConstant:
      return Result::Constant(As<BoundConstant>(expr).value);
    case BoundKind::kPath:
      return YieldPath(As<BoundPath>(expr), dest);
    case BoundKind::kLocal:
      return YieldLocal(As<BoundLocal>(expr), dest);
    case BoundKind::kSteps:
    case BoundKind::kIndex:
      return YieldSpine(expr, dest);
    case BoundKind::kCall:
      return YieldCall(As<BoundCall>(expr), dest);
    case BoundKind::kTuple:
      return YieldTuple(As<BoundTuple>(expr), dest);
    case BoundKind::kObject:
      return YieldObject(As<BoundObject>(expr), dest);
    case BoundKind::kFor:
      return As<BoundFor>(expr).splat != nullptr ? YieldSplat(As<BoundFor>(expr), dest)
                                                 : YieldFor(As<BoundFor>(expr), dest);
    case BoundKind::kUnary:
      return YieldUnary(As<BoundUnary>(expr), dest);
    case BoundKind::kChain:
      return YieldChain(As<BoundChain>(expr), dest);
    case BoundKind::kConditional:
      return YieldConditional(As<BoundConditional>(expr), dest);
    case BoundKind::kTemplate:
      return YieldTemplate(As<BoundTemplate>(expr), dest);
    case BoundKind::kTemplateFor:
      return YieldTemplateFor(As<BoundTemplateFor>(expr), dest);
    case BoundKind::kRaise:
      builder_->EmitX(Opcode::kRaise, dest, As<BoundRaise>(expr).diagnostic, {As<BoundRaise>(expr).subject});
      break;
  }
  return Result::Register(dest);
}

}  // namespace hcl::internal

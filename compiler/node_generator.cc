// NodeGenerator. Tested as compiler/node_generator.h says.

#include "hclvm/compiler/node_generator.h"

#include <algorithm>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/compiler/core_first_tests.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/first_tests.h"
#include "hclvm/compiler/record_points.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/origin_table.h"
#include "hclvm/vm/record_table.h"

namespace hcl::internal {
namespace {

// A loop over so many constants has its code for each.
constexpr size_t kFewConstants = 8;
// Calls in a value, or in a filter, that are looked at.
constexpr size_t kMaxShared = 16;

}  // namespace

Result NodeGenerator::YieldTree(const BoundTree& tree, uint16_t dest, bool returns) {
  tree_ = &tree;
  EnterOrigin(&tree.root());
  if (options_.record) first_point_ = AddPoints(tree, builder_);
  tail_ = returns ? &tree.root() : nullptr;
  if (returns && first_tests_ != nullptr) first_tests_->clear();
  return Yield(tree.root(), dest);
}

// Whether the filter calls, joins or goes through what is the same for all elements, which a loop in fast code does
// once.
bool NodeGenerator::MakesInvariants(const BoundFor& loop) const {
  if (loop.condition == nullptr) return false;
  const auto reads_loop = [&](const BoundExpr& expr) {
    const auto locals = tree_->local_reads().subspan(expr.locals_begin, expr.locals_end - expr.locals_begin);
    return std::any_of(locals.begin(), locals.end(), [&](const BoundLocal* read) {
      return read->local == loop.variables.key || read->local == loop.variables.value;
    });
  };
  const auto parts = tree_->nodes().subspan(loop.condition->first, loop.condition->size());
  return std::any_of(parts.begin(), parts.end(), [&](const BoundExpr* part) {
    // A list that stays the same may be gone through once.
    const bool is_loop = part->kind == BoundKind::kFor;
    const BoundExpr& made = is_loop ? *As<BoundFor>(*part).collection : *part;
    const bool is_made = is_loop || part->kind == BoundKind::kCall || part->kind == BoundKind::kTemplate;
    return is_made && made.reads() && !reads_loop(made);
  });
}

// Whether the value is made of what the filter has called or joined, which fast code does once for each element.
bool NodeGenerator::SharesWithFilter(const BoundFor& loop) const {
  if (loop.condition == nullptr) return false;
  const auto made_of = [&](const BoundExpr& expr) {
    absl::InlinedVector<uint32_t, 8> numbers;
    for (const BoundExpr* part : tree_->nodes().subspan(expr.first, expr.size())) {
      const bool is_made = part->kind == BoundKind::kCall || part->kind == BoundKind::kTemplate;
      if (is_made && numbers.size() < kMaxShared) numbers.push_back(tree_->ValueNumberOf(*part));
    }
    return numbers;
  };
  const auto in_value = made_of(*loop.value);
  if (in_value.empty()) return false;
  const auto in_filter = made_of(*loop.condition);
  return std::any_of(in_value.begin(), in_value.end(), [&](uint32_t number) {
    return std::find(in_filter.begin(), in_filter.end(), number) != in_filter.end();
  });
}

// What has one test only is as fast in the slow path, unless it ends the chunk.
bool NodeGenerator::IsWorthFastCode(const BoundExpr& expr) const {
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
      if (loop.key != nullptr) return IsStructure(*loop.collection);
      if (loop.splat != nullptr) return false;
      // A list that is made for this loop alone need not be made.
      const BoundKind list = loop.collection->kind;
      const bool is_short = list == BoundKind::kConstant && As<BoundConstant>(*loop.collection).value.is_tuple() &&
                            As<BoundConstant>(*loop.collection).value.size() <= kFewConstants;
      const bool is_read =
          list == BoundKind::kPath || list == BoundKind::kLocal || (list == BoundKind::kConstant && !is_short);
      return loop.value->tests >= 1 || !is_read || MakesInvariants(loop) || SharesWithFilter(loop);
    }
    case BoundKind::kSteps:
    case BoundKind::kIndex:
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

// An interrupted compilation goes quickly through what is left: the program is not used.
Result NodeGenerator::YieldNode(const BoundExpr& expr, uint16_t dest) {
  if (binder_.Interrupted()) return Result::Register(dest);
  const OriginScope origin(this, &expr);
  if (options_.record) {
    BeginRecord(expr);
    return EndRecord(expr, slow_path_.Yield(expr, dest), dest);
  }
  std::optional<uint32_t> done;
  if (!MayBeFast() || !YieldFast(expr, dest, &done)) return slow_path_.Yield(expr, dest);
  YieldBehindFast(expr, dest);
  if (done) builder_->PatchToHere(*done);
  return Result::Register(dest);
}

// Fast code has nodes of locals in it, whose text may be another one. Those of functions keep what is around them: the
// call.
void NodeGenerator::NoteOrigin(const BoundExpr* expr) {
  CodeOrigin origin;
  const auto has = [expr](const BoundTree& tree) {
    return expr->id < tree.nodes().size() && tree.nodes()[expr->id] == expr;
  };
  if (has(*tree_)) {
    origin = {builder_->source(), expr->range};
  } else {
    const auto found =
        std::find_if(named_trees_.begin(), named_trees_.end(), [&](const auto& named) { return has(*named.first); });
    if (found == named_trees_.end()) return;
    origin = {found->second, expr->range};
  }
  origin_ = expr;
  builder_->origins()->Begin(builder_->here(), origin);
}

bool NodeGenerator::IsReported(const BoundExpr& expr) const {
  if (!options_.record) return false;
  if (!options_.record_decisions_only) return true;
  const RecordTable& table = *builder_->records();
  const RecordPoint& point = table.at(first_point_ + expr.id);
  return Decides(point) || (point.parent != RecordTable::kNoPoint && Decides(table.at(point.parent)));
}

void NodeGenerator::BeginRecord(const BoundExpr& expr) {
  if (IsReported(expr)) builder_->EmitX(Opcode::kRecordEnter, 0, first_point_ + expr.id);
}

Result NodeGenerator::EndRecord(const BoundExpr& expr, Result result, uint16_t dest) {
  if (!IsReported(expr)) return result;
  if (result.is_constant()) registers_.MoveTo(std::exchange(result, Result::Register(dest)), dest);
  builder_->EmitX(Opcode::kRecordLeave, result.reg, first_point_ + expr.id);
  return result;
}

// First tests are asked for also where the slow path is as fast.
bool NodeGenerator::YieldFast(const BoundExpr& expr, uint16_t dest, std::optional<uint32_t>* done) {
  const bool is_worth = IsWorthFastCode(expr);
  const bool is_asked = first_tests_ != nullptr && &expr == tail_;
  if (!is_worth && !is_asked) return false;
  CoreTree tree(binder_.trees()->arena());
  const CoreNode* const core = LowerFast(expr, &tree);
  if (core == nullptr) return false;
  if (is_asked) *first_tests_ = PackFirstTests(FindFirstTests(*core, *builder_));
  if (!is_worth) return false;
  const uint16_t mark = registers_.next();
  const bool returns = &expr == tail_;
  CoreEmitter emitter(this, &registers_, builder_, &tree);
  emitter.Emit(*core, dest, returns);
  registers_.FreeTo(mark);
  if (!returns) *done = builder_->EmitJump(Opcode::kJump);
  emitter.AddRegions(builder_->here());
  return true;
}

// Where values are in many places, code would grow beyond the text.
const CoreNode* NodeGenerator::LowerFast(const BoundExpr& expr, CoreTree* tree) {
  if (expr.height > kMaxFastHeight) return nullptr;
  CoreLowering lowering(tree, *tree_, &binder_, functions_);
  const CoreNode* const core = lowering.Lower(expr);
  if (core == nullptr || core->kind == CoreKind::kGeneral) return nullptr;
  const uint64_t text = uint64_t{expr.size()} + lowering.inlined();
  if (EmittedSize(tree, *core) > 2 * text + 32) return nullptr;
  return CoreEmitter::HasRoom(registers_.next(), *core) ? core : nullptr;
}

void NodeGenerator::YieldBehindFast(const BoundExpr& expr, uint16_t dest) {
  ++fast_level_;
  mode_.slow_only = true;
  YieldTo(expr, dest);
  mode_.slow_only = false;
  --fast_level_;
}

void NodeGenerator::YieldInsideFast(const BoundExpr& expr, uint16_t dest) {
  const bool outer = std::exchange(mode_.slow_only, ++fast_level_ >= kMaxFastLevel);
  YieldTo(expr, dest);
  mode_.slow_only = outer;
  --fast_level_;
}

// The loops of a list that is put together have fast code once, so that nested ones do not double it.
NodeGenerator::Mode NodeGenerator::EnterCall(const BoundCall& call) {
  const Mode outer = mode_;
  if (outer.slow_only && IsListCall(call)) mode_.loops_stay_slow = true;
  return outer;
}

// What one element has that fast code does not serve need not make the others slow; those of a literal have it all.
NodeGenerator::Mode NodeGenerator::EnterLoop(const BoundFor& loop) {
  const bool stays_slow = mode_.loops_stay_slow || fast_level_ >= kMaxFastLevel || MayBeListed(*loop.collection);
  const Mode outer = mode_;
  mode_.slow_only = outer.slow_only && stays_slow;
  return outer;
}

// Fast code comes last, so that elements which pass run into the code behind it.
void NodeGenerator::YieldFilter(const BoundFor& expr, SlowLoop* loop) {
  const uint16_t mark = registers_.next();
  CoreTree tree(binder_.trees()->arena());
  const bool may_be_fast = MayBeFast() && expr.condition->reads() && !expr.condition->is_constant();
  const CoreNode* const core = may_be_fast ? LowerFast(*expr.condition, &tree) : nullptr;
  const uint32_t slow_path = builder_->here();
  const auto condition = static_cast<uint16_t>(loop->run + 4);
  core != nullptr ? YieldBehindFast(*expr.condition, condition) : YieldTo(*expr.condition, condition);
  const SourceRange spans[] = {expr.range, expr.condition->outer};
  loop->continues.push_back(builder_->EmitJump(Opcode::kForFilter, loop->run, spans));
  if (core != nullptr) YieldFastFilter(*core, &tree, slow_path, loop);
  registers_.FreeTo(mark);
}

// A pass over a collection without elements has unknown ones, and leaves, since its items do not count.
void NodeGenerator::YieldFastFilter(const CoreNode& condition, CoreTree* tree, uint32_t slow_path, SlowLoop* loop) {
  const uint32_t passed = builder_->EmitJump(Opcode::kJump);
  loop->body = builder_->here();
  const auto element = static_cast<uint16_t>(loop->run + 2);
  CoreEmitter emitter(this, &registers_, builder_, tree);
  PlainList<uint32_t, 8> fails;
  emitter.EmitFilter(condition, element, &fails);
  emitter.AddRegions(slow_path);
  builder_->PatchToHere(passed);
  loop->continues.insert(loop->continues.end(), fails.begin(), fails.end());
}

}  // namespace hcl::internal

// SlowPath: variables, steps, index and splat. Tested by compiler/compiler_test.cc.

#include <cstdint>
#include <optional>
#include <utility>

#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/slow_path.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

Result SlowPath::YieldPath(const BoundPath& expr, uint16_t dest) {
  builder_->EmitX(Opcode::kLoadPath, dest, expr.path, expr.spans);
  return Result::Register(dest);
}

Result SlowPath::YieldLocal(const BoundLocal& expr, uint16_t dest) {
  return YieldSteps(expr.steps, Result::Register(expr.local->reg), dest);
}

Result SlowPath::YieldSteps(absl::Span<const BoundStep> steps, Result source, uint16_t dest) {
  for (const BoundStep& step : steps) {
    const uint16_t mark = registers_.next();
    const std::optional<uint16_t> name = step.key.is_string() ? builder_->AddName(step.key) : std::nullopt;
    if (name) {
      if (source.is_constant()) registers_.MoveTo(std::exchange(source, Result::Register(dest)), dest);
      builder_->Emit(step.is_attribute ? Opcode::kGetAttr : Opcode::kGetKey, dest, source.reg, *name,
                     {step.range, step.whole});
    } else {
      const uint16_t b = registers_.Rk(source);
      builder_->Emit(Opcode::kGetIndex, dest, b, registers_.RkConstant(step.key), {step.range, step.whole});
    }
    registers_.FreeTo(mark);
    source = Result::Register(dest);
  }
  return source;
}

// Steps and indexes nest on the left: walk down, then work back up.
Result SlowPath::YieldSpine(const BoundExpr& expr, uint16_t dest) {
  ScratchList<const BoundExpr*> spine(&spines_);
  const BoundExpr* left = &expr;
  while (left->kind == BoundKind::kSteps || left->kind == BoundKind::kIndex) {
    spine.Add(left);
    left = left->kind == BoundKind::kSteps ? As<BoundSteps>(*left).source : As<BoundIndex>(*left).source;
  }
  for (size_t n = 1; n < spine.size(); ++n) nodes_.BeginRecord(*spine[n]);
  Result result = nodes_.Yield(*left, dest);
  for (size_t n = spine.size(); n-- > 0;) {
    result = spine[n]->kind == BoundKind::kSteps ? YieldSteps(As<BoundSteps>(*spine[n]).steps, result, dest)
                                                 : YieldIndex(As<BoundIndex>(*spine[n]), result, dest);
    if (n > 0) result = nodes_.EndRecord(*spine[n], result, dest);
  }
  return result;
}

Result SlowPath::YieldIndex(const BoundIndex& expr, Result collection, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const Result key = nodes_.Yield(*expr.key, registers_.Allocate());
  const uint16_t b = registers_.Rk(collection);
  const uint16_t c = registers_.Rk(key);
  builder_->Emit(Opcode::kGetIndex, dest, b, c, {expr.brackets, expr.range});
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// A loop of its own opcodes, since it takes what is no list for a list of itself, and null for an empty one.
Result SlowPath::YieldSplat(const BoundFor& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.AllocateRun(dest, 4);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  nodes_.YieldTo(*expr.collection, run);
  const SourceRange spans[] = {expr.splat->marker, expr.collection->outer};
  const NodeGenerator::Mode outer = nodes_.EnterLoop(expr);
  const uint32_t no_loop = builder_->EmitJump(Opcode::kSplatBegin, run, spans);
  builder_->Emit(Opcode::kTupleBegin, builder);
  const SlowLoop loop = BeginLoop(run, {});
  if (expr.variables.value != nullptr) expr.variables.value->reg = static_cast<uint16_t>(run + 2);
  const uint16_t inner = registers_.next();
  const Result item = nodes_.Yield(*expr.value, registers_.Allocate());
  builder_->EmitPush(builder, registers_.Rk(item));
  registers_.FreeTo(inner);
  nodes_.Leave(outer);
  EndLoop(loop, Opcode::kSplatNext, expr.range);
  builder_->Emit(Opcode::kSplatEnd, run, expr.splat->nests ? 1 : 0, 0, {expr.splat->steps});
  builder_->PatchToHere(no_loop);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

}  // namespace hcl::internal

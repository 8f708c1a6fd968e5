// SlowPath: operators and conditionals. Tested by compiler/compiler_test.cc.

#include "hclvm/base/operators.h"
#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/slow_path.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// An unknown value with what the form of `expr` says of whatever it yields.
Value UnknownOf(const BoundExpr& expr) {
  if (!expr.has_primitive_type()) return Value::Dynamic();
  return expr.never_null ? UnknownNotNull(expr.type) : Value::Unknown(expr.type);
}

}  // namespace

// Chains of different operators nest on the left: walk down, then work back up.
Result SlowPath::YieldChain(const BoundChain& expr, uint16_t dest) {
  ScratchList<const BoundExpr*> spine(&spines_);
  const BoundExpr* left = &expr;
  for (; left->kind == BoundKind::kChain; left = As<BoundChain>(*left).operands[0]) spine.Add(left);
  for (size_t n = 1; n < spine.size(); ++n) nodes_.BeginRecord(*spine[n]);
  Result result = nodes_.Yield(*left, dest);
  for (size_t n = spine.size(); n-- > 0;) {
    result = YieldApplications(As<BoundChain>(*spine[n]), result, dest);
    if (n > 0) result = nodes_.EndRecord(*spine[n], result, dest);
  }
  return result;
}

// When the left side of a logical operator decides, the right side is not needed, provided that it is sure to be a
// bool: the following applications decide the same way, and are jumped over as well up to one that is not sure to be
// one.
Result SlowPath::YieldApplications(const BoundChain& chain, Result lhs, uint16_t dest) {
  const bool skips_any = IsLogical(chain.op) && options_.optimize;
  const Opcode skip_op = chain.op == BinaryOp::kAnd ? Opcode::kSkipIfFalse : Opcode::kSkipIfTrue;
  ScratchList<uint32_t> skips(&skips_);
  for (size_t n = 1; n < chain.operands.size(); ++n) {
    const bool skip = skips_any && chain.operands[n]->sure_bool;
    if (!skip) {
      for (uint32_t jump : skips.view()) builder_->PatchToHere(jump);
      skips.Clear();
    } else if (!lhs.is_constant()) {
      registers_.MoveTo(lhs, dest);
      lhs = Result::Register(dest);
      skips.Add(builder_->EmitJump(skip_op, dest));
    }
    lhs = YieldApplication(chain, n, lhs, dest);
  }
  for (uint32_t jump : skips.view()) builder_->PatchToHere(jump);
  return lhs;
}

Result SlowPath::YieldApplication(const BoundChain& chain, size_t n, Result lhs, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const BoundApplication& application = chain.applications[n - 1];
  const Result rhs = nodes_.Yield(*chain.operands[n], registers_.Allocate());
  const SourceRange spans[] = {application.whole, application.lhs, chain.operands[n]->outer};
  const uint16_t b = registers_.Rk(lhs);
  const uint16_t c = registers_.Rk(rhs);
  // What fails for an unknown value may not fail for the real one, so that try and can may not yet tell.
  const Opcode op = !chain.in_attempt            ? OpcodeOf(chain.op)
                    : chain.op == BinaryOp::kAnd ? Opcode::kTriedAnd
                                                 : Opcode::kTriedOr;
  builder_->Emit(op, dest, b, c, spans);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

Result SlowPath::YieldUnary(const BoundUnary& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const Result operand = nodes_.Yield(*expr.operand, dest);
  const SourceRange spans[] = {expr.range, expr.operand->outer};
  const Opcode op = expr.op == UnaryOp::kNegate ? Opcode::kNegate : Opcode::kNot;
  builder_->Emit(op, dest, registers_.Rk(operand), 0, spans);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// The result's type needs both branches. Where both are sure to have the same type, only one has to run: errors of the
// other are dropped in any case.
Result SlowPath::YieldConditional(const BoundConditional& expr, uint16_t dest) {
  const bool same_type = expr.if_true->has_primitive_type() && expr.if_true->type == expr.if_false->type;
  return options_.optimize && same_type ? YieldBranches(expr, dest) : YieldSelect(expr, dest);
}

Result SlowPath::YieldBranches(const BoundConditional& expr, uint16_t dest) {
  const SourceRange spans[] = {expr.range, expr.condition->outer};
  nodes_.YieldTo(*expr.condition, dest);
  const uint32_t to_false = builder_->EmitJump(Opcode::kBranch, dest, spans);
  const uint32_t to_unknown = builder_->EmitJump(Opcode::kJump);
  nodes_.YieldTo(*expr.if_true, dest);
  const uint32_t true_done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(to_false);
  nodes_.YieldTo(*expr.if_false, dest);
  const uint32_t false_done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(to_unknown);
  const Value unknown = UnknownOf(expr.if_true->never_null ? *expr.if_false : *expr.if_true);
  builder_->EmitX(Opcode::kOrUnknown, dest, builder_->AddConstant(unknown));
  builder_->PatchToHere(true_done);
  builder_->PatchToHere(false_done);
  return Result::Register(dest);
}

Result SlowPath::YieldSelect(const BoundConditional& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.AllocateRun(dest, 3);
  const SourceRange spans[] = {expr.range, expr.condition->outer, expr.if_true->outer, expr.if_false->outer};
  nodes_.YieldTo(*expr.condition, run);
  nodes_.YieldTo(*expr.if_true, static_cast<uint16_t>(run + 1));
  nodes_.YieldTo(*expr.if_false, static_cast<uint16_t>(run + 2));
  const uint16_t b = registers_.RkConstant(UnknownOf(*expr.if_true));
  const uint16_t c = registers_.RkConstant(UnknownOf(*expr.if_false));
  builder_->Emit(Opcode::kSelect, run, b, c, spans);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

}  // namespace hcl::internal

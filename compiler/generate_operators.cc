// CodeGenerator: operators and conditionals. Tested by compiler/compiler_test.cc.

#include "hclvm/base/operators.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/refinement.h"

namespace hcl::internal {
namespace {

// An unknown value with what the form of `expr` says of whatever it yields.
Value UnknownOf(const BoundExpr& expr) {
  if (!expr.has_primitive_type()) return Value::Dynamic();
  return expr.never_null ? UnknownNotNull(expr.type) : Value::Unknown(expr.type);
}

}  // namespace

// Chains of different operators nest on the left: walk down, then work back up.
Result CodeGenerator::YieldChain(const BoundChain& expr, uint16_t dest) {
  ScratchList<const BoundExpr*> spine(&spines_);
  const BoundExpr* left = &expr;
  for (; left->kind == BoundKind::kChain; left = As<BoundChain>(*left).operands[0]) spine.Add(left);
  Result result = Yield(*left, dest);
  for (size_t n = spine.size(); n-- > 0;) result = YieldApplications(As<BoundChain>(*spine[n]), result, dest);
  return result;
}

// When the left side of a logical operator decides, the right side is not needed, provided that it is sure to be a
// bool: the following applications decide the same way, and are jumped over as well up to one that is not sure to be
// one.
Result CodeGenerator::YieldApplications(const BoundChain& chain, Result lhs, uint16_t dest) {
  const bool skips_any = IsLogical(chain.op) && options_.optimize;
  const Opcode skip_op = chain.op == BinaryOp::kAnd ? Opcode::kSkipIfFalse : Opcode::kSkipIfTrue;
  ScratchList<uint32_t> skips(&skips_);
  for (size_t n = 1; n < chain.operands.size(); ++n) {
    const bool skip = skips_any && chain.operands[n]->sure_bool;
    if (!skip) {
      for (uint32_t jump : skips.view()) builder_->PatchToHere(jump);
      skips.Clear();
    } else if (!lhs.is_constant()) {
      MoveTo(lhs, dest);
      lhs = Result::Register(dest);
      skips.Add(builder_->EmitJump(skip_op, dest));
    }
    lhs = YieldApplication(chain, n, lhs, dest);
  }
  for (uint32_t jump : skips.view()) builder_->PatchToHere(jump);
  return lhs;
}

Result CodeGenerator::YieldApplication(const BoundChain& chain, size_t n, Result lhs, uint16_t dest) {
  const uint16_t mark = next_;
  const BoundApplication& application = chain.applications[n - 1];
  const Result rhs = Yield(*chain.operands[n], Allocate());
  const SourceRange spans[] = {application.whole, application.lhs, chain.operands[n]->outer};
  const uint16_t b = Rk(lhs);
  const uint16_t c = Rk(rhs);
  // What fails for an unknown value may not fail for the real one, so that try and can may not yet tell.
  const Opcode op = !chain.in_attempt            ? OpcodeOf(chain.op)
                    : chain.op == BinaryOp::kAnd ? Opcode::kTriedAnd
                                                 : Opcode::kTriedOr;
  builder_->Emit(op, dest, b, c, spans);
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::YieldUnary(const BoundUnary& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const Result operand = Yield(*expr.operand, dest);
  const SourceRange spans[] = {expr.range, expr.operand->outer};
  const Opcode op = expr.op == UnaryOp::kNegate ? Opcode::kNegate : Opcode::kNot;
  builder_->Emit(op, dest, Rk(operand), 0, spans);
  FreeTo(mark);
  return Result::Register(dest);
}

// The result's type needs both branches. Where both are sure to have the same type, only one has to run: errors of the
// other are dropped in any case.
Result CodeGenerator::YieldConditional(const BoundConditional& expr, uint16_t dest) {
  const bool same_type = expr.if_true->has_primitive_type() && expr.if_true->type == expr.if_false->type;
  return options_.optimize && same_type ? YieldBranches(expr, dest) : YieldSelect(expr, dest);
}

Result CodeGenerator::YieldBranches(const BoundConditional& expr, uint16_t dest) {
  const SourceRange spans[] = {expr.range, expr.condition->outer};
  YieldTo(*expr.condition, dest);
  const uint32_t to_false = builder_->EmitJump(Opcode::kBranch, dest, spans);
  const uint32_t to_unknown = builder_->EmitJump(Opcode::kJump);
  YieldTo(*expr.if_true, dest);
  const uint32_t true_done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(to_false);
  YieldTo(*expr.if_false, dest);
  const uint32_t false_done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(to_unknown);
  const Value unknown = UnknownOf(expr.if_true->never_null ? *expr.if_false : *expr.if_true);
  builder_->EmitX(Opcode::kOrUnknown, dest, builder_->AddConstant(unknown));
  builder_->PatchToHere(true_done);
  builder_->PatchToHere(false_done);
  return Result::Register(dest);
}

Result CodeGenerator::YieldSelect(const BoundConditional& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 3);
  const SourceRange spans[] = {expr.range, expr.condition->outer, expr.if_true->outer, expr.if_false->outer};
  YieldTo(*expr.condition, run);
  YieldTo(*expr.if_true, static_cast<uint16_t>(run + 1));
  YieldTo(*expr.if_false, static_cast<uint16_t>(run + 2));
  const uint16_t b = RkConstant(UnknownOf(*expr.if_true));
  const uint16_t c = RkConstant(UnknownOf(*expr.if_false));
  builder_->Emit(Opcode::kSelect, run, b, c, spans);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal

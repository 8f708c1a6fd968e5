// CodeGenerator: operators and conditionals. Tested by compiler/compiler_test.cc.

#include "hclvm/base/operators.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/refinement.h"

namespace hcl::internal {

Result CodeGenerator::GenerateBinary(const BinaryExpr& expr, uint16_t dest) {
  // The left spine, from the innermost operator out.
  ScratchList<const BinaryExpr*> spine(&spines_);
  const Expr* left = &expr;
  while (left->kind == ExprKind::kBinary) {
    spine.Add(&As<BinaryExpr>(*left));
    left = As<BinaryExpr>(*left).lhs;
  }
  Result result = Generate(*left, dest);
  ScratchList<uint32_t> skips(&skips_);  // jumps over the rest of a chain of one logical operator
  for (size_t n = spine.size(); n-- > 0;) {
    const BinaryExpr& node = *spine[n];
    if (IsLogical(node.op)) {
      result = GenerateLogicalStep(node, result, n > 0 ? spine[n - 1] : nullptr, &skips, dest);
    } else {
      result = GenerateBinaryStep(node, result, dest);
    }
  }
  return result;
}

Result CodeGenerator::GenerateBinaryStep(const BinaryExpr& expr, Result lhs, uint16_t dest) {
  const uint16_t mark = next_;
  const Opcode op = OpcodeOf(expr.op);
  const Result rhs = Generate(*expr.rhs, Allocate());
  if (lhs.is_constant && rhs.is_constant) {
    auto folded = Fold([&](OpContext* context) {
      return IsLogical(expr.op) ? LogicalOperation(expr.op, lhs.value, rhs.value, context)
                                : BinaryOperation(expr.op, lhs.value, rhs.value, context);
    });
    if (folded) {
      FreeTo(mark);
      return Result::Constant(*folded);
    }
  }
  const SourceRange spans[] = {expr.range, expr.lhs->range, expr.rhs->range};
  const uint16_t b = Rk(lhs);
  const uint16_t c = Rk(rhs);
  builder_->Emit(op, dest, b, c, spans);
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateLogicalStep(const BinaryExpr& expr, Result lhs, const BinaryExpr* next,
                                          ScratchList<uint32_t>* skips, uint16_t dest) {
  // When the left side decides, the right side is not needed, provided that it is sure to be a bool.
  const bool skip = options_.optimize && !lhs.is_constant && IsSureOfBool(*expr.rhs);
  if (skip) {
    MoveTo(lhs, dest);
    lhs = Result::Register(dest);
    const Opcode op = expr.op == BinaryOp::kAnd ? Opcode::kSkipIfFalse : Opcode::kSkipIfTrue;
    skips->Add(builder_->EmitJump(op, dest));
  }
  const Result result = GenerateBinaryStep(expr, lhs, dest);
  // The next operator of a chain like `a && b && c` decides the same way: jump over it as well.
  const bool chained = next != nullptr && next->op == expr.op && options_.optimize && IsSureOfBool(*next->rhs);
  if (!chained) {
    for (uint32_t jump : skips->view()) builder_->PatchToHere(jump);
    skips->Clear();
  }
  return result;
}

Result CodeGenerator::GenerateUnary(const UnaryExpr& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const Result operand = Generate(*expr.operand, dest);
  const bool negate = expr.op == UnaryOp::kNegate;
  if (operand.is_constant) {
    auto folded = Fold([&](OpContext* context) {
      return negate ? NegateOperation(operand.value, context) : NotOperation(operand.value, context);
    });
    if (folded) return Result::Constant(*folded);
  }
  const SourceRange spans[] = {expr.range, expr.operand->range};
  builder_->Emit(negate ? Opcode::kNegate : Opcode::kNot, dest, Rk(operand), 0, spans);
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateConditional(const ConditionalExpr& expr, uint16_t dest) {
  return GenerateChoice(expr, *expr.condition, *expr.if_true, expr.if_false, dest);
}

// `if_false` is null for a template's `if` without `else`: the empty string.
Result CodeGenerator::GenerateChoice(const Expr& whole, const Expr& condition, const Expr& if_true,
                                     const Expr* if_false, uint16_t dest) {
  // The result's type needs both branches. Where both are sure to have the same type, only one has to run: errors of
  // the other are dropped in any case.
  const std::optional<Type> type = StaticType(if_true);
  const std::optional<Type> other = if_false != nullptr ? StaticType(*if_false) : Type::String();
  if (options_.optimize && type && other && *type == *other) {
    return GenerateBranches(whole, condition, if_true, if_false, dest);
  }
  return GenerateSelect(whole, condition, if_true, if_false, dest);
}

// An unknown value with what the form of `expr` says of whatever it yields. Null: a template's missing `else`.
Value CodeGenerator::UnknownOf(const Expr* expr) const {
  if (expr == nullptr) return UnknownNotNull(Type::String());
  const std::optional<Type> type = StaticType(*expr);
  if (!type) return Value::Dynamic();
  return NeverNull(*expr) ? UnknownNotNull(*type) : Value::Unknown(*type);
}

Result CodeGenerator::GenerateBranches(const Expr& whole, const Expr& condition, const Expr& if_true,
                                       const Expr* if_false, uint16_t dest) {
  const SourceRange spans[] = {whole.range, condition.range};
  auto generate_false = [&] {
    if (if_false != nullptr) {
      GenerateTo(*if_false, dest);
    } else {
      MoveTo(Result::Constant(StringConstant("")), dest);
    }
  };
  const Result test = Generate(condition, dest);
  MoveTo(test, dest);
  const uint32_t to_false = builder_->EmitJump(Opcode::kBranch, dest, spans);
  const uint32_t to_unknown = builder_->EmitJump(Opcode::kJump);
  GenerateTo(if_true, dest);
  const uint32_t true_done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(to_false);
  generate_false();
  const uint32_t false_done = builder_->EmitJump(Opcode::kJump);
  builder_->PatchToHere(to_unknown);
  const Value true_form = UnknownOf(&if_true);
  const Value unknown = DefinitelyNotNull(true_form) ? UnknownOf(if_false) : true_form;
  builder_->EmitX(Opcode::kOrUnknown, dest, builder_->AddConstant(unknown));
  builder_->PatchToHere(true_done);
  builder_->PatchToHere(false_done);
  return Result::Register(dest);
}

Result CodeGenerator::GenerateSelect(const Expr& whole, const Expr& condition, const Expr& if_true,
                                     const Expr* if_false, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 3);
  const SourceRange spans[] = {whole.range, condition.range, if_true.range,
                               if_false != nullptr ? if_false->range : if_true.range};
  GenerateTo(condition, run);
  GenerateTo(if_true, static_cast<uint16_t>(run + 1));
  if (if_false != nullptr) {
    GenerateTo(*if_false, static_cast<uint16_t>(run + 2));
  } else {
    MoveTo(Result::Constant(StringConstant("")), static_cast<uint16_t>(run + 2));
  }
  const uint16_t b = RkConstant(UnknownOf(&if_true));
  const uint16_t c = RkConstant(UnknownOf(if_false));
  builder_->Emit(Opcode::kSelect, run, b, c, spans);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

}  // namespace hcl::internal

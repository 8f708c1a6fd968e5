// PlainGenerator: arithmetic. Where only an order or a whole number is asked of a quotient, an approximation is enough
// (vm/value/approximation.h): the exact one has a hundred and more digits. Tested by compiler/plain_generator_test.cc.

#include <cstddef>
#include <cstdint>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

Opcode ArithmeticOpcode(BinaryOp op, bool exact) {
  if (op == BinaryOp::kDivide && !exact) return Opcode::kPlainRatio;
  static constexpr Opcode kOpcodes[] = {Opcode::kPlainAdd, Opcode::kPlainSubtract, Opcode::kPlainMultiply,
                                        Opcode::kPlainDivide, Opcode::kPlainModulo};
  return kOpcodes[static_cast<int>(op)];
}

}  // namespace

// What `expr` is the negative of, in fast code; null for other expressions.
const BoundExpr* PlainGenerator::NegatedBy(const BoundExpr& expr) const {
  const BoundExpr& inner = Inner(expr);
  const bool negates = inner.kind == BoundKind::kUnary && As<BoundUnary>(inner).op == UnaryOp::kNegate;
  return negates && !IsGeneral(inner) ? As<BoundUnary>(inner).operand : nullptr;
}

uint16_t PlainGenerator::NumberOperand(const BoundExpr& expr, Quotients quotients) {
  const BoundExpr& inner = Inner(expr);
  if (quotients == Quotients::kExact || !Divides(inner) || IsGeneral(inner) || KnownValueOf(inner) != nullptr) {
    return LeavingOperand(expr);
  }
  const uint16_t reg = g_.Allocate();
  if (inner.kind == BoundKind::kUnary) {
    g_.builder_->Emit(Opcode::kPlainSubtract, reg, g_.RkConstant(Value::Int(0)),
                      NumberOperand(*As<BoundUnary>(inner).operand, quotients));
  } else {
    YieldArithmetic(As<BoundChain>(inner), quotients, reg);
  }
  return reg;
}

// The first operand may be a chain as well, whose value is computed in the same register. A sum with a negative is a
// difference.
void PlainGenerator::YieldArithmetic(const BoundChain& expr, Quotients quotients, uint16_t dest) {
  if (expr.op == BinaryOp::kModulo) quotients = Quotients::kExact;
  if (joint_ != nullptr && quotients == Quotients::kExact) return YieldJointArithmetic(expr, dest);
  const auto operand = [&](const BoundExpr& part) { return NumberOperand(part, quotients); };
  const BoundExpr& first = Inner(*expr.operands[0]);
  const bool nested = first.kind == BoundKind::kChain && IsArithmetic(As<BoundChain>(first).op) && !IsGeneral(first) &&
                      KnownValueOf(first) == nullptr;
  if (nested) YieldArithmetic(As<BoundChain>(first), quotients, dest);
  const uint16_t mark = g_.next();
  size_t n = 1;
  uint16_t lhs = dest;
  const BoundExpr* const subtracted = nested || expr.op != BinaryOp::kAdd ? nullptr : NegatedBy(first);
  if (subtracted != nullptr) {
    const uint16_t from = operand(*expr.operands[n++]);
    g_.builder_->Emit(Opcode::kPlainSubtract, dest, from, operand(*subtracted));
    g_.FreeTo(mark);
  } else if (!nested) {
    lhs = operand(first);
  }
  for (; n < expr.operands.size(); ++n) {
    EmitOperation(expr, quotients, n, lhs, dest);
    lhs = dest;
    g_.FreeTo(mark);
  }
}

void PlainGenerator::EmitOperation(const BoundChain& expr, Quotients quotients, size_t n, uint16_t lhs, uint16_t dest) {
  const BoundExpr* const negated = NegatedBy(*expr.operands[n]);
  if (negated != nullptr && (expr.op == BinaryOp::kAdd || expr.op == BinaryOp::kSubtract)) {
    const Opcode op = expr.op == BinaryOp::kAdd ? Opcode::kPlainSubtract : Opcode::kPlainAdd;
    g_.builder_->Emit(op, dest, lhs, NumberOperand(*negated, quotients));
  } else {
    const Opcode op = ArithmeticOpcode(expr.op, quotients == Quotients::kExact);
    g_.builder_->Emit(op, dest, lhs, NumberOperand(*expr.operands[n], quotients));
  }
}

void PlainGenerator::YieldRounding(const BoundCall& call, uint16_t dest) {
  const uint16_t mark = g_.next();
  const Opcode op = call.is(Function::Special::kCeil) ? Opcode::kPlainCeil : Opcode::kPlainFloor;
  g_.builder_->Emit(op, dest, NearOperand(*call.arguments[0]));
  g_.FreeTo(mark);
}

}  // namespace hcl::internal

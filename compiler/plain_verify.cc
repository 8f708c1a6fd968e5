// PlainGenerator: what only sessions have, which are values that only have to be there, values that general code makes,
// and paths that are read once for all. Tested by compiler/literal_loop_test.cc.

#include <algorithm>

#include "hclvm/base/source.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

PlainSession::KnownValue* PlainGenerator::SessionValueOf(const BoundExpr& expr) {
  PlainSession::KnownValue* const known = session_->Find(expr);
  if (known == nullptr || known->is_there) return known;
  if (branches_ > 0) return nullptr;
  known->is_there = true;
  if (IsGeneral(expr)) {
    YieldGeneral(expr, known->reg, PlainCheck::kNoError);
  } else {
    YieldRead(expr, StepsOf(expr).size(), StepTarget(known->reg));
  }
  return known;
}

void PlainGenerator::Verify(const BoundExpr& expr, PlainCheck check) {
  const BoundExpr& inner = Inner(expr);
  if (check == PlainCheck::kNoError && session_->is_verified(inner)) return;
  const uint16_t mark = g_.next();
  if (!VerifyByParts(inner, check)) CheckedOperand(inner, check);
  g_.FreeTo(mark);
  if (branches_ == 0) session_->set_verified(inner);
}

void PlainGenerator::Ask(const BoundExpr& expr, PlainCheck check) {
  const uint16_t mark = g_.next();
  g_.builder_->Emit(Opcode::kPlainCheck, LeavingOperand(expr), static_cast<uint16_t>(check));
  g_.FreeTo(mark);
}

// False when the value itself is needed. What has no marks in its parts has none.
bool PlainGenerator::VerifyByParts(const BoundExpr& expr, PlainCheck check) {
  const bool by_parts = (check == PlainCheck::kNoError || check == PlainCheck::kUnmarked) && !IsGeneral(expr);
  switch (expr.kind) {
    case BoundKind::kConstant:
      return check == PlainCheck::kNoError || check == PlainCheck::kUnmarked;
    case BoundKind::kObject:
      if (!by_parts) return false;
      for (const BoundItem& item : As<BoundObject>(expr).items) Verify(*item.value, check);
      return true;
    case BoundKind::kTuple:
      if (!by_parts) return false;
      for (const BoundExpr* element : As<BoundTuple>(expr).elements) Verify(*element, check);
      return true;
    case BoundKind::kTemplate:
      if (!Passes(Type::String(), check)) return false;
      for (const BoundExpr* part : As<BoundTemplate>(expr).parts) Verify(*part, PlainCheck::kScalar);
      return true;
    case BoundKind::kConditional:
      if (!session_->IsVerifiedByJumps(expr)) return false;
      VerifyIf(As<BoundConditional>(expr), check);
      return true;
    case BoundKind::kCall:
      return VerifyCall(As<BoundCall>(expr), check);
    default:
      return false;
  }
}

bool PlainGenerator::VerifyCall(const BoundCall& call, PlainCheck check) {
  if (CannotFail(call, check)) return true;
  if (!IsTotalCall(call) || !Passes(call.function->result_type, check)) return false;
  for (size_t n = 0; n < call.arguments.size(); ++n) {
    Verify(*call.arguments[n], CheckOfParameter(call.function->parameter(n).type));
  }
  return true;
}

void PlainGenerator::VerifyIf(const BoundConditional& expr, PlainCheck check) {
  PlainLabel if_false;
  Test(*expr.condition, false, &if_false);
  const Branch branch(this);
  Verify(*expr.if_true, check);
  const bool has_else = !expr.if_false->is_constant() || !NeedsNoCheck(*expr.if_false, check);
  const uint32_t done = has_else ? g_.builder_->Emit(Opcode::kSkip) : 0;
  PatchToHere(if_false);
  branch.Else();
  if (!has_else) return;
  Verify(*expr.if_false, check);
  g_.builder_->PatchToHere(done);
}

// Whether it is a call of can, or of try with a constant at the end and nothing before that could fail the check. What
// is expanded may be no list, which no attempt catches.
bool PlainGenerator::CannotFail(const BoundCall& call, PlainCheck check) const {
  if (check == PlainCheck::kUnmarked || call.expand_last) return false;
  if (call.is(Function::Special::kCan)) return Passes(Type::Bool(), check);
  if (!call.is(Function::Special::kTry) || call.arguments.empty()) return false;
  if (ScalarOf(*call.arguments.back()) == nullptr) return false;
  return std::all_of(call.arguments.begin(), call.arguments.end(), [&](const BoundExpr* argument) {
    const BoundExpr& inner = Inner(*argument);
    return inner.has_primitive_type() && Passes(inner.type, check) && inner.never_null;
  });
}

// Whether general code makes it, or a branch of it, which then need not be known.
bool PlainGenerator::IsPartlyGeneral(const BoundExpr& expr) const {
  const BoundExpr& inner = Inner(expr);
  if (IsGeneral(inner)) return !inner.is_constant();
  if (inner.kind != BoundKind::kConditional) return false;
  const auto& choice = As<BoundConditional>(inner);
  return IsPartlyGeneral(*choice.if_true) || IsPartlyGeneral(*choice.if_false);
}

// Whether a value of its type, if known at all, cannot fail the check, and the others neither.
bool PlainGenerator::NeedsNoCheck(const BoundExpr& expr, PlainCheck check) const {
  return expr.has_primitive_type() && expr.never_null && Passes(expr.type, check) && !IsPartlyGeneral(expr);
}

uint16_t PlainGenerator::CheckedOperand(const BoundExpr& expr, PlainCheck check) {
  const BoundExpr& inner = Inner(expr);
  PlainSession::KnownValue* const known = KnownValueOf(inner);
  if (known == nullptr && IsGeneral(inner)) {
    const uint16_t reg = g_.Allocate();
    YieldGeneral(inner, reg, check);
    return reg;
  }
  const uint16_t operand = Operand(inner);
  // What is loaded from a path, or was made by general code, is there.
  const bool is_there = check == PlainCheck::kNoError && (operand & (kConstantBit | kSlotBit)) == 0;
  if (is_there || NeedsNoCheck(inner, check) || HasPassed(inner, check)) return operand;
  g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(check));
  SetPassed(inner, check);
  return operand;
}

namespace {

constexpr uint32_t BitOf(PlainCheck check) { return uint32_t{1} << static_cast<int>(check); }

}  // namespace

// Only values that are kept are known again.
bool PlainGenerator::HasPassed(const BoundExpr& expr, PlainCheck check) const {
  const PlainSession::KnownValue* const known = session_ == nullptr ? nullptr : session_->Find(Inner(expr));
  return known != nullptr && known->is_there && (known->checks & BitOf(check)) != 0;
}

void PlainGenerator::SetPassed(const BoundExpr& expr, PlainCheck check) {
  PlainSession::KnownValue* const known = session_ == nullptr ? nullptr : session_->Find(Inner(expr));
  if (known != nullptr && known->is_there && branches_ == 0) known->checks |= BitOf(check);
}

}  // namespace hcl::internal

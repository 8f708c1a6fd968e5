// PlainGenerator: conditionals. Tested by compiler/plain_generator_test.cc.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "hclvm/base/operators.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// Whether no part has parts itself.
bool HasOnlyLeaves(const BoundTemplate& text) {
  return std::all_of(text.parts.begin(), text.parts.end(), [](const BoundExpr* part) {
    return part->is_constant() || part->kind == BoundKind::kPath || part->kind == BoundKind::kLocal;
  });
}

}  // namespace

Type PlainGenerator::BranchTypeOf(const BoundExpr& expr) const {
  if (session_ == nullptr) return As<BoundConditional>(expr).branch_type;
  return internal::BranchTypeOf(expr, Parts{this}).type;
}

// The type of a conditional is that of its branches, and a branch that is an untyped null becomes a null of it: of the
// type that is known beforehand, or that the other branch has. A branch that is a choice again has no type where its
// condition fails, which is not known unless it runs; such a null is left to general code then, since an operand that
// is neither a scalar nor a null gives it no type.
void PlainGenerator::YieldChoice(const BoundConditional& expr, uint16_t dest, bool returns) {
  if (!expr.common_type.is_dynamic()) return YieldTyped(expr, dest, returns);
  if (expr.shape != nullptr) return YieldObjects(expr, dest, returns);
  const uint16_t mark = g_.next();
  const size_t outer = loaded_.size();
  const Type type = BranchTypeOf(expr);
  uint16_t typed = 0;
  if (type.is_dynamic()) {
    LoadBranches(expr, std::nullopt, /*inside=*/false);
    ShortList<uint16_t> operands;
    for (size_t n = outer; n < loaded_.size(); ++n) operands.push_back(loaded_[n].operand);
    typed = Meet(operands);
  } else {
    LoadBranches(expr, BranchCheckOf(type), /*inside=*/false);
    typed = g_.RkConstant(Value::Null(type));
  }
  if (IsChoice(Inner(*expr.if_true)) || IsChoice(Inner(*expr.if_false))) {
    typed = g_.RkConstant(MakeTuple({}, g_.builder_->heap()->arena()));
  }
  PlainLabel done;
  YieldBranch(expr, {dest, returns, typed, &done});
  PatchToHere(done);
  loaded_.resize(outer);
  g_.FreeTo(mark);
}

void PlainGenerator::YieldTyped(const BoundConditional& choice, uint16_t dest, bool returns) {
  const uint16_t mark = g_.next();
  PlainLabel if_false;
  Test(*choice.condition, false, &if_false);
  g_.FreeTo(mark);
  const Branch branch(this);
  YieldTypedBranch(choice, true, dest);
  const uint32_t done = returns ? 0 : g_.builder_->Emit(Opcode::kSkip);
  if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
  PatchToHere(if_false);
  branch.Else();
  YieldTypedBranch(choice, false, dest);
  if (!returns) return g_.builder_->PatchToHere(done);
  g_.builder_->Emit(Opcode::kReturn, 0, dest);
}

void PlainGenerator::YieldTypedBranch(const BoundConditional& choice, bool taken, uint16_t dest) {
  const uint16_t mark = g_.next();
  const BoundExpr& branch = taken ? *choice.if_true : *choice.if_false;
  const BoundExpr& other = taken ? *choice.if_false : *choice.if_true;
  if (branch.type == choice.common_type) {
    Yield(branch, dest, /*returns=*/false);
    return g_.FreeTo(mark);
  }
  const Type type = g_.builder_->heap()->types()->Import(choice.common_type);
  const std::optional<Value> converted = ConvertedConstant(branch, type);
  PlainLabel failed;
  if (!converted) Yield(branch, dest, /*returns=*/false);
  Ensure(other, &failed);
  if (converted) {
    g_.MoveTo(Result::Constant(*converted), dest);
  } else {
    const SourceRange spans[] = {choice.range, choice.condition->outer, branch.outer, branch.outer};
    g_.builder_->EmitX(Opcode::kConvertTo, dest, g_.builder_->AddConstant(Value::Null(type)), spans);
    g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNoError));
  }
  if (converted && !failed.empty()) {
    const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
    PatchToHere(failed);
    const Value& value = IsNull(branch) ? Value::Null() : As<BoundConstant>(branch).value;
    g_.MoveTo(Result::Constant(value), dest);
    g_.builder_->PatchToHere(done);
  } else {
    PatchToHere(failed);
  }
  g_.FreeTo(mark);
}

std::optional<Value> PlainGenerator::ConvertedConstant(const BoundExpr& branch, Type type) {
  if (IsNull(branch)) return Value::Null(type);
  if (!branch.is_constant()) return std::nullopt;
  const Value converted = g_.folding_.ConvertArgument(As<BoundConstant>(branch).value, type);
  return HasType(converted, type) ? std::make_optional(converted) : std::nullopt;
}

// What the text tells the type of fails where a part does: the parts of a literal need not be put together. A part of a
// template fails where it is null or not there. Only leaves are looked at so; other parts may hold choices again, and
// what each level looks at anew would double the code with each.
void PlainGenerator::Ensure(const BoundExpr& expr, PlainLabel* failed) {
  const uint16_t mark = g_.next();
  if (expr.is_constant()) return;
  if (expr.kind == BoundKind::kTuple) {
    for (const BoundExpr* element : As<BoundTuple>(expr).elements) Ensure(*element, failed);
    return;
  }
  if (expr.kind == BoundKind::kTemplate && HasOnlyLeaves(As<BoundTemplate>(expr))) {
    for (const BoundExpr* part : As<BoundTemplate>(expr).parts) {
      if (part->is_constant()) continue;
      failed->push_back(g_.builder_->Emit(Opcode::kIfBlank, Find(*part)));
      g_.FreeTo(mark);
    }
    return;
  }
  Operand(expr);
  g_.FreeTo(mark);
}

// One that only has to meet itself has to be known.
uint16_t PlainGenerator::Meet(absl::Span<const uint16_t> operands) {
  const uint16_t met = g_.Allocate();
  const uint16_t null = operands.size() < 2 ? g_.RkConstant(Value::Null()) : 0;
  const uint16_t first = operands.empty() ? null : operands[0];
  g_.builder_->Emit(Opcode::kPlainMeet, met, first, operands.size() < 2 ? null : operands[1]);
  for (size_t n = 2; n < operands.size(); ++n) g_.builder_->Emit(Opcode::kPlainMeet, met, met, operands[n]);
  return met;
}

// A choice in a branch that fails has no type, and then the types of its own branches do not count. So these must be
// there, unless none can yield an untyped null.
void PlainGenerator::LoadBranches(const BoundConditional& choice, std::optional<PlainCheck> check, bool inside) {
  for (const BoundExpr* branch : {choice.if_true, choice.if_false}) {
    const BoundExpr& inner = Inner(*branch);
    if (IsChoice(inner)) {
      LoadBranches(As<BoundConditional>(inner), check, /*inside=*/true);
    } else if (!inner.has_primitive_type() && !IsNull(inner)) {
      const bool may_be_nothing = !inside || check == PlainCheck::kBoolOrNothing;
      const uint16_t operand = may_be_nothing ? Find(inner) : Operand(inner);
      if (check) g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(*check));
      loaded_.push_back({&inner, operand});
    }
  }
}

std::optional<uint16_t> PlainGenerator::LoadedOperand(const BoundExpr& branch) const {
  for (const LoadedBranch& loaded : loaded_) {
    if (loaded.expr == &branch) return loaded.operand;
  }
  return std::nullopt;
}

void PlainGenerator::YieldBranch(const BoundExpr& expr, const ChoiceEnd& end) {
  const BoundExpr& inner = Inner(expr);
  if (IsChoice(inner)) {
    const auto& choice = As<BoundConditional>(inner);
    PlainLabel if_false;
    Test(*choice.condition, false, &if_false);
    const Branch branch(this);
    YieldBranch(*choice.if_true, end);
    if (!end.returns) end.done->push_back(g_.builder_->Emit(Opcode::kSkip));
    PatchToHere(if_false);
    branch.Else();
    YieldBranch(*choice.if_false, end);
    return;
  }
  const std::optional<uint16_t> loaded = IsNull(inner) ? Operand(inner) : LoadedOperand(inner);
  if (!loaded) return Yield(inner, end.dest, end.returns);
  g_.builder_->Emit(Opcode::kPlainTyped, end.dest, *loaded, end.typed);
  if (end.returns) g_.builder_->Emit(Opcode::kReturn, 0, end.dest);
}

}  // namespace hcl::internal

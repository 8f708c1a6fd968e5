// PlainGenerator: conditionals. Tested by compiler/plain_generator_test.cc.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

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

// Branches of more nodes are not looked at for the type of a null: each null looks at all others.
constexpr uint32_t kMaxOwed = 24;

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
// type that is known beforehand, or that the others have. TypedFor() says what of the latter counts.
void PlainGenerator::YieldChoice(const BoundConditional& expr, uint16_t dest, bool returns) {
  if (!expr.common_type.is_dynamic()) return YieldTyped(expr, dest, returns);
  if (expr.shape != nullptr) return YieldObjects(expr, dest, returns);
  if (HasToldBranches(expr)) return YieldAlike(expr, Opcode::kPlainAlike, dest, returns);
  const uint16_t mark = g_.next();
  const size_t outer = loaded_.size();
  const Type type = BranchTypeOf(expr);
  uint16_t typed = 0;
  if (type.is_dynamic()) {
    LoadBranches(expr, std::nullopt);
    ShortList<uint16_t> operands;
    for (size_t n = outer; n < loaded_.size(); ++n) operands.push_back(loaded_[n].operand);
    typed = Meet(operands);
  } else {
    LoadBranches(expr, BranchCheckOf(type));
    typed = g_.RkConstant(Value::Null(type));
  }
  PlainLabel done;
  ShortList<const BoundExpr*> others;
  YieldBranch(expr, {dest, returns, typed, &others, &done});
  PatchToHere(done);
  loaded_.resize(outer);
  g_.FreeTo(mark);
}

// Whether each branch is a constant, or something of which the value tells the type.
bool PlainGenerator::HasToldBranches(const BoundConditional& choice) const {
  if (session_ != nullptr) return false;
  const auto is_constant = [](const BoundExpr& branch) {
    return ScalarOf(branch) != nullptr || IsNull(branch) || IsConstantStructure(branch);
  };
  const auto is_told = [&](const BoundExpr& branch) {
    return !IsChoice(branch) && (is_constant(branch) || !branch.has_primitive_type());
  };
  return is_told(*choice.if_true) && is_told(*choice.if_false) &&
         !(is_constant(*choice.if_true) && is_constant(*choice.if_false));
}

// Then one instruction finds the type, and converts to it.
void PlainGenerator::YieldAlike(const BoundConditional& choice, Opcode op, uint16_t dest, bool returns) {
  const uint16_t mark = g_.next();
  const uint16_t if_true = Find(*choice.if_true);
  const uint16_t if_false = Find(*choice.if_false);
  PlainLabel is_false;
  Test(*choice.condition, false, &is_false);
  const SourceRange spans[] = {choice.range, choice.condition->outer, choice.if_true->outer, choice.if_false->outer};
  g_.builder_->Emit(op, dest, if_true, if_false, spans);
  const uint32_t done = g_.builder_->Emit(returns ? Opcode::kReturn : Opcode::kSkip, 0, returns ? dest : 0);
  PatchToHere(is_false);
  g_.builder_->Emit(op, dest, if_false, if_true, spans);
  if (returns) {
    g_.builder_->Emit(Opcode::kReturn, 0, dest);
  } else {
    g_.builder_->PatchToHere(done);
  }
  g_.FreeTo(mark);
}

// An operand whose type an untyped null takes that was chosen before `end.others`. A choice among these that fails has
// the type that its form tells; where its form tells none, the types of its own branches do not count. That cannot be
// where there is no such choice, and does not matter beside a branch whose form tells the type, which all have. For a
// null in the text it is looked at; other nulls are rare, and leave: a tuple gives them no type.
uint16_t PlainGenerator::TypedFor(const BoundExpr& branch, const ChoiceEnd& end) {
  const auto& others = *end.others;
  const auto is_choice = [this](const BoundExpr* other) { return IsChoice(Inner(*other)); };
  if (std::none_of(others.begin(), others.end(), is_choice)) return end.typed;
  const auto is_typed = [this](const BoundExpr* other) { return Inner(*other).has_primitive_type(); };
  const auto typed = std::find_if(others.begin(), others.end(), is_typed);
  if (typed != others.end()) return g_.RkConstant(Value::Null(Inner(**typed).type));
  const auto is_small = [](const BoundExpr* other) { return other->size() <= kMaxOwed; };
  if (!IsNull(branch) || !std::all_of(others.begin(), others.end(), is_small)) {
    return g_.RkConstant(MakeTuple({}, g_.builder_->heap()->arena()));
  }
  const uint16_t met = g_.Allocate();
  Load(g_.RkConstant(Value::Null()), met);
  const Branch scope(this);
  for (const BoundExpr* other : others) {
    const uint16_t mark = g_.next();
    g_.builder_->Emit(Opcode::kPlainMeet, met, TypeOfOther(*other), met);
    g_.FreeTo(mark);
  }
  return met;
}

// An operand that is nothing where `branch` fails, and otherwise has its type, or is an untyped null. A choice fails
// where its condition or the branch that it takes does.
uint16_t PlainGenerator::TypeOfOther(const BoundExpr& branch) {
  const BoundExpr& inner = Inner(branch);
  if (!IsChoice(inner)) {
    const std::optional<uint16_t> loaded = IsNull(inner) ? Operand(inner) : LoadedOperand(inner);
    return loaded ? *loaded : Operand(inner);
  }
  const auto& choice = As<BoundConditional>(inner);
  const uint16_t type = g_.Allocate();
  const uint16_t mark = g_.next();
  const uint16_t if_true = TypeOfOther(*choice.if_true);
  const uint16_t if_false = TypeOfOther(*choice.if_false);
  PlainLabel failed;
  PlainLabel is_false;
  g_.builder_->Emit(Opcode::kForget, type, 1);
  EnsureCondition(*choice.condition, &failed);
  Test(*choice.condition, false, &is_false);
  failed.push_back(g_.builder_->Emit(Opcode::kIfNotThere, if_true));
  const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
  PatchToHere(is_false);
  failed.push_back(g_.builder_->Emit(Opcode::kIfNotThere, if_false));
  g_.builder_->PatchToHere(done);
  g_.builder_->Emit(Opcode::kPlainMeet, type, if_true, g_.RkConstant(Value::Null()));
  g_.builder_->Emit(Opcode::kPlainMeet, type, if_false, type);
  PatchToHere(failed);
  g_.FreeTo(mark);
  return type;
}

// Code that goes to `failed` where a comparison with a constant fails, as what is compared is not there.
void PlainGenerator::EnsureCondition(const BoundExpr& condition, PlainLabel* failed) {
  const BoundExpr& inner = Inner(condition);
  if (inner.kind != BoundKind::kChain || !IsEquality(As<BoundChain>(inner).op) || IsGeneral(inner)) return;
  const BoundExpr* compared = As<BoundChain>(inner).operands[0];
  const BoundExpr* constant = As<BoundChain>(inner).operands[1];
  if (!constant->is_constant()) std::swap(compared, constant);
  if (!constant->is_constant() || !CanSeek(*compared)) return;
  const uint16_t mark = g_.next();
  failed->push_back(g_.builder_->Emit(Opcode::kIfNotThere, Find(*compared)));
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

// Both branches have one type in the end, which is known here, so that only the one that is taken is made, and
// converted. The other counts by whether it fails: a failed branch has no type to convert to.
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
  // A branch that fails counts by its form, which tells that it would be a bool, number or string.
  if (!other.has_primitive_type()) Ensure(other, &failed);
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

// None need be there, but the one that is taken. Where a choice in a branch fails, the types of its own branches do not
// count: the value is the same, as all that are there are of one type; only an untyped null would be of another.
void PlainGenerator::LoadBranches(const BoundConditional& choice, std::optional<PlainCheck> check) {
  for (const BoundExpr* branch : {choice.if_true, choice.if_false}) {
    const BoundExpr& inner = Inner(*branch);
    if (IsChoice(inner)) {
      LoadBranches(As<BoundConditional>(inner), check);
    } else if (!inner.has_primitive_type() && !IsNull(inner)) {
      const uint16_t operand = Find(inner);
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

// A chain of choices ends at one place. What stands in `others` are the branches that were not taken on the way
// here: an untyped null gets its type from them.
void PlainGenerator::YieldBranch(const BoundExpr& expr, const ChoiceEnd& end) {
  const BoundExpr& inner = Inner(expr);
  if (IsChoice(inner)) {
    const auto& choice = As<BoundConditional>(inner);
    PlainLabel if_false;
    Test(*choice.condition, false, &if_false);
    const Branch branch(this);
    end.others->push_back(choice.if_false);
    YieldBranch(*choice.if_true, end);
    if (!end.returns) end.done->push_back(g_.builder_->Emit(Opcode::kSkip));
    PatchToHere(if_false);
    branch.Else();
    end.others->back() = choice.if_true;
    YieldBranch(*choice.if_false, end);
    end.others->pop_back();
    return;
  }
  const uint16_t mark = g_.next();
  const std::optional<uint16_t> loaded = IsNull(inner) ? Operand(inner) : LoadedOperand(inner);
  if (!loaded) return Yield(inner, end.dest, end.returns);
  g_.builder_->Emit(Opcode::kPlainTyped, end.dest, *loaded, TypedFor(inner, end));
  if (end.returns) g_.builder_->Emit(Opcode::kReturn, 0, end.dest);
  g_.FreeTo(mark);
}

}  // namespace hcl::internal

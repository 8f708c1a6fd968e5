// PlainGenerator: the code. Tested by compiler/plain_generator_test.cc.

#include <utility>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

Opcode ArithmeticOpcode(BinaryOp op) {
  static constexpr Opcode kOpcodes[] = {Opcode::kPlainAdd, Opcode::kPlainSubtract, Opcode::kPlainMultiply,
                                        Opcode::kPlainDivide, Opcode::kPlainModulo};
  return kOpcodes[static_cast<int>(op)];
}

uint16_t CheckOf(Type type) {
  const PlainCheck check = type == Type::Bool()     ? PlainCheck::kBool
                           : type == Type::Number() ? PlainCheck::kNumber
                                                    : PlainCheck::kString;
  return static_cast<uint16_t>(check);
}

}  // namespace

void PlainGenerator::PatchToHere(const PlainLabel& label) {
  for (uint32_t jump : label) g_.builder_->PatchToHere(jump);
}

// Operands.

uint16_t PlainGenerator::PlainConstant(const Value& value) {
  return g_.RkConstant(value.is_string() ? g_.StringConstant(value.AsString()) : value);
}

std::optional<uint32_t> PlainGenerator::PathOf(const Expr& expr) {
  const Expr& inner = Inner(expr);
  const Expr* root = &inner;
  absl::Span<const TraversalStep> steps;
  if (inner.kind == ExprKind::kTraversal) {
    root = As<TraversalExpr>(inner).source;
    steps = As<TraversalExpr>(inner).steps;
  }
  if (root->kind != ExprKind::kVariable || g_.FindLocal(As<VariableExpr>(*root).name) != nullptr) return std::nullopt;
  CodeGenerator::KnownPath& known = g_.KnownPathAt(steps.data());
  if (!steps.empty() && known.steps == steps.data()) return known.path;
  ShortList<PathStep> path;
  for (const TraversalStep& step : steps) {
    path.push_back({*g_.StepKey(step), step.kind == TraversalStep::Kind::kAttribute});
  }
  const uint32_t index = g_.builder_->AddPath(g_.builder_->AddSlot(As<VariableExpr>(*root).name), path);
  known = {steps.data(), index};
  return index;
}

uint16_t PlainGenerator::Operand(const Expr& expr) {
  const Expr& inner = Inner(expr);
  if (const std::optional<Value> constant = ConstantOf(inner)) return PlainConstant(*constant);
  if (inner.kind == ExprKind::kSplatItem) return g_.splat_items_.back();
  if (inner.kind == ExprKind::kVariable) {
    const std::string_view name = As<VariableExpr>(inner).name;
    if (const CodeGenerator::Local* local = g_.FindLocal(name)) return local->reg;
    const uint32_t slot = g_.builder_->AddSlot(name);
    if (slot < kMaxPlainSlots) return static_cast<uint16_t>(kSlotBit | slot);
  }
  if (const PlainSession::KnownValue* known = KnownValueOf(inner)) return known->reg;
  const uint16_t reg = g_.Allocate();
  Yield(inner, reg, /*returns=*/false);
  return reg;
}

void PlainGenerator::Load(uint16_t operand, uint16_t dest) {
  if (operand & kConstantBit) {
    g_.builder_->EmitX(Opcode::kLoadConst, dest, operand & ~kConstantBit);
  } else if (operand & kSlotBit) {
    g_.builder_->EmitX(Opcode::kPlainLoad, dest, g_.builder_->AddPath(operand & ~kSlotBit, {}));
  } else if (operand != dest) {
    g_.builder_->Emit(Opcode::kMove, dest, operand);
  }
}

// Values.

void PlainGenerator::Finish(const Value& value, uint16_t dest, bool returns) {
  const uint16_t operand = PlainConstant(value);
  if (returns) {
    g_.builder_->Emit(Opcode::kReturn, 0, operand);
  } else {
    Load(operand, dest);
  }
}

void PlainGenerator::Yield(const Expr& expr, uint16_t dest, bool returns) {
  const uint16_t mark = g_.next();
  const Expr& inner = Inner(expr);
  if (const std::optional<Value> constant = ConstantOf(inner)) return Finish(*constant, dest, returns);
  if (const PlainSession::KnownValue* known = KnownValueOf(inner)) return Load(known->reg, dest);
  if (IsGeneral(inner)) return YieldGeneral(inner, dest, PlainCheck::kNoError);
  switch (inner.kind) {
    case ExprKind::kVariable:
    case ExprKind::kTraversal:
      if (const std::optional<uint32_t> path = PathOf(inner)) {
        g_.builder_->EmitX(Opcode::kPlainLoad, dest, *path);
      } else if (inner.kind == ExprKind::kTraversal) {
        YieldSteps(As<TraversalExpr>(inner), dest);
      } else {
        Load(Operand(inner), dest);
      }
      break;
    case ExprKind::kSplatItem:
      Load(Operand(inner), dest);
      break;
    case ExprKind::kIndex: {
      const uint16_t collection = Operand(*As<IndexExpr>(inner).collection);
      const uint16_t key = Operand(*As<IndexExpr>(inner).key);
      g_.builder_->Emit(Opcode::kPlainIndex, dest, collection, key);
      break;
    }
    case ExprKind::kUnary:
      if (As<UnaryExpr>(inner).op == UnaryOp::kNot) return YieldTruth(inner, dest, returns);
      g_.builder_->Emit(Opcode::kPlainSubtract, dest, PlainConstant(Value::Int(0)),
                        Operand(*As<UnaryExpr>(inner).operand));
      break;
    case ExprKind::kBinary:
      if (!IsArithmetic(As<BinaryExpr>(inner).op)) return YieldTruth(inner, dest, returns);
      YieldArithmetic(As<BinaryExpr>(inner), dest);
      break;
    case ExprKind::kConditional: {
      const size_t outer = loaded_.size();
      LoadBranches(inner, *BranchType(inner));
      PlainLabel done;
      YieldBranch(inner, dest, returns, &done);
      PatchToHere(done);
      loaded_.resize(outer);
      g_.FreeTo(mark);
      return;
    }
    case ExprKind::kObject:
      YieldObject(As<ObjectExpr>(inner), dest);
      break;
    case ExprKind::kTuple:
      YieldTuple(As<TupleExpr>(inner), dest);
      break;
    case ExprKind::kTemplate:
      YieldTemplate(As<TemplateExpr>(inner), dest);
      break;
    case ExprKind::kCall:
      if (!IsLength(As<CallExpr>(inner))) return YieldTruth(inner, dest, returns);
      g_.builder_->Emit(Opcode::kPlainLength, dest, Operand(*As<CallExpr>(inner).arguments[0]));
      break;
    default:
      return YieldTruth(inner, dest, returns);
  }
  g_.FreeTo(mark);
  if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
}

void PlainGenerator::YieldSteps(const TraversalExpr& expr, uint16_t dest) {
  uint16_t source = Operand(*expr.source);
  for (const TraversalStep& step : expr.steps) {
    const bool attribute = step.kind != TraversalStep::Kind::kIndexNumber;
    g_.builder_->Emit(attribute ? Opcode::kPlainAttr : Opcode::kPlainIndex, dest, source,
                      PlainConstant(*g_.StepKey(step)));
    source = dest;
  }
}

void PlainGenerator::YieldArithmetic(const BinaryExpr& expr, uint16_t dest) {
  const Expr& lhs = Inner(*expr.lhs);
  const bool nested = lhs.kind == ExprKind::kBinary && !ConstantOf(lhs) && IsArithmetic(As<BinaryExpr>(lhs).op);
  if (nested) YieldArithmetic(As<BinaryExpr>(lhs), dest);
  const uint16_t mark = g_.next();
  const uint16_t b = nested ? dest : Operand(lhs);
  const uint16_t c = Operand(*expr.rhs);
  g_.builder_->Emit(ArithmeticOpcode(expr.op), dest, b, c);
  g_.FreeTo(mark);
}

// A bool as a value.
void PlainGenerator::YieldTruth(const Expr& expr, uint16_t dest, bool returns) {
  PlainLabel if_false;
  Test(expr, false, &if_false);
  Finish(Value::Bool(true), dest, returns);
  const uint32_t done = returns ? 0 : g_.builder_->EmitJump(Opcode::kJump);
  PatchToHere(if_false);
  Finish(Value::Bool(false), dest, returns);
  if (!returns) g_.builder_->PatchToHere(done);
}

void PlainGenerator::LoadBranches(const Expr& expr, Type type) {
  const Expr& inner = Inner(expr);
  if (inner.kind == ExprKind::kConditional) {
    LoadBranches(*As<ConditionalExpr>(inner).if_true, type);
    LoadBranches(*As<ConditionalExpr>(inner).if_false, type);
  } else if (!TypeOfLeaf(inner)) {
    const uint16_t operand = Operand(inner);
    g_.builder_->Emit(Opcode::kPlainCheck, operand, CheckOf(type));
    loaded_.push_back({&inner, operand});
  }
}

std::optional<uint16_t> PlainGenerator::LoadedOperand(const Expr& branch) const {
  for (const LoadedBranch& loaded : loaded_) {
    if (loaded.expr == &branch) return loaded.operand;
  }
  return std::nullopt;
}

void PlainGenerator::YieldBranch(const Expr& expr, uint16_t dest, bool returns, PlainLabel* done) {
  const Expr& inner = Inner(expr);
  if (inner.kind == ExprKind::kConditional) {
    const auto& node = As<ConditionalExpr>(inner);
    PlainLabel if_false;
    Test(*node.condition, false, &if_false);
    const Branch branch(this);
    YieldBranch(*node.if_true, dest, returns, done);
    if (!returns) done->push_back(g_.builder_->EmitJump(Opcode::kJump));
    PatchToHere(if_false);
    YieldBranch(*node.if_false, dest, returns, done);
    return;
  }
  const std::optional<uint16_t> loaded = LoadedOperand(inner);
  if (!loaded) return Yield(inner, dest, returns);
  Load(*loaded, dest);
  if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
}

// Tests.

void PlainGenerator::Test(const Expr& expr, bool when, PlainLabel* target) {
  const uint16_t mark = g_.next();
  const Expr& inner = Inner(expr);
  const std::optional<Value> constant = ConstantOf(inner);
  if (constant && constant->is_bool()) {
    if (constant->is_true() == when) target->push_back(g_.builder_->EmitJump(Opcode::kJump));
  } else if (IsGeneral(inner)) {
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, Operand(inner)));
  } else if (inner.kind == ExprKind::kUnary) {
    Test(*As<UnaryExpr>(inner).operand, !when, target);
  } else if (inner.kind == ExprKind::kBinary) {
    TestBinary(As<BinaryExpr>(inner), when, target);
  } else if (inner.kind == ExprKind::kCall && !IsLength(As<CallExpr>(inner))) {
    TestCall(As<CallExpr>(inner), when, target);
  } else if (inner.kind == ExprKind::kConditional) {
    const size_t outer = loaded_.size();
    LoadBranches(inner, Type::Bool());
    TestBranch(inner, when, target);
    loaded_.resize(outer);
  } else {
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, Operand(inner)));
  }
  g_.FreeTo(mark);
}

void PlainGenerator::TestBinary(const BinaryExpr& expr, bool when, PlainLabel* target) {
  if (IsEquality(expr.op)) return TestEquality(expr, when, target);
  if (!IsLogical(expr.op)) {
    // a > b is b < a, and not a < b is b <= a.
    uint16_t a = Operand(*expr.lhs);
    uint16_t b = Operand(*expr.rhs);
    const bool greater = expr.op == BinaryOp::kGreater || expr.op == BinaryOp::kGreaterEqual;
    const bool strict = expr.op == BinaryOp::kLess || expr.op == BinaryOp::kGreater;
    if (greater == when) std::swap(a, b);
    target->push_back(g_.builder_->Emit(strict == when ? Opcode::kIfLess : Opcode::kIfLessEqual, a, b));
    return;
  }
  const bool decides = expr.op == BinaryOp::kOr;  // the side that makes the other one needless
  const bool is_bool = g_.IsSureOfBool(Inner(*expr.rhs));
  uint16_t rhs = 0;
  if (!is_bool) {
    rhs = Operand(*expr.rhs);
    g_.builder_->Emit(Opcode::kPlainCheck, rhs, CheckOf(Type::Bool()));
  }
  PlainLabel decided;
  Test(*expr.lhs, decides, when == decides ? target : &decided);
  const Branch branch(this);
  if (is_bool) {
    Test(*expr.rhs, when, target);
  } else {
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, rhs));
  }
  PatchToHere(decided);
}

void PlainGenerator::TestEquality(const BinaryExpr& expr, bool when, PlainLabel* target) {
  const bool equal = (expr.op == BinaryOp::kEqual) == when;
  const Expr* lhs = expr.lhs;
  const Expr* rhs = expr.rhs;
  if (!IsNullLiteral(*rhs) && IsNullLiteral(*lhs)) std::swap(lhs, rhs);
  if (IsNullLiteral(*rhs)) {
    target->push_back(g_.builder_->Emit(equal ? Opcode::kIfNull : Opcode::kIfNotNull, Operand(*lhs)));
    return;
  }
  if (ConstantOf(*lhs)) std::swap(lhs, rhs);
  const uint16_t mark = g_.next();
  const uint16_t b = Operand(*rhs);
  EmitTest(equal ? Opcode::kIfEqual : Opcode::kIfNotEqual, equal ? Opcode::kIfPathEqual : Opcode::kIfPathNotEqual, *lhs,
           b, target);
  g_.FreeTo(mark);
}

void PlainGenerator::TestCall(const CallExpr& expr, bool when, PlainLabel* target) {
  const Function::Special special = FunctionOf(expr)->special;
  if (special == Function::Special::kStartsWith) {
    const uint16_t prefix = PlainConstant(*ConstantOf(*expr.arguments[1]));
    EmitTest(when ? Opcode::kIfPrefix : Opcode::kIfNotPrefix, when ? Opcode::kIfPathPrefix : Opcode::kIfPathNotPrefix,
             *expr.arguments[0], prefix, target);
    return;
  }
  const std::optional<uint16_t> lookup = special == Function::Special::kContains ? g_.LookupOf(expr) : std::nullopt;
  if (lookup) {
    EmitTest(when ? Opcode::kIfIn : Opcode::kIfNotIn, when ? Opcode::kIfPathIn : Opcode::kIfPathNotIn,
             *expr.arguments[1], *lookup, target);
    return;
  }
  Opcode op = when ? Opcode::kIfHas : Opcode::kIfNotHas;
  if (special == Function::Special::kEndsWith) op = when ? Opcode::kIfSuffix : Opcode::kIfNotSuffix;
  const uint16_t a = Operand(*expr.arguments[0]);
  target->push_back(g_.builder_->Emit(op, a, Operand(*expr.arguments[1])));
}

void PlainGenerator::TestBranch(const Expr& expr, bool when, PlainLabel* target) {
  const Expr& inner = Inner(expr);
  if (inner.kind != ExprKind::kConditional) {
    const std::optional<uint16_t> loaded = LoadedOperand(inner);
    if (!loaded) return Test(inner, when, target);
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, *loaded));
    return;
  }
  const auto& node = As<ConditionalExpr>(inner);
  PlainLabel if_false;
  Test(*node.condition, false, &if_false);
  const Branch scope(this);
  TestBranch(*node.if_true, when, target);
  const uint32_t done = g_.builder_->EmitJump(Opcode::kJump);
  PatchToHere(if_false);
  TestBranch(*node.if_false, when, target);
  g_.builder_->PatchToHere(done);
}

void PlainGenerator::EmitTest(Opcode op, Opcode path_op, const Expr& expr, uint16_t b, PlainLabel* target) {
  if (Inner(expr).kind == ExprKind::kTraversal) {
    const std::optional<uint32_t> path = PathOf(expr);
    if (path && *path <= UINT16_MAX && KnownValueOf(Inner(expr)) == nullptr) {
      target->push_back(g_.builder_->Emit(path_op, static_cast<uint16_t>(*path), b));
      return;
    }
  }
  target->push_back(g_.builder_->Emit(op, Operand(expr), b));
}

}  // namespace hcl::internal

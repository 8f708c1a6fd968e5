// PlainGenerator: jumps. Tested by compiler/plain_generator_test.cc.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

// A call that asks where its second argument stands in the first, and the jumps on it: where it does not, and where it
// does.
struct PartTest {
  Function::Special function;
  Opcode op[2], path_op[2];
};

constexpr PartTest kPartTests[] = {
    {Function::Special::kStartsWith,
     {Opcode::kIfNotPrefix, Opcode::kIfPrefix},
     {Opcode::kIfPathNotPrefix, Opcode::kIfPathPrefix}},
    {Function::Special::kEndsWith,
     {Opcode::kIfNotSuffix, Opcode::kIfSuffix},
     {Opcode::kIfPathNotSuffix, Opcode::kIfPathSuffix}},
    {Function::Special::kStrContains,
     {Opcode::kIfNotWithin, Opcode::kIfWithin},
     {Opcode::kIfPathNotWithin, Opcode::kIfPathWithin}},
};

// Null for other calls.
const PartTest* PartTestOf(const BoundCall& call) {
  for (const PartTest& test : kPartTests) {
    if (call.is(test.function)) return &test;
  }
  return nullptr;
}

}  // namespace

void PlainGenerator::PatchToHere(const PlainLabel& label) {
  for (uint32_t jump : label) g_.builder_->PatchToHere(jump);
}

// What has jumps of its own, and is no null.
bool PlainGenerator::IsCondition(const BoundExpr& inner) const {
  if (IsGeneral(inner)) return false;
  return (inner.kind == BoundKind::kUnary && As<BoundUnary>(inner).op == UnaryOp::kNot) ||
         (inner.kind == BoundKind::kChain && !IsArithmetic(As<BoundChain>(inner).op)) || IsTestCall(inner) ||
         SearchIn(inner);
}

// Conditions are jumps and never values: a bool that is made and tested costs twice. Negation swaps the targets and
// costs nothing.
void PlainGenerator::Test(const BoundExpr& expr, bool when, PlainLabel* target) {
  const uint16_t mark = g_.next();
  const BoundExpr& inner = Inner(expr);
  const Value* const constant = ScalarOf(inner);
  if (constant != nullptr && constant->is_bool()) {
    if (constant->is_true() == when) target->push_back(g_.builder_->Emit(Opcode::kSkip));
  } else if (IsGeneral(inner)) {
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, Operand(inner)));
  } else if (inner.kind == BoundKind::kUnary) {
    Test(*As<BoundUnary>(inner).operand, !when, target);
  } else if (inner.kind == BoundKind::kChain && !IsArithmetic(As<BoundChain>(inner).op)) {
    TestChain(As<BoundChain>(inner), when, target);
  } else if (IsTestCall(inner)) {
    TestCall(As<BoundCall>(inner), when, target);
  } else if (IsChoice(inner)) {
    const size_t outer = loaded_.size();
    LoadBranches(As<BoundConditional>(inner), PlainCheck::kBoolOrNothing);
    TestBranch(inner, when, target);
    loaded_.resize(outer);
  } else if (const Search search = SearchIn(inner)) {
    TestSearch(search, when, target);
  } else {
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, LeavingOperand(inner)));
    MarkThere(inner);
  }
  g_.FreeTo(mark);
}

void PlainGenerator::TestChain(const BoundChain& expr, bool when, PlainLabel* target) {
  if (IsLogical(expr.op)) {
    if (strict_failed_ != nullptr && IsTriedLogic(expr)) return TestTriedLogic(expr, when, target);
    return TestLogic(expr, when, target);
  }
  if (TestElements(expr, when, target)) return;
  if (IsEquality(expr.op)) return TestEquality(expr, when, target);
  // a > b is b < a, and not a < b is b <= a.
  uint16_t a = NearOperand(*expr.operands[0]);
  uint16_t b = NearOperand(*expr.operands[1]);
  const bool greater = expr.op == BinaryOp::kGreater || expr.op == BinaryOp::kGreaterEqual;
  const bool strict = expr.op == BinaryOp::kLess || expr.op == BinaryOp::kGreater;
  if (greater == when) std::swap(a, b);
  target->push_back(g_.builder_->Emit(strict == when ? Opcode::kIfLess : Opcode::kIfLessEqual, a, b));
}

namespace {

// So many comparisons of one value with constants are one search.
constexpr size_t kMinAlternatives = 4;

bool IsSameStep(const BoundStep& a, const BoundStep& b) { return Identical(a.key, b.key); }

// Whether both read one variable, or one place in it.
bool IsSameRead(const BoundExpr& a, const BoundExpr& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == BoundKind::kPath) return As<BoundPath>(a).path == As<BoundPath>(b).path;
  if (a.kind != BoundKind::kLocal) return false;
  const auto& x = As<BoundLocal>(a);
  const auto& y = As<BoundLocal>(b);
  return x.local == y.local && std::equal(x.steps.begin(), x.steps.end(), y.steps.begin(), y.steps.end(), IsSameStep);
}

}  // namespace

// What `expr` compares with a string or number, by `op`; null for other expressions.
const BoundExpr* PlainGenerator::SubjectOf(const BoundExpr& expr, BinaryOp op, const Value** constant) const {
  if (expr.kind != BoundKind::kChain || As<BoundChain>(expr).op != op || IsGeneral(expr)) return nullptr;
  const auto& operands = As<BoundChain>(expr).operands;
  for (size_t n = 0; n < 2; ++n) {
    *constant = ScalarOf(Inner(*operands[1 - n]));
    if (*constant != nullptr && !(*constant)->is_bool()) return &Inner(*operands[n]);
  }
  return nullptr;
}

// How many of the first operands are `x == constant`, or `x != constant` in a conjunction, with one x; 1 when they
// are few, or others.
size_t PlainGenerator::CountAlternatives(BinaryOp logic, absl::Span<const BoundExpr* const> operands) const {
  if (operands.size() < kMinAlternatives) return 1;
  const BinaryOp op = logic == BinaryOp::kOr ? BinaryOp::kEqual : BinaryOp::kNotEqual;
  const Value* constant = nullptr;
  const BoundExpr* const subject = SubjectOf(Inner(*operands[0]), op, &constant);
  if (subject == nullptr || g_.builder_->lookup_count() > UINT16_MAX) return 1;
  size_t end = 1;
  for (; end < operands.size(); ++end) {
    const BoundExpr* const other = SubjectOf(Inner(*operands[end]), op, &constant);
    if (other == nullptr || !IsSameRead(*subject, *other)) break;
  }
  return end >= kMinAlternatives ? end : 1;
}

void PlainGenerator::TestAlternatives(BinaryOp logic, absl::Span<const BoundExpr* const> operands, bool when,
                                      PlainLabel* target) {
  const bool is_in = logic == BinaryOp::kOr;
  const BinaryOp op = is_in ? BinaryOp::kEqual : BinaryOp::kNotEqual;
  ShortList<Value> constants;
  const BoundExpr* subject = nullptr;
  for (const BoundExpr* operand : operands) {
    const Value* constant = nullptr;
    subject = SubjectOf(Inner(*operand), op, &constant);
    HCL_DCHECK(constant != nullptr);
    constants.push_back(*constant);
  }
  const uint32_t lookup = g_.builder_->AddLookup(MakeTuple(constants, g_.builder_->heap()->arena()));
  HCL_DCHECK(subject != nullptr);
  const bool jumps_in = is_in == when;
  EmitTest(jumps_in ? Opcode::kIfIn : Opcode::kIfNotIn, jumps_in ? Opcode::kIfPathIn : Opcode::kIfPathNotIn, *subject,
           static_cast<uint16_t>(lookup), target);
}

void PlainGenerator::CheckLoaded(const BoundExpr& expr, uint16_t operand) {
  g_.builder_->EmitBoolCheck(operand, static_cast<uint16_t>(PlainCheck::kBoolOrNothing));
  SetPassed(expr, PlainCheck::kBoolOrNothing);
}

// What a jump on `expr` tests behind negations, each of which turns *when.
const BoundExpr& PlainGenerator::TestedPart(const BoundExpr& expr, bool* when) const {
  const BoundExpr* part = &Inner(expr);
  while (!IsGeneral(*part)) {
    if (part->kind == BoundKind::kUnary && As<BoundUnary>(*part).op == UnaryOp::kNot) {
      *when = !*when;
      part = &Inner(*As<BoundUnary>(*part).operand);
    } else if (IsTruth(*part)) {
      *when = *when == ScalarOf(*As<BoundConditional>(*part).if_true)->is_true();
      part = &Inner(*As<BoundConditional>(*part).condition);
    } else {
      break;
    }
  }
  return *part;
}

// Whether it is an operand that needs no code, and no constant.
bool PlainGenerator::IsLoaded(const BoundExpr& inner) {
  if (inner.kind == BoundKind::kPath && As<BoundPath>(inner).steps.empty()) {
    return As<BoundPath>(inner).slot < kMaxPlainSlots;
  }
  if (inner.kind == BoundKind::kLocal && As<BoundLocal>(inner).steps.empty()) return true;
  const KnownReads::Read* const read = KnownReadOf(inner);
  return read != nullptr && (read->state == KnownReads::State::kThere || read->state == KnownReads::State::kFound);
}

// Operands that might not be bools are loaded and checked before those on their left are tested, from the last on: the
// last operator is evaluated first, and asks for its right side before its left one. The last check and the first test
// are one instruction where the latter is of what is there. Constants that decide nothing are not tested.
void PlainGenerator::TestLogic(const BoundChain& expr, bool when, PlainLabel* target) {
  const bool decides = expr.op == BinaryOp::kOr;  // the side that makes the other ones needless
  const absl::Span<const BoundExpr* const> operands = expr.tested;
  ShortList<uint16_t> loaded(operands.size());
  size_t unchecked = 0;  // an operand; the first one is none of these
  for (size_t n = operands.size(); n-- > 1;) {
    if (IsSureOfBool(*operands[n])) continue;
    if (unchecked > 0) CheckLoaded(*operands[unchecked], loaded[unchecked]);
    loaded[n] = Find(*operands[n]);
    unchecked = HasPassed(*operands[n], PlainCheck::kBoolOrNothing) ? 0 : n;
  }
  PlainLabel decided;
  PlainLabel* const on_decision = when == decides ? target : &decided;
  const size_t last = operands.size() - 1;
  const auto from = [&](size_t n) { return operands.subspan(n); };
  const size_t first = last == 0 || CountAlternatives(expr.op, operands) > 1 ? 0 : 1;
  bool is_true = decides;
  const BoundExpr& tested = TestedPart(*operands[0], &is_true);
  const bool checks = unchecked > 0 && first == 1 && IsLoaded(tested);
  if (unchecked > 0 && !checks) CheckLoaded(*operands[unchecked], loaded[unchecked]);
  if (checks) {
    const Opcode op = is_true ? Opcode::kIfTrueChecking : Opcode::kIfFalseChecking;
    on_decision->push_back(g_.builder_->Emit(op, LeavingOperand(tested), loaded[unchecked]));
    SetPassed(*operands[unchecked], PlainCheck::kBoolOrNothing);
    MarkThere(tested);
  } else if (first == 1) {
    Test(*operands[0], decides, on_decision);
  }
  const Branch branch(this);
  for (size_t n = first; n <= last; ++n) {
    const size_t same = CountAlternatives(expr.op, from(n));
    if (same > 1) n += same - 1;
    const bool test = n == last ? when : decides;
    PlainLabel* const label = n == last ? target : on_decision;
    if (same > 1) {
      TestAlternatives(expr.op, from(n + 1 - same).first(same), test, label);
    } else if (n == 0 || IsSureOfBool(*operands[n])) {
      Test(*operands[n], test, label);
    } else {
      label->push_back(g_.builder_->Emit(test ? Opcode::kIfTrue : Opcode::kIfFalse, loaded[n]));
    }
  }
  PatchToHere(decided);
}

// A constant goes to the right, where instructions take it, and a comparison with a bool of what is a condition
// itself is that condition.
void PlainGenerator::TestEquality(const BoundChain& expr, bool when, PlainLabel* target) {
  const bool equal = (expr.op == BinaryOp::kEqual) == when;
  const BoundExpr* lhs = expr.operands[0];
  const BoundExpr* rhs = expr.operands[1];
  if (!IsNull(*rhs) && IsNull(*lhs)) std::swap(lhs, rhs);
  if (IsNull(*rhs)) {
    target->push_back(g_.builder_->Emit(equal ? Opcode::kIfNull : Opcode::kIfNotNull, LeavingOperand(*lhs)));
    return MarkThere(*lhs);
  }
  if (ScalarOf(Inner(*lhs)) != nullptr) std::swap(lhs, rhs);
  const Value* const constant = ScalarOf(Inner(*rhs));
  if (constant != nullptr && constant->is_bool() && IsCondition(Inner(*lhs))) {
    return Test(*lhs, constant->is_true() == equal, target);
  }
  const uint16_t mark = g_.next();
  const uint16_t b = LeavingOperand(*rhs);
  EmitTest(equal ? Opcode::kIfEqual : Opcode::kIfNotEqual, equal ? Opcode::kIfPathEqual : Opcode::kIfPathNotEqual, *lhs,
           b, target);
  g_.FreeTo(mark);
}

// What is tested is left to the instruction where it is a path, which it follows by itself. Nothing is reported in
// fast code, so that the order of looking does not matter.
void PlainGenerator::TestCall(const BoundCall& expr, bool when, PlainLabel* target) {
  if (expr.is(Function::Special::kCan)) return TestCan(*expr.arguments[0], when, target);
  const BoundExpr& first = *expr.arguments[0];
  const BoundExpr& second = *expr.arguments[1];
  if (const PartTest* const test = PartTestOf(expr)) {
    const uint16_t part = LeavingOperand(second);
    return EmitTest(test->op[when ? 1 : 0], test->path_op[when ? 1 : 0], first, part, target);
  }
  if (const BoundExpr* const mapping = MappingOfKeys(expr)) {
    const uint16_t keys = LeavingOperand(*mapping);
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfKey : Opcode::kIfNotKey, keys, LeavingOperand(second)));
    return;
  }
  if (expr.lookup != BoundCall::kNone) {
    EmitTest(when ? Opcode::kIfIn : Opcode::kIfNotIn, when ? Opcode::kIfPathIn : Opcode::kIfPathNotIn, second,
             static_cast<uint16_t>(expr.lookup), target);
    return;
  }
  if (TestSetElement(expr, when, target) || TestValue(expr, when, target)) return;
  const uint16_t list = ElementsOf(first);
  target->push_back(g_.builder_->Emit(when ? Opcode::kIfHas : Opcode::kIfNotHas, list, LeavingOperand(second)));
}

// A branch that was loaded for its type is tested as it is; others are tested where they are taken.
void PlainGenerator::TestBranch(const BoundExpr& expr, bool when, PlainLabel* target) {
  const BoundExpr& inner = Inner(expr);
  if (IsTruth(inner)) {
    const auto& choice = As<BoundConditional>(inner);
    return Test(*choice.condition, ScalarOf(*choice.if_true)->is_true() == when, target);
  }
  if (!IsChoice(inner)) {
    const std::optional<uint16_t> loaded = LoadedOperand(inner);
    if (!loaded) return Test(inner, when, target);
    target->push_back(g_.builder_->Emit(when ? Opcode::kIfTrue : Opcode::kIfFalse, *loaded));
    return;
  }
  const auto& choice = As<BoundConditional>(inner);
  PlainLabel if_false;
  Test(*choice.condition, false, &if_false);
  const Branch scope(this);
  TestBranch(*choice.if_true, when, target);
  const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
  PatchToHere(if_false);
  scope.Else();
  TestBranch(*choice.if_false, when, target);
  g_.builder_->PatchToHere(done);
}

// A variable alone is an operand.
void PlainGenerator::EmitTest(Opcode op, Opcode path_op, const BoundExpr& expr, uint16_t b, PlainLabel* target) {
  const BoundExpr& inner = Inner(expr);
  if (inner.kind == BoundKind::kPath && !As<BoundPath>(inner).steps.empty()) {
    const uint32_t path = As<BoundPath>(inner).path;
    const KnownReads::Read* const read = KnownReadOf(inner);
    const bool is_kept = read != nullptr && read->state != KnownReads::State::kUnread;
    const bool goes_on = BeginningOf(inner, StepsOf(inner).size()) != nullptr;
    const bool is_ensured = EnsuredOperand(inner).has_value();
    if (path <= UINT16_MAX && !is_kept && !goes_on && !is_ensured && KnownValueOf(inner) == nullptr) {
      TakeNamed(As<BoundPath>(inner).slot);
      target->push_back(g_.builder_->Emit(path_op, static_cast<uint16_t>(path), b));
      return;
    }
  }
  target->push_back(g_.builder_->Emit(op, LeavingOperand(expr), b));
  MarkThere(expr);
}

}  // namespace hcl::internal

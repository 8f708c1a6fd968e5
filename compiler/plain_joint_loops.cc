// PlainGenerator: reductions of one list that go together (compiler/joint_loops.h), and what their elements have in
// common. Tested by compiler/joint_loops_test.cc.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/joint_loops.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/compiler/shared_values.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {
namespace {

PlainCheck CheckOf(const Reduction& reduction) {
  const bool is_bool = reduction.kind == Reduction::Kind::kAllTrue || reduction.kind == Reduction::Kind::kAnyTrue;
  return is_bool ? PlainCheck::kBool : PlainCheck::kNumber;
}

}  // namespace

// The first one makes all. General code may have made the value of another, which can be anything then.
void PlainGenerator::YieldJoint(const BoundExpr& expr, const Reduction& reduction, uint16_t dest) {
  if (!IsJoint(expr)) return YieldReduction(reduction, dest);
  if (const std::optional<uint16_t> made = MadeRegister(expr)) return Load(*made, dest);
  if (!g_.shared_values_.Of(expr)->is_joint && YieldTogether(expr, g_.joint_loops_.With(expr), dest)) return;
  const std::optional<uint16_t> shared = g_.SharedRegister(expr);
  const Branch branch(this);
  const uint32_t recalled = shared ? g_.builder_->Emit(Opcode::kRecall, dest, *shared) : 0;
  YieldReduction(reduction, dest);
  if (!shared) return;
  g_.builder_->PatchToHere(recalled);
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(CheckOf(reduction)));
}

// What leaves in the midst of it has kept nothing: each goes on alone then. Variables of the loops stand for one
// element.
bool PlainGenerator::YieldTogether(const BoundExpr& expr, absl::Span<const BoundExpr* const> members, uint16_t dest) {
  struct Member {
    Reduction reduction;
    SharedValues::Shared* value;
    uint16_t dest;
  };
  absl::InlinedVector<Member, JointLoops::kMaxMembers> parts;
  absl::InlinedVector<const BoundFor*, JointLoops::kMaxMembers> loops;
  const uint16_t mark = g_.next();
  size_t size = 0;
  bool fails_empty = false;
  for (const BoundExpr* member : members) size += member->size();
  if (mark + 2 * size + KnownReads::kMaxReads >= kMaxPlainRegisters) return false;
  SharedValues::Shared* const own = g_.shared_values_.Of(expr);
  for (const BoundExpr* member : members) {
    const Reduction reduction = ReductionOf(*member);
    SharedValues::Shared* const value = g_.shared_values_.Of(*member);
    parts.push_back({reduction, value, value == own ? dest : g_.Allocate()});
    loops.push_back(reduction.loop);
    fails_empty |= FailsEmpty(reduction);
    value->is_joint = true;
  }
  const LoopVariables& variables = loops[0]->variables;
  const auto join = [&](bool joins) {
    for (size_t n = 1; n < loops.size(); ++n) {
      if (variables.key != nullptr) loops[n]->variables.key->joint = joins ? variables.key : nullptr;
      if (variables.value != nullptr) loops[n]->variables.value->joint = joins ? variables.value : nullptr;
    }
  };
  for (const Member& part : parts) BeginReduction(part.reduction, part.dest);
  join(true);
  YieldLoops(loops, fails_empty,
             [&](size_t n, PlainLabel* next) { ReduceElement(parts[n].reduction, parts[n].dest, next); });
  join(false);
  for (const Member& part : parts) EndReduction(part.reduction, part.dest);
  for (const Member& part : parts) {
    if (!part.value->reg) continue;
    g_.builder_->Emit(Opcode::kKeep, *part.value->reg, part.dest);
    if (branches_ == 0) made_.push_back(*part.value->reg);
  }
  g_.FreeTo(mark);
  return true;
}

std::optional<uint16_t> PlainGenerator::JointValue(const BoundExpr& inner) const {
  if (joint_ == nullptr) return std::nullopt;
  const uint32_t number = g_.tree_->ValueNumberOf(inner);
  const auto made = std::find_if(joint_->values.begin(), joint_->values.end(),
                                 [&](const JointPass::Made& value) { return value.number == number; });
  return made == joint_->values.end() ? std::nullopt : std::optional<uint16_t>(made->reg);
}

// Only what always runs in a pass is there for all code behind it.
void PlainGenerator::KeepJointValue(const BoundExpr& inner, uint16_t reg) {
  if (joint_ == nullptr || branches_ != joint_->branches) return;
  joint_->values.push_back({g_.tree_->ValueNumberOf(inner), reg});
  if (inner.kind == BoundKind::kChain && IsArithmetic(As<BoundChain>(inner).op)) {
    KeepJointChain(As<BoundChain>(inner), As<BoundChain>(inner).operands.size(), reg);
  }
  g_.Hold(reg);
}

void PlainGenerator::KeepJointChain(const BoundChain& expr, size_t count, uint16_t reg) {
  JointPass::MadeChain made{expr.op, {}, reg};
  for (const BoundExpr* operand : expr.operands.first(count)) made.numbers.push_back(g_.tree_->ValueNumberOf(*operand));
  joint_->chains.push_back(std::move(made));
  g_.Hold(reg);
}

// The first operands of `expr` that another chain begins with, as far as they go.
const PlainGenerator::JointPass::MadeChain* PlainGenerator::JointChain(const BoundChain& expr) const {
  const JointPass::MadeChain* longest = nullptr;
  for (const JointPass::MadeChain& made : joint_->chains) {
    const size_t count = made.numbers.size();
    if (made.op != expr.op || count > expr.operands.size()) continue;
    if (longest != nullptr && count <= longest->numbers.size()) continue;
    const bool is_same = std::equal(
        made.numbers.begin(), made.numbers.end(), expr.operands.begin(),
        [this](uint32_t number, const BoundExpr* operand) { return number == g_.tree_->ValueNumberOf(*operand); });
    if (is_same) longest = &made;
  }
  return longest;
}

// Each result on the way has a register of its own, so that others can go on from there.
void PlainGenerator::YieldJointArithmetic(const BoundChain& expr, uint16_t dest) {
  const uint16_t mark = g_.next();
  const size_t count = expr.operands.size();
  size_t n = 1;
  uint16_t lhs;
  if (const JointPass::MadeChain* const made = JointChain(expr)) {
    n = made->numbers.size();
    lhs = made->reg;
    if (n == count) return Load(lhs, dest);
  } else {
    lhs = LeavingOperand(*expr.operands[0]);
  }
  for (; n < count; ++n) {
    const bool keeps = n + 1 < count && joint_ != nullptr && branches_ == joint_->branches;
    const uint16_t to = keeps ? g_.Allocate() : dest;
    EmitOperation(expr, Quotients::kExact, n, lhs, to);
    if (keeps) KeepJointChain(expr, n + 1, to);
    lhs = to;
    g_.FreeTo(mark);
  }
}

}  // namespace hcl::internal

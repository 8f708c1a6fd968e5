// CoreEmitter: choices between values. Tested by compiler/core_emitter_test.cc.

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The type that the text tells of a branch.
Type BranchTypeOf(const CoreNode& choice, bool is_true) {
  const auto& expr = As<BoundConditional>(*choice.origin);
  return (is_true ? expr.if_true : expr.if_false)->type;
}

}  // namespace

void CoreEmitter::MakeIf(const CoreNode& node, uint16_t dest, bool returns) {
  Label if_false;
  Jump(*node.args[0], false, &if_false);
  const CorePlaces::Branch branch(&places_);
  places_.Learn(*node.args[0]);
  Value(*node.args[1], dest, returns);
  const uint32_t done = returns ? 0 : Emit(Opcode::kSkip, 0);
  PatchToHere(if_false);
  branch.Else();
  Value(*node.args[2], dest, returns);
  if (!returns) builder_->PatchToHere(done);
}

// One instruction finds the type of what is taken, for which the other branch counts if it is there. What does not
// count for the other one is made only where it is taken.
void CoreEmitter::MakeChoice(const CoreNode& node, uint16_t dest, bool returns, Opcode alike) {
  SourceRange spans[4];
  std::fill(std::begin(spans), std::end(spans), node.origin->range);
  if (node.origin->kind == BoundKind::kConditional) {
    const auto& choice = As<BoundConditional>(*node.origin);
    spans[1] = choice.condition->outer, spans[2] = choice.if_true->outer, spans[3] = choice.if_false->outer;
  }
  // A branch, and what it is for the other one's type.
  struct Side {
    const CoreNode* value;
    bool tells_type;
    uint16_t operand;
  };
  Side sides[] = {{node.args[1], (node.flags & kTellsTrue) != 0, 0},
                  {node.args[2], (node.flags & kTellsFalse) != 0, 0}};
  for (Side& side : sides) {
    const bool is_true = &side == sides;
    side.operand = side.tells_type ? registers_.RkConstant(hcl::Value::Null(BranchTypeOf(node, is_true)))
                                   : BranchOperand(*side.value, /*is_taken=*/false);
  }
  Label is_false;
  Jump(*node.args[0], false, &is_false);
  const CorePlaces::Branch branch(&places_);
  uint32_t done = 0;
  for (const bool is_true : {true, false}) {
    const Side& taken = sides[is_true ? 0 : 1];
    const Side& other = sides[is_true ? 1 : 0];
    const uint16_t mark = registers_.next();
    const uint16_t operand = taken.tells_type ? Operand(*taken.value) : taken.operand;
    builder_->Emit(alike, dest, operand, other.operand, spans);
    registers_.FreeTo(mark);
    if (returns) Emit(Opcode::kReturn, 0, dest);
    if (!is_true) break;
    if (!returns) done = Emit(Opcode::kSkip, 0);
    PatchToHere(is_false);
    branch.Else();
  }
  if (!returns) builder_->PatchToHere(done);
}

void CoreEmitter::MakeElements(const CoreNode& node, uint16_t dest) {
  if (node.kind == CoreKind::kNeed && !places_.At(node).has_reg) {
    MakeNeeds(node);
    return MakeElements(*node.args[0], dest);
  }
  const bool is_choice = node.kind == CoreKind::kChoice && !places_.At(node).has_reg;
  is_choice ? MakeChoice(node, dest, /*returns=*/false, Opcode::kFastElements) : Value(node, dest);
}

// Of a branch that may not be taken: absent where it is not there. What is put together exits where it fails.
uint16_t CoreEmitter::BranchOperand(const CoreNode& branch, bool is_taken) {
  const bool is_sought = branch.kind == CoreKind::kStep || branch.kind == CoreKind::kIndex ||
                         (branch.kind == CoreKind::kCall && !As<BoundCall>(*branch.origin).has_primitive_type());
  if (is_sought) return Find(branch);
  if (is_taken || failure_ == nullptr) return Operand(branch);
  const Attempt none(this, nullptr);
  return Operand(branch);
}

// One that only has to meet itself has to be known.
void CoreEmitter::MakeMeet(const CoreNode& node, uint16_t dest) {
  ShortList<uint16_t> operands;
  for (const CoreNode* arg : node.args) operands.push_back(BranchOperand(*arg, /*is_taken=*/false));
  if (operands.size() == 1) operands.push_back(registers_.RkConstant(hcl::Value::Null()));
  Emit(Opcode::kFastMeet, dest, operands[0], operands[1]);
  for (size_t n = 2; n < operands.size(); ++n) Emit(Opcode::kFastMeet, dest, dest, operands[n]);
}

}  // namespace hcl::internal

// LiteralLoop. Tested by compiler/literal_loop_test.cc.

#include "hclvm/compiler/literal_loop.h"

#include <algorithm>

#include "hclvm/compiler/fast_forms.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

const BoundFor* LiteralLoop::Find(const BoundExpr& expr) {
  const BoundExpr* inner = &expr;
  if (inner->kind == BoundKind::kSteps) {
    const auto& steps = As<BoundSteps>(*inner);
    const bool is_first = steps.steps.size() == 1 && steps.steps[0].key.is_int() && steps.steps[0].key.AsInt() == 0;
    if (!is_first) return nullptr;
    inner = steps.source;
  }
  if (inner->kind != BoundKind::kFor) return nullptr;
  const auto& loop = As<BoundFor>(*inner);
  const bool suits = loop.condition != nullptr && loop.key == nullptr && loop.variables.key == nullptr &&
                     TupleLiteral(*loop.collection) != nullptr;
  return suits ? &loop : nullptr;
}

// Whether it is an object of constant keys, at least one, whose items can stand for steps of the loop's variable.
bool LiteralLoop::IsElement(const BoundExpr& expr) const {
  const BoundObject* const object = ObjectLiteral(expr);
  return object != nullptr && object->is_short();
}

bool LiteralLoop::Fits(absl::Span<const BoundExpr* const> elements) const {
  const uint64_t each = uint64_t{loop_->value->size()} + loop_->condition->size();
  if (loop_->height > kMaxFastHeight || loop_->size() + each * elements.size() > kMaxNodes) return false;
  uint64_t longest = 0;
  for (const BoundExpr* element : elements) longest = std::max(longest, element->size() + each);
  const uint64_t registers = g_.next() + PlainSession::kMaxKnownValues + 2 * longest;
  return longest <= kMaxFastNodes && registers < kMaxPlainRegisters;
}

// A key that nothing reads is not there, and so all that the loop's variables are for is the element.
bool LiteralLoop::Suits(const BoundExpr& expr) {
  loop_ = Find(expr);
  first_only_ = expr.kind == BoundKind::kSteps;
  absl::Span<const BoundExpr* const> elements = TupleLiteral(*loop_->collection)->elements;
  if (elements.empty() || !Fits(elements)) return false;
  if (!std::all_of(elements.begin(), elements.end(), [&](const BoundExpr* e) { return IsElement(*e); })) return false;
  session_.emplace(tree_, *loop_);
  plain_.emplace(&g_, &*session_);
  for (const BoundExpr* element : elements) {
    session_->Bind(*element);
    if (!session_->CanTest(*loop_->condition) || !session_->CanVerify(*loop_->value)) return false;
    for (const BoundItem& item : session_->object().items) {
      if (!session_->CanVerify(*item.value)) return false;
    }
  }
  return true;
}

void LiteralLoop::CountReads(absl::Span<const BoundExpr* const> elements) {
  const auto allocate = [&] { return g_.Allocate(); };
  for (const BoundExpr* element : elements) {
    session_->Bind(*element);
    session_->CountReads(*loop_->condition, allocate);
    for (const BoundItem& item : session_->object().items) session_->CountReads(*item.value, allocate);
  }
}

void LiteralLoop::Yield(uint16_t dest) {
  absl::Span<const BoundExpr* const> elements = TupleLiteral(*loop_->collection)->elements;
  const uint16_t state = g_.Allocate();  // not null when the first element was found; or a builder
  CountReads(elements);
  plain_->BeginRegion();
  if (first_only_) {
    g_.MoveTo(Result::Constant(Value::Null()), state);
  } else {
    g_.builder_->Emit(Opcode::kTupleBegin, state);
  }
  for (const BoundExpr* element : elements) {
    session_->Bind(*element);
    YieldElement(dest, state);
  }
  if (first_only_) {
    g_.builder_->Emit(Opcode::kPlainCheck, state, static_cast<uint16_t>(PlainCheck::kBool));
  } else {
    g_.builder_->Emit(Opcode::kTupleEnd, dest, state);
  }
  plain_->EndRegion();
}

void LiteralLoop::YieldElement(uint16_t dest, uint16_t state) {
  const uint16_t mark = g_.next();
  const BoundExpr* const condition = &session_->Inner(*loop_->condition);
  for (const BoundItem& item : session_->object().items) {
    if (item.value != condition) plain_->Verify(*item.value, PlainCheck::kNoError);
  }
  PlainLabel next;
  plain_->Test(*condition, false, &next);
  const PlainGenerator::Branch chosen(&*plain_);
  if (first_only_) {
    plain_->Verify(*loop_->value, PlainCheck::kNoError);
    next.push_back(g_.builder_->Emit(Opcode::kIfNotNull, state));
    plain_->Yield(*loop_->value, dest, /*returns=*/false);
    g_.MoveTo(Result::Constant(Value::Bool(true)), state);
  } else {
    g_.builder_->Emit(Opcode::kTuplePush, state, plain_->InRegister(plain_->Operand(*loop_->value)));
  }
  plain_->PatchToHere(next);
  g_.FreeTo(mark);
}

void LiteralLoop::AddRegions(uint32_t general) { plain_->AddRegions(general); }

}  // namespace hcl::internal

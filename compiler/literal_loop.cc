// LiteralLoop. Tested by compiler/literal_loop_test.cc.

#include "hclvm/compiler/literal_loop.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/variable_walk.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

absl::Span<const Expr* const> ElementsOf(const ForExpr& loop) {
  return As<TupleExpr>(Unwrap(*loop.collection)).elements;
}

bool Mentions(const Expr& expr, std::string_view name) {
  std::vector<StaticTraversal> variables;
  AppendVariables(expr, nullptr, &variables);
  return std::any_of(variables.begin(), variables.end(),
                     [&](const StaticTraversal& variable) { return variable.root == name; });
}

// Whether it is an object with names for keys, whose items do not read the loop's variable, or another of that name.
bool IsElement(const Expr& expr, std::string_view name) {
  const Expr& inner = Unwrap(expr);
  if (inner.kind != ExprKind::kObject || !HasNames(As<ObjectExpr>(inner))) return false;
  absl::Span<const ObjectItem> items = As<ObjectExpr>(inner).items;
  return std::none_of(items.begin(), items.end(), [&](const ObjectItem& item) { return Mentions(*item.value, name); });
}

}  // namespace

const ForExpr* LiteralLoop::Find(const Expr& expr) {
  const Expr* inner = &expr;
  if (inner->kind == ExprKind::kTraversal) {
    const auto& traversal = As<TraversalExpr>(*inner);
    const bool is_first = traversal.steps.size() == 1 && traversal.steps[0].kind == TraversalStep::Kind::kIndexNumber &&
                          traversal.steps[0].text == "0";
    if (!is_first) return nullptr;
    inner = &Unwrap(*traversal.source);
  }
  if (inner->kind != ExprKind::kFor) return nullptr;
  const auto& loop = As<ForExpr>(*inner);
  const bool suits = loop.condition != nullptr && loop.key == nullptr && loop.key_name.empty() &&
                     Unwrap(*loop.collection).kind == ExprKind::kTuple;
  return suits ? &loop : nullptr;
}

void LiteralLoop::Bind(const Expr& element) { session_.element = &As<ObjectExpr>(Unwrap(element)); }

bool LiteralLoop::Suits(const Expr& expr) {
  loop_ = Find(expr);
  first_only_ = expr.kind == ExprKind::kTraversal;
  session_.name = loop_->value_name;
  absl::Span<const Expr* const> elements = ElementsOf(*loop_);
  if (elements.empty() || elements.size() > kMaxElements) return false;
  for (const Expr* element : elements) {
    if (!IsElement(*element, session_.name)) return false;
  }
  if (!plain_.HasRoom()) return false;
  for (const Expr* element : elements) {
    Bind(*element);
    if (!plain_.CanTest(*loop_->condition) || !plain_.CanVerify(*loop_->value) || !plain_.CanYield(*loop_->value)) {
      return false;
    }
    for (const ObjectItem& item : session_.element->items) {
      if (!plain_.CanVerify(*item.value)) return false;
    }
  }
  return true;
}

void LiteralLoop::Yield(uint16_t dest) {
  const uint16_t state = g_.Allocate();  // not null when the first element was found; or a builder
  for (const Expr* element : ElementsOf(*loop_)) {
    Bind(*element);
    plain_.CountReads(*loop_->condition);
    for (const ObjectItem& item : session_.element->items) plain_.CountReads(*item.value);
  }
  plain_.BeginRegion();
  if (first_only_) {
    g_.MoveTo(Result::Constant(Value::Null()), state);
  } else {
    g_.builder_->Emit(Opcode::kTupleBegin, state);
  }
  for (const Expr* element : ElementsOf(*loop_)) {
    Bind(*element);
    YieldElement(dest, state);
  }
  if (first_only_) {
    g_.builder_->Emit(Opcode::kPlainCheck, state, static_cast<uint16_t>(PlainCheck::kBool));
  } else {
    g_.builder_->Emit(Opcode::kTupleEnd, dest, state);
  }
  plain_.EndRegion();
}

void LiteralLoop::YieldElement(uint16_t dest, uint16_t state) {
  const uint16_t mark = g_.next();
  const Expr* condition = &plain_.Inner(*loop_->condition);
  for (const ObjectItem& item : session_.element->items) {
    if (&Unwrap(*item.value) != condition) plain_.Verify(*item.value, PlainCheck::kNoError);
  }
  PlainLabel next;
  plain_.Test(*condition, false, &next);
  const PlainGenerator::Branch chosen(&plain_);
  if (first_only_) {
    plain_.Verify(*loop_->value, PlainCheck::kNoError);
    next.push_back(g_.builder_->Emit(Opcode::kIfNotNull, state));
    plain_.Yield(*loop_->value, dest, /*returns=*/false);
    g_.MoveTo(Result::Constant(Value::Bool(true)), state);
  } else {
    g_.builder_->Emit(Opcode::kTuplePush, state, plain_.InRegister(plain_.Operand(*loop_->value)));
  }
  plain_.PatchToHere(next);
  g_.FreeTo(mark);
}

void LiteralLoop::AddRegions(uint32_t general) {
  for (PlainRegion region : session_.regions) {
    region.general = general;
    g_.builder_->AddPlainRegion(region);
  }
}

}  // namespace hcl::internal

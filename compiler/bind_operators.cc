// Binder: operators, conditionals and templates. Tested by compiler/bind_test.cc.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/value/unification.h"

namespace hcl::internal {
namespace {

// Whether a left operand of the same operator goes into one chain with the right ones: all are operands of one kind.
bool IsChained(BinaryOp op) { return IsArithmetic(op) || IsLogical(op); }

// Whether it is a constant operand of a logical operator that decides nothing.
bool IsNeutral(const BoundExpr& operand, BinaryOp logic) {
  const Value* const constant = ScalarOf(operand);
  return constant != nullptr && constant->is_bool() && constant->is_true() == (logic == BinaryOp::kAnd);
}

}  // namespace

BoundExpr* Binder::BindUnary(const UnaryExpr& expr) {
  const Mark mark = Here();
  const BoundExpr* const operand = BindExpr(*expr.operand);
  if (operand->is_constant()) {
    const Value value = As<BoundConstant>(*operand).value;
    const bool negate = expr.op == UnaryOp::kNegate;
    const auto folded = Fold(
        [&](OpContext* context) { return negate ? NegateOperation(value, context) : NotOperation(value, context); });
    if (folded) return AddFolded(mark, expr.range, *folded, negate ? Type::Number() : Type::Bool());
  }
  auto* const node = New<BoundUnary>(expr.range, expr.op);
  node->operand = operand;
  return Add(node, mark);
}

std::optional<Value> Binder::FoldBinary(BinaryOp op, const BoundExpr& lhs, const BoundExpr& rhs) {
  if (!lhs.is_constant() || !rhs.is_constant()) return std::nullopt;
  const Value& a = As<BoundConstant>(lhs).value;
  const Value& b = As<BoundConstant>(rhs).value;
  return Fold([&](OpContext* context) {
    return IsLogical(op) ? LogicalOperation(op, a, b, /*either=*/false, context) : BinaryOperation(op, a, b, context);
  });
}

// Ends the chain that the operands from `begin` on are, if there is one.
BoundExpr* Binder::EndChain(const Mark& mark, BinaryOp op, const ScratchList<const BoundExpr*>& operands,
                            const ScratchList<BoundApplication>& applications) {
  auto* const node = New<BoundChain>(applications.view().back().whole, op);
  node->operands = Keep<const BoundExpr*>(operands.view());
  node->applications = Keep<BoundApplication>(applications.view());
  node->tested = node->operands;
  if (IsLogical(op)) {
    const auto is_neutral = [op](const BoundExpr* operand) { return IsNeutral(*operand, op); };
    if (std::any_of(node->operands.begin(), node->operands.end(), is_neutral)) {
      absl::InlinedVector<const BoundExpr*, 4> tested;
      std::remove_copy_if(node->operands.begin(), node->operands.end(), std::back_inserter(tested), is_neutral);
      node->tested = Keep<const BoundExpr*>(tested);
    }
    node->decision = tree_->decisions_;
    tree_->decisions_ += static_cast<uint32_t>(applications.size());
    node->in_attempt = attempts_ > 0 && options_.dialect == Dialect::kHashiCorp;
  }
  return Add(node, mark);
}

// The left spine, from the innermost operator out. A constant beginning of a chain is one operand.
BoundExpr* Binder::BindBinary(const BinaryExpr& expr) {
  ScratchList<const Expr*> spine(&spines_);
  const Expr* left = &expr;
  for (; left->kind == ExprKind::kBinary; left = &Unwrap(*As<BinaryExpr>(*left).lhs)) spine.Add(left);
  const Mark mark = Here();
  BoundExpr* node = BindExpr(*left);
  ScratchList<const BoundExpr*> operands(&parts_);  // of the chain under construction: none, or two and more
  ScratchList<BoundApplication> applications(&applications_);
  BinaryOp op = BinaryOp::kOr;
  for (size_t n = spine.size(); n-- > 0;) {
    const auto& binary = As<BinaryExpr>(*spine[n]);
    if (!operands.empty() && (binary.op != op || !IsChained(op))) {
      node = EndChain(mark, op, operands, applications);
      operands.Clear();
      applications.Clear();
    }
    op = binary.op;
    if (operands.empty()) node->outer = binary.lhs->range;
    const BoundExpr* const rhs = BindExpr(*binary.rhs);
    if (IsEquality(op)) WarnOfComparison(op, binary.range, *node, *rhs);
    if (operands.empty()) {
      if (const std::optional<Value> folded = FoldBinary(op, *node, *rhs)) {
        node = AddFolded(mark, binary.range, *folded, IsArithmetic(op) ? Type::Number() : Type::Bool());
        continue;
      }
      operands.Add(node);
    }
    operands.Add(rhs);
    applications.Add({binary.range, binary.lhs->range});
  }
  return operands.empty() ? node : EndChain(mark, op, operands, applications);
}

// `if_false` is null for a template's `if` without `else`: the empty string.
BoundExpr* Binder::BindChoice(SourceRange range, const Expr& condition, const Expr& if_true, const Expr* if_false) {
  const Mark mark = Here();
  auto* const node = New<BoundConditional>(range);
  node->decision = tree_->decisions_++;
  node->condition = BindExpr(condition);
  BoundExpr* const first = BindExpr(if_true);
  BoundExpr* const second =
      if_false != nullptr ? BindExpr(*if_false) : AddConstant(Here(), if_true.range, StringConstant(""));
  node->if_true = first;
  node->if_false = second;
  if (options_.optimize) {
    node->common_type = CommonType(first, second);
    SetShape(node);
  }
  return Add(node, mark);
}

// What a branch says of the objects that it yields.
Binder::ObjectForm Binder::FormOf(const BoundExpr& branch) {
  if (IsChoice(branch)) {
    const auto& choice = As<BoundConditional>(branch);
    return {choice.shape, choice.item_types, choice.objects, choice.open_items};
  }
  const BoundObject* const object = ObjectLiteral(branch);
  if (object == nullptr || !object->is_short()) return {};
  auto* const types = arena_.NewArray<Type>(object->items.size());
  bool is_open = false;
  for (const BoundItem& item : object->items) {
    const BoundExpr& value = *item.value;
    const bool is_firm = HasFirmType(value);
    const bool is_scalar = is_firm && value.has_primitive_type();
    types[item.position] = is_scalar ? value.type : Type::Dynamic();
    is_open = is_open || IsNull(value) || value.kind == BoundKind::kTuple || value.kind == BoundKind::kObject ||
              ((value.is_constant() || is_firm) && !is_scalar);
  }
  return {object->shape, {types, object->items.size()}, 1, is_open};
}

void Binder::SetShape(BoundConditional* choice) {
  const ObjectForm a = FormOf(*choice->if_true);
  const ObjectForm b = FormOf(*choice->if_false);
  if (a.shape == nullptr || b.shape == nullptr || a.objects + b.objects > kMaxObjects) return;
  if (!(*a.shape == *b.shape)) return;
  const bool is_open = a.is_open || b.is_open;
  const bool are_constant = choice->if_true->is_constant() && choice->if_false->is_constant();
  if (is_open && (a.objects + b.objects > 2 || are_constant)) return;
  auto* const types = arena_.NewArray<Type>(a.types.size());
  for (size_t n = 0; n < a.types.size(); ++n) {
    const bool a_tells = !a.types[n].is_dynamic();
    if (a_tells && !b.types[n].is_dynamic() && !(a.types[n] == b.types[n])) return;
    types[n] = a_tells ? a.types[n] : b.types[n];
  }
  choice->shape = a.shape;
  choice->item_types = {types, a.types.size()};
  choice->objects = a.objects + b.objects;
  choice->open_items = is_open;
}

// Types of constant lists and objects are made here only: few are branches.
Type Binder::CommonType(BoundExpr* if_true, BoundExpr* if_false) {
  bool is_structure = false;
  for (BoundExpr* const branch : {if_true, if_false}) {
    const Value* const constant = branch->is_constant() ? &As<BoundConstant>(*branch).value : nullptr;
    if (constant != nullptr && (constant->is_sequence() || constant->is_mapping())) {
      if (!types_) types_.emplace();
      branch->type = TypeOf(*constant, &*types_);
    }
    if (!IsNull(*branch) && !HasFirmType(*branch)) return Type::Dynamic();
    is_structure = is_structure || !(branch->type.is_dynamic() || branch->has_primitive_type());
  }
  if (!is_structure && (IsNull(*if_true) || IsNull(*if_false) || if_true->type == if_false->type)) {
    return Type::Dynamic();
  }
  if (IsNull(*if_true)) return if_false->type;
  if (IsNull(*if_false) || if_true->type == if_false->type) return if_true->type;
  const Type types[] = {if_true->type, if_false->type};
  Unification common;
  return Unification::Of(types, builder_->heap(), &common) ? common.of_types() : Type::Dynamic();
}

// The string of a template of literal text only.
std::optional<Value> Binder::TextOf(const TemplateExpr& expr) {
  if (expr.parts.size() == 1 && expr.parts[0]->kind == ExprKind::kTemplateText) {
    return StringConstant(As<TemplateTextExpr>(*expr.parts[0]).text);
  }
  const bool is_text = std::all_of(expr.parts.begin(), expr.parts.end(),
                                   [](const Expr* part) { return part->kind == ExprKind::kTemplateText; });
  if (!is_text) return std::nullopt;
  std::string text;
  for (const Expr* part : expr.parts) text.append(As<TemplateTextExpr>(*part).text);
  return StringConstant(text);
}

std::optional<Value> Binder::FoldParts(absl::Span<const BoundExpr* const> parts) {
  for (const BoundExpr* part : parts) {
    if (!part->is_constant()) return std::nullopt;
  }
  auto folded = Fold([&](OpContext* context) {
    std::string text;
    for (const BoundExpr* part : parts) {
      const Value value = AppendPart(As<BoundConstant>(*part).value, &text, context, 0);
      if (value.is_error() || value.is_unknown()) return value;
    }
    return Value::String(IsKnownNfc(text) ? text : ToNfc(text), context->heap->arena());
  });
  return folded && folded->is_string() ? folded : std::nullopt;
}

BoundExpr* Binder::BindTemplate(const TemplateExpr& expr) {
  const Mark mark = Here();
  if (const std::optional<Value> text = TextOf(expr)) return AddConstant(mark, expr.range, *text);
  ScratchList<const BoundExpr*> parts(&parts_);
  for (const Expr* part : expr.parts) parts.Add(BindExpr(*part));
  if (const std::optional<Value> folded = FoldParts(parts.view())) return AddConstant(mark, expr.range, *folded);
  auto* const node = New<BoundTemplate>(expr.range);
  ++tree_->templates_;
  node->parts = Keep<const BoundExpr*>(parts.view());
  return Add(node, mark);
}

BoundExpr* Binder::BindTemplateFor(const TemplateForExpr& expr) {
  const Mark mark = Here();
  auto* const node = New<BoundTemplateFor>(expr.range);
  ++tree_->loops_;
  node->collection = BindExpr(*expr.collection);
  EnterLoop(expr.key_name, expr.value_name, &node->variables);
  node->body = BindTemplate(*expr.body);
  LeaveLoop(&node->variables);
  return Add(node, mark);
}

}  // namespace hcl::internal

// Binder: operators, conditionals and templates. Tested by compiler/bind_test.cc.

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bind_comparisons.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {
namespace {

// Whether a left operand of the same operator goes into one chain with the right ones: all are operands of one kind.
bool IsChained(BinaryOp op) { return IsArithmetic(op) || IsLogical(op); }

// The cost of an operator: one on long numbers takes some microseconds.
constexpr uint64_t kFoldingCost = 10;

// Whether it is a constant operand of a logical operator that decides nothing.
bool IsNeutral(const BoundExpr& operand, BinaryOp logic) {
  const Value* const constant = ScalarOf(operand);
  return constant != nullptr && constant->is_bool() && constant->is_true() == (logic == BinaryOp::kAnd);
}

}  // namespace

// Not inlined into functions that recurse, whose frames would grow by what it holds.
template <typename Operation>
ABSL_ATTRIBUTE_NOINLINE std::optional<Value> Binder::Fold(Operation operation) {
  if (!options_.optimize) return std::nullopt;
  return folding_.Compute(kFoldingCost, [&](Heap* heap) -> std::optional<Value> { return FoldIn(heap, operation); });
}

BoundExpr* Binder::BindUnary(const UnaryExpr& expr) {
  const Mark mark = tree_.Here();
  const BoundExpr* const operand = BindExpr(*expr.operand);
  if (operand->is_constant()) {
    const Value value = As<BoundConstant>(*operand).value;
    const bool negate = expr.op == UnaryOp::kNegate;
    const auto folded = Fold(
        [&](OpContext* context) { return negate ? NegateOperation(value, context) : NotOperation(value, context); });
    if (folded) return tree_.AddFolded(mark, expr.range, *folded, negate ? Type::Number() : Type::Bool());
  }
  auto* const node = tree_.New<BoundUnary>(expr.range, expr.op);
  node->operand = operand;
  return tree_.Add(node, mark);
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
  auto* const node = tree_.New<BoundChain>(applications.view().back().whole, op);
  node->operands = tree_.Keep<const BoundExpr*>(operands.view());
  node->applications = tree_.Keep<BoundApplication>(applications.view());
  node->tested = node->operands;
  if (IsLogical(op)) {
    const auto is_neutral = [op](const BoundExpr* operand) { return IsNeutral(*operand, op); };
    if (std::any_of(node->operands.begin(), node->operands.end(), is_neutral)) {
      absl::InlinedVector<const BoundExpr*, 4> tested;
      std::remove_copy_if(node->operands.begin(), node->operands.end(), std::back_inserter(tested), is_neutral);
      node->tested = tree_.Keep<const BoundExpr*>(tested);
    }
    node->decision = tree_.AddDecisions(static_cast<uint32_t>(applications.size()));
    node->in_attempt = attempts_ > 0 && options_.dialect == Dialect::kHashiCorp;
  }
  return tree_.Add(node, mark);
}

void Binder::WarnOfComparison(const BinaryExpr& expr, const BoundExpr& a, const BoundExpr& b) {
  std::string detail = ConstantComparison(expr.op, a, b, scope_.functions, &types_);
  if (!detail.empty()) reports_.Report(expr.range, DiagnosticCode::kConstantComparison, std::move(detail));
}

// The left spine, from the innermost operator out. A constant beginning of a chain is one operand.
BoundExpr* Binder::BindBinary(const BinaryExpr& expr) {
  ScratchList<const Expr*> spine(&spines_);
  const Expr* left = &expr;
  for (; left->kind == ExprKind::kBinary; left = &Unwrap(*As<BinaryExpr>(*left).lhs)) spine.Add(left);
  const Mark mark = tree_.Here();
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
    if (IsEquality(op)) WarnOfComparison(binary, *node, *rhs);
    if (operands.empty()) {
      if (const std::optional<Value> folded = FoldBinary(op, *node, *rhs)) {
        node = tree_.AddFolded(mark, binary.range, *folded, IsArithmetic(op) ? Type::Number() : Type::Bool());
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
  const Mark mark = tree_.Here();
  auto* const node = tree_.New<BoundConditional>(range);
  node->decision = tree_.AddDecisions(1);
  node->condition = BindExpr(condition);
  BoundExpr* const first = BindExpr(if_true);
  BoundExpr* const second = if_false != nullptr
                                ? BindExpr(*if_false)
                                : tree_.AddConstant(tree_.Here(), if_true.range, literals_.StringOf(""));
  node->if_true = first;
  node->if_false = second;
  if (options_.optimize) {
    node->common_type = types_.OfBranches(first, second, builder_->heap());
    SetShape(node, tree_.arena());
  }
  return tree_.Add(node, mark);
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
  const Mark mark = tree_.Here();
  if (const std::optional<Value> text = literals_.TextOf(expr)) return tree_.AddConstant(mark, expr.range, *text);
  ScratchList<const BoundExpr*> parts(&parts_);
  for (const Expr* part : expr.parts) parts.Add(BindExpr(*part));
  if (const std::optional<Value> folded = FoldParts(parts.view())) return tree_.AddConstant(mark, expr.range, *folded);
  auto* const node = tree_.New<BoundTemplate>(expr.range);
  tree_.CountTemplate();
  node->parts = tree_.Keep<const BoundExpr*>(parts.view());
  return tree_.Add(node, mark);
}

BoundExpr* Binder::BindTemplateFor(const TemplateForExpr& expr) {
  const Mark mark = tree_.Here();
  auto* const node = tree_.New<BoundTemplateFor>(expr.range);
  tree_.CountLoop();
  node->collection = BindExpr(*expr.collection);
  locals_.EnterLoop(expr.key_name, expr.value_name, &node->variables);
  node->body = BindTemplate(*expr.body);
  locals_.LeaveLoop(&node->variables);
  return tree_.Add(node, mark);
}

}  // namespace hcl::internal

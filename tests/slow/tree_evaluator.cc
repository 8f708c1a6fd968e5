// The way to each kind of expression; literals, variables and traversals.

#include "hclvm/tests/slow/tree_evaluator.h"

#include <cstdint>

#include "hclvm/base/unicode.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/number.h"

namespace hcl::testing_support {

using internal::ToNfc;

void Append(const Outcome& outcome, Problems* problems) {
  problems->insert(problems->end(), outcome.problems.begin(), outcome.problems.end());
}

void Doubts::Add(const Doubts& other) {
  untyped_branch |= other.untyped_branch;
  untyped_argument |= other.untyped_argument;
  failed_side |= other.failed_side;
  optimistic_attempt |= other.optimistic_attempt;
  unordered_set |= other.unordered_set;
  tolerated_null |= other.tolerated_null;
  type_of_form |= other.type_of_form;
  mixed_splat |= other.mixed_splat;
}

Outcome TreeEvaluator::Evaluate(const Expr& expr, const Value& variables) {
  variables_ = variables;
  doubts_ = {};
  return Eval(expr, nullptr);
}

Outcome TreeEvaluator::Eval(const Expr& expr, const Scope* scope) {
  if (observer_ == nullptr) return EvalNode(expr, scope);
  observer_->Enter(expr);
  Outcome outcome = EvalNode(expr, scope);
  observer_->Leave(expr, outcome);
  return outcome;
}

Outcome TreeEvaluator::EvalNode(const Expr& expr, const Scope* scope) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return Literal(As<LiteralExpr>(expr));
    case ExprKind::kVariable:
      return Variable(As<VariableExpr>(expr).name, expr.range, scope);
    case ExprKind::kTraversal:
      return Traversal(As<TraversalExpr>(expr), scope);
    case ExprKind::kIndex:
      return Index(As<IndexExpr>(expr), scope);
    case ExprKind::kSplat:
      return Splat(As<SplatExpr>(expr), scope);
    case ExprKind::kSplatItem:
      return Variable("*", expr.range, scope);
    case ExprKind::kCall:
      return Call(As<CallExpr>(expr), scope);
    case ExprKind::kTuple:
      return Tuple(As<TupleExpr>(expr), scope);
    case ExprKind::kObject:
      return Object(As<ObjectExpr>(expr), scope);
    case ExprKind::kFor:
      return For(As<ForExpr>(expr), scope);
    case ExprKind::kUnary:
      return Unary(As<UnaryExpr>(expr), scope);
    case ExprKind::kBinary:
      return Binary(As<BinaryExpr>(expr), scope);
    case ExprKind::kConditional: {
      const auto& node = As<ConditionalExpr>(expr);
      return Conditional(*node.condition, *node.if_true, node.if_false, scope);
    }
    case ExprKind::kParen:
      return Eval(*As<ParenExpr>(expr).inner, scope);
    case ExprKind::kTemplate:
      return Template(As<TemplateExpr>(expr), scope);
    case ExprKind::kTemplateText:
      return NewString(As<TemplateTextExpr>(expr).text);
    case ExprKind::kTemplateWrap:
      return Eval(*As<TemplateWrapExpr>(expr).inner, scope);
    case ExprKind::kTemplateIf: {
      const auto& node = As<TemplateIfExpr>(expr);
      return Conditional(*node.condition, *node.if_true, node.if_false, scope);
    }
    case ExprKind::kTemplateFor:
      return TemplateFor(As<TemplateForExpr>(expr), scope);
    case ExprKind::kError:
      break;
  }
  return Problem{"Invalid expression", expr.range};
}

std::optional<Value> TreeEvaluator::Converted(const Value& value, hcl::Type type) {
  Value result;
  ConversionError error;
  if (!Convert(value, type, heap_, &result, &error)) return std::nullopt;
  // What no value of the type converts to had nulls in the places where it does not fit.
  doubts_.tolerated_null |= !IsConvertible(TypeOfValue(value), type, /*unsafe=*/true, heap_->dialect());
  return result;
}

Value TreeEvaluator::NewString(std::string_view text) { return Value::String(ToNfc(text), heap_->arena()); }

Outcome TreeEvaluator::Literal(const LiteralExpr& expr) {
  switch (expr.literal) {
    case LiteralKind::kTrue:
      return Value::Bool(true);
    case LiteralKind::kFalse:
      return Value::Bool(false);
    case LiteralKind::kNull:
      return Value::Null();
    case LiteralKind::kNumber:
      break;
  }
  NumberError error = NumberError::kNone;
  const Number number = Number::Parse(expr.spelling, NumberSyntax::kLiteral, heap_->limits(), heap_->arena(), &error);
  if (error != NumberError::kNone) return Problem{"Invalid number literal", expr.range};
  return Value::FromNumber(number);
}

std::optional<Value> TreeEvaluator::Find(std::string_view name, const Scope* scope) {
  for (; scope != nullptr; scope = scope->outer) {
    if (scope->name == name) return scope->value;
  }
  const int64_t at = variables_.shape().Find(name);
  if (at < 0) return std::nullopt;
  return variables_.values()[static_cast<size_t>(at)];
}

Outcome TreeEvaluator::Variable(std::string_view name, SourceRange range, const Scope* scope) {
  const std::optional<Value> value = Find(name, scope);
  if (!value) return Problem{"Unknown variable", range};
  if (!value->is_wholly_known()) ++unknown_reads_;
  return *value;
}

Outcome TreeEvaluator::Traversal(const TraversalExpr& expr, const Scope* scope) {
  Outcome result = Eval(*expr.source, scope);
  for (const TraversalStep& step : expr.steps) {
    if (!result.ok()) return result;
    result = Step(*result.value, step);
  }
  return result;
}

Outcome TreeEvaluator::Step(const Value& value, const TraversalStep& step) {
  switch (step.kind) {
    case TraversalStep::Kind::kAttribute:
      return GetAttribute(value, step.text, step.range);
    case TraversalStep::Kind::kIndexString:
      return GetElement(value, NewString(step.text), step.range);
    case TraversalStep::Kind::kIndexNumber: {
      NumberError error = NumberError::kNone;
      const Number number = Number::Parse(step.text, NumberSyntax::kLiteral, heap_->limits(), heap_->arena(), &error);
      if (error != NumberError::kNone) return Problem{"Invalid number literal", step.range};
      return GetElement(value, Value::FromNumber(number), step.range);
    }
    case TraversalStep::Kind::kIndexLiteral:
      return GetElement(value, step.text == "null" ? Value::Null() : Value::Bool(step.text == "true"), step.range);
    case TraversalStep::Kind::kIndexUnknown:
      break;
  }
  return Problem{"Invalid expression", step.range};
}

Outcome TreeEvaluator::Index(const IndexExpr& expr, const Scope* scope) {
  const Outcome collection = Eval(*expr.collection, scope);
  const Outcome key = Eval(*expr.key, scope);
  Problems problems;
  Append(collection, &problems);
  Append(key, &problems);
  if (!problems.empty()) return problems;
  return GetElement(*collection.value, *key.value, expr.brackets);
}

}  // namespace hcl::testing_support

// Operators and conditionals. Specification: native-syntax.md, "Operations", "Conditional Operator".

#include "hclvm/base/arena.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/number.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/unification.h"

namespace hcl::testing_support {
namespace {

constexpr char kInvalidOperand[] = "Invalid operand";
constexpr char kFailed[] = "Operation failed";

bool Holds(BinaryOp op, int order) {
  switch (op) {
    case BinaryOp::kLess:
      return order < 0;
    case BinaryOp::kLessEqual:
      return order <= 0;
    case BinaryOp::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Number Compute(BinaryOp op, const Number& a, const Number& b, Arena* arena, NumberError* error) {
  switch (op) {
    case BinaryOp::kAdd:
      return Add(a, b, arena, error);
    case BinaryOp::kSubtract:
      return Subtract(a, b, arena, error);
    case BinaryOp::kMultiply:
      return Multiply(a, b, arena, error);
    case BinaryOp::kDivide:
      return Divide(a, b, arena, error);
    default:
      return Modulo(a, b, arena, error);
  }
}

}  // namespace

Outcome TreeEvaluator::Unary(const UnaryExpr& expr, const Scope* scope) {
  Outcome operand = Eval(*expr.operand, scope);
  if (!operand.ok()) return operand;
  const bool negate = expr.op == UnaryOp::kNegate;
  const std::optional<Value> value = Converted(*operand.value, negate ? hcl::Type::Number() : hcl::Type::Bool());
  if (!value) return Problem{kInvalidOperand, expr.operand->range};
  if (value->is_null()) return Problem{kFailed, expr.range};
  if (value->is_unknown()) {
    return negate ? internal::UnknownArithmetic(BinaryOp::kSubtract, Value::Int(0), *value, heap_->arena())
                  : UnknownNotNull(hcl::Type::Bool());
  }
  if (negate) return Value::FromNumber(Negate(value->AsNumber(), heap_->arena()));
  return Value::Bool(!value->AsBool());
}

Outcome TreeEvaluator::Binary(const BinaryExpr& expr, const Scope* scope) {
  const Outcome lhs = Eval(*expr.lhs, scope);
  const Outcome rhs = Eval(*expr.rhs, scope);
  if (IsLogical(expr.op)) return Logical(expr, lhs, rhs);
  Problems problems;
  Append(lhs, &problems);
  Append(rhs, &problems);
  if (IsEquality(expr.op)) {
    if (!problems.empty()) return problems;
    return Equality(expr.op, *lhs.value, *rhs.value);
  }
  std::optional<Value> a, b;
  if (lhs.ok() && !(a = Converted(*lhs.value, hcl::Type::Number()))) {
    problems.push_back({kInvalidOperand, expr.lhs->range});
  }
  if (rhs.ok() && !(b = Converted(*rhs.value, hcl::Type::Number()))) {
    problems.push_back({kInvalidOperand, expr.rhs->range});
  }
  if (!problems.empty()) return problems;
  return Arithmetic(expr, *a, *b);
}

Outcome TreeEvaluator::Equality(BinaryOp op, const Value& a, const Value& b) {
  const Tri equal = EqualsTri(a, b);
  if (equal == Tri::kUnknown) return UnknownNotNull(hcl::Type::Bool());
  return Value::Bool((equal == Tri::kTrue) == (op == BinaryOp::kEqual));
}

// Comparisons and arithmetic: on numbers.
Outcome TreeEvaluator::Arithmetic(const BinaryExpr& expr, const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return Problem{kFailed, expr.range};
  const bool is_comparison = IsComparison(expr.op);
  if (a.is_unknown() || b.is_unknown()) {
    return is_comparison ? internal::UnknownComparison(expr.op, a, b)
                         : internal::UnknownArithmetic(expr.op, a, b, heap_->arena());
  }
  if (is_comparison) return Value::Bool(Holds(expr.op, Compare(a.AsNumber(), b.AsNumber())));
  NumberError error = NumberError::kNone;
  const Number result = Compute(expr.op, a.AsNumber(), b.AsNumber(), heap_->arena(), &error);
  if (heap_->dialect() == Dialect::kHashiCorp && expr.op == BinaryOp::kModulo && b.AsNumber().Sign() == 0) return a;
  if (error != NumberError::kNone) return Problem{kFailed, expr.range};
  if (!result.IsInfinite() && result.DigitCount() > heap_->limits().max_number_digits) {
    return Problem{"Number too long", expr.range, /*is_limit=*/true};
  }
  return Value::FromNumber(result);
}

// Both sides are evaluated; a side that decides alone makes the errors of the other's evaluation not count.
Outcome TreeEvaluator::Logical(const BinaryExpr& expr, const Outcome& lhs, const Outcome& rhs) {
  std::optional<Value> a, b;
  Problems problems;
  Append(lhs, &problems);
  Append(rhs, &problems);
  bool fits = true;
  if (lhs.ok() && !(a = Converted(*lhs.value, hcl::Type::Bool()))) {
    problems.push_back({kInvalidOperand, expr.lhs->range});
    fits = false;
  }
  if (rhs.ok() && !(b = Converted(*rhs.value, hcl::Type::Bool()))) {
    problems.push_back({kInvalidOperand, expr.rhs->range});
    fits = false;
  }
  if (!fits) return problems;
  doubts_.failed_side |= !problems.empty();
  const bool deciding = expr.op == BinaryOp::kOr;
  for (const std::optional<Value>& side : {a, b}) {
    if (!side) continue;
    if (side->is_bool() && side->AsBool() == deciding) return Value::Bool(deciding);
    // As in the reference: for `&&`, not for `||`, a null decides as if it were false.
    if (side->is_null() && expr.op == BinaryOp::kAnd) return Value::Bool(false);
  }
  // An unknown side may turn out to be the one that decides. The reference looks at the left one only, and at both in
  // what try and can are given, which it does not ask before all is known.
  const bool either = heap_->dialect() == Dialect::kSpec || attempts_ > 0;
  if ((a && a->is_unknown()) || (either && b && b->is_unknown())) return UnknownNotNull(hcl::Type::Bool());
  if (!problems.empty()) return problems;
  if (b->is_unknown()) return UnknownNotNull(hcl::Type::Bool());
  if (a->is_null() || b->is_null()) return Problem{kFailed, expr.range};
  return Value::Bool(!deciding);
}

std::optional<hcl::Type> TreeEvaluator::TypeOfForm(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      if (As<LiteralExpr>(expr).literal == LiteralKind::kNull) return std::nullopt;
      return As<LiteralExpr>(expr).literal == LiteralKind::kNumber ? hcl::Type::Number() : hcl::Type::Bool();
    case ExprKind::kUnary:
      return As<UnaryExpr>(expr).op == UnaryOp::kNegate ? hcl::Type::Number() : hcl::Type::Bool();
    case ExprKind::kBinary: {
      const BinaryOp op = As<BinaryExpr>(expr).op;
      return IsLogical(op) || IsEquality(op) || IsComparison(op) ? hcl::Type::Bool() : hcl::Type::Number();
    }
    case ExprKind::kConditional: {
      const std::optional<hcl::Type> type = TypeOfForm(*As<ConditionalExpr>(expr).if_true);
      return type == TypeOfForm(*As<ConditionalExpr>(expr).if_false) ? type : std::nullopt;
    }
    case ExprKind::kParen:
      return TypeOfForm(*As<ParenExpr>(expr).inner);
    case ExprKind::kTemplateWrap:
      return TypeOfForm(*As<TemplateWrapExpr>(expr).inner);
    case ExprKind::kTemplate:
      return hcl::Type::String();
    case ExprKind::kCall: {
      const Function* function = functions_.Find(As<CallExpr>(expr).name);
      const bool is_told = function != nullptr && function->result_type.is_primitive();
      return is_told ? std::optional(function->result_type) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

// Whether what `expr`, which has a TypeOfForm, yields is never null, as far as its form says so.
bool TreeEvaluator::NeverNullByForm(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kParen:
      return NeverNullByForm(*As<ParenExpr>(expr).inner);
    case ExprKind::kTemplateWrap:
      return NeverNullByForm(*As<TemplateWrapExpr>(expr).inner);
    case ExprKind::kConditional:
      return NeverNullByForm(*As<ConditionalExpr>(expr).if_true) &&
             NeverNullByForm(*As<ConditionalExpr>(expr).if_false);
    case ExprKind::kCall:
      return functions_.Find(As<CallExpr>(expr).name)->never_null();
    default:
      return true;
  }
}

// The result of type `type` for an unknown condition. Where the forms of both branches say the same type, nothing else
// of the branches counts: a program need not evaluate them.
Outcome TreeEvaluator::UnknownResult(const Outcome& yes, const Outcome& no, const Expr& if_true, const Expr* if_false,
                                     hcl::Type type) {
  const std::optional<hcl::Type> form = TypeOfForm(if_true);
  if (form && form == (if_false != nullptr ? TypeOfForm(*if_false) : hcl::Type::String())) {
    const bool not_null = NeverNullByForm(if_true) && (if_false == nullptr || NeverNullByForm(*if_false));
    return not_null ? UnknownNotNull(*form) : Value::Unknown(*form);
  }
  if (!yes.ok() || !no.ok()) return Value::Unknown(type);
  return internal::UnknownChoice(*yes.value, *no.value, type, heap_->arena());
}

// `if_false` is null for a template's `if` without `else`: the empty string.
Outcome TreeEvaluator::Conditional(const Expr& condition, const Expr& if_true, const Expr* if_false,
                                   const Scope* scope) {
  const Outcome yes = Eval(if_true, scope);
  const Outcome no = if_false != nullptr ? Eval(*if_false, scope) : Outcome(NewString(""));
  const SourceRange no_range = if_false != nullptr ? if_false->range : if_true.range;

  // A branch that failed, or of which nothing is known, still has the type that its form gives away.
  auto type_of = [this](const Outcome& branch, const Expr* expr) {
    const hcl::Type type = branch.ok() ? TypeOfValue(*branch.value) : hcl::Type::Dynamic();
    const bool is_null = branch.ok() && branch.value->is_null();
    doubts_.type_of_form |= type.is_dynamic() && !is_null;
    return type.is_dynamic() && !is_null && expr != nullptr ? TypeOfForm(*expr).value_or(type) : type;
  };
  const hcl::Type types[] = {type_of(yes, &if_true), type_of(no, if_false)};
  auto is_untyped_null = [](const Outcome& branch, hcl::Type type) {
    return branch.ok() && branch.value->is_null() && type.is_dynamic();
  };
  doubts_.untyped_branch |= !yes.ok() || !no.ok();
  doubts_.untyped_branch |= yes.ok() && !yes.value->is_null() && types[0].has_dynamic();
  doubts_.untyped_branch |= no.ok() && !no.value->is_null() && types[1].has_dynamic();
  hcl::Type type;
  std::optional<internal::Unification> open;  // the type depends on the branch that is taken
  if (is_untyped_null(yes, types[0])) {
    type = types[1];
  } else if (is_untyped_null(no, types[1])) {
    type = types[0];
  } else if (!types[0].is_dynamic() && !types[1].is_dynamic()) {
    internal::Unification unified;
    if (internal::Unification::Of(types, heap_, &unified)) {
      type = unified.of_types();
      if (!unified.is_settled()) open = unified;
    } else if (yes.ok() && no.ok()) {
      return Problem{"Inconsistent conditional result types", Cover(if_true.range, no_range)};
    }
  }

  Outcome test = Eval(condition, scope);
  if (!test.ok()) return test;
  if (test.value->is_null()) return Problem{"Null condition", condition.range};
  // As in the reference, an unknown condition is not checked for its type.
  if (test.value->is_unknown()) {
    if (open && yes.ok() && no.ok()) type = open->OfEither(*yes.value, *no.value);
    return UnknownResult(yes, no, if_true, if_false, type);
  }
  const std::optional<Value> choice = Converted(*test.value, hcl::Type::Bool());
  if (!choice) return Problem{"Incorrect condition type", condition.range};

  const Outcome& taken = choice->AsBool() ? yes : no;
  if (!taken.ok() || taken.value->is_dynamic_value()) return taken;
  if (open) {
    type = open->Of(*taken.value);
    if (type.is_dynamic()) return Value::Dynamic();
  }
  if (type.is_dynamic()) return taken;
  const std::optional<Value> result = Converted(*taken.value, type);
  if (!result) {
    return Problem{"Inconsistent conditional result types", choice->AsBool() ? if_true.range : no_range};
  }
  return *result;
}

}  // namespace hcl::testing_support

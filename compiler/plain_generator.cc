// Plain code: which expressions have it, and the code. Tested by compiler/plain_generator_test.cc.

#include "hclvm/compiler/plain_generator.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/unicode.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/number.h"

namespace hcl::internal {
namespace {

// Whether the step has a key that is a name or a plain index: other numbers may be none that can be represented.
bool HasKey(const TraversalStep& step) {
  if (step.kind != TraversalStep::Kind::kIndexNumber) return step.kind < TraversalStep::Kind::kIndexNumber;
  const std::string_view digits = step.text;
  return digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether it is a call of startswith or endswith.
bool IsAffixTest(const Function& function) {
  return function.special == Function::Special::kStartsWith || function.special == Function::Special::kEndsWith;
}

}  // namespace

bool IsNullLiteral(const Expr& expr) {
  const Expr& inner = Unwrap(expr);
  return inner.kind == ExprKind::kLiteral && As<LiteralExpr>(inner).literal == LiteralKind::kNull;
}

// Which expressions.

bool PlainGenerator::Suits(const Expr& expr) { return HasRoom() && CanYield(expr) && (reads_ || Fail(expr)); }

bool PlainGenerator::SuitsFilter(const Expr& condition, std::string_view key, std::string_view value) {
  return HasRoom() && CanTest(condition) && FirstTestReads(condition, key, value);
}

bool PlainGenerator::FirstTestReads(const Expr& expr, std::string_view key, std::string_view value) const {
  const Expr* first = &Inner(expr);
  for (;; first = &Inner(*first)) {
    if (first->kind == ExprKind::kUnary) {
      first = As<UnaryExpr>(*first).operand;
    } else if (first->kind == ExprKind::kBinary && IsLogical(As<BinaryExpr>(*first).op)) {
      if (!g_.IsSureOfBool(Inner(*As<BinaryExpr>(*first).rhs))) return false;
      first = As<BinaryExpr>(*first).lhs;
    } else if (first->kind == ExprKind::kBinary) {
      return Reads(*As<BinaryExpr>(*first).lhs, key, value) || Reads(*As<BinaryExpr>(*first).rhs, key, value);
    } else if (first->kind == ExprKind::kCall) {
      const auto& call = As<CallExpr>(*first);
      if (FunctionOf(call)->special != Function::Special::kContains) return Reads(*call.arguments[0], key, value);
      return Reads(*call.arguments[1], key, value) || (!HasLookup(call) && Reads(*call.arguments[0], key, value));
    } else {
      return Reads(*first, key, value);
    }
  }
}

// Whether there is a variable in the expression: it is no constant then. Counts what it looks at, mostly a few nodes.
bool PlainGenerator::ReadsVariables(const Expr& expr) {
  auto reads = [this](const Expr* child) { return ReadsVariables(*child); };
  for (const Expr* at = &expr; CountNode();) {
    const Expr& inner = Inner(*at);
    switch (inner.kind) {
      case ExprKind::kVariable:
      case ExprKind::kSplatItem:
        return true;
      case ExprKind::kTraversal:
        at = As<TraversalExpr>(inner).source;
        continue;
      case ExprKind::kUnary:
        at = As<UnaryExpr>(inner).operand;
        continue;
      case ExprKind::kBinary:
        if (ReadsVariables(*As<BinaryExpr>(inner).rhs)) return true;
        at = As<BinaryExpr>(inner).lhs;
        continue;
      case ExprKind::kLiteral:
        return false;
      case ExprKind::kCall: {
        absl::Span<const Expr* const> arguments = As<CallExpr>(inner).arguments;
        return std::any_of(arguments.rbegin(), arguments.rend(), reads);
      }
      default: {
        std::vector<const Expr*> children;
        AppendChildren(inner, &children);
        return std::any_of(children.begin(), children.end(), reads);
      }
    }
  }
  return false;
}

// Whether the value depends on one of the variables: it is then not known where they are not.
bool PlainGenerator::Reads(const Expr& expr, std::string_view key, std::string_view value) const {
  for (const Expr* at = &Inner(expr);; at = &Inner(*at)) {
    if (at->kind == ExprKind::kVariable) {
      const std::string_view name = As<VariableExpr>(*at).name;
      return name == value || (!key.empty() && name == key);
    }
    if (at->kind == ExprKind::kTraversal) {
      at = As<TraversalExpr>(*at).source;
    } else if (at->kind == ExprKind::kIndex) {
      at = As<IndexExpr>(*at).collection;
    } else if (at->kind == ExprKind::kBinary && IsArithmetic(As<BinaryExpr>(*at).op)) {
      at = As<BinaryExpr>(*at).lhs;
    } else if (at->kind == ExprKind::kCall && IsLength(As<CallExpr>(*at))) {
      at = As<CallExpr>(*at).arguments[0];
    } else {
      return false;
    }
  }
}

bool PlainGenerator::CanYield(const Expr& expr) {
  const Expr& inner = Inner(expr);
  return Descend(inner, [&] { return CanYieldNode(inner); }) || TakeGeneral(inner);
}

bool PlainGenerator::CanYieldNode(const Expr& expr) {
  if (ConstantOf(expr)) return true;
  switch (expr.kind) {
    case ExprKind::kVariable:
      reads_ = true;
      if (ReadsElement(expr)) return Fail(expr);
      return g_.has_variables_ || g_.FindLocal(As<VariableExpr>(expr).name) != nullptr || Fail(expr);
    case ExprKind::kTraversal:
      return CanTakeSteps(As<TraversalExpr>(expr));
    case ExprKind::kIndex:
      return CanYield(*As<IndexExpr>(expr).collection) && CanYield(*As<IndexExpr>(expr).key);
    case ExprKind::kSplatItem:
      return reads_ = true;
    case ExprKind::kUnary:
      return As<UnaryExpr>(expr).op == UnaryOp::kNegate ? CanYield(*As<UnaryExpr>(expr).operand) : CanTestNode(expr);
    case ExprKind::kBinary:
      if (!IsArithmetic(As<BinaryExpr>(expr).op)) return CanTestNode(expr);
      return CanYield(*As<BinaryExpr>(expr).lhs) && CanYield(*As<BinaryExpr>(expr).rhs);
    case ExprKind::kConditional: {
      ++tests_;
      const std::optional<Type> type = BranchType(expr);
      return type && type->is_primitive() ? CanChoose(expr, *type) : Fail(expr);
    }
    case ExprKind::kCall:
      return CanYieldCall(As<CallExpr>(expr));
    case ExprKind::kObject:
    case ExprKind::kTuple:
    case ExprKind::kTemplate:
      return (session_ != nullptr && CanYieldItems(expr)) || Fail(expr);
    default:
      return Fail(expr);
  }
}

bool PlainGenerator::CanYieldCall(const CallExpr& expr) {
  return IsLength(expr) ? CanYield(*expr.arguments[0]) : CanTestCall(expr);
}

bool PlainGenerator::CanTakeSteps(const TraversalExpr& expr) {
  for (const TraversalStep& step : expr.steps) {
    if (!HasKey(step)) return Fail(expr);
  }
  return CanYield(*expr.source);
}

bool PlainGenerator::CanTest(const Expr& expr) {
  const Expr& inner = Inner(expr);
  return Descend(inner, [&] { return CanTestNode(inner); }) || TakeGeneral(inner);
}

bool PlainGenerator::CanTestNode(const Expr& expr) {
  ++tests_;
  if (const std::optional<Value> constant = ConstantOf(expr)) return constant->is_bool() || Fail(expr);
  switch (expr.kind) {
    case ExprKind::kUnary:
      return As<UnaryExpr>(expr).op == UnaryOp::kNot ? CanTest(*As<UnaryExpr>(expr).operand) : Fail(expr);
    case ExprKind::kBinary:
      return CanTestBinary(As<BinaryExpr>(expr));
    case ExprKind::kConditional: {
      const std::optional<Type> type = BranchType(expr);
      return type == Type::Bool() ? CanChoose(expr, *type) : Fail(expr);
    }
    default:
      return CanYieldNode(expr);
  }
}

bool PlainGenerator::CanTestBinary(const BinaryExpr& expr) {
  if (IsArithmetic(expr.op)) return Fail(expr);
  if (!IsLogical(expr.op)) {
    if (IsEquality(expr.op) && IsNullLiteral(*expr.rhs)) return CanYield(*expr.lhs);
    if (IsEquality(expr.op) && IsNullLiteral(*expr.lhs)) return CanYield(*expr.rhs);
    return CanYield(*expr.lhs) && CanYield(*expr.rhs);
  }
  const bool outer_reads = std::exchange(reads_, false);
  if (!CanTest(*expr.lhs)) return false;
  // When the left side is a constant, general code evaluates the right side although it does not matter, and takes its
  // marks.
  if (!reads_ && !ReadsVariables(*expr.lhs)) return Fail(expr);
  reads_ = reads_ || outer_reads;
  // A right side that might not be a bool is evaluated in any case, and first; which makes it a value.
  return g_.IsSureOfBool(Inner(*expr.rhs)) ? CanTest(*expr.rhs) : CanYield(*expr.rhs);
}

bool PlainGenerator::CanTestCall(const CallExpr& expr) {
  const Function* function = FunctionOf(expr);
  if (function == nullptr || expr.expand_last || expr.arguments.size() != 2) return Fail(expr);
  if (function->special == Function::Special::kContains) {
    return (HasLookup(expr) || CanYield(*expr.arguments[0])) && CanYield(*expr.arguments[1]);
  }
  if (IsAffixTest(*function)) {
    const std::optional<Value> prefix = ConstantOf(*expr.arguments[1]);
    return prefix && prefix->is_string() ? CanYield(*expr.arguments[0]) : Fail(expr);
  }
  return Fail(expr);
}

// Whether the list is one that a prepared set can stand for.
bool PlainGenerator::HasLookup(const CallExpr& expr) const {
  if (expr.arguments[0]->kind != ExprKind::kTuple || g_.builder_->lookup_count() + kMaxNodes > UINT16_MAX) return false;
  for (const Expr* element : As<TupleExpr>(*expr.arguments[0]).elements) {
    if (!IsLiteral(*element) || (element->kind == ExprKind::kLiteral && !ConstantOf(*element))) return false;
  }
  return true;
}

// Whether all branches can be yielded, or tested for type, as values of `type`.
bool PlainGenerator::CanChoose(const Expr& branch, Type type) {
  const Expr& inner = Inner(branch);
  if (inner.kind != ExprKind::kConditional) return CanYield(inner);
  return Descend(inner, [&] {
    const auto& node = As<ConditionalExpr>(inner);
    return CanTest(*node.condition) && CanChoose(*node.if_true, type) && CanChoose(*node.if_false, type);
  });
}

std::optional<Type> PlainGenerator::TypeOfLeaf(const Expr& expr) const {
  if (const std::optional<Value> constant = ConstantOf(expr)) {
    return constant->is_bool() ? Type::Bool() : constant->is_number() ? Type::Number() : Type::String();
  }
  return StaticType(expr);
}

std::optional<Type> PlainGenerator::BranchType(const Expr& expr, int depth) const {
  const Expr& inner = Inner(expr);
  if (inner.kind != ExprKind::kConditional) return TypeOfLeaf(inner);
  if (depth > kMaxDepth) return Type::Dynamic();
  const std::optional<Type> t = BranchType(*As<ConditionalExpr>(inner).if_true, depth + 1);
  const std::optional<Type> f = BranchType(*As<ConditionalExpr>(inner).if_false, depth + 1);
  if (t && f) return *t == *f ? *t : Type::Dynamic();
  return t ? t : f;
}

std::optional<Value> PlainGenerator::ConstantOf(const Expr& expr, int depth) const {
  const Expr& inner = Inner(expr);
  if (depth > kMaxFoldDepth) return std::nullopt;
  switch (inner.kind) {
    case ExprKind::kLiteral: {
      const auto& literal = As<LiteralExpr>(inner);
      if (literal.literal == LiteralKind::kNull) return std::nullopt;
      if (literal.literal != LiteralKind::kNumber) return Value::Bool(literal.literal == LiteralKind::kTrue);
      NumberError error = NumberError::kNone;
      const Number number = Number::Parse(literal.spelling, NumberSyntax::kLiteral, g_.options_.limits,
                                          g_.builder_->heap()->arena(), &error);
      if (error != NumberError::kNone) return std::nullopt;
      return Value::FromNumber(number);
    }
    case ExprKind::kTemplateText:
    case ExprKind::kTemplate: {
      // Its text as it stands in the source: PlainConstant() makes a constant of it.
      const Expr* part = &inner;
      if (inner.kind == ExprKind::kTemplate) {
        absl::Span<const Expr* const> parts = As<TemplateExpr>(inner).parts;
        if (parts.empty()) return Value::StringView("");
        part = parts[0];
        if (parts.size() > 1 || part->kind != ExprKind::kTemplateText) return std::nullopt;
      }
      const std::string_view text = As<TemplateTextExpr>(*part).text;
      if (!IsKnownNfc(text)) return std::nullopt;
      return Value::StringView(text);
    }
    case ExprKind::kUnary: {
      const std::optional<Value> operand = ConstantOf(*As<UnaryExpr>(inner).operand, depth + 1);
      if (!operand || As<UnaryExpr>(inner).op != UnaryOp::kNegate) return std::nullopt;
      return g_.Fold([&](OpContext* context) { return NegateOperation(*operand, context); });
    }
    case ExprKind::kBinary: {
      const auto& node = As<BinaryExpr>(inner);
      if (IsLogical(node.op)) return std::nullopt;
      // The right side first: the left one may be a long chain.
      const std::optional<Value> rhs = ConstantOf(*node.rhs, depth + 1);
      const std::optional<Value> lhs = rhs ? ConstantOf(*node.lhs, depth + 1) : std::nullopt;
      if (!lhs) return std::nullopt;
      return g_.Fold([&](OpContext* context) { return BinaryOperation(node.op, *lhs, *rhs, context); });
    }
    default:
      return std::nullopt;
  }
}

bool PlainGenerator::IsLength(const CallExpr& expr) const {
  const Function* function = FunctionOf(expr);
  return function != nullptr && function->special == Function::Special::kLength && expr.arguments.size() == 1 &&
         !expr.expand_last;
}

}  // namespace hcl::internal

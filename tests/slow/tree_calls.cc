// Function calls. Specification: native-syntax.md and information-model.md, "Functions and Function Calls".

#include <algorithm>

#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/value/type.h"

namespace hcl::testing_support {
namespace {

SourceRange Head(const CallExpr& expr) { return Cover(expr.name_range, expr.open); }

SourceRange FirstByte(SourceRange range) { return {range.begin, range.begin + 1}; }

}  // namespace

SourceRange StartRange(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kBinary:
      return StartRange(*As<BinaryExpr>(expr).lhs);
    case ExprKind::kConditional:
      return StartRange(*As<ConditionalExpr>(expr).condition);
    case ExprKind::kParen:
      return StartRange(*As<ParenExpr>(expr).inner);
    case ExprKind::kTemplate: {
      const auto& parts = As<TemplateExpr>(expr).parts;
      return parts.empty() ? expr.range : StartRange(*parts[0]);
    }
    case ExprKind::kTemplateIf:
      return StartRange(*As<TemplateIfExpr>(expr).condition);
    case ExprKind::kCall:
      return Head(As<CallExpr>(expr));
    case ExprKind::kIndex:
      return FirstByte(As<IndexExpr>(expr).brackets);
    case ExprKind::kSplat:
      return As<SplatExpr>(expr).marker;
    case ExprKind::kTuple:
    case ExprKind::kObject:
    case ExprKind::kFor:
    case ExprKind::kUnary:
      return FirstByte(expr.range);  // the bracket or operator
    default:
      return expr.range;
  }
}

// Where diagnostics about the call's n-th argument point; one that comes out of the expanded argument: at that.
SourceRange ArgumentRange(const CallExpr& expr, size_t n) {
  const size_t last = expr.arguments.size() - 1;
  return expr.expand_last && n >= last ? expr.arguments[last]->range : StartRange(*expr.arguments[n]);
}

Outcome TreeEvaluator::Call(const CallExpr& expr, const Scope* scope) {
  const Function* function = functions_.Find(expr.name);
  if (function == nullptr) return Problem{"Call to unknown function", expr.name_range};
  if (!expr.expand_last) {
    if (function->special == Function::Special::kTry) return Try(expr, scope);
    if (function->special == Function::Special::kCan && expr.arguments.size() == 1) return Can(expr, scope);
    if (const std::optional<Problem> problem = CheckCount(expr, *function, expr.arguments.size())) return *problem;
  }
  const bool one_by_one = expr.expand_last && function->special == Function::Special::kTry;
  if (one_by_one) return TryExpanded(expr, *function, scope);
  std::vector<Outcome> arguments;
  for (const Expr* argument : expr.arguments) arguments.push_back(Eval(*argument, scope));
  if (!expr.expand_last) return CallWith(expr, *function, std::move(arguments));

  // Unlike the reference, which evaluates the expanded argument first and then may not look at the others, all
  // arguments' errors are reported.
  Problems problems;
  for (const Outcome& argument : arguments) Append(argument, &problems);
  const Outcome last = arguments.back();
  if (!last.ok()) return problems;
  if (const std::optional<Problem> problem = CheckExpanded(*last.value, *expr.arguments.back())) {
    problems.push_back(*problem);
    return problems;
  }
  if (IsOpenSequence(*last.value)) return problems.empty() ? Outcome(Value::Dynamic()) : Outcome(problems);
  arguments.pop_back();
  for (const Element& element : Elements(*last.value)) arguments.push_back(element.value);
  if (std::optional<Problem> problem = CheckCount(expr, *function, arguments.size())) {
    problems.push_back(*problem);
    return problems;
  }
  return CallWith(expr, *function, std::move(arguments));
}

std::optional<Problem> TreeEvaluator::CheckExpanded(const Value& expanded, const Expr& argument) {
  const TypeKind kind = TypeOfValue(expanded).kind();
  const bool is_sequence = kind == TypeKind::kList || kind == TypeKind::kSet || kind == TypeKind::kTuple;
  if (!expanded.is_null() && (is_sequence || kind == TypeKind::kDynamic)) return std::nullopt;
  return Problem{"Invalid expanding argument value", argument.range};
}

// Nobody knows how many arguments it stands for.
bool TreeEvaluator::IsOpenSequence(const Value& value) { return value.is_unknown() || HasUnknownLength(value); }

// What is expanded comes first: there is no call without it. The attempts are made one by one before its elements.
Outcome TreeEvaluator::TryExpanded(const CallExpr& expr, const Function& function, const Scope* scope) {
  Outcome last = Eval(*expr.arguments.back(), scope);
  if (!last.ok()) return last;
  if (const std::optional<Problem> problem = CheckExpanded(*last.value, *expr.arguments.back())) return *problem;
  if (IsOpenSequence(*last.value)) return Value::Dynamic();
  for (size_t n = 0; n + 1 < expr.arguments.size(); ++n) {
    Outcome outcome = Attempt(*expr.arguments[n], scope);
    if (outcome.ok()) return outcome;
  }
  std::vector<Outcome> elements;
  for (const Element& element : Elements(*last.value)) elements.push_back(element.value);
  return CallWith(expr, function, std::move(elements));
}

std::optional<Problem> TreeEvaluator::CheckCount(const CallExpr& expr, const Function& function, size_t count) {
  if (count < function.parameters.size()) return Problem{"Not enough function arguments", expr.close};
  if (count <= function.max_arguments()) return std::nullopt;
  return Problem{"Too many function arguments", ArgumentRange(expr, function.max_arguments())};
}

void TreeEvaluator::NoteArgument(const Function& function, const Value& argument, const Value& converted) {
  const hcl::Type type = TypeOfValue(argument);
  doubts_.untyped_argument |= type.has_dynamic() && !type.is_dynamic() && TypeOfValue(converted) != type;
  for (const char* name : {"coalesce", "concat", "tolist", "toset", "tomap", "setunion", "setintersection",
                           "setsubtract", "setsymmetricdifference", "setproduct"}) {
    doubts_.untyped_argument |= function.name == name && type.has_dynamic();
  }
  for (const char* name : {"merge", "lookup", "tolist", "toset", "tomap", "tostring", "tonumber", "tobool"}) {
    doubts_.tolerated_null |= function.name == name && argument.is_null();
  }
}

Outcome TreeEvaluator::CallWith(const CallExpr& expr, const Function& function, std::vector<Outcome> arguments) {
  constexpr char kInvalid[] = "Invalid function argument";
  std::vector<Value> values;
  Problems problems;
  for (size_t n = 0; n < arguments.size(); ++n) {
    Append(arguments[n], &problems);
    if (!arguments[n].ok()) continue;
    const std::optional<Value> converted = Converted(*arguments[n].value, function.parameter(n).type);
    // What has no type yet might be of one that all have together: `chunklist([1, dyn, false], 0)`.
    const Type type = TypeOfValue(*arguments[n].value);
    doubts_.untyped_argument |= !converted && type.has_dynamic() && !type.is_dynamic();
    if (converted) {
      NoteArgument(function, *arguments[n].value, *converted);
      values.push_back(*converted);
    } else {
      problems.push_back({kInvalid, ArgumentRange(expr, n)});
    }
  }
  if (!problems.empty()) return problems;
  const bool is_template = function.special == Function::Special::kTemplateString;
  Function checked = function;
  // The protocol alone: whether the arguments are null or unknown.
  if (is_template) checked.body = [](FunctionCall*, absl::Span<const Value>) { return Value::StringView(""); };
  FunctionCall call(checked, heap_);
  const Value result = InvokeFunction(&call, values);
  if (is_template && !call.failed() && result.is_known()) return TemplateString(expr, values[0], values[1]);
  if (!call.failed()) return result;
  if (call.is_limit()) return Problem{"Limit reached in function call", Head(expr), /*is_limit=*/true};
  if (call.argument() < 0) return Problem{"Error in function call", Head(expr)};
  const size_t at = static_cast<size_t>(call.argument());
  // A function may complain about a variadic argument that was not given.
  if (at >= values.size()) return Problem{kInvalid, expr.range};
  return Problem{kInvalid, ArgumentRange(expr, at)};
}

Outcome TreeEvaluator::Attempt(const Expr& argument, const Scope* scope) {
  const int unknown_reads = unknown_reads_;
  ++attempts_;
  Outcome outcome = Eval(argument, scope);
  --attempts_;
  if (!outcome.ok()) return outcome;
  // What is not wholly known may yet turn out to be an error.
  if (!outcome.value->is_wholly_known()) return Value::Dynamic();
  doubts_.optimistic_attempt |= unknown_reads_ > unknown_reads;
  return outcome;
}

// The first argument that has a value; the errors of those before it do not count.
Outcome TreeEvaluator::Try(const CallExpr& expr, const Scope* scope) {
  for (const Expr* argument : expr.arguments) {
    Outcome outcome = Attempt(*argument, scope);
    if (outcome.ok()) return outcome;
  }
  return Problem{"Error in function call", Head(expr)};
}

Outcome TreeEvaluator::Can(const CallExpr& expr, const Scope* scope) {
  const Outcome outcome = Attempt(*expr.arguments[0], scope);
  if (!outcome.ok()) return Value::Bool(false);
  return outcome.value->is_known() ? Value::Bool(true) : Value::Unknown(hcl::Type::Bool());
}

}  // namespace hcl::testing_support

// Binder: function calls. Tested by compiler/bind_test.cc.

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/habits.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/print.h"
#include "hclvm/vm/lookup_set.h"

namespace hcl::internal {
namespace {

// Where a diagnostic about an argument points: its first token or operator, as in the reference.
SourceRange StartOf(const Expr& expr) {
  const Expr* at = &expr;
  for (;;) {
    switch (at->kind) {
      case ExprKind::kBinary:
        at = As<BinaryExpr>(*at).lhs;
        continue;
      case ExprKind::kConditional:
        at = As<ConditionalExpr>(*at).condition;
        continue;
      case ExprKind::kParen:
        at = As<ParenExpr>(*at).inner;
        continue;
      case ExprKind::kTemplate:
        if (As<TemplateExpr>(*at).parts.empty()) return at->range;
        at = As<TemplateExpr>(*at).parts[0];
        continue;
      case ExprKind::kTemplateIf:
        at = As<TemplateIfExpr>(*at).condition;
        continue;
      case ExprKind::kCall:
        return Cover(As<CallExpr>(*at).name_range, As<CallExpr>(*at).open);
      case ExprKind::kIndex: {
        const SourceRange brackets = As<IndexExpr>(*at).brackets;
        return {brackets.begin, brackets.begin + 1};
      }
      case ExprKind::kTuple:
        return {at->range.begin, at->range.begin + 1};
      case ExprKind::kObject:
        return As<ObjectExpr>(*at).open;
      case ExprKind::kFor:
        return As<ForExpr>(*at).open;
      case ExprKind::kSplat:
        return As<SplatExpr>(*at).marker;
      case ExprKind::kUnary:
        return {at->range.begin, at->range.begin + 1};
      default:
        return at->range;
    }
  }
}

bool IsCountWrong(const CallExpr& expr, const Function& function) {
  const size_t count = expr.arguments.size();
  return count < function.parameters.size() || count > function.max_arguments();
}

absl::string_view NounFor(size_t count) { return count == 1 ? " argument" : " arguments"; }

// What is wrong with the number of arguments. As in the reference, nothing else about such a call is reported.
Diagnostic WrongCount(const CallExpr& expr, const Function& function) {
  const size_t required = function.parameters.size();
  const size_t count = expr.arguments.size();
  Diagnostic diagnostic(count < required ? DiagnosticCode::kTooFewArguments : DiagnosticCode::kTooManyArguments);
  if (count < required) {
    diagnostic.detail =
        absl::StrCat("Function \"", function.name, "\" expects ", function.variadic ? "at least " : "", required,
                     NounFor(required), ". Missing value for \"", function.parameters[count].name, "\".");
    diagnostic.subject = expr.close;
  } else {
    const size_t most = function.max_arguments();
    diagnostic.detail = absl::StrCat("Function \"", function.name, "\" expects only ", most, NounFor(most), ".");
    diagnostic.subject = StartOf(*expr.arguments[most]);
  }
  diagnostic.context = expr.range;
  return diagnostic;
}

}  // namespace

// The form of a call tells its type, be it right or wrong.
BoundExpr* Binder::RaiseWrongCount(const CallExpr& expr, const Function& function) {
  BoundRaise* const node = tree_.AddRaise(tree_.Here(), expr.range, WrongCount(expr, function));
  node->type = ResultType(function);
  node->never_null = function.never_null();
  node->sure_bool = node->type == Type::Bool();
  return node;
}

BoundExpr* Binder::RaiseUnknownFunction(const CallExpr& expr) {
  const bool allowed = scope_.functions != nullptr;
  Diagnostic diagnostic(allowed ? DiagnosticCode::kUnknownFunction : DiagnosticCode::kCallsNotAllowed);
  diagnostic.subject = expr.name_range;
  diagnostic.context = expr.range;
  if (!allowed) {
    diagnostic.detail = "No functions are available here.";
  } else {
    const std::string_view hint = HintAtFunction(expr.name);
    const std::string_view nearest =
        hint.empty() ? functions_.Nearest(expr.name, *scope_.functions) : std::string_view();
    diagnostic.detail = absl::StrCat("There is no function named \"", ToAbsl(expr.name), "\".", ToAbsl(hint));
    if (!nearest.empty()) absl::StrAppend(&diagnostic.detail, " Did you mean \"", ToAbsl(nearest), "\"?");
  }
  return tree_.AddRaise(tree_.Here(), expr.range, std::move(diagnostic));
}

absl::Span<const SourceRange> Binder::SpansOf(const CallExpr& expr) {
  const size_t count = expr.arguments.size();
  auto* const spans = tree_.arena()->NewArray<SourceRange>(3 + count);
  spans[0] = expr.range;
  spans[1] = Cover(expr.name_range, expr.open);
  spans[2] = expr.close;
  for (size_t n = 0; n < count; ++n) spans[3 + n] = StartOf(*expr.arguments[n]);
  if (expr.expand_last && count > 0) spans[2 + count] = expr.arguments.back()->range;
  return {spans, 3 + count};
}

// Arguments of a call that is wrong in itself are not looked at, as in the reference.
BoundExpr* Binder::BindCall(const CallExpr& expr) {
  const Function* const function = functions_.Find(expr.name, scope_.functions);
  if (function == nullptr) return RaiseUnknownFunction(expr);
  const bool counts = !expr.expand_last && function->special != Function::Special::kTry;
  if (counts && IsCountWrong(expr, *function)) return RaiseWrongCount(expr, *function);
  const Mark mark = tree_.Here();
  auto* const node = tree_.New<BoundCall>(expr.range);
  tree_.CountCall();
  node->function = function;
  node->expand_last = expr.expand_last;
  node->spans = SpansOf(expr);
  ScratchList<const BoundExpr*> arguments(&parts_);
  const bool tries = function->special == Function::Special::kTry || function->special == Function::Special::kCan;
  for (const Expr* argument : expr.arguments) {
    const bool is_type = node->is(Function::Special::kConvert) && arguments.size() == 1;
    // A list that is expanded is needed in any case.
    const bool is_attempt = tries && !(expr.expand_last && argument == expr.arguments.back());
    attempts_ += is_attempt ? 1 : 0;
    arguments.Add(is_type ? BindType(*argument) : BindExpr(*argument));
    attempts_ -= is_attempt ? 1 : 0;
  }
  node->arguments = tree_.Keep<const BoundExpr*>(arguments.view());
  return FinishCall(node, mark);
}

// A type is no expression: its text is the argument.
BoundExpr* Binder::BindType(const Expr& expr) {
  return tree_.AddConstant(tree_.Here(), expr.range, literals_.StringOf(PrintExpr(expr)));
}

// Constant arguments become what their parameters make of them, once for all runs.
void Binder::ConvertConstants(const BoundCall& call) {
  for (size_t n = 0; n < call.arguments.size(); ++n) {
    if (!call.arguments[n]->is_constant()) continue;
    const auto& constant = As<BoundConstant>(*call.arguments[n]);
    tree_.SetConstant(constant, folding_.ConvertArgument(constant.value, call.function->parameter(n).type));
  }
}

std::optional<Value> Binder::FoldCall(const BoundCall& call) {
  ScratchList<Value> values(&values_);
  for (const BoundExpr* argument : call.arguments) {
    if (!argument->is_constant()) return std::nullopt;
    values.Add(As<BoundConstant>(*argument).value);
  }
  return folding_.Call(*call.function, values.view());
}

const void* Binder::Prepare(const BoundCall& call) {
  if (call.function->prepare == nullptr || call.arguments.empty()) return nullptr;
  std::vector<std::optional<Value>> constants;
  for (const BoundExpr* argument : call.arguments) {
    constants.emplace_back();
    if (argument->is_constant()) constants.back() = As<BoundConstant>(*argument).value;
  }
  return folding_.Prepare(*call.function, constants);
}

// Whether it is `contains([constants], x)`, of constants that a prepared set can hold.
bool Binder::HasLookup(const BoundCall& call) const {
  if (!call.is(Function::Special::kContains) || call.arguments.size() != 2) return false;
  if (!call.arguments[0]->is_constant() || builder_->lookup_count() > UINT16_MAX) return false;
  const Value& list = As<BoundConstant>(*call.arguments[0]).value;
  return list.is_sequence() && LookupSet::CanHold(list.elements());
}

// Nothing when the call fails, which it will do when it runs.
std::optional<Value> Binder::FoldLookup(const BoundCall& call) {
  if (!call.arguments[1]->is_constant()) return std::nullopt;
  const Value values[] = {As<BoundConstant>(*call.arguments[0]).value, As<BoundConstant>(*call.arguments[1]).value};
  return folding_.Call(*call.function, values);
}

BoundExpr* Binder::AddResult(const BoundCall& call, const Value& value, const Mark& mark) {
  return tree_.AddFolded(mark, call.range, value, ResultType(*call.function), call.function->never_null());
}

const BoundCall* Binder::FirstMatch(const BoundCall& regexall) {
  const Function* const regex = functions_.Find("regex", scope_.functions);
  if (regex == nullptr || regex->special != Function::Special::kRegex) return nullptr;
  auto* const call = tree_.arena()->New<BoundCall>(regexall);
  call->function = regex;
  const void* const prepared = Prepare(*call);
  if (prepared == nullptr) return nullptr;
  call->site = builder_->AddSite(regex, prepared, static_cast<uint32_t>(call->arguments.size()), /*expand_last=*/false);
  return call;
}

// The arguments of try and can are evaluated one by one, and need no call.
BoundExpr* Binder::FinishCall(BoundCall* call, const Mark& mark) {
  const Function& function = *call->function;
  const bool one_by_one = call->is(Function::Special::kTry) || call->is(Function::Special::kCan);
  if (one_by_one) return tree_.Add(call, mark);
  const bool optimize = options_.optimize && !call->expand_last;
  if (optimize && HasLookup(*call)) {
    if (const std::optional<Value> value = FoldLookup(*call)) return AddResult(*call, *value, mark);
    call->lookup = builder_->AddLookup(As<BoundConstant>(*call->arguments[0]).value);
    return tree_.Add(call, mark);
  }
  const void* prepared = nullptr;
  if (optimize) {
    ConvertConstants(*call);
    if (const std::optional<Value> value = FoldCall(*call)) return AddResult(*call, *value, mark);
    prepared = Prepare(*call);
  }
  // The arguments of try before an expanded one are evaluated one by one, and not passed.
  const bool alone = call->expand_last && function.special == Function::Special::kTry;
  const auto count = alone ? 1 : static_cast<uint32_t>(call->arguments.size());
  call->site = builder_->AddSite(&function, prepared, count, call->expand_last);
  return tree_.Add(call, mark);
}

}  // namespace hcl::internal

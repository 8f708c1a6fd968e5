// TypeChecker: calls of functions. Tested by module/type_checker_test.cc.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/function_checker.h"
#include "hclvm/module/module_functions.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_cases.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// They take whatever they get.
bool TakesAnything(const Function& function) {
  return function.special == Function::Special::kCoalesce || function.is_library_function("jsonencode") ||
         function.is_library_function("yamlencode") || function.is_library_function("type");
}

}  // namespace

namespace {

// Whether a text in it may be a bool where a number is wanted, or the other way round.
bool IsMixedFor(const StaticType& type, Type wanted) {
  if (wanted == Type::Bool()) return type.may_be_number;
  if (wanted == Type::Number()) return type.may_be_bool;
  if (!wanted.is_collection()) return false;
  if (type.element != nullptr) return IsMixedFor(*type.element, wanted.element());
  return std::any_of(type.parts.begin(), type.parts.end(),
                     [wanted](const StaticType* part) { return IsMixedFor(*part, wanted.element()); });
}

}  // namespace

bool TypeChecker::CheckArgument(const BoundCall& call, size_t n, const StaticType* type) {
  const Function& function = *call.function;
  if (type->kind == StaticKind::kSilent || TakesAnything(function)) return true;
  if (call.is(Function::Special::kContains) && n == 1) return true;  // what is looked for may be anything
  // Behind the last parameter stands what is expanded, as it may have no elements, and what then is one too many.
  if (n >= function.max_arguments()) return true;
  const Parameter& parameter = function.parameter(n);
  const BoundExpr& argument = *call.arguments[n];
  const bool is_expanded = call.expand_last && n + 1 == call.arguments.size();
  // What is expanded gives no argument where it has no elements.
  const bool may_be_none = is_expanded && type->parts.empty();
  const StaticType* const whole = type;
  if (is_expanded) {
    type = ElementsOf(argument, type).value;
    if (type->kind == StaticKind::kSilent) return true;
    if (may_be_none && type->kind == StaticKind::kNull) {
      if (!parameter.allow_null) {
        Report(argument.outer, DiagnosticCode::kMayBeNull,
               absl::StrCat("All elements of this argument for ", parameter.name, " are null, and that is an error."));
      }
      return true;
    }
  }
  // Most arguments need no text.
  const bool may_be_null = IsAlwaysNull(argument, type) || (type->nullable && type->is_told());
  const bool is_any = type->kind == StaticKind::kAny;
  std::string what;
  if (may_be_null || (is_any && warns())) what = absl::StrCat("argument for ", parameter.name);
  if (!parameter.allow_null && may_be_null && !TakeNull(argument, &type, what)) return false;
  if (type->kind == StaticKind::kNull || (is_any && !TakeAny(argument, type, what))) return true;
  // Of what is taken apart, elements count as well.
  const bool takes_parts = parameter.type.is_collection() || call.is(Function::Special::kSum);
  const auto has_part = [type](const auto& is_one) {
    return (type->element != nullptr && is_one(type->element)) ||
           std::any_of(type->parts.begin(), type->parts.end(), is_one);
  };
  const bool has_nulls = has_part([](const StaticType* part) { return part->nullable && part->is_told(); });
  const bool has_any = has_part([](const StaticType* part) { return part->kind == StaticKind::kAny; });
  const bool is_vague = takes_parts && has_any && type->kind != StaticKind::kObject;
  if (is_vague && !has_nulls && warns()) {
    TakeAny(argument, types_.Of(StaticKind::kAny), absl::StrCat("element of the argument for ", parameter.name));
  }
  if (takes_parts && has_nulls && type->kind != StaticKind::kObject) {
    Report(argument.outer, DiagnosticCode::kMayBeNull,
           absl::StrCat("Elements of this argument for ", parameter.name,
                        " may be null, and that is an error. Leave them out: [for e in x : e if "
                        "e != null]."));
  }
  const bool fits = parameter.type.is_dynamic() || is_vague || CheckType(call, n, n, type, may_be_none);
  return (!is_expanded || CheckRest(call, n, whole)) && fits;
}

// What is expanded also gives the arguments behind the first of its own, whose parameters may take other types.
bool TypeChecker::CheckRest(const BoundCall& call, size_t n, const StaticType* whole) {
  const Function& function = *call.function;
  const bool is_tuple = whole->kind == StaticKind::kTuple;
  const size_t own = function.parameters.size();
  const size_t end =
      is_tuple ? std::min(n + whole->parts.size(), function.max_arguments()) : own + (function.variadic ? 1 : 0);
  for (size_t at = n + 1; at < end; ++at) {
    const Type wanted = function.parameter(at).type;
    const StaticType* const part = is_tuple ? whole->parts[at - n] : whole->element;
    if (part == nullptr || wanted.is_dynamic() || (!is_tuple && wanted == function.parameter(n).type)) continue;
    const bool is_told = part->is_told() && part->kind != StaticKind::kNull && part->kind != StaticKind::kSilent;
    if (is_told && !CheckType(call, n, at, part, !is_tuple)) return false;
  }
  return true;
}

// Whether the argument, whose type fits, can be converted, where it is a constant.
bool TypeChecker::FitsAsConstant(const BoundCall& call, size_t n) {
  const BoundExpr& argument = *call.arguments[n];
  const bool is_expanded = call.expand_last && n + 1 == call.arguments.size();
  if (is_expanded || !argument.is_constant()) return true;
  const Parameter& parameter = call.function->parameter(n);
  Value converted;
  ConversionError error;
  if (Convert(As<BoundConstant>(argument).value, parameter.type, &heap_, &converted, &error) || error.is_limit) {
    return true;
  }
  Report(argument.outer, DiagnosticCode::kNeverArgument,
         absl::StrCat("This constant is never right for ", parameter.name, " of ", call.function->name, ": ",
                      error.ToString(), "."));
  return false;
}

// The argument `n` is, or expands to, one for another parameter. `may_be_none`: it is of what is expanded, and may not
// be there.
bool TypeChecker::CheckType(const BoundCall& call, size_t n, size_t of_parameter, const StaticType* type,
                            bool may_be_none) {
  const Function& function = *call.function;
  const Parameter& parameter = function.parameter(of_parameter);
  const BoundExpr& argument = *call.arguments[n];
  const Type from = types_.ToType(*type);
  if (from == parameter.type) return true;
  if (IsMixedFor(*type, parameter.type)) {
    if (warns()) {
      Report(argument.outer, DiagnosticCode::kTypeNotTold,
             absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                          WithArticle(parameter.type),
                          ", and a text in this may be something else where what stands "
                          "beside it fails."));
    }
    return true;
  }
  heap_.Reset();
  TypeCases cases(&types_, &heap_);
  cases.Begin({type});
  const Outcome outcome = cases.Try(warns(), [&](absl::Span<const Type> types) {
    return IsConvertible(types[0], parameter.type, /*unsafe=*/true, heap_.dialect());
  });
  if (outcome == Outcome::kFits) return FitsAsConstant(call, n);
  // A null of any type is one of the parameter's.
  const bool may_be_null = parameter.allow_null && type->nullable;
  if (may_be_none || may_be_null || outcome == Outcome::kMayFail) {
    Report(argument.outer, DiagnosticCode::kTypeNotTold,
           absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                        WithArticle(parameter.type), ", and this is ", WithArticle(*type),
                        n == of_parameter ? ": it fits only where there are no elements, or nulls."
                                          : ": it fits only where there are fewer elements."));
    return true;
  }
  Report(argument.outer, DiagnosticCode::kNeverArgument,
         absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                      WithArticle(parameter.type), ", and this is ", WithArticle(*type), "."));
  return false;
}

const StaticType* TypeChecker::InferCall(const BoundCall& call) {
  const size_t count = call.arguments.size();
  if (call.is(Function::Special::kCan) || call.is(Function::Special::kTry)) {
    const bool is_can = call.is(Function::Special::kCan);
    if (count == 0 && !is_can) {
      Report(call.range, DiagnosticCode::kNeverArgument,
             "A call of try always fails: at least one argument is required.");
    }
    const StaticType* joined = nullptr;
    bool is_settled = false;  // an argument before has a value in every run
    for (size_t n = 0; n < count; ++n) {
      const bool is_caught = is_can || n + 1 < count;
      quiet_ += is_caught ? 1 : 0;
      attempts_ += is_caught ? 1 : 0;
      const size_t unsaid = unsaid_;
      const StaticType* type = Infer(*call.arguments[n]);
      attempts_ -= is_caught ? 1 : 0;
      quiet_ -= is_caught ? 1 : 0;
      if (type->kind == StaticKind::kSilent || is_settled) continue;  // it always fails, or nobody asks for it
      joined = joined == nullptr ? type : types_.Join(joined, type, /*unifies=*/false);
      is_settled = is_caught && !is_can && unsaid_ == unsaid && CannotFail(*call.arguments[n], kMaxLevels);
    }
    if (is_can) return types_.Of(StaticKind::kBool);
    return joined == nullptr ? types_.Of(StaticKind::kSilent) : joined;
  }
  std::vector<const StaticType*> arguments;
  arguments.reserve(count);
  bool may_succeed = true;
  const bool is_coalesce = call.is(Function::Special::kCoalesce);
  for (size_t n = 0; n < count; ++n) {
    takes_null_ += is_coalesce ? 1 : 0;
    arguments.push_back(Infer(*call.arguments[n]));
    takes_null_ -= is_coalesce ? 1 : 0;
    const bool fits = CheckArgument(call, n, arguments.back());
    may_succeed = may_succeed && fits;
  }
  if (IsInPlace(*call.function)) return types_.Of(StaticKind::kSilent);
  const bool is_own = functions_ != nullptr && functions_->Knows(*call.function);
  if (!is_own && (!may_succeed || CheckCall(call, arguments) == Outcome::kFails)) return types_.Of(StaticKind::kSilent);
  CheckFilled(call);
  if (is_coalesce && count > 0) {
    const StaticType* joined = arguments[0];
    for (size_t n = 1; n < count; ++n) joined = types_.Join(joined, arguments[n], /*unifies=*/true);
    const bool has_value =
        std::any_of(arguments.begin(), arguments.end(), [](const StaticType* type) { return !type->nullable; });
    return has_value && joined->kind != StaticKind::kAny ? types_.WithNull(joined, false) : joined;
  }
  return ResultOf(call, arguments);
}

}  // namespace hcl::internal

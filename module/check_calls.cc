// TypeChecker: calls of functions. Tested by module/type_checker_test.cc.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/function_checker.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_cases.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/conversion.h"

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
  return parameter.type.is_dynamic() || is_vague || CheckType(call, n, type, may_be_none);
}

// `may_be_none`: it is of what is expanded, and may not be there.
bool TypeChecker::CheckType(const BoundCall& call, size_t n, const StaticType* type, bool may_be_none) {
  const Function& function = *call.function;
  const Parameter& parameter = function.parameter(n);
  const BoundExpr& argument = *call.arguments[n];
  const Type from = types_.ToType(*type);
  if (from == parameter.type) return true;
  if (IsMixedFor(*type, parameter.type)) {
    if (warns()) {
      Report(argument.outer, DiagnosticCode::kTypeNotTold,
             absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                          FriendlyName(parameter.type),
                          ", and a text in this may be something else where what stands "
                          "beside it fails."));
    }
    return true;
  }
  heap_.Reset();
  TypeCases cases(&types_, heap_.types(), heap_.dialect());
  cases.Begin({type});
  const Outcome outcome = cases.Try(warns(), [&](absl::Span<const Type> types) {
    return IsConvertible(types[0], parameter.type, /*unsafe=*/true, heap_.dialect());
  });
  if (outcome == Outcome::kFits) return true;
  if (may_be_none || outcome == Outcome::kMayFail) {
    Report(argument.outer, DiagnosticCode::kTypeNotTold,
           absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                        FriendlyName(parameter.type), ", and this is of type ", NameOf(*type),
                        ": it fits only where there are no elements, or nulls."));
    return true;
  }
  Report(argument.outer, DiagnosticCode::kNeverArgument,
         absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                      FriendlyName(parameter.type), ", and this is of type ", NameOf(*type), "."));
  return false;
}

const StaticType* TypeChecker::InferCall(const BoundCall& call) {
  const size_t count = call.arguments.size();
  if (call.is(Function::Special::kCan) || call.is(Function::Special::kTry)) {
    const bool is_can = call.is(Function::Special::kCan);
    const StaticType* joined = nullptr;
    for (size_t n = 0; n < count; ++n) {
      const bool is_caught = is_can || n + 1 < count;
      quiet_ += is_caught ? 1 : 0;
      attempts_ += is_caught ? 1 : 0;
      const StaticType* type = Infer(*call.arguments[n]);
      attempts_ -= is_caught ? 1 : 0;
      quiet_ -= is_caught ? 1 : 0;
      if (type->kind == StaticKind::kSilent) continue;  // it always fails
      joined = joined == nullptr ? type : types_.Join(joined, type, /*unifies=*/false);
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

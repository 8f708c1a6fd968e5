// TypeChecker: calls of functions. Tested by module/type_checker_test.cc.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/static_type.h"
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

// Whether some value of `type`, whose values cannot be converted by their type alone, is one of `wanted` all the same:
// where there are no elements of a wrong type, or nulls in their place.
bool TypeChecker::MayFit(const StaticType& type, Type wanted) {
  if (type.nullable || !type.is_told() || wanted.is_dynamic()) return true;
  if (type.element != nullptr && !type.is_exact && !wanted.is_primitive()) return true;
  if (type.parts.empty() || wanted.is_primitive()) {
    return IsConvertible(types_.ToType(type), wanted, /*unsafe=*/true, heap_.dialect());
  }
  return !wanted.is_collection() || std::all_of(type.parts.begin(), type.parts.end(), [&](const StaticType* part) {
    return MayFit(*part, wanted.element());
  });
}

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

void TypeChecker::CheckArgument(const BoundCall& call, size_t n, const StaticType* type) {
  const Function& function = *call.function;
  if (type->kind == StaticKind::kSilent || TakesAnything(function)) return;
  if (call.is(Function::Special::kContains) && n == 1) return;  // what is looked for may be anything
  // Behind the last parameter stands what is expanded, as it may have no elements, and what then is one too many.
  if (n >= function.max_arguments()) return;
  const Parameter& parameter = function.parameter(n);
  const BoundExpr& argument = *call.arguments[n];
  const bool is_expanded = call.expand_last && n + 1 == call.arguments.size();
  // What is expanded gives no argument where it has no elements.
  const bool may_be_none = is_expanded && type->parts.empty();
  if (is_expanded) {
    type = ElementsOf(argument, type).value;
    if (type->kind == StaticKind::kSilent) return;
    if (may_be_none && type->kind == StaticKind::kNull) {
      if (!parameter.allow_null) {
        Report(argument.outer, DiagnosticCode::kMayBeNull,
               absl::StrCat("All elements of this argument for ", parameter.name, " are null, and that is an error."));
      }
      return;
    }
  }
  // Most arguments need no text.
  const bool may_be_null = IsAlwaysNull(argument, type) || (type->nullable && type->is_told());
  const bool is_any = type->kind == StaticKind::kAny;
  std::string what;
  if (may_be_null || (is_any && warns())) what = absl::StrCat("argument for ", parameter.name);
  if (!parameter.allow_null && may_be_null && !TakeNull(argument, &type, what)) return;
  if (type->kind == StaticKind::kNull || (is_any && !TakeAny(argument, type, what))) return;
  if (call.is(Function::Special::kContains) && n == 0 && type->is_primitive()) {
    Report(argument.outer, DiagnosticCode::kNeverArgument,
           absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name,
                        " takes a list, a set or a tuple, and this is of type ", NameOf(*type), "."));
    return;
  }
  // Of what is taken apart, elements count as well.
  const bool takes_parts = !parameter.type.is_dynamic() || call.is(Function::Special::kSum);
  const auto has_part = [type](const auto& is_one) {
    return (type->element != nullptr && is_one(type->element)) ||
           std::any_of(type->parts.begin(), type->parts.end(), is_one);
  };
  const bool has_nulls = has_part([](const StaticType* part) { return part->nullable && part->is_told(); });
  const bool has_any = has_part([](const StaticType* part) { return part->kind == StaticKind::kAny; });
  if (takes_parts && !has_nulls && has_any && type->kind != StaticKind::kObject && warns()) {
    TakeAny(argument, types_.Of(StaticKind::kAny), absl::StrCat("element of the argument for ", parameter.name));
  }
  if (takes_parts && has_nulls && type->kind != StaticKind::kObject) {
    Report(argument.outer, DiagnosticCode::kMayBeNull,
           absl::StrCat("Elements of this argument for ", parameter.name,
                        " may be null, and that is an error. Leave them out: [for e in x : e if "
                        "e != null]."));
  }
  if (parameter.type.is_dynamic()) return;
  const Type from = types_.ToType(*type);
  if (from == parameter.type || from.has_dynamic()) return;
  if (warns() && IsMixedFor(*type, parameter.type)) {
    Report(argument.outer, DiagnosticCode::kTypeNotTold,
           absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                        FriendlyName(parameter.type),
                        ", and a text in this may be something else where what stands "
                        "beside it fails."));
  }
  if (IsConvertible(from, parameter.type, /*unsafe=*/true, heap_.dialect())) return;
  if (may_be_none || MayFit(*type, parameter.type)) {
    Report(argument.outer, DiagnosticCode::kTypeNotTold,
           absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                        FriendlyName(parameter.type), ", and this is of type ", NameOf(*type),
                        ": it fits only where there are no elements, or nulls."));
    return;
  }
  Report(argument.outer, DiagnosticCode::kNeverArgument,
         absl::StrCat("The parameter \"", parameter.name, "\" of ", function.name, " takes ",
                      FriendlyName(parameter.type), ", and this is of type ", NameOf(*type), "."));
}

const StaticType* TypeChecker::InferCall(const BoundCall& call) {
  const size_t count = call.arguments.size();
  if (call.is(Function::Special::kCan) || call.is(Function::Special::kTry)) {
    const bool is_can = call.is(Function::Special::kCan);
    const StaticType* joined = nullptr;
    for (size_t n = 0; n < count; ++n) {
      const bool is_caught = is_can || n + 1 < count;
      quiet_ += is_caught ? 1 : 0;
      const StaticType* type = Infer(*call.arguments[n]);
      quiet_ -= is_caught ? 1 : 0;
      if (type->kind == StaticKind::kSilent) continue;  // it always fails
      joined = joined == nullptr ? type : types_.Join(joined, type, /*unifies=*/false);
    }
    if (is_can) return types_.Of(StaticKind::kBool);
    return joined == nullptr ? types_.Of(StaticKind::kSilent) : joined;
  }
  std::vector<const StaticType*> arguments;
  arguments.reserve(count);
  for (size_t n = 0; n < count; ++n) {
    arguments.push_back(Infer(*call.arguments[n]));
    CheckArgument(call, n, arguments.back());
  }
  if (call.is(Function::Special::kCoalesce) && count > 0) {
    const StaticType* joined = arguments[0];
    for (size_t n = 1; n < count; ++n) joined = types_.Join(joined, arguments[n], /*unifies=*/true);
    const bool has_value =
        std::any_of(arguments.begin(), arguments.end(), [](const StaticType* type) { return !type->nullable; });
    return has_value && joined->kind != StaticKind::kAny ? types_.WithNull(joined, false) : joined;
  }
  return ResultOf(call, arguments);
}

}  // namespace hcl::internal

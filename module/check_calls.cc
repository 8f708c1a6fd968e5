// TypeChecker: calls of functions. Tested by module/type_checker_test.cc.

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/fuel.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What a rule for result types may take.
constexpr uint64_t kMaxFuel = 10'000;

// They take whatever they get.
bool TakesAnything(const Function& function) {
  for (const char* name : {"jsonencode", "yamlencode", "type"}) {
    if (function.name == name) return true;
  }
  return function.special == Function::Special::kCoalesce;
}

// Whether a rule for result types that has failed for unknown arguments fails for all values of these types: what it
// blames, or all that it got, are bools, numbers and texts. What is told as a list may be a tuple, and what is told as
// a map an object, so that nothing follows of blame for these.
bool AlwaysFails(const BoundCall& call, const FunctionCall& invoked, const std::vector<const StaticType*>& arguments) {
  if (invoked.is_limit() || invoked.out_of_fuel() || arguments.empty()) return false;
  const auto is_plain = [&](size_t n) {
    return arguments[n]->is_primitive() && !arguments[n]->nullable && !call.arguments[n]->is_constant();
  };
  if (invoked.argument() >= 0) {
    const auto blamed = static_cast<size_t>(invoked.argument());
    return blamed < arguments.size() && is_plain(blamed);
  }
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (!is_plain(n)) return false;
  }
  return true;
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

void TypeChecker::CheckArgument(const BoundCall& call, size_t n, const StaticType* type) {
  const Function& function = *call.function;
  if (type->kind == StaticKind::kSilent || TakesAnything(function)) return;
  // Behind the last parameter stands what is expanded, as it may have no elements, and what then is one too many.
  if (n >= function.max_arguments()) return;
  if (call.expand_last && n + 1 == call.arguments.size()) {
    type = ElementsOf(*call.arguments[n], type).value;
    if (type->kind == StaticKind::kSilent) return;
  }
  const Parameter& parameter = function.parameter(n);
  const BoundExpr& argument = *call.arguments[n];
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
  const bool has_nulls = (type->element != nullptr && type->element->nullable) ||
                         std::any_of(type->parts.begin(), type->parts.end(), [](const auto* p) { return p->nullable; });
  if (takes_parts && has_nulls && type->kind != StaticKind::kObject) {
    Report(argument.outer, DiagnosticCode::kMayBeNull,
           absl::StrCat("Elements of this argument for ", parameter.name,
                        " may be null, and that is an error. Leave them out: [for e in x : e if "
                        "e != null]."));
  }
  const Type from = types_.ToType(*type);
  if (parameter.type.is_dynamic() || from.has_dynamic()) return;
  if (IsConvertible(from, parameter.type, /*unsafe=*/true, heap_.dialect())) return;
  if (MayFit(*type, parameter.type)) {
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
  for (size_t n = 0; n < count; ++n) {
    arguments.push_back(Infer(*call.arguments[n]));
    CheckArgument(call, n, arguments.back());
  }
  if (call.is(Function::Special::kCoalesce) && count > 0) {
    const StaticType* joined = arguments[0];
    for (const StaticType* type : arguments) joined = types_.Join(joined, type, /*unifies=*/true);
    const bool has_value =
        std::any_of(arguments.begin(), arguments.end(), [](const StaticType* type) { return !type->nullable; });
    return has_value && joined->kind != StaticKind::kAny ? types_.WithNull(joined, false) : joined;
  }
  return ResultOf(call, arguments);
}

// A part of what is looked in, or the default. Null where it is no mapping whose parts are told.
const StaticType* TypeChecker::ResultOfLookup(const std::vector<const StaticType*>& arguments) {
  if (arguments.size() != 3) return nullptr;
  const StaticType& mapping = *arguments[0];
  const StaticType* found = mapping.element;
  if (mapping.kind == StaticKind::kObject && !mapping.is_open) {
    for (const StaticType* part : mapping.parts) {
      found = found == nullptr ? part : types_.Join(found, part, /*unifies=*/false);
    }
  }
  const bool is_mapping = mapping.kind == StaticKind::kObject || mapping.kind == StaticKind::kMap;
  return is_mapping && found != nullptr ? types_.Join(found, arguments[2], /*unifies=*/false) : nullptr;
}

// The function's own rule is asked, with unknown values of the types of the arguments; constants are what they are. A
// function that puts together what it gets has nulls in it where its arguments have.
const StaticType* TypeChecker::ResultOf(const BoundCall& call, const std::vector<const StaticType*>& arguments) {
  const Function& function = *call.function;
  const bool told = function.result_type_rule == nullptr;
  const bool nulls_inside = !told && std::any_of(arguments.begin(), arguments.end(), [](const StaticType* type) {
    return type->kind != StaticKind::kAny && type->holds_null;
  });
  const bool gives_part =
      call.is(Function::Special::kElement) || call.is(Function::Special::kLookup) || call.is(Function::Special::kOne);
  // What takes a null gives one, unless it says that it does not.
  bool passes_null = false;
  const size_t given = std::min(arguments.size(), function.max_arguments());
  for (size_t n = 0; n < given && !function.nulls_give_values; ++n) {
    passes_null = passes_null || (arguments[n]->nullable && function.parameter(n).allow_null);
  }
  const bool nullable =
      function.result_may_be_null || passes_null || (nulls_inside && gives_part) || call.is(Function::Special::kOne);
  if (told) {
    const StaticType*& result = results_[{&function, nullable}];
    if (result == nullptr) result = types_.FromType(function.result_type, nullptr, nullable);
    return result;
  }
  if (call.expand_last) return types_.Of(StaticKind::kAny);
  if (call.is(Function::Special::kLookup)) {
    if (const StaticType* const result = ResultOfLookup(arguments)) return result;
  }
  heap_.Reset();
  std::vector<Value> values;
  for (size_t n = 0; n < arguments.size(); ++n) {
    const BoundExpr& argument = *call.arguments[n];
    const Type type = types_.ToType(*arguments[n]);
    Value value = argument.is_constant() ? As<BoundConstant>(argument).value : Value::Unknown(type);
    const Type wanted = function.parameter(n).type;
    ConversionError error;
    if (!wanted.is_dynamic() && !Convert(value, wanted, &heap_, &value, &error)) return types_.Of(StaticKind::kSilent);
    values.push_back(value);
  }
  Fuel fuel(kMaxFuel);
  FunctionCall invoked(function, &heap_, &fuel);
  const Value result = InvokeFunction(&invoked, values);
  if (invoked.failed()) {
    if (!AlwaysFails(call, invoked, arguments)) return types_.Of(StaticKind::kAny);
    const int blamed = invoked.argument();
    const auto n = static_cast<size_t>(blamed);
    Report(
        blamed < 0 ? call.range : call.arguments[n]->outer, DiagnosticCode::kNeverArgument,
        absl::StrCat(blamed < 0 ? "A call of " : absl::StrCat("The argument for ", function.parameter(n).name, " of "),
                     function.name, blamed < 0 ? " always fails: " : " ", invoked.message(), "."));
    return types_.Of(StaticKind::kSilent);
  }
  const Type type = result.is_unknown() || result.is_error() ? invoked.result_type() : TypeOf(result, heap_.types());
  if (type.is_dynamic()) return types_.Of(StaticKind::kAny);
  // The keys are texts of their own.
  const bool is_of_parts = function.name != "keys";
  return types_.WithNull(is_of_parts ? types_.FromParts(type, arguments) : types_.FromType(type, nullptr, false),
                         nullable);
}

}  // namespace hcl::internal

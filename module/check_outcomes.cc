// TypeChecker: operations that are tried with the types of their operands. The functions' own rules and checks, and the
// unification of the language, say what fails. Tested by module/type_checker_test.cc and
// tests/slow/check_types_law_test.cc.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/fuel.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/static_type.h"
#include "hclvm/module/type_cases.h"
#include "hclvm/module/type_checker.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What one try of a call may take.
constexpr uint64_t kMaxFuel = 1'000'000;

// Arguments of calls are expanded up to so many.
constexpr size_t kMaxExpanded = 32;

// Whether types tell anything of a call before it runs: most functions take what their parameters say, and no more.
// Constants tell all, but of a host's function, which may be known by its description only.
bool CanTell(const BoundCall& call) {
  const Function& function = *call.function;
  if (function.is_program) return false;
  const auto is_constant = [](const BoundExpr* argument) { return argument->is_constant(); };
  if (function.is_library && function.pure && std::all_of(call.arguments.begin(), call.arguments.end(), is_constant))
    return true;
  if (function.result_type_rule != nullptr || function.check != nullptr) return true;
  if (!function.pure) return false;
  const auto takes_unknown = [](const Parameter& parameter) { return parameter.allow_unknown; };
  return std::any_of(function.parameters.begin(), function.parameters.end(), takes_unknown) ||
         (function.variadic && takes_unknown(*function.variadic));
}

}  // namespace

// One argument of a call, with what is expanded taken apart.
struct TypeChecker::Argument {
  const StaticType* type;
  const BoundExpr* expr;  // null for an element of what is expanded
};

// Why a call has failed, and for which argument; -1: as a whole.
struct TypeChecker::Failure {
  std::string message;
  int argument = -1;
};

// Whether the call succeeds, as far as its types tell. What arguments cannot be converted was told before.
bool TypeChecker::Succeeds(const Function& function, absl::Span<const Value> arguments, Failure* failure) {
  absl::InlinedVector<Value, 8> values(arguments.begin(), arguments.end());
  for (size_t n = 0; n < values.size(); ++n) {
    const Type wanted = function.parameter(n).type;
    ConversionError error;
    if (!wanted.is_dynamic() && !Convert(values[n], wanted, &heap_, &values[n], &error)) return true;
  }
  uint64_t* const left = types_.fuel();
  Fuel fuel(std::min(kMaxFuel, *left));
  const uint64_t before = fuel.left();
  FunctionCall call(function, &heap_, &fuel);
  // What is not pure must not run.
  if (function.pure) {
    InvokeFunction(&call, values);
  } else if (function.result_type_rule != nullptr) {
    function.result_type_rule(&call, values);
  }
  if (!call.failed() && function.check != nullptr) function.check(&call, values);
  *left -= before - fuel.left();
  if (!call.failed() || call.is_limit() || call.out_of_fuel()) return true;
  *failure = {call.message(), call.argument()};
  return false;
}

// The arguments of which the last one is expanded to `count` elements, if its length is not known.
std::vector<TypeChecker::Argument> TypeChecker::Expanded(const BoundCall& call,
                                                         const std::vector<const StaticType*>& types,
                                                         size_t count) const {
  std::vector<Argument> arguments;
  for (size_t n = 0; n < types.size(); ++n) {
    if (!call.expand_last || n + 1 < types.size()) {
      arguments.push_back({types[n], call.arguments[n]});
    } else if (types[n]->kind == StaticKind::kTuple) {
      for (const StaticType* part : types[n]->parts) arguments.push_back({part, nullptr});
    } else {
      arguments.insert(arguments.end(), count, {types[n]->element, nullptr});
    }
  }
  return arguments;
}

Outcome TypeChecker::TryCall(const Function& function, absl::Span<const Argument> arguments, Failure* failure) {
  heap_.Reset();
  TypeCases cases(&types_, &heap_);
  absl::InlinedVector<const StaticType*, 8> operands;
  const bool takes_any = function.special == Function::Special::kCoalesce;
  for (const Argument& argument : arguments) {
    const bool is_constant = argument.expr != nullptr && argument.expr->is_constant();
    // Of what is of any type, all that may fail was told.
    const bool is_left_out = is_constant || (argument.type->kind == StaticKind::kAny && !takes_any);
    operands.push_back(is_left_out ? types_.Of(StaticKind::kSilent) : argument.type);
  }
  cases.Begin(operands);
  std::vector<Value> values(arguments.size());
  const auto value_of = [&](size_t n, Type type) {
    const BoundExpr* const expr = arguments[n].expr;
    return expr != nullptr && expr->is_constant() ? As<BoundConstant>(*expr).value : Value::Unknown(type);
  };
  // Types do not tell that a loop makes at least one element.
  const bool is_filled =
      function.special == Function::Special::kElement && arguments[0].expr != nullptr && MakesAny(*arguments[0].expr);
  Outcome outcome = cases.Try(warns(), [&](absl::Span<const Type> types) {
    if (is_filled && types[0].kind() == TypeKind::kTuple && types[0].size() == 0) return true;
    for (size_t n = 0; n < types.size(); ++n) values[n] = value_of(n, types[n]);
    Failure found;
    if (Succeeds(function, values, &found)) return true;
    if (failure->message.empty()) *failure = std::move(found);
    return false;
  });
  if (outcome == Outcome::kMayFail || (outcome == Outcome::kFits && !warns())) return outcome;
  // A null that a parameter takes may be wrong where other values are right, and the other way round.
  for (size_t n = 0; n < arguments.size(); ++n) values[n] = value_of(n, types_.ToType(*operands[n]));
  for (size_t n = 0; n < arguments.size(); ++n) {
    const StaticType& type = *operands[n];
    if (!type.nullable || !type.is_told() || !function.parameter(n).allow_null) continue;
    const Value before = values[n];
    values[n] = Value::Null(types_.ToType(type));
    Failure of_null;
    bool succeeds = Succeeds(function, values, &of_null);
    if (!succeeds && outcome == Outcome::kFails) {
      // The null may have no type, as that of one() for no elements.
      values[n] = Value::Null();
      succeeds = Succeeds(function, values, &of_null);
    }
    if (outcome == Outcome::kFits && !succeeds) *failure = std::move(of_null);
    if (succeeds == (outcome == Outcome::kFails)) return Outcome::kMayFail;
    values[n] = before;
  }
  return outcome;
}

// Whether the last argument may have any number of elements.
bool TypeChecker::IsOpenEnded(const BoundCall& call, const std::vector<const StaticType*>& types) {
  return call.expand_last && !types.empty() && types.back()->kind != StaticKind::kTuple;
}

Outcome TypeChecker::CheckCall(const BoundCall& call, const std::vector<const StaticType*>& types) {
  const Function& function = *call.function;
  const bool is_attempt = function.special == Function::Special::kTry || function.special == Function::Special::kCan;
  if (is_attempt || types.size() > kMaxExpanded) return Outcome::kFits;
  const bool is_open = IsOpenEnded(call, types);
  if (is_open && types.back()->element == nullptr) return Outcome::kFits;
  const size_t count_of_all = Expanded(call, types, 0).size();
  if (!is_open && (count_of_all < function.parameters.size() || count_of_all > function.max_arguments())) {
    const bool is_short = count_of_all < function.parameters.size();
    TellFailure(call, Outcome::kFails,
                {absl::StrCat("it takes ", is_short ? "more" : "fewer", " arguments than ", count_of_all)});
    return Outcome::kFails;
  }
  if (*types_.fuel() == 0 || !CanTell(call)) return Outcome::kFits;
  Failure failure;
  std::optional<Outcome> outcome;
  // Whether there are too few or too many hangs on the length, which types do not tell.
  // What is expanded where no more arguments are taken has no elements, or fails for their number.
  for (const size_t count : {1, 2, 3, 0}) {
    if (count == 0 && outcome) break;
    const std::vector<Argument> arguments = Expanded(call, types, count);
    const bool fits = arguments.size() >= function.parameters.size() && arguments.size() <= function.max_arguments();
    if (fits && arguments.size() <= kMaxExpanded) {
      const Outcome found = TryCall(function, arguments, &failure);
      outcome = !outcome || *outcome == found ? found : Outcome::kMayFail;
    }
    if (!is_open) break;
  }
  if (!outcome || *outcome == Outcome::kFits) return Outcome::kFits;
  // What fails for all elements does not where there are none.
  Failure of_none;
  const std::vector<Argument> others = Expanded(call, types, 0);
  if (is_open && others.size() >= function.parameters.size() && TryCall(function, others, &of_none) == Outcome::kFits) {
    outcome = Outcome::kMayFail;
  }
  TellFailure(call, *outcome, failure);
  return *outcome;
}

// A constant that is never right is told also where the failure is caught: the answer is always the same then.
void TypeChecker::TellFailure(const BoundCall& call, Outcome outcome, const Failure& failure) {
  const Function& function = *call.function;
  const auto n = static_cast<size_t>(failure.argument);
  const bool is_blamed = failure.argument >= 0 && n + (call.expand_last ? 1 : 0) < call.arguments.size();
  if (outcome == Outcome::kMayFail) {
    if (!warns()) return;
    Report(is_blamed ? call.arguments[n]->outer : call.range, DiagnosticCode::kTypeNotTold,
           absl::StrCat("A call of ", function.name, " may fail for values of these types: ", failure.message, "."));
    return;
  }
  const bool is_constant = is_blamed && call.arguments[n]->is_constant();
  if (is_constant && (function.check != nullptr || function.prepare != nullptr)) {
    ReportConstant(call.arguments[n]->outer,
                   absl::StrCat("This constant is never right for ", function.parameter(n).name, " of ", function.name,
                                ": ", failure.message, "."));
    return;
  }
  Report(is_blamed ? call.arguments[n]->outer : call.range, DiagnosticCode::kNeverArgument,
         absl::StrCat(is_blamed ? absl::StrCat("This argument is never right for ", function.parameter(n).name, " of ")
                                : "A call of ",
                      function.name, is_blamed ? ": " : " always fails: ", failure.message, "."));
}

// The branches, unless one of them is null, fails always, or is of the type of the other.
bool TypeChecker::CheckBranches(const BoundConditional& choice, const StaticType* if_true, const StaticType* if_false) {
  for (const auto& [branch, type] : {std::pair(choice.if_true, if_true), std::pair(choice.if_false, if_false)}) {
    if (type->kind == StaticKind::kSilent || IsAlwaysNull(*branch, type)) return true;
  }
  if (if_true->kind == if_false->kind && if_true->is_primitive() && !if_true->may_be_number && !if_true->may_be_bool &&
      !if_false->may_be_number && !if_false->may_be_bool) {
    return true;
  }
  heap_.Reset();
  TypeCases cases(&types_, &heap_);
  cases.Begin({if_true, if_false});
  const Outcome outcome = cases.Try(warns(), [this](absl::Span<const Type> types) {
    Type unified;
    // Which kind one dynamic type is, is not known.
    return types[0].is_dynamic() || types[1].is_dynamic() || Unify(types, &heap_, &unified);
  });
  if (outcome == Outcome::kFits) return true;
  const std::string of_types =
      absl::StrCat("the true result is of type ", NameOf(*if_true), ", the false result of type ", NameOf(*if_false));
  const SourceRange range = Cover(choice.if_true->outer, choice.if_false->outer);
  if (outcome == Outcome::kMayFail) {
    if (warns()) {
      Report(range, DiagnosticCode::kTypeNotTold,
             absl::StrCat("Both results of a conditional must have types that unify, and these may not: ", of_types,
                          ". Convert both to one type."));
    }
    return true;
  }
  // A branch that fails is of no type, and fits beside every other.
  if (choice.size() > kMaxNodes || MayBeUntypedNull(*choice.if_true, *if_true) ||
      MayBeUntypedNull(*choice.if_false, *if_false) || !CannotFail(*choice.if_true, kMaxLevels) ||
      !CannotFail(*choice.if_false, kMaxLevels)) {
    if (warns()) {
      Report(range, DiagnosticCode::kTypeNotTold,
             absl::StrCat("Both results of a conditional must have types that unify, and this fails unless one of them "
                          "is null or fails before: ",
                          of_types, "."));
    }
    return true;
  }
  Report(range, DiagnosticCode::kNeverOperand,
         absl::StrCat("Both results of a conditional must have types that unify, but ", of_types, "."));
  return false;
}

namespace {

bool IsOfKind(const StaticType& type, StaticKind kind) {
  return type.kind == kind && !type.nullable && !type.may_be_number && !type.may_be_bool;
}

bool IsScalar(const StaticType& type) { return type.is_primitive() && !type.nullable; }

}  // namespace

const StaticType* TypeChecker::QuietTypeOf(const BoundExpr& expr) {
  ++quiet_;
  const StaticType* const type = Infer(expr);
  --quiet_;
  return type;
}

// A null of a declared variable is one of its type.
bool TypeChecker::MayBeUntypedNull(const BoundExpr& expr, const StaticType& type) const {
  if (!type.nullable) return false;
  if (expr.kind != BoundKind::kPath || As<BoundPath>(expr).slot >= names_.size()) return true;
  return names_[As<BoundPath>(expr).slot].place.source == nullptr;
}

// Steps into objects alone find what they look for.
bool TypeChecker::IsSurePath(const BoundExpr& expr) {
  const StaticType* type = nullptr;
  if (expr.kind == BoundKind::kLocal) {
    const auto found = locals_.find(As<BoundLocal>(expr).local);
    if (found != locals_.end()) type = found->second;
  } else if (As<BoundPath>(expr).slot < names_.size()) {
    type = names_[As<BoundPath>(expr).slot].type;
    if (names_[As<BoundPath>(expr).slot].may_fail) return false;
  }
  for (const BoundStep& step : StepsOf(expr)) {
    if (type == nullptr || type->kind != StaticKind::kObject || type->nullable || !step.key.is_string()) return false;
    type = type->Find(step.key.AsString());
  }
  return type != nullptr;
}

bool TypeChecker::CannotFailInCall(const BoundCall& call, int levels) {
  const Function& function = *call.function;
  if (call.is(Function::Special::kCan)) return true;
  if (call.is(Function::Special::kTry)) return !call.arguments.empty() && CannotFail(*call.arguments.back(), levels);
  if (call.expand_last || !(function.total || function.fails_by_type)) return false;
  if (function.variadic && call.arguments.size() == function.parameters.size()) return false;
  for (size_t n = 0; n < call.arguments.size(); ++n) {
    const StaticType* const type = QuietTypeOf(*call.arguments[n]);
    if (!type->is_told() || type->nullable || !CannotFail(*call.arguments[n], levels)) return false;
    const Type wanted = function.parameter(n).type;
    const Type from = types_.ToType(*type);
    // Where parts are brought to one type, values may decide whether that succeeds.
    const bool unifies = wanted.is_collection() || function.result_type_rule == nullptr;
    const bool is_simple = std::all_of(type->parts.begin(), type->parts.end(),
                                       [](const StaticType* part) { return part->is_primitive(); });
    if (unifies && !is_simple) return false;
    const bool converts = wanted.is_dynamic() || from == wanted ||
                          (!from.has_dynamic() && IsConvertible(from, wanted, /*unsafe=*/false, heap_.dialect())) ||
                          (wanted.is_collection() && wanted.element().is_dynamic());
    if (!converts) return false;
  }
  return true;
}

// Whether `expr` has a value in every run, limits apart. What is told as an error is for others to look at.
bool TypeChecker::CannotFail(const BoundExpr& expr, int levels) {
  if (levels == 0) return false;
  const auto cannot_fail = [this, levels](const BoundExpr* part) { return CannotFail(*part, levels - 1); };
  switch (expr.kind) {
    case BoundKind::kConstant:
      return true;
    case BoundKind::kPath:
    case BoundKind::kLocal:
      return IsSurePath(expr);
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(expr).elements;
      return std::all_of(elements.begin(), elements.end(), cannot_fail);
    }
    case BoundKind::kObject: {
      const auto& items = As<BoundObject>(expr).items;
      return std::all_of(items.begin(), items.end(),
                         [&](const BoundItem& item) { return item.key->is_constant() && cannot_fail(item.value); });
    }
    case BoundKind::kTemplate: {
      const auto& parts = As<BoundTemplate>(expr).parts;
      return std::all_of(parts.begin(), parts.end(),
                         [&](const BoundExpr* part) { return IsScalar(*QuietTypeOf(*part)) && cannot_fail(part); });
    }
    case BoundKind::kUnary: {
      const auto& unary = As<BoundUnary>(expr);
      const StaticKind kind = unary.op == UnaryOp::kNot ? StaticKind::kBool : StaticKind::kNumber;
      return IsOfKind(*QuietTypeOf(*unary.operand), kind) && cannot_fail(unary.operand);
    }
    case BoundKind::kChain: {
      const auto& chain = As<BoundChain>(expr);
      if (chain.op == BinaryOp::kDivide || chain.op == BinaryOp::kModulo) return false;
      const bool takes_all = chain.op == BinaryOp::kEqual || chain.op == BinaryOp::kNotEqual;
      const StaticKind kind = IsLogical(chain.op) ? StaticKind::kBool : StaticKind::kNumber;
      return std::all_of(chain.operands.begin(), chain.operands.end(), [&](const BoundExpr* operand) {
        return (takes_all || IsOfKind(*QuietTypeOf(*operand), kind)) && cannot_fail(operand);
      });
    }
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(expr);
      const StaticType& collection = *QuietTypeOf(*loop.collection);
      if (collection.nullable || collection.is_primitive() || !collection.is_told()) return false;
      return loop.key == nullptr && loop.condition == nullptr && cannot_fail(loop.collection) &&
             cannot_fail(loop.value);
    }
    case BoundKind::kCall:
      return CannotFailInCall(As<BoundCall>(expr), levels - 1);
    default:
      return false;
  }
}

// What cannot be right in any run: x / 0 is no number that anything can be done with.
void TypeChecker::CheckDivisors(const BoundChain& chain) {
  const bool is_modulo = chain.op == BinaryOp::kModulo;
  // All of it remains, says the reference.
  if (is_modulo ? heap_.dialect() == Dialect::kHashiCorp : chain.op != BinaryOp::kDivide) return;
  for (const BoundExpr* divisor : chain.operands.subspan(1)) {
    if (!divisor->is_constant()) continue;
    const Value& value = As<BoundConstant>(*divisor).value;
    if (value.is_int() && value.AsInt() == 0) ReportConstant(divisor->outer, "This divisor is zero.");
  }
}

}  // namespace hcl::internal

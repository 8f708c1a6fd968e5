// The conditional operator. Tested by vm/operations_test.cc.

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/failures.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/kind_name.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/object_choice.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/unfit.h"
#include "hclvm/vm/value/unification.h"

namespace hcl::internal {

// native-syntax.md, "Conditional Operator": null, and what cannot become a bool, is an error; unknown stays unknown.
Value CheckCondition(const Value& condition, OpContext* context) {
  if (condition.is_bool() || condition.is_error()) return condition;
  if (condition.is_null()) {
    return context->Fail(span_role::kCondition, DiagnosticCode::kNullCondition,
                         "The condition is null. A condition must be either true or false.");
  }
  // As in the reference, an unknown condition is not checked for its type.
  if (condition.is_unknown()) return Value::Unknown(Type::Bool());
  if (IsUnfit(condition, TypeKind::kBool) && context->quiet()) return context->FailQuietly();
  Value result;
  ConversionError error = context->NewError();
  if (context->ConvertScalar(condition, Type::Bool(), &result, &error)) return result;
  return context->Fail(span_role::kCondition, DiagnosticCode::kConditionType, [&] {
    return absl::StrCat("A condition must be of type bool, but this is ", WithArticle(condition), ".");
  });
}

// This serves conditionals that run one branch only, where the compiler knows the type of the result. A structure's
// type is in its parts, which are paid for before they are looked at.
Value ConvertBranch(const Value& value, Type type, OpContext* context) {
  if (value.is_error()) return value;
  const bool is_structure = value.unmarked().is_tuple() || value.unmarked().is_object();
  if (is_structure) context->Charge(value.weight() / 4);
  if (HasType(value, type)) return value;
  Value result;
  ConversionError error = context->NewError();
  if (context->Charge(ConversionCost(value, type)) && context->Convert(value, type, &result, &error)) return result;
  return context->FailConversion(error, span_role::kIfTrue, DiagnosticCode::kInconsistentResults, [&] {
    return absl::StrCat("This result has the wrong type: ", error.ToString(), ".");
  });
}

namespace {

// What a conditional's branches have in common.
struct BranchType {
  bool unified = true;
  Type type;  // dynamic when it is not known
  // Where the type depends on the branch that is taken.
  std::optional<internal::Unification> open{};
};

bool IsDynamicNull(const Value& v) {
  return v.unmarked().is_null() && v.unmarked().null_or_unknown_type().is_dynamic();
}

// Whether the branch's own value says what its type is.
bool IsTyped(const Value& branch) { return !branch.is_error() && !branch.unmarked().is_dynamic_value(); }

// The type of a branch; `form` where it has failed or nothing is known of it.
Type TypeOfBranch(const Branch& branch, Heap* heap) {
  return IsTyped(branch.value) ? TypeOf(branch.value, heap->types()) : branch.form.null_or_unknown_type();
}

// Where the branches have one type, SameType() shows it without making types of both. A null without a type takes the
// type of the other branch. Where nothing is known of one branch, the type stays dynamic and nothing fails, since any
// type may still turn out.
BranchType UnifyBranches(const Branch& t, const Branch& f, OpContext* context) {
  Heap* const heap = context->heap;
  BranchType result;
  if (IsTyped(t.value) && IsTyped(f.value) && SameType(t.value, f.value)) {
    result.type = TypeOf(t.value, heap->types());
    return result;
  }
  // A type is made of each part.
  context->Charge((t.value.weight() + f.value.weight()) / 2);
  const Type types[] = {TypeOfBranch(t, heap), TypeOfBranch(f, heap)};
  if (IsDynamicNull(t.value)) {
    result.type = types[1];
  } else if (IsDynamicNull(f.value)) {
    result.type = types[0];
  } else if (!types[0].is_dynamic() && !types[1].is_dynamic()) {
    internal::Unification unification;
    result.unified = context->conversions != nullptr
                         ? context->conversions->Unify(types[0], types[1], heap, &unification, context->fuel)
                         : internal::Unification::Of(types, heap, &unification, context->fuel);
    // Whether the types unify is then not known, and the evaluation ends at its next charge.
    if (context->is_used_up()) return BranchType();
    result.type = unification.of_types();
    if (!unification.is_settled()) result.open = unification;
  }
  // A branch that has failed never had the type that its form promised.
  if (!result.unified && (t.value.is_error() || f.value.is_error())) return BranchType();
  return result;
}

// The length of the tuple that the branch yields, or -1 where it yields none.
int64_t TupleLength(const Branch& branch) {
  const Value& value = (IsTyped(branch.value) ? branch.value : branch.form).unmarked();
  if (value.is_tuple()) return static_cast<int64_t>(value.size());
  if (!value.is_null() && !value.is_unknown()) return -1;
  const Type type = value.null_or_unknown_type();
  return type.kind() == TypeKind::kTuple ? static_cast<int64_t>(type.size()) : -1;
}

// The type of a branch for a message, which does not show a large one: only its kind is told then.
std::string TypeInMessage(const Branch& branch, Heap* heap) {
  constexpr uint64_t kMostShown = 500;
  const bool is_large = IsTyped(branch.value) && branch.value.weight() > kMostShown;
  return is_large ? FriendlyName(branch.value) : ToTypeSyntax(TypeOfBranch(branch, heap));
}

// How two branches whose types do not unify differ, as the end of a sentence.
std::string DescribeMismatch(const Branch& t, const Branch& f, Heap* heap) {
  const int64_t true_length = TupleLength(t);
  const int64_t false_length = TupleLength(f);
  if (true_length >= 0 && false_length >= 0 && true_length != false_length) {
    return absl::StrCat("the true result is a tuple of length ", true_length, ", the false result one of length ",
                        false_length);
  }
  return absl::StrCat("the true result is ", TypeInMessage(t, heap), ", the false result is ", TypeInMessage(f, heap));
}

}  // namespace

// native-syntax.md, "Conditional Operator": the result has the type to which both branches unify, and only errors of
// the taken branch count. Diagnostics stand in the order condition, true branch, false branch, so that each case below
// removes one stretch of them, and error values whose diagnostics move up are made anew. Types that do not unify are
// one error in place of all others, as in the reference.
//
// With an unknown condition the result is unknown, with what both branches have in common (UnknownChoice). A branch
// without a type of its own (failed, or dynamic) counts by its form, so that the answer is the same whether the
// compiler has skipped it or not.
Value SelectOperation(const Value& condition, const Branch& true_branch, const Branch& false_branch,
                      OpContext* context) {
  if (condition.is_marked()) {
    const Value result = SelectOperation(condition.unmarked(), true_branch, false_branch, context);
    return Mark(result, condition.marks(), context->heap->arena());
  }
  Failures* failures = context->failures;
  const Value& if_true = true_branch.value;
  const Value& if_false = false_branch.value;
  // Most branches have one type, and nothing has failed.
  if (condition.is_bool() && IsTyped(if_true) && IsTyped(if_false) && SameType(if_true, if_false)) {
    return condition.is_true() ? if_true : if_false;
  }
  Value chosen;
  if (condition.is_bool() && ChooseStructure(condition.is_true() ? if_true : if_false,
                                             condition.is_true() ? if_false : if_true, context->heap, &chosen)) {
    return chosen;
  }
  const BranchType branch = UnifyBranches(true_branch, false_branch, context);
  if (!branch.unified) {
    const Value reported = Poison(condition, Poison(if_true, if_false));
    if (reported.is_error()) failures->Remove(ErrorBegin(reported));
    if (context->quiet()) return context->FailQuietly();
    const SourceRange branches = Cover(context->RangeOf(span_role::kIfTrue), context->RangeOf(span_role::kIfFalse));
    return context->FailAt(branches, span_role::kIfTrue, DiagnosticCode::kInconsistentResults, [&] {
      return absl::StrCat("Both results of a conditional must have types that unify, but ",
                          DescribeMismatch(true_branch, false_branch, context->heap), ".");
    });
  }
  const Value cond = CheckCondition(condition, context);
  if (!cond.is_bool()) {
    // Neither branch is taken: what they reported goes. The condition's own reports stand before the branches' ones
    // (its evaluation) or behind them (CheckCondition).
    const size_t end = cond.is_error() && !condition.is_error() ? ErrorBegin(cond) : SIZE_MAX;
    if (if_true.is_error() || if_false.is_error()) {
      failures->Remove(ErrorBegin(Poison(if_true, if_false)), end);
    }
    if (cond.is_error()) return condition.is_error() ? cond : ErrorValue(failures->count() - 1);
    if (!true_branch.form.is_dynamic_value() && SameType(true_branch.form, false_branch.form)) {
      // No more than a program that evaluates neither branch knows.
      const bool not_null = DefinitelyNotNull(true_branch.form) && DefinitelyNotNull(false_branch.form);
      return not_null ? UnknownNotNull(branch.type) : Value::Unknown(branch.type);
    }
    if (if_true.is_error() || if_false.is_error()) return Value::Unknown(branch.type);
    const Type type = branch.open ? branch.open->OfEither(if_true, if_false) : branch.type;
    return UnknownChoice(if_true, if_false, type, context->heap->arena());
  }
  const Value& taken = cond.is_true() ? if_true : if_false;
  if (cond.is_true()) {
    if (if_false.is_error()) failures->Remove(ErrorBegin(if_false));
  } else if (if_true.is_error()) {
    const size_t end = if_false.is_error() ? ErrorBegin(if_false) : SIZE_MAX;
    failures->Remove(ErrorBegin(if_true), end);
    if (if_false.is_error()) return if_true;  // its reports have moved up to where the removed ones began
  }
  if (!IsTyped(taken)) return taken;
  const Type type = branch.open ? branch.open->Of(taken) : branch.type;
  if (branch.open && type.is_dynamic()) {
    // What is unknown in the branch decides between two types.
    MarkSet marks = 0;
    UnmarkDeep(taken, &marks, context->heap->arena());
    return Mark(Value::Dynamic(), marks, context->heap->arena());
  }
  if (type.is_dynamic() || HasType(taken, type)) return taken;
  Value result;
  ConversionError error = context->NewError();
  if (context->Charge(ConversionCost(taken, type)) && context->Convert(taken, type, &result, &error)) return result;
  return context->FailConversion(error, cond.is_true() ? span_role::kIfTrue : span_role::kIfFalse,
                                 DiagnosticCode::kInconsistentResults, [&] {
                                   return absl::StrCat("The ", cond.is_true() ? "true" : "false",
                                                       " result has the wrong type: ", error.ToString(), ".");
                                 });
}

}  // namespace hcl::internal

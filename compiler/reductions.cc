// Reductions. Tested by compiler/core_values_test.cc.

#include "hclvm/compiler/reductions.h"

#include <algorithm>
#include <optional>

#include "hclvm/compiler/facts.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The loop that `expr` is, if it makes a list whose elements are what its value gives: lists in a splat's list would be
// converted to one type.
const BoundFor* ListLoop(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kFor) return nullptr;
  const auto& loop = As<BoundFor>(expr);
  return loop.key == nullptr && (loop.splat == nullptr || !loop.splat->nests) ? &loop : nullptr;
}

// The whole number that `expr` is in the text, or nothing.
std::optional<int64_t> IntOf(const BoundExpr& expr) {
  if (!expr.is_constant() || !As<BoundConstant>(expr).value.is_int()) return std::nullopt;
  return As<BoundConstant>(expr).value.AsInt();
}

bool IsFirst(const Value& key) {
  return (key.is_int() && key.AsInt() == 0) || (key.is_string() && key.AsString() == "0");
}

// The same for what is no splat, in whose list a null has the type of the others.
const BoundFor* ForLoop(const BoundExpr& expr) {
  const BoundFor* const loop = ListLoop(expr);
  return loop != nullptr && loop->splat == nullptr ? loop : nullptr;
}

// The loop whose elements come first in the list that `expr` makes, none of them changed, and what comes next where
// that is not the end of the list.
struct Leading {
  const BoundFor* loop = nullptr;
  const Value* next = nullptr;
};

Leading LeadingLoop(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kFor) return {ForLoop(expr)};
  if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).arguments.empty()) return {};
  const auto& call = As<BoundCall>(expr);
  const auto& arguments = call.arguments;
  Leading leading{ForLoop(*arguments[0])};
  if (call.is(Function::Special::kSlice) && arguments.size() == 3) {
    return IntOf(*arguments[1]) == 0 && IntOf(*arguments[2]) == 1 ? leading : Leading();
  }
  if (!call.is(Function::Special::kConcat) || call.expand_last) return {};
  for (const BoundExpr* argument : arguments.subspan(1)) {
    if (!argument->is_constant() || !As<BoundConstant>(*argument).value.is_tuple()) return {};
    const absl::Span<const Value> elements = As<BoundConstant>(*argument).value.elements();
    if (leading.next == nullptr && !elements.empty()) leading.next = &elements[0];
  }
  return leading;
}

// Where the steps lead from a constant, or null.
const Value* FollowNames(const Value* value, absl::Span<const BoundStep> steps) {
  for (const BoundStep& step : steps) {
    const int64_t at = value->is_object() && step.key.is_string() ? value->shape().Find(step.key) : -1;
    if (at < 0) return nullptr;
    value = &value->values()[at];
  }
  return value;
}

FirstElement FirstBehind(const Leading& leading, absl::Span<const BoundStep> steps, bool is_by_call) {
  if (leading.loop == nullptr) return {nullptr, steps, is_by_call};
  const Value* const otherwise = leading.next == nullptr ? nullptr : FollowNames(leading.next, steps);
  if (leading.next != nullptr && otherwise == nullptr) return {nullptr, steps, is_by_call};
  return {leading.loop, steps, is_by_call, otherwise};
}

// By the number of arguments first, so that a call with a wrong number, or an expanded list where none is taken,
// stays an ordinary call with its message.
Reduction::Kind KindOfCall(const BoundCall& call) {
  using Kind = Reduction::Kind;
  using Special = Function::Special;
  const size_t arguments = call.function->special == Special::kContains ? 2 : 1;
  const bool is_extreme = call.function->special == Special::kMin || call.function->special == Special::kMax;
  if (call.arguments.size() != arguments || call.expand_last != is_extreme) return Kind::kNone;
  switch (call.function->special) {
    case Special::kAllTrue:
      return Kind::kAllTrue;
    case Special::kAnyTrue:
      return Kind::kAnyTrue;
    case Special::kLength:
      return Kind::kLength;
    case Special::kSum:
      return Kind::kSum;
    case Special::kMin:
      return Kind::kLeast;
    case Special::kMax:
      return Kind::kGreatest;
    case Special::kContains:
      return Kind::kContains;
    case Special::kOne:
      return Kind::kOne;
    default:
      return Kind::kNone;
  }
}

}  // namespace

const BoundObject* ObjectLiteral(const BoundExpr& expr) {
  const BoundExpr* const literal = expr.is_constant() ? As<BoundConstant>(expr).literal : &expr;
  return literal != nullptr && literal->kind == BoundKind::kObject ? &As<BoundObject>(*literal) : nullptr;
}

const BoundTuple* TupleLiteral(const BoundExpr& expr) {
  const BoundExpr* const literal = expr.is_constant() ? As<BoundConstant>(expr).literal : &expr;
  return literal != nullptr && literal->kind == BoundKind::kTuple ? &As<BoundTuple>(*literal) : nullptr;
}

// The steps lead on from what stands behind the loop as well, for a run in which the loop yields nothing. Where they
// lead nowhere there, it is no such form: general code reports the step.
FirstElement FirstOf(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kSteps) {
    const auto& steps = As<BoundSteps>(expr);
    if (steps.source->kind != BoundKind::kFor && steps.source->kind != BoundKind::kCall) return {};
    const bool is_call = steps.source->kind == BoundKind::kCall;
    const Leading leading = IsFirst(steps.steps[0].key) ? LeadingLoop(*steps.source) : Leading();
    if (leading.loop != nullptr) return FirstBehind(leading, steps.steps.subspan(1), is_call);
    const FirstElement first = is_call ? FirstOf(*steps.source) : FirstElement();
    return FirstBehind({first.loop, first.otherwise}, steps.steps, /*is_by_call=*/true);
  }
  if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).arguments.empty()) return {};
  const auto& call = As<BoundCall>(expr);
  const BoundExpr& list = *call.arguments[0];
  if (call.is(Function::Special::kElement) && call.arguments.size() == 2) {
    return FirstBehind(IntOf(*call.arguments[1]) == 0 ? LeadingLoop(list) : Leading(), {}, /*is_by_call=*/true);
  }
  const bool is_one_of_slice = call.is(Function::Special::kOne) && call.arguments.size() == 1 &&
                               list.kind == BoundKind::kCall && As<BoundCall>(list).is(Function::Special::kSlice);
  return FirstBehind(is_one_of_slice ? LeadingLoop(list) : Leading(), {}, /*is_by_call=*/true);
}

namespace {

// The branch that a constant condition takes, where the list that it becomes has the same elements: those of a tuple
// all have the type of that list's. Null for others.
const BoundExpr* ConstantChoice(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kConditional) return nullptr;
  const auto& choice = As<BoundConditional>(expr);
  const Value* const condition = ScalarOf(*choice.condition);
  if (condition == nullptr || !condition->is_bool() || choice.common_type.is_dynamic()) return nullptr;
  const BoundExpr& taken = condition->is_true() ? *choice.if_true : *choice.if_false;
  const BoundTuple* const tuple = TupleLiteral(taken);
  if (tuple == nullptr) return nullptr;
  if (taken.type == choice.common_type) return &taken;
  const bool is_list = choice.common_type.kind() == TypeKind::kList;
  const bool keeps = is_list && std::all_of(tuple->elements.begin(), tuple->elements.end(), [&](const BoundExpr* part) {
                       return part->type == choice.common_type.element();
                     });
  return keeps ? &taken : nullptr;
}

}  // namespace

bool MayBeListed(const BoundExpr& expr) {
  if (const BoundExpr* const taken = ConstantChoice(expr)) return MayBeListed(*taken);
  if (ObjectLiteral(expr) != nullptr || TupleLiteral(expr) != nullptr) return true;
  if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).arguments.empty()) return false;
  const auto& call = As<BoundCall>(expr);
  switch (call.function->special) {
    case Function::Special::kConcat:
    case Function::Special::kFlatten:
    case Function::Special::kSlice:
    case Function::Special::kValues:
      return !call.expand_last && MayBeListed(*call.arguments[0]);
    default:
      return false;
  }
}

namespace {

bool AppendTuple(const BoundExpr& expr, bool is_flat, ListedElements* elements) {
  const BoundTuple* const tuple = TupleLiteral(expr);
  if (tuple == nullptr) return false;
  for (const BoundExpr* element : tuple->elements) {
    if (is_flat || ObjectLiteral(*element) != nullptr) {
      elements->push_back({element, false});
    } else if (!AppendTuple(*element, /*is_flat=*/false, elements)) {
      return false;
    }
  }
  return true;
}

bool AppendValues(const BoundObject& object, ListedElements* elements) {
  if (object.shape == nullptr) return false;
  const size_t first = elements->size();
  elements->resize(first + object.items.size());
  for (const BoundItem& item : object.items) (*elements)[first + item.position] = {item.value, false};
  return true;
}

bool AppendSlice(const BoundCall& call, ListedElements* elements) {
  if (call.arguments.size() != 3 || !AppendTuple(*call.arguments[0], /*is_flat=*/true, elements)) return false;
  const std::optional<int64_t> begin = IntOf(*call.arguments[1]);
  const std::optional<int64_t> end = IntOf(*call.arguments[2]);
  const auto size = static_cast<int64_t>(elements->size());
  if (!begin || !end || *begin < 0 || *begin > *end || *end > size) return false;
  for (int64_t n = 0; n < size; ++n) (*elements)[n].is_cut_off = n < *begin || n >= *end;
  return true;
}

}  // namespace

// Forms that write one list differently give the same elements, so that none is slower than another. What each form
// reports of elements that it cuts off is noted with them.
bool ListElements(const BoundExpr& expr, ListedElements* elements) {
  if (const BoundExpr* const taken = ConstantChoice(expr)) return ListElements(*taken, elements);
  if (const BoundObject* const object = ObjectLiteral(expr)) return AppendValues(*object, elements);
  if (TupleLiteral(expr) != nullptr) return AppendTuple(expr, /*is_flat=*/true, elements);
  if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).expand_last) return false;
  const auto& call = As<BoundCall>(expr);
  switch (call.function->special) {
    case Function::Special::kConcat:
      return std::all_of(call.arguments.begin(), call.arguments.end(), [&](const BoundExpr* argument) {
        return (argument->is_constant() && As<BoundConstant>(*argument).value.is_tuple() &&
                As<BoundConstant>(*argument).value.size() == 0) ||
               AppendTuple(*argument, /*is_flat=*/true, elements);
      });
    case Function::Special::kFlatten:
      return call.arguments.size() == 1 && AppendTuple(*call.arguments[0], /*is_flat=*/false, elements);
    case Function::Special::kSlice:
      return AppendSlice(call, elements);
    case Function::Special::kValues: {
      const BoundObject* const object = call.arguments.size() == 1 ? ObjectLiteral(*call.arguments[0]) : nullptr;
      return object != nullptr && AppendValues(*object, elements);
    }
    default:
      return false;
  }
}

namespace {

// The numbers that the list begins with, and the loop behind them, of `concat([numbers], loop)`.
const BoundFor* LoopBehindNumbers(const BoundExpr& expr, absl::Span<const Value>* numbers) {
  constexpr size_t kMaxNumbers = 8;
  if (expr.kind != BoundKind::kCall || !As<BoundCall>(expr).is(Function::Special::kConcat)) return nullptr;
  const auto& arguments = As<BoundCall>(expr).arguments;
  if (arguments.size() != 2 || !arguments[0]->is_constant()) return nullptr;
  const Value& tuple = As<BoundConstant>(*arguments[0]).value;
  if (!tuple.is_tuple() || tuple.size() > kMaxNumbers) return nullptr;
  *numbers = tuple.elements();
  const bool are_numbers = std::all_of(numbers->begin(), numbers->end(), [](const Value& v) { return v.is_number(); });
  return are_numbers ? ListLoop(*arguments[1]) : nullptr;
}

const BoundFor* FilterOf(const BoundExpr& expr) {
  const BoundFor* const loop = ForLoop(expr);
  return loop;
}

}  // namespace

// Numbers before the list of `max(0,
// [...]...)` are where the gathering begins.
Reduction FindReduction(const BoundExpr& expr) {
  const FirstElement first = FirstOf(expr);
  if (first.loop != nullptr) {
    return {Reduction::Kind::kFirst, first.loop, nullptr, first.steps, first.is_by_call, first.otherwise};
  }
  if (expr.kind != BoundKind::kCall) return {};
  const auto& call = As<BoundCall>(expr);
  const Reduction::Kind kind = KindOfCall(call);
  if (kind == Reduction::Kind::kNone) return {};
  Reduction reduction;
  reduction.kind = kind;
  reduction.loop = kind == Reduction::Kind::kOne ? FilterOf(*call.arguments[0]) : ListLoop(*call.arguments[0]);
  if (reduction.loop == nullptr && FoldsNumbers(kind)) {
    reduction.loop = LoopBehindNumbers(*call.arguments[0], &reduction.before);
  }
  if (reduction.loop == nullptr) return {};
  if (kind == Reduction::Kind::kContains) reduction.needle = call.arguments[1];
  return reduction;
}

}  // namespace hcl::internal

// Lists. Tested by compiler/core_lists_test.cc and compiler/core_values_test.cc.

#include "hclvm/compiler/core_list_facts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>

#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The whole number that `expr` is in the text, or nothing.
std::optional<int64_t> IntOf(const BoundExpr& expr) {
  if (!expr.is_constant() || !As<BoundConstant>(expr).value.is_int()) return std::nullopt;
  return As<BoundConstant>(expr).value.AsInt();
}

bool IsFirst(const Value& key) {
  return (key.is_int() && key.AsInt() == 0) || (key.is_string() && key.AsString() == "0");
}

// Whether its elements are made one by one where it is a list, so that a consumer need not have the list.
bool IsStream(const BoundExpr& expr) {
  if (const NamedTree* const named = NamedBy(expr)) return IsStream(named->tree->root());
  if (expr.kind == BoundKind::kFor) return As<BoundFor>(expr).key == nullptr;
  if (expr.kind != BoundKind::kCall) return false;
  const auto& call = As<BoundCall>(expr);
  if (call.arguments.empty()) return false;
  if (call.expand_last) {
    return call.arguments.size() == 1 && call.function->special == Function::Special::kConcat;
  }
  switch (call.function->special) {
    case Function::Special::kConcat:
      return true;
    case Function::Special::kFlatten:
    case Function::Special::kReverse:
    case Function::Special::kValues:
    case Function::Special::kKeys:
      return call.arguments.size() == 1;
    case Function::Special::kSlice:
      return call.arguments.size() == 3;
    default:
      return false;
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
    case Function::Special::kReverse:
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
  const auto first = static_cast<int64_t>(elements->size());
  if (call.arguments.size() != 3 || !AppendTuple(*call.arguments[0], /*is_flat=*/true, elements)) return false;
  const std::optional<int64_t> begin = IntOf(*call.arguments[1]);
  const std::optional<int64_t> end = IntOf(*call.arguments[2]);
  const int64_t size = static_cast<int64_t>(elements->size()) - first;
  if (!begin || !end || *begin < 0 || *begin > *end || *end > size) return false;
  for (int64_t n = 0; n < size; ++n) (*elements)[first + n].is_cut_off = n < *begin || n >= *end;
  return true;
}

// Of what functions that take lists are given.
bool AppendList(const BoundExpr& list, ListedElements* elements) {
  return IsEmptyList(list) || (ObjectLiteral(list) == nullptr && ListElements(list, elements));
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
      return std::all_of(call.arguments.begin(), call.arguments.end(),
                         [&](const BoundExpr* argument) { return AppendList(*argument, elements); });
    case Function::Special::kFlatten:
      return call.arguments.size() == 1 && AppendTuple(*call.arguments[0], /*is_flat=*/false, elements);
    case Function::Special::kReverse: {
      const size_t first = elements->size();
      if (call.arguments.size() != 1 || !AppendList(*call.arguments[0], elements)) return false;
      std::reverse(elements->begin() + static_cast<std::ptrdiff_t>(first), elements->end());
      return true;
    }
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

bool Agrees(Type one, Type* type) {
  if (!one.is_primitive() || !(type->is_dynamic() || *type == one)) return false;
  *type = one;
  return true;
}

// The type of all values of the element, even where they are not known.
bool HasOneType(const BoundExpr& element, Type* type) {
  return HasFirmType(element) && !IsNull(element) && Agrees(element.type, type);
}

bool HaveOneType(const Value& tuple, Type* type) {
  return std::all_of(tuple.elements().begin(), tuple.elements().end(), [&](const Value& element) {
    if (element.is_bool()) return Agrees(Type::Bool(), type);
    if (element.is_number()) return Agrees(Type::Number(), type);
    return element.is_string() && Agrees(Type::String(), type);
  });
}

bool IsConstantTuple(const BoundExpr& expr) { return expr.is_constant() && As<BoundConstant>(expr).value.is_tuple(); }

bool IsTuple(const BoundExpr& expr) { return expr.kind == BoundKind::kTuple || IsConstantTuple(expr); }

size_t LengthOf(const BoundExpr& tuple) {
  return tuple.is_constant() ? As<BoundConstant>(tuple).value.size() : As<BoundTuple>(tuple).elements.size();
}

}  // namespace

// Through what lists are put together of, as long as the text tells the types: elements of a variable are known in a
// run only.
bool HaveOneType(const BoundExpr& list, Type* type) {
  if (IsConstantTuple(list)) return HaveOneType(As<BoundConstant>(list).value, type);
  const auto all = [type](const auto& items) {
    return std::all_of(items.begin(), items.end(), [type](const BoundExpr* item) { return HaveOneType(*item, type); });
  };
  switch (list.kind) {
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(list).elements;
      return std::all_of(elements.begin(), elements.end(),
                         [type](const BoundExpr* element) { return HasOneType(*element, type); });
    }
    case BoundKind::kFor:
      return As<BoundFor>(list).key == nullptr && HasOneType(*As<BoundFor>(list).value, type);
    case BoundKind::kConditional:
      return IsListChoice(list) && HaveOneType(*As<BoundConditional>(list).if_true, type) &&
             HaveOneType(*As<BoundConditional>(list).if_false, type);
    case BoundKind::kCall:
      return As<BoundCall>(list).is(Function::Special::kConcat) && all(As<BoundCall>(list).arguments);
    default:
      return false;
  }
}

// The only element beside no others is of the type that it has.
bool IsListChoice(const BoundExpr& expr) {
  if (!IsChoice(expr)) return false;
  const auto& choice = As<BoundConditional>(expr);
  if (!IsTuple(*choice.if_true) || !IsTuple(*choice.if_false)) return false;
  if (LengthOf(*choice.if_true) + LengthOf(*choice.if_false) == 1) return true;
  Type type;
  return HaveOneType(*choice.if_true, &type) && HaveOneType(*choice.if_false, &type);
}

bool IsMadeOfElements(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kFor) return As<BoundFor>(expr).key == nullptr;
  return IsTuple(expr) || IsListCall(expr) || IsListChoice(expr);
}

// A constant may be a list of lists, whatever its text is.
bool HasFlatElements(const BoundExpr& list) {
  const auto is_flat = [](const BoundExpr& e) { return e.has_primitive_type() || ObjectLiteral(e) != nullptr; };
  switch (list.kind) {
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(list).elements;
      return std::all_of(elements.begin(), elements.end(), [&](const BoundExpr* e) { return is_flat(*e); });
    }
    case BoundKind::kFor:
      return As<BoundFor>(list).key == nullptr && is_flat(*As<BoundFor>(list).value);
    case BoundKind::kConditional:
      return HasFlatElements(*As<BoundConditional>(list).if_true) &&
             HasFlatElements(*As<BoundConditional>(list).if_false);
    case BoundKind::kConstant: {
      const Value& value = As<BoundConstant>(list).value;
      Type type;
      return IsEmptyList(list) || (value.is_tuple() && HaveOneType(value, &type));
    }
    default:
      return false;
  }
}

bool IsSureTuple(const BoundExpr& expr) {
  if (IsTuple(expr)) return true;
  if (expr.kind == BoundKind::kFor) return As<BoundFor>(expr).key == nullptr && As<BoundFor>(expr).splat == nullptr;
  if (!IsListCall(expr)) return false;
  const auto& call = As<BoundCall>(expr);
  return call.is(Function::Special::kFlatten) ||
         std::any_of(call.arguments.begin(), call.arguments.end(),
                     [](const BoundExpr* argument) { return IsSureTuple(*argument); });
}

bool KeepsElements(const BoundCall& concat, bool flat) {
  if (IsSureTuple(concat)) return true;
  Type type;
  return flat && HaveOneType(concat, &type);
}

// By the number of arguments first, so that a call with a wrong number, or an expanded list where none is taken,
// stays an ordinary call with its message.
CoreOp ConsumerOp(const BoundCall& call) {
  using Special = Function::Special;
  const size_t arguments = call.is(Special::kContains) ? 2 : 1;
  const bool is_extreme = call.function->special == Special::kMin || call.function->special == Special::kMax;
  if (call.arguments.size() != arguments || call.expand_last != is_extreme) return CoreOp::kNone;
  switch (call.function->special) {
    case Special::kAllTrue:
      return CoreOp::kAllOf;
    case Special::kAnyTrue:
      return CoreOp::kAnyOf;
    case Special::kLength:
      return CoreOp::kCountOf;
    case Special::kSum:
      return CoreOp::kSumOf;
    case Special::kMin:
      return CoreOp::kLeastOf;
    case Special::kMax:
      return CoreOp::kGreatestOf;
    case Special::kContains:
      return CoreOp::kContains;
    case Special::kOne:
      return CoreOp::kOneOf;
    default:
      return CoreOp::kNone;
  }
}

namespace {

// Of a list in the text, these take the elements one by one; others have instructions of their own for it.
bool TakesListInText(CoreOp op) { return op != CoreOp::kNone && op != CoreOp::kCountOf; }

// The list that `slice(list, 0, 1)` takes the first element of; null for others.
const BoundExpr* ListOfOne(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall || !As<BoundCall>(expr).is(Function::Special::kSlice)) return nullptr;
  const auto& slice = As<BoundCall>(expr);
  const bool is_first =
      slice.arguments.size() == 3 && IntOf(*slice.arguments[1]) == 0 && IntOf(*slice.arguments[2]) == 1;
  return is_first && IsStream(*slice.arguments[0]) ? slice.arguments[0] : nullptr;
}

// The first element of a list whose elements are made one by one.
ListConsumer FirstOf(const BoundExpr& list, absl::Span<const BoundStep> steps, bool by_call) {
  ListConsumer first;
  first.list = ListOfOne(list);
  by_call = by_call || first.list != nullptr || list.kind == BoundKind::kCall;
  if (first.list == nullptr && IsStream(list)) first.list = &list;
  if (first.list == nullptr) return {};
  first.op = CoreOp::kFirstOf;
  first.steps = steps;
  first.is_by_call = by_call;
  return first;
}

}  // namespace

ListConsumer FirstOfSteps(const BoundExpr& list, absl::Span<const BoundStep> steps) {
  const bool is_first = !steps.empty() && IsFirst(steps[0].key);
  return is_first ? FirstOf(list, steps.subspan(1), /*by_call=*/false) : ListConsumer();
}

// Steps behind a first element that a call finds lead on from that: the loop may take the part that they ask for.
ListConsumer FindConsumer(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kSteps) {
    const auto& steps = As<BoundSteps>(expr);
    if (const ListConsumer first = FirstOfSteps(*steps.source, steps.steps)) return first;
    ListConsumer inner = steps.source->kind == BoundKind::kCall ? ConsumerOf(*steps.source) : ListConsumer();
    if (inner.op != CoreOp::kFirstOf) return {};
    inner.steps = steps.steps;
    return inner;
  }
  const auto& call = As<BoundCall>(expr);
  const BoundExpr& list = *call.arguments[0];
  if (call.is(Function::Special::kElement)) {
    const bool is_first = call.arguments.size() == 2 && !call.expand_last && IntOf(*call.arguments[1]) == 0;
    return is_first ? FirstOf(list, {}, /*by_call=*/true) : ListConsumer();
  }
  ListConsumer consumer;
  consumer.op = ConsumerOp(call);
  if (consumer.op == CoreOp::kOneOf && ListOfOne(list) != nullptr) return FirstOf(list, {}, /*by_call=*/true);
  const bool takes = IsStream(list) || (list.kind == BoundKind::kTuple && TakesListInText(consumer.op));
  if (consumer.op == CoreOp::kNone || !takes) return {};
  consumer.list = &list;
  if (consumer.op == CoreOp::kContains) consumer.needle = call.arguments[1];
  return consumer;
}

}  // namespace hcl::internal

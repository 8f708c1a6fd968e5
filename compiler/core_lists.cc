// CoreLowering: lists, by what gives their elements. Tested by compiler/core_test.cc.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_list_lowering.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_part_lowering.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/operations.h"

namespace hcl::internal {
namespace {

// So many elements of a constant are added one by one rather than as a list.
constexpr size_t kFewConstants = 8;

}  // namespace

// A splat makes a list of a list, and may make one of what is no list.
const CoreNode* ListLowering::LowerFor(const BoundFor& loop) {
  if (loop.key != nullptr) return parts_.LowerObjectFor(loop);
  if (loop.splat != nullptr && TupleLiteral(*loop.collection) == nullptr) return nullptr;
  const CoreNode* const elements =
      LowerLoop(loop, Reading(), [&](const Element& element) { return Yield(element.value); });
  return elements == nullptr ? nullptr : ListOf(elements, Guard::kNoError);
}

// A list of elements that are sure to be there is a tuple of these.
const CoreNode* ListLowering::ListOf(const CoreNode* producer, Guard check) {
  CoreNodes elements, needs(1);
  if (SureElements(*producer, check, &elements, &needs)) {
    needs[0] = TupleOf(elements);
    return needs_.Make(needs);
  }
  CoreNode node(CoreKind::kLoop, CoreOp::kListOf);
  if (check == Guard::kWhole) node.flags = kByFunction;
  return tree_.Make(node, {producer});
}

bool ListLowering::SureElements(const CoreNode& producer, Guard check, CoreNodes* elements, CoreNodes* needs) {
  const CoreNode* const whole = &producer;
  for (const CoreNode* part : producer.kind == CoreKind::kSeq ? producer.args : absl::MakeConstSpan(&whole, 1)) {
    const bool has_needs = part->kind == CoreKind::kNeed;
    const CoreNode& yield = has_needs ? *part->args[0] : *part;
    if (yield.kind != CoreKind::kYield || elements->size() == kMaxInline) return false;
    elements->push_back(yield.args[0]);
    if (has_needs) needs->insert(needs->end(), part->args.begin() + 1, part->args.end());
    CoreNeeds own;
    if (check == Guard::kWhole && !needs_.AskFor(*yield.args[0], check, &own)) return false;
    needs_.Append(own, needs);
  }
  return true;
}

const CoreNode* ListLowering::TupleOf(absl::Span<const CoreNode* const> elements) {
  std::vector<Value> values;
  for (const CoreNode* element : elements) {
    if (!element->is_const()) return tree_.Make(CoreNode(CoreKind::kTuple), elements);
    values.push_back(element->value);
  }
  return tree_.Const(lowering_.binder().TupleConstant(values));
}

const CoreNode* ListLowering::Seq(absl::Span<const CoreNode* const> producers) {
  CoreNodes parts;
  std::copy_if(producers.begin(), producers.end(), std::back_inserter(parts),
               [](const CoreNode* producer) { return producer->kind != CoreKind::kSeq || !producer->args.empty(); });
  return tree_.Make(CoreNode(CoreKind::kSeq), parts);
}

// The calls of concat and flatten in it are not made. A list that is there as a whole is better given to the function.
const CoreNode* ListLowering::LowerListCall(const BoundCall& call) {
  const bool is_worthwhile = std::any_of(call.arguments.begin(), call.arguments.end(), [](const BoundExpr* argument) {
    return !argument->is_constant() && IsMadeOfElements(*argument);
  });
  const bool is_made = is_worthwhile && call.height <= kMaxListHeight;
  const CoreNode* const elements = is_made ? LowerMade(call, /*flat=*/false) : nullptr;
  if (elements == nullptr) return lowering_.LowerOrdinaryCall(call);
  return ListOf(elements, Guard::kWhole);
}

const CoreNode* ListLowering::Spread(const BoundExpr& list, uint16_t how) {
  CoreNode node(CoreKind::kSpread);
  node.index = how;
  const CoreNode* const lowered = lowering_.Lower(list);
  return lowered == nullptr ? nullptr : tree_.Make(node, {lowered});
}

// The elements of what is made of elements; null where it may be another list than that of these. `flat`: elements that
// are lists are taken apart as well.
const CoreNode* ListLowering::LowerMade(const BoundExpr& list, bool flat) {
  CoreNodes parts;
  const auto add = [&](const CoreNode* part) { return parts.push_back(part), part != nullptr; };
  switch (list.kind) {
    case BoundKind::kConstant:
      if (As<BoundConstant>(list).value.size() == 0) return Seq({});
      return LowerFewConstants(As<BoundConstant>(list).value, &parts) ? Seq(parts)
                                                                      : Spread(list, flat ? kFlatArgument : kArgument);
    case BoundKind::kTuple:
      for (const BoundExpr* element : As<BoundTuple>(list).elements) {
        if (!add(LowerMadeElement(*element, flat))) return nullptr;
      }
      return Seq(parts);
    case BoundKind::kFor: {
      const auto& loop = As<BoundFor>(list);
      // Lists in a list would be converted to one type.
      if (loop.splat != nullptr && loop.splat->nests && !flat) return nullptr;
      return LowerPasses(loop, Reading(), [&] { return LowerMadeElement(*loop.value, flat); });
    }
    // A branch that is not taken does not count: its type is that of the other one's elements, or only makes a list of
    // a tuple.
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(list);
      const bool is_made = add(lowering_.Lower(*choice.condition)) && add(LowerMade(*choice.if_true, flat)) &&
                           add(LowerMade(*choice.if_false, flat));
      return is_made ? tree_.Make(CoreNode(CoreKind::kEither), parts) : nullptr;
    }
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(list);
      const bool flattens = call.is(Function::Special::kFlatten);
      if (!flattens && !KeepsElements(call, flat)) return nullptr;
      for (const BoundExpr* argument : call.arguments) {
        const uint16_t how = flattens ? kFlattenArgument : flat ? kFlatArgument : kArgument;
        const bool is_made = IsMadeOfElements(*argument);
        if (!add(is_made ? LowerMade(*argument, flat || flattens) : Spread(*argument, how))) return nullptr;
      }
      return Seq(parts);
    }
    default:
      return nullptr;
  }
}

// The elements of a short tuple of scalars; false for others.
bool ListLowering::LowerFewConstants(const Value& list, CoreNodes* elements) {
  if (!list.is_tuple() || list.size() > kFewConstants) return false;
  for (const Value& value : list.elements()) {
    const CoreNode* const constant = tree_.Const(value);
    if (!constant->is_scalar()) return false;
    elements->push_back(Yield(constant));
  }
  return true;
}

const CoreNode* ListLowering::LowerMadeElement(const BoundExpr& element, bool flat) {
  if (flat && IsMadeOfElements(element)) return LowerMade(element, flat);
  const bool may_be_list = !element.has_primitive_type() && ObjectLiteral(element) == nullptr;
  if (flat && may_be_list) return Spread(element, kFlatElement);
  const CoreNode* const value = lowering_.Lower(element);
  return value == nullptr ? nullptr : Yield(value);
}

// A loop that joins what it makes.
const CoreNode* ListLowering::LowerTemplateFor(const BoundTemplateFor& loop) {
  BoundFor passes(loop.range);
  passes.collection = loop.collection;
  passes.variables = loop.variables;
  passes.value = loop.body;
  const CoreNode* const elements =
      LowerLoop(passes, Reading(), [&](const Element& element) { return YieldText(element.value); });
  return elements == nullptr ? nullptr : JoinOf(elements, tree_.Const(Value::StringView("")), loop);
}

const CoreNode* ListLowering::LowerJoined(const BoundExpr& list) {
  Reading reading;
  reading.exits_on_marks = true;
  reading.takes_bools = true;
  return LowerElements(list, reading, [&](const Element& element) { return YieldText(element.value); });
}

const CoreNode* ListLowering::JoinOf(const CoreNode* producer, const CoreNode* separator, const BoundExpr& origin) {
  CoreNode node(CoreKind::kLoop, CoreOp::kJoinOf);
  node.origin = &origin;
  return tree_.Make(node, {producer, separator});
}

// Whether a tuple whose elements are made one by one is `[]`. One with elements that are not known may be anything.
const CoreNode* ListLowering::LowerIsEmpty(const BoundExpr& list) {
  if (!IsSureTuple(list) || list.is_constant() || list.kind == BoundKind::kTuple) return nullptr;
  Reading reading;
  reading.any_order = true;
  const CoreNode* const elements = LowerElements(list, reading, [&](const Element& element) -> const CoreNode* {
    return needs_.Needing(Yield(element.value), *element.value, Guard::kWhole);
  });
  if (elements == nullptr) return nullptr;
  return tree_.Prim(CoreOp::kEqual, {CountOf(elements), tree_.Const(Value::Int(0))});
}

}  // namespace hcl::internal

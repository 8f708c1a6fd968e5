// CoreLowering: loops. A loop becomes a producer of elements, and what is made of these. A loop over a loop, or over a
// list that stands in the text, is one producer: no list is made between them. Tested by compiler/core_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/core_filters.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_list_lowering.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_part_lowering.h"
#include "hclvm/compiler/core_searches.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

// Whether some of the elements may be made, although what comes behind them makes the whole list unknown: by a filter,
// or as a part of it.
bool MayTurnOutUnknown(const BoundExpr& list) {
  return list.kind == BoundKind::kFor ? As<BoundFor>(list).condition != nullptr : true;
}

}  // namespace

// The elements of one loop.
const CoreNode* ListLowering::LowerLoop(const BoundFor& loop, const Reading& reading, Body body) {
  return LowerPasses(loop, reading, [&]() -> const CoreNode* {
    const CoreNode* const value = lowering_.Lower(*loop.value);
    return value == nullptr ? nullptr : body({value, nullptr});
  });
}

// What `pass` makes of each element. What stands in the filter is asked for each. An object that keeps the keys of a
// mapping has its values in that order.
const CoreNode* ListLowering::LowerPasses(const BoundFor& loop, Reading reading, Pass pass) {
  reading.loop = &loop;
  reading.exits_on_marks = false;
  reading.has_flat_elements = false;
  reading.is_part = false;
  reading.nodes += NodesOfPass(loop);
  const auto make_pass = [&](const Element& element) -> const CoreNode* {
    const size_t outer = state_.bindings.size();
    if (loop.variables.value != nullptr) state_.bindings.push_back({loop.variables.value, element.value});
    if (loop.variables.key != nullptr) state_.bindings.push_back({loop.variables.key, element.key});
    const CoreNode* const condition = loop.condition == nullptr ? nullptr : lowering_.Lower(*loop.condition);
    const bool is_lowered = loop.condition == nullptr || condition != nullptr;
    const CoreNode* producer = is_lowered ? pass() : nullptr;
    if (producer != nullptr && condition != nullptr) producer = Filtered(condition, producer);
    state_.bindings.resize(outer);
    return producer;
  };
  if (loop.key == nullptr) return LowerElements(*loop.collection, reading, make_pass);
  return KeepsKeys(loop) ? LowerItems(*loop.collection, kOverMapping, reading, make_pass) : nullptr;
}

// Whether the loop makes an object of what is there under each key, or of some of that.
bool ListLowering::KeepsKeys(const BoundFor& loop) {
  if (loop.key->kind != BoundKind::kLocal || loop.group || ObjectLiteral(*loop.collection) != nullptr) return false;
  const auto& key = As<BoundLocal>(*loop.key);
  return key.local == loop.variables.key && key.local != nullptr && key.steps.empty();
}

// What the condition makes in any case need not be asked for.
const CoreNode* ListLowering::Filtered(const CoreNode* condition, const CoreNode* producer) {
  CoreNodes kept;
  if (producer->kind == CoreKind::kNeed) {
    kept.push_back(producer->args[0]);
    std::remove_copy_if(
        producer->args.begin() + 1, producer->args.end(), std::back_inserter(kept),
        [&](const CoreNode* need) { return AlwaysMakes(*condition, *need, /*fails_with_logic=*/state_.tried == 0); });
    producer = needs_.Make(kept);
  }
  return tree_.Make(CoreNode(CoreKind::kGuard), {condition, producer});
}

// What is read of a loop's variables says which they are: a list that is made for this reader alone is not made, and
// its elements go on as they are made. Others are made, and read one by one.
const CoreNode* ListLowering::LowerElements(const BoundExpr& list, const Reading& reading, Body body) {
  if (list.kind == BoundKind::kRaise) return nullptr;
  if (NamedBy(list) != nullptr) {
    if (const CoreNode* const elements = LowerNamedElements(As<BoundPath>(list), reading, body)) return elements;
  }
  const BoundFor* const loop = reading.loop;
  const bool reads_places = loop != nullptr && loop->variables.key != nullptr;
  const bool is_splat = loop != nullptr && loop->splat != nullptr;
  const CoreNode* elements = nullptr;
  // Functions that take lists take no objects.
  const bool may_be_listed = ObjectLiteral(list) == nullptr || (loop != nullptr && !reading.is_part);
  if (!reads_places && may_be_listed && (!is_splat || TupleLiteral(list) != nullptr) &&
      (MayBeListed(list) || list.is_constant())) {
    elements = LowerListed(list, reading, body);
  }
  if (elements == nullptr && !reads_places) {
    // A list that turns out to be unknown has no passes, and nothing that would fail in them.
    const bool is_open = state_.tried > 0 && loop != nullptr && MayTurnOutUnknown(list);
    elements = LowerStream(list, reading, [&](const Element& element) -> const CoreNode* {
      const CoreNode* const pass = body(element);
      return is_open && pass != nullptr ? tree_.Make(CoreNode(CoreKind::kOpen), {pass}) : pass;
    });
  }
  if (elements != nullptr) return elements;
  if (loop == nullptr && !reading.is_part) return nullptr;
  return LowerItems(list, is_splat && !reading.is_part ? kOverSplat : 0, reading, body);
}

// What the filter reads besides the element is owed where there is none: the slow path tries it on an unknown one.
const CoreNode* ListLowering::LowerItems(const BoundExpr& collection, uint8_t flags, const Reading& reading,
                                         Body body) {
  CoreNodes args = {lowering_.Lower(collection)};
  if (args[0] == nullptr) return nullptr;
  const bool reads_places = reading.loop != nullptr && reading.loop->variables.key != nullptr;
  if (!reads_places && (flags & kOverKeys) == 0) {
    const CoreKind made = (flags & kOverMapping) != 0 ? CoreKind::kObject : CoreKind::kTuple;
    Reading asked = reading;
    asked.is_part = reading.is_part || (flags & kOverMapping) != 0;
    if (const CoreNode* const elements = LowerMadeParts(*args[0], made, asked, body)) return elements;
  }
  // What a function takes is a list, and what it gives has the marks of all elements.
  if (reading.is_part && (flags & kOverMapping) == 0) {
    const Guard guard = reading.has_flat_elements ? Guard::kFlatList : Guard::kList;
    CoreNodes needs = {args[0], needs_.NeedNode({args[0], guard})};
    if (!reading.exits_on_marks) needs.push_back(needs_.NeedNode({args[0], Guard::kUnmarked}));
    args[0] = needs_.Make(needs);
  }
  // What a variable stands for may be made in a pass, with the loops in it.
  const uint32_t outer_depth = state_.depth;
  for (const LoweringState::Binding& binding : state_.bindings) {
    while (binding.node != nullptr && binding.node->loops >> state_.depth != 0) ++state_.depth;
  }
  const uint32_t depth = std::exchange(state_.depth, outer_depth);
  if (depth >= kMaxLoopDepth) return nullptr;
  CoreNode node(CoreKind::kItems);
  node.index = depth;
  node.flags = flags;
  OwedReads owed;
  if (const BoundFor* const loop = reading.loop) {
    for (const BoundFor* filtered : {loop, reading.outer}) {
      if (filtered == nullptr || filtered->condition == nullptr) continue;
      if (reading.fails_empty || !HasCleanFilter(*filtered, &owed)) node.flags |= kNeedsElements;
    }
    if ((node.flags & kNeedsElements) != 0) owed.clear();
    if (loop->variables.key != nullptr) node.flags |= kReadsKey;
    if (!loop->variables.key_name.empty()) node.flags |= kNamesKey;
  }
  // What a function gives where there is no element has the type that elements would have.
  if (reading.loop == nullptr && reading.takes_element && !reading.is_part) node.flags |= kNeedsElements;
  const auto variable = [&](uint32_t which) {
    CoreNode var(CoreKind::kVar);
    var.index = 2 * depth + which;
    return tree_.Make(var);
  };
  const Element element = {variable(0), variable(1)};
  state_.depth = depth + 1;
  args.push_back(body(element));
  state_.depth = outer_depth;
  if (args[1] == nullptr || (args[1]->loops >> depth & 1) != 0) return nullptr;
  if (reading.loop == nullptr && reading.takes_bools) args.push_back(needs_.NeedNode({args[0], Guard::kBools}));
  for (const BoundExpr* read : owed) {
    args.push_back(lowering_.Lower(*read));
    if (args.back() == nullptr) return nullptr;
  }
  return FoundByKeys(&tree_, tree_.Make(node, args));
}

// Each element stands where the variable does: a table of rules becomes tests of paths against constants. A list of
// constants has no nodes for its elements.
const CoreNode* ListLowering::LowerListed(const BoundExpr& list, const Reading& reading, Body body) {
  ListedElements elements;
  CoreNodes values;
  if (MayBeListed(list)) {
    if (!ListElements(list, &elements)) return nullptr;
  } else {
    if (!As<BoundConstant>(list).value.is_tuple()) return nullptr;
    const absl::Span<const Value> constants = As<BoundConstant>(list).value.elements();
    if (constants.size() > kMaxUnrolledConstants) return nullptr;
    for (const Value& value : constants) values.push_back(tree_.Const(value));
  }
  const size_t count = elements.size() + values.size();
  const auto is_left = [](const ListedElement& element) { return !element.is_cut_off; };
  const bool has_elements = !values.empty() || std::any_of(elements.begin(), elements.end(), is_left);
  // Where a loop has no element, the slow path tries its filter.
  if (!has_elements && reading.loop != nullptr && (reading.outer != nullptr || reading.loop->condition != nullptr)) {
    return nullptr;
  }
  if (!MayUnroll(count, reading.nodes, list.size())) return nullptr;
  Reading asked = reading;
  asked.is_part = reading.is_part || list.kind == BoundKind::kCall;
  CoreNodes producers;
  for (size_t n = 0; n < count; ++n) {
    const bool is_listed = !elements.empty();
    const CoreNode* const value = is_listed ? lowering_.Lower(*elements[n].expr) : values[n];
    if (value == nullptr) return nullptr;
    const bool is_cut_off = is_listed && elements[n].is_cut_off;
    asked.exits_on_marks = reading.exits_on_marks && !is_cut_off;
    producers.push_back(Asking(is_cut_off ? Seq({}) : body({value, nullptr}), *value, asked));
    if (producers.back() == nullptr) return nullptr;
  }
  return Seq(producers);
}

// The same of a tuple, or of the values of an object, that is a node, as where a variable stands for one: null for
// others.
const CoreNode* ListLowering::LowerMadeParts(const CoreNode& list, CoreKind kind, const Reading& reading, Body body) {
  const CoreNode& tuple = list.kind == CoreKind::kNeed ? *list.args[0] : list;
  if (tuple.kind != kind || tuple.args.empty()) return nullptr;
  if (!MayUnroll(tuple.args.size(), reading.nodes, tuple.size)) return nullptr;
  const auto is_flat = [](const CoreNode* value) {
    return value->kind == CoreKind::kObject || (value->kinds & ~kScalarKinds) == 0;
  };
  if (reading.has_flat_elements && !std::all_of(tuple.args.begin(), tuple.args.end(), is_flat)) return nullptr;
  CoreNodes producers;
  for (const CoreNode* value : tuple.args) {
    producers.push_back(Asking(body({value, nullptr}), *value, reading));
    if (producers.back() == nullptr) return nullptr;
  }
  const CoreNode* const elements = Seq(producers);
  if (&tuple == &list) return elements;
  CoreNodes needs(list.args.begin(), list.args.end());
  needs[0] = elements;
  return needs_.Make(needs);
}

// Of a first element, a part is taken in the loop where that is known, so that no more is made.
const CoreNode* ListLowering::LowerConsumer(const ListConsumer& consumer) {
  if (consumer.op == CoreOp::kFirstOf) {
    const bool may_take_part = !consumer.steps.empty() && consumer.steps[0].key.is_string();
    const CoreNode* const of_part = may_take_part ? LowerFirst(consumer, /*takes_part=*/true) : nullptr;
    return of_part != nullptr ? of_part : LowerFirst(consumer, /*takes_part=*/false);
  }
  const bool folds =
      consumer.op == CoreOp::kSumOf || consumer.op == CoreOp::kLeastOf || consumer.op == CoreOp::kGreatestOf;
  const bool tests = consumer.op == CoreOp::kAllOf || consumer.op == CoreOp::kAnyOf;
  Reading reading;
  reading.fails_empty = folds;
  reading.takes_element = consumer.op == CoreOp::kOneOf;
  reading.takes_bools = tests;
  reading.exits_on_marks = folds || tests || consumer.op == CoreOp::kCountOf;
  reading.any_order = tests || consumer.op == CoreOp::kCountOf || consumer.op == CoreOp::kContains ||
                      consumer.op == CoreOp::kLeastOf || consumer.op == CoreOp::kGreatestOf;
  CoreNode node(CoreKind::kLoop, consumer.op);
  CoreNodes args(1);
  if (consumer.needle != nullptr) {
    args.push_back(lowering_.Lower(*consumer.needle));
    if (args.back() == nullptr) return nullptr;
  }
  args[0] = LowerElements(*consumer.list, reading, [&](const Element& element) -> const CoreNode* {
    const CoreNode& value = *element.value;
    const bool fits = !value.is_const() || (!value.is_null() && (!tests || value.value.is_bool()));
    if (!fits) return nullptr;
    // Only whether it is there counts.
    const bool is_counted = consumer.op == CoreOp::kCountOf && IsCondition(value);
    return is_counted ? needs_.Make({Yield(tree_.Bool(true)), &value}) : Yield(&value);
  });
  if (args[0] == nullptr) return nullptr;
  switch (consumer.op) {
    case CoreOp::kCountOf:
      return CountOf(args[0]);
    case CoreOp::kOneOf: {
      const bool has_several = args[0]->kind == CoreKind::kSeq && args[0]->args.size() != 1;
      const CoreNode* const only = has_several ? nullptr : SureElement(*args[0], Guard::kUnmarked);
      return only != nullptr ? only : tree_.Make(node, args);
    }
    // Whether there is an element.
    case CoreOp::kAnyOf:
      if (args[0]->kind != CoreKind::kItems || args[0]->args[1]->kind != CoreKind::kYield ||
          !args[0]->args[1]->args[0]->is_bool(true)) {
        return tree_.Make(node, args);
      }
      return tree_.Not(tree_.Prim(CoreOp::kEqual, {CountOf(args[0]), tree_.Const(Value::Int(0))}));
    case CoreOp::kSumOf:
      if (const CoreNode* const ones = OnesOf(*args[0])) return CountOf(ones);
      if (const CoreNode* const sum = SumOf(*args[0])) return sum;
      return tree_.Make(node, args);
    default:
      return tree_.Make(node, args);
  }
}

// The sum of a few numbers that stand in the text; null for others. In what is tried, the function does not fail for
// what is no number where it knows nothing of one behind that.
const CoreNode* ListLowering::SumOf(const CoreNode& numbers) {
  const bool are_few = numbers.kind == CoreKind::kSeq && numbers.args.size() > 1 && numbers.args.size() <= kMaxInline;
  const auto is_yield = [](const CoreNode* part) { return part->kind == CoreKind::kYield; };
  if (!are_few || state_.tried > 0 || !std::all_of(numbers.args.begin(), numbers.args.end(), is_yield)) return nullptr;
  const CoreNode* sum = numbers.args[0]->args[0];
  for (const CoreNode* part : numbers.args.subspan(1)) sum = tree_.Prim(CoreOp::kAdd, {sum, part->args[0]});
  return sum;
}

// What is counted where a sum begins with zero and has nothing but ones behind it; null for other sums.
const CoreNode* ListLowering::OnesOf(const CoreNode& sum) {
  const auto yields = [](const CoreNode& node, int64_t number) {
    return node.kind == CoreKind::kYield && node.args[0]->is_const() && node.args[0]->value.is_int() &&
           node.args[0]->value.AsInt() == number;
  };
  if (sum.kind != CoreKind::kSeq || sum.args.size() != 2 || !yields(*sum.args[0], 0)) return nullptr;
  const CoreNode* at = sum.args[1];
  while (at->kind == CoreKind::kItems || at->kind == CoreKind::kGuard) at = at->args[1];
  return yields(*at, 1) ? sum.args[1] : nullptr;
}

// Where each element of a collection counts, its length is asked.
const CoreNode* ListLowering::CountOf(const CoreNode* producer) {
  const bool counts_all = producer->kind == CoreKind::kItems && producer->args.size() == 2 &&
                          (producer->flags & (kNeedsElements | kOverSplat)) == 0 &&
                          producer->args[1]->kind == CoreKind::kYield;
  const CoreNode* const element = counts_all ? producer->args[1]->args[0] : producer;
  const bool is_own = element->kind == CoreKind::kVar && element->index / 2 == producer->index;
  if (!counts_all || !(is_own || element->is_scalar())) {
    return tree_.Make(CoreNode(CoreKind::kLoop, CoreOp::kCountOf), {producer});
  }
  if ((producer->flags & kOverMapping) != 0) {
    return tree_.Prim(CoreOp::kLength, {producer->args[0]}, nullptr, kReadByMappingFunction);
  }
  // Who asks for the length looks whether it is a list.
  const CoreNode& list = *producer->args[0];
  const bool is_checked = list.kind == CoreKind::kNeed && list.args.size() == 2 && list.args[1]->is(CoreOp::kCheck) &&
                          list.args[1]->index == static_cast<uint32_t>(Guard::kList) &&
                          list.args[1]->args[0] == list.args[0];
  return tree_.Prim(CoreOp::kLength, {is_checked ? list.args[0] : &list}, nullptr,
                    is_checked ? kReadByListFunction : kReadByLoop);
}

// The only place of whose element the loop asks: its filter names that.
std::optional<int64_t> ListLowering::PlaceAsked(const CoreNode& items) {
  constexpr uint8_t kUsual = kNeedsElements | kReadsKey | kNamesKey;
  if (items.kind != CoreKind::kItems || items.args.size() != 2 || (items.flags & ~kUsual) != 0) return std::nullopt;
  const CoreNode& guard = *items.args[1];
  if (guard.kind != CoreKind::kGuard || guard.args[1]->kind != CoreKind::kYield) return std::nullopt;
  const CoreNode& test = *guard.args[0];
  const auto is_variable = [&](const CoreNode& node, uint32_t which) {
    return node.kind == CoreKind::kVar && node.index == 2 * items.index + which;
  };
  if (!test.is(CoreOp::kEqual) || !is_variable(*test.args[0], 1) || !is_variable(*guard.args[1]->args[0], 0)) {
    return std::nullopt;
  }
  const CoreNode& place = *test.args[1];
  if (!place.is_const() || !place.value.is_int() || place.value.AsInt() < 0) return std::nullopt;
  return place.value.AsInt();
}

// Not in what is tried: there, the check that it is a list would count as a failure.
const CoreNode* ListLowering::ElementAt(const CoreNode& list, int64_t place, Guard check) {
  if (const CoreNode* const piece = parts_.PieceOf(list, place, /*by_function=*/true)) return piece;
  if (state_.tried > 0) return nullptr;
  CoreNode step(CoreKind::kStep);
  step.index = kNoIndex;
  step.value = Value::Int(place);
  const CoreNode* const element = tree_.Make(step, {&list});
  CoreNodes needs = {element, needs_.NeedNode({&list, Guard::kList})};
  if (check != Guard::kNoError) needs.push_back(needs_.NeedNode({element, check}));
  return needs_.Make(needs);
}

// What SureElement() gives, also of a list that is not made for it.
const CoreNode* ListLowering::FirstElement(const CoreNode& producer, Guard check) {
  if (const std::optional<int64_t> place = PlaceAsked(producer)) return ElementAt(*producer.args[0], *place, check);
  const bool is_whole = producer.kind == CoreKind::kItems && producer.args.size() == 2 &&
                        producer.args[1]->kind == CoreKind::kYield &&
                        (producer.flags & ~(kNeedsElements | kOverSplat)) == 0;
  const CoreNode* const element = is_whole ? producer.args[1]->args[0] : nullptr;
  if (element == nullptr || element->kind != CoreKind::kVar || element->index != 2 * producer.index) {
    return SureElement(producer, check);
  }
  return parts_.PieceOf(*producer.args[0], 0, /*by_function=*/true);
}

// What a producer of elements that are sure to be there gives first; null for others. The loop only names it.
const CoreNode* ListLowering::SureElement(const CoreNode& producer, Guard check) {
  const CoreNode* const whole = &producer;
  CoreNodes args(1);
  for (const CoreNode* part : producer.kind == CoreKind::kSeq ? producer.args : absl::MakeConstSpan(&whole, 1)) {
    const bool needs = part->kind == CoreKind::kNeed;
    const CoreNode& yield = needs ? *part->args[0] : *part;
    if (yield.kind != CoreKind::kYield) return nullptr;
    const CoreNode* const element = yield.args[0];
    const bool is_first = args[0] == nullptr;
    if (is_first) args[0] = element;
    CoreNeeds own;
    if ((check != Guard::kNoError || !is_first) && !needs_.AskFor(*element, check, &own)) return nullptr;
    needs_.Append(own, &args);
    if (needs) args.insert(args.end(), part->args.begin() + 1, part->args.end());
  }
  return needs_.Make(args);
}

// Of objects in the text, only the part that is asked for is made. A constant at the end is what is there without
// elements before it.
const CoreNode* ListLowering::LowerFirst(const ListConsumer& first, bool takes_part) {
  CoreNode node(CoreKind::kLoop, CoreOp::kFirstOf);
  if (first.is_by_call) node.flags = kByFunction;
  const Guard check = first.is_by_call ? Guard::kUnmarked : Guard::kNoError;
  Reading reading;
  reading.fails_empty = true;
  reading.takes_element = true;
  CoreNodes args(1);
  args[0] = LowerElements(*first.list, reading, [&](const Element& element) -> const CoreNode* {
    if (!takes_part) return Yield(element.value);
    const CoreNode* const part = needs_.PartOf(*element.value, first.steps[0].key);
    return part == nullptr ? nullptr : needs_.Needing(Yield(part), *element.value, check);
  });
  if (args[0] == nullptr) return nullptr;
  const CoreNode* const only = takes_part ? SureElement(*args[0], check) : FirstElement(*args[0], check);
  if (only == nullptr && args[0]->kind == CoreKind::kSeq) {
    const absl::Span<const CoreNode* const> parts = args[0]->args;
    const bool is_default =
        parts.size() > 1 && parts.back()->kind == CoreKind::kYield && parts.back()->args[0]->is_const();
    if (is_default) {
      args.push_back(parts.back()->args[0]);
      args[0] = Seq(parts.first(parts.size() - 1));
    }
  }
  return parts_.LowerStepsOfMade(only != nullptr ? only : tree_.Make(node, args),
                                 first.steps.subspan(takes_part ? 1 : 0));
}

}  // namespace hcl::internal

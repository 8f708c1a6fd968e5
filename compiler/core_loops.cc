// CoreLowering: loops. A loop becomes a producer of elements, and what is made of these. A loop over a loop, or over a
// list that stands in the text, is one producer: no list is made between them. Tested by compiler/core_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/dry_pass.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

// What is left is the first element.
CoreOp OpOf(Reduction::Kind kind) {
  switch (kind) {
    case Reduction::Kind::kAllTrue:
      return CoreOp::kAllOf;
    case Reduction::Kind::kAnyTrue:
      return CoreOp::kAnyOf;
    case Reduction::Kind::kSum:
      return CoreOp::kSumOf;
    case Reduction::Kind::kLeast:
      return CoreOp::kLeastOf;
    case Reduction::Kind::kGreatest:
      return CoreOp::kGreatestOf;
    case Reduction::Kind::kLength:
      return CoreOp::kCountOf;
    case Reduction::Kind::kContains:
      return CoreOp::kContains;
    case Reduction::Kind::kOne:
      return CoreOp::kOneOf;
    default:
      return CoreOp::kFirstOf;
  }
}

bool MakesList(const BoundFor& inner, const BoundFor& outer) {
  return inner.key == nullptr && (inner.splat == nullptr || (!inner.splat->nests && outer.splat == nullptr));
}

}  // namespace

// Beyond the first level, what is asked of a text or an operator is asked of its parts.
void AppendNeeds(const CoreNode& node, Guard check, CoreNeeds* needs) {
  const bool is_any = check == Guard::kNoError || check == Guard::kUnmarked;
  const auto all = [&](Guard each) {
    for (const CoreNode* arg : node.args) AppendNeeds(*arg, each, needs);
  };
  switch (node.kind) {
    case CoreKind::kConst:
      if (is_any || node.is_scalar()) return;
      break;
    case CoreKind::kVar:
      if (check == Guard::kNoError) return;
      break;
    case CoreKind::kObject:
    case CoreKind::kTuple:
      if (is_any) return all(check);
      break;
    case CoreKind::kText:
      return all(Guard::kScalar);
    case CoreKind::kPrim:
      // What is compared may be anything where only failures count.
      if (node.op == CoreOp::kEqual && check == Guard::kNoError) return all(Guard::kNoError);
      if (node.op == CoreOp::kPrefix || node.op == CoreOp::kSuffix || node.op == CoreOp::kWithin) {
        return all(Guard::kString);
      }
      if (node.op == CoreOp::kLess) return all(Guard::kNumber);
      break;
    default:
      break;
  }
  needs->push_back({&node, check});
}

// Only so deep, as a condition may have one part in many places.
bool AlwaysMakes(const CoreNode& condition, const CoreNode& node, int depth) {
  const CoreNode* at = &condition;
  for (; depth > 0; --depth) {
    if (at == &node) return true;
    const bool goes_on = at->kind == CoreKind::kAll || at->kind == CoreKind::kAny || at->kind == CoreKind::kIf ||
                         (at->kind == CoreKind::kPrim && !at->args.empty());
    if (!goes_on) return false;
    if (at->kind == CoreKind::kPrim && at->args.size() > 1 && AlwaysMakes(*at->args[1], node, depth - 1)) return true;
    at = at->args[0];
  }
  return false;
}

// A variable of a loop that is the slow path's is in its register.
const CoreNode* CoreLowering::BindingOf(const LocalVariable& local) {
  for (size_t n = bindings_.size(); n-- > 0;) {
    if (bindings_[n].local == &local) return bindings_[n].node;
  }
  CoreNode node(CoreKind::kLocal);
  node.index = local.reg;
  return tree_.Make(node);
}

const CoreNode* CoreLowering::LowerObject(const BoundObject& expr) {
  if (!expr.is_short()) return nullptr;
  Nodes items(expr.items.size());
  for (const BoundItem& item : expr.items) {
    items[item.position] = Lower(*item.value);
    if (items[item.position] == nullptr) return nullptr;
  }
  CoreNode node(CoreKind::kObject);
  node.origin = &expr;
  return tree_.Make(node, items);
}

const CoreNode* CoreLowering::LowerTuple(const BoundTuple& expr) {
  Nodes elements;
  if (expr.elements.size() > kMaxInline || !LowerAll(expr.elements, &elements)) return nullptr;
  return tree_.Make(CoreNode(CoreKind::kTuple), elements);
}

// Each is tested, whatever the others are: its errors are the list's.
const CoreNode* CoreLowering::LowerTruths(const BoundTuple& truths, CoreOp op) {
  Nodes elements;
  if (!LowerAll(truths.elements, &elements)) return nullptr;
  for (const CoreNode*& element : elements) {
    if (element->is_const() && !element->value.is_bool()) return nullptr;
    element = Yield(element);
  }
  return tree_.Make(CoreNode(CoreKind::kLoop, op), {Seq(elements)});
}

// The elements of one loop.
const CoreNode* CoreLowering::LowerLoop(const BoundFor& loop, bool fails_empty, Body body) {
  return LowerPasses(loop, fails_empty, [&]() -> const CoreNode* {
    const CoreNode* const value = Lower(*loop.value);
    return value == nullptr ? nullptr : body({value, nullptr});
  });
}

// What `pass` makes of each element. What stands in the filter is asked for each.
const CoreNode* CoreLowering::LowerPasses(const BoundFor& loop, bool fails_empty, Pass pass) {
  return LowerElements(loop, fails_empty, [&](const Element& element) -> const CoreNode* {
    const size_t outer = bindings_.size();
    if (loop.variables.value != nullptr) bindings_.push_back({loop.variables.value, element.value});
    if (loop.variables.key != nullptr) bindings_.push_back({loop.variables.key, element.key});
    const CoreNode* const condition = loop.condition == nullptr ? nullptr : Lower(*loop.condition);
    const bool is_lowered = loop.condition == nullptr || condition != nullptr;
    const CoreNode* producer = is_lowered ? pass() : nullptr;
    if (producer != nullptr && condition != nullptr) {
      producer = tree_.Make(CoreNode(CoreKind::kGuard), {condition, producer});
    }
    bindings_.resize(outer);
    return producer;
  });
}

// A list that is made for this loop alone is not made: its elements go on to the loop as they are made.
const CoreNode* CoreLowering::LowerElements(const BoundFor& loop, bool fails_empty, Body body) {
  const BoundExpr& list = *loop.collection;
  if (loop.key != nullptr || list.kind == BoundKind::kRaise) return nullptr;
  if (MayBeListed(list) || list.is_constant()) {
    const bool suits = loop.variables.key == nullptr && loop.splat == nullptr;
    const CoreNode* const listed = suits ? LowerListed(loop, body) : nullptr;
    if (listed != nullptr) return listed;
  }
  if (list.kind == BoundKind::kFor) {
    const auto& inner = As<BoundFor>(list);
    OwedReads owed;
    const bool is_clean = loop.condition == nullptr || (!fails_empty && HasCleanFilter(loop, &owed) && owed.empty());
    if (loop.variables.key != nullptr || !MakesList(inner, loop) || !is_clean) return nullptr;
    return LowerLoop(inner, fails_empty, [&](const Element& element) -> const CoreNode* {
      const CoreNode* const producer = body(element);
      return producer == nullptr ? nullptr : Needing(producer, *element.value, Guard::kNoError);
    });
  }
  if (const BoundCall* const listed = ListedMapping(loop)) {
    const uint8_t flags = listed->is(Function::Special::kKeys) ? kOverMapping | kOverKeys : kOverMapping;
    return LowerItems(loop, *listed->arguments[0], flags, fails_empty, body);
  }
  return LowerItems(loop, list, loop.splat != nullptr ? kOverSplat : 0, fails_empty, body);
}

// What the filter reads besides the element is owed where there is none: the slow path tries it on an unknown one.
const CoreNode* CoreLowering::LowerItems(const BoundFor& loop, const BoundExpr& collection, uint8_t flags,
                                         bool fails_empty, Body body) {
  Nodes args = {Lower(collection)};
  if (args[0] == nullptr || depth_ == kMaxLoopDepth) return nullptr;
  CoreNode node(CoreKind::kItems);
  node.index = depth_;
  node.flags = flags;
  OwedReads owed;
  if (loop.condition != nullptr && (fails_empty || !HasCleanFilter(loop, &owed))) {
    node.flags |= kNeedsElements;
    owed.clear();
  }
  if (loop.variables.key != nullptr) node.flags |= kReadsKey;
  if (!loop.variables.key_name.empty()) node.flags |= kNamesKey;
  const auto variable = [&](uint32_t which) {
    CoreNode var(CoreKind::kVar);
    var.index = 2 * depth_ + which;
    return tree_.Make(var);
  };
  const Element element = {variable(0), variable(1)};
  ++depth_;
  args.push_back(body(element));
  --depth_;
  if (args[1] == nullptr) return nullptr;
  for (const BoundExpr* read : owed) {
    args.push_back(Lower(*read));
    if (args.back() == nullptr) return nullptr;
  }
  return tree_.Make(node, args);
}

// What stands in a value is asked for in each of its places, which may double with each level of nesting: that is paid
// for as lowering is. False where there is no budget for it.
bool CoreLowering::AskFor(const CoreNode& node, Guard check, CoreNeeds* needs) {
  if (node.size > budget_) {
    budget_ = 0;
    return false;
  }
  budget_ -= node.size;
  AppendNeeds(node, check, needs);
  return true;
}

// The producer where `value` is there, which it need not make itself.
const CoreNode* CoreLowering::Needing(const CoreNode* producer, const CoreNode& value, Guard check) {
  // What is tested or taken first need not be looked at before, where that asks no less.
  const bool tests = producer->kind == CoreKind::kGuard || producer->kind == CoreKind::kYield;
  const auto is_made = [&](const CoreNode& node) { return tests && AlwaysMakes(*producer->args[0], node); };
  const bool is_structure = value.kind == CoreKind::kObject || value.kind == CoreKind::kTuple;
  const CoreNode* const whole = &value;
  CoreNeeds needs;
  for (const CoreNode* part : is_structure ? value.args : absl::MakeConstSpan(&whole, 1)) {
    if (check == Guard::kNoError && is_made(*part)) continue;
    if (!AskFor(*part, check, &needs)) return nullptr;
  }
  Nodes args = {producer};
  for (const CoreNeed& need : needs) {
    if (need.check != Guard::kNoError || !is_made(*need.node)) args.push_back(NeedNode(need));
  }
  return args.size() == 1 ? producer : tree_.Make(CoreNode(CoreKind::kNeed), args);
}

const CoreNode* CoreLowering::NeedNode(const CoreNeed& need) {
  if (need.check == Guard::kNoError) return need.node;
  return tree_.Prim(CoreOp::kCheck, {need.node}, nullptr, static_cast<uint32_t>(need.check));
}

// Each element stands where the variable does: a table of rules becomes tests of paths against constants. A list of
// constants has no nodes for its elements.
const CoreNode* CoreLowering::LowerListed(const BoundFor& loop, Body body) {
  const BoundExpr& list = *loop.collection;
  ListedElements elements;
  Nodes values;
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
  const uint64_t each = NodesOfPass(loop);
  if (!has_elements || (each > kFewNodes && count * each > kMaxUnrolledNodes)) return nullptr;
  const Guard check = list.kind == BoundKind::kCall ? Guard::kUnmarked : Guard::kNoError;
  Nodes producers;
  for (size_t n = 0; n < count; ++n) {
    const bool is_listed = !elements.empty();
    const CoreNode* const value = is_listed ? Lower(*elements[n].expr) : values[n];
    if (value == nullptr) return nullptr;
    const bool is_cut_off = is_listed && elements[n].is_cut_off;
    const CoreNode* const producer = is_cut_off ? Seq({}) : body({value, nullptr});
    if (producer == nullptr) return nullptr;
    producers.push_back(Needing(producer, *value, check));
    if (producers.back() == nullptr) return nullptr;
  }
  return Seq(producers);
}

// Of a first element, a part is taken in the loop where that is known, so that no more is made.
const CoreNode* CoreLowering::LowerReduction(const Reduction& reduction) {
  if (reduction.kind == Reduction::Kind::kFirst) {
    const bool may_take_part = !reduction.steps.empty() && reduction.steps[0].key.is_string();
    const CoreNode* const of_part = may_take_part ? LowerFirst(reduction, /*takes_part=*/true) : nullptr;
    return of_part != nullptr ? of_part : LowerFirst(reduction, /*takes_part=*/false);
  }
  CoreNode node(CoreKind::kLoop, OpOf(reduction.kind));
  Nodes args(1);
  if (reduction.needle != nullptr) {
    args.push_back(Lower(*reduction.needle));
    if (args.back() == nullptr) return nullptr;
  }
  args[0] = LowerLoop(*reduction.loop, FailsEmpty(reduction), [&](const Element& element) -> const CoreNode* {
    return element.value->is_const() && element.value->is_null() ? nullptr : Yield(element.value);
  });
  if (args[0] == nullptr) return nullptr;
  Nodes before;
  for (const Value& number : reduction.before) before.push_back(Yield(tree_.Const(number)));
  if (!before.empty()) {
    before.push_back(args[0]);
    args[0] = Seq(before);
  }
  return tree_.Make(node, args);
}

// What a producer of one element that is sure to be there gives; null for others. The loop only names it.
const CoreNode* CoreLowering::OnlyElement(const CoreNode& producer, Guard check) {
  const bool needs = producer.kind == CoreKind::kNeed;
  const CoreNode& yield = needs ? *producer.args[0] : producer;
  if (yield.kind != CoreKind::kYield) return nullptr;
  CoreNeeds own;
  if (check != Guard::kNoError && !AskFor(*yield.args[0], check, &own)) return nullptr;
  Nodes args = {yield.args[0]};
  for (const CoreNeed& need : own) args.push_back(NeedNode(need));
  if (needs) args.insert(args.end(), producer.args.begin() + 1, producer.args.end());
  return args.size() == 1 ? args[0] : tree_.Make(CoreNode(CoreKind::kNeed), args);
}

// Of objects in the text, only the part that is asked for is made.
const CoreNode* CoreLowering::LowerFirst(const Reduction& reduction, bool takes_part) {
  CoreNode node(CoreKind::kLoop, CoreOp::kFirstOf);
  if (reduction.is_by_call) node.flags = kByFunction;
  const Guard check = reduction.is_by_call ? Guard::kUnmarked : Guard::kNoError;
  Nodes args(1);
  if (reduction.otherwise != nullptr) {
    if (!reduction.steps.empty()) return nullptr;
    args.push_back(tree_.Const(*reduction.otherwise));
  }
  const bool fails_empty = reduction.otherwise == nullptr;
  args[0] = LowerLoop(*reduction.loop, fails_empty, [&](const Element& element) -> const CoreNode* {
    if (!takes_part) return Yield(element.value);
    const CoreNode* const part = PartOf(*element.value, reduction.steps[0].key);
    return part == nullptr ? nullptr : Needing(Yield(part), *element.value, check);
  });
  if (args[0] == nullptr) return nullptr;
  const CoreNode* const only = OnlyElement(*args[0], check);
  return LowerSteps(only != nullptr ? only : tree_.Make(node, args), reduction.steps.subspan(takes_part ? 1 : 0));
}

}  // namespace hcl::internal

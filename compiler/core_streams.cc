// CoreLowering: lists whose elements are made one by one, by loops and by functions that put lists together. Tested by
// compiler/core_lists_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_filters.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_list_lowering.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/core_part_lowering.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {

// The elements of such a list; null for others.
const CoreNode* ListLowering::LowerStream(const BoundExpr& list, const Reading& reading, Body body) {
  switch (list.kind) {
    case BoundKind::kFor:
      return LowerInnerLoop(As<BoundFor>(list), reading, body);
    case BoundKind::kConditional:
      return LowerEither(As<BoundConditional>(list), reading, body);
    case BoundKind::kCall:
      return LowerListFunction(As<BoundCall>(list), reading, body);
    default:
      return nullptr;
  }
}

// Whether the elements of another loop may go to the reader one by one. `keeps_count`: there are as many as that loop
// has elements. Where the reader has none, its filter is asked for as the other loop's would be.
bool ListLowering::MayFuse(const BoundFor& inner, const Reading& reading, bool keeps_count) const {
  const BoundFor* const outer = reading.loop;
  // Functions take lists, and a splat takes an object as one element.
  const bool takes_objects = outer != nullptr && outer->splat == nullptr && !reading.is_part;
  if (inner.key != nullptr && !(takes_objects && KeepsKeys(inner))) return false;
  if (outer == nullptr) return true;
  OwedReads owed;
  const BoundKind source = inner.collection->kind;
  const bool is_read = source == BoundKind::kPath || source == BoundKind::kLocal;
  const bool is_clean = outer->condition == nullptr ||
                        (keeps_count && is_read && inner.condition == nullptr && reading.outer == nullptr) ||
                        (!reading.fails_empty && HasCleanFilter(*outer, &owed) && owed.empty());
  return is_clean && (inner.splat == nullptr || outer->splat == nullptr);
}

// A splat's list of lists would be converted to one type, and a null in one has the type of the others.
const CoreNode* ListLowering::LowerInnerLoop(const BoundFor& inner, const Reading& reading, Body body) {
  const BoundFor* const outer = reading.loop;
  const bool is_splat = inner.splat != nullptr;
  if (is_splat && (inner.splat->nests || (reading.takes_element && !IsSureTuple(*inner.collection)))) return nullptr;
  if (!MayFuse(inner, reading, /*keeps_count=*/true)) return nullptr;
  const bool is_asked = outer != nullptr || reading.is_part;
  Reading asked = reading;
  if (outer != nullptr && outer->condition != nullptr && inner.condition == nullptr) asked.outer = outer;
  return LowerLoop(inner, asked, [&](const Element& element) -> const CoreNode* {
    const CoreNode* const producer = body(element);
    return is_asked ? Asking(producer, *element.value, reading) : producer;
  });
}

// The elements of the lists that a loop makes, or reads. A list in one of these would be taken apart as well.
const CoreNode* ListLowering::LowerFlattened(const BoundFor& lists, const Reading& reading, Body body) {
  const BoundExpr& list = *lists.value;
  const bool is_flat = IsMadeOfElements(list) && HasFlatElements(list);
  const bool is_read = list.kind == BoundKind::kLocal || list.kind == BoundKind::kSteps;
  if (lists.splat != nullptr || !(is_flat || is_read) || !MayFuse(lists, reading, /*keeps_count=*/false))
    return nullptr;
  return LowerPasses(lists, reading, [&] {
    Reading part = reading;
    part.is_part = true;
    part.has_flat_elements = true;
    return is_flat ? LowerParts({lists.value}, reading, body) : LowerItems(list, /*flags=*/0, part, body);
  });
}

// The elements of the tuples that a loop makes. Without any of these, the function fails.
const CoreNode* ListLowering::LowerExpanded(const BoundFor& tuples, const Reading& reading, Body body) {
  const bool is_plain = tuples.key == nullptr && tuples.splat == nullptr && tuples.condition == nullptr;
  if (!is_plain || TupleLiteral(*tuples.value) == nullptr || !MayFuse(tuples, reading, /*keeps_count=*/false))
    return nullptr;
  const CoreNode* const elements =
      LowerPasses(tuples, reading, [&] { return LowerParts({tuples.value}, reading, body); });
  if (elements == nullptr || elements->kind != CoreKind::kItems) return nullptr;
  CoreNode node(CoreKind::kItems);
  node.index = elements->index;
  node.flags = elements->flags | kNeedsElements;
  return tree_.Make(node, elements->args);
}

// The producer, null or not, where `value` is there: it is an element of a list, whose errors are the list's, and whose
// marks are those of a list that a function makes.
const CoreNode* ListLowering::Asking(const CoreNode* producer, const CoreNode& value, const Reading& reading) {
  if (producer == nullptr) return nullptr;
  return needs_.Needing(producer, value,
                        reading.is_part && !reading.exits_on_marks ? Guard::kUnmarked : Guard::kNoError);
}

// What one list is not made of is not made.
const CoreNode* ListLowering::LowerEither(const BoundConditional& choice, const Reading& reading, Body body) {
  if (!reading.is_part || !IsListChoice(choice) || reading.loop != nullptr) return nullptr;
  CoreNodes args = {lowering_.Lower(*choice.condition)};
  if (args[0] == nullptr) return nullptr;
  for (const BoundExpr* const branch : {choice.if_true, choice.if_false}) {
    const CoreNode* const elements = IsEmptyList(*branch) ? Seq({}) : LowerElements(*branch, reading, body);
    if (elements == nullptr) return nullptr;
    args.push_back(elements);
  }
  return tree_.Make(CoreNode(CoreKind::kEither), args);
}

// What stands in the code for each part of a list is only so much more than the text.
const CoreNode* ListLowering::LowerParts(absl::Span<const BoundExpr* const> parts, Reading reading, Body body) {
  const auto is_empty = [](const BoundExpr* part) { return IsEmptyList(*part); };
  const auto count = static_cast<size_t>(std::count_if(parts.begin(), parts.end(), std::not_fn(is_empty)));
  if (count > 1 && (count - 1) * reading.nodes > kFewNodes) return nullptr;
  const bool has_elements = std::any_of(parts.begin(), parts.end(), [](const BoundExpr* part) {
    const BoundTuple* const tuple = TupleLiteral(*part);
    const Value* const constant = part->is_constant() ? &As<BoundConstant>(*part).value : nullptr;
    return (tuple != nullptr && !tuple->elements.empty()) ||
           (constant != nullptr && constant->is_tuple() && constant->size() > 0);
  });
  reading.is_part = true;
  reading.fails_empty = reading.fails_empty && !has_elements;
  if (count == 0) return nullptr;
  CoreNodes producers;
  for (const BoundExpr* part : parts) {
    if (IsEmptyList(*part)) continue;
    producers.push_back(LowerElements(*part, reading, body));
    if (producers.back() == nullptr) return nullptr;
  }
  return Seq(producers);
}

// What gives the same elements in the other order; null where there is no such.
const CoreNode* ListLowering::Reversed(const CoreNode& elements) {
  CoreNode node(elements.kind, elements.op);
  node.index = elements.index;
  node.flags = elements.flags;
  node.origin = elements.origin;
  CoreNodes args(elements.args.begin(), elements.args.end());
  const auto reverse = [&](size_t n) { return (args[n] = Reversed(*args[n])) != nullptr; };
  switch (elements.kind) {
    case CoreKind::kYield:
      return &elements;
    case CoreKind::kSeq:
      for (size_t n = 0; n < args.size(); ++n) {
        if (!reverse(n)) return nullptr;
      }
      return Seq(CoreNodes(args.rbegin(), args.rend()));
    case CoreKind::kItems:
      // Without elements, it begins at neither end.
      if ((elements.flags & (kNeedsElements | kOverSplat)) != 0 || !reverse(1)) return nullptr;
      node.flags ^= kBackwards;
      return tree_.Make(node, args);
    case CoreKind::kEither:
      return reverse(1) && reverse(2) ? tree_.Make(node, args) : nullptr;
    case CoreKind::kGuard:
      return reverse(1) ? tree_.Make(node, args) : nullptr;
    case CoreKind::kNeed:
    case CoreKind::kOpen:
      return reverse(0) ? tree_.Make(node, args) : nullptr;
    default:
      return nullptr;
  }
}

// By what the function does with elements. A list that is there as a whole is read as it is.
const CoreNode* ListLowering::LowerListFunction(const BoundCall& call, const Reading& reading, Body body) {
  if (call.arguments.empty() || call.height > kMaxListHeight) return nullptr;
  const bool is_splat = reading.loop != nullptr && reading.loop->splat != nullptr;
  const bool has_one = call.arguments.size() == 1;
  if (call.expand_last) {
    const bool expands_loop =
        has_one && call.function->special == Function::Special::kConcat && call.arguments[0]->kind == BoundKind::kFor;
    return expands_loop ? LowerExpanded(As<BoundFor>(*call.arguments[0]), reading, body) : nullptr;
  }
  switch (call.function->special) {
    case Function::Special::kConcat:
      return IsSureTuple(call) ? LowerParts(call.arguments, reading, body) : nullptr;
    case Function::Special::kReverse: {
      const CoreNode* const elements = has_one ? LowerParts(call.arguments, reading, body) : nullptr;
      if (elements == nullptr || reading.any_order) return elements;
      // What a function gives where there is no element has the type that elements would have.
      if (reading.takes_element && reading.loop == nullptr && elements->loops != 0) return nullptr;
      return Reversed(*elements);
    }
    case Function::Special::kFlatten: {
      if (has_one && call.arguments[0]->kind == BoundKind::kFor) {
        return LowerFlattened(As<BoundFor>(*call.arguments[0]), reading, body);
      }
      const bool is_list = has_one && call.arguments[0]->kind == BoundKind::kTuple;
      if (!is_list) return nullptr;
      const auto& lists = As<BoundTuple>(*call.arguments[0]).elements;
      const bool is_flat =
          std::all_of(lists.begin(), lists.end(), [](const BoundExpr* l) { return HasFlatElements(*l); });
      return is_flat ? LowerParts(lists, reading, body) : nullptr;
    }
    case Function::Special::kValues:
      return has_one && !is_splat ? LowerItems(*call.arguments[0], kOverMapping, reading, body) : nullptr;
    case Function::Special::kKeys:
      return has_one && !is_splat ? LowerItems(*call.arguments[0], kOverMapping | kOverKeys, reading, body) : nullptr;
    default:
      return nullptr;
  }
}

const CoreNode* ListLowering::LowerNamedElements(const BoundPath& path, const Reading& reading, Body body) {
  if (!path.steps.empty() || !lowering_.MayRepeat(*path.named)) return nullptr;
  return lowering_.Inline(*path.named, [&] { return LowerElements(path.named->tree->root(), reading, body); });
}

}  // namespace hcl::internal

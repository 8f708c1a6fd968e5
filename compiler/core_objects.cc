// CoreLowering: what is put together of the parts of objects and tuples, where these parts are nodes: the same parts in
// another order, or by other keys. Tested by compiler/core_lists_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_list_lowering.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_part_lowering.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Parts of which one is chosen by comparing the key with each.
constexpr size_t kFewParts = 4;

bool IsSameKey(const Value& a, const Value& b) { return a.AsString() == b.AsString(); }

// Of few texts.
bool AreDifferent(absl::Span<const Value> texts) {
  for (size_t n = 1; n < texts.size(); ++n) {
    const auto is_same = [&](const Value& text) { return IsSameKey(text, texts[n]); };
    if (std::any_of(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(n), is_same)) return false;
  }
  return true;
}

// From places in the slice to those in the list that it is taken from, which has to have the last one, too. False where
// that does not tell whether there are such.
bool TakeFromSlice(const CoreNode& slice, absl::InlinedVector<int64_t, 4>* places) {
  const auto is_place = [&](size_t n) { return slice.args[n]->is_const() && slice.args[n]->value.is_int(); };
  if (slice.args.size() != 3 || !is_place(1) || !is_place(2) || places->size() == kMaxInline) return false;
  const int64_t from = slice.args[1]->value.AsInt(), to = slice.args[2]->value.AsInt();
  if (from < 0 || to > INT16_MAX) return false;
  for (int64_t& place : *places) {
    if (place < 0 || place >= to - from) return false;
    place += from;
  }
  if (std::find(places->begin(), places->end(), to - 1) == places->end()) places->push_back(to - 1);
  return true;
}

// Whether `place` is that of the last piece of a text of which `list` has all.
bool IsLastPlace(const CoreNode& place, const CoreNode& list) {
  if (!place.is(CoreOp::kSubtract) || !place.args[1]->is_const() || !place.args[0]->is(CoreOp::kPieces)) return false;
  const Value& one = place.args[1]->value;
  return list.kind == CoreKind::kCall && list.args == place.args[0]->args && one.is_int() && one.AsInt() == 1;
}

// Whether `condition` is that the key of `index` is one that the constant has.
bool AsksForKeys(const CoreNode& condition, const CoreNode& index) {
  const Value& whole = index.args[0]->value;
  if (!condition.is(CoreOp::kIn) || condition.args[0] != index.args[1] || !whole.is_object()) return false;
  const Value& sought = As<BoundConstant>(*As<BoundCall>(*condition.origin).arguments[0]).value;
  const absl::Span<const Value> keys = sought.is_tuple() ? sought.elements() : absl::Span<const Value>();
  const auto is_key = [&](const Value& key) { return key.is_string() && whole.shape().Find(key) >= 0; };
  return keys.size() == whole.shape().size && keys.size() <= kFewParts &&
         std::all_of(keys.begin(), keys.end(), is_key) && AreDifferent(keys);
}

}  // namespace

// The keys differ. Null where there are too many.
const CoreNode* PartLowering::ObjectOf(const Parts& parts, SourceRange range) {
  if (parts.empty() || parts.size() > kMaxInline) return nullptr;
  absl::InlinedVector<Value, 8> keys;
  for (const Part& part : parts) keys.push_back(part.key);
  absl::InlinedVector<uint32_t, 8> positions(keys.size());
  auto* const object = tree_.arena()->New<BoundObject>(range);
  object->shape = lowering_.binder().AddShape(keys, absl::MakeSpan(positions), &object->shape_index);
  if (object->shape_index > UINT16_MAX) return nullptr;
  CoreNodes values(parts.size());
  for (size_t n = 0; n < parts.size(); ++n) values[positions[n]] = parts[n].value;
  CoreNode node(CoreKind::kObject);
  node.origin = object;
  return tree_.Make(node, values);
}

// Where all parts of an object are constants, or chosen among these, the object is chosen among constants. Null for
// others.
const CoreNode* PartLowering::ChoiceOfObjects(const BoundObject& expr, const CoreNodes& items, int choices) {
  constexpr int kMostChoices = 4;
  const auto open = std::find_if(items.begin(), items.end(), [](const CoreNode* item) { return !item->is_const(); });
  if (open == items.end()) {
    if (choices == 0) return nullptr;
    std::vector<Value> values;
    for (const CoreNode* item : items) values.push_back(item->value);
    return tree_.Const(lowering_.binder().ObjectConstant(expr.shape, values));
  }
  if ((*open)->kind != CoreKind::kIf || choices == kMostChoices) return nullptr;
  const CoreNode* const condition = (*open)->args[0];
  CoreNodes parts = {condition};
  for (const size_t branch : {1, 2}) {
    CoreNodes taken(items);
    for (const CoreNode*& item : taken) {
      if (item->kind == CoreKind::kIf && item->args[0] == condition) item = item->args[branch];
    }
    parts.push_back(ChoiceOfObjects(expr, taken, choices + 1));
    if (parts.back() == nullptr) return nullptr;
  }
  return tree_.Make(CoreNode(CoreKind::kIf), parts);
}

const CoreNode* PartLowering::LowerObject(const BoundObject& expr) {
  if (!expr.is_short()) return nullptr;
  CoreNodes items(expr.items.size());
  for (const BoundItem& item : expr.items) {
    items[item.position] = lowering_.Lower(*item.value);
    if (items[item.position] == nullptr) return nullptr;
  }
  if (const CoreNode* const choice = ChoiceOfObjects(expr, items, /*choices=*/0)) return choice;
  CoreNode node(CoreKind::kObject);
  node.origin = &expr;
  return tree_.Make(node, items);
}

// A function that only picks or orders parts of what it is given is not called where these are nodes.
const CoreNode* PartLowering::LowerPartsCall(const BoundCall& call) {
  CoreNodes arguments;
  if (call.site == BoundCall::kNone || call.arguments.empty() || !lowering_.LowerAll(call.arguments, &arguments))
    return nullptr;
  const CoreNode* parts;
  switch (call.function->special) {
    case Function::Special::kMerge:
      parts = MergeOf(call, arguments);
      break;
    case Function::Special::kElement:
      parts = ElementOf(arguments);
      break;
    default:
      parts = arguments.size() == 1 ? ListOfParts(*arguments[0], call.is(Function::Special::kReverse)) : nullptr;
  }
  return parts != nullptr ? parts : lowering_.CallOf(call, arguments);
}

// The elements of a tuple, the last one first, or the values of an object. All of them have to be there.
const CoreNode* PartLowering::ListOfParts(const CoreNode& whole, bool reverses) {
  const bool has_needs = whole.kind == CoreKind::kNeed;
  const CoreNode& made = has_needs ? *whole.args[0] : whole;
  if (made.kind != (reverses ? CoreKind::kTuple : CoreKind::kObject) || made.args.empty()) return nullptr;
  CoreNodes elements;
  for (const CoreNode* part : made.args) elements.push_back(lists_.Yield(part));
  if (reverses) std::reverse(elements.begin(), elements.end());
  CoreNodes needs = {lists_.ListOf(lists_.Seq(elements), Guard::kWhole)};
  if (has_needs) needs.insert(needs.end(), whole.args.begin() + 1, whole.args.end());
  return needs_.Make(needs);
}

// Places are counted around. What the function finds has the marks of all elements.
const CoreNode* PartLowering::ElementOf(const CoreNodes& arguments) {
  if (arguments.size() == 2 && IsLastPlace(*arguments[1], *arguments[0])) {
    return PieceOf(*arguments[0], -1, /*by_function=*/true);
  }
  if (arguments.size() != 2 || !arguments[1]->is_const() || !arguments[1]->value.is_int()) return nullptr;
  const CoreNode& list = *arguments[0];
  if (const CoreNode* const piece = PieceAt(list, arguments[1]->value, /*by_function=*/true)) return piece;
  const int64_t place = arguments[1]->value.AsInt();
  if (place < 0 || list.kind != CoreKind::kTuple || list.args.empty()) return nullptr;
  CoreNeeds needs;
  if (!needs_.AskFor(list, Guard::kUnmarked, &needs)) return nullptr;
  CoreNodes args = {list.args[static_cast<size_t>(place) % list.args.size()]};
  needs_.Append(needs, &args);
  return needs_.Make(args);
}

// A later object has its way. All that is given has to be known, also what is not taken.
const CoreNode* PartLowering::MergeOf(const BoundCall& call, const CoreNodes& objects) {
  Parts parts;
  CoreNodes args(1);
  for (const CoreNode* given : objects) {
    const bool has_needs = given->kind == CoreKind::kNeed;
    if (has_needs) args.insert(args.end(), given->args.begin() + 1, given->args.end());
    const CoreNode& object = has_needs ? *given->args[0] : *given;
    const bool is_constant = object.is_const() && object.value.is_object();
    if (!is_constant && object.kind != CoreKind::kObject) return nullptr;
    const Shape& shape = is_constant ? object.value.shape() : *As<BoundObject>(*object.origin).shape;
    if (parts.size() + shape.size > kMaxInline) return nullptr;
    CoreNeeds needs;
    if (!needs_.AskFor(object, Guard::kWhole, &needs)) return nullptr;
    needs_.Append(needs, &args);
    for (uint32_t n = 0; n < shape.size; ++n) {
      const Part part{shape.keys[n], is_constant ? tree_.Const(object.value.values()[n]) : object.args[n]};
      const auto same =
          std::find_if(parts.begin(), parts.end(), [&](const Part& other) { return IsSameKey(other.key, part.key); });
      same != parts.end() ? void(*same = part) : parts.push_back(part);
    }
  }
  args[0] = ObjectOf(parts, call.range);
  return args[0] == nullptr ? nullptr : needs_.Make(args);
}

// The parts of what stands in the text, with their keys, if they are few, and each is a constant or read: one that is
// put together would stand in the code where it is chosen and where it has to be there. None for others.
PartLowering::Parts PartLowering::FewParts(const CoreNode& whole) {
  const CoreNode& made = whole.kind == CoreKind::kNeed ? *whole.args[0] : whole;
  const bool is_constant = made.is_const() && (made.value.is_object() || made.value.is_tuple());
  const bool is_object = is_constant ? made.value.is_object() : made.kind == CoreKind::kObject;
  if (!is_constant && !is_object && made.kind != CoreKind::kTuple) return {};
  const size_t count = is_constant ? made.value.size() : made.args.size();
  const auto is_simple = [](const CoreNode* part) {
    return part->is_const() || part->kind == CoreKind::kSlot || part->kind == CoreKind::kVar ||
           part->kind == CoreKind::kLocal || part->kind == CoreKind::kStep;
  };
  if (count > kFewParts || !std::all_of(made.args.begin(), made.args.end(), is_simple)) return {};
  Parts parts;
  for (size_t n = 0; n < count; ++n) {
    const Shape* const shape = !is_object    ? nullptr
                               : is_constant ? &made.value.shape()
                                             : As<BoundObject>(*made.origin).shape;
    const Value key = is_object ? shape->keys[n] : Value::Int(static_cast<int64_t>(n));
    const absl::Span<const Value> values = !is_constant ? absl::Span<const Value>()
                                           : is_object  ? made.value.values()
                                                        : made.value.elements();
    parts.push_back({key, is_constant ? tree_.Const(values[n]) : made.args[n]});
  }
  return parts;
}

// What stands at a key that only a run knows: it is compared with each. `otherwise` is there for other keys. All of
// `whole` has to pass `check`.
const CoreNode* PartLowering::ChoiceByKey(const CoreNode& whole, const CoreNode* key, const CoreNode* otherwise,
                                          Guard check) {
  const Parts parts = FewParts(whole);
  if (parts.empty()) return nullptr;
  CoreNeeds needs;
  if (!needs_.AskFor(whole, check, &needs)) return nullptr;
  CoreNodes args = {otherwise};
  for (size_t n = parts.size(); n-- > 0;) {
    const CoreNode* const is_key = tree_.Prim(CoreOp::kEqual, {key, tree_.Const(parts[n].key)});
    args[0] = tree_.Make(CoreNode(CoreKind::kIf), {is_key, parts[n].value, args[0]});
  }
  needs_.Append(needs, &args);
  return needs_.Make(args);
}

// The same where all is known, and the key is a text: what else it is would be converted, or fail.
const CoreNode* PartLowering::ChoiceOf(const CoreNode& whole, const CoreNode* key, const CoreNode* otherwise) {
  const CoreNode& mapping = whole.kind == CoreKind::kNeed ? *whole.args[0] : whole;
  const bool is_object = mapping.kind == CoreKind::kObject || (mapping.is_const() && mapping.value.is_object());
  const CoreNode* const choice = is_object ? ChoiceByKey(whole, key, otherwise, Guard::kWhole) : nullptr;
  if (choice == nullptr) return nullptr;
  CoreNeeds needs;
  AppendNeeds(*key, Guard::kString, &needs);
  CoreNodes args = {choice};
  needs_.Append(needs, &args);
  return needs_.Make(args);
}

const CoreNode* PartLowering::ByKey(const CoreNode* choice) {
  const bool is_try = choice->kind == CoreKind::kTry && choice->args.size() == 2;
  if (!is_try && choice->kind != CoreKind::kIf) return choice;
  const CoreNode& taken = *choice->args[is_try ? 0 : 1];
  const CoreNode* const otherwise = choice->args.back();
  const bool asks = is_try ? state_.tried == 0 : taken.kind == CoreKind::kIndex && AsksForKeys(*choice->args[0], taken);
  if (taken.kind != CoreKind::kIndex || !asks) return choice;
  const CoreNode* const by_key = ChoiceOf(*taken.args[0], taken.args[1], otherwise);
  return by_key != nullptr ? by_key : choice;
}

// Where there is no such key, the slow path says so, unless the value is only sought.
const CoreNode* PartLowering::LowerIndex(const BoundIndex& expr, bool is_sought) {
  const CoreNode* const source = lowering_.Lower(*expr.source);
  const CoreNode* const key = source == nullptr ? nullptr : lowering_.Lower(*expr.key);
  if (key == nullptr) return nullptr;
  if (!is_sought && state_.tried == 0) {
    // Null is no bool, so that this exits.
    const CoreNode* const null = tree_.Const(Value::Null());
    const CoreNode* const leaving = needs_.Make({null, needs_.NeedNode({null, Guard::kBool})});
    if (const CoreNode* const choice = ChoiceByKey(*source, key, leaving, Guard::kNoError)) return choice;
  }
  if (IsLastPlace(*key, *source)) {
    if (const CoreNode* const piece = PieceOf(*source, -1, /*by_function=*/true)) return piece;
  }
  CoreNode node(CoreKind::kIndex);
  node.origin = &expr;
  return tree_.Make(node, {source, key});
}

// A key that is no text is converted by the function, which looks at all that it is given.
const CoreNode* PartLowering::LowerLookup(const BoundCall& call) {
  CoreNodes arguments;
  if (!lowering_.LowerAll(call.arguments, &arguments)) return nullptr;
  const CoreNode* const choice = ChoiceOf(*arguments[0], arguments[1], arguments[2]);
  if (choice == nullptr) return tree_.Prim(CoreOp::kLookup, arguments, &call);
  CoreNeeds needs;
  if (!needs_.AskFor(*arguments[2], Guard::kWhole, &needs)) return nullptr;
  CoreNodes args = {choice};
  needs_.Append(needs, &args);
  return needs_.Make(args);
}

// Where the keys are constants: the loop only names what is there, or changes it.
const CoreNode* PartLowering::LowerObjectFor(const BoundFor& loop) {
  if (loop.group || !(ObjectLiteral(*loop.collection) != nullptr || TupleLiteral(*loop.collection) != nullptr)) {
    return nullptr;
  }
  const CoreNode* const made = lowering_.Lower(*loop.collection);
  if (made == nullptr || !(made->kind == CoreKind::kObject || made->kind == CoreKind::kTuple)) return nullptr;
  if (!MayUnroll(made->args.size(), loop.value->size() + loop.key->size(), made->size)) return nullptr;
  const Shape* const shape = made->kind == CoreKind::kObject ? As<BoundObject>(*made->origin).shape : nullptr;
  Parts parts;
  for (size_t n = 0; n < made->args.size(); ++n) {
    const size_t outer = state_.bindings.size();
    if (loop.variables.value != nullptr) state_.bindings.push_back({loop.variables.value, made->args[n]});
    const Value place = shape != nullptr ? shape->keys[n] : Value::Int(static_cast<int64_t>(n));
    if (loop.variables.key != nullptr) state_.bindings.push_back({loop.variables.key, tree_.Const(place)});
    const CoreNode* const condition = loop.condition == nullptr ? tree_.Bool(true) : lowering_.Lower(*loop.condition);
    const CoreNode* const key = lowering_.Lower(*loop.key);
    const CoreNode* const value = lowering_.Lower(*loop.value);
    state_.bindings.resize(outer);
    const bool has_key = key != nullptr && key->is_const() && key->value.is_string();
    if (condition == nullptr || !condition->is_bool(true) || !has_key || value == nullptr) return nullptr;
    const bool is_same =
        std::any_of(parts.begin(), parts.end(), [&](const Part& other) { return IsSameKey(other.key, key->value); });
    if (is_same) return nullptr;
    parts.push_back({key->value, value});
  }
  CoreNodes args = {ObjectOf(parts, loop.range)};
  if (args[0] == nullptr) return nullptr;
  CoreNeeds needs;
  if (!needs_.AskFor(*made, Guard::kNoError, &needs)) return nullptr;
  needs_.Append(needs, &args);
  return needs_.Make(args);
}

// The steps are all that reads what is made, of which each part has to be there. Where they lead nowhere, the slow path
// says so: null.
const CoreNode* PartLowering::LowerStepsOfMade(const CoreNode* made, absl::Span<const BoundStep> steps) {
  const CoreNode* const part = lowering_.LowerSteps(made, steps);
  const CoreNode* const parts = made != nullptr && made->kind == CoreKind::kNeed ? made->args[0] : made;
  const bool has_parts = parts != nullptr && (parts->kind == CoreKind::kObject || parts->kind == CoreKind::kTuple);
  if (part == nullptr || steps.empty() || !has_parts) return part;
  return needs_.PartOf(*parts, steps[0].key) == nullptr ? nullptr : needs_.PartOfMade(*parts, *part);
}

// What a merge of these has at that key, without making it: the last mapping that has it gives it. Without a value for
// what none has, that fails; with one, nothing may be unknown, as that would be what is found, too.
const CoreNode* PartLowering::LowerMerged(absl::Span<const BoundExpr* const> mappings, const Value& key,
                                          const BoundExpr* otherwise) {
  CoreNodes attempts, args(1);
  CoreNeeds needs;
  bool is_found = false;
  for (size_t n = mappings.size(); n-- > 0;) {
    const CoreNode* const mapping = lowering_.Lower(*mappings[n]);
    if (mapping == nullptr) return nullptr;
    const bool is_object = mapping->kind == CoreKind::kObject || (mapping->is_const() && mapping->value.is_object());
    const CoreNode* const part = needs_.PartOf(*mapping, key);
    if (!is_object) needs.push_back({mapping, Guard::kMapping});
    const bool is_asked = is_object || otherwise != nullptr;
    if (is_asked && !needs_.AskFor(*mapping, otherwise != nullptr ? Guard::kWhole : Guard::kUnmarked, &needs))
      return nullptr;
    CoreNode step(CoreKind::kStep);
    step.value = key;
    step.index = kNoIndex;
    if (!is_found && (part != nullptr || !is_object)) {
      attempts.push_back(part != nullptr ? part : tree_.Make(step, {mapping}));
    }
    is_found = is_found || part != nullptr;
  }
  if (otherwise != nullptr) {
    const CoreNode* const value = lowering_.Lower(*otherwise);
    if (value == nullptr) return nullptr;
    if (!needs_.AskFor(*value, Guard::kWhole, &needs)) return nullptr;
    if (!is_found) attempts.push_back(value);
  }
  if (attempts.empty()) return nullptr;
  args[0] = attempts.size() == 1 ? attempts[0] : tree_.Make(CoreNode(CoreKind::kTry), attempts);
  needs_.Append(needs, &args);
  return needs_.Make(args);
}

// A piece of what is split, or of a part of that, which is not made. From the end, the last place is -1. Null for other
// lists. `by_function`: where there is no such piece, it gives another one. Each slice asks for the last piece that it
// takes as well, so that all places go down to the split together.
const CoreNode* PartLowering::PieceOf(const CoreNode& list, int64_t place, bool by_function) {
  absl::InlinedVector<int64_t, 4> places = {place};
  CoreNodes needs;
  const auto may_be_piece = [](int64_t at) { return at >= INT16_MIN && at <= INT16_MAX; };
  const CoreNode* at = &list;
  for (;;) {
    if (!std::all_of(places.begin(), places.end(), may_be_piece)) return nullptr;
    if (at->kind == CoreKind::kNeed) {
      // The pieces of a text are a list of texts, without marks where the text has none.
      const auto is_of_list = [at](const CoreNode* need) {
        return need->is(CoreOp::kCheck) && need->args[0] == at->args[0];
      };
      std::remove_copy_if(at->args.begin() + 1, at->args.end(), std::back_inserter(needs), is_of_list);
      at = at->args[0];
      continue;
    }
    if (at->kind != CoreKind::kCall || As<BoundCall>(*at->origin).expand_last) return nullptr;
    const auto special = As<BoundCall>(*at->origin).function->special;
    if (special == Function::Special::kSplit) break;
    if (special == Function::Special::kReverse) {
      for (int64_t& one : places) one = -1 - one;
    } else if (special != Function::Special::kSlice || !TakeFromSlice(*at, &places)) {
      return nullptr;
    }
    by_function = true;
    at = at->args[0];
  }
  if (at->args.size() != 2) return nullptr;
  CoreNodes pieces;
  for (size_t n = 0; n < places.size(); ++n) {
    const bool is_other = by_function || n > 0;
    const uint32_t index = static_cast<uint16_t>(places[n]) | (is_other ? kOtherPiece : 0);
    pieces.push_back(tree_.Prim(CoreOp::kPiece, at->args, at->origin, index));
  }
  pieces.insert(pieces.end(), needs.begin(), needs.end());
  return needs_.Make(pieces);
}

const CoreNode* PartLowering::PieceAt(const CoreNode& list, const Value& place, bool by_function) {
  if (!place.is_int() || (place.AsInt() < 0 && !by_function)) return nullptr;
  return PieceOf(list, place.AsInt(), by_function);
}

}  // namespace hcl::internal

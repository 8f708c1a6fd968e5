// CoreLowering: what is put together of the parts of objects and tuples, where these parts are nodes: the same parts in
// another order, or by other keys. Tested by compiler/core_lists_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

bool IsSameKey(const Value& a, const Value& b) { return a.AsString() == b.AsString(); }

}  // namespace

// The keys differ. Null where there are too many.
const CoreNode* CoreLowering::ObjectOf(const Parts& parts, SourceRange range) {
  if (parts.empty() || parts.size() > kMaxInline) return nullptr;
  absl::InlinedVector<Value, 8> keys;
  for (const Part& part : parts) keys.push_back(part.key);
  absl::InlinedVector<uint32_t, 8> positions(keys.size());
  auto* const object = tree_.arena()->New<BoundObject>(range);
  object->shape = binder_.AddShape(keys, absl::MakeSpan(positions), &object->shape_index);
  if (object->shape_index > UINT16_MAX) return nullptr;
  Nodes values(parts.size());
  for (size_t n = 0; n < parts.size(); ++n) values[positions[n]] = parts[n].value;
  CoreNode node(CoreKind::kObject);
  node.origin = object;
  return tree_.Make(node, values);
}

// Where all parts of an object are constants, or chosen among these, the object is chosen among constants. Null for
// others.
const CoreNode* CoreLowering::ChoiceOfObjects(const BoundObject& expr, const Nodes& items, int choices) {
  constexpr int kMostChoices = 4;
  const auto open = std::find_if(items.begin(), items.end(), [](const CoreNode* item) { return !item->is_const(); });
  if (open == items.end()) {
    if (choices == 0) return nullptr;
    std::vector<Value> values;
    for (const CoreNode* item : items) values.push_back(item->value);
    return tree_.Const(binder_.ObjectConstant(expr.shape, values));
  }
  if ((*open)->kind != CoreKind::kIf || choices == kMostChoices) return nullptr;
  const CoreNode* const condition = (*open)->args[0];
  Nodes parts = {condition};
  for (const size_t branch : {1, 2}) {
    Nodes taken(items);
    for (const CoreNode*& item : taken) {
      if (item->kind == CoreKind::kIf && item->args[0] == condition) item = item->args[branch];
    }
    parts.push_back(ChoiceOfObjects(expr, taken, choices + 1));
    if (parts.back() == nullptr) return nullptr;
  }
  return tree_.Make(CoreNode(CoreKind::kIf), parts);
}

const CoreNode* CoreLowering::LowerObject(const BoundObject& expr) {
  if (!expr.is_short()) return nullptr;
  Nodes items(expr.items.size());
  for (const BoundItem& item : expr.items) {
    items[item.position] = Lower(*item.value);
    if (items[item.position] == nullptr) return nullptr;
  }
  if (const CoreNode* const choice = ChoiceOfObjects(expr, items, /*choices=*/0)) return choice;
  CoreNode node(CoreKind::kObject);
  node.origin = &expr;
  return tree_.Make(node, items);
}

// A function that only picks or orders parts of what it is given is not called where these are nodes.
const CoreNode* CoreLowering::LowerPartsCall(const BoundCall& call) {
  Nodes arguments;
  if (call.site == BoundCall::kNone || call.arguments.empty() || !LowerAll(call.arguments, &arguments)) return nullptr;
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
  return parts != nullptr ? parts : CallOf(call, arguments);
}

// The elements of a tuple, the last one first, or the values of an object. All of them have to be there.
const CoreNode* CoreLowering::ListOfParts(const CoreNode& whole, bool reverses) {
  const bool has_needs = whole.kind == CoreKind::kNeed;
  const CoreNode& made = has_needs ? *whole.args[0] : whole;
  if (made.kind != (reverses ? CoreKind::kTuple : CoreKind::kObject) || made.args.empty()) return nullptr;
  Nodes elements;
  for (const CoreNode* part : made.args) elements.push_back(Yield(part));
  if (reverses) std::reverse(elements.begin(), elements.end());
  Nodes needs = {ListOf(Seq(elements), Guard::kWhole)};
  if (has_needs) needs.insert(needs.end(), whole.args.begin() + 1, whole.args.end());
  return tree_.Make(CoreNode(CoreKind::kNeed), needs);
}

// Places are counted around. What the function finds has the marks of all elements.
const CoreNode* CoreLowering::ElementOf(const Nodes& arguments) {
  if (arguments.size() != 2 || !arguments[1]->is_const() || !arguments[1]->value.is_int()) return nullptr;
  const CoreNode& list = *arguments[0];
  if (const CoreNode* const piece = PieceAt(list, arguments[1]->value, /*by_function=*/true)) return piece;
  const int64_t place = arguments[1]->value.AsInt();
  if (place < 0 || list.kind != CoreKind::kTuple || list.args.empty()) return nullptr;
  CoreNeeds needs;
  if (!AskFor(list, Guard::kUnmarked, &needs)) return nullptr;
  Nodes args = {list.args[static_cast<size_t>(place) % list.args.size()]};
  for (const CoreNeed& need : needs) args.push_back(NeedNode(need));
  return tree_.Make(CoreNode(CoreKind::kNeed), args);
}

// A later object has its way. All that is given has to be known, also what is not taken.
const CoreNode* CoreLowering::MergeOf(const BoundCall& call, const Nodes& objects) {
  Parts parts;
  Nodes args(1);
  for (const CoreNode* given : objects) {
    const bool has_needs = given->kind == CoreKind::kNeed;
    if (has_needs) args.insert(args.end(), given->args.begin() + 1, given->args.end());
    const CoreNode& object = has_needs ? *given->args[0] : *given;
    const bool is_constant = object.is_const() && object.value.is_object();
    if (!is_constant && object.kind != CoreKind::kObject) return nullptr;
    const Shape& shape = is_constant ? object.value.shape() : *As<BoundObject>(*object.origin).shape;
    if (parts.size() + shape.size > kMaxInline) return nullptr;
    CoreNeeds needs;
    if (!AskFor(object, Guard::kWhole, &needs)) return nullptr;
    for (const CoreNeed& need : needs) args.push_back(NeedNode(need));
    for (uint32_t n = 0; n < shape.size; ++n) {
      const Part part{shape.keys[n], is_constant ? tree_.Const(object.value.values()[n]) : object.args[n]};
      const auto same =
          std::find_if(parts.begin(), parts.end(), [&](const Part& other) { return IsSameKey(other.key, part.key); });
      same != parts.end() ? void(*same = part) : parts.push_back(part);
    }
  }
  args[0] = ObjectOf(parts, call.range);
  return args[0] == nullptr ? nullptr : tree_.Make(CoreNode(CoreKind::kNeed), args);
}

// The parts of what stands in the text, with their keys, if they are few: none for others.
CoreLowering::Parts CoreLowering::FewParts(const CoreNode& whole) {
  constexpr size_t kFew = 4;
  const CoreNode& made = whole.kind == CoreKind::kNeed ? *whole.args[0] : whole;
  const bool is_constant = made.is_const() && (made.value.is_object() || made.value.is_tuple());
  const bool is_object = is_constant ? made.value.is_object() : made.kind == CoreKind::kObject;
  if (!is_constant && !is_object && made.kind != CoreKind::kTuple) return {};
  const size_t count = is_constant ? made.value.size() : made.args.size();
  if (count > kFew) return {};
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
const CoreNode* CoreLowering::ChoiceByKey(const CoreNode& whole, const CoreNode* key, const CoreNode* otherwise,
                                          Guard check) {
  const Parts parts = FewParts(whole);
  if (parts.empty()) return nullptr;
  CoreNeeds needs;
  if (!AskFor(whole, check, &needs)) return nullptr;
  Nodes args = {otherwise};
  for (size_t n = parts.size(); n-- > 0;) {
    const CoreNode* const is_key = tree_.Prim(CoreOp::kEqual, {key, tree_.Const(parts[n].key)});
    args[0] = tree_.Make(CoreNode(CoreKind::kIf), {is_key, parts[n].value, args[0]});
  }
  for (const CoreNeed& need : needs) args.push_back(NeedNode(need));
  return tree_.Make(CoreNode(CoreKind::kNeed), args);
}

// Where there is no such key, the slow path says so, unless the value is only sought.
const CoreNode* CoreLowering::LowerIndex(const BoundIndex& expr, bool is_sought) {
  const CoreNode* const source = Lower(*expr.source);
  const CoreNode* const key = source == nullptr ? nullptr : Lower(*expr.key);
  if (key == nullptr) return nullptr;
  const bool may_choose = !is_sought && tried_ == 0 && !FewParts(*source).empty();
  const CoreNode* const choice =
      may_choose ? ChoiceByKey(*source, key, General(expr, kByFunction), Guard::kNoError) : nullptr;
  if (choice != nullptr) return choice;
  CoreNode node(CoreKind::kIndex);
  node.origin = &expr;
  return tree_.Make(node, {source, key});
}

// A key that is no text is converted by the function, which looks at all that it is given.
const CoreNode* CoreLowering::LowerLookup(const BoundCall& call) {
  Nodes arguments;
  if (!LowerAll(call.arguments, &arguments)) return nullptr;
  const CoreNode& mapping = arguments[0]->kind == CoreKind::kNeed ? *arguments[0]->args[0] : *arguments[0];
  const bool is_object = mapping.kind == CoreKind::kObject || (mapping.is_const() && mapping.value.is_object());
  const CoreNode* const choice =
      is_object ? ChoiceByKey(*arguments[0], arguments[1], arguments[2], Guard::kWhole) : nullptr;
  if (choice == nullptr) return tree_.Prim(CoreOp::kLookup, arguments, &call);
  CoreNeeds needs;
  AppendNeeds(*arguments[1], Guard::kString, &needs);
  if (!AskFor(*arguments[2], Guard::kWhole, &needs)) return nullptr;
  Nodes args = {choice};
  for (const CoreNeed& need : needs) args.push_back(NeedNode(need));
  return tree_.Make(CoreNode(CoreKind::kNeed), args);
}

// Where the keys are constants: the loop only names what is there, or changes it.
const CoreNode* CoreLowering::LowerObjectFor(const BoundFor& loop) {
  if (loop.group || !(ObjectLiteral(*loop.collection) != nullptr || TupleLiteral(*loop.collection) != nullptr)) {
    return nullptr;
  }
  const CoreNode* const made = Lower(*loop.collection);
  if (made == nullptr || !(made->kind == CoreKind::kObject || made->kind == CoreKind::kTuple)) return nullptr;
  if (!MayUnroll(made->args.size(), loop.value->size() + loop.key->size(), made->size)) return nullptr;
  const Shape* const shape = made->kind == CoreKind::kObject ? As<BoundObject>(*made->origin).shape : nullptr;
  Parts parts;
  for (size_t n = 0; n < made->args.size(); ++n) {
    const size_t outer = bindings_.size();
    if (loop.variables.value != nullptr) bindings_.push_back({loop.variables.value, made->args[n]});
    const Value place = shape != nullptr ? shape->keys[n] : Value::Int(static_cast<int64_t>(n));
    if (loop.variables.key != nullptr) bindings_.push_back({loop.variables.key, tree_.Const(place)});
    const CoreNode* const condition = loop.condition == nullptr ? tree_.Bool(true) : Lower(*loop.condition);
    const CoreNode* const key = Lower(*loop.key);
    const CoreNode* const value = Lower(*loop.value);
    bindings_.resize(outer);
    const bool has_key = key != nullptr && key->is_const() && key->value.is_string();
    if (condition == nullptr || !condition->is_bool(true) || !has_key || value == nullptr) return nullptr;
    const bool is_same =
        std::any_of(parts.begin(), parts.end(), [&](const Part& other) { return IsSameKey(other.key, key->value); });
    if (is_same) return nullptr;
    parts.push_back({key->value, value});
  }
  Nodes args = {ObjectOf(parts, loop.range)};
  if (args[0] == nullptr) return nullptr;
  CoreNeeds needs;
  if (!AskFor(*made, Guard::kNoError, &needs)) return nullptr;
  for (const CoreNeed& need : needs) args.push_back(NeedNode(need));
  return tree_.Make(CoreNode(CoreKind::kNeed), args);
}

}  // namespace hcl::internal

// CoreLowering: choices between values of which one is taken, and whose types all count. Tested by
// compiler/core_test.cc.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Whether both are of one type wherever they are there, so that what is not taken does not count.
bool AreOfOneType(const BoundExpr& a, const BoundExpr& b) {
  return !a.type.is_dynamic() && a.type == b.type && a.never_null && b.never_null && HasFirmType(a) && HasFirmType(b);
}

// Whether the text tells the type that the branch counts with where it is not taken, also where it fails.
bool TellsType(const BoundExpr& branch) {
  return branch.has_primitive_type() && HasFirmType(branch) && !branch.is_constant();
}

// Of a bool, number or string.
KindSet KindOf(Type type) {
  return type == Type::Bool() ? kBoolKind : type == Type::Number() ? kNumberKind : kStringKind;
}
bool IsOfKind(const CoreNode& value, Type type) { return (value.kinds & ~KindOf(type)) == 0; }

// What the branches of a nest of choices are.
struct Leaves {
  bool has_null = false;       // in the text
  bool has_structure = false;  // a list or object in the text, whose type is that of nothing else
  bool is_mixed = false;       // a choice in it has a type of its own
  size_t count = 0;
};

void AddLeaves(const BoundConditional& choice, Leaves* leaves) {
  for (const BoundExpr* branch : {choice.if_true, choice.if_false}) {
    if (IsChoice(*branch)) {
      const auto& inner = As<BoundConditional>(*branch);
      leaves->is_mixed = leaves->is_mixed || !inner.common_type.is_dynamic() || inner.shape != nullptr;
      AddLeaves(inner, leaves);
      continue;
    }
    ++leaves->count;
    leaves->has_null = leaves->has_null || IsNull(*branch);
    leaves->has_structure = leaves->has_structure || IsStructure(*branch) || IsConstantStructure(*branch);
  }
}

// False where another type is known already.
bool AddStaticType(Type type, Type* known) {
  if (!known->is_dynamic() && *known != type) return false;
  *known = type;
  return true;
}

// The types that the text tells of the values at each position of the objects. False where it tells several at one, and
// for nulls, lists and objects in the text, and long objects.
bool AddStaticTypes(const BoundConditional& choice, std::vector<Type>* known) {
  for (const BoundExpr* branch : {choice.if_true, choice.if_false}) {
    if (IsChoice(*branch)) {
      if (!AddStaticTypes(As<BoundConditional>(*branch), known)) return false;
      continue;
    }
    const BoundObject* const object = ObjectLiteral(*branch);
    if (object == nullptr || !object->is_short()) return false;
    if (branch->is_constant()) {
      // Its values tell their types, whatever made them.
      const absl::Span<const Value> values = As<BoundConstant>(*branch).value.values();
      for (size_t n = 0; n < values.size(); ++n) {
        const Value& value = values[n];
        const bool is_scalar = value.is_bool() || value.is_number() || value.is_string();
        if (!is_scalar || !AddStaticType(TypeOfScalar(value), &(*known)[n])) return false;
      }
      continue;
    }
    for (const BoundItem& item : object->items) {
      const BoundExpr& value = *item.value;
      if (IsNull(value) || IsStructure(value) || IsChoice(value) ||
          (value.is_constant() && ScalarOf(value) == nullptr)) {
        return false;
      }
      if (value.has_primitive_type() && !AddStaticType(value.type, &(*known)[item.position])) return false;
    }
  }
  return true;
}

}  // namespace

// Both branches tell the type: what is not taken by its own, even where it fails, if the text tells that; otherwise by
// its value, if there is one. So what is taken is mostly all that has to be made.
const CoreNode* CoreLowering::LowerConditional(const BoundConditional& expr) {
  CoreNode node(CoreKind::kIf);
  node.origin = &expr;
  CoreNodes parts;
  if (IsTypedChoice(expr) || AreOfOneType(*expr.if_true, *expr.if_false)) {
    return LowerAll({expr.condition, expr.if_true, expr.if_false}, &parts) ? tree_.Make(node, parts) : nullptr;
  }
  if (expr.shape != nullptr) {
    if (const CoreNode* const objects = LowerObjectChoice(expr)) return objects;
  }
  Leaves leaves;
  AddLeaves(expr, &leaves);
  const bool is_nest = IsChoice(*expr.if_true) || IsChoice(*expr.if_false);
  const bool is_plain = expr.common_type.is_dynamic() && expr.shape == nullptr && !leaves.is_mixed;
  if (is_plain && expr.branch_types == BranchTypes::kOne) return LowerStaticChoice(expr);
  if (is_plain && is_nest && expr.branch_types == BranchTypes::kNone && !leaves.has_null && !leaves.has_structure) {
    return LowerOpenChoice(expr);
  }
  parts = {Lower(*expr.condition), LowerBranch(*expr.if_true), LowerBranch(*expr.if_false)};
  if (std::count(parts.begin(), parts.end(), nullptr) > 0) return nullptr;
  node.kind = CoreKind::kChoice;
  if (TellsType(*expr.if_true)) node.flags |= kTellsTrue;
  if (TellsType(*expr.if_false)) node.flags |= kTellsFalse;
  return tree_.Make(node, parts);
}

// What is not taken is sought as well, for its type, and may not be there.
const CoreNode* CoreLowering::LowerBranch(const BoundExpr& branch) {
  const BoundExpr& at = branch.kind == BoundKind::kSteps ? *As<BoundSteps>(branch).source : branch;
  if (at.kind != BoundKind::kIndex) return Lower(branch);
  const CoreNode* const found = parts_.LowerIndex(As<BoundIndex>(at), /*is_sought=*/true);
  return found == nullptr || &at == &branch ? found : LowerSteps(found, As<BoundSteps>(branch).steps);
}

// Where the text tells one type for all branches, those of which it tells none have to be of that, or null, or absent.
const CoreNode* CoreLowering::LowerStaticChoice(const BoundConditional& expr) {
  const Type type = expr.branch_type;
  const CoreNode* const null = tree_.Const(Value::Null(type));
  CoreNodes args(1);
  ChoiceOthers others;
  const auto leaf = [&](const BoundExpr& branch) -> const CoreNode* {
    if (branch.has_primitive_type()) return Lower(branch);
    const CoreNode* const value = LowerBranch(branch);
    if (value == nullptr) return nullptr;
    // A part of a constant may be nowhere, or fail, and is of that type otherwise.
    if (!IsNull(branch) && !IsOfKind(*value, type)) args.push_back(needs_.NeedNode({value, BranchGuardOf(type)}));
    const bool is_nested = std::any_of(others.begin(), others.end(), [](const BoundExpr* o) { return IsChoice(*o); });
    const bool is_told = std::any_of(others.begin(), others.end(),
                                     [](const BoundExpr* o) { return !IsChoice(*o) && o->has_primitive_type(); });
    // A choice that fails tells no type by its branches.
    if (is_nested && !is_told) {
      return IsNull(branch) ? nullptr : tree_.Prim(CoreOp::kTyped, {value});
    }
    return IsNull(branch) ? null : tree_.Prim(CoreOp::kTyped, {value, null});
  };
  args[0] = LowerNest(expr, leaf, &others);
  if (args[0] == nullptr) return nullptr;
  return needs_.Make(args);
}

// Where the text tells no type, all that are there have to be of one.
const CoreNode* CoreLowering::LowerOpenChoice(const BoundConditional& expr) {
  CoreNodes leaves;
  ChoiceOthers others;
  const auto leaf = [&](const BoundExpr& branch) -> const CoreNode* {
    const CoreNode* const value = LowerBranch(branch);
    if (value == nullptr) return nullptr;
    leaves.push_back(value);
    // A null takes the type of none of the others: a choice among these may fail.
    return tree_.Prim(CoreOp::kTyped, {value});
  };
  const CoreNode* const nest = LowerNest(expr, leaf, &others);
  if (nest == nullptr) return nullptr;
  return needs_.Make({nest, tree_.Prim(CoreOp::kMeet, leaves)});
}

// Between objects of the same keys, only the one that is taken is made, where the values at each key are of one type:
// the one that the text tells, or that all have that are there. A null without a type takes none. Null for other
// objects.
const CoreNode* CoreLowering::LowerObjectChoice(const BoundConditional& expr) {
  std::vector<Type> known(expr.shape->size);
  if (!AddStaticTypes(expr, &known)) return nullptr;
  CoreNodes args(1);
  std::vector<CoreNodes> open(known.size());
  ChoiceOthers others;
  const auto leaf = [&](const BoundExpr& branch) -> const CoreNode* {
    if (branch.is_constant()) return tree_.Const(As<BoundConstant>(branch).value);
    CoreNodes items(known.size());
    for (const BoundItem& item : As<BoundObject>(branch).items) {
      const CoreNode*& value = items[item.position];
      value = LowerBranch(*item.value);
      if (value == nullptr) return nullptr;
      if (item.value->has_primitive_type()) continue;
      const Type type = known[item.position];
      if (type.is_dynamic()) {
        open[item.position].push_back(value);
      } else {
        args.push_back(needs_.NeedNode({value, BranchGuardOf(type)}));
      }
      value = tree_.Prim(CoreOp::kTyped, {value});
    }
    CoreNode node(CoreKind::kObject);
    node.origin = &branch;
    return tree_.Make(node, items);
  };
  args[0] = LowerNest(expr, leaf, &others);
  if (args[0] == nullptr) return nullptr;
  for (const CoreNodes& values : open) {
    if (!values.empty()) args.push_back(tree_.Prim(CoreOp::kMeet, values));
  }
  return needs_.Make(args);
}

// `leaf` makes what stands for a branch that is no choice, while *others has what is not taken on the way to it.
const CoreNode* CoreLowering::LowerNest(const BoundConditional& expr, const Leaf& leaf, ChoiceOthers* others) {
  CoreNodes parts = {Lower(*expr.condition)};
  if (parts[0] == nullptr) return nullptr;
  for (const bool is_true : {true, false}) {
    const BoundExpr& branch = is_true ? *expr.if_true : *expr.if_false;
    others->push_back(is_true ? expr.if_false : expr.if_true);
    parts.push_back(IsChoice(branch) ? LowerNest(As<BoundConditional>(branch), leaf, others) : leaf(branch));
    others->pop_back();
    if (parts.back() == nullptr) return nullptr;
  }
  CoreNode node(CoreKind::kIf);
  node.origin = &expr;
  return parts_.ByKey(tree_.Make(node, parts));
}

// All arguments count for the type. Where one is a constant, the others are of its type, or untyped nulls; two of other
// kinds are a choice; more are compared. None may be absent, and marks in any of them are the result's.
const CoreNode* CoreLowering::LowerCoalesce(const BoundCall& call) {
  CoreNodes values;
  if (call.arguments.empty() || !LowerAll(call.arguments, &values)) return nullptr;
  const auto constant = std::find_if(call.arguments.begin(), call.arguments.end(),
                                     [](const BoundExpr* argument) { return ScalarOf(*argument) != nullptr; });
  const bool has_constant = constant != call.arguments.end();
  const Type type = has_constant ? (*constant)->type : Type::Dynamic();
  CoreNodes args(1);
  for (const CoreNode*& value : values) {
    if (value->kind != CoreKind::kNeed) continue;
    args.insert(args.end(), value->args.begin() + 1, value->args.end());
    value = value->args[0];
  }
  for (size_t n = 0; n < values.size(); ++n) {
    const CoreNode* const value = values[n];
    if (value->is_const() && (!has_constant || value->is_null() || call.arguments[n]->type == type)) continue;
    if (!has_constant) {
      args.push_back(needs_.NeedNode({value, Guard::kUnmarked}));
      continue;
    }
    // The first of several is looked at in any case.
    if (n > 0 || values.size() == 1) {
      CoreNeeds needs;
      if (IsOfConstants(*value)) AppendNeeds(*value, Guard::kNoError, &needs);
      if (!IsOfConstants(*value)) needs.push_back({value, Guard::kNoError});
      needs_.Append(needs, &args);
    }
    if ((value->kinds & ~(KindOf(type) | kNullKind)) == 0) continue;
    const bool is_choice =
        value->kind == CoreKind::kIf || value->kind == CoreKind::kChoice || value->kind == CoreKind::kNeed;
    // The null of a choice has the type of its other branch.
    args.push_back(is_choice ? tree_.Prim(CoreOp::kMeet, {value, tree_.Const(Value::Null(type))})
                             : needs_.NeedNode({value, BranchGuardOf(type)}));
  }
  const auto is_null = [&](const CoreNode* value) { return tree_.Prim(CoreOp::kIsNull, {value}); };
  if (!has_constant && values.size() == 2) {
    CoreNode node(CoreKind::kChoice);
    node.origin = &call;
    args[0] = tree_.Make(node, {is_null(values[0]), values[1], values[0]});
    args[0] = needs_.Make(args);
    return IsConstantStructure(*call.arguments[1]) ? args[0] : tree_.Prim(CoreOp::kNotNull, {args[0]}, &call);
  }
  if (!has_constant) args.push_back(tree_.Prim(CoreOp::kMeet, values));
  const size_t last = std::min<size_t>(constant - call.arguments.begin(), values.size() - 1);
  args[0] = has_constant ? values[last] : tree_.Prim(CoreOp::kNotNull, {values[last]}, &call);
  for (size_t n = last; n-- > 0;) {
    args[0] = tree_.Make(CoreNode(CoreKind::kIf), {is_null(values[n]), args[0], values[n]});
  }
  return needs_.Make(args);
}

// The numbers are folded one by one.
const CoreNode* CoreLowering::LowerNumbers(const BoundCall& call) {
  const Function::Special special = call.function->special;
  const CoreOp op = special == Function::Special::kMin ? CoreOp::kLeastOf : CoreOp::kGreatestOf;
  CoreNodes values;
  if (special == Function::Special::kSum || call.arguments.empty()) return LowerOrdinaryCall(call);
  if (!LowerAll(call.arguments, &values)) return nullptr;
  for (const CoreNode*& value : values) value = lists_.Yield(value);
  return tree_.Make(CoreNode(CoreKind::kLoop, op), {lists_.Seq(values)});
}

}  // namespace hcl::internal

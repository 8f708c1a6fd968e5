// CoreLowering. Tested by compiler/core_test.cc.

#include "hclvm/compiler/core_lowering.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/unicode.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/compiler/core_text_parts.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/compiler/text_pattern.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// What the declared or evident type says of the value, beside that it may be unknown or marked.
KindSet KindsOf(const BoundExpr& expr) {
  const Type type = expr.type;
  if (expr.sure_bool) return kBoolKind | kNullKind | kOtherKind;
  if (!type.is_primitive()) return kAnyKind;
  const KindSet kind = type == Type::Bool() ? kBoolKind : type == Type::Number() ? kNumberKind : kStringKind;
  return static_cast<KindSet>(kind | kOtherKind | (expr.never_null ? 0 : kNullKind));
}

// A text that begins with a digit may stand for a position, which only whole paths know.
bool IsSingleStep(const BoundStep& step) {
  if (step.key.is_number()) return true;
  const std::string_view name = step.key.AsString();
  return !name.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(name[0]));
}

bool IsListInText(const BoundExpr& expr) { return expr.is_constant() || TupleLiteral(expr) != nullptr; }

// The list that a call of toset makes a set of, which need not be made where elements are compared; else itself.
const BoundExpr& ListOfSet(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall) return expr;
  const auto& call = As<BoundCall>(expr);
  return call.is(Function::Special::kToSet) && call.arguments.size() == 1 ? *call.arguments[0] : expr;
}

}  // namespace

bool CoreLowering::LowerAll(absl::Span<const BoundExpr* const> exprs, CoreNodes* nodes) {
  for (const BoundExpr* expr : exprs) {
    const CoreNode* const node = Lower(*expr);
    if (node == nullptr) return false;
    nodes->push_back(node);
  }
  return true;
}

const CoreNode* CoreLowering::Lower(const BoundExpr& expr) {
  if (state_.budget == 0) return nullptr;
  --state_.budget;
  if (expr.is_constant()) return tree_.Const(As<BoundConstant>(expr).value);
  if (!expr.pure) return nullptr;
  // What reads no variable of a loop is the same wherever it stands, and is lowered once.
  const bool may_keep = expr.size() >= kLeastKept && expr.locals_begin == expr.locals_end;
  if (may_keep) {
    const auto& lowered = lowered_[state_.tried > 0];
    if (const auto found = lowered.find(&expr); found != lowered.end()) return found->second;
  }
  const CoreNode* node = LowerNode(expr);
  if (node == nullptr && expr.kind != BoundKind::kRaise) node = General(expr);
  if (may_keep) lowered_[state_.tried > 0][&expr] = node;
  return node;
}

// With the variables that it reads of loops whose elements are nodes.
const CoreNode* CoreLowering::General(const BoundExpr& expr, uint8_t flags) {
  CoreNode node(CoreKind::kGeneral);
  node.flags = flags;
  node.origin = &expr;
  node.kinds = KindsOf(expr);
  absl::InlinedVector<LocalVariable*, 4> locals;
  CoreNodes values;
  Frame* const frame = FrameOf(expr);
  frame->needs_slow_path = true;
  for (size_t n = state_.bindings.size(); n-- > 0;) {
    LocalVariable* const local = state_.bindings[n].local;
    if (!frame->tree->Reads(expr, local) || std::find(locals.begin(), locals.end(), local) != locals.end()) continue;
    locals.push_back(local);
    values.push_back(state_.bindings[n].node);
  }
  node.locals = tree_.arena()->CopySpan<LocalVariable*>(locals);
  return tree_.Make(node, values);
}

// Null for what only the slow path makes.
const CoreNode* CoreLowering::LowerNode(const BoundExpr& expr) {
  switch (expr.kind) {
    case BoundKind::kPath: {
      const auto& path = As<BoundPath>(expr);
      if (path.named != nullptr) {
        if (const CoreNode* const node = LowerNamed(path)) return node;
      }
      CoreNode slot(CoreKind::kSlot);
      slot.index = path.slot;
      slot.origin = &expr;
      const bool is_declared = expr.has_primitive_type() && expr.never_null;
      if (path.steps.empty()) {
        slot.kinds = KindsOf(expr);
        if (is_declared) slot.flags = kDeclared;
      }
      return LowerSteps(tree_.Make(slot), path.steps, path.path, KindsOf(expr), is_declared);
    }
    case BoundKind::kSteps: {
      const auto& steps = As<BoundSteps>(expr);
      if (const ListConsumer first = ConsumerOf(expr)) {
        if (const CoreNode* const node = lists_.LowerConsumer(first)) return node;
      }
      if (const BoundCall* const merge = MergeFor(steps)) {
        const CoreNode* const merged = parts_.LowerMerged(merge->arguments, steps.steps[0].key, nullptr);
        return parts_.LowerStepsOfMade(merged, steps.steps.subspan(1));
      }
      return parts_.LowerStepsOfMade(Lower(*steps.source), steps.steps);
    }
    case BoundKind::kIndex:
      return parts_.LowerIndex(As<BoundIndex>(expr), /*is_sought=*/false);
    case BoundKind::kLocal:
      return LowerSteps(BindingOf(*As<BoundLocal>(expr).local), As<BoundLocal>(expr).steps);
    case BoundKind::kObject:
      return parts_.LowerObject(As<BoundObject>(expr));
    case BoundKind::kFor:
      return lists_.LowerFor(As<BoundFor>(expr));
    case BoundKind::kTuple:
      return LowerTuple(As<BoundTuple>(expr));
    case BoundKind::kUnary:
      return LowerUnary(As<BoundUnary>(expr));
    case BoundKind::kChain:
      return LowerChain(As<BoundChain>(expr));
    case BoundKind::kConditional:
      return LowerConditional(As<BoundConditional>(expr));
    case BoundKind::kTemplate:
      return LowerText(As<BoundTemplate>(expr));
    case BoundKind::kTemplateFor:
      return lists_.LowerTemplateFor(As<BoundTemplateFor>(expr));
    case BoundKind::kCall:
      return LowerCall(As<BoundCall>(expr));
    default:
      return nullptr;
  }
}

// What is read of what stands in the text, or of what a text is split into, is there without the whole.
const CoreNode* CoreLowering::LowerSteps(const CoreNode* source, absl::Span<const BoundStep> steps, uint32_t path,
                                         KindSet kinds, bool is_declared) {
  if (source == nullptr || !HasUsualKeys(steps)) return nullptr;
  for (const BoundStep& step : steps) {
    if (!IsSingleStep(step)) return nullptr;
    const CoreNode* const part = needs_.PartOf(*source, step.key);
    const CoreNode* const piece = part == nullptr ? parts_.PieceAt(*source, step.key, /*by_function=*/false) : part;
    if (piece != nullptr) {
      source = piece;
      continue;
    }
    CoreNode node(CoreKind::kStep);
    node.value = step.key;
    const bool is_last = &step == &steps.back();
    node.index = is_last ? path : kNoIndex;
    if (is_last) node.kinds = kinds;
    if (is_last && is_declared) node.flags = kDeclared;
    source = tree_.Make(node, {source});
  }
  return source;
}

const CoreNode* CoreLowering::LowerUnary(const BoundUnary& expr) {
  const CoreNode* const operand = Lower(*expr.operand);
  if (operand == nullptr) return nullptr;
  if (expr.op == UnaryOp::kNot) return tree_.Not(operand);
  return tree_.Prim(CoreOp::kSubtract, {tree_.Const(Value::Int(0)), operand});
}

// Whether there is a match, or an element, is asked without making the list of them.
const CoreNode* CoreLowering::LowerChain(const BoundChain& expr) {
  if (IsLogical(expr.op)) return LowerLogic(expr);
  if (IsArithmetic(expr.op)) return LowerArithmetic(expr, /*is_exact=*/true);
  const AskedElements asked = AskedElementsOf(expr);
  if (asked.length != nullptr && asked.length->arguments[0]->kind == BoundKind::kCall) {
    const auto& list = As<BoundCall>(*asked.length->arguments[0]);
    if (list.is(Function::Special::kRegexAll)) {
      if (const CoreNode* const match = LowerMatch(list)) return asked.if_some ? match : tree_.Not(match);
    }
  }
  if (IsComparison(expr.op)) return LowerComparison(expr);
  CoreNodes operands;
  for (const int list : {0, 1}) {
    const CoreNode* const is_empty =
        IsEmptyList(*expr.operands[1 - list]) ? lists_.LowerIsEmpty(*expr.operands[list]) : nullptr;
    if (is_empty != nullptr) return expr.op == BinaryOp::kEqual ? is_empty : tree_.Not(is_empty);
  }
  if (!LowerAll(expr.operands, &operands)) return nullptr;
  const CoreNode* const equal = tree_.Prim(CoreOp::kEqual, operands);
  return expr.op == BinaryOp::kEqual ? equal : tree_.Not(equal);
}

// A constant that decides nothing is not there. Before one that decides, the other sides are looked at.
const CoreNode* CoreLowering::LowerLogic(const BoundChain& expr) {
  std::vector<const BoundExpr*> tested(expr.tested.begin(), expr.tested.end());
  const auto first = std::find_if(tested.begin(), tested.end(), [](const BoundExpr* e) { return !e->is_constant(); });
  std::rotate(tested.begin(), first, tested.end());
  CoreNodes operands;
  if (tested.empty() || tested[0]->is_constant() || !LowerAll(tested, &operands)) return nullptr;
  for (size_t n = 1; n < operands.size(); ++n) {
    if (!tested[n]->sure_bool && IsSureOfBool(*operands[n])) {
      operands[n] = tree_.Prim(CoreOp::kUnsure, {operands[n]});
    }
  }
  const CoreNode* logic = operands.back();
  if (operands.size() == 1) {
    if (IsSureOfBool(*logic)) return tree_.Make(CoreNode(CoreKind::kIf), {logic, tree_.Bool(true), tree_.Bool(false)});
    // A null decides beside a constant, where it would be no condition.
    operands.push_back(tree_.Bool(expr.op == BinaryOp::kAnd));
    logic = operands.back();
  }
  for (size_t n = operands.size() - 1; n-- > 0;) {
    const CoreNode node(expr.op == BinaryOp::kAnd ? CoreKind::kAll : CoreKind::kAny);
    logic = tree_.Make(node, {operands[n], logic});
  }
  return logic;
}

// a > b is b < a, and a <= b is not b < a.
const CoreNode* CoreLowering::LowerComparison(const BoundChain& expr) {
  const CoreNode* a = LowerNear(*expr.operands[0]);
  const CoreNode* b = a == nullptr ? nullptr : LowerNear(*expr.operands[1]);
  if (b == nullptr) return nullptr;
  if (expr.op == BinaryOp::kGreater || expr.op == BinaryOp::kLessEqual) std::swap(a, b);
  const CoreNode* const less = tree_.Prim(CoreOp::kLess, {a, b});
  const bool is_negated = expr.op == BinaryOp::kGreaterEqual || expr.op == BinaryOp::kLessEqual;
  return is_negated ? tree_.Not(less) : less;
}

const CoreNode* CoreLowering::LowerNear(const BoundExpr& expr) {
  if (!Divides(expr)) return Lower(expr);
  if (expr.kind == BoundKind::kChain) return LowerArithmetic(As<BoundChain>(expr), /*is_exact=*/false);
  const CoreNode* const operand = LowerNear(*As<BoundUnary>(expr).operand);
  return operand == nullptr ? nullptr : tree_.Prim(CoreOp::kSubtract, {tree_.Const(Value::Int(0)), operand});
}

// Arithmetic fails for what is no number, and for a null of any type: a choice need not look for them. What is tried
// first is the operand wherever it is there. Only so deep, as one value may stand in many places.
const CoreNode* CoreLowering::AsOperand(const CoreNode* node, int depth) {
  if (node->is(CoreOp::kTyped) && node->args.size() == 2) return node->args[0];
  const bool goes_on = node->kind == CoreKind::kIf || node->kind == CoreKind::kNeed;
  if (!goes_on || depth == 0) return node;
  CoreNodes args(node->args.begin(), node->args.end());
  const size_t first = node->kind == CoreKind::kIf ? 1 : 0;
  for (size_t n = first; n <= 2 * first; ++n) args[n] = AsOperand(args[n], depth - 1);
  if (args[0]->kind == CoreKind::kTry && args.size() == 2 && args[1]->is(CoreOp::kCheck) &&
      args[1]->index == static_cast<uint32_t>(Guard::kNumberOrBlank) && args[1]->args[0] == args[0]->args[0]) {
    return args[0];
  }
  CoreNode same(node->kind);
  same.origin = node->origin;
  return tree_.Make(same, args);
}

const CoreNode* CoreLowering::LowerArithmetic(const BoundChain& expr, bool is_exact) {
  static constexpr CoreOp kOps[] = {CoreOp::kAdd, CoreOp::kSubtract, CoreOp::kMultiply, CoreOp::kDivide,
                                    CoreOp::kModulo};
  if (expr.op == BinaryOp::kModulo) is_exact = true;
  const CoreOp op = expr.op == BinaryOp::kDivide && !is_exact ? CoreOp::kRatio : kOps[static_cast<int>(expr.op)];
  const CoreNode* result = nullptr;
  for (const BoundExpr* operand : expr.operands) {
    const CoreNode* const value = is_exact ? Lower(*operand) : LowerNear(*operand);
    if (value == nullptr) return nullptr;
    const CoreNode* const node = AsOperand(value);
    result = result == nullptr ? node : tree_.Prim(op, {result, node});
  }
  return result;
}

const CoreNode* CoreLowering::LowerPrim(CoreOp op, const BoundCall& call, uint32_t index) {
  CoreNodes arguments;
  return LowerAll(call.arguments, &arguments) ? tree_.Prim(op, arguments, &call, index) : nullptr;
}

// By what is special about the function: what looks like one of these but has another number of arguments stays a call
// with its message. Forms that have instructions of their own in the old generator are left to that.
const CoreNode* CoreLowering::LowerCall(const BoundCall& call) {
  using Special = Function::Special;
  const ListConsumer consumer = ConsumerOf(call);
  if (consumer && MappingOfKeys(call) == nullptr) {
    if (const CoreNode* const node = lists_.LowerConsumer(consumer)) return node;
  }
  if (call.expand_last) return LowerOrdinaryCall(call);
  if (IsListCall(call)) return lists_.LowerListCall(call);
  const size_t count = call.arguments.size();
  switch (call.function->special) {
    case Special::kTry:
      return LowerTry(call);
    case Special::kCan:
      return count == 1 ? LowerCan(*call.arguments[0]) : nullptr;
    case Special::kContains:
      return count == 2 ? LowerContains(call) : LowerOrdinaryCall(call);
    case Special::kStartsWith:
      return count == 2 ? LowerPrim(CoreOp::kPrefix, call) : LowerOrdinaryCall(call);
    case Special::kEndsWith:
      return count == 2 ? LowerPrim(CoreOp::kSuffix, call) : LowerOrdinaryCall(call);
    case Special::kStrContains:
      return count == 2 ? LowerPrim(CoreOp::kWithin, call) : LowerOrdinaryCall(call);
    case Special::kLength:
      return count == 1 ? LowerLength(call) : LowerOrdinaryCall(call);
    case Special::kLookup: {
      if (count != 3) return LowerOrdinaryCall(call);
      const Value* const key = ScalarOf(*call.arguments[1]);
      if (key == nullptr || !key->is_string()) return parts_.LowerLookup(call);
      const BoundCall* const merge = MergeForLookup(call);
      if (merge != nullptr) return parts_.LowerMerged(merge->arguments, *key, call.arguments[2]);
      const bool is_in_text = call.arguments[0]->kind == BoundKind::kObject;
      return is_in_text ? parts_.LowerMerged(call.arguments.first(1), *key, call.arguments[2])
                        : LowerPrim(CoreOp::kLookup, call);
    }
    case Special::kReverse:
    case Special::kValues:
    case Special::kMerge:
    case Special::kElement:
      return parts_.LowerPartsCall(call);
    case Special::kJoin:
    case Special::kFormat:
      return LowerJoined(call);
    case Special::kCoalesce:
      return LowerCoalesce(call);
    case Special::kMin:
    case Special::kMax:
    case Special::kSum:
      return LowerNumbers(call);
    case Special::kCeil:
    case Special::kFloor: {
      if (count != 1) return LowerOrdinaryCall(call);
      const CoreNode* const number = LowerNear(*call.arguments[0]);
      const CoreOp op = call.is(Special::kCeil) ? CoreOp::kCeil : CoreOp::kFloor;
      return number == nullptr ? nullptr : tree_.Prim(op, {number}, &call);
    }
    default:
      return LowerOrdinaryCall(call);
  }
}

// A call of a function that fast code has no instruction for.
const CoreNode* CoreLowering::LowerOrdinaryCall(const BoundCall& call) {
  if (call.function->is_program && functions_ != nullptr) {
    if (const CoreNode* const node = LowerNamedCall(call)) return node;
  }
  if (call.site == BoundCall::kNone || call.arguments.empty() || IsAttempt(call)) return nullptr;
  // Its call site takes the expanded argument alone: the others are tried one by one.
  if (call.function->special == Function::Special::kTry) return nullptr;
  CoreNodes arguments;
  return LowerAll(call.arguments, &arguments) ? CallOf(call, arguments) : nullptr;
}

const CoreNode* CoreLowering::CallOf(const BoundCall& call, const CoreNodes& arguments) {
  CoreNode node(CoreKind::kCall);
  node.origin = &call;
  node.index = call.site;
  // A scalar is always a text.
  const bool is_text = call.function->is_library_function("tostring") && arguments.size() == 1 &&
                       (arguments[0]->kinds & ~(kScalarKinds & ~kNullKind)) == 0;
  node.kinds = is_text ? kStringKind : KindsOf(call);
  return tree_.Make(node, arguments);
}

// What is looked for in keys or values is looked for in the mapping; in a set, in the list that it is made of.
const CoreNode* CoreLowering::LowerContains(const BoundCall& call) {
  const CoreNode* const sought = Lower(*call.arguments[1]);
  if (sought == nullptr) return nullptr;
  if (call.lookup != BoundCall::kNone) return tree_.Prim(CoreOp::kIn, {sought}, &call, call.lookup);
  if (const BoundExpr* const mapping = MappingOfKeys(call)) {
    const CoreNode* const keys = Lower(*mapping);
    return keys == nullptr ? nullptr : tree_.Prim(CoreOp::kHasKey, {keys, sought}, &call);
  }
  const BoundExpr& list = ListOfSet(*call.arguments[0]);
  const CoreNode* const elements = Lower(list);
  if (elements == nullptr) return nullptr;
  if (&list == call.arguments[0]) return tree_.Prim(CoreOp::kHas, {elements, sought}, &call);
  const CoreNode* const only = tree_.Make(CoreNode(CoreKind::kTuple), {sought});
  const CoreNode* const shared = tree_.Prim(CoreOp::kShared, {only, elements}, &call);
  return tree_.Not(tree_.Prim(CoreOp::kEqual, {shared, tree_.Const(Value::Int(0))}));
}

// Of a set that two have in common, or that one has and the other has not, elements are counted. Those of the first are
// compared among each other as well: a list in the text is short.
const CoreNode* CoreLowering::LowerLength(const BoundCall& call) {
  const BoundCall* const set = CountedSet(call);
  if (set == nullptr) return LowerPrim(CoreOp::kLength, call);
  const bool is_shared = set->is(Function::Special::kSetIntersection);
  const BoundExpr* lists[] = {&ListOfSet(*set->arguments[0]), &ListOfSet(*set->arguments[1])};
  if (is_shared && IsListInText(*lists[1]) && !IsListInText(*lists[0])) std::swap(lists[0], lists[1]);
  CoreNodes nodes;
  if (!LowerAll(lists, &nodes)) return nullptr;
  return tree_.Prim(is_shared ? CoreOp::kShared : CoreOp::kLacking, nodes, &call);
}

// A pattern that names nothing but texts asks what an instruction asks of the text, which has to be there.
const CoreNode* CoreLowering::LowerCan(const BoundExpr& attempt) {
  const bool is_call = attempt.kind == BoundKind::kCall && As<BoundCall>(attempt).is(Function::Special::kRegex);
  if (const TextPattern pattern = is_call ? TextPatternOf(As<BoundCall>(attempt)) : TextPattern()) {
    const CoreNode* const text = Lower(*As<BoundCall>(attempt).arguments[1]);
    if (text == nullptr) return nullptr;
    const CoreNode* const match = tree_.Prim(CoreOp::kExiting, {LowerPattern(pattern, text)});
    const bool is_there =
        text->kind == CoreKind::kSlot || text->kind == CoreKind::kVar || text->kind == CoreKind::kLocal;
    if (is_there) return match;
    // What is put together is made once.
    if (text->kind != CoreKind::kStep && text->kind != CoreKind::kIndex && text->kind != CoreKind::kCall) {
      CoreNode tried(CoreKind::kTry);
      tried.kinds = kBoolKind;
      return tree_.Make(tried, {match, tree_.Bool(false)});
    }
    return tree_.Make(CoreNode(CoreKind::kAll), {tree_.Make(CoreNode(CoreKind::kCan), {text}), match});
  }
  ++state_.tried;
  const CoreNode* const node = Lower(attempt);
  --state_.tried;
  return node == nullptr ? nullptr : tree_.Make(CoreNode(CoreKind::kCan), {node});
}

const CoreNode* CoreLowering::LowerTry(const BoundCall& call) {
  Attempts attempts;
  AppendAttempts(call, &attempts);
  CoreNodes nodes;
  ++state_.tried;
  const bool are_lowered = attempts.size() >= 2 && LowerAll(attempts, &nodes);
  --state_.tried;
  if (!are_lowered) return nullptr;
  // In what is tried, a key that is not there would be a failure of all.
  if (nodes.size() == 2 && nodes[0]->kind == CoreKind::kIndex && state_.tried == 0) {
    const CoreNode* const last = needs_.Make({nodes[1], needs_.NeedNode({nodes[1], Guard::kWhole})});
    if (const CoreNode* const choice = parts_.ChoiceOf(*nodes[0]->args[0], nodes[0]->args[1], last)) return choice;
  }
  CoreNode node(CoreKind::kTry);
  if (call.sure_bool) node.kinds = kBoolKind | kNullKind | kOtherKind;
  return tree_.Make(node, nodes);
}

// A variable of a loop that is the slow path's is in its register.
const CoreNode* CoreLowering::BindingOf(const LocalVariable& local) {
  for (size_t n = state_.bindings.size(); n-- > 0;) {
    if (state_.bindings[n].local == &local) return state_.bindings[n].node;
  }
  CoreNode node(CoreKind::kLocal);
  node.index = local.reg;
  return tree_.Make(node);
}

const CoreNode* CoreLowering::LowerTuple(const BoundTuple& expr) {
  CoreNodes elements;
  if (expr.elements.size() > kMaxInline || !LowerAll(expr.elements, &elements)) return nullptr;
  return tree_.Make(CoreNode(CoreKind::kTuple), elements);
}

}  // namespace hcl::internal

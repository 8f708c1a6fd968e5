// Which forms of expressions have fast code ("Plain code" in vm/opcodes.def), given what there is for their parts.
//
// Fast code is for known, unmarked operands of the kinds that operators are for, and leaves for the general code on
// anything else. What stands here says where it means the same where it does not leave. It is asked in two ways: of a
// tree as it is, from the parts up (compiler/facts.cc), and of a table of rules, where the loop's variable stands for
// one element after the other (compiler/plain_session.cc). `Parts` answers for the parts:
//
//   inner(expr)   the node that `expr` stands for
//   yield(expr)   whether there is fast code for its value, or general code that fast code can take an operand from
//   list(expr)    the same for a value that need not be a scalar
//   test(expr)    whether there is fast code for a jump on it
//   kMakesLists   whether lists can be put together
//   makes_calls() whether there is fast code for calls of functions that it has no instruction for
//   has_register(local)  whether the local variable's value is in its register
//   branch(expr)  HasFastBranches() of a conditional, true for the word null, otherwise as list(expr) where the text
//                 tells that it is a bool, number or string, and yield(expr) for others

#ifndef HCLVM_COMPILER_FAST_FORMS_H_
#define HCLVM_COMPILER_FAST_FORMS_H_

#include <algorithm>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/joined_texts.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Nodes that are deeper, or have more below them, have general code only: the generator recurses, and a jump of fast
// code reaches 65,535 instructions.
inline constexpr uint16_t kMaxFastHeight = 600;
inline constexpr uint32_t kMaxFastNodes = 8000;

// The types that branches tell, through conditionals in them.
struct BranchType {
  BranchTypes told = BranchTypes::kNone;
  Type type;  // if it is one

  void Add(const BranchType& branch) {
    if (branch.told == BranchTypes::kNone) return;
    const bool agrees = told == BranchTypes::kNone || (told == BranchTypes::kOne && branch.type == type);
    told = agrees && branch.told == BranchTypes::kOne ? BranchTypes::kOne : BranchTypes::kSeveral;
    type = branch.type;
  }
};

inline bool IsChoice(const BoundExpr& expr) { return expr.kind == BoundKind::kConditional; }

// A conditional whose branches are there and of one type, as a template's are: what is not taken does not count.
inline bool IsTypedChoice(const BoundExpr& expr) {
  if (!IsChoice(expr)) return false;
  const auto is_sure = [](const BoundExpr& branch) { return branch.has_primitive_type() && branch.never_null; };
  const auto& choice = As<BoundConditional>(expr);
  return is_sure(*choice.if_true) && is_sure(*choice.if_false) && choice.if_true->type == choice.if_false->type;
}

// A conditional between a text and a number or bool, which becomes a text. Where it fails, it counts for the type of a
// conditional around it as a value of any, so that it is no branch in fast code.
inline bool IsMixedChoice(const BoundExpr& expr) {
  return IsChoice(expr) && As<BoundConditional>(expr).common_type.is_primitive();
}

// `condition ? true : false`, or the other way round.
inline bool IsTruth(const BoundExpr& expr) {
  if (!IsChoice(expr)) return false;
  const Value* const yes = ScalarOf(*As<BoundConditional>(expr).if_true);
  const Value* const no = ScalarOf(*As<BoundConditional>(expr).if_false);
  return yes != nullptr && no != nullptr && yes->is_bool() && no->is_bool() && yes->is_true() != no->is_true();
}

template <typename Parts>
BranchType BranchTypeOf(const BoundExpr& expr, const Parts& parts) {
  const BoundExpr& inner = parts.inner(expr);
  BranchType result;
  if (IsChoice(inner)) {
    result.Add(BranchTypeOf(*As<BoundConditional>(inner).if_true, parts));
    result.Add(BranchTypeOf(*As<BoundConditional>(inner).if_false, parts));
  } else if (inner.has_primitive_type()) {
    result = {BranchTypes::kOne, inner.type};
  }
  return result;
}

// Whether each key is a name or a plain index: other numbers lead nowhere, which general code reports.
inline bool HasPlainKeys(absl::Span<const BoundStep> steps) {
  for (const BoundStep& step : steps) {
    if (step.key.is_string()) continue;
    if (!step.key.is_int() || step.key.AsInt() < 0 || step.key.AsInt() >= 1'000'000'000) return false;
  }
  return true;
}

// Whether its steps can be taken without knowing that they lead somewhere.
template <typename Parts>
bool CanSeek(const BoundExpr& expr, const Parts& parts);

// Whether such steps can begin at it: what it fails with is nothing, or it is an operand that is there.
template <typename Parts>
bool CanSeekIn(const BoundExpr& expr, const Parts& parts) {
  return CanSeek(expr, parts) || parts.list(expr);
}

// Whether it is what such steps begin at: they themselves, or a variable.
template <typename Parts>
bool CanSeekFrom(const BoundExpr& expr, const Parts& parts) {
  const BoundExpr& inner = parts.inner(expr);
  if (inner.kind == BoundKind::kPath && As<BoundPath>(inner).steps.empty()) return true;
  if (inner.kind == BoundKind::kLocal && As<BoundLocal>(inner).steps.empty()) {
    return parts.has_register(As<BoundLocal>(inner).local);
  }
  return CanSeek(inner, parts);
}

template <typename Parts>
bool CanSeek(const BoundExpr& expr, const Parts& parts) {
  const BoundExpr& inner = parts.inner(expr);
  switch (inner.kind) {
    case BoundKind::kPath:
      return !As<BoundPath>(inner).steps.empty() && HasPlainKeys(As<BoundPath>(inner).steps);
    case BoundKind::kLocal: {
      const auto& local = As<BoundLocal>(inner);
      return !local.steps.empty() && HasPlainKeys(local.steps) && parts.has_register(local.local);
    }
    case BoundKind::kSteps:
      return HasPlainKeys(As<BoundSteps>(inner).steps) && FirstOf(inner).loop == nullptr &&
             CanSeekIn(*As<BoundSteps>(inner).source, parts);
    case BoundKind::kIndex:
      return (CanSeekFrom(*As<BoundIndex>(inner).source, parts) || parts.list(*As<BoundIndex>(inner).source)) &&
             parts.yield(*As<BoundIndex>(inner).key);
    case BoundKind::kCall: {
      const auto& arguments = As<BoundCall>(inner).arguments;
      if (As<BoundCall>(inner).is(Function::Special::kTry)) {
        return !arguments.empty() && !As<BoundCall>(inner).expand_last &&
               std::all_of(arguments.begin(), arguments.end(),
                           [&](const BoundExpr* part) { return CanSeek(*part, parts); });
      }
      // Parts that are joined fail beside what is not known only if the function says so.
      return parts.makes_calls() && (IsOrdinaryCall(inner) || !JoinedParts(As<BoundCall>(inner)).empty()) &&
             std::all_of(arguments.begin(), arguments.end(), [&](const BoundExpr* part) { return parts.list(*part); });
    }
    default:
      return false;
  }
}

inline bool IsStructure(const BoundExpr& expr) {
  return expr.kind == BoundKind::kTuple || expr.kind == BoundKind::kObject;
}

// Whether an element or a part of it is asked for by what an operator or a call gives, or a literal is what it is a
// part of. That is computed in any case.
inline bool IsComputedElement(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kSteps) {
    const BoundExpr& source = *As<BoundSteps>(expr).source;
    return IsStructure(source) || IsComputedElement(source);
  }
  if (expr.kind != BoundKind::kIndex) return false;
  const BoundKind key = As<BoundIndex>(expr).key->kind;
  return key == BoundKind::kChain || key == BoundKind::kCall || key == BoundKind::kConditional;
}

// Whether it is an operator, or a call that stands for one, of whose value fast code knows that it is there, or leaves,
// once the reads in it are there: the attempts behind it in a call of try do not run.
inline bool IsSureAttempt(const BoundExpr& expr) {
  if (!expr.plain_value) return false;
  if (expr.kind == BoundKind::kCall) return HasStrictArguments(As<BoundCall>(expr)) || ReductionOf(expr);
  if (IsComputedElement(expr) || (expr.kind == BoundKind::kSteps && ReductionOf(expr))) return true;
  return expr.kind == BoundKind::kChain || expr.kind == BoundKind::kUnary || IsChoice(expr);
}

// Whether fast code can make all parts of a template.
template <typename Parts>
bool HasFastParts(const BoundTemplate& expr, const Parts& parts) {
  return expr.parts.size() <= kMaxInline &&
         std::all_of(expr.parts.begin(), expr.parts.end(), [&](const BoundExpr* part) { return parts.yield(*part); });
}

// How deep a template in fast code may be, of which general code makes the text once more.
inline constexpr uint16_t kMaxTemplateHeight = 5;

template <typename Parts>
bool HasSureAttempt(const BoundExpr& expr, const Parts& parts);

// Whether one instruction puts together what stands in the text as a list or object of few parts.
inline bool IsShortStructure(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kObject) return As<BoundObject>(expr).is_short();
  return expr.kind == BoundKind::kTuple && As<BoundTuple>(expr).elements.size() <= kMaxInlineTuple;
}

// Whether fast code can try all parts of such a list or object.
template <typename Parts>
bool HasTriedParts(const BoundExpr& structure, const Parts& parts) {
  bool suits = parts.makes_calls() && structure.height <= kMaxTemplateHeight && IsShortStructure(structure);
  if (!suits) return false;
  ForEachPart(structure, [&](const BoundExpr& part) {
    suits = suits && (part.is_constant() || part.plain_value || HasSureAttempt(part, parts) || CanSeek(part, parts));
  });
  return suits;
}

// The same for what `expr` stands for, whose parts are there. A template is tried in fast code even where that joins no
// less than general code: its parts may fail, as may those of a list or object.
template <typename Parts>
bool HasSureAttempt(const BoundExpr& expr, const Parts& parts) {
  const BoundExpr& inner = parts.inner(expr);
  if (inner.kind == BoundKind::kTemplate) {
    return inner.height <= kMaxTemplateHeight && HasFastParts(As<BoundTemplate>(inner), parts);
  }
  if (IsStructure(inner)) return HasTriedParts(inner, parts);
  return IsSureAttempt(inner) && parts.list(expr);
}

using Attempts = absl::InlinedVector<const BoundExpr*, 8>;

// What a call of try tries: its arguments, and those of such calls among them, since one of these fails where all of
// its own do.
inline void AppendAttempts(const BoundCall& call, Attempts* attempts) {
  for (const BoundExpr* argument : call.arguments) {
    const bool is_try = argument->kind == BoundKind::kCall && As<BoundCall>(*argument).is(Function::Special::kTry) &&
                        !As<BoundCall>(*argument).expand_last && !As<BoundCall>(*argument).arguments.empty();
    if (is_try) {
      AppendAttempts(As<BoundCall>(*argument), attempts);
    } else {
      attempts->push_back(argument);
    }
  }
}

// Whether there is fast code for all that is tried behind the first, which may fail then: it is looked for, or made,
// and the last one is there.
template <typename Parts>
bool HasOtherAttempts(absl::Span<const BoundExpr* const> attempts, const Parts& parts) {
  if (attempts.size() < 2 || !(IsNull(*attempts.back()) || parts.list(*attempts.back()))) return false;
  return std::all_of(attempts.begin() + 1, attempts.end() - 1, [&](const BoundExpr* attempt) {
    return CanSeek(*attempt, parts) || HasSureAttempt(*attempt, parts);
  });
}

// Without the others, code leaves where a computed first one fails.
template <typename Parts>
bool HasFastTry(const BoundCall& call, const Parts& parts) {
  Attempts attempts;
  AppendAttempts(call, &attempts);
  if (!attempts.empty() && HasSureAttempt(*attempts[0], parts)) return true;
  return HasOtherAttempts(attempts, parts) && CanSeek(*attempts[0], parts);
}

// A list or object in the text, such as `[]`, that is a constant.
inline bool IsConstantStructure(const BoundExpr& expr) {
  if (!expr.is_constant()) return false;
  const Value& value = As<BoundConstant>(expr).value;
  return (value.is_tuple() || value.is_object()) && value.is_wholly_known() && !value.has_marks();
}

// Whether one instruction finds the type of a choice between such a constant and what only a run tells the type of.
template <typename Parts>
bool HasStructureBranch(const BoundConditional& choice, const Parts& parts) {
  if (!Parts::kMakesLists || choice.shape != nullptr || !choice.common_type.is_dynamic()) return false;
  const auto is_open = [&](const BoundExpr& branch) {
    return !IsChoice(branch) && !branch.is_constant() && !branch.has_primitive_type() && parts.list(branch);
  };
  const BoundExpr& yes = *choice.if_true;
  const BoundExpr& no = *choice.if_false;
  const bool suits = (IsConstantStructure(yes) && is_open(no)) || (is_open(yes) && IsConstantStructure(no));
  return suits && parts.test(*choice.condition);
}

// A list or object in the text is seldom of the type of what is beside it: of two arguments, that is found out.
template <typename Parts>
bool HasFastCoalesce(const BoundCall& call, const Parts& parts) {
  const bool takes_structures = Parts::kMakesLists && call.arguments.size() == 2;
  const auto suits = [&](const BoundExpr& argument) {
    if (IsNull(argument)) return true;
    const bool is_operand = !argument.is_constant() || ScalarOf(argument) != nullptr;
    return parts.list(argument) && (is_operand || (takes_structures && IsConstantStructure(argument)));
  };
  return !call.arguments.empty() && std::all_of(call.arguments.begin(), call.arguments.end(),
                                                [&](const BoundExpr* argument) { return suits(*argument); });
}

// A call that is a condition in fast code.
inline bool IsTestCall(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall || ReductionOf(expr)) return false;
  switch (As<BoundCall>(expr).function->special) {
    case Function::Special::kCan:
    case Function::Special::kContains:
    case Function::Special::kStartsWith:
    case Function::Special::kEndsWith:
    case Function::Special::kStrContains:
      return true;
    default:
      return false;
  }
}

template <typename Parts>
bool HasFastReduction(const Reduction& reduction, const Parts& parts) {
  const BoundFor& loop = *reduction.loop;
  if (!parts.list(*loop.collection) || (loop.condition != nullptr && !parts.test(*loop.condition))) return false;
  switch (reduction.kind) {
    case Reduction::Kind::kAllTrue:
    case Reduction::Kind::kAnyTrue:
      return parts.test(*loop.value);
    case Reduction::Kind::kLength:
    case Reduction::Kind::kFirst:
    case Reduction::Kind::kOne:
      return parts.list(*loop.value);
    case Reduction::Kind::kContains:
      return parts.yield(*loop.value) && parts.yield(*reduction.needle);
    default:
      return parts.yield(*loop.value);
  }
}

// Each is tested, whatever the others are: its errors are the list's.
template <typename Parts>
bool HasFastTruths(const BoundTuple& truths, const Parts& parts) {
  return std::all_of(truths.elements.begin(), truths.elements.end(), [&](const BoundExpr* element) {
    const Value* const constant = ScalarOf(parts.inner(*element));
    return constant != nullptr ? constant->is_bool() : parts.test(*element);
  });
}

template <typename Parts>
bool HasFastCall(const BoundCall& call, const Parts& parts) {
  if (const BoundTuple* const truths = ListedTruths(call)) return HasFastTruths(*truths, parts);
  if (const Reduction reduction = ReductionOf(call)) return HasFastReduction(reduction, parts);
  if (const auto numbers = ListedNumbers(call); !numbers.empty()) {
    return std::all_of(numbers.begin(), numbers.end(), [&](const BoundExpr* number) { return parts.yield(*number); });
  }
  if (IsListCall(call)) return Parts::kMakesLists && HasFastList(call, parts);
  if (call.is(Function::Special::kTry)) return HasFastTry(call, parts);
  if (call.is(Function::Special::kCan)) {
    return HasSureAttempt(*call.arguments[0], parts) || CanSeek(*call.arguments[0], parts);
  }
  if (call.is(Function::Special::kCoalesce)) return HasFastCoalesce(call, parts);
  if (call.is(Function::Special::kLength)) {
    const BoundCall* const set = CountedSet(call);
    return parts.list(*call.arguments[0]) &&
           (set == nullptr || (parts.list(*set->arguments[0]) && parts.list(*set->arguments[1])));
  }
  if (IsRounding(call)) return parts.yield(*call.arguments[0]);
  if (const AskedPiece piece = PieceOf(call)) {
    return parts.yield(*piece.split->arguments[0]) && parts.yield(*piece.split->arguments[1]);
  }
  if (const auto joined = JoinedParts(call); !joined.empty()) {
    return std::all_of(joined.begin(), joined.end(), [&](const BoundExpr* part) { return parts.yield(*part); });
  }
  if (call.is(Function::Special::kLookup) && call.arguments.size() == 3) {
    return parts.list(*call.arguments[0]) && parts.yield(*call.arguments[1]) && parts.list(*call.arguments[2]);
  }
  if (call.expand_last || call.arguments.size() != 2) return false;
  switch (call.function->special) {
    case Function::Special::kContains:
      if (const BoundExpr* const mapping = MappingOfKeys(call)) {
        return parts.list(*mapping) && parts.yield(*call.arguments[1]);
      }
      return (call.lookup != BoundCall::kNone || parts.list(*call.arguments[0])) && parts.yield(*call.arguments[1]);
    case Function::Special::kStartsWith:
    case Function::Special::kEndsWith:
    case Function::Special::kStrContains:
      return parts.yield(*call.arguments[0]) && parts.yield(*call.arguments[1]);
    default:
      return false;
  }
}

// When the left side is a constant that decides, general code evaluates the right side although it does not matter, and
// takes its marks. A right side that might not be a bool is evaluated in any case, and first; which makes it a value.
template <typename Parts>
bool HasFastLogic(const BoundChain& chain, const Parts& parts) {
  const auto& operands = chain.tested;
  if (operands.empty() || operands[0]->is_constant() || !parts.test(*operands[0])) return false;
  return std::all_of(operands.begin() + 1, operands.end(), [&](const BoundExpr* operand) {
    return parts.inner(*operand).sure_bool ? parts.test(*operand) : parts.yield(*operand);
  });
}

template <typename Parts>
bool HasFastChain(const BoundChain& chain, const Parts& parts) {
  if (IsLogical(chain.op)) return HasFastLogic(chain, parts);
  if (IsEquality(chain.op) && IsNull(*chain.operands[1])) return parts.yield(*chain.operands[0]);
  if (IsEquality(chain.op) && IsNull(*chain.operands[0])) return parts.yield(*chain.operands[1]);
  return std::all_of(chain.operands.begin(), chain.operands.end(),
                     [&](const BoundExpr* operand) { return parts.yield(*operand); });
}

// Whether there is fast code for the choice and all that it may yield, once the type is known.
template <typename Parts>
bool HasFastBranches(const BoundConditional& choice, const Parts& parts) {
  return parts.test(*choice.condition) && parts.branch(*choice.if_true) && parts.branch(*choice.if_false);
}

// Whether the type of the value is known beforehand, and is that of objects or lists.
template <typename Parts>
bool HasCommonType(const BoundConditional& choice, const Parts& parts) {
  const auto suits = [&](const BoundExpr& branch) { return IsNull(branch) || parts.list(branch); };
  return !choice.common_type.is_dynamic() && parts.test(*choice.condition) && suits(*choice.if_true) &&
         suits(*choice.if_false);
}

// Whether it is a choice between objects of the same keys. What each holds is looked at before one is made.
template <typename Parts>
bool HasObjectBranches(const BoundExpr& branch, const Parts& parts) {
  if (IsChoice(branch)) {
    const auto& choice = As<BoundConditional>(branch);
    return choice.shape != nullptr && parts.test(*choice.condition) && HasObjectBranches(*choice.if_true, parts) &&
           HasObjectBranches(*choice.if_false, parts);
  }
  const auto& items = ObjectLiteral(branch)->items;
  return std::all_of(items.begin(), items.end(), [&](const BoundItem& item) { return parts.list(*item.value); });
}

// A constant text, and a conditional between two.
inline bool IsText(const BoundExpr& expr) {
  const Value* const value = ScalarOf(expr);
  return value != nullptr && value->is_string();
}
inline bool IsTextChoice(const BoundExpr& expr) {
  return IsChoice(expr) && IsText(*As<BoundConditional>(expr).if_true) && IsText(*As<BoundConditional>(expr).if_false);
}

// Whether fast code joins less than the parts of a template: it has others in it, whose parts are among its own, or
// conditionals between texts, which go together with the texts around. One without is as fast in general code. Not
// where it is deep: a conditional around it may look at it twice, and general code stands behind it, which must not
// double with each level.
template <typename Parts>
bool HasFastTemplates(const BoundTemplate& expr, const Parts& parts) {
  const auto joins = [&](const BoundExpr* part) {
    if (IsTextChoice(*part)) return parts.test(*As<BoundConditional>(*part).condition);
    return part->kind == BoundKind::kTemplate && HasFastParts(As<BoundTemplate>(*part), parts);
  };
  return expr.height <= kMaxTemplateHeight && expr.parts.size() > 1 && HasFastParts(expr, parts) &&
         std::any_of(expr.parts.begin(), expr.parts.end(), joins);
}

// Whether there is fast code for the value, but for its size. Objects and tuples are not asked about.
template <typename Parts>
bool HasFastValue(const BoundExpr& node, const BranchType& branch_type, const Parts& parts) {
  switch (node.kind) {
    case BoundKind::kConstant:
      return ScalarOf(node) != nullptr;
    case BoundKind::kPath:
      return HasPlainKeys(As<BoundPath>(node).steps);
    case BoundKind::kLocal:
      return HasPlainKeys(As<BoundLocal>(node).steps);
    case BoundKind::kSteps:
      if (const Reduction first = ReductionOf(node)) {
        return HasPlainKeys(first.steps) && HasFastReduction(first, parts);
      }
      if (const AskedPiece piece = PieceOf(As<BoundSteps>(node))) {
        if (!parts.yield(*piece.split->arguments[0]) || !parts.yield(*piece.split->arguments[1])) return false;
      }
      return HasPlainKeys(As<BoundSteps>(node).steps) && parts.list(*As<BoundSteps>(node).source);
    case BoundKind::kIndex:
      return parts.list(*As<BoundIndex>(node).source) && parts.yield(*As<BoundIndex>(node).key);
    case BoundKind::kUnary: {
      const auto& unary = As<BoundUnary>(node);
      return unary.op == UnaryOp::kNot ? parts.test(*unary.operand) : parts.yield(*unary.operand);
    }
    case BoundKind::kChain:
      return HasFastChain(As<BoundChain>(node), parts);
    case BoundKind::kConditional:
      return HasCommonType(As<BoundConditional>(node), parts) ||
             (As<BoundConditional>(node).shape != nullptr && HasObjectBranches(node, parts)) ||
             (branch_type.told != BranchTypes::kSeveral && HasFastBranches(As<BoundConditional>(node), parts)) ||
             HasStructureBranch(As<BoundConditional>(node), parts);
    case BoundKind::kTemplate:
      return HasFastTemplates(As<BoundTemplate>(node), parts);
    case BoundKind::kCall:
      return HasFastCall(As<BoundCall>(node), parts);
    default:
      return false;
  }
}

// Whether a jump on such a value can be taken: on what is sure to be no bool it would always leave.
inline bool MayBeBool(const BoundExpr& node, const BranchType& branch_type) {
  if (node.is_constant()) return As<BoundConstant>(node).value.is_bool();
  if (IsChoice(node) && branch_type.type != Type::Bool()) return false;
  return node.type == Type::Bool() || node.type.is_dynamic();
}

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_FAST_FORMS_H_

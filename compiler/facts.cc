// What follows for a node from its parts. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/facts.h"

#include <algorithm>
#include <cstdint>

#include "absl/base/attributes.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/bound_forms.h"
#include "hclvm/compiler/core_list_facts.h"
#include "hclvm/compiler/core_text_parts.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {
namespace {

// Parameters of a total function take scalars and lists of them.
bool IsTotalCall(const BoundCall& call) {
  const Function& function = *call.function;
  if (!function.total || call.expand_last) return false;
  const size_t required = function.parameters.size();
  const size_t count = call.arguments.size();
  return function.variadic ? count > required : count == required;
}

bool IsSureOfBool(const BoundExpr& node) {
  if (node.type == Type::Bool()) return true;
  if (node.kind != BoundKind::kCall || !As<BoundCall>(node).is(Function::Special::kTry)) return false;
  const auto& arguments = As<BoundCall>(node).arguments;
  return !arguments.empty() && std::all_of(arguments.begin(), arguments.end(),
                                           [](const BoundExpr* argument) { return argument->type == Type::Bool(); });
}

// What the node's kind says of its value, and the facts of its parts: the type, whether it may be null, and whether it
// is total.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void SetValueFacts(BoundExpr* node) {
  node->type = Type::Dynamic();
  node->never_null = true;
  node->total = false;
  switch (node->kind) {
    case BoundKind::kUnary:
      node->type = As<BoundUnary>(*node).op == UnaryOp::kNot ? Type::Bool() : Type::Number();
      break;
    case BoundKind::kChain:
      node->type = IsArithmetic(As<BoundChain>(*node).op) ? Type::Number() : Type::Bool();
      break;
    case BoundKind::kTemplate:
    case BoundKind::kTemplateFor:
      node->type = Type::String();
      break;
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(*node);
      if (choice.if_true->type == choice.if_false->type) node->type = choice.if_true->type;
      node->never_null = choice.if_true->never_null && choice.if_false->never_null;
      break;
    }
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(*node);
      node->type = ResultType(*call.function);
      node->never_null = call.function->never_null();
      node->total = IsTotalCall(call);
      break;
    }
    case BoundKind::kPath:
    case BoundKind::kLocal:
    case BoundKind::kSteps:
    case BoundKind::kIndex:
    case BoundKind::kRaise:
      node->never_null = false;
      break;
    default:
      break;
  }
  node->sure_bool = IsSureOfBool(*node);
}

// The types that branches tell, through conditionals in them.
struct BranchType {
  BranchTypes known = BranchTypes::kNone;
  Type type;  // if it is one

  void Add(const BranchType& branch) {
    if (branch.known == BranchTypes::kNone) return;
    const bool agrees = known == BranchTypes::kNone || (known == BranchTypes::kOne && branch.type == type);
    known = agrees && branch.known == BranchTypes::kOne ? BranchTypes::kOne : BranchTypes::kSeveral;
    type = branch.type;
  }
};

// The types of the branches, which know those of theirs.
BranchType BranchTypeOf(const BoundConditional& choice) {
  BranchType result;
  for (const BoundExpr* branch : {choice.if_true, choice.if_false}) {
    if (IsChoice(*branch)) {
      result.Add({As<BoundConditional>(*branch).branch_types, As<BoundConditional>(*branch).branch_type});
    } else if (branch->has_primitive_type()) {
      result.Add({BranchTypes::kOne, branch->type});
    }
  }
  return result;
}

// The tests that fast code for a jump on `expr` has.
uint32_t TestsOf(const BoundExpr& expr) {
  const bool is_test = expr.kind == BoundKind::kConditional ||
                       (expr.kind == BoundKind::kUnary && As<BoundUnary>(expr).op == UnaryOp::kNot) ||
                       (expr.kind == BoundKind::kChain && !IsArithmetic(As<BoundChain>(expr).op));
  return expr.tests + (is_test ? 0 : 1);
}

// Whether fast code has another form for a call than a call.
bool IsOperation(const BoundCall& call) {
  using Special = Function::Special;
  switch (call.function->special) {
    case Special::kTry:
    case Special::kCan:
    case Special::kContains:
    case Special::kStartsWith:
    case Special::kEndsWith:
    case Special::kStrContains:
    case Special::kLength:
    case Special::kLookup:
    case Special::kCoalesce:
    case Special::kMin:
    case Special::kMax:
    case Special::kSum:
    case Special::kCeil:
    case Special::kFloor:
      return true;
    case Special::kElement:
      return !call.arguments.empty() &&
             (call.arguments[0]->kind == BoundKind::kTuple || IsOfPieces(*call.arguments[0]));
    case Special::kMerge:
    case Special::kReverse:
    case Special::kValues:
      return std::any_of(call.arguments.begin(), call.arguments.end(), [](const BoundExpr* argument) {
        return !argument->is_constant() && (argument->kind == BoundKind::kObject || IsMadeOfElements(*argument));
      });
    case Special::kJoin:
      return !JoinedParts(call).empty() || (call.arguments.size() == 2 && call.arguments[1]->kind == BoundKind::kTuple);
    default:
      return !JoinedParts(call).empty() || IsListCall(call);
  }
}

// Whether what a step is taken into is put together for it.
bool IsMade(const BoundExpr& source) {
  return source.kind == BoundKind::kObject || source.kind == BoundKind::kTuple || source.kind == BoundKind::kFor;
}

// Whether the text joins one that it would have to make before.
bool HasTemplate(const BoundTemplate& node) {
  return std::any_of(node.parts.begin(), node.parts.end(),
                     [](const BoundExpr* part) { return part->kind == BoundKind::kTemplate; });
}

// The tests that it saves by itself: more than one where the slow path has no instruction for it.
uint32_t OwnTests(const BoundExpr& node) {
  if (node.kind == BoundKind::kSteps) {
    const auto& steps = As<BoundSteps>(node);
    return IsOfPieces(*steps.source) || MergeFor(steps) != nullptr || ConsumerOf(node) || IsMade(*steps.source) ? 2 : 0;
  }
  if (node.kind == BoundKind::kIndex) {
    const BoundExpr& source = *As<BoundIndex>(node).source;
    return IsMade(source) || source.is_constant() ? 2 : 0;
  }
  if (node.kind == BoundKind::kTemplate) return HasTemplate(As<BoundTemplate>(node)) ? 1 : 0;
  if (node.kind != BoundKind::kCall) return 0;
  if (As<BoundCall>(node).lookup != BoundCall::kNone) return 1;
  return ConsumerOf(node) || IsOperation(As<BoundCall>(node)) ? 2 : 0;
}

// Tests of the parts, which have `of_parts`, and its own.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline uint32_t CountTests(const BoundExpr& node, uint64_t of_parts) {
  uint64_t tests = 0;
  switch (node.kind) {
    case BoundKind::kChain: {
      const auto& chain = As<BoundChain>(node);
      const bool logical = IsLogical(chain.op);
      tests = IsArithmetic(chain.op) ? 0 : chain.applications.size();
      if (IsComparison(chain.op) && (Divides(*chain.operands[0]) || Divides(*chain.operands[1]))) ++tests;
      for (const BoundExpr* operand : chain.operands) {
        const bool tested = logical && (operand == chain.operands[0] || operand->sure_bool);
        tests += tested ? TestsOf(*operand) : operand->tests;
      }
      break;
    }
    case BoundKind::kUnary: {
      const auto& unary = As<BoundUnary>(node);
      tests = unary.op == UnaryOp::kNot ? 1 + uint64_t{TestsOf(*unary.operand)} : unary.operand->tests;
      break;
    }
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(node);
      tests = 1 + uint64_t{TestsOf(*choice.condition)} + choice.if_true->tests + choice.if_false->tests;
      break;
    }
    default:
      tests = of_parts + OwnTests(node);
      break;
  }
  return static_cast<uint32_t>(std::min<uint64_t>(tests, UINT32_MAX / 2));
}

}  // namespace

namespace {

ABSL_ATTRIBUTE_NOINLINE void SetNullFacts(BoundConstant* node) {
  const Value& value = node->value;
  node->never_null = false;
  const Type type = value.null_or_unknown_type();
  if (!type.is_primitive()) return;
  node->type = type;
  node->sure_bool = type == Type::Bool();
}

}  // namespace

void SetConstantFacts(BoundConstant* node) {
  const Value& value = node->value;
  node->type = TypeOfScalar(value);
  node->sure_bool = value.is_bool();
  node->never_null = node->total = true;
  if (value.is_null()) SetNullFacts(node);
}

bool IsAttempt(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kCall || As<BoundCall>(expr).arguments.empty()) return false;
  return As<BoundCall>(expr).is(Function::Special::kTry) || As<BoundCall>(expr).is(Function::Special::kCan);
}

Type ResultType(const Function& function) {
  return function.result_type.is_primitive() ? function.result_type : Type::Dynamic();
}

// What the parts have is asked of them once, by position, so that a chain of thousands costs one look at each operand.
void SetFacts(BoundExpr* node, bool for_code) {
  if (node->is_constant()) return SetConstantFacts(static_cast<BoundConstant*>(node));
  if (node->kind == BoundKind::kPath) return;
  uint16_t height = 0;
  bool pure = true;
  uint64_t tests = 0;
  ForEachPart(*node, [&](const BoundExpr& part) {
    height = std::max(height, part.height);
    pure = pure & part.pure;
    tests += part.tests;
  });
  if (node->kind == BoundKind::kCall) pure = pure && As<BoundCall>(*node).function->pure;
  node->height = static_cast<uint16_t>(height == UINT16_MAX ? height : height + 1);
  node->pure = pure;
  SetValueFacts(node);
  if (node->kind == BoundKind::kConditional) {
    auto* const choice = static_cast<BoundConditional*>(node);
    const BranchType branch_type = BranchTypeOf(*choice);
    choice->branch_types = branch_type.known;
    choice->branch_type = branch_type.type;
  }
  if (for_code) node->tests = CountTests(*node, tests);
}

// Only what is declared tells the type of a path.
bool IsSure(const BoundExpr& expr) {
  if (!expr.has_primitive_type() || !expr.never_null) return false;
  const auto are_sure = [](absl::Span<const BoundExpr* const> parts, Type type) {
    return std::all_of(parts.begin(), parts.end(), [type](const BoundExpr* part) {
      return (type.is_dynamic() || part->type == type) && IsSure(*part);
    });
  };
  switch (expr.kind) {
    case BoundKind::kConstant:
    case BoundKind::kPath:
      return true;
    case BoundKind::kUnary:
      return As<BoundUnary>(expr).operand->type == expr.type && IsSure(*As<BoundUnary>(expr).operand);
    case BoundKind::kChain: {
      const auto& chain = As<BoundChain>(expr);
      if (IsArithmetic(chain.op)) return false;
      const Type type = IsLogical(chain.op) ? Type::Bool() : IsComparison(chain.op) ? Type::Number() : Type::Dynamic();
      return are_sure(chain.operands, type);
    }
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(expr);
      const BoundExpr* const branches[] = {choice.if_true, choice.if_false};
      return choice.condition->type == Type::Bool() && IsSure(*choice.condition) && are_sure(branches, expr.type);
    }
    case BoundKind::kTemplate:
      return are_sure(As<BoundTemplate>(expr).parts, Type::Dynamic());
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(expr);
      if (call.lookup != BoundCall::kNone) return IsSure(*call.arguments[1]);
      if (!IsTotalCall(call)) return false;
      for (size_t n = 0; n < call.arguments.size(); ++n) {
        if (call.arguments[n]->type != call.function->parameter(n).type || !IsSure(*call.arguments[n])) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

// Functions, paths and loops are left out: where something in them is not known, what comes out may be of any type.
bool HasFirmType(const BoundExpr& expr, int depth) {
  const auto is_firm = [depth](const BoundExpr& part) { return HasFirmType(part, depth - 1); };
  if (expr.type.is_dynamic() || depth == 0) return false;
  switch (expr.kind) {
    case BoundKind::kConstant:
    case BoundKind::kUnary:
    case BoundKind::kChain:
      return true;
    // A list in the text is none, and what always fails counts as a value of any type.
    case BoundKind::kTemplate: {
      const auto& parts = As<BoundTemplate>(expr).parts;
      return std::none_of(parts.begin(), parts.end(),
                          [](const BoundExpr* part) { return part->is_constant() && ScalarOf(*part) == nullptr; });
    }
    case BoundKind::kTuple: {
      const auto& elements = As<BoundTuple>(expr).elements;
      return std::all_of(elements.begin(), elements.end(), [&](const BoundExpr* part) { return is_firm(*part); });
    }
    case BoundKind::kObject: {
      const auto& items = As<BoundObject>(expr).items;
      return std::all_of(items.begin(), items.end(), [&](const BoundItem& item) { return is_firm(*item.value); });
    }
    case BoundKind::kConditional:
      return is_firm(*As<BoundConditional>(expr).if_true) && is_firm(*As<BoundConditional>(expr).if_false);
    default:
      return false;
  }
}

namespace {

constexpr uint32_t kMaxObjects = 16;  // a choice between more is not looked at

// What BoundConditional says of the objects that it yields: shape, item_types, objects, open_items.
struct ObjectForm {
  const Shape* shape = nullptr;
  absl::Span<const Type> types{};
  uint32_t objects = 0;
  bool is_open = false;
};

// What a branch says of the objects that it yields.
ObjectForm FormOf(const BoundExpr& branch, Arena* arena) {
  if (IsChoice(branch)) {
    const auto& choice = As<BoundConditional>(branch);
    return {choice.shape, choice.item_types, choice.objects, choice.open_items};
  }
  const BoundObject* const object = ObjectLiteral(branch);
  if (object == nullptr || !object->is_short()) return {};
  auto* const types = arena->NewArray<Type>(object->items.size());
  bool is_open = false;
  for (const BoundItem& item : object->items) {
    const BoundExpr& value = *item.value;
    const bool is_firm = HasFirmType(value);
    const bool is_scalar = is_firm && value.has_primitive_type();
    types[item.position] = is_scalar ? value.type : Type::Dynamic();
    is_open = is_open || IsNull(value) || value.kind == BoundKind::kTuple || value.kind == BoundKind::kObject ||
              ((value.is_constant() || is_firm) && !is_scalar);
  }
  return {object->shape, {types, object->items.size()}, 1, is_open};
}

}  // namespace

void SetShape(BoundConditional* choice, Arena* arena) {
  const ObjectForm a = FormOf(*choice->if_true, arena);
  const ObjectForm b = FormOf(*choice->if_false, arena);
  if (a.shape == nullptr || b.shape == nullptr || a.objects + b.objects > kMaxObjects) return;
  if (!(*a.shape == *b.shape)) return;
  const bool is_open = a.is_open || b.is_open;
  const bool are_constant = choice->if_true->is_constant() && choice->if_false->is_constant();
  if (is_open && (a.objects + b.objects > 2 || are_constant)) return;
  auto* const types = arena->NewArray<Type>(a.types.size());
  for (size_t n = 0; n < a.types.size(); ++n) {
    const bool a_tells = !a.types[n].is_dynamic();
    if (a_tells && !b.types[n].is_dynamic() && !(a.types[n] == b.types[n])) return;
    types[n] = a_tells ? a.types[n] : b.types[n];
  }
  choice->shape = a.shape;
  choice->item_types = {types, a.types.size()};
  choice->objects = a.objects + b.objects;
  choice->open_items = is_open;
}

}  // namespace hcl::internal

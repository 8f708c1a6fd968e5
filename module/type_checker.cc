// TypeChecker: the way through a tree. Recursion follows the nesting of the syntax, which the parser has bounded; left
// spines are walked in loops. Tested by module/type_checker_test.cc.

#include "hclvm/module/type_checker.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/habits.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/vm/value/conversion.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

TypeChecker::TypeChecker(StaticTypes* types, Dialect dialect, Diagnostics* errors, Diagnostics* warnings)
    : types_(*types), heap_(types->type_table(), dialect), errors_(*errors), warnings_(warnings) {}

void TypeChecker::Declare(uint32_t slot, CheckedName name) {
  if (names_.size() <= slot) names_.resize(slot + 1);
  names_[slot] = name;
}

const StaticType* TypeChecker::Check(const BoundTree& tree, const Source* source) {
  source_ = source;
  tree_ = &tree;
  locals_.clear();
  ForgetTo({});
  steps_.Reset();
  quiet_ = attempts_ = takes_null_ = 0;
  return Infer(tree.root());
}

void TypeChecker::CheckValidation(uint32_t slot, const StaticType* type) {
  const BoundExpr& root = tree_->root();
  if (type->kind == StaticKind::kSilent || !TakeNull(root, &type, "condition") || !TakeAny(root, type, "condition")) {
    return;
  }
  if (type->kind == StaticKind::kBool) {
    const Known before = known();
    Assume(root, true);
    KeepFilled(slot);
    return ForgetTo(before);
  }
  Report(root.outer, DiagnosticCode::kNeverCondition,
         absl::StrCat("The condition of a validation must be true or false, and this one is of type ", NameOf(*type),
                      "."));
}

void TypeChecker::Report(SourceRange range, DiagnosticCode code, std::string detail) {
  is_quiet() ? void(++unsaid_) : Add(range, code, std::move(detail));
}

void TypeChecker::ReportConstant(SourceRange range, std::string detail) {
  if (quiet_ == attempts_) Add(range, DiagnosticCode::kNeverRight, std::move(detail));
}

void TypeChecker::Add(SourceRange range, DiagnosticCode code, std::string detail) {
  Diagnostics* const sink = SeverityOf(code) == Severity::kWarning ? warnings_ : &errors_;
  if (sink == nullptr) return;
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = range;
  diagnostic.source = source_;
  sink->Add(std::move(diagnostic));
}

const StaticType* TypeChecker::Infer(const BoundExpr& expr) {
  const bool is_sure = !sure_.empty() && IsSure(expr);
  quiet_ += is_sure ? 1 : 0;
  const StaticType* type = InferInner(expr);
  quiet_ -= is_sure ? 1 : 0;
  // What the tree tells of a value, it tells for all runs.
  if (type->kind == StaticKind::kAny && expr.has_primitive_type()) {
    type = types_.FromType(expr.type, nullptr, !expr.never_null);
  } else if (type->nullable && expr.never_null && type->is_told()) {
    type = types_.WithNull(type, false);
  }
  if (observer_ != nullptr) observer_->SeeExpr(expr.range, source_, *type);
  return type;
}

const StaticType* TypeChecker::InferInner(const BoundExpr& expr) {
  switch (expr.kind) {
    case BoundKind::kConstant: {
      const auto& constant = As<BoundConstant>(expr);
      // It stands for a name that there is not, and that was told.
      if (constant.value.is_dynamic_value()) break;
      return types_.FromValue(constant.value);
    }
    case BoundKind::kPath:
      return InferPath(As<BoundPath>(expr));
    case BoundKind::kLocal:
      return InferLocal(As<BoundLocal>(expr));
    case BoundKind::kSteps:
    case BoundKind::kIndex:
      return InferSpine(expr);
    case BoundKind::kCall:
      return InferCall(As<BoundCall>(expr));
    case BoundKind::kTuple: {
      absl::InlinedVector<const StaticType*, 8> parts;
      for (const BoundExpr* element : As<BoundTuple>(expr).elements) parts.push_back(Infer(*element));
      return types_.Tuple(parts);
    }
    case BoundKind::kObject:
      return InferObject(As<BoundObject>(expr));
    case BoundKind::kFor:
      return As<BoundFor>(expr).splat != nullptr ? InferSplat(As<BoundFor>(expr)) : InferFor(As<BoundFor>(expr));
    case BoundKind::kUnary: {
      const auto& unary = As<BoundUnary>(expr);
      const bool is_not = unary.op == UnaryOp::kNot;
      const StaticType* const type = Infer(*unary.operand);
      const bool fits =
          Check(is_not ? Need::kBool : Need::kNumber, *unary.operand, type, DiagnosticCode::kNeverOperand, "operand");
      if (!fits && type->is_told()) break;  // it always fails
      return types_.Of(is_not ? StaticKind::kBool : StaticKind::kNumber);
    }
    case BoundKind::kChain:
      return InferChain(As<BoundChain>(expr));
    case BoundKind::kConditional:
      return InferConditional(As<BoundConditional>(expr));
    case BoundKind::kTemplate:
      return InferTemplate(As<BoundTemplate>(expr));
    case BoundKind::kTemplateFor: {
      const auto& loop = As<BoundTemplateFor>(expr);
      SetLoop(loop.variables, ElementsOf(*loop.collection, Infer(*loop.collection)));
      Check(Need::kText, *loop.body, Infer(*loop.body), DiagnosticCode::kNeverText, "body of the loop");
      return types_.Of(StaticKind::kString);
    }
    case BoundKind::kRaise:
      break;
  }
  return types_.Of(StaticKind::kSilent);
}

// Steps and indexes may be nested without bound on their left.
const StaticType* TypeChecker::InferSpine(const BoundExpr& expr) {
  absl::InlinedVector<const BoundExpr*, 8> spine;
  const BoundExpr* at = &expr;
  while (at->kind == BoundKind::kSteps || at->kind == BoundKind::kIndex) {
    spine.push_back(at);
    at = at->kind == BoundKind::kSteps ? As<BoundSteps>(*at).source : As<BoundIndex>(*at).source;
  }
  const StaticType* type = Infer(*at);
  while (!spine.empty()) {
    const BoundExpr& next = *spine.back();
    spine.pop_back();
    if (next.kind == BoundKind::kIndex) {
      type = TakeIndex(type, As<BoundIndex>(next));
      continue;
    }
    const auto& steps = As<BoundSteps>(next);
    if (IsFirst(steps.steps[0])) CheckFirst(*steps.source, steps.steps[0].range);
    for (const BoundStep& step : steps.steps) type = TakeStep(type, step, "the value", Place());
  }
  return type;
}

constexpr char kHintAtAddedText[] = " Texts are joined by a template: \"${a}${b}\".";

// The right side of `&&` counts where the left one is true, and that of `||` where it is false: the other way round the
// left side decides, whatever the right one is, unless it could never be a bool.
const StaticType* TypeChecker::InferChain(const BoundChain& chain) {
  const Known before = known();
  const bool is_logical = IsLogical(chain.op);
  const bool is_equality = chain.op == BinaryOp::kEqual || chain.op == BinaryOp::kNotEqual;
  const bool tests_null = is_equality && (IsNull(*chain.operands[0]) || IsNull(*chain.operands[1]));
  absl::InlinedVector<const StaticType*, 2> operands;
  for (const BoundExpr* operand : chain.operands) {
    takes_null_ += tests_null ? 1 : 0;
    const StaticType* const type = Infer(*operand);
    takes_null_ -= tests_null ? 1 : 0;
    if (IsComparison(chain.op)) CheckText(*operand, *type);
    if (is_equality) operands.push_back(type);
    if (is_logical && type->nullable && type->is_told()) {
      CheckLogicalNull(*operand, type);
    } else if (!is_equality) {
      Check(is_logical ? Need::kBool : Need::kNumber, *operand, type, DiagnosticCode::kNeverOperand, "operand",
            chain.op == BinaryOp::kOr                                         ? HintAtOrOperand()
            : chain.op == BinaryOp::kAdd && type->kind == StaticKind::kString ? kHintAtAddedText
                                                                              : "");
    }
    if (is_logical) Assume(*operand, chain.op == BinaryOp::kAnd);
  }
  ForgetTo(before);
  CheckDivisors(chain);
  if (is_equality) {
    CheckNeverNull(chain, operands);
    CheckKinds(chain, operands);
  }
  return types_.Of(IsArithmetic(chain.op) ? StaticKind::kNumber : StaticKind::kBool);
}

const StaticType* TypeChecker::InferConditional(const BoundConditional& choice) {
  const StaticType* const condition = Infer(*choice.condition);
  const bool fits = Check(Need::kBool, *choice.condition, condition, DiagnosticCode::kNeverCondition, "condition");
  const Known before = known();
  Assume(*choice.condition, true);
  const StaticType* const if_true = Infer(*choice.if_true);
  ForgetTo(before);
  Assume(*choice.condition, false);
  const StaticType* const if_false = Infer(*choice.if_false);
  ForgetTo(before);
  // What always fails is of no type, so that it fits whatever it stands beside.
  if (!fits && condition->is_told()) return types_.Of(StaticKind::kSilent);
  if (!CheckBranches(choice, if_true, if_false)) return types_.Of(StaticKind::kSilent);
  return types_.Join(if_true, if_false, /*unifies=*/true);
}

const StaticType* TypeChecker::InferObject(const BoundObject& object) {
  constexpr size_t kMaxCompared = 8;  // so many names are compared one by one
  absl::InlinedVector<StaticTypes::NamedPart, kMaxCompared> parts;
  HashMap<absl::string_view, size_t> positions;  // once there are more
  const auto position_of = [&](std::string_view name) {
    if (parts.size() > kMaxCompared) {
      if (positions.empty()) {
        for (size_t n = 0; n < parts.size(); ++n) positions.emplace(ToAbsl(parts[n].first), n);
      }
      return positions.try_emplace(ToAbsl(name), parts.size()).first->second;
    }
    size_t at = 0;
    while (at < parts.size() && parts[at].first != name) ++at;
    return at;
  };
  bool all_named = true;
  for (const BoundItem& item : object.items) {
    // A number or a bool is the text that it would be written as.
    std::optional<Value> key;
    ConversionError error;
    Value converted;
    if (item.key->is_constant() && !As<BoundConstant>(*item.key).value.is_null() &&
        Convert(As<BoundConstant>(*item.key).value, Type::String(), &heap_, &converted, &error)) {
      key = converted;
    }
    const bool is_named = key && key->is_string();
    if (!is_named) {
      Check(Need::kKey, *item.key, Infer(*item.key), DiagnosticCode::kNeverKey, "key");
      all_named = false;
    }
    // Before the heap is used for the value.
    const std::string_view name = is_named ? types_.Keep(key->AsString()) : std::string_view();
    const StaticType* const type = Infer(*item.value);
    if (!is_named) continue;
    // The last one of a name counts.
    const size_t at = position_of(name);
    at == parts.size() ? void(parts.emplace_back(name, type)) : void(parts[at].second = type);
  }
  return types_.Object(absl::MakeSpan(parts), /*is_open=*/!all_named);
}

TypeChecker::Elements TypeChecker::ElementsOf(const BoundExpr& collection, const StaticType* type) {
  const StaticType* const silent = types_.Of(StaticKind::kSilent);
  if (type->kind == StaticKind::kSilent || !TakeNull(collection, &type, "loop") || !TakeAny(collection, type, "loop")) {
    const StaticType* const part = type->kind == StaticKind::kAny ? types_.Of(StaticKind::kAny) : silent;
    return {part, part};
  }
  switch (type->kind) {
    case StaticKind::kList:
      return {types_.Of(StaticKind::kNumber), type->element};
    case StaticKind::kSet:
      return {type->element, type->element};
    case StaticKind::kMap:
      return {types_.Of(StaticKind::kString), type->element};
    case StaticKind::kTuple:
    case StaticKind::kObject: {
      const StaticType* element = nullptr;
      for (const StaticType* part : type->parts) {
        element = element == nullptr ? part : types_.Join(element, part, /*unifies=*/false);
      }
      if (type->is_open || element == nullptr) element = type->is_open ? types_.Of(StaticKind::kAny) : silent;
      return {types_.Of(type->kind == StaticKind::kTuple ? StaticKind::kNumber : StaticKind::kString), element};
    }
    default:
      Report(collection.outer, DiagnosticCode::kNeverIterable,
             absl::StrCat("A loop goes over the elements of a list, a set, a tuple, a map or an object, and this is a ",
                          NameOf(*type), "."));
      return {silent, silent};
  }
}

void TypeChecker::SetLoop(const LoopVariables& variables, const Elements& elements) {
  if (variables.key != nullptr) locals_[variables.key] = elements.key;
  if (variables.value != nullptr) locals_[variables.value] = elements.value;
}

const StaticType* TypeChecker::InferFor(const BoundFor& loop) {
  SetLoop(loop.variables, ElementsOf(*loop.collection, Infer(*loop.collection)));
  const Known before = known();
  if (loop.condition != nullptr) {
    Check(Need::kBool, *loop.condition, Infer(*loop.condition), DiagnosticCode::kNeverCondition, "condition");
    Assume(*loop.condition, true);
  }
  if (loop.key != nullptr) Check(Need::kKey, *loop.key, Infer(*loop.key), DiagnosticCode::kNeverKey, "key");
  const StaticType* const value = Infer(*loop.value);
  ForgetTo(before);
  if (loop.key == nullptr) return types_.Collection(StaticKind::kList, value);
  return types_.Collection(StaticKind::kMap, loop.group ? types_.Collection(StaticKind::kList, value) : value);
}

const StaticType* TypeChecker::InferTemplate(const BoundTemplate& text) {
  bool fails = false;
  for (const BoundExpr* part : text.parts) {
    const StaticType* const type = Infer(*part);
    const bool fits = Check(Need::kText, *part, type, DiagnosticCode::kNeverText, "part of a text");
    fails = fails || (!fits && type->is_told());
  }
  return types_.Of(fails ? StaticKind::kSilent : StaticKind::kString);
}

// What is no list is a list of itself, and null one of nothing.
const StaticType* TypeChecker::InferSplat(const BoundFor& splat) {
  const StaticType* source = Infer(*splat.collection);
  if (source->kind != StaticKind::kSilent && source->kind != StaticKind::kNull) {
    source = types_.WithNull(source, false);
  }
  const bool is_list =
      source->kind == StaticKind::kList || source->kind == StaticKind::kSet || source->kind == StaticKind::kTuple;
  const bool tells = source->kind != StaticKind::kAny && source->kind != StaticKind::kNull;
  const StaticType* const element =
      is_list ? ElementsOf(*splat.collection, source).value
      : tells ? source
              : types_.Of(source->kind == StaticKind::kAny ? StaticKind::kAny : StaticKind::kSilent);
  SetLoop(splat.variables, {nullptr, element});
  return types_.Collection(StaticKind::kList, Infer(*splat.value));
}

}  // namespace hcl::internal

// PlainGenerator: what only sessions have, which are values that only have to be there, values that general code makes,
// and paths that are read once for all. Tested by compiler/literal_loop_test.cc.

#include <algorithm>
#include <utility>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

// Objects, tuples and templates of up to so many parts are put together in one instruction, from as many registers.
constexpr size_t kMaxInline = 64;

// What a parameter of a total function asks of an argument: strings are made of any scalar.
std::optional<PlainCheck> CheckOfParameter(Type type) {
  if (type == Type::String()) return PlainCheck::kScalar;
  if (type == Type::Number()) return PlainCheck::kNumber;
  if (type == Type::Bool()) return PlainCheck::kBool;
  if (type.kind() == TypeKind::kList && type.element() == Type::String()) return PlainCheck::kScalars;
  return std::nullopt;
}

// Whether every known value of the type, not null, passes.
bool Passes(Type type, PlainCheck check) {
  return check == PlainCheck::kNoError || (check == PlainCheck::kScalar && type.is_primitive()) ||
         (check == PlainCheck::kString && type == Type::String()) ||
         (check == PlainCheck::kNumber && type == Type::Number()) ||
         (check == PlainCheck::kBool && type == Type::Bool()) ||
         (check == PlainCheck::kScalars && type.kind() == TypeKind::kList && type.element().is_primitive());
}

}  // namespace

bool HasNames(const ObjectExpr& object) {
  for (auto item = object.items.begin(); item != object.items.end(); ++item) {
    auto same = [&](const ObjectItem& other) { return other.key_name == item->key_name; };
    if (item->key_name.empty() || std::any_of(object.items.begin(), item, same)) return false;
  }
  return object.items.size() <= kMaxInline;
}

// What `inner`, which is unwrapped, stands for.
const Expr& PlainGenerator::ItemOf(const Expr& inner) const {
  if (session_->element == nullptr) return inner;
  if (inner.kind == ExprKind::kVariable) return ReadsElement(inner) ? *session_->element : inner;
  if (inner.kind != ExprKind::kTraversal || !ReadsElement(*As<TraversalExpr>(inner).source)) return inner;
  absl::Span<const TraversalStep> steps = As<TraversalExpr>(inner).steps;
  if (steps.size() > 1 || steps[0].kind != TraversalStep::Kind::kAttribute) return inner;
  for (const ObjectItem& item : session_->element->items) {
    if (item.key_name == steps[0].text) return Unwrap(*item.value);
  }
  return inner;
}

bool PlainGenerator::ReadsElement(const Expr& expr) const {
  return session_ != nullptr && expr.kind == ExprKind::kVariable && As<VariableExpr>(expr).name == session_->name;
}

bool PlainGenerator::TakeGeneral(const Expr& expr) {
  if (session_ == nullptr) return false;
  if (const auto known = session_->general.find(&expr); known != session_->general.end()) {
    nodes_ += known->second;
    return nodes_ <= kMaxSessionNodes;
  }
  const int before = nodes_;
  std::vector<const Expr*> stack = {&expr};
  std::vector<const Expr*> children;
  while (!stack.empty()) {
    const Expr& at = *stack.back();
    stack.pop_back();
    if (!CountNode() || ReadsElement(at)) return false;
    if (at.kind == ExprKind::kCall) {
      const Function* function = FunctionOf(As<CallExpr>(at));
      if (function == nullptr || !function->pure) return false;
    }
    children.clear();
    AppendChildren(at, &children);
    stack.insert(stack.end(), children.begin(), children.end());
  }
  session_->general[&expr] = nodes_ - before;
  return true;
}

bool PlainGenerator::IsTotal(const CallExpr& expr) const {
  const Function* function = FunctionOf(expr);
  if (function == nullptr || !function->total || expr.expand_last) return false;
  const size_t required = function->parameters.size();
  const bool suits = function->variadic ? expr.arguments.size() > required : expr.arguments.size() == required;
  for (size_t n = 0; suits && n < expr.arguments.size(); ++n) {
    if (!CheckOfParameter(function->parameter(n).type)) return false;
  }
  return suits;
}

bool PlainGenerator::CanYieldItems(const Expr& expr) {
  auto can_yield = [this](const Expr* part) { return CanYield(*part); };
  if (expr.kind == ExprKind::kObject) {
    const auto& object = As<ObjectExpr>(expr);
    return object.items.size() <= kMaxInline && g_.builder_->shape_count() + kMaxNodes < UINT16_MAX &&
           !object.items.empty() && HasNames(object) &&
           std::all_of(object.items.begin(), object.items.end(),
                       [&](const ObjectItem& item) { return can_yield(item.value); });
  }
  absl::Span<const Expr* const> parts =
      expr.kind == ExprKind::kTuple ? As<TupleExpr>(expr).elements : As<TemplateExpr>(expr).parts;
  return parts.size() <= kMaxInline && std::all_of(parts.begin(), parts.end(), can_yield);
}

bool PlainGenerator::CanVerify(const Expr& expr) {
  const Expr& inner = Inner(expr);
  auto can_verify = [this](const Expr* part) { return part == nullptr || CanVerify(*part); };
  return Descend(inner, [&] {
    switch (inner.kind) {
      case ExprKind::kObject: {
        absl::Span<const ObjectItem> items = As<ObjectExpr>(inner).items;
        return CanYield(inner) &&
               (IsGeneral(inner) || std::all_of(items.begin(), items.end(),
                                                [&](const ObjectItem& item) { return CanVerify(*item.value); }));
      }
      case ExprKind::kTuple: {
        absl::Span<const Expr* const> elements = As<TupleExpr>(inner).elements;
        return CanYield(inner) && (IsGeneral(inner) || std::all_of(elements.begin(), elements.end(), can_verify));
      }
      case ExprKind::kTemplate:
        return CanYield(inner) &&
               std::all_of(As<TemplateExpr>(inner).parts.begin(), As<TemplateExpr>(inner).parts.end(), can_verify);
      case ExprKind::kTemplateIf: {
        const auto& node = As<TemplateIfExpr>(inner);
        return CanTest(*node.condition) && can_verify(node.if_true) && can_verify(node.if_false);
      }
      case ExprKind::kCall: {
        const auto& call = As<CallExpr>(inner);
        return CanYield(inner) &&
               (!IsTotal(call) || std::all_of(call.arguments.begin(), call.arguments.end(), can_verify));
      }
      default:
        return CanYield(inner);
    }
  });
}

void PlainGenerator::EndRegion() {
  const uint32_t here = g_.builder_->here();
  if (here > session_->begin) session_->regions.push_back({session_->begin, here, 0});
}

void PlainGenerator::CountReads(const Expr& expr) {
  ShortList<const Expr*> stack = {&expr};
  std::vector<const Expr*> children;
  while (!stack.empty()) {
    const Expr& at = Inner(*stack.back());
    stack.pop_back();
    // For these kinds, mostly only the parts are verified.
    const bool in_parts = at.kind == ExprKind::kTemplateIf || (at.kind == ExprKind::kCall && IsTotal(As<CallExpr>(at)));
    if ((IsGeneral(at) && !in_parts) || (at.kind == ExprKind::kTraversal && PathOf(at))) {
      CountRead(at);
      continue;
    }
    children.clear();
    AppendChildren(at, &children);
    stack.insert(stack.end(), children.begin(), children.end());
  }
}

void PlainGenerator::CountRead(const Expr& expr) {
  if (session_->values_of.contains(&expr)) return;
  const auto [it, is_new] = session_->value_numbers.try_emplace(PrintExpr(expr), session_->values.size());
  if (is_new) session_->values.emplace_back();
  PlainSession::KnownValue& known = session_->values[it->second];
  if (++known.uses == 2 && it->second < kMaxKnownValues) known.reg = g_.Allocate();
  session_->values_of[&expr] = it->second;
}

PlainSession::KnownValue* PlainGenerator::KnownValueOf(const Expr& expr) {
  if (session_ == nullptr) return nullptr;
  const auto it = session_->values_of.find(&expr);
  if (it == session_->values_of.end() || session_->values[it->second].reg == 0) return nullptr;
  PlainSession::KnownValue& known = session_->values[it->second];
  if (!known.is_there) {
    if (session_->branches > 0) return nullptr;
    known.is_there = true;
    if (IsGeneral(expr)) {
      YieldGeneral(expr, known.reg, PlainCheck::kNoError);
    } else {
      g_.builder_->EmitX(Opcode::kPlainLoad, known.reg, *PathOf(expr));
    }
  }
  return &known;
}

void PlainGenerator::Verify(const Expr& expr, PlainCheck check) {
  const Expr& inner = Inner(expr);
  if (check == PlainCheck::kNoError && session_->verified.contains(&inner)) return;
  const uint16_t mark = g_.next();
  if (!VerifyByParts(inner, check)) CheckedOperand(inner, check);
  g_.FreeTo(mark);
  if (session_->branches == 0) session_->verified.insert(&inner);
}

// False when the value itself is needed.
bool PlainGenerator::VerifyByParts(const Expr& expr, PlainCheck check) {
  switch (expr.kind) {
    case ExprKind::kObject:
      if (check != PlainCheck::kNoError || IsGeneral(expr)) return false;
      for (const ObjectItem& item : As<ObjectExpr>(expr).items) Verify(*item.value, PlainCheck::kNoError);
      return true;
    case ExprKind::kTuple:
      if (check != PlainCheck::kNoError || IsGeneral(expr)) return false;
      for (const Expr* element : As<TupleExpr>(expr).elements) Verify(*element, PlainCheck::kNoError);
      return true;
    case ExprKind::kTemplate:
      if (!Passes(Type::String(), check)) return false;
      VerifyParts(As<TemplateExpr>(expr).parts);
      return true;
    case ExprKind::kTemplateIf:
      VerifyTemplateIf(As<TemplateIfExpr>(expr));
      return true;
    case ExprKind::kCall: {
      const auto& call = As<CallExpr>(expr);
      if (CannotFail(call, check)) return true;
      if (!IsTotal(call) || !Passes(FunctionOf(call)->result_type, check)) return false;
      for (size_t n = 0; n < call.arguments.size(); ++n) {
        Verify(*call.arguments[n], *CheckOfParameter(FunctionOf(call)->parameter(n).type));
      }
      return true;
    }
    default:
      return false;
  }
}

void PlainGenerator::VerifyTemplateIf(const TemplateIfExpr& expr) {
  PlainLabel if_false;
  Test(*expr.condition, false, &if_false);
  const Branch branch(this);
  VerifyParts(expr.if_true->parts);
  const bool has_else = expr.if_false != nullptr && !expr.if_false->parts.empty();
  const uint32_t done = has_else ? g_.builder_->EmitJump(Opcode::kJump) : 0;
  PatchToHere(if_false);
  if (!has_else) return;
  VerifyParts(expr.if_false->parts);
  g_.builder_->PatchToHere(done);
}

// Whether it is a call of can, or of try with a constant at the end and nothing before that could fail the check.
bool PlainGenerator::CannotFail(const CallExpr& expr, PlainCheck check) const {
  const Function* function = FunctionOf(expr);
  if (function == nullptr || expr.expand_last || expr.arguments.empty()) return false;
  if (function->special == Function::Special::kCan) return expr.arguments.size() == 1 && Passes(Type::Bool(), check);
  if (function->special != Function::Special::kTry || !ConstantOf(*expr.arguments.back())) return false;
  return std::all_of(expr.arguments.begin(), expr.arguments.end(), [&](const Expr* argument) {
    const Expr& inner = Inner(*argument);
    const std::optional<Type> type = StaticType(inner);
    return ConstantOf(inner) ? NeedsNoCheck(inner, check) : type && Passes(*type, check) && g_.NeverNull(inner);
  });
}

void PlainGenerator::VerifyParts(absl::Span<const Expr* const> parts) {
  for (const Expr* part : parts) Verify(*part, PlainCheck::kScalar);
}

// Whether a value of type `type`, if known at all, cannot fail the check, and the others neither.
bool PlainGenerator::NeedsNoCheck(const Expr& expr, PlainCheck check) const {
  if (const std::optional<Value> constant = ConstantOf(expr)) {
    const Type type = constant->is_bool() ? Type::Bool() : constant->is_number() ? Type::Number() : Type::String();
    return Passes(type, check);
  }
  if (IsGeneral(expr) || expr.kind == ExprKind::kTraversal || expr.kind == ExprKind::kVariable) return false;
  const std::optional<Type> type = StaticType(expr);
  return type && Passes(*type, check);
}

uint16_t PlainGenerator::CheckedOperand(const Expr& expr, PlainCheck check) {
  const Expr& inner = Inner(expr);
  PlainSession::KnownValue* const known = KnownValueOf(inner);
  if (known == nullptr && IsGeneral(inner)) {
    const uint16_t reg = g_.Allocate();
    YieldGeneral(inner, reg, check);
    return reg;
  }
  const uint16_t operand = Operand(inner);
  const uint32_t bit = uint32_t{1} << static_cast<int>(check);
  // What is loaded from a path, or was made by general code, is there.
  const bool is_there = check == PlainCheck::kNoError && (operand & (kConstantBit | kSlotBit)) == 0;
  if (is_there || NeedsNoCheck(inner, check) || (known != nullptr && (known->checks & bit) != 0)) return operand;
  g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(check));
  if (known != nullptr && session_->branches == 0) known->checks |= bit;
  return operand;
}

void PlainGenerator::YieldGeneral(const Expr& expr, uint16_t dest, PlainCheck check) {
  EndRegion();
  g_.GenerateTo(expr, dest);
  BeginRegion();
  g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
}

uint16_t PlainGenerator::InRegister(uint16_t operand) {
  if ((operand & kConstantBit) != 0 || (operand & kSlotBit) == 0) return operand;
  const uint16_t reg = g_.Allocate();
  Load(operand, reg);
  return reg;
}

void PlainGenerator::YieldTemplate(const TemplateExpr& expr, uint16_t dest) {
  ShortList<uint16_t> operands;
  for (const Expr* part : expr.parts) operands.push_back(InRegister(CheckedOperand(*part, PlainCheck::kScalar)));
  const SourceRange spans[] = {expr.range};
  g_.builder_->EmitX(Opcode::kConcat, dest, g_.builder_->AddList(operands), spans);
}

void PlainGenerator::YieldTuple(const TupleExpr& expr, uint16_t dest) {
  ShortList<uint16_t> run;
  for (size_t n = 0; n < expr.elements.size(); ++n) run.push_back(g_.Allocate());
  for (size_t n = 0; n < expr.elements.size(); ++n) Yield(*expr.elements[n], run[n], /*returns=*/false);
  g_.builder_->Emit(Opcode::kMakeTuple, dest, run.empty() ? dest : run[0], static_cast<uint16_t>(run.size()));
}

void PlainGenerator::YieldObject(const ObjectExpr& expr, uint16_t dest) {
  PlainSession::KnownKeys& known = session_->keys[&expr];
  if (known.positions.empty()) {
    CodeGenerator::FixedKeys keys = *g_.KeysOf(expr);
    known.positions = std::move(keys.positions);
    known.shape = static_cast<uint16_t>(g_.builder_->AddShape(keys.shape));
  }
  const ShortList<uint32_t> positions = known.positions;
  const uint16_t shape = known.shape;
  const uint16_t run = g_.next();
  for (size_t n = 0; n < expr.items.size(); ++n) g_.Allocate();
  for (size_t n = 0; n < expr.items.size(); ++n) {
    Yield(*expr.items[n].value, static_cast<uint16_t>(run + positions[n]), /*returns=*/false);
  }
  g_.builder_->Emit(Opcode::kMakeObject, dest, run, shape);
}

}  // namespace hcl::internal

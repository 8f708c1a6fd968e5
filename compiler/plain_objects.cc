// PlainGenerator: objects, tuples, and choices between objects. Tested by compiler/plain_generator_test.cc.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {
namespace {

void AppendObjects(const BoundExpr& branch, ShortList<const BoundObject*>* objects) {
  if (!IsChoice(branch)) return objects->push_back(ObjectLiteral(branch));
  AppendObjects(*As<BoundConditional>(branch).if_true, objects);
  AppendObjects(*As<BoundConditional>(branch).if_false, objects);
}

PlainCheck CheckOf(Type type) {
  return type == Type::Bool() ? PlainCheck::kBool : type == Type::Number() ? PlainCheck::kNumber : PlainCheck::kString;
}

}  // namespace

// A choice has the type to which all that it may yield unify. Where no value is null, and all at one place are of one
// type, that is the type of each object, and the one that is taken stays as it is. An object that fails has no type,
// and so does not matter: what the text tells the type of need not be evaluated.
void PlainGenerator::YieldObjects(const BoundConditional& choice, uint16_t dest, bool returns) {
  if (choice.open_items) return YieldOpenObjects(choice, dest, returns);
  const uint16_t mark = g_.next();
  const size_t outer = loaded_.size();
  ShortList<const BoundObject*> objects;
  AppendObjects(choice, &objects);
  LoadItems(choice, objects);
  PlainLabel done;
  YieldObjectBranch(choice, dest, returns, &done);
  PatchToHere(done);
  loaded_.resize(outer);
  g_.FreeTo(mark);
}

// Objects of a choice become one type, attribute by attribute, so that all values which do not tell theirs in the
// text are read before the condition, as the reference does.
void PlainGenerator::LoadItems(const BoundConditional& choice, absl::Span<const BoundObject* const> objects) {
  ShortList<uint16_t> met(choice.item_types.size());  // 0: there is none yet
  for (const BoundObject* object : objects) {
    for (const BoundItem& item : object->items) {
      if (HasFirmType(*item.value)) continue;
      const uint16_t operand = Operand(*item.value);
      loaded_.push_back({&Inner(*item.value), operand});
      const Type type = choice.item_types[item.position];
      const PlainCheck check = type.is_dynamic() ? PlainCheck::kNotNull : CheckOf(type);
      g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(check));
      if (!type.is_dynamic()) continue;
      uint16_t& reg = met[item.position];
      if (reg == 0) {
        reg = Meet({operand});
      } else {
        g_.builder_->Emit(Opcode::kPlainMeet, reg, reg, operand);
      }
    }
  }
}

// The values were loaded before, and what is left of a choice between objects is to put one together.
void PlainGenerator::YieldObjectBranch(const BoundExpr& branch, uint16_t dest, bool returns, PlainLabel* done) {
  if (!IsChoice(branch)) {
    if (branch.is_constant()) {
      g_.MoveTo(Result::Constant(As<BoundConstant>(branch).value), dest);
    } else {
      YieldObject(As<BoundObject>(branch), dest);
    }
    if (returns) g_.builder_->Emit(Opcode::kReturn, 0, dest);
    return;
  }
  const auto& choice = As<BoundConditional>(branch);
  PlainLabel if_false;
  Test(*choice.condition, false, &if_false);
  const Branch scope(this);
  YieldObjectBranch(*choice.if_true, dest, returns, done);
  if (!returns) done->push_back(g_.builder_->Emit(Opcode::kSkip));
  PatchToHere(if_false);
  scope.Else();
  YieldObjectBranch(*choice.if_false, dest, returns, done);
}

// Of two objects, each value is what a conditional between it and the other's at its place would give. What the text
// does not tell the type of is loaded before the condition; of the object that is not taken, the rest is only looked
// at, as one that fails has no type.
void PlainGenerator::YieldOpenObjects(const BoundConditional& choice, uint16_t dest, bool returns) {
  const uint16_t mark = g_.next();
  const BoundExpr* const branches[] = {choice.if_true, choice.if_false};
  OpenItems items[2];
  for (size_t n = 0; n < 2; ++n) {
    items[n].resize(choice.item_types.size());
    for (const BoundItem& item : ObjectLiteral(*branches[n])->items) {
      items[n][item.position] = {item.value, LoadOpenItem(*item.value, choice.item_types[item.position])};
    }
  }
  PlainLabel if_false;
  Test(*choice.condition, false, &if_false);
  const Branch scope(this);
  YieldOpenObject(choice, items[0], items[1], dest);
  const uint32_t done = g_.builder_->Emit(returns ? Opcode::kReturn : Opcode::kSkip, 0, returns ? dest : 0);
  PatchToHere(if_false);
  scope.Else();
  YieldOpenObject(choice, items[1], items[0], dest);
  if (returns) {
    g_.builder_->Emit(Opcode::kReturn, 0, dest);
  } else {
    g_.builder_->PatchToHere(done);
  }
  g_.FreeTo(mark);
}

// `told`: the type of the other's value at its place, or its own, if the text tells it.
std::optional<uint16_t> PlainGenerator::LoadOpenItem(const BoundExpr& value, Type told) {
  if (HasFirmType(value) && value.has_primitive_type()) return std::nullopt;
  if (IsNull(value)) return Operand(value);
  const uint16_t operand = value.is_constant() ? Operand(value) : CheckedOperand(value, PlainCheck::kNoError);
  if (!told.is_dynamic()) g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(CheckOf(told)));
  return operand;
}

// What is not taken is only looked at: where it fails, general code finds out what that means. A null takes the type of
// the other's value, and where neither type is told, the values say whether they are alike.
void PlainGenerator::YieldOpenObject(const BoundConditional& choice, const OpenItems& taken, const OpenItems& other,
                                     uint16_t dest) {
  const uint16_t mark = g_.next();
  PlainLabel failed;
  for (const OpenItem& item : other) {
    if (!item.operand) Ensure(*item.value, &failed);
  }
  if (!failed.empty()) {
    const uint32_t passed = g_.builder_->Emit(Opcode::kSkip);
    PatchToHere(failed);
    Leave();
    g_.builder_->PatchToHere(passed);
  }
  const uint16_t run = g_.next();
  for (size_t n = 0; n < taken.size(); ++n) g_.Allocate();
  const SourceRange spans[] = {choice.range, choice.condition->outer, choice.if_true->outer, choice.if_false->outer};
  for (size_t n = 0; n < taken.size(); ++n) {
    const auto to = static_cast<uint16_t>(run + n);
    const Type told = choice.item_types[n];
    if (!taken[n].operand) {
      Yield(*taken[n].value, to, /*returns=*/false);
    } else if (told.is_dynamic()) {
      // The reference gives a null beside a list or an object no type: general code tells them apart.
      if (g_.options_.dialect == Dialect::kHashiCorp) {
        for (const uint16_t operand : {*taken[n].operand, *other[n].operand}) {
          g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(PlainCheck::kNotNull));
        }
      }
      g_.builder_->Emit(Opcode::kPlainAlike, to, *taken[n].operand, *other[n].operand, spans);
    } else {
      Load(IsNull(*taken[n].value) ? g_.RkConstant(Value::Null(told)) : *taken[n].operand, to);
    }
  }
  const BoundExpr& made = choice.if_true->is_constant() ? *choice.if_false : *choice.if_true;
  g_.builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(As<BoundObject>(made).shape_index));
  g_.FreeTo(mark);
}

bool PlainGenerator::IsPlainStructure(const BoundExpr& expr) const {
  return session_ == nullptr && IsShortStructure(expr);
}

// All parts are there, and so is the whole.
void PlainGenerator::YieldStructure(const BoundExpr& expr, uint16_t dest, PlainCheck check) {
  const uint16_t mark = g_.next();
  if (expr.kind == BoundKind::kObject) {
    YieldObject(As<BoundObject>(expr), dest);
  } else {
    YieldTuple(As<BoundTuple>(expr), dest);
  }
  g_.FreeTo(mark);
  if (check != PlainCheck::kNoError) g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(check));
}

void PlainGenerator::YieldTuple(const BoundTuple& expr, uint16_t dest) {
  const auto count = static_cast<uint16_t>(expr.elements.size());
  const uint16_t run = g_.next();
  for (uint16_t n = 0; n < count; ++n) g_.Allocate();
  for (uint16_t n = 0; n < count; ++n) Yield(*expr.elements[n], static_cast<uint16_t>(run + n), /*returns=*/false);
  g_.builder_->Emit(Opcode::kMakeTuple, dest, count == 0 ? dest : run, count);
}

void PlainGenerator::YieldObject(const BoundObject& expr, uint16_t dest) {
  const uint16_t run = g_.next();
  for (size_t n = 0; n < expr.items.size(); ++n) g_.Allocate();
  for (const BoundItem& item : expr.items) {
    Yield(*item.value, static_cast<uint16_t>(run + item.position), /*returns=*/false);
  }
  g_.builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(expr.shape_index));
}

}  // namespace hcl::internal

// PlainGenerator: lists that are put together element by element. Tested by compiler/plain_lists_test.cc.

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/compiler/call_forms.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/fast_forms.h"
#include "hclvm/compiler/list_forms.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/operations.h"

namespace hcl::internal {

// The calls of concat and flatten in it are not made: all elements go into one builder.
void PlainGenerator::YieldList(const BoundCall& call, uint16_t dest) {
  const uint16_t mark = g_.next();
  const uint16_t builder = g_.Allocate();
  g_.builder_->Emit(Opcode::kTupleBegin, builder);
  YieldElements(call, /*flat=*/false, builder);
  g_.builder_->Emit(Opcode::kTupleEnd, dest, builder);
  g_.FreeTo(mark);
}

// What is made of elements gives them one by one; of other lists, one instruction takes all. A branch that is not taken
// does not count: its type is that of the other one's elements, or only makes a list of a tuple.
void PlainGenerator::YieldElements(const BoundExpr& list, bool flat, uint16_t builder) {
  switch (list.kind) {
    case BoundKind::kTuple:
      for (const BoundExpr* element : As<BoundTuple>(list).elements) YieldElement(*element, flat, builder);
      return;
    case BoundKind::kFor: {
      const uint16_t mark = g_.next();
      const auto& loop = As<BoundFor>(list);
      YieldLoop(loop, /*fails_empty=*/false, [&](PlainLabel*) { YieldElement(*loop.value, flat, builder); });
      return g_.FreeTo(mark);
    }
    case BoundKind::kConditional: {
      const auto& choice = As<BoundConditional>(list);
      PlainLabel if_false;
      Test(*choice.condition, false, &if_false);
      const Branch branch(this);
      YieldElements(*choice.if_true, flat, builder);
      const uint32_t done = g_.builder_->Emit(Opcode::kSkip);
      PatchToHere(if_false);
      branch.Else();
      YieldElements(*choice.if_false, flat, builder);
      return g_.builder_->PatchToHere(done);
    }
    case BoundKind::kCall: {
      const auto& call = As<BoundCall>(list);
      const bool flattens = call.is(Function::Special::kFlatten);
      for (const BoundExpr* argument : call.arguments) {
        if (IsMadeOfElements(*argument)) {
          YieldElements(*argument, flat || flattens, builder);
        } else {
          YieldWhole(*argument, flattens ? kFlattenArgument : flat ? kFlatArgument : kArgument, builder);
        }
      }
      return;
    }
    default:
      if (As<BoundConstant>(list).value.size() == 0) return;
      g_.builder_->Emit(Opcode::kTupleExtend, builder, g_.RkConstant(As<BoundConstant>(list).value),
                        flat ? kFlatArgument : kArgument);
  }
}

void PlainGenerator::YieldWhole(const BoundExpr& expr, uint16_t how, uint16_t builder) {
  const uint16_t mark = g_.next();
  g_.builder_->Emit(Opcode::kTupleExtend, builder, LeavingOperand(expr), how);
  g_.FreeTo(mark);
}

// Marks and unknown values in an element would be the whole list's, as that of a function.
void PlainGenerator::YieldElement(const BoundExpr& element, bool flat, uint16_t builder) {
  if (flat && IsMadeOfElements(element)) return YieldElements(element, flat, builder);
  const bool may_be_list = !element.has_primitive_type() && ObjectLiteral(element) == nullptr;
  if (flat && may_be_list) return YieldWhole(element, kFlatElement, builder);
  const uint16_t mark = g_.next();
  const uint16_t operand = CheckedOperand(element, PlainCheck::kWhole);
  g_.builder_->Emit(Opcode::kTuplePush, builder, InRegister(operand));
  g_.FreeTo(mark);
}

// Whether it is one of two values, of which only a run tells the type that they have in common.
bool PlainGenerator::IsEither(const BoundExpr& inner) const {
  if (session_ != nullptr || !inner.plain_value) return false;
  if (IsChoice(inner)) {
    const auto& choice = As<BoundConditional>(inner);
    return choice.common_type.is_dynamic() && choice.shape == nullptr && HasToldBranches(choice);
  }
  if (inner.kind != BoundKind::kCall || !As<BoundCall>(inner).is(Function::Special::kCoalesce)) return false;
  const auto& arguments = As<BoundCall>(inner).arguments;
  return arguments.size() == 2 && ScalarOf(*arguments[0]) == nullptr && ScalarOf(*arguments[1]) == nullptr;
}

void PlainGenerator::YieldElementsOf(const BoundExpr& list, uint16_t dest) {
  const BoundExpr& inner = Inner(list);
  if (!IsEither(inner)) return Yield(list, dest, /*returns=*/false);
  if (IsChoice(inner)) return YieldAlike(As<BoundConditional>(inner), Opcode::kPlainElements, dest, /*returns=*/false);
  const uint16_t mark = g_.next();
  YieldEither(As<BoundCall>(inner), Opcode::kPlainElements, dest);
  g_.FreeTo(mark);
}

uint16_t PlainGenerator::ElementsOf(const BoundExpr& list) {
  if (!IsEither(Inner(list)) || JointValue(Inner(list))) return LeavingOperand(list);
  const uint16_t reg = g_.Allocate();
  YieldElementsOf(list, reg);
  return reg;
}

bool PlainGenerator::IsKept(const BoundCall& list) {
  return g_.SharedRegister(list).has_value() || KnownValueOf(list) != nullptr;
}

void PlainGenerator::YieldLength(const BoundCall& length, uint16_t dest) {
  const uint16_t mark = g_.next();
  const BoundCall* const set = CountedSet(length);
  if (set == nullptr || IsKept(*set)) {
    g_.builder_->Emit(Opcode::kPlainLength, dest, ElementsOf(*length.arguments[0]));
  } else {
    const Opcode op = set->is(Function::Special::kSetSubtract) ? Opcode::kPlainLacking : Opcode::kPlainShared;
    EmitSetCount(op, *set->arguments[0], *set->arguments[1], dest);
  }
  g_.FreeTo(mark);
}

void PlainGenerator::YieldPiece(const BoundCall& split, int64_t place, uint16_t dest) {
  const uint16_t mark = g_.next();
  const uint16_t separator = LeavingOperand(*split.arguments[0]);
  Yield(*split.arguments[1], dest, /*returns=*/false);
  g_.builder_->Emit(Opcode::kPlainPiece, dest, separator, static_cast<uint16_t>(place));
  g_.FreeTo(mark);
}

// The same with a value for what none has, which must be sound in any case. Nothing in the mappings may be unknown, as
// that would be what is found, too.
void PlainGenerator::YieldMergedLookup(const BoundCall& lookup, const BoundCall& merge, const Value& key,
                                       uint16_t dest) {
  const uint16_t mark = g_.next();
  const auto check = [&](uint16_t operand, PlainCheck check) {
    g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(check));
  };
  ShortList<uint16_t> mappings;
  for (const BoundExpr* argument : merge.arguments) {
    mappings.push_back(Operand(*argument));
    if (argument->is_constant() && As<BoundConstant>(*argument).value.is_object()) continue;
    check(mappings.back(), PlainCheck::kMapping);
    check(mappings.back(), PlainCheck::kWhole);
  }
  const BoundExpr& fallback = *lookup.arguments[2];
  const uint16_t other = Operand(fallback);
  if (!fallback.is_constant()) check(other, PlainCheck::kWhole);
  const BoundStep step{key, /*is_attribute=*/true, lookup.range, lookup.range};
  PlainLabel found;
  for (size_t n = mappings.size(); n-- > 0;) {
    SeekSteps(mappings[n], absl::MakeConstSpan(&step, 1), StepTarget(dest));
    found.push_back(g_.builder_->Emit(Opcode::kIfThere, dest));
  }
  Load(other, dest);
  PatchToHere(found);
  g_.FreeTo(mark);
}

// The last mapping that has the attribute gives it. What none has, and what is no mapping, general code reports.
void PlainGenerator::YieldMerged(const BoundCall& merge, absl::Span<const BoundStep> steps, uint16_t dest) {
  const uint16_t mark = g_.next();
  ShortList<uint16_t> mappings;
  for (const BoundExpr* argument : merge.arguments) {
    mappings.push_back(argument->is_constant() && ObjectLiteral(*argument) != nullptr
                           ? Operand(*argument)
                           : CheckedOperand(*argument, PlainCheck::kMapping));
  }
  PlainLabel found;
  for (size_t n = mappings.size(); --n > 0;) {
    SeekSteps(mappings[n], steps.first(1), StepTarget(dest));
    found.push_back(g_.builder_->Emit(Opcode::kIfThere, dest));
  }
  TakeSteps(mappings[0], steps.first(1), StepTarget(dest));
  PatchToHere(found);
  TakeSteps(dest, steps.subspan(1), StepTarget(dest));
  g_.FreeTo(mark);
}

}  // namespace hcl::internal

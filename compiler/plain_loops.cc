// PlainGenerator: loops, with one value kept in place of a list. Tested by compiler/plain_generator_test.cc.

#include <optional>

#include "hclvm/base/operators.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/plain_generator.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

// The body may not run at all, so that nothing it finds out holds behind it. What leaves from there starts everything
// over: at most all elements are seen twice.
template <typename Body>
void PlainGenerator::YieldLoop(const BoundFor& loop, const Body& body) {
  const uint16_t run = g_.Allocate();
  for (int n = 1; n < kLoopRegisters; ++n) g_.Allocate();
  Yield(*loop.collection, run, /*returns=*/false);
  if (loop.variables.key != nullptr) loop.variables.key->reg = static_cast<uint16_t>(run + 1);
  if (loop.variables.value != nullptr) loop.variables.value->reg = static_cast<uint16_t>(run + 2);
  // What the passes read besides is read once.
  const KnownReads::Scope known(&g_.known_reads_);
  if (session_ == nullptr) {
    g_.known_reads_.EnterLoop(
        *g_.tree_, loop, [this] { return g_.Allocate(); },
        [this](uint16_t reg) { g_.builder_->Emit(Opcode::kForget, reg, 1); });
  }
  const Opcode begin = loop.condition != nullptr ? Opcode::kPlainForFilter : Opcode::kPlainFor;
  const uint32_t empty = g_.builder_->EmitJump(begin, run);
  const uint32_t first = g_.builder_->here();
  const CodeGenerator::SharingScope scope(&g_, &loop);
  scope.Begin();
  const Branch branch(this);
  PlainLabel next;
  if (loop.condition != nullptr) Test(*loop.condition, false, &next);
  body(&next);
  PatchToHere(next);
  g_.builder_->EmitX(Opcode::kPlainForNext, run, first);
  g_.builder_->PatchToHere(empty);
}

// The value begins as that of no elements; as null where there is none, which is an error then, and general code's.
void PlainGenerator::YieldReduction(const Reduction& reduction, uint16_t dest) {
  using Kind = Reduction::Kind;
  const uint16_t mark = g_.next();
  const BoundExpr& value = *reduction.loop->value;
  const auto begin_with = [&](const Value& start) { g_.MoveTo(Result::Constant(start), dest); };
  const auto fold = [&](Opcode op) {
    begin_with(Value::Null());
    YieldLoop(*reduction.loop, [&](PlainLabel*) {
      const uint16_t inner = g_.next();
      g_.builder_->Emit(op, dest, Operand(value));
      g_.FreeTo(inner);
    });
    g_.builder_->Emit(Opcode::kPlainCheck, dest, static_cast<uint16_t>(PlainCheck::kNumber));
  };
  switch (reduction.kind) {
    case Kind::kNone:
      HCL_DCHECK(false);
      break;
    case Kind::kAllTrue:
    case Kind::kAnyTrue: {
      const bool is_all = reduction.kind == Kind::kAllTrue;
      begin_with(Value::Bool(is_all));
      YieldLoop(*reduction.loop, [&](PlainLabel* next) {
        Test(value, is_all, next);
        begin_with(Value::Bool(!is_all));
      });
      break;
    }
    case Kind::kLength:
      begin_with(Value::Int(0));
      YieldLoop(*reduction.loop, [&](PlainLabel*) {
        const uint16_t inner = g_.next();
        // With marks in an element, the length is marked.
        g_.builder_->Emit(Opcode::kPlainCheck, Operand(value), static_cast<uint16_t>(PlainCheck::kUnmarked));
        g_.builder_->Emit(Opcode::kPlainAdd, dest, dest, g_.RkConstant(Value::Int(1)));
        g_.FreeTo(inner);
      });
      break;
    case Kind::kSum:
      fold(Opcode::kPlainSum);
      break;
    case Kind::kLeast:
      fold(Opcode::kPlainLeast);
      break;
    case Kind::kGreatest:
      fold(Opcode::kPlainGreatest);
      break;
    case Kind::kContains: {
      // It must be sound, whether there are elements or not.
      const uint16_t needle = Operand(*reduction.needle);
      if (ScalarOf(*reduction.needle) == nullptr) {
        g_.builder_->Emit(Opcode::kPlainCheck, needle, static_cast<uint16_t>(PlainCheck::kScalar));
      }
      begin_with(Value::Bool(false));
      YieldLoop(*reduction.loop, [&](PlainLabel* next) {
        EmitTest(Opcode::kIfNotEqual, Opcode::kIfPathNotEqual, value, needle, next);
        begin_with(Value::Bool(true));
      });
      break;
    }
    case Kind::kFirst:
      YieldFirst(reduction, dest);
      TakeSteps(dest, reduction.steps, dest);
      break;
  }
  g_.FreeTo(mark);
}

// Later elements are evaluated as well: their errors are the list's, and where a function takes it, their marks too.
void PlainGenerator::YieldFirst(const Reduction& reduction, uint16_t dest) {
  const BoundFor& loop = *reduction.loop;
  const uint16_t found = g_.Allocate();
  g_.MoveTo(Result::Constant(Value::Null()), found);
  YieldLoop(loop, [&](PlainLabel* next) {
    const uint16_t inner = g_.next();
    const uint16_t operand = Operand(*loop.value);
    if (reduction.is_by_call) {
      g_.builder_->Emit(Opcode::kPlainCheck, operand, static_cast<uint16_t>(PlainCheck::kUnmarked));
    }
    next->push_back(g_.builder_->Emit(Opcode::kIfNotNull, found));
    Load(operand, dest);
    g_.MoveTo(Result::Constant(Value::Bool(true)), found);
    g_.FreeTo(inner);
  });
  g_.builder_->Emit(Opcode::kPlainCheck, found, static_cast<uint16_t>(PlainCheck::kBool));
}

}  // namespace hcl::internal

// SlowPath: tuples, objects and `for`. Tested by compiler/compiler_test.cc.

#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/slow_path.h"
#include "hclvm/vm/builders.h"
#include "hclvm/vm/opcode.h"

namespace hcl::internal {

// From as many registers, or piece by piece where there are many, or where long tuples around it have taken many: what
// is nested deep must not run out of them.
Result SlowPath::YieldTuple(const BoundTuple& expr, uint16_t dest) {
  const size_t count = expr.elements.size();
  const bool has_room = registers_.next() + count < kMaxRegisters / 2;
  if (count == 0 || count > kMaxInlineTuple || !has_room) return YieldLongTuple(expr, dest);
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.Allocate();
  for (size_t n = 1; n < count; ++n) registers_.Allocate();
  for (size_t n = 0; n < count; ++n) nodes_.YieldTo(*expr.elements[n], static_cast<uint16_t>(run + n));
  builder_->Emit(Opcode::kMakeTuple, dest, run, static_cast<uint16_t>(count));
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

Result SlowPath::YieldLongTuple(const BoundTuple& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t builder = registers_.Allocate();
  builder_->Emit(Opcode::kTupleBegin, builder);
  for (const BoundExpr* element : expr.elements) {
    const uint16_t inner = registers_.next();
    const Result item = nodes_.Yield(*element, registers_.Allocate());
    builder_->Emit(Opcode::kTuplePush, builder, registers_.Rk(item));
    registers_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, builder);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// Constants are loaded last, right before the instruction that takes them.
Result SlowPath::YieldFixedObject(const BoundObject& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.Allocate();
  for (size_t n = 1; n < expr.items.size(); ++n) registers_.Allocate();
  for (const BoundItem& item : expr.items) {
    if (!item.value->is_constant()) nodes_.YieldTo(*item.value, static_cast<uint16_t>(run + item.position));
  }
  for (const BoundItem& item : expr.items) {
    if (item.value->is_constant()) nodes_.YieldTo(*item.value, static_cast<uint16_t>(run + item.position));
  }
  builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(expr.shape_index));
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// Piece by piece, where there are many.
Result SlowPath::YieldLongObject(const BoundObject& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t builder = registers_.Allocate();
  const uint16_t value = registers_.Allocate();
  builder_->EmitX(Opcode::kFixedBegin, builder, expr.shape_index);
  for (const BoundItem& item : expr.items) {
    nodes_.YieldTo(*item.value, value);
    builder_->EmitX(Opcode::kFixedPut, builder, item.position);
  }
  builder_->Emit(Opcode::kFixedEnd, dest, builder);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

// The key's own check comes behind the value's evaluation, as in the reference; both errors are reported.
Result SlowPath::YieldObject(const BoundObject& expr, uint16_t dest) {
  if (expr.is_short()) return YieldFixedObject(expr, dest);
  if (expr.shape != nullptr) return YieldLongObject(expr, dest);
  const uint16_t mark = registers_.next();
  const uint16_t builder = registers_.Allocate();
  const RepeatedKey repeated = expr.unique_keys ? RepeatedKey::kRefuse : RepeatedKey::kReplace;
  builder_->Emit(Opcode::kObjectBegin, builder, static_cast<uint16_t>(repeated));
  for (const BoundItem& item : expr.items) {
    const uint16_t inner = registers_.next();
    const SourceRange spans[] = {Cover(item.key->outer, item.value->outer), item.key->outer, item.value->outer};
    const uint16_t key_reg = registers_.Allocate();
    Result key = nodes_.Yield(*item.key, key_reg);
    const uint16_t value_reg = registers_.Allocate();
    if (!key.is_constant()) registers_.MoveTo(key, key_reg);
    const Result value = nodes_.Yield(*item.value, value_reg);
    if (!key.is_constant() || !key.constant->is_string()) {
      registers_.MoveTo(key, key_reg);
      key = Result::Register(key_reg);
      builder_->Emit(Opcode::kObjectKey, key_reg, builder, 0, spans);
    }
    const uint16_t b = registers_.Rk(key);
    const uint16_t c = registers_.Rk(value);
    builder_->Emit(Opcode::kObjectPut, builder, b, c, spans);
    registers_.FreeTo(inner);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, builder);
  registers_.FreeTo(mark);
  return Result::Register(dest);
}

SlowLoop SlowPath::BeginLoop(uint16_t run, const LoopVariables& variables) {
  SlowLoop loop;
  loop.run = run;
  loop.entry = builder_->EmitJump(Opcode::kJump);
  loop.body = builder_->here();
  loop.names = builder_->BeginLoop(run, variables.key_name, variables.value_name);
  if (variables.key != nullptr) variables.key->reg = static_cast<uint16_t>(run + 1), variables.key->loop = loop.names;
  if (variables.value != nullptr) {
    variables.value->reg = static_cast<uint16_t>(run + 2);
    variables.value->loop = loop.names;
  }
  return loop;
}

void SlowPath::EndLoop(const SlowLoop& loop, Opcode next, SourceRange range) {
  builder_->PatchToHere(loop.entry);
  for (uint32_t jump : loop.continues) builder_->PatchToHere(jump);
  builder_->EndLoop(loop.names);
  builder_->EmitX(next, loop.run, loop.body, {range});
}

// The loop's state, key, element and builder are a run of registers, so that one operand names them all. A
// collection that cannot be gone over jumps behind the loop with what it yields instead.
Result SlowPath::YieldFor(const BoundFor& expr, uint16_t dest) {
  const uint16_t mark = registers_.next();
  const uint16_t run = registers_.AllocateRun(dest, 5);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  nodes_.YieldTo(*expr.collection, run);
  const SourceRange spans[] = {expr.range, expr.collection->outer};
  const NodeGenerator::Mode outer = nodes_.EnterLoop(expr);
  const Opcode begin = expr.condition != nullptr ? Opcode::kForBeginFilter : Opcode::kForBegin;
  const uint32_t no_loop = builder_->EmitJump(begin, run, spans);
  if (expr.key == nullptr) {
    builder_->Emit(Opcode::kTupleBegin, builder);
  } else {
    const RepeatedKey repeated = expr.group ? RepeatedKey::kGroup : RepeatedKey::kRefuse;
    builder_->Emit(Opcode::kObjectBegin, builder, static_cast<uint16_t>(repeated));
  }
  SlowLoop loop = BeginLoop(run, expr.variables);
  if (expr.condition != nullptr) nodes_.YieldFilter(expr, &loop);
  YieldElement(expr, &loop);
  nodes_.Leave(outer);
  EndLoop(loop, expr.variables.key != nullptr ? Opcode::kForNext : Opcode::kForEach, expr.range);
  builder_->Emit(expr.key == nullptr ? Opcode::kTupleEnd : Opcode::kObjectEnd, run, builder);
  builder_->PatchToHere(no_loop);
  const Result result = registers_.FromRun(run, dest);
  registers_.FreeTo(mark);
  return result;
}

// A key is looked at before its value is made: where it is unknown or wrong, the reference does not evaluate the
// value.
void SlowPath::YieldElement(const BoundFor& expr, SlowLoop* loop) {
  const uint16_t builder = static_cast<uint16_t>(loop->run + 3);
  const uint16_t temp = static_cast<uint16_t>(loop->run + 4);
  const uint16_t inner = registers_.next();
  if (expr.key == nullptr) {
    const Result item = nodes_.Yield(*expr.value, temp);
    builder_->EmitPush(builder, registers_.Rk(item));
  } else {
    const SourceRange spans[] = {expr.range, expr.key->outer, expr.value->outer};
    Result key = nodes_.Yield(*expr.key, temp);
    if (!key.is_constant() || !key.constant->is_string()) {
      registers_.MoveTo(key, temp);
      key = Result::Register(temp);
      builder_->Emit(Opcode::kObjectKey, temp, builder, 0, spans);
      loop->continues.push_back(builder_->EmitJump(Opcode::kSkipIfFalse, temp));
    }
    const Result value = nodes_.Yield(*expr.value, registers_.Allocate());
    const uint16_t b = registers_.Rk(key);
    const uint16_t c = registers_.Rk(value);
    builder_->Emit(Opcode::kObjectPut, builder, b, c, spans);
  }
  registers_.FreeTo(inner);
}

}  // namespace hcl::internal

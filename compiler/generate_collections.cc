// CodeGenerator: tuples, objects and `for`. Tested by compiler/compiler_test.cc.

#include <utility>

#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/vm/builders.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// From as many registers, or piece by piece where there are many, or where long tuples around it have taken many: what
// is nested deep must not run out of them.
Result CodeGenerator::YieldTuple(const BoundTuple& expr, uint16_t dest) {
  const size_t count = expr.elements.size();
  const bool has_room = next_ + count < kMaxRegisters / 2;
  if (count == 0 || count > kMaxInlineTuple || !has_room) return YieldLongTuple(expr, dest);
  const uint16_t mark = next_;
  const uint16_t run = Allocate();
  for (size_t n = 1; n < count; ++n) Allocate();
  for (size_t n = 0; n < count; ++n) YieldTo(*expr.elements[n], static_cast<uint16_t>(run + n));
  builder_->Emit(Opcode::kMakeTuple, dest, run, static_cast<uint16_t>(count));
  FreeTo(mark);
  return Result::Register(dest);
}

Result CodeGenerator::YieldLongTuple(const BoundTuple& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t builder = Allocate();
  builder_->Emit(Opcode::kTupleBegin, builder);
  for (const BoundExpr* element : expr.elements) {
    const uint16_t inner = next_;
    const Result item = Yield(*element, Allocate());
    builder_->Emit(Opcode::kTuplePush, builder, Rk(item));
    FreeTo(inner);
  }
  builder_->Emit(Opcode::kTupleEnd, dest, builder);
  FreeTo(mark);
  return Result::Register(dest);
}

// Constants are loaded last, right before the instruction that takes them.
Result CodeGenerator::YieldFixedObject(const BoundObject& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = Allocate();
  for (size_t n = 1; n < expr.items.size(); ++n) Allocate();
  for (const BoundItem& item : expr.items) {
    if (!item.value->is_constant()) YieldTo(*item.value, static_cast<uint16_t>(run + item.position));
  }
  for (const BoundItem& item : expr.items) {
    if (item.value->is_constant()) YieldTo(*item.value, static_cast<uint16_t>(run + item.position));
  }
  builder_->Emit(Opcode::kMakeObject, dest, run, static_cast<uint16_t>(expr.shape_index));
  FreeTo(mark);
  return Result::Register(dest);
}

// Piece by piece, where there are many.
Result CodeGenerator::YieldLongObject(const BoundObject& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t builder = Allocate();
  const uint16_t value = Allocate();
  builder_->EmitX(Opcode::kFixedBegin, builder, expr.shape_index);
  for (const BoundItem& item : expr.items) {
    YieldTo(*item.value, value);
    builder_->EmitX(Opcode::kFixedPut, builder, item.position);
  }
  builder_->Emit(Opcode::kFixedEnd, dest, builder);
  FreeTo(mark);
  return Result::Register(dest);
}

// The key's own check comes behind the value's evaluation, as in the reference; both errors are reported.
Result CodeGenerator::YieldObject(const BoundObject& expr, uint16_t dest) {
  if (expr.is_short()) return YieldFixedObject(expr, dest);
  if (expr.shape != nullptr) return YieldLongObject(expr, dest);
  const uint16_t mark = next_;
  const uint16_t builder = Allocate();
  const RepeatedKey repeated = expr.unique_keys ? RepeatedKey::kRefuse : RepeatedKey::kReplace;
  builder_->Emit(Opcode::kObjectBegin, builder, static_cast<uint16_t>(repeated));
  for (const BoundItem& item : expr.items) {
    const uint16_t inner = next_;
    const SourceRange spans[] = {Cover(item.key->outer, item.value->outer), item.key->outer, item.value->outer};
    const uint16_t key_reg = Allocate();
    Result key = Yield(*item.key, key_reg);
    const uint16_t value_reg = Allocate();
    if (!key.is_constant()) MoveTo(key, key_reg);
    const Result value = Yield(*item.value, value_reg);
    if (!key.is_constant() || !key.constant->is_string()) {
      MoveTo(key, key_reg);
      key = Result::Register(key_reg);
      builder_->Emit(Opcode::kObjectKey, key_reg, builder, 0, spans);
    }
    const uint16_t b = Rk(key);
    const uint16_t c = Rk(value);
    builder_->Emit(Opcode::kObjectPut, builder, b, c, spans);
    FreeTo(inner);
  }
  builder_->Emit(Opcode::kObjectEnd, dest, builder);
  FreeTo(mark);
  return Result::Register(dest);
}

CodeGenerator::Loop CodeGenerator::BeginLoop(uint16_t run, const LoopVariables& variables) {
  Loop loop;
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

void CodeGenerator::EndLoop(const Loop& loop, Opcode next, SourceRange range) {
  builder_->PatchToHere(loop.entry);
  for (uint32_t jump : loop.continues) builder_->PatchToHere(jump);
  builder_->EndLoop(loop.names);
  builder_->EmitX(next, loop.run, loop.body, {range});
}

// What one element has that fast code does not serve need not make the others slow; those of a literal have it all.
bool CodeGenerator::StaysSlow(const BoundFor& loop) const {
  return loops_stay_slow_ || fast_level_ >= kMaxFastLevel || MayBeListed(*loop.collection);
}

// Goes on with elements that pass, and to the next one otherwise. Fast code comes last, so that elements which pass run
// into the code behind it.
void CodeGenerator::YieldFilter(const BoundFor& expr, Loop* loop) {
  const uint16_t mark = next_;
  CoreTree tree(binder_.arena());
  const bool may_be_fast = options_.optimize && options_.fast_code && !slow_only_ && expr.condition->reads() &&
                           !expr.condition->is_constant();
  const CoreNode* const core = may_be_fast ? LowerFast(*expr.condition, &tree) : nullptr;
  const uint32_t slow_path = builder_->here();
  const auto condition = static_cast<uint16_t>(loop->run + 4);
  core != nullptr ? YieldBehindFast(*expr.condition, condition) : YieldTo(*expr.condition, condition);
  const SourceRange spans[] = {expr.range, expr.condition->outer};
  loop->continues.push_back(builder_->EmitJump(Opcode::kForFilter, loop->run, spans));
  if (core != nullptr) YieldFastFilter(*core, &tree, slow_path, loop);
  FreeTo(mark);
}

// A pass over a collection without elements has unknown ones, and leaves, since its items do not count.
void CodeGenerator::YieldFastFilter(const CoreNode& condition, CoreTree* tree, uint32_t slow_path, Loop* loop) {
  const uint32_t passed = builder_->EmitJump(Opcode::kJump);
  loop->body = builder_->here();
  const auto element = static_cast<uint16_t>(loop->run + 2);
  CoreEmitter emitter(this, tree);
  PlainList<uint32_t, 8> fails;
  emitter.EmitFilter(condition, element, &fails);
  emitter.AddRegions(slow_path);
  builder_->PatchToHere(passed);
  loop->continues.insert(loop->continues.end(), fails.begin(), fails.end());
}

// The loop's state, key, element and builder are a run of registers, so that one operand names them all. A
// collection that cannot be gone over jumps behind the loop with what it yields instead.
Result CodeGenerator::YieldFor(const BoundFor& expr, uint16_t dest) {
  const uint16_t mark = next_;
  const uint16_t run = AllocateRun(dest, 5);
  const uint16_t builder = static_cast<uint16_t>(run + 3);
  YieldTo(*expr.collection, run);
  const SourceRange spans[] = {expr.range, expr.collection->outer};
  const bool outer_general_only = std::exchange(slow_only_, slow_only_ && StaysSlow(expr));
  const Opcode begin = expr.condition != nullptr ? Opcode::kForBeginFilter : Opcode::kForBegin;
  const uint32_t no_loop = builder_->EmitJump(begin, run, spans);
  if (expr.key == nullptr) {
    builder_->Emit(Opcode::kTupleBegin, builder);
  } else {
    const RepeatedKey repeated = expr.group ? RepeatedKey::kGroup : RepeatedKey::kRefuse;
    builder_->Emit(Opcode::kObjectBegin, builder, static_cast<uint16_t>(repeated));
  }
  Loop loop = BeginLoop(run, expr.variables);
  if (expr.condition != nullptr) YieldFilter(expr, &loop);
  YieldElement(expr, &loop);
  slow_only_ = outer_general_only;
  EndLoop(loop, expr.variables.key != nullptr ? Opcode::kForNext : Opcode::kForEach, expr.range);
  builder_->Emit(expr.key == nullptr ? Opcode::kTupleEnd : Opcode::kObjectEnd, run, builder);
  builder_->PatchToHere(no_loop);
  const Result result = FromRun(run, dest);
  FreeTo(mark);
  return result;
}

// A key is looked at before its value is made: where it is unknown or wrong, the reference does not evaluate the
// value.
void CodeGenerator::YieldElement(const BoundFor& expr, Loop* loop) {
  const uint16_t builder = static_cast<uint16_t>(loop->run + 3);
  const uint16_t temp = static_cast<uint16_t>(loop->run + 4);
  const uint16_t inner = next_;
  if (expr.key == nullptr) {
    const Result item = Yield(*expr.value, temp);
    builder_->EmitPush(builder, Rk(item));
  } else {
    const SourceRange spans[] = {expr.range, expr.key->outer, expr.value->outer};
    Result key = Yield(*expr.key, temp);
    if (!key.is_constant() || !key.constant->is_string()) {
      MoveTo(key, temp);
      key = Result::Register(temp);
      builder_->Emit(Opcode::kObjectKey, temp, builder, 0, spans);
      loop->continues.push_back(builder_->EmitJump(Opcode::kSkipIfFalse, temp));
    }
    const Result value = Yield(*expr.value, Allocate());
    const uint16_t b = Rk(key);
    const uint16_t c = Rk(value);
    builder_->Emit(Opcode::kObjectPut, builder, b, c, spans);
  }
  FreeTo(inner);
}

}  // namespace hcl::internal

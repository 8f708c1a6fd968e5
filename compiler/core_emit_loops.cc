// CoreEmitter: loops, of which one value is kept. Tested by compiler/core_emitter_test.cc.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/compiler/core_emitter.h"
#include "hclvm/compiler/core_needs.h"
#include "hclvm/compiler/core_op.h"
#include "hclvm/internal/dcheck.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

constexpr int kLoopRegisters = 3;  // the iterator, the key and the element

Opcode FoldOpcode(CoreOp op) {
  return op == CoreOp::kSumOf ? Opcode::kFastSum : op == CoreOp::kLeastOf ? Opcode::kFastLeast : Opcode::kFastGreatest;
}

bool FoldsNumbers(CoreOp op) { return op == CoreOp::kSumOf || op == CoreOp::kLeastOf || op == CoreOp::kGreatestOf; }

// Whether to look whether a value is there is to have it.
bool IsTaken(const CoreNode& node) {
  return node.kind == CoreKind::kStep || node.kind == CoreKind::kIndex || node.kind == CoreKind::kVar ||
         node.kind == CoreKind::kSlot || node.kind == CoreKind::kCall || node.kind == CoreKind::kLoop ||
         (node.kind == CoreKind::kPrim && node.kinds != kBoolKind);
}

// Appends the reads that every pass makes before it decides anything.
void AppendFirstReads(const CoreNode& node, std::vector<const CoreNode*>* reads) {
  if (IsMadeOnce(node)) return reads->push_back(&node);
  switch (node.kind) {
    case CoreKind::kPrim:
    case CoreKind::kIndex:
    case CoreKind::kNeed:
      for (const CoreNode* arg : node.args) AppendFirstReads(*arg, reads);
      return;
    case CoreKind::kAll:
    case CoreKind::kAny:
    case CoreKind::kIf:
    case CoreKind::kGuard:
    case CoreKind::kYield:
    case CoreKind::kSeq:
      if (!node.args.empty()) AppendFirstReads(*node.args[0], reads);
      return;
    default:
      return;
  }
}

}  // namespace

void CoreEmitter::MakeLoop(const CoreNode& node, uint16_t dest) {
  if (node.op == CoreOp::kFirstOf && (MakeSureTable(node, dest) || MakeDeclaredTable(node, dest))) return;
  Consumer consumer = BeginConsumer(node, dest);
  Label next;
  Produce(*node.args[0], &consumer, &next);
  PatchToHere(next);
  EndConsumer(consumer);
}

// The value begins as that of no elements; as null where there is none, which is an error then, and the slow path's.
CoreEmitter::Consumer CoreEmitter::BeginConsumer(const CoreNode& node, uint16_t dest) {
  Consumer consumer{&node, dest, 0};
  const auto load = [&](const hcl::Value& value, uint16_t to) { Load(registers_.RkConstant(value), to); };
  switch (node.op) {
    case CoreOp::kAllOf:
      load(hcl::Value::Bool(true), dest);
      break;
    case CoreOp::kCountOf:
      load(hcl::Value::Int(0), dest);
      break;
    case CoreOp::kSumOf:
    case CoreOp::kLeastOf:
    case CoreOp::kGreatestOf:
      load(hcl::Value::Null(), dest);
      break;
    case CoreOp::kFirstOf:
      consumer.operand = registers_.Allocate();
      load(hcl::Value::Null(), consumer.operand);
      if (node.args.size() > 1) load(node.args[1]->value, dest);
      break;
    case CoreOp::kListOf:
      consumer.operand = registers_.Allocate();
      Emit(Opcode::kTupleBegin, consumer.operand);
      break;
    case CoreOp::kJoinOf:
      consumer.operand = registers_.Allocate();
      Emit(Opcode::kStringBegin, consumer.operand);
      break;
    case CoreOp::kOneOf:
      consumer.operand = registers_.Allocate();
      load(hcl::Value::Null(), consumer.operand);
      load(hcl::Value::Null(), dest);
      break;
    case CoreOp::kContains:
      consumer.operand = Operand(*node.args[1]);
      if (!node.args[1]->is_scalar()) {
        // A list or object may stand among the elements, so that what is tried does not fail for it.
        const Attempt none(this, nullptr);
        CheckedOperand(*node.args[1], Guard::kScalar);
      }
      load(hcl::Value::Bool(false), dest);
      break;
    default:
      load(hcl::Value::Bool(false), dest);
      break;
  }
  return consumer;
}

void CoreEmitter::EndConsumer(const Consumer& consumer) {
  const CoreNode& node = *consumer.loop;
  const uint16_t dest = consumer.dest;
  if (node.op == CoreOp::kListOf) Emit(Opcode::kTupleEnd, dest, consumer.operand);
  if (node.op == CoreOp::kJoinOf) Emit(Opcode::kStringEnd, dest, consumer.operand);
  if (FoldsNumbers(node.op)) Check(dest, Guard::kNumber);
  if (node.op == CoreOp::kFirstOf && node.args.size() == 1) Check(consumer.operand, Guard::kBool);
}

// Goes to `next` where there is no more for the element at hand.
void CoreEmitter::Produce(const CoreNode& producer, Consumer* consumer, Label* next) {
  const uint16_t mark = registers_.next();
  switch (producer.kind) {
    case CoreKind::kItems:
      ProduceItems(producer, {consumer, 1});
      break;
    case CoreKind::kGuard: {
      Jump(*producer.args[0], false, next);
      const CorePlaces::Branch branch(&places_);
      Produce(*producer.args[1], consumer, next);
      break;
    }
    case CoreKind::kSeq:
      for (const CoreNode* arg : producer.args) {
        Label behind;
        Produce(*arg, consumer, &behind);
        PatchToHere(behind);
      }
      break;
    case CoreKind::kSpread:
      Emit(Opcode::kTupleExtend, consumer->operand, ExitingOperand(*producer.args[0]),
           static_cast<uint16_t>(producer.index));
      break;
    case CoreKind::kEither: {
      Label if_false;
      Jump(*producer.args[0], false, &if_false);
      const CorePlaces::Branch branch(&places_);
      Label behind;
      Produce(*producer.args[1], consumer, &behind);
      behind.push_back(Emit(Opcode::kSkip, 0));
      PatchToHere(if_false);
      branch.Else();
      Produce(*producer.args[2], consumer, &behind);
      PatchToHere(behind);
      break;
    }
    case CoreKind::kNeed:
      MakeNeeds(producer);
      Produce(*producer.args[0], consumer, next);
      break;
    case CoreKind::kOpen: {
      const Attempt none(this, nullptr);
      Produce(*producer.args[0], consumer, next);
      break;
    }
    default:
      HCL_DCHECK(producer.kind == CoreKind::kYield);
      Consume(*producer.args[0], consumer, next);
      break;
  }
  registers_.FreeTo(mark);
}

// What is put together makes its parts itself. Whoever takes one of these alone has to ask for the others, so that only
// here they are not asked for.
void CoreEmitter::MakeNeeds(const CoreNode& node) {
  const CoreNode& value = *node.args[0];
  const bool has_parts = value.kind == CoreKind::kTuple || value.kind == CoreKind::kObject;
  const auto makes = [](const CoreNode& part, const CoreNode* need) {
    return AlwaysMakes(part, *need, /*fails_with_logic=*/false);
  };
  for (const CoreNode* need : node.args.subspan(1)) {
    if (has_parts &&
        std::any_of(value.args.begin(), value.args.end(), [&](const CoreNode* part) { return makes(*part, need); })) {
      continue;
    }
    const bool is_checked = need->is(CoreOp::kCheck);
    is_checked ? Need(*need->args[0], static_cast<Guard>(need->index)) : Need(*need, Guard::kNoError);
  }
}

// Exits unless it is there, as its check says. What has a register is made there, for whoever takes it.
void CoreEmitter::Need(const CoreNode& node, Guard check) {
  const uint16_t mark = registers_.next();
  if (check == Guard::kBoolOrBlank || check == Guard::kNumberOrBlank || check == Guard::kStringOrBlank ||
      check == Guard::kBoolOrAbsent) {
    const uint16_t operand = BranchOperand(node, /*is_taken=*/false);
    if (!places_.HasPassed(node, check)) Check(operand, check);
    places_.SetPassed(node, check);
  } else if (IsCondition(node) && (check == Guard::kNoError || Passes(kBoolKind, check))) {
    Label either;
    Jump(node, true, &either);
    PatchToHere(either);
  } else {
    CheckedOperand(node, check);
  }
  registers_.FreeTo(mark);
}

// The body may not run at all, so that nothing it finds out holds behind it. Where there is no element, the slow path
// tries the filter, and so it is left where the filter might fail.
void CoreEmitter::ProduceItems(const CoreNode& items, absl::Span<Consumer> consumers) {
  const uint16_t run = registers_.Allocate();
  for (int n = 1; n < kLoopRegisters; ++n) registers_.Allocate();
  // Without elements, what their type would make of a splat's steps counts.
  (items.flags & kOverSplat) != 0 ? Value(*items.args[0], run) : MakeElements(*items.args[0], run);
  if ((items.flags & kOverMapping) != 0) Check(run, Guard::kMapping);
  if ((items.flags & kOverSplat) != 0) Check(run, Guard::kSplat);
  const bool over_keys = (items.flags & kOverKeys) != 0;
  variables_[2 * items.index] = static_cast<uint16_t>(run + (over_keys ? 1 : 2));
  variables_[2 * items.index + 1] = static_cast<uint16_t>(run + 1);
  std::vector<const CoreNode*> invariants;
  std::vector<const CoreNode*> first_reads;
  for (const Consumer& consumer : consumers) {
    const CoreNode& own = consumers.size() == 1 ? items : *consumer.loop->args[0];
    finder_.AppendInvariants(own, &invariants);
    AppendFirstReads(*own.args[1], &first_reads);
  }
  const auto is_first = [&](const CoreNode* read) {
    return std::find(first_reads.begin(), first_reads.end(), read) != first_reads.end();
  };
  const CorePlaces::Branch known(&places_);
  for (const CoreNode* read : invariants) {
    if (!places_.At(*read).has_reg || places_.At(*read).state != CorePlaces::State::kUnmade || is_first(read)) continue;
    Emit(Opcode::kForget, places_.At(*read).reg, 1);
    places_.Set(*read, CorePlaces::State::kOnce);
  }
  const bool needs_elements = (items.flags & kNeedsElements) != 0;
  const bool is_backwards = (items.flags & kBackwards) != 0;
  const uint32_t empty = builder_->EmitJump(needs_elements ? Opcode::kFastForFilter
                                            : is_backwards ? Opcode::kFastForBack
                                                           : Opcode::kFastFor,
                                            run);
  const CorePlaces::Branch branch(&places_);
  for (const CoreNode* read : invariants) {
    if (places_.At(*read).has_reg && places_.At(*read).state == CorePlaces::State::kUnmade && is_first(read)) {
      // What is tried need not fail with it.
      failure_ == nullptr ? ExitingOperand(*read) : Find(*read);
    }
  }
  const uint32_t first = builder_->here();
  {
    // Elements mostly have what is read of them.
    const bool looked_first = std::exchange(looks_first_, false);
    const CorePlaces::Branch pass(&places_);
    for (Consumer& consumer : consumers) {
      Label next;
      const CoreNode& own = consumers.size() == 1 ? items : *consumer.loop->args[0];
      consumer.is_first = false;
      Produce(*own.args[1], &consumer, &next);
      PatchToHere(next);
    }
    looks_first_ = looked_first;
  }
  const bool takes_keys = over_keys || (items.flags & kReadsKey) != 0;
  builder_->EmitX(is_backwards ? Opcode::kFastForPrevious
                  : takes_keys ? Opcode::kFastForNext
                               : Opcode::kFastForEach,
                  run, first);
  const absl::Span<const CoreNode* const> owed = items.args.subspan(2);
  const uint32_t done = owed.empty() ? 0 : Emit(Opcode::kSkip, 0);
  builder_->PatchToHere(empty);
  if (owed.empty()) return;
  branch.Else();
  {
    // What is tried on no element is not what is tried.
    const Attempt none(this, nullptr);
    for (const CoreNode* read : owed) {
      const bool is_checked = read->is(CoreOp::kCheck);
      const Guard check = is_checked ? static_cast<Guard>(read->index) : Guard::kUnmarked;
      Check(ExitingOperand(is_checked ? *read->args[0] : *read), check);
    }
  }
  builder_->PatchToHere(done);
}

// Each element is made in any case: the list fails if one does.
void CoreEmitter::Consume(const CoreNode& element, Consumer* consumer, Label* next) {
  const CoreNode& loop = *consumer->loop;
  const uint16_t dest = consumer->dest;
  const bool is_first = std::exchange(consumer->is_first, false);
  const auto load_true = [&](uint16_t to) { Load(registers_.RkConstant(hcl::Value::Bool(true)), to); };
  switch (loop.op) {
    case CoreOp::kAllOf:
    case CoreOp::kAnyOf: {
      const bool is_all = loop.op == CoreOp::kAllOf;
      if (element.is_bool(is_all)) return;
      if (failure_ == nullptr || (element.kinds & ~(kBoolKind | kOtherKind)) == 0) {
        Jump(element, is_all, next);
      } else {
        // A null among bools counts as false.
        const uint16_t operand = ExitingOperand(element);
        const Attempt none(this, nullptr);
        next->push_back(Emit(is_all ? Opcode::kIfTrue : Opcode::kIfFalse, operand));
      }
      return Load(registers_.RkConstant(hcl::Value::Bool(!is_all)), dest);
    }
    case CoreOp::kCountOf:
      // With marks in an element, the length is marked.
      if (!element.is_scalar()) Need(element, Guard::kUnmarked);
      Emit(Opcode::kFastAdd, dest, dest, registers_.RkConstant(hcl::Value::Int(1)));
      return;
    case CoreOp::kContains:
      Test(Opcode::kIfNotEqual, Opcode::kIfPathNotEqual, element, consumer->operand, next);
      return load_true(dest);
    case CoreOp::kFirstOf: {
      const bool by_function = (loop.flags & kByFunction) != 0;
      const auto pass_over = [&] {
        if (!is_first && consumer->done == nullptr) next->push_back(Emit(Opcode::kIfNotNull, consumer->operand));
      };
      const auto take = [&] {
        if (consumer->done == nullptr) return load_true(consumer->operand);
        consumer->done->push_back(builder_->EmitJump(Opcode::kJump));
      };
      // What is read is taken from where it is; what is put together is made where it is the first.
      if (IsTaken(element)) {
        // A variable may be bound to nothing.
        const bool is_slot = element.kind == CoreKind::kSlot;
        const uint16_t operand = by_function ? CheckedOperand(element, Guard::kUnmarked)
                                 : is_slot   ? CheckedOperand(element, Guard::kNoError)
                                             : Operand(element);
        pass_over();
        Load(operand, dest);
        return take();
      }
      CoreNeeds needs;
      AppendNeeds(element, by_function ? Guard::kUnmarked : Guard::kNoError, &needs);
      for (const CoreNeed& need : needs) Need(*need.node, need.check);
      pass_over();
      const CorePlaces::Branch branch(&places_);
      Value(element, dest);
      return take();
    }
    case CoreOp::kListOf: {
      const bool is_whole = (loop.flags & kByFunction) != 0;
      const uint16_t operand = CheckedOperand(element, is_whole ? Guard::kWhole : Guard::kNoError);
      builder_->EmitPush(consumer->operand, InRegister(operand));
      return;
    }
    case CoreOp::kJoinOf: {
      const uint16_t operand = ExitingOperand(element);
      // Where an element behind this one is not known, it does not fail.
      const Attempt none(this, nullptr);
      Emit(Opcode::kFastJoin, consumer->operand, operand, Operand(*loop.args[1]));
      return;
    }
    case CoreOp::kOneOf:
      Check(consumer->operand, Guard::kBoolOrBlank);
      Load(CheckedOperand(element, Guard::kUnmarked), dest);
      return Load(registers_.RkConstant(hcl::Value::Int(1)), consumer->operand);
    default: {
      const uint16_t operand = ExitingOperand(element);
      if (failure_ == nullptr) {
        Emit(FoldOpcode(loop.op), dest, operand);
        return;
      }
      // A function does not fail where an element behind this one is not known.
      const Attempt none(this, nullptr);
      Emit(FoldOpcode(loop.op), dest, operand);
      return;
    }
  }
}

// False where the loop runs alone: others have its value in their registers behind the first.
bool CoreEmitter::MakeJointLoops(const CoreNode& node) {
  if (failure_ != nullptr || finder_.groups().empty()) return false;
  const auto has = [&](const std::vector<const CoreNode*>& group) {
    return std::find(group.begin(), group.end(), &node) != group.end();
  };
  const auto group = std::find_if(finder_.groups().begin(), finder_.groups().end(), has);
  const auto is_ready = [&](const CoreNode* loop) {
    return places_.At(*loop).has_reg && places_.At(*loop).state == CorePlaces::State::kUnmade;
  };
  if (group == finder_.groups().end() || !std::all_of(group->begin(), group->end(), is_ready)) return false;
  const uint16_t mark = registers_.next();
  std::vector<Consumer> consumers;
  for (const CoreNode* loop : *group) consumers.push_back(BeginConsumer(*loop, places_.At(*loop).reg));
  ProduceItems(*node.args[0], absl::MakeSpan(consumers));
  for (const Consumer& consumer : consumers) {
    EndConsumer(consumer);
    places_.Set(*consumer.loop, CorePlaces::State::kMade);
  }
  registers_.FreeTo(mark);
  return true;
}

}  // namespace hcl::internal

// CoreEmitter: instructions of the fast path for Core.
//
// A node is emitted for a demand: its value in a register, a jump where it is true or false, or an operand that may be
// absent, where a step leads nowhere. What was made on the way to a place is known there, by the node, and is not made
// again.
//
// Recursion follows the nesting of the expression, up to kMaxFastHeight. Tested by compiler/core_emitter_test.cc,
// tests/optimizer_property_test.cc and tests/slow.

#ifndef HCLVM_COMPILER_CORE_EMITTER_H_
#define HCLVM_COMPILER_CORE_EMITTER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/core_joint_loops.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/core_places.h"
#include "hclvm/compiler/fast_regions.h"
#include "hclvm/compiler/guards.h"
#include "hclvm/compiler/node_generator.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/compiler/test_runs.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// The nodes that code is made for, one as often as that is. Counts the uses of all.
uint64_t EmittedSize(CoreTree* tree, const CoreNode& root);

// Serves one root. Not thread-safe.
class CoreEmitter {
 public:
  // More values are not kept in registers at a time.
  static constexpr uint32_t kMaxKept = 64;

  // All must outlive this.
  CoreEmitter(NodeGenerator* nodes, Registers* registers, ProgramBuilder* builder, CoreTree* tree)
      : nodes_(*nodes),
        registers_(*registers),
        builder_(builder),
        tree_(*tree),
        regions_(builder),
        finder_(tree),
        runs_(builder) {}

  // Whether there are registers enough for `root`, where `next` is the first free one: a node takes two at most, and
  // the iterator of a loop one more for its key, beside what is kept.
  static bool HasRoom(uint16_t next, const CoreNode& root) {
    if (root.reach > kMaxCoreReach) return false;
    return next + 3 * uint64_t{root.width} + kMaxKept < kMaxFastRegisters;
  }

  // Code that puts the value of `root` into `dest`; or, when `returns`, ends the chunk with it.
  void Emit(const CoreNode& root, uint16_t dest, bool returns);
  // Code that jumps, by what is added to `target`, where `root` is false, and goes on behind it where it is true. It
  // leaves where the element of the loop around it, in register `element`, is not known.
  void EmitFilter(const CoreNode& root, uint16_t element, PlainList<uint32_t, 8>* target);
  // Tells the program where the slow path for all of it begins.
  void AddRegions(uint32_t slow_path) { regions_.AddTo(builder_, slow_path); }

 private:
  // Jumps to one place that is not known yet.
  using Label = PlainList<uint32_t, 8>;

  // Where code goes on whose instructions fail for certain: what is tried next.
  struct Failure {
    Label jumps;
    PlainList<uint32_t, 8> regions;
  };
  // While it lives, code is emitted that goes on there where it fails for certain; or exits, if that is null.
  class Attempt {
   public:
    explicit Attempt(CoreEmitter* emitter, Failure* failure) : emitter_(emitter), outer_(emitter->failure_) {
      Change(failure);
    }
    ~Attempt() { Change(outer_); }
    Attempt(const Attempt&) = delete;
    Attempt& operator=(const Attempt&) = delete;

   private:
    void Change(Failure* failure) {
      emitter_->regions_.End(emitter_->failure_ == nullptr ? nullptr : &emitter_->failure_->regions);
      emitter_->failure_ = failure;
      emitter_->regions_.Begin();
    }

    CoreEmitter* const emitter_;
    Failure* const outer_;
  };

  // core_emitter.cc
  uint16_t Operand(const CoreNode& node, bool may_be_absent = false);
  uint16_t SoughtOperand(const CoreNode& node);
  // An operand of an instruction that exits where it is absent.
  uint16_t ExitingOperand(const CoreNode& node) { return Operand(node, /*may_be_absent=*/true); }
  uint16_t CheckedOperand(const CoreNode& node, Guard check);
  uint16_t InRegister(uint16_t operand);
  void Value(const CoreNode& node, uint16_t dest, bool returns = false);
  void MakeUnkept(const CoreNode& node, uint16_t dest, bool returns = false);
  void MakeValue(const CoreNode& node, uint16_t dest);
  void MakeTruth(const CoreNode& node, uint16_t dest, bool returns);
  void MakeIf(const CoreNode& node, uint16_t dest, bool returns);
  void MakeChoice(const CoreNode& node, uint16_t dest, bool returns, Opcode alike = Opcode::kFastAlike);
  // A list of which whoever takes it asks only the elements.
  void MakeElements(const CoreNode& node, uint16_t dest);
  uint16_t BranchOperand(const CoreNode& branch, bool is_taken);
  void MakeMeet(const CoreNode& node, uint16_t dest);
  void MakeGeneral(const CoreNode& node, uint16_t dest);
  void MakePiece(const CoreNode& node, uint16_t dest);
  void MakeArithmetic(Opcode op, const CoreNode& node, uint16_t dest);
  void MakeLookup(const CoreNode& node, uint16_t dest);
  void MakeText(const CoreNode& node, uint16_t dest);
  void MakeStructure(const CoreNode& node, uint16_t dest);
  void MakeCall(const CoreNode& node, Opcode op, uint16_t dest);
  void Load(uint16_t operand, uint16_t dest);
  void Finish(uint16_t operand, uint16_t dest, bool returns);
  void Check(uint16_t operand, Guard check);

  // core_paths.cc
  // An operand that is absent where `node` is.
  uint16_t Find(const CoreNode& node);
  // By way of `between`: a register that tells by what is in it whether it has its value holds none on the way to it.
  void MakeSteps(const CoreNode& node, bool may_be_absent, uint16_t dest, uint16_t between);
  void TakeStep(const CoreNode& step, uint16_t source, bool may_be_absent, uint16_t dest, uint16_t between);

  // core_attempts.cc
  bool FailsHere(const CoreNode& node) const;
  void Land(const Failure& failure);
  void MakeFound(const CoreNode& node, uint16_t dest);
  void MakeTried(const CoreNode& node, bool may_lack, uint16_t dest, absl::FunctionRef<void()> make);
  void MakeTry(const CoreNode& node, uint16_t dest);
  void JumpOnCan(const CoreNode& node, bool when, Label* target);
  void JumpOnTriedLogic(const CoreNode& node, bool when, Label* target);

  // core_jumps.cc
  void Jump(const CoreNode& node, bool when, Label* target);
  void JumpOnPrim(const CoreNode& node, bool when, Label* target);
  void JumpOnIf(const CoreNode& node, bool when, Label* target);
  void JumpOnLogic(const CoreNode& node, bool when, Label* target);
  void JumpOnSearch(absl::Span<const CoreNode* const> alternatives, bool when, Label* target);
  // Emits `op` on the value of `node`, or `path_op` on its path.
  void Test(Opcode op, Opcode path_op, const CoreNode& node, uint16_t b, Label* target);

  // core_emit_loops.cc. What becomes of the elements of a loop: of its node, in `dest`. `operand` says more by the
  // node's operation: whether there was an element, or what is looked for.
  struct Consumer {
    const CoreNode* loop;
    uint16_t dest;
    uint16_t operand;
    bool is_first = true;   // no element has come before, whatever the values are
    Label* done = nullptr;  // where it ends with an element, unless null: those behind it do not count
  };
  void MakeLoop(const CoreNode& node, uint16_t dest);
  Consumer BeginConsumer(const CoreNode& loop, uint16_t dest);
  void EndConsumer(const Consumer& consumer);
  // core_tables.cc
  bool MakeDeclaredTable(const CoreNode& node, uint16_t dest);
  bool MakeSureTable(const CoreNode& node, uint16_t dest);
  bool MakeJointLoops(const CoreNode& node);
  void Produce(const CoreNode& producer, Consumer* consumer, Label* next);
  void ProduceItems(const CoreNode& items, absl::Span<Consumer> consumers);
  void Consume(const CoreNode& element, Consumer* consumer, Label* next);
  void Need(const CoreNode& node, Guard check);
  void MakeNeeds(const CoreNode& node);
  void MakeOnce(const CoreNode& node, bool may_be_absent);

  uint32_t Emit(Opcode op, uint16_t a, uint16_t b = 0, uint16_t c = 0) { return builder_->Emit(op, a, b, c); }
  void PatchToHere(const Label& label);
  void GiveRegisters(const CoreNode& root);

  NodeGenerator& nodes_;
  Registers& registers_;
  ProgramBuilder* builder_;
  CoreTree& tree_;
  CorePlaces places_;
  FastRegions regions_;
  LoopFinder finder_;
  TestRuns runs_;
  uint16_t variables_[2 * kMaxLoopDepth] = {};  // registers of loop variables
  int tried_logics_ = 0;                        // operators around the code at hand, in what is tried
  bool looks_first_ = true;                     // what is tried is looked for before it is made
  Failure* failure_ = nullptr;                  // null: what fails exits
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_EMITTER_H_

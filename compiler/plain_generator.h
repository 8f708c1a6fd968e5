// PlainGenerator: code for the plain case of an expression, in front of its general code.
//
// Operators, comparisons, conditionals, paths and a few functions become short code with jumps that assumes known,
// unmarked operands of the right kinds, and leaves for the general code on anything else ("Plain code" in
// vm/opcodes.def). Such expressions have no effects, so that the general code can start over. Which expressions have it
// is a fact of their nodes (compiler/fast_forms.h).
//
// Recursion follows the nesting of the expression up to kMaxFastHeight.
// Tested by compiler/plain_generator_test.cc, tests/optimizer_property_test.cc and tests/slow.

#ifndef HCLVM_COMPILER_PLAIN_GENERATOR_H_
#define HCLVM_COMPILER_PLAIN_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hclvm/base/operators.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/dry_pass.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/known_reads.h"
#include "hclvm/compiler/plain_session.h"
#include "hclvm/compiler/reductions.h"
#include "hclvm/compiler/text_pattern.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Jumps to one place that is not known yet.
using PlainLabel = PlainList<uint32_t, 8>;

// Whether `expr` gets plain code in front of its general code where it stands by itself. `returns`: its value ends the
// chunk.
bool HasOwnPlainCode(const BoundExpr& expr, bool returns);

// Whether plain code for the filter of `loop` looks at one of the loop's variables before anything else. A pass over a
// collection without elements has unknown ones, and must leave, since its items do not count.
bool FilterFollows(const BoundFor& loop);

// Serves one expression, or one session. Not thread-safe.
class PlainGenerator {
 public:
  // The generator must outlive this one, and so must the session, which may be null.
  explicit PlainGenerator(CodeGenerator* generator, PlainSession* session = nullptr)
      : g_(*generator), session_(session) {}

  // Whether there are registers enough for what `expr` may need.
  bool HasRoom(const BoundExpr& expr) const { return HasRoom(g_.next(), expr); }
  // The same where `next` is the first free register.
  static bool HasRoom(uint16_t next, const BoundExpr& expr) {
    return next + 2 * expr.size() + KnownReads::kMaxReads < kMaxPlainRegisters;
  }

  // Code that puts the value into `dest`; or, when `returns`, ends the chunk with it.
  void Yield(const BoundExpr& expr, uint16_t dest, bool returns);
  // Code that jumps to `target` when `expr` is `when`, and goes on behind it otherwise.
  void Test(const BoundExpr& expr, bool when, PlainLabel* target);
  void PatchToHere(const PlainLabel& label);

  // In sessions: code that leaves unless `expr` yields a value that passes `check`, which is all that is asked of it:
  // most of the work need not be done.
  void Verify(const BoundExpr& expr, PlainCheck check);
  // Code that leaves unless the value of `expr`, which is none of general code, passes `check`.
  void Ask(const BoundExpr& expr, PlainCheck check);
  // The operand that `expr` is, or the register that its value was put into.
  uint16_t Operand(const BoundExpr& expr) { return OperandFor(expr, /*leaves=*/false); }
  // Gives what `expr` reads more than once registers, in a KnownReads::Scope.
  void KeepReads(const BoundExpr& expr);
  // Plain code stands between these; general code in the midst of it is no part of it.
  void BeginRegion() { begin_ = g_.builder_->here(); }
  void EndRegion();
  // Tells the program where the general code for all of it begins.
  void AddRegions(uint32_t general);
  absl::Span<const PlainRegion> regions() const { return regions_; }
  // Code that goes on in general code, whatever the values are.
  void Leave();
  // Of reductions that keep one value in `dest`: what it begins as, what an element makes of it, and what it must be
  // then.
  void BeginReduction(const Reduction& reduction, uint16_t dest);
  void ReduceElement(const Reduction& reduction, uint16_t dest, PlainLabel* next);
  void EndReduction(const Reduction& reduction, uint16_t dest);
  // Around code that puts the first element of a list into `dest`, and a bool into `found`, or leaves null there where
  // there is no element. The value then is `otherwise` (FirstElement).
  void BeginFirst(uint16_t found, const Value* otherwise, uint16_t dest);
  void EndFirst(uint16_t found, absl::Span<const BoundStep> steps, const Value* otherwise, uint16_t dest);
  // Code that takes a step, by one of two instructions: names have caches.
  struct StepOpcodes {
    Opcode attribute, index;
  };
  // The register for what steps lead to, and the one for the values on the way. A register that tells by what is in it
  // whether it has its value (KnownReads::State::kOnce) never holds one of the latter, since steps may fail midway.
  struct StepTarget {
    explicit StepTarget(uint16_t reg) : dest(reg), between(reg) {}
    StepTarget(uint16_t reg, uint16_t on_the_way) : dest(reg), between(on_the_way) {}
    uint16_t dest, between;
  };
  void TakeStep(StepOpcodes op, uint16_t source, const BoundStep& step, StepTarget to);
  // Code that takes steps from the operand `source`, which lead somewhere.
  void TakeSteps(uint16_t source, absl::Span<const BoundStep> steps, StepTarget to);
  // `operand` as one of general code.
  uint16_t InRegister(uint16_t operand);

  // What shared values are there behind code that runs while it lives is not told any more behind it.
  class MadeScope {
   public:
    explicit MadeScope(PlainGenerator* generator) : generator_(generator), count_(generator->made_.size()) {}
    ~MadeScope() { Restart(); }
    MadeScope(const MadeScope&) = delete;
    MadeScope& operator=(const MadeScope&) = delete;
    void Restart() const { generator_->made_.resize(count_); }

   private:
    PlainGenerator* const generator_;
    const size_t count_;
  };

  // While it lives, code is emitted that does not always run.
  class Branch {
   public:
    explicit Branch(PlainGenerator* generator)
        : generator_(generator), known_(&generator->g_.known_reads_), made_(generator) {
      ++generator_->branches_;
    }
    ~Branch() { --generator_->branches_; }
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;
    // Code from here on runs where the code so far does not.
    void Else() const {
      known_.Restart();
      made_.Restart();
    }

   private:
    PlainGenerator* generator_;
    const KnownReads::Scope known_;
    const MadeScope made_;
  };

 private:
  // Branches of conditionals whose type only their value tells: they are loaded and checked before anything else.
  struct LoadedBranch {
    const BoundExpr* expr;
    uint16_t operand;
  };

  // What becomes of a branch's value.
  struct ChoiceEnd {
    uint16_t dest;
    bool returns;
    uint16_t typed;                       // an operand whose type an untyped null takes where no branch is a choice
    ShortList<const BoundExpr*>* others;  // the branches that were not taken on the way
    PlainLabel* done;
  };

  struct Parts;

  // `expr`, or what it stands for in the session.
  const BoundExpr& Inner(const BoundExpr& expr) const { return session_ == nullptr ? expr : session_->Inner(expr); }
  bool IsGeneral(const BoundExpr& expr) const {
    return session_ != nullptr ? session_->IsGeneral(expr) : !expr.plain_value;
  }
  bool IsSureOfBool(const BoundExpr& expr) const { return Inner(expr).sure_bool; }
  Type BranchTypeOf(const BoundExpr& expr) const;

  // The register that keeps the value of `expr`, after code that puts it there if need be; null without one.
  PlainSession::KnownValue* KnownValueOf(const BoundExpr& expr) {
    return session_ == nullptr ? nullptr : SessionValueOf(expr);
  }
  PlainSession::KnownValue* SessionValueOf(const BoundExpr& expr);
  bool VerifyByParts(const BoundExpr& expr, PlainCheck check);
  bool VerifyCall(const BoundCall& call, PlainCheck check);
  void VerifyIf(const BoundConditional& expr, PlainCheck check);
  bool CannotFail(const BoundCall& call, PlainCheck check) const;
  bool IsPartlyGeneral(const BoundExpr& expr) const;
  bool NeedsNoCheck(const BoundExpr& expr, PlainCheck check) const;
  // The same as Operand(). `leaves`: whoever takes it leaves where it is nothing.
  uint16_t OperandFor(const BoundExpr& expr, bool leaves);
  // Such an operand.
  uint16_t LeavingOperand(const BoundExpr& expr) { return OperandFor(expr, /*leaves=*/true); }
  // The value of `expr` if it is a read that is kept in a register, or null.
  KnownReads::Read* KnownReadOf(const BoundExpr& expr) {
    return session_ == nullptr ? g_.known_reads_.Of(expr) : nullptr;
  }
  // Code after which it is in its register; nothing may be there, where `leaves` or `finds` say so.
  uint16_t Take(KnownReads::Read* read, bool leaves);
  uint16_t FindKnown(KnownReads::Read* read);
  // What the first `length` steps of a path or local begin with, if it is kept, or null.
  KnownReads::Read* BeginningOf(const BoundExpr& expr, size_t length);
  // Code that puts what they lead to into `dest`; and the same for what might not be there.
  void YieldRead(const BoundExpr& expr, size_t length, StepTarget to);
  void SeekRead(const BoundExpr& expr, size_t length, StepTarget to);
  void FirstStep(StepOpcodes op, const BoundPath& path, uint16_t dest);
  // An instruction behind which the value is there has been emitted.
  void MarkThere(const BoundExpr& expr);
  // The same as Operand(), behind code that checks the value.
  uint16_t CheckedOperand(const BoundExpr& expr, PlainCheck check);
  void YieldGeneral(const BoundExpr& expr, uint16_t dest, PlainCheck check);
  // plain_locals.cc. Code behind which the variable in the slot, if it is a local of a module, mostly has its value.
  void TakeNamed(uint32_t slot);
  static constexpr uint32_t kMaxRepeated = 512;  // instructions of locals in a chunk
  // plain_calls.cc. The arguments may be anything, as in general code.
  void YieldCall(const BoundCall& call, uint16_t dest, PlainCheck check);
  // In sessions, of a call that reads the element.
  void YieldElementCall(const BoundCall& call, uint16_t dest);
  bool IsPlainCall(const BoundExpr& expr) const;
  // The register of a shared value that is there, as code for it has run.
  std::optional<uint16_t> MadeRegister(const BoundExpr& expr) const;
  // A list that is put together, or a piece of a text, that is kept.
  bool IsKeptList(const BoundExpr& expr) const;
  // plain_objects.cc. An object or tuple of few parts, which fast code can put together from operands.
  bool IsPlainStructure(const BoundExpr& expr) const;
  void YieldStructure(const BoundExpr& expr, uint16_t dest, PlainCheck check);
  // plain_lists.cc
  void YieldList(const BoundCall& call, uint16_t dest);
  // Where no list need be made to know its length, or what stands in it.
  void YieldLength(const BoundCall& length, uint16_t dest);
  void YieldPiece(const BoundCall& split, int64_t place, uint16_t dest);
  // What the steps lead to in what `merge` makes; and what `lookup` finds there by that key.
  void YieldMerged(const BoundCall& merge, absl::Span<const BoundStep> steps, uint16_t dest);
  void YieldMergedLookup(const BoundCall& lookup, const BoundCall& merge, const Value& key, uint16_t dest);
  // Whether the list is kept for others that read it.
  bool IsKept(const BoundCall& list);
  // LeavingOperand() and Yield(), of which whoever takes it asks only the elements.
  uint16_t ElementsOf(const BoundExpr& list);
  void YieldElementsOf(const BoundExpr& list, uint16_t dest);
  bool IsEither(const BoundExpr& inner) const;
  void YieldElements(const BoundExpr& list, bool flat, uint16_t builder);
  void YieldElement(const BoundExpr& element, bool flat, uint16_t builder);
  void YieldWhole(const BoundExpr& expr, uint16_t how, uint16_t builder);
  void YieldObject(const BoundObject& expr, uint16_t dest);
  void YieldTuple(const BoundTuple& expr, uint16_t dest);
  void YieldTemplate(const BoundTemplate& expr, uint16_t dest);
  void YieldJoined(const BoundCall& call, uint16_t dest);
  uint16_t VerbOperand(const BoundExpr& part, char verb);
  void AppendParts(const BoundTemplate& expr, ShortList<const BoundExpr*>* parts);
  void YieldText(const BoundConditional& choice, std::string_view before, std::string_view after, uint16_t dest);
  Value JoinedText(std::string_view before, std::string_view text, std::string_view after);
  void Load(uint16_t operand, uint16_t dest);
  void YieldNode(const BoundExpr& inner, uint16_t dest);
  const BoundExpr* NegatedBy(const BoundExpr& expr) const;
  // What a quotient has to be, where arithmetic divides.
  enum class Quotients : uint8_t { kExact, kApproximate };
  void YieldArithmetic(const BoundChain& expr, Quotients quotients, uint16_t dest);
  // The operation on `lhs` and operand `n`.
  void EmitOperation(const BoundChain& expr, Quotients quotients, size_t n, uint16_t lhs, uint16_t dest);
  uint16_t NumberOperand(const BoundExpr& expr, Quotients quotients);
  // A number, or an approximation of it.
  uint16_t NearOperand(const BoundExpr& expr) { return NumberOperand(expr, Quotients::kApproximate); }
  void YieldRounding(const BoundCall& call, uint16_t dest);
  void YieldNumbers(const BoundCall& call, uint16_t dest);
  void YieldTruth(const BoundExpr& expr, uint16_t dest, bool returns);
  void YieldLookup(const BoundCall& call, uint16_t dest);
  void YieldTruths(const BoundCall& call, uint16_t dest);
  void YieldChoice(const BoundConditional& expr, uint16_t dest, bool returns);
  // A register that holds one of the operands whose type is that of all, or a blank where there is no other.
  uint16_t Meet(absl::Span<const uint16_t> operands);
  uint16_t Find(const BoundExpr& expr);
  // Code that puts what CanSeek() into `dest`, or nothing; and the operand that such steps begin at.
  bool CanSeek(const BoundExpr& expr) const;
  void Seek(const BoundExpr& expr, uint16_t dest);
  uint16_t SeekFrom(const BoundExpr& expr, uint16_t dest);
  void SeekSteps(uint16_t source, absl::Span<const BoundStep> steps, StepTarget to);
  void FollowSteps(StepOpcodes op, uint16_t source, absl::Span<const BoundStep> steps, StepTarget to);
  // plain_attempts.cc
  void YieldTry(const BoundCall& call, uint16_t dest);
  // What HasSureAttempt() is true of: goes to `done` with its value, and on behind where it fails.
  bool YieldAttemptOrGoOn(const BoundExpr& attempt, uint16_t dest, PlainLabel* done);
  // What is looked for comes into `dest`; goes to `found` where it is there.
  void SeekAttempt(const BoundExpr& attempt, uint16_t dest, PlainLabel* found);
  // YieldTry() where each may fail: nothing then.
  void SeekTry(const BoundCall& call, uint16_t dest);
  void TestCan(const BoundExpr& attempt, bool when, PlainLabel* target);
  // The value of what IsSureAttempt() is true of; leaves where it fails or is not known.
  void YieldSure(const BoundExpr& attempt, uint16_t dest);
  // Numbers of regions that go on at EndAttempt() where an instruction in them fails for certain.
  using FailedRegions = ShortList<size_t>;
  // Where an attempt may go on beside the end of its code: with its value, and where it has failed.
  struct AttemptLabels {
    PlainLabel* done;
    PlainLabel* failed;
  };
  // The same as YieldSure(); but where what fails for certain makes all of it fail, that goes to `failed`, or comes
  // from the regions returned.
  FailedRegions YieldAttempt(const BoundExpr& attempt, uint16_t dest, const AttemptLabels& labels);
  void EndAttempt(const FailedRegions& regions);
  // What `emit` emits, all of which fails with any part of it.
  FailedRegions YieldStrictly(PlainLabel* failed, absl::FunctionRef<void()> emit);
  bool IsTriedTemplate(const BoundExpr& expr) const;
  // How deep an attempt is looked through, and through how many logical operators, one in the other.
  struct StrictDepth {
    int parts;
    int logics;
    StrictDepth Below() const { return {parts - 1, logics}; }
  };
  // Operators in others are emitted up to eight times: in long expressions jumps would reach too far.
  static constexpr uint32_t kMaxTriedNodes = 1000;
  StrictDepth MaxStrictDepth(int long_logics) const {
    return {8, g_.tree().nodes().size() <= kMaxTriedNodes ? 3 : long_logics};
  }
  bool FailsWithItsParts(const BoundExpr& expr, const StrictDepth& depth) const;
  bool IsLookedFor(const BoundExpr& expr) const;
  bool RunsOneBranch(const BoundConditional& choice) const;
  bool FailsByItsTests(const Reduction& reduction) const;
  bool LoopFailsWithItsParts(const BoundExpr& whole, const Reduction& reduction, const StrictDepth& depth) const;
  bool AllFailWithTheirParts(const BoundExpr& whole, const StrictDepth& depth) const;
  bool IsStrict(const BoundExpr& attempt) const;
  bool AsksOnlySuccess(const BoundExpr& inner) const;
  // plain_tried_logic.cc
  class TriedLogic;
  bool IsTriedLogic(const BoundExpr& attempt, const StrictDepth& depth) const;
  bool IsTriedLogic(const BoundExpr& attempt) const { return IsTriedLogic(attempt, MaxStrictDepth(1)); }
  // Test() of such an operator in what fails with it.
  void TestTriedLogic(const BoundChain& chain, bool when, PlainLabel* target);
  FailedRegions YieldTriedLogic(const BoundChain& chain, uint16_t dest, const AttemptLabels& labels);
  // By PlainAttempt, or PlainCan.
  void SeekCall(const BoundCall& call, Opcode opcode, uint16_t dest);
  void SeekPiece(const BoundCall& split, int64_t place, uint16_t dest);
  // Code that goes to `failed` where something is not there that `expr` reads in any case, and fails without. While
  // `ensured` lives, what was found is an operand.
  class Ensured {
   public:
    explicit Ensured(PlainGenerator* generator) : generator_(generator), size_(generator->ensured_.size()) {}
    ~Ensured() { generator_->ensured_.resize(size_); }
    Ensured(const Ensured&) = delete;
    Ensured& operator=(const Ensured&) = delete;

   private:
    PlainGenerator* generator_;
    const size_t size_;
  };
  void EnsureReads(const BoundExpr& expr, PlainLabel* failed);
  // Where `failed` leads, `dest` is nothing; what comes before goes on behind that.
  void YieldNothingAt(const PlainLabel& failed, const FailedRegions& regions, uint16_t dest);
  FailedRegions YieldArguments(const BoundCall& call, uint16_t run, PlainLabel* failed);
  std::optional<uint16_t> EnsuredOperand(const BoundExpr& inner) const {
    for (const LoadedBranch& ensured : ensured_) {
      if (ensured.expr == &inner) return ensured.operand;
    }
    return std::nullopt;
  }
  void YieldCoalesce(const BoundCall& call, uint16_t dest);
  void YieldEither(const BoundCall& call, Opcode op, uint16_t dest);
  // plain_loops.cc. `body` emits code for an element that passes, which goes on at the label or behind it.
  // `fails_empty`: whatever comes behind leaves where there are no elements.
  using LoopBody = absl::FunctionRef<void(PlainLabel*)>;
  void YieldLoop(const BoundFor& loop, bool fails_empty, LoopBody body);
  // The same for several loops over one list; `body` gets the number of the one whose element it is.
  using JointBody = absl::FunctionRef<void(size_t, PlainLabel*)>;
  void YieldLoops(absl::Span<const BoundFor* const> loops, bool fails_empty, JointBody body);
  void YieldElementOf(const BoundFor& loop, size_t number, JointBody body);
  bool IsOverPlaces(const BoundFor& loop);
  void YieldPlaces(const BoundCall& length, uint16_t dest);
  // The loop that makes the list which `loop` goes over, if none need be made; null otherwise.
  const BoundFor* FusedWith(const BoundFor& loop) const;
  void YieldFused(const BoundFor& loop, const BoundFor& inner, bool fails_empty, LoopBody body);
  using FirstReads = absl::InlinedVector<const BoundExpr*, 8>;
  void FindFirstReads(const BoundExpr& expr, const LoopVariables& variables, FirstReads* reads) const;
  void TakeFirstReads(const BoundFor& loop, const FirstReads& reads);
  void KeepReadsOf(const BoundFor& loop, absl::Span<const BoundExpr* const> first_reads);
  // Code that leaves unless all are there, and unmarked.
  void Owe(const OwedReads& owed);
  void YieldReduction(const Reduction& reduction, uint16_t dest);
  // ReduceElement() of alltrue or anytrue, of a value that may be no bool, where all fails with that.
  void ReduceTried(const BoundExpr& value, bool is_all, uint16_t dest, PlainLabel* next);
  bool IsListedOnce(const BoundFor& loop);
  void CheckNeedle(uint16_t needle);
  // Of kContains, where the list is made.
  void YieldHas(const Reduction& reduction, uint16_t dest);
  // Where the list stands in the text, code for each of its elements, if there is such code.
  bool YieldUnrolled(const Reduction& reduction, uint16_t dest);
  // plain_searches.cc. Where it is asked whether a list has an element: the list, the element, and the answer where it
  // has.
  struct Search {
    const BoundExpr* list = nullptr;
    const BoundExpr* needle = nullptr;
    bool if_found = false;
    explicit operator bool() const { return needle != nullptr; }
  };
  // What `inner` asks so, if there is code for that.
  Search SearchIn(const BoundExpr& inner) const;
  static Search SearchOf(const Reduction& reduction, const BoundTree& tree);
  static Search CountedSearchOf(const Reduction& reduction, const BoundTree& tree);
  void TestSearch(const Search& search, bool when, PlainLabel* target);
  // The list that `expr` makes a set of by toset, if that set need not be made; null for others.
  const BoundExpr* ListOfSet(const BoundExpr& expr);
  // These emit nothing where they are false.
  bool TestElements(const BoundChain& chain, bool when, PlainLabel* target);
  void EmitSetCount(Opcode op, const BoundExpr& list, const BoundExpr& other, uint16_t dest);
  bool TestCanMatch(const BoundExpr& inner, bool when, PlainLabel* target);
  void YieldValues(const BoundExpr& mapping, absl::FunctionRef<void(uint16_t, PlainLabel*)> body);
  void YieldGathered(const BoundCall& call, uint16_t dest);
  bool TestValue(const BoundCall& contains, bool when, PlainLabel* target);
  bool TestSetElement(const BoundCall& contains, bool when, PlainLabel* target);
  TextPattern TextPatternOf(const BoundExpr& expr, Function::Special special) const;
  void TestPattern(const TextPattern& pattern, const BoundExpr& text, bool when, PlainLabel* target);
  // plain_joint_loops.cc. `expr` is the reduction, which may go together with others (compiler/joint_loops.h).
  bool IsJoint(const BoundExpr& expr) const { return session_ == nullptr && !g_.joint_loops_.With(expr).empty(); }
  void YieldJoint(const BoundExpr& expr, const Reduction& reduction, uint16_t dest);
  bool YieldTogether(const BoundExpr& expr, absl::Span<const BoundExpr* const> members, uint16_t dest);
  // What the elements of loops that go together have in common, while code for a pass is emitted: values that are in
  // registers, which hold nothing else up to the end of the pass.
  struct JointPass {
    int branches;  // around what always runs in a pass
    struct Made {
      uint32_t number;  // of the value (BoundTree::ValueNumberOf)
      uint16_t reg;
    };
    ShortList<Made> values;
    struct MadeChain {
      BinaryOp op;
      ShortList<uint32_t> numbers;  // of the operands
      uint16_t reg;
    };
    ShortList<MadeChain> chains;  // the first operands of a chain, put together
  };
  std::optional<uint16_t> JointValue(const BoundExpr& inner) const;
  void KeepJointValue(const BoundExpr& inner, uint16_t reg);
  void KeepJointChain(const BoundChain& expr, size_t count, uint16_t reg);
  const JointPass::MadeChain* JointChain(const BoundChain& expr) const;
  void YieldJointArithmetic(const BoundChain& expr, uint16_t dest);
  // While it lives, code is emitted that knows of no pass.
  class NoPass {
   public:
    NoPass(PlainGenerator* generator, bool is_none)
        : generator_(generator), pass_(std::exchange(generator->joint_, is_none ? nullptr : generator->joint_)) {}
    ~NoPass() { generator_->joint_ = pass_; }
    NoPass(const NoPass&) = delete;
    NoPass& operator=(const NoPass&) = delete;

   private:
    PlainGenerator* generator_;
    JointPass* const pass_;
  };
  void YieldOne(const BoundFor& loop, uint16_t dest);
  void YieldLet(const BoundFor& loop, PlainCheck check, uint16_t dest);
  void YieldFirst(const Reduction& reduction, uint16_t dest);
  // `check`: what each branch whose type is not known has to pass.
  void LoadBranches(const BoundConditional& choice, std::optional<PlainCheck> check);
  // The operand that a branch was loaded to, if it was.
  std::optional<uint16_t> LoadedOperand(const BoundExpr& branch) const;
  void YieldBranch(const BoundExpr& expr, const ChoiceEnd& end);
  bool HasToldBranches(const BoundConditional& choice) const;
  // By PlainAlike, or PlainElements.
  void YieldAlike(const BoundConditional& choice, Opcode op, uint16_t dest, bool returns);
  uint16_t TypedFor(const BoundExpr& branch, const ChoiceEnd& end);
  uint16_t TypeOfOther(const BoundExpr& branch);
  void EnsureCondition(const BoundExpr& condition, PlainLabel* failed);
  // Between objects of the same keys: the values that may be of other types are loaded and compared before.
  void YieldObjects(const BoundConditional& choice, uint16_t dest, bool returns);
  void LoadItems(const BoundConditional& choice, absl::Span<const BoundObject* const> objects);
  // A value of one of two objects, with its operand where the text does not tell that it is of the type of a scalar.
  struct OpenItem {
    const BoundExpr* value;
    std::optional<uint16_t> operand;
  };
  using OpenItems = ShortList<OpenItem>;  // by position
  void YieldOpenObjects(const BoundConditional& choice, uint16_t dest, bool returns);
  std::optional<uint16_t> LoadOpenItem(const BoundExpr& value, Type told);
  void YieldOpenObject(const BoundConditional& choice, const OpenItems& taken, const OpenItems& other, uint16_t dest);
  void YieldObjectBranch(const BoundExpr& branch, uint16_t dest, bool returns, PlainLabel* done);
  // Where the type is known, only what is taken runs, unless the other one might fail: it has no type then.
  void YieldTyped(const BoundConditional& choice, uint16_t dest, bool returns);
  // A constant as a value of the type; nothing where that fails, and for others.
  std::optional<Value> ConvertedConstant(const BoundExpr& branch, Type type);
  // Code that goes to `failed` where `expr` fails for certain, and leaves where it might.
  void Ensure(const BoundExpr& expr, PlainLabel* failed);
  void YieldTypedBranch(const BoundConditional& choice, bool taken, uint16_t dest);
  void Finish(const Value& value, uint16_t dest, bool returns);
  bool IsCondition(const BoundExpr& inner) const;
  void TestChain(const BoundChain& expr, bool when, PlainLabel* target);
  const BoundExpr* SubjectOf(const BoundExpr& expr, BinaryOp op, const Value** constant) const;
  size_t CountAlternatives(BinaryOp logic, absl::Span<const BoundExpr* const> operands) const;
  void TestAlternatives(BinaryOp logic, absl::Span<const BoundExpr* const> operands, bool when, PlainLabel* target);
  void CheckLoaded(const BoundExpr& expr, uint16_t operand);
  // Whether the value was checked so before, on all ways; and that it is checked now.
  bool HasPassed(const BoundExpr& expr, PlainCheck check) const;
  void SetPassed(const BoundExpr& expr, PlainCheck check);
  const BoundExpr& TestedPart(const BoundExpr& expr, bool* when) const;
  bool IsLoaded(const BoundExpr& inner);
  void TestLogic(const BoundChain& expr, bool when, PlainLabel* target);
  void TestEquality(const BoundChain& expr, bool when, PlainLabel* target);
  void TestCall(const BoundCall& expr, bool when, PlainLabel* target);
  void TestBranch(const BoundExpr& expr, bool when, PlainLabel* target);
  // Emits `op` on the value of `expr`, or `path_op` on its path.
  void EmitTest(Opcode op, Opcode path_op, const BoundExpr& expr, uint16_t b, PlainLabel* target);

  // Of a region in what is tried, in place of where it goes on: nothing in it fails the whole for certain.
  static constexpr uint32_t kFailsNowhere = UINT32_MAX;
  static constexpr int kLoopRegisters = 3;  // the iterator, the key and the element

  CodeGenerator& g_;
  PlainSession* const session_;
  // How many conditions and loops there are around the code that is being emitted. When there is none, what the code
  // finds out holds for all code behind it.
  int branches_ = 0;
  // Registers of shared values that are there, as code for them always runs.
  ShortList<uint16_t> made_;
  uint32_t begin_ = 0;  // of the plain code since the last general code
  ShortList<PlainRegion> regions_;
  ShortList<LoadedBranch> loaded_;
  ShortList<LoadedBranch> ensured_;
  // Where what is tried goes on when a call in it fails, since all of it does; null: that leaves.
  PlainLabel* strict_failed_ = nullptr;
  JointPass* joint_ = nullptr;
  bool is_tried_ = false;  // what fails for certain in the code that is being emitted is dropped
};

// Answers of fast_forms.h about what there is code for.
struct PlainGenerator::Parts {
  static constexpr bool kMakesLists = false;
  const PlainGenerator* generator;
  const BoundExpr& inner(const BoundExpr& part) const { return generator->Inner(part); }
  bool has_register(const LocalVariable* local) const {
    return generator->session_ == nullptr || !generator->session_->IsVariable(local);
  }
  bool yield(const BoundExpr& expr) const {
    return generator->session_ != nullptr ? generator->session_->CanYield(expr)
                                          : expr.plain_value || IsScalarOperand(expr);
  }
  bool list(const BoundExpr& expr) const {
    return generator->session_ != nullptr ? generator->session_->CanYield(expr) : expr.plain_value || IsOperand(expr);
  }
  bool makes_calls() const { return generator->session_ == nullptr; }
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_PLAIN_GENERATOR_H_

// KnownReads: paths, and attributes of loop variables, whose values plain code keeps in registers where it reads them
// more than once; and what several of these begin with.
//
// Such a read is known from the place where code for it was emitted up to the end of the innermost code around it that
// does not always run: there the register has the value, and whoever reads it again takes it from there. Where several
// pieces of plain code share a chunk, or the read stands in a loop that it does not depend on, the register begins as
// nothing (Forget), and each place takes what is in it, if anything is (Recall), so that nothing is read that would not
// have been read. What every pass of a loop reads first is read before the first pass, and needs none of that.
//
// Tested by compiler/known_reads_test.cc.

#ifndef HCLVM_COMPILER_KNOWN_READS_H_
#define HCLVM_COMPILER_KNOWN_READS_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "hclvm/base/plain_list.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/shared_values.h"

namespace hcl::internal {

// Of one tree at a time. Not thread-safe. Time of all functions: linear in the reads that they are given, and in those
// that are kept.
class KnownReads {
 public:
  // More are not kept at a time.
  static constexpr size_t kMaxReads = 24;

  // What is in the register.
  enum class State : uint8_t {
    kUnread,  // anything
    kOnce,    // the value, or nothing where it was not read yet
    kFound,   // the value, or nothing where a step leads nowhere
    kThere,   // the value
  };
  struct Read {
    const BoundExpr* expr;  // a BoundPath or BoundLocal with steps
    uint32_t length;        // how many of its steps are taken
    uint16_t reg;
    State state;
  };

  // Whether there may be any in `tree`. Most expressions have none.
  static bool MayHave(const BoundTree& tree);
  // Looks for the paths of `tree` that its plain code reads more than once. `whole`: there is one piece of plain code,
  // for the root. Calls allocate() for a register for each; state: of all.
  // What is read only to make again what is shared is not.
  template <typename Allocate>
  void Begin(const BoundTree& tree, const SharedValues& shared, bool whole, const Allocate& allocate) {
    CountPaths(tree, shared, whole);
    for (const Counted& counted : counted_) {
      if (!whole && !IsWorthLooking(counted)) continue;
      Add(counted, allocate(), whole ? State::kUnread : State::kOnce);
    }
  }

  // The same for what one piece of plain code reads, which a Scope surrounds.
  template <typename Allocate>
  void AddReads(const BoundTree& tree, const BoundExpr& expr, const Allocate& allocate) {
    CountReads(tree, expr);
    for (const Counted& counted : counted_) Add(counted, allocate(), State::kUnread);
  }

  // The same for attributes of the variables of loops that code goes over together.
  template <typename Allocate>
  void AddJointReads(const BoundTree& tree, absl::Span<const BoundFor* const> loops, const Allocate& allocate) {
    CountJointReads(tree, loops);
    for (const Counted& counted : counted_) Add(counted, allocate(), State::kUnread);
  }

  // Only what several paths of `expr` begin with, for code that keeps these paths itself. A Scope surrounds it.
  template <typename Allocate>
  void AddBeginnings(const BoundTree& tree, const BoundExpr& expr, const Allocate& allocate) {
    CountOnlyBeginnings(tree, expr);
    for (const Counted& counted : counted_) Add(counted, allocate(), State::kUnread);
  }

  // What the passes of `loop` read that does not depend on its variables: reads that are not known get registers from
  // allocate(), and begin(reg) for those that are to begin as nothing: all but `first`, which the loop reads where it
  // begins. A Scope surrounds the loop.
  template <typename Allocate, typename BeginAsNothing>
  void EnterLoop(const BoundTree& tree, const BoundFor& loop, absl::Span<const BoundExpr* const> first,
                 const Allocate& allocate, const BeginAsNothing& begin) {
    CountInLoop(tree, loop);
    for (const Counted& counted : counted_) {
      Read* read = Of(*counted.expr);
      if (read == nullptr && reads_.size() < kMaxReads) read = Add(counted, allocate(), State::kUnread);
      if (read == nullptr || read->state != State::kUnread || IsOneOf(first, *read)) continue;
      begin(read->reg);
      Set(read, State::kOnce);
    }
  }

  void Clear() {
    reads_.clear();
    changes_.clear();
  }

  // The read that `expr` is, if its value is kept, or null. Valid until the next one is added.
  Read* Of(const BoundExpr& expr);
  // The longest one that fewer than the first `length` steps of `expr` are, likewise.
  Read* BeginningOf(const BoundExpr& expr, uint32_t length);
  void Set(Read* read, State state);

  // While it lives, code is emitted that does not always run, or that others do not share.
  class Scope {
   public:
    explicit Scope(KnownReads* reads) : reads_(reads), changes_(reads->changes_.size()), count_(reads->reads_.size()) {}
    ~Scope() { Restart(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    // Code from here on runs in place of the code so far.
    void Restart() const { reads_->Undo(changes_, count_); }

   private:
    KnownReads* const reads_;
    const size_t changes_;
    const size_t count_;
  };

 private:
  struct Counted {
    const BoundExpr* expr;
    uint32_t length;
    uint32_t uses;
    uint32_t path;  // BoundPath::path, if that is all of it
  };
  struct Change {
    uint32_t read;
    State before;
  };

  static bool IsWorthLooking(const Counted& counted);
  // Whether `expr`, a BoundPath or BoundLocal, is the read.
  static bool IsThat(const Read& read, const BoundExpr& expr);
  static bool IsOneOf(absl::Span<const BoundExpr* const> exprs, const Read& read);
  void Count(const BoundExpr& read, uint32_t length, uint32_t uses);
  void CountAll(const BoundExpr& read, uint32_t uses);
  void CountBeginnings();
  void DropSingle();
  void CountPaths(const BoundTree& tree, const SharedValues& shared, bool whole);
  void CountReads(const BoundTree& tree, const BoundExpr& expr);
  void CountJointReads(const BoundTree& tree, absl::Span<const BoundFor* const> loops);
  void CountOnlyBeginnings(const BoundTree& tree, const BoundExpr& expr);
  void CountInLoop(const BoundTree& tree, const BoundFor& loop);
  Read* Add(const Counted& counted, uint16_t reg, State state);
  void Undo(size_t changes, size_t count);

  PlainList<Read, 8> reads_;
  PlainList<Change, 16> changes_;
  PlainList<Counted, 16> counted_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_KNOWN_READS_H_

// Failures: which of an evaluation's failures become diagnostics, and which of these need their texts.
//
// A text is far more work than the failure that it is about: names are compared for a suggestion, values are shown.
// Most failures are dropped again, by try, by can, by a conditional that does not take the branch. Therefore a program
// that gives the same twice is run twice where it fails: the first run only counts failures, the second one writes the
// texts of those that were left at the end of the first.
//
// Internal to the machine. Tested by vm/failures_test.cc.

#ifndef HCLVM_VM_FAILURES_H_
#define HCLVM_VM_FAILURES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/silence.h"
#include "hclvm/internal/dcheck.h"

namespace hcl::internal {

// Positions are those of Diagnostics: how many failures stand before. Not thread-safe.
class Failures {
 public:
  enum class Mode : uint8_t {
    kWriteAll,      // there is one run, which writes the texts
    kCount,         // the first of two runs
    kWriteCounted,  // the second, right after the first one
  };

  // All must outlive it. *noticed, which may be null, is set whenever anything fails. *place, which may be null too,
  // says where the next failure is: the offset of an instruction.
  explicit Failures(Diagnostics* diagnostics, bool* noticed = nullptr, const uint32_t* place = nullptr)
      : diagnostics_(diagnostics), noticed_(noticed), place_(place) {}

  // Sets what the following runs are, which start with no failures.
  void Begin(Mode mode);
  // Whom to ask besides, where the run is part of a call, which takes one answer for all of it; null, as at first:
  // nobody. It must outlive its use.
  void set_silence(const Silence* silence) { silence_ = silence; }
  // Whether anything has failed since the last StartRun(), even if it was dropped.
  bool any() const { return any_; }
  // To be called before a run if any(). Runs before it in this mode must have left no failure.
  void StartRun() {
    any_ = false;
    next_ = 0;
    repeated_ = 0;
    limit_.reset();
  }
  // Whether this run has crossed a limit.
  bool has_limit() const { return limit_.has_value(); }
  // Ends a run that has: the limit is reported even where its failure was dropped, since nobody may take it for an
  // answer. Requires has_limit().
  void ReportLimit();

  // The next failure needs no text: it will be dropped, or would not be kept, or this run only counts.
  bool quiet() { return mode_ == Mode::kCount || IsQuiet(); }

  // The next failure will be dropped, or this run only counts.
  bool dropped() { return mode_ == Mode::kCount || IsDropped(); }

  // How many were added and not removed.
  size_t count() const { return mode_ == Mode::kCount ? count_ : diagnostics_->count(); }

  // Adds a failure without a text. Requires quiet().
  void AddQuietly() {
    HCL_DCHECK(quiet());
    const uint64_t number = Number();
    if (mode_ != Mode::kCount) return diagnostics_->AddUnkept();
    if (!runs_.empty() && runs_.back().IsJoinedBy(count_, number)) {
      ++runs_.back().length;
    } else {
      BeginRun(number);
    }
    ++count_;
  }
  // Adds one that needs its text; or one about a crossed limit, which is always kept.
  void Add(Diagnostic diagnostic);
  // Adds one, without a text, in place of all those from `begin` on, which its text would quote. Requires
  // dropped(): what it quotes may be all that the diagnostics have room for.
  void ReplaceQuietly(size_t begin);

  // As Diagnostics.
  void Remove(size_t begin, size_t end = SIZE_MAX);
  void MoveLast(size_t begin);

  class Kept;
  // Takes off the failures from `begin` on, the first kMaxKept of which can be added again in this run, as often as
  // what has failed is read.
  Kept Take(size_t begin);
  void AddAgain(const Kept& kept);
  // The failures of another run, to be added in this way.
  static Kept Keep(const Diagnostics& diagnostics);

  // The name nearest to `name` among those that `names()` returns, as NearestName(); `from` stands for the names. A
  // loop that fails in the same way again and again asks for the same, and gets the last answer. Valid until the next
  // call.
  template <typename Names>
  std::string_view Nearest(const void* from, std::string_view name, Names names) {
    // What stands for names is known to stay for the second of two runs only.
    if (mode_ != Mode::kWriteCounted || from != suggested_from_ || name != suggested_for_) {
      suggestion_ = NearestName(name, names());
      suggested_for_ = name;
      suggested_from_ = from;
    }
    return suggestion_;
  }

  // Whether a run that only counts has left any.
  bool counted() const { return count_ != 0; }
  // Whether this run only counts.
  bool is_counting() const { return mode_ == Mode::kCount; }

  // What is kept of the failures from `begin` on, while texts are written.
  std::vector<const Diagnostic*> KeptFrom(size_t begin) const { return diagnostics_->KeptFrom(begin); }

 private:
  // Failures are numbered in the order in which they happen; both runs give the same numbers.
  struct Interval {
    uint64_t begin;
    uint64_t end;
  };
  // Nearly all of what a try quotes stands together, and takes no memory then.
  using Intervals = absl::InlinedVector<Interval, 1>;
  // Failures at neighboring positions with neighboring numbers.
  struct Run {
    size_t begin;  // position
    size_t length;
    uint64_t first;    // number
    Intervals quoted;  // by the text of the only one

    size_t end() const { return begin + length; }
    // Whether a failure at that position, of that number, which quotes nothing, goes on where this one ends.
    bool IsJoinedBy(size_t position, uint64_t number) const {
      return end() == position && first + length == number && quoted.empty();
    }
  };

  static constexpr size_t kMaxKept = 16;
  // Texts of one place that may be those of the failure before, and then take no room among the diagnostics. A loop
  // that fails in the same way in each of a million rounds would make a million texts of which one is kept.
  static constexpr size_t kMaxRepeated = 300;

  uint32_t place() const { return place_ == nullptr ? 0 : *place_; }

  bool IsQuiet();
  bool IsDropped();
  // Adds the failure of that number, at the end.
  void BeginRun(uint64_t number);
  void Append(Run run);
  std::vector<Run> CutFrom(size_t begin);
  void DropFrom(size_t begin);
  void Want(const Run& run);

  // The number of the next failure, which is there.
  uint64_t Number() {
    any_ = true;
    if (noticed_ != nullptr) *noticed_ = true;
    return next_++;
  }

  Diagnostics* diagnostics_;
  bool* noticed_;
  const uint32_t* place_;
  const Silence* silence_ = nullptr;
  Mode mode_ = Mode::kWriteAll;
  bool any_ = false;
  uint64_t next_ = 0;                // number of the next failure
  size_t repeated_ = 0;              // texts of one place that were those of the failure before
  uint32_t repeated_place_ = 0;      // that place
  std::optional<Diagnostic> limit_;  // the first of the run
  // While counting: how many, and which.
  size_t count_ = 0;
  std::vector<Run> runs_;
  // Numbers of the failures whose texts are wanted, sorted; those before `at_wanted_` have passed.
  std::vector<Interval> wanted_;
  size_t at_wanted_ = 0;
  // The last suggestion.
  const void* suggested_from_ = nullptr;
  std::string suggested_for_;
  std::string suggestion_;
};

// Failures that were taken off. Belongs to the run that they happened in.
class Failures::Kept {
 private:
  friend class Failures;
  size_t count_ = 0;
  Intervals numbers_;              // while counting: of all whose texts are needed for theirs
  std::vector<Diagnostic> texts_;  // while texts are written
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_FAILURES_H_

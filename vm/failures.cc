// Failures. Tested by vm/failures_test.cc.

#include "hclvm/vm/failures.h"

#include <algorithm>
#include <utility>

#include "hclvm/internal/dcheck.h"

namespace hcl::internal {
namespace {

// Runs that are remembered while counting. A loop that drops every second failure makes one for each round; failures
// beyond these are counted and get no text.
constexpr size_t kMaxRuns = 10'000;

// Intervals that are remembered of what one text quotes: far more than fit into a text (kMaxMessageBytes).
constexpr size_t kMaxQuoted = 64;

}  // namespace

// What the first run has counted tells the second one what to write. Positions end with a run; numbers begin anew with
// each.
void Failures::Begin(Mode mode) {
  wanted_.clear();
  if (mode == Mode::kWriteCounted) {
    for (const Run& run : runs_) Want(run);
    std::sort(wanted_.begin(), wanted_.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  }
  runs_.clear();
  count_ = 0;
  next_ = 0;
  repeated_ = 0;
  at_wanted_ = 0;
  suggested_from_ = nullptr;
  mode_ = mode;
}

void Failures::Want(const Run& run) {
  wanted_.push_back({run.first, run.first + run.length});
  wanted_.insert(wanted_.end(), run.quoted.begin(), run.quoted.end());
}

// Numbers only grow, so that one position in the sorted list is enough, and no failure costs a search.
bool Failures::IsDropped() {
  HCL_DCHECK(mode_ != Mode::kCount);
  if (mode_ == Mode::kWriteAll) return IsSilent(silence_);
  while (at_wanted_ < wanted_.size() && wanted_[at_wanted_].end <= next_) ++at_wanted_;
  return at_wanted_ == wanted_.size() || wanted_[at_wanted_].begin > next_;
}

void Failures::BeginRun(uint64_t number) {
  if (runs_.size() < kMaxRuns) runs_.push_back({count_, 1, number, {}});
}

void Failures::Append(Run run) {
  if (run.quoted.empty() && !runs_.empty() && runs_.back().IsJoinedBy(run.begin, run.first)) {
    runs_.back().length += run.length;
  } else if (runs_.size() < kMaxRuns) {
    runs_.push_back(std::move(run));
  }
}

// Past the bound of the diagnostics nothing is kept, and no text is made in any mode.
bool Failures::IsQuiet() {
  return IsDropped() || diagnostics_->full() || (repeated_ >= kMaxRepeated && place() == repeated_place_);
}

// The diagnostic of a limit is written even while counting: if nothing else has failed, it is all that there is to say,
// and the second run is spared.
void Failures::Add(Diagnostic diagnostic) {
  if (diagnostic.is_limit && !limit_) limit_ = diagnostic;
  if (mode_ == Mode::kCount) {
    diagnostics_->Add(std::move(diagnostic));
    AddQuietly();
    return;
  }
  const size_t kept = diagnostics_->kept().size();
  diagnostics_->Add(std::move(diagnostic));
  if (diagnostics_->kept().size() == kept) {
    repeated_ = place() == repeated_place_ ? repeated_ + 1 : 1;
    repeated_place_ = place();
  }
  Number();
}

void Failures::ReportLimit() {
  if (!diagnostics_->has_limit()) diagnostics_->Add(*limit_);
}

void Failures::ReplaceQuietly(size_t begin) {
  HCL_DCHECK(dropped() && begin <= count());
  if (mode_ != Mode::kCount) {
    diagnostics_->Remove(begin);
    return AddQuietly();
  }
  // Nearly always one run is all that is quoted: it becomes what quotes it, where it stands.
  if (!runs_.empty() && runs_.back().begin == begin && runs_.back().quoted.empty()) {
    Run* const run = &runs_.back();
    run->quoted.push_back({run->first, run->first + run->length});
    run->length = 1;
    run->first = Number();
    count_ = begin + 1;
    return;
  }
  Run run{begin, 1, Number(), {}};
  for (const Run& part : CutFrom(begin)) {
    if (run.quoted.size() + 1 + part.quoted.size() > kMaxQuoted) break;
    run.quoted.push_back({part.first, part.first + part.length});
    run.quoted.insert(run.quoted.end(), part.quoted.begin(), part.quoted.end());
  }
  Append(std::move(run));
  count_ = begin + 1;
}

// The runs from position `begin` on are taken off, in their order; one that lies across `begin` is split. What is
// removed or moved stands at the end nearly always, hence the work is that of the end alone.
std::vector<Failures::Run> Failures::CutFrom(size_t begin) {
  std::vector<Run> tail;
  while (!runs_.empty() && runs_.back().end() > begin) {
    Run run = std::move(runs_.back());
    runs_.pop_back();
    const size_t before = begin > run.begin ? begin - run.begin : 0;
    if (before > 0) runs_.push_back({run.begin, before, run.first, {}});
    tail.push_back({run.begin + before, run.length - before, run.first + before, std::move(run.quoted)});
    if (before > 0) break;
  }
  std::reverse(tail.begin(), tail.end());
  return tail;
}

// What is dropped is nearly always all from a position on; that allocates nothing.
void Failures::DropFrom(size_t begin) {
  while (!runs_.empty() && runs_.back().end() > begin) {
    if (runs_.back().begin < begin) {
      runs_.back().length = begin - runs_.back().begin;
      break;
    }
    runs_.pop_back();
  }
  count_ = begin;
}

void Failures::Remove(size_t begin, size_t end) {
  if (mode_ != Mode::kCount) return diagnostics_->Remove(begin, end);
  end = std::min(end, count_);
  if (begin >= end) return;
  if (end == count_) return DropFrom(begin);
  for (Run& run : CutFrom(begin)) {
    if (run.end() <= end) continue;
    const size_t cut = end > run.begin ? end - run.begin : 0;
    Append({run.begin + cut - (end - begin), run.length - cut, run.first + cut, std::move(run.quoted)});
  }
  count_ -= end - begin;
}

// Texts are written where failures happen first. The run that counts tells the one that writes that a text is wanted,
// if it is for what was added again only.
Failures::Kept Failures::Take(size_t begin) {
  Kept kept;
  kept.count_ = std::min(count() - begin, kMaxKept);
  if (mode_ != Mode::kCount) {
    for (const Diagnostic* text : diagnostics_->KeptFrom(begin)) {
      if (kept.texts_.size() < kMaxKept) kept.texts_.push_back(*text);
    }
    diagnostics_->Remove(begin);
    return kept;
  }
  for (const Run& part : CutFrom(begin)) {
    if (kept.numbers_.size() + 1 + part.quoted.size() > kMaxQuoted) break;
    kept.numbers_.push_back({part.first, part.first + part.length});
    kept.numbers_.insert(kept.numbers_.end(), part.quoted.begin(), part.quoted.end());
  }
  count_ = begin;
  return kept;
}

Failures::Kept Failures::Keep(const Diagnostics& diagnostics) {
  Kept kept;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (kept.texts_.size() < kMaxKept) kept.texts_.push_back(diagnostic);
  }
  kept.count_ = kept.texts_.size();
  return kept;
}

// Both runs give the same numbers: as many failures are added in each, with or without texts.
void Failures::AddAgain(const Kept& kept) {
  for (size_t n = 0; n < kept.count_; ++n) {
    const bool is_wanted = n < kept.texts_.size() && !quiet();
    const uint64_t number = Number();
    if (mode_ == Mode::kCount) {
      Append({count_, 1, number, n == 0 ? kept.numbers_ : Intervals()});
      ++count_;
    } else if (is_wanted) {
      diagnostics_->Add(kept.texts_[n]);
    } else {
      diagnostics_->AddUnkept();
    }
  }
}

void Failures::MoveLast(size_t begin) {
  if (mode_ != Mode::kCount) return diagnostics_->MoveLast(begin);
  if (runs_.empty() || runs_.back().end() != count_ || begin + 1 >= count_) return;
  std::vector<Run> last = CutFrom(count_ - 1);
  std::vector<Run> behind = CutFrom(begin);
  last[0].begin = begin;
  Append(std::move(last[0]));
  for (Run& run : behind) {
    ++run.begin;
    Append(std::move(run));
  }
}

}  // namespace hcl::internal

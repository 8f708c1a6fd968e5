// Diagnostics: the bounded list.

#include "hclvm/base/diagnostic.h"

#include <algorithm>
#include <utility>

#include "hclvm/base/excerpt.h"
#include "hclvm/base/limits.h"

namespace hcl {

// The index is compared, not only the text: an entry that was not kept may stand between, and then the two are no
// neighbors. A loop that fails in each of a million rounds so takes one comparison for each, and the memory of one
// entry.
void Diagnostics::Add(Diagnostic diagnostic) {
  internal::CutText(kMaxMessageBytes, &diagnostic.summary);
  internal::CutText(kMaxMessageBytes, &diagnostic.detail);
  const size_t index = count_++;
  if (!kept_.empty() && runs_.back().begin + runs_.back().length == index && kept_.back() == diagnostic) {
    ++runs_.back().length;
    return;
  }
  // A crossed limit decides a program's exit status, so the first one is kept even past the bound.
  const bool keep = kept_.size() < max_kept_ || (diagnostic.is_limit && !has_limit());
  if (!keep) return;
  kept_.push_back(std::move(diagnostic));
  runs_.push_back(Run{index, 1});
}

void Diagnostics::AddError(SourceRange subject, std::string summary, std::string detail,
                           std::optional<SourceRange> context) {
  Diagnostic diagnostic;
  diagnostic.summary = std::move(summary);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = subject;
  diagnostic.context = context;
  Add(std::move(diagnostic));
}

void Diagnostics::AddLimit(std::optional<SourceRange> subject, std::string summary, std::string detail) {
  Diagnostic diagnostic;
  diagnostic.summary = std::move(summary);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = subject;
  diagnostic.is_limit = true;
  Add(std::move(diagnostic));
}

bool Diagnostics::has_errors() const {
  size_t kept_count = 0;
  for (size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].severity == Severity::kError) return true;
    kept_count += runs_[i].length;
  }
  return count_ > kept_count;  // what was not kept counts as an error
}

bool Diagnostics::has_limit() const {
  return std::any_of(kept_.begin(), kept_.end(), [](const Diagnostic& d) { return d.is_limit; });
}

std::vector<const Diagnostic*> Diagnostics::KeptFrom(size_t begin) const {
  std::vector<const Diagnostic*> found;
  for (size_t i = FirstFrom(begin); i < kept_.size(); ++i) found.push_back(&kept_[i]);
  return found;
}

// The index of the first run that ends behind position `begin`.
size_t Diagnostics::FirstFrom(size_t begin) const {
  const auto found =
      std::partition_point(runs_.begin(), runs_.end(), [&](const Run& run) { return run.begin + run.length <= begin; });
  return static_cast<size_t>(found - runs_.begin());
}

// Positions are values of count(), so entries that were never kept are removed by arithmetic alone. Each run loses its
// part of [begin, end), and moves down by what is removed before it; a run without entries goes. `out` never passes
// `i`, so that one pass is enough, and it begins where something changes.
void Diagnostics::Remove(size_t begin, size_t end) {
  end = std::min(end, count_);
  if (begin >= end) return;
  size_t out = FirstFrom(begin);
  for (size_t i = out; i < kept_.size(); ++i) {
    Run run = runs_[i];
    const size_t run_end = run.begin + run.length;
    const size_t cut_begin = std::clamp(begin, run.begin, run_end);
    const size_t cut_end = std::clamp(end, run.begin, run_end);
    run.length -= cut_end - cut_begin;
    if (run.length == 0) continue;
    if (run.begin >= end) {
      run.begin -= end - begin;
    } else if (run.begin >= begin) {
      run.begin = begin;
    }
    if (out != i) kept_[out] = std::move(kept_[i]);
    runs_[out++] = run;
  }
  kept_.resize(out);
  runs_.resize(out);
  count_ -= end - begin;
}

// Takes the last entry out and puts it in again. Nothing happens when the last entry was not kept, as it has no text to
// move, and when it stands at `begin` already. Runs stay in the order of their positions, which Remove() relies on: a
// run that holds `begin` is split, and those behind it move up by one.
void Diagnostics::MoveLast(size_t begin) {
  if (runs_.empty() || runs_.back().begin + runs_.back().length != count_ || begin + 1 >= count_) return;
  Diagnostic last = kept_.back();
  Remove(count_ - 1);
  size_t at = 0;
  while (at < runs_.size() && runs_[at].begin + runs_[at].length <= begin) ++at;
  auto place = [&](size_t i) { return static_cast<std::ptrdiff_t>(i); };
  if (at < runs_.size() && runs_[at].begin < begin) {  // in the middle of a run: split it
    const Run rest = {begin, runs_[at].begin + runs_[at].length - begin};
    runs_[at].length = begin - runs_[at].begin;
    runs_.insert(runs_.begin() + place(at + 1), rest);
    kept_.insert(kept_.begin() + place(at + 1), kept_[at]);
    ++at;
  }
  for (size_t i = at; i < runs_.size(); ++i) ++runs_[i].begin;
  runs_.insert(runs_.begin() + place(at), Run{begin, 1});
  kept_.insert(kept_.begin() + place(at), std::move(last));
  ++count_;
}

void Diagnostics::Clear() {
  count_ = 0;
  kept_.clear();
  runs_.clear();
}

}  // namespace hcl

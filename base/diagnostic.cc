// Diagnostics: the bounded list.

#include "hclvm/base/diagnostic.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "hclvm/base/excerpt.h"
#include "hclvm/base/limits.h"
#include "hclvm/internal/dcheck.h"

namespace hcl {
namespace {

Diagnostic MakeDiagnostic(DiagnosticCode code, std::optional<SourceRange> subject, std::string detail,
                          std::optional<SourceRange> context) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = subject;
  diagnostic.context = context;
  return diagnostic;
}

// Room for so many more, in the proportion by which vectors grow. Once entries and their runs have it, both can be
// added; where memory is refused, neither is.
template <typename List>
void MakeRoom(size_t more, List* list) {
  if (list->capacity() - list->size() < more) list->reserve(2 * list->size() + more);
}

}  // namespace

Diagnostic::Diagnostic(DiagnosticCode c, std::initializer_list<std::string_view> names)
    : code(c), severity(SeverityOf(c)), is_limit(IsLimit(c)), summary(SummaryOf(c, names)) {}

// The index is compared, not only the text: an entry that was not kept may stand between, and then the two are no
// neighbors. A loop that fails in each of a million rounds so takes one comparison for each, and the memory of one
// entry. What is past the bound has a position only if it is an error: positions then tell how many of them there are.
void Diagnostics::Add(Diagnostic diagnostic) {
  internal::CutText(kMaxMessageBytes, &diagnostic.summary);
  internal::CutText(kMaxMessageBytes, &diagnostic.detail);
  const bool repeats =
      !kept_.empty() && runs_.back().begin + runs_.back().length == count_ && kept_.back() == diagnostic;
  const bool is_warning = diagnostic.severity == Severity::kWarning;
  if (is_warning && !repeats && kept_warnings_ >= max_kept_) {
    ++left_out_warnings_;
    return;
  }
  // A crossed limit decides a program's exit status, so the first one is kept even past the bound.
  const bool keep = !repeats && (is_warning || !full() || (diagnostic.is_limit && !has_limit()));
  if (repeats) ++runs_.back().length;
  if (keep) {
    MakeRoom(1, &runs_);
    MakeRoom(1, &kept_);
    kept_.push_back(std::move(diagnostic));
    runs_.push_back(Run{count_, 1});
    if (is_warning) ++kept_warnings_;
  }
  ++count_;
  if (is_warning) ++warnings_;
}

void Diagnostics::AddError(SourceRange subject, DiagnosticCode code, std::string detail,
                           std::optional<SourceRange> context) {
  HCL_DCHECK(SeverityOf(code) == Severity::kError && !IsLimit(code));
  Add(MakeDiagnostic(code, subject, std::move(detail), context));
}

void Diagnostics::AddWarning(SourceRange subject, DiagnosticCode code, std::string detail,
                             std::optional<SourceRange> context) {
  HCL_DCHECK(SeverityOf(code) == Severity::kWarning);
  Add(MakeDiagnostic(code, subject, std::move(detail), context));
}

void Diagnostics::AddLimit(std::optional<SourceRange> subject, DiagnosticCode code, std::string detail) {
  HCL_DCHECK(IsLimit(code));
  Add(MakeDiagnostic(code, subject, std::move(detail), std::nullopt));
}

bool Diagnostics::has_limit() const {
  return std::any_of(kept_.begin(), kept_.end(), [](const Diagnostic& d) { return d.is_limit; });
}

size_t Diagnostics::unkept_errors() const {
  size_t unkept = count_;
  for (const Run& run : runs_) unkept -= run.length;
  return unkept;
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
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(out), kept_.end());
  runs_.resize(out);
  if (warnings_ > 0) CountWarnings();
  count_ -= end - begin;
}

// Whoever fails for a reason that others have failed for tells it again. Entries are taken off from the end, so that
// positions before them stay.
void Diagnostics::DropRepeated() {
  std::set<std::tuple<DiagnosticCode, uint32_t, uint32_t, const Source*, std::string, std::string>> told;
  std::vector<std::pair<size_t, size_t>> repeated;  // positions
  for (size_t i = 0; i < kept_.size(); ++i) {
    const Diagnostic& d = kept_[i];
    const SourceRange subject = d.subject.value_or(SourceRange{});
    const bool is_new = told.emplace(d.code, subject.begin, subject.end, d.source, d.summary, d.detail).second;
    repeated.emplace_back(runs_[i].begin + (is_new ? 1 : 0), runs_[i].begin + runs_[i].length);
  }
  for (size_t n = repeated.size(); n-- > 0;) Remove(repeated[n].first, repeated[n].second);
}

// Takes the last entry out and puts it in again. Nothing happens when the last entry was not kept, as it has no text to
// move, and when it stands at `begin` already. Runs stay in the order of their positions, which Remove() relies on: a
// run that holds `begin` is split, and those behind it move up by one.
void Diagnostics::MoveLast(size_t begin) {
  if (runs_.empty() || runs_.back().begin + runs_.back().length != count_ || begin + 1 >= count_) return;
  MakeRoom(2, &runs_);
  MakeRoom(2, &kept_);
  Diagnostic last = kept_.back();
  Remove(count_ - 1);
  size_t at = 0;
  while (at < runs_.size() && runs_[at].begin + runs_[at].length <= begin) ++at;
  auto place = [&](size_t i) { return static_cast<std::ptrdiff_t>(i); };
  if (at < runs_.size() && runs_[at].begin < begin) {  // in the middle of a run: split it
    Diagnostic same = kept_[at];
    const Run rest = {begin, runs_[at].begin + runs_[at].length - begin};
    runs_[at].length = begin - runs_[at].begin;
    runs_.insert(runs_.begin() + place(at + 1), rest);
    kept_.insert(kept_.begin() + place(at + 1), std::move(same));
    ++at;
  }
  for (size_t i = at; i < runs_.size(); ++i) ++runs_[i].begin;
  const bool is_warning = last.severity == Severity::kWarning;
  runs_.insert(runs_.begin() + place(at), Run{begin, 1});
  kept_.insert(kept_.begin() + place(at), std::move(last));
  if (is_warning || warnings_ > 0) CountWarnings();
  ++count_;
}

// Anew: a run can be cut in two, or lose a part.
void Diagnostics::CountWarnings() {
  warnings_ = kept_warnings_ = 0;
  for (size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].severity != Severity::kWarning) continue;
    warnings_ += runs_[i].length;
    ++kept_warnings_;
  }
}

void Diagnostics::Clear() {
  count_ = 0;
  warnings_ = kept_warnings_ = 0;
  left_out_warnings_ = 0;
  kept_.clear();
  runs_.clear();
}

}  // namespace hcl

// RequestDiff. Tested by workbench/request_diff_test.cc.

#include "hclvm/workbench/request_diff.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/equality.h"
#include "hclvm/vm/value/sensitive.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/value_diff.h"

namespace hcl::internal {
namespace {

// Further ways to differ are one group of each entry and change.
constexpr size_t kMaxGroups = 10'000;
constexpr size_t kMaxLoggedPaths = 10'000;  // that are remembered
constexpr size_t kMaxKeyBytes = 60;
constexpr size_t kMaxPaths = 3;
constexpr size_t kMaxKeptRequest = 64 << 10;  // a longer one is not explained
constexpr size_t kMaxExampleBytes = 300;
constexpr std::string_view kOthers = "(others)";

JsonProjection Needed(const DiffedVersion& before, const DiffedVersion& after, const ComparedEntries& entries) {
  std::vector<const Entry*> old_entries, new_entries;
  for (const ComparedEntries::Pair& pair : entries.both) {
    old_entries.push_back(pair.before);
    new_entries.push_back(pair.after);
  }
  JsonProjection needed = NeededBy(before.program, old_entries, before.base.get());
  needed.Add(NeededBy(after.program, new_entries, after.base.get()));
  return needed;
}

// Whether both surely are one text of JSON.
bool IsSameValue(const Value& a, const Value& b) {
  return !a.has_marks() && !b.has_marks() && EqualsTri(a, b) == Tri::kTrue;
}

// What has decided, as an object names it.
const Value* Decider(const Value& value) {
  if (!value.is_mapping()) return nullptr;
  for (const std::string_view name : {"rule", "id"}) {
    const int64_t at = value.shape().Find(name);
    if (at >= 0 && value.values()[at].is_string()) return &value.values()[at];
  }
  return nullptr;
}

// Texts with blanks are for people: each may be another one.
std::string KeyText(const std::string& json) {
  if (json.empty()) return "nothing";
  const bool is_prose =
      json.front() == '"' && std::any_of(json.begin(), json.end(), [](char c) { return absl::ascii_isspace(c); });
  return is_prose ? "text" : Excerpt(json, kMaxKeyBytes);
}

std::string ErrorKey(const Diagnostic& diagnostic) { return absl::StrCat("error ", CodeText(diagnostic.code)); }

std::string ErrorText(const Diagnostic& diagnostic, const Source& source) {
  std::string text = ErrorKey(diagnostic);
  const Source* const at = diagnostic.source != nullptr ? diagnostic.source : &source;
  if (diagnostic.subject) absl::StrAppend(&text, " at ", at->name(), ":", at->LineAt(diagnostic.subject->begin));
  absl::StrAppend(&text, ": ", diagnostic.detail.empty() ? diagnostic.summary : diagnostic.detail);
  return Excerpt(text, kMaxExampleBytes);
}

}  // namespace

ComparedEntries CompareEntries(const Program& before, const Program& after, absl::Span<const std::string> chosen) {
  ComparedEntries entries;
  const auto add = [&](std::string_view path) {
    const Entry* const old_entry = before.FindEntry(path);
    const Entry* const new_entry = after.FindEntry(path);
    if (old_entry != nullptr && new_entry != nullptr) {
      entries.both.push_back({std::string(path), old_entry, new_entry});
    } else if (new_entry != nullptr) {
      entries.only_after.emplace_back(path);
    } else if (old_entry != nullptr) {
      entries.only_before.emplace_back(path);
    }
  };
  for (const std::string& path : chosen) add(path);
  if (!chosen.empty()) return entries;
  EntriesByPath old_entries = ByPath(before);
  for (const Entry& entry : after.entries()) {
    const auto found = old_entries.find(entry.path);
    if (found == old_entries.end()) {
      entries.only_after.emplace_back(entry.path);
      continue;
    }
    entries.both.push_back({std::string(entry.path), found->second, &entry});
    old_entries.erase(found);
  }
  for (const auto& [path, entry] : old_entries) entries.only_before.emplace_back(path);
  return entries;
}

uint64_t EntryCounts::differing() const {
  uint64_t count = 0;
  for (const auto& [key, group] : groups) count += group.count;
  return count;
}

uint64_t EntryCounts::Count(AnswerChange change) const {
  uint64_t count = 0;
  for (const auto& [key, group] : groups) count += key.change == change ? group.count : 0;
  return count;
}

uint64_t DiffCounts::answers() const {
  uint64_t count = 0;
  for (const EntryCounts& entry : entries) count += entry.answers;
  return count;
}

uint64_t DiffCounts::differing_answers() const {
  uint64_t count = 0;
  for (const EntryCounts& entry : entries) count += entry.differing();
  return count;
}

uint64_t DiffCounts::same_errors() const {
  uint64_t count = 0;
  for (const EntryCounts& entry : entries) count += entry.same_error;
  return count;
}

uint64_t DiffCounts::Count(AnswerChange change) const {
  uint64_t count = 0;
  for (const EntryCounts& entry : entries) count += entry.Count(change);
  return count;
}

void Merge(DiffCounts&& other, DiffCounts* counts) {
  counts->requests += other.requests;
  counts->differing += other.differing;
  counts->partial += other.partial;
  counts->other += other.other;
  counts->broken += other.broken;
  if (other.broken > 0 && (counts->first_broken == 0 || other.first_broken < counts->first_broken)) {
    counts->first_broken = other.first_broken;
    counts->fault = std::move(other.fault);
  }
  counts->limit |= other.limit;
  counts->entries.resize(std::max(counts->entries.size(), other.entries.size()));
  for (size_t n = 0; n < other.entries.size(); ++n) {
    EntryCounts& from = other.entries[n];
    EntryCounts& to = counts->entries[n];
    to.answers += from.answers;
    to.same_error += from.same_error;
    to.before.fuel += from.before.fuel;
    to.before.time += from.before.time;
    to.after.fuel += from.after.fuel;
    to.after.time += from.after.time;
    for (auto& [key, group] : from.groups) {
      DiffGroup& merged = to.groups[key];
      const uint64_t count = merged.count + group.count;
      if (merged.count == 0 || group.line < merged.line) merged = std::move(group);
      merged.count = count;
    }
  }
}

RequestDiff::RequestDiff(DiffedVersion before, DiffedVersion after, const ComparedEntries* entries,
                         const RequestDiffOptions& options)
    : options_(options),
      entries_(*entries),
      old_version_(std::move(before)),
      new_version_(std::move(after)),
      before_(old_version_.program, options.limits),
      after_(new_version_.program, options.limits),
      reader_(options.form, Needed(old_version_, new_version_, *entries), new_version_.program->dialect(),
              options.limits),
      heap_(nullptr, new_version_.program->dialect(), options.limits) {
  counts_.entries.resize(entries->both.size());
  before_.BindBase(old_version_.base);
  after_.BindBase(new_version_.base);
  for (Evaluator* evaluator : {&before_, &after_}) evaluator->set_unknown_input(UnknownInput::kIgnore);
}

void RequestDiff::AddBroken(uint64_t number, std::string fault) {
  if (++counts_.broken > 1 && counts_.first_broken < number) return;
  counts_.first_broken = number;
  counts_.fault = std::move(fault);
}

// What both versions need is read at first. Where one of them fails, all of the line is read, and both answer again:
// messages and limits may depend on the rest.
void RequestDiff::Add(std::string_view line, uint64_t number, bool is_cut) {
  if (is_cut || line.size() > options_.limits.max_source_bytes) {
    counts_.limit = true;
    return AddBroken(number, absl::StrCat("the line is longer than ", options_.limits.max_source_bytes, " bytes"));
  }
  RecordedRequest request;
  std::string fault;
  for (const bool is_whole : {false, true}) {
    const bool is_read = is_whole ? reader_.ReadWhole(line, &request, &fault) : reader_.Read(line, &request, &fault);
    if (!is_read && is_whole) return AddBroken(number, std::move(fault));
    if (!is_read) continue;
    if (request.lack == RecordedRequest::Lack::kParts && (!options_.includes_partial || request.scope.is_null())) {
      ++counts_.partial;
      return;
    }
    if (Answer(request, is_whole)) break;
  }
  if (!differences_.empty()) FindDeciders(line, &request);
  Count(request, line, number);
}

// Answers to all that is compared, into runs_ and differences_. False where something fails and more can be read.
bool RequestDiff::Answer(const RecordedRequest& request, bool is_whole) {
  runs_.clear();
  differences_.clear();
  failed_ = limit_ = false;
  heap_.Reset();
  before_.BindAll(request.scope);
  after_.BindAll(request.scope);
  if (options_.form == RequestForm::kScopes) {
    for (size_t n = 0; n < entries_.both.size(); ++n) {
      if (!AnswerEntry(n, /*is_first=*/n == 0, is_whole)) return false;
    }
    return true;
  }
  const size_t n = FindPair(request.path);
  return n == entries_.both.size() || AnswerEntry(n, /*is_first=*/true, is_whole);
}

// The number of what a path of a log names; that behind the last where it is not compared. A log has few paths, and
// finding an entry takes time that is linear in the program.
size_t RequestDiff::FindPair(std::string_view path) {
  const auto known = logged_.find(path);
  if (known != logged_.end()) return known->second;
  const Entry* const entry = FindLoggedEntry(after_.program(), path, options_.log_module);
  const auto found = std::find_if(entries_.both.begin(), entries_.both.end(), [&](const ComparedEntries::Pair& pair) {
    return entry != nullptr && pair.after == entry;
  });
  const size_t n = static_cast<size_t>(found - entries_.both.begin());
  if (logged_.size() < kMaxLoggedPaths) logged_.emplace(path, n);
  return n;
}

bool RequestDiff::AnswerEntry(size_t n, bool is_first, bool is_whole) {
  Run run = {n, {}, {}};
  const ComparedEntries::Pair& pair = entries_.both[n];
  // What runs first brings the request into the caches, so that the versions take turns.
  after_is_first_ = !after_is_first_;
  const auto evaluate_after = [&] { return &Evaluate(&after_, *pair.after, is_first, &run.after); };
  const auto evaluate_before = [&] { return &Evaluate(&before_, *pair.before, is_first, &run.before); };
  const Evaluation* const first = after_is_first_ ? evaluate_after() : evaluate_before();
  const Evaluation* const second = after_is_first_ ? evaluate_before() : evaluate_after();
  const Evaluation& before = after_is_first_ ? *second : *first;
  const Evaluation& after = after_is_first_ ? *first : *second;
  const bool failed = !before.ok() || !after.ok();
  if (failed && !is_whole) return false;
  failed_ |= failed;
  limit_ |= before.diagnostics().has_limit() || after.diagnostics().has_limit();
  runs_.push_back(run);
  Compare(n, before, after);
  return true;
}

const Evaluation& RequestDiff::Evaluate(Evaluator* evaluator, const Entry& entry, bool is_first,
                                        EntryCounts::Cost* cost) {
  const auto start = std::chrono::steady_clock::now();
  const Evaluation& evaluation = is_first ? evaluator->Run(entry) : evaluator->RunAnother(entry.chunk);
  cost->time = std::chrono::steady_clock::now() - start;
  cost->fuel = options_.limits.max_fuel - evaluation.fuel_left();
  return evaluation;
}

void RequestDiff::Compare(size_t entry, const Evaluation& before, const Evaluation& after) {
  if (before.ok() && after.ok()) return CompareValues(entry, before, after);
  const Diagnostic* const old_error = before.ok() ? nullptr : &before.diagnostics().kept()[0];
  const Diagnostic* const new_error = after.ok() ? nullptr : &after.diagnostics().kept()[0];
  if (old_error != nullptr && new_error != nullptr && old_error->code == new_error->code) {
    runs_.back().same_error = true;
    return;
  }
  const AnswerChange change = before.ok()  ? AnswerChange::kFailsNow
                              : after.ok() ? AnswerChange::kFailsNoLonger
                                           : AnswerChange::kOtherError;
  Difference difference = {entry, {change, "", "", "", ""}, "", ""};
  const auto describe = [&](const Evaluation& evaluation, const Diagnostic* error, Evaluator* evaluator,
                            std::string* key, std::string* text) {
    if (error != nullptr) {
      *key = ErrorKey(*error);
      *text = ErrorText(*error, evaluator->program().source());
      return;
    }
    const Value shown = Shown(evaluation, evaluator);
    const Value* const decider = Decider(shown);
    *text = ShortText(shown, &heap_, options_.show_sensitive);
    *key = decider != nullptr ? std::string(decider->AsString()) : shown.is_mapping() ? "value" : KeyText(*text);
  };
  describe(before, old_error, &before_, &difference.key.before, &difference.before);
  describe(after, new_error, &after_, &difference.key.after, &difference.after);
  differences_.push_back(std::move(difference));
}

// What has no form in JSON, as an unknown value, is compared as people see it.
void RequestDiff::CompareValues(size_t entry, const Evaluation& before, const Evaluation& after) {
  // Most answers are the same, and texts take longer.
  if (IsSameValue(before.value(), after.value())) return;
  const auto write = [this](const Value& value, std::string* text) {
    text->clear();
    JsonError error;
    if (!AppendJson(value, options_.limits, text, &error)) *text = ShortText(value, &heap_, /*show_sensitive=*/true);
  };
  write(before.value(), &text_before_);
  write(after.value(), &text_after_);
  if (text_before_ == text_after_) return;
  const Value old_value = Shown(before, &before_);
  const Value new_value = Shown(after, &after_);
  Difference difference = {entry, {AnswerChange::kValue, "", "", "", ""}, "", ""};
  difference.before = Excerpt(ShortText(old_value, &heap_, options_.show_sensitive), kMaxExampleBytes);
  difference.after = Excerpt(ShortText(new_value, &heap_, options_.show_sensitive), kMaxExampleBytes);
  std::string& old_key = difference.key.before;
  std::string& new_key = difference.key.after;
  const Value* const old_decider = Decider(old_value);
  const Value* const new_decider = Decider(new_value);
  if (old_decider != nullptr && new_decider != nullptr) {
    old_key = Excerpt(old_decider->AsString(), kMaxKeyBytes);
    new_key = Excerpt(new_decider->AsString(), kMaxKeyBytes);
  }
  if (old_key == new_key) {
    if (!old_key.empty()) old_key = new_key += ": ";
    AppendParts(old_value, new_value, &old_key, &new_key);
  }
  differences_.push_back(std::move(difference));
}

// The parts that differ, as `.user.roles[0] = "admin"`; both are one value where nothing differs that may be seen.
void RequestDiff::AppendParts(const Value& before, const Value& after, std::string* old_key, std::string* new_key) {
  DiffOptions options;
  options.max_differences = kMaxPaths;
  options.show_sensitive = options_.show_sensitive;
  const ValueDifferences parts = DiffValues(before, after, options, &heap_);
  const char* separator = "";
  for (const ValueDifference& part : parts.kept) {
    const std::string place = part.path.empty() ? "" : absl::StrCat(part.path, " = ");
    absl::StrAppend(old_key, separator, place, KeyText(part.wanted));
    absl::StrAppend(new_key, separator, place, KeyText(part.got));
    separator = ", ";
  }
  if (parts.empty()) {
    old_key->append(kSensitiveText);
    new_key->append(kSensitiveText);
  }
  if (parts.count > parts.kept.size()) new_key->append(", ...");
}

// The recording programs may read more than those that were compared, so that the line is read as a whole, into
// *request. One that is wrong elsewhere has no deciders.
void RequestDiff::FindDeciders(std::string_view line, RecordedRequest* request) {
  if (old_version_.recording == nullptr || new_version_.recording == nullptr) return;
  if (!old_deciders_) {
    old_deciders_.emplace(old_version_.recording, options_.limits, old_version_.recording_base);
    new_deciders_.emplace(new_version_.recording, options_.limits, new_version_.recording_base);
  }
  RecordedRequest whole;
  std::string fault;
  if (!reader_.ReadWhole(line, &whole, &fault)) return;
  *request = whole;
  for (Difference& difference : differences_) {
    EntryCounts::Key& key = difference.key;
    const std::string& path = entries_.both[difference.entry].path;
    const bool failed = key.change == AnswerChange::kOtherError;
    key.decided_before = old_deciders_->Find(whole.scope, path, !failed && key.change != AnswerChange::kFailsNoLonger);
    key.decided_after = new_deciders_->Find(whole.scope, path, !failed && key.change != AnswerChange::kFailsNow);
  }
}

Value RequestDiff::Shown(const Evaluation& evaluation, Evaluator* evaluator) const {
  if (options_.show_sensitive) return evaluation.value();
  std::vector<std::string> erased;
  return HideSensitive(evaluation.marked_value(), SensitiveForm::kText, evaluator->heap(), &erased);
}

// A decision of which whole variables were left out is one for both versions if neither needs them.
void RequestDiff::Count(const RecordedRequest& request, std::string_view line, uint64_t number) {
  if (runs_.empty()) {
    ++counts_.other;
    return;
  }
  if (failed_ && request.lack == RecordedRequest::Lack::kVariables) {
    ++counts_.partial;
    return;
  }
  ++counts_.requests;
  counts_.differing += differences_.empty() ? 0 : 1;
  counts_.limit |= limit_;
  for (const Run& run : runs_) {
    EntryCounts& entry = counts_.entries[run.entry];
    ++entry.answers;
    entry.same_error += run.same_error ? 1 : 0;
    entry.before.fuel += run.before.fuel;
    entry.before.time += run.before.time;
    entry.after.fuel += run.after.fuel;
    entry.after.time += run.after.time;
  }
  for (Difference& difference : differences_) {
    EntryCounts& entry = counts_.entries[difference.entry];
    if (entry.groups.size() >= kMaxGroups && entry.groups.count(difference.key) == 0) {
      difference.key = {difference.key.change, std::string(kOthers), std::string(kOthers), "", ""};
    }
    DiffGroup& group = entry.groups[difference.key];
    if (++group.count == 1 || number < group.line) {
      group.line = number;
      group.id = std::string(request.id);
      group.request = std::string(line.substr(0, kMaxKeptRequest));
      group.before = std::move(difference.before);
      group.after = std::move(difference.after);
    }
  }
}

}  // namespace hcl::internal

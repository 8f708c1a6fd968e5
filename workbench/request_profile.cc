// RequestProfile. Tested by workbench/request_profile_test.cc.

#include "hclvm/workbench/request_profile.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <thread>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/origin_table.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/run_observer.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/workbench/source_line.h"

namespace hcl::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kBetweenSamples{200};
constexpr uint32_t kNowhere = std::numeric_limits<uint32_t>::max();
constexpr size_t kMaxTextBytes = 80;
constexpr size_t kMaxFrames = 20'000;  // of a flame graph

// Tells another thread where the run is.
class Position : public RunObserver {
 public:
  void Next(uint32_t pc, uint64_t, uint64_t, const void*, const Value*) override {
    pc_.store(pc, std::memory_order_relaxed);
  }
  void Leave() { pc_.store(kNowhere, std::memory_order_relaxed); }
  uint32_t Get() const { return pc_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint32_t> pc_{kNowhere};
};

std::string TextOf(const CodeOrigin& origin) {
  const std::string_view text = origin.source->text().substr(origin.range.begin, origin.range.end - origin.range.begin);
  return Excerpt(OneLine(text.substr(0, 4 * kMaxTextBytes)), kMaxTextBytes);
}

ProfileReport::Place PlaceOf(const CodeOrigin& origin) {
  return {std::string(origin.source->name()), origin.source->LineAt(origin.range.begin), TextOf(origin)};
}

bool Holds(const SourceRange& outer, const SourceRange& inner) {
  return outer.begin <= inner.begin && inner.end <= outer.end;
}

uint64_t SumUp(ProfileReport::Frame* frame) {
  frame->fuel = frame->own_fuel;
  for (ProfileReport::Frame& one : frame->frames) frame->fuel += SumUp(&one);
  return frame->fuel;
}

}  // namespace

RequestProfile::RequestProfile(std::shared_ptr<const Program> program, std::vector<const Entry*> entries,
                               const ProfileOptions& options)
    : program_(std::move(program)),
      entries_(std::move(entries)),
      options_(options),
      reader_(options.form, NeededBy(program_, entries_, options.base.get()), program_->dialect(), options.limits),
      heap_(nullptr, program_->dialect(), options.limits),
      counter_(*program_),
      observed_(program_, options.limits),
      plain_(program_, options.limits) {
  for (Evaluator* evaluator : {&observed_, &plain_}) {
    evaluator->set_unknown_input(UnknownInput::kIgnore);
    evaluator->BindBase(options.base);
  }
  ObserveRuns(&observed_, &counter_);
}

void RequestProfile::Add(std::string_view line, uint64_t number, bool is_cut) {
  if (full()) return;
  RecordedRequest request;
  if (!reader_.ReadOrNote(line, number, is_cut, &request, &broken_)) return;
  if (request.lack == RecordedRequest::Lack::kParts) return;
  const Value scope = Clone(request.scope, heap_.arena(), heap_.types());
  const Entry* logged = nullptr;
  if (options_.form == RequestForm::kLog) {
    logged = FindLoggedEntry(*program_, request.path, options_.log_module);
    if (std::find(entries_.begin(), entries_.end(), logged) == entries_.end()) return;
  }
  scopes_.push_back({scope, logged});
  for (const Entry* entry : entries_) {
    if (logged == nullptr || entry == logged) Evaluate(scope, *entry, number, request.id);
  }
}

// Time is that of the second run, whose memory and caches are as those of later runs.
void RequestProfile::Evaluate(const Value& scope, const Entry& entry, uint64_t number, std::string_view id) {
  ProfileReport::Request request;
  request.line = number;
  request.id = std::string(id);
  request.entry = std::string(entry.path);
  for (int n = 0; n < 2; ++n) {
    const Clock::time_point start = Clock::now();
    plain_.BindAll(scope);
    plain_.Run(entry);
    request.ns = static_cast<double>(std::chrono::nanoseconds(Clock::now() - start).count());
  }
  const uint64_t exits = counter_.exit_count();
  observed_.BindAll(scope);
  counter_.BeginRun();
  const Evaluation& evaluation = observed_.Run(entry);
  counter_.EndRun(evaluation.fuel_left());
  request.fuel = options_.limits.max_fuel - evaluation.fuel_left();
  request.exits = counter_.exit_count() - exits;
  request.failed = !evaluation.ok();
  ++report_.evaluations;
  report_.failed += request.failed ? 1 : 0;
  report_.limited += request.failed && evaluation.diagnostics().has_limit() ? 1 : 0;
  report_.fuel += request.fuel;
  Keep(std::move(request));
}

void RequestProfile::Keep(ProfileReport::Request request) {
  std::vector<ProfileReport::Request>& kept = report_.expensive;
  const auto is_more = [](const ProfileReport::Request& a, const ProfileReport::Request& b) { return a.fuel > b.fuel; };
  if (kept.size() >= options_.max_expensive && (kept.empty() || !is_more(request, kept.back()))) return;
  kept.insert(std::upper_bound(kept.begin(), kept.end(), request, is_more), std::move(request));
  if (kept.size() > options_.max_expensive) kept.pop_back();
}

// How often the run was at each instruction when the other thread looked.
std::vector<uint64_t> RequestProfile::Sample(ProfileReport* report) {
  std::vector<uint64_t> samples(counter_.counts().size());
  if (scopes_.empty() || options_.time.count() == 0) return samples;
  Position position;
  std::atomic<bool> done{false};
  uint64_t all = 0;
  uint64_t outside = 0;
  const auto look = [&] {
    while (!done.load(std::memory_order_relaxed)) {
      std::this_thread::sleep_for(kBetweenSamples);
      const uint32_t pc = position.Get();
      ++all;
      pc < samples.size() ? ++samples[pc] : ++outside;
    }
  };
  std::thread looker;
#if defined(__cpp_exceptions)
  try {
    looker = std::thread(look);
  } catch (const std::system_error&) {
    return samples;  // without times
  }
#else
  looker = std::thread(look);
#endif
  ObserveRuns(&observed_, &position);
  const Clock::time_point end = Clock::now() + options_.time;
  while (Clock::now() < end) {
    for (const Scope& scope : scopes_) {
      for (const Entry* entry : entries_) {
        if (scope.entry != nullptr && entry != scope.entry) continue;
        observed_.BindAll(scope.value);
        observed_.Run(*entry);
        position.Leave();
      }
      if (Clock::now() >= end) break;
    }
  }
  done.store(true, std::memory_order_relaxed);
  looker.join();
  ObserveRuns(&observed_, &counter_);
  report->samples = all;
  report->samples_outside = outside;
  return samples;
}

ProfileReport RequestProfile::Finish() {
  ProfileReport report = report_;
  const std::vector<uint64_t> samples = Sample(&report);
  AddLines(samples, &report);
  AddExits(&report);
  AddLocals(&report);
  AddFrames(&report);
  return report;
}

void RequestProfile::AddLines(const std::vector<uint64_t>& samples, ProfileReport* report) const {
  const OriginTable& origins = *TablesOf(*program_).origins();
  std::map<std::pair<std::string_view, uint32_t>, ProfileReport::Line> lines;
  for (uint32_t pc = 0; pc < counter_.counts().size(); ++pc) {
    const RunCounter::Count& count = counter_.counts()[pc];
    const CodeOrigin origin = origins.Find(pc);
    if ((count.runs == 0 && samples[pc] == 0) || origin.source == nullptr) continue;
    const uint32_t number = origin.source->LineAt(origin.range.begin);
    ProfileReport::Line& line = lines[{origin.source->name(), number}];
    if (line.place.line == 0) {
      line.place = {std::string(origin.source->name()), number,
                    Excerpt(OneLine(origin.source->Line(number)), kMaxTextBytes)};
    }
    line.runs = std::max(line.runs, count.runs);
    line.fuel += count.fuel;
    line.samples += samples[pc];
  }
  for (auto& [key, line] : lines) report->lines.push_back(std::move(line));
  std::stable_sort(report->lines.begin(), report->lines.end(),
                   [](const ProfileReport::Line& a, const ProfileReport::Line& b) { return a.fuel > b.fuel; });
}

// Instructions of one expression are one.
void RequestProfile::AddExits(ProfileReport* report) const {
  const OriginTable& origins = *TablesOf(*program_).origins();
  std::map<std::tuple<std::string_view, uint32_t, uint32_t>, std::pair<CodeOrigin, RunCounter::Causes>> expressions;
  for (const auto& [pc, causes] : counter_.exits()) {
    const CodeOrigin origin = origins.Find(pc);
    if (origin.source == nullptr) continue;
    auto& [place, all] = expressions[{origin.source->name(), origin.range.begin, origin.range.end}];
    place = origin;
    for (const auto& [cause, count] : causes) all[cause] += count;
  }
  for (const auto& [key, expression] : expressions) {
    ProfileReport::Exit& exit = report->exits.emplace_back();
    exit.place = PlaceOf(expression.first);
    for (const auto& [cause, count] : expression.second) {
      exit.count += count;
      exit.causes.emplace_back(cause, count);
    }
    std::stable_sort(exit.causes.begin(), exit.causes.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  }
  std::stable_sort(report->exits.begin(), report->exits.end(),
                   [](const ProfileReport::Exit& a, const ProfileReport::Exit& b) { return a.count > b.count; });
}

void RequestProfile::AddLocals(ProfileReport* report) const {
  const ModuleTables* const module = TablesOf(*program_).module();
  if (module == nullptr) return;
  const OriginTable& origins = *TablesOf(*program_).origins();
  std::map<const Source*, std::vector<SourceRange>> read;
  for (uint32_t pc = 0; pc < counter_.counts().size(); ++pc) {
    const CodeOrigin origin = origins.Find(pc);
    if (counter_.counts()[pc].runs == 0 || origin.source == nullptr) continue;
    std::vector<SourceRange>& ranges = read[origin.source];
    if (ranges.empty() || !(ranges.back() == origin.range)) ranges.push_back(origin.range);
  }
  // Of those that have code: what is constant is made when the module is compiled.
  for (const ModuleLocal& local : module->locals) {
    const auto text = std::find_if(module->local_texts.begin(), module->local_texts.end(),
                                   [&](const ModuleLocalText& one) { return one.name == local.name; });
    if (text == module->local_texts.end()) continue;
    const std::vector<SourceRange>& ranges = read[text->source];
    const bool is_read =
        std::any_of(ranges.begin(), ranges.end(), [&](const SourceRange& range) { return Holds(text->range, range); });
    if (!is_read) {
      report->unread_locals.push_back({std::string(text->source->name()), text->source->LineAt(text->range.begin),
                                       absl::StrCat("local.", local.name)});
    }
  }
}

// Ranges of expressions nest, so that sorted ones are a tree.
void RequestProfile::AddFrames(ProfileReport* report) const {
  const ProgramTables& tables = TablesOf(*program_);
  const OriginTable& origins = *tables.origins();
  std::map<uint32_t, std::string> names;
  for (const Entry& entry : program_->entries()) names[entry.chunk] = std::string(entry.path);
  if (tables.module() != nullptr) {
    for (const ModuleLocal& local : tables.module()->locals) names[local.chunk] = absl::StrCat("local.", local.name);
  }
  size_t made = 0;
  for (uint32_t chunk = 0; chunk < tables.chunks().size(); ++chunk) {
    const auto name = names.find(chunk);
    // The largest range first, where several begin at one place.
    std::map<std::tuple<std::string_view, uint32_t, int64_t>, std::pair<CodeOrigin, uint64_t>> parts;
    ProfileReport::Frame root;
    root.name = name == names.end() ? "(other)" : name->second;
    for (uint32_t pc = tables.chunks()[chunk].begin; pc < tables.chunks()[chunk].end; ++pc) {
      const uint64_t fuel = counter_.counts()[pc].fuel;
      if (fuel == 0) continue;
      const CodeOrigin origin = origins.Find(pc);
      if (origin.source == nullptr || ++made > kMaxFrames) {
        root.own_fuel += fuel;
        continue;
      }
      auto& [place, all] = parts[{origin.source->name(), origin.range.begin, -static_cast<int64_t>(origin.range.end)}];
      place = origin;
      all += fuel;
    }
    std::vector<std::pair<CodeOrigin, ProfileReport::Frame*>> open;
    for (const auto& [key, part] : parts) {
      const CodeOrigin& origin = part.first;
      while (!open.empty() &&
             (open.back().first.source != origin.source || !Holds(open.back().first.range, origin.range))) {
        open.pop_back();
      }
      ProfileReport::Frame* const parent = open.empty() ? &root : open.back().second;
      ProfileReport::Frame& frame = parent->frames.emplace_back();
      frame.name = absl::StrCat(origin.source->LineAt(origin.range.begin), ": ", TextOf(origin));
      frame.own_fuel = part.second;
      open.emplace_back(origin, &frame);
    }
    if (SumUp(&root) > 0) report->roots.push_back(std::move(root));
  }
  std::stable_sort(report->roots.begin(), report->roots.end(),
                   [](const ProfileReport::Frame& a, const ProfileReport::Frame& b) { return a.fuel > b.fuel; });
}

}  // namespace hcl::internal

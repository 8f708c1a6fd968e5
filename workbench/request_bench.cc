// RequestBench. Tested by workbench/request_bench_test.cc.

#include "hclvm/workbench/request_bench.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSampleTime{5};
constexpr size_t kMinSamples = 5;
constexpr uint32_t kMaxPasses = 1 << 20;
constexpr size_t kRequestsAtOnce = 32;
constexpr int kTurns = 8;

// Nanoseconds that this thread has run: others that take its processor do not count, where the system says so.
double ThreadNanoseconds() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0) {
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
  }
#endif
  return static_cast<double>(std::chrono::nanoseconds(Clock::now().time_since_epoch()).count());
}

// A policy that is the same in all runs: what else runs on a machine costs it as much as it costs others. On a core
// that is shared, evaluations take twice their time, and other work, such as arithmetic, much less than that.
constexpr std::string_view kReference = R"({
  table = [for r in [
    { id = "a", when = user.level > 7 && user.name != "ann" },
    { id = "b", when = user.groups[1] == "ops" || user.level < 0 },
    { id = "c", when = user.mfa ? user.level >= 3 : false },
    { id = "d", when = true },
  ] : "${r.id}: ${user.name}" if r.when][0]
  some = [for g in user.groups : "${g}/${user.level}" if g != "dev"]
  sum  = (user.level * 3 + 4) % 5 == 2 ? "two" : user.mfa ? "mfa" : "none"
})";
constexpr std::string_view kReferenceScope =
    R"({"user":{"name":"eve","level":4,"mfa":true,"groups":["dev","it","hr"]}})";
constexpr int kReferenceRuns = 1000;

class Reference {
 public:
  Reference() {
    Diagnostics diagnostics;
    const auto source = std::make_shared<const Source>("<reference>", std::string(kReference));
    evaluator_ = std::make_unique<Evaluator>(CompileExpression(source, CompileOptions(), &diagnostics));
    JsonReader reader;
    JsonError error;
    Value scope;
    reader.Read(kReferenceScope, &heap_, &scope, &error);
    scope_ = scope;
  }

  // Nanoseconds of one evaluation.
  double Sample() {
    const double start = ThreadNanoseconds();
    for (int n = 0; n < kReferenceRuns; ++n) {
      evaluator_->BindAll(scope_);
      evaluator_->Run();
    }
    return (ThreadNanoseconds() - start) / kReferenceRuns;
  }

 private:
  Heap heap_;
  Value scope_;
  std::unique_ptr<Evaluator> evaluator_;
};

// The value below which `share` of the sorted samples are.
double Quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const double at = share * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - static_cast<double>(below));
}

}  // namespace

RequestBench::RequestBench(std::shared_ptr<const Program> program, const std::vector<const Entry*>& entries,
                           const BenchOptions& options)
    : program_(std::move(program)),
      options_(options),
      reader_(options.form, NeededBy(program_, entries, options.base.get()), program_->dialect(), options.limits),
      heap_(nullptr, program_->dialect(), options.limits),
      evaluator_(program_, options.limits) {
  evaluator_.set_unknown_input(UnknownInput::kIgnore);
  evaluator_.BindBase(options.base);
  for (const Entry* entry : entries) {
    Measured& measured = entries_.emplace_back();
    measured.entry = entry;
    measured.report.entry = std::string(entry->path);
  }
}

void RequestBench::Add(std::string_view line, uint64_t number, bool is_cut) {
  if (full()) return;
  RecordedRequest request;
  if (!reader_.ReadOrNote(line, number, is_cut, &request, &broken_)) return;
  if (request.lack == RecordedRequest::Lack::kParts) return;
  const uint32_t index = static_cast<uint32_t>(scopes_.size());
  const Entry* const logged =
      options_.form == RequestForm::kLog ? FindLoggedEntry(*program_, request.path, options_.log_module) : nullptr;
  bool is_used = false;
  for (Measured& measured : entries_) {
    if (options_.form == RequestForm::kLog && measured.entry != logged) continue;
    measured.requests.push_back(index);
    is_used = true;
  }
  if (is_used) scopes_.push_back(Clone(request.scope, heap_.arena(), heap_.types()));
}

// Nanoseconds of one evaluation. A few requests take turns before others do, so that their values are in the caches, as
// they are where they were read a moment before, and branches do not go the same way each time.
double RequestBench::Sample(const Entry& entry, const std::vector<uint32_t>& requests, uint32_t passes) {
  const double start = ThreadNanoseconds();
  for (uint32_t pass = 0; pass < passes; ++pass) {
    for (size_t begin = 0; begin < requests.size(); begin += kRequestsAtOnce) {
      const size_t end = std::min(begin + kRequestsAtOnce, requests.size());
      for (int turn = 0; turn < kTurns; ++turn) {
        for (size_t n = begin; n < end; ++n) {
          evaluator_.BindAll(scopes_[requests[n]]);
          evaluator_.Run(entry);
        }
      }
    }
  }
  return (ThreadNanoseconds() - start) / (kTurns * static_cast<double>(passes) * static_cast<double>(requests.size()));
}

// What does not vary is taken once memory is as large as runs need, and how many passes a sample takes.
void RequestBench::Begin(Measured* measured) {
  const double count = static_cast<double>(measured->requests.size());
  EntryBench& report = measured->report;
  report.requests = measured->requests.size();
  double ns = Sample(*measured->entry, measured->requests, /*passes=*/1);
  uint64_t fuel = 0;
  for (const uint32_t request : measured->requests) {
    evaluator_.BindAll(scopes_[request]);
    const Evaluation& evaluation = evaluator_.Run(*measured->entry);
    report.failed += evaluation.ok() ? 0 : 1;
    report.limited += !evaluation.ok() && evaluation.diagnostics().has_limit() ? 1 : 0;
    fuel += options_.limits.max_fuel - evaluation.fuel_left();
  }
  report.fuel = static_cast<double>(fuel) / count;
  const uint64_t before = options_.allocations ? options_.allocations() : 0;
  ns = std::min(ns, Sample(*measured->entry, measured->requests, /*passes=*/1));
  report.allocations =
      options_.allocations ? static_cast<double>(options_.allocations() - before) / (kTurns * count) : -1;
  const double pass_ns = std::max(ns * count * kTurns, 1.0);
  const double wanted = static_cast<double>(std::chrono::nanoseconds(kSampleTime).count()) / pass_ns;
  measured->passes = static_cast<uint32_t>(std::clamp(wanted, 1.0, static_cast<double>(kMaxPasses)));
}

BenchReport RequestBench::Measure() {
  std::vector<Measured*> all;
  for (Measured& measured : entries_) {
    if (!measured.requests.empty()) all.push_back(&measured);
  }
  std::vector<double> reference_samples;
  Reference reference;
  for (Measured* measured : all) Begin(measured);
  const Clock::time_point end = Clock::now() + options_.time * all.size();
  for (size_t round = 0; !all.empty() && (round < kMinSamples || Clock::now() < end); ++round) {
    reference_samples.push_back(reference.Sample());
    for (Measured* measured : all) {
      measured->samples.push_back(Sample(*measured->entry, measured->requests, measured->passes));
    }
  }
  BenchReport report;
  std::sort(reference_samples.begin(), reference_samples.end());
  report.reference_ns = Quantile(reference_samples, 0.5);
  for (Measured* measured : all) {
    std::sort(measured->samples.begin(), measured->samples.end());
    EntryBench entry = measured->report;
    entry.samples = measured->samples.size();
    entry.ns = Quantile(measured->samples, 0.5);
    entry.ns_min = measured->samples.front();
    entry.ns_low = Quantile(measured->samples, 0.25);
    entry.ns_high = Quantile(measured->samples, 0.75);
    report.entries.push_back(std::move(entry));
    measured->samples.clear();
  }
  return report;
}

BenchChange CompareBench(const BenchReport& before, const EntryBench& old_entry, const BenchReport& after,
                         const EntryBench& new_entry) {
  const double speed = before.reference_ns > 0 && after.reference_ns > 0 ? after.reference_ns / before.reference_ns : 1;
  const double least = 1 + std::max(0.1, std::abs(speed - 1) / 2);
  bool is_slower = true;
  bool is_faster = true;
  for (const double scale : {1.0, speed}) {  // of what the old run would have measured on this machine now
    is_slower &= new_entry.ns_low > old_entry.ns_high * scale && new_entry.ns_min >= old_entry.ns_min * scale * least;
    is_faster &= new_entry.ns_high < old_entry.ns_low * scale && new_entry.ns_min * least <= old_entry.ns_min * scale;
  }
  return is_slower ? BenchChange::kSlower : is_faster ? BenchChange::kFaster : BenchChange::kSame;
}

}  // namespace hcl::internal

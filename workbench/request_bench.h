// RequestBench: what one evaluation of each entry costs, over recorded requests.
//
//   RequestBench bench(program, entries, options);
//   for (each line) bench.Add(line, number, is_cut);
//   BenchReport report = bench.Measure();
//
// Internal to the workbench. Tested by workbench/request_bench_test.cc.

#ifndef HCLVM_WORKBENCH_REQUEST_BENCH_H_
#define HCLVM_WORKBENCH_REQUEST_BENCH_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::internal {

struct BenchOptions {
  Limits limits;
  RequestForm form = RequestForm::kScopes;
  std::string log_module;                 // FindLoggedEntry()
  std::shared_ptr<const BaseLayer> base;  // below the requests; null: nothing
  std::chrono::milliseconds time{500};    // for each entry; it is measured once in any case
  size_t max_requests = 10'000;           // the first ones; the rest is not kept
  std::function<uint64_t()> allocations;  // of this thread so far; empty: not known
};

// One entry. Times are nanoseconds of an evaluation: binding the values of a request, which are in memory, and the run.
struct EntryBench {
  std::string entry;
  uint64_t requests = 0;
  uint64_t failed = 0;   // evaluations of one pass over the requests
  uint64_t limited = 0;  // those of them that have reached a limit
  // Of samples, each of which is the mean of at least one pass over the requests.
  size_t samples = 0;
  double ns = 0;      // the median
  double ns_min = 0;  // the fastest
  double ns_low = 0;  // the middle half of the samples
  double ns_high = 0;
  double fuel = 0;         // mean
  double allocations = 0;  // mean, of calls of operator new; negative: not known
};

struct BenchReport {
  // An evaluation that is the same in all runs, measured between the samples: how fast the machine was. The median.
  double reference_ns = 0;
  std::vector<EntryBench> entries;
};

// Belongs to one thread.
class RequestBench {
 public:
  RequestBench(std::shared_ptr<const Program> program, const std::vector<const Entry*>& entries,
               const BenchOptions& options);

  // Keeps a request, as ForEachLine() gives it.
  void Add(std::string_view line, uint64_t number, bool is_cut);
  // Whether it keeps as many requests as it may.
  bool full() const { return scopes_.size() >= options_.max_requests; }
  // The lines so far that were no requests.
  const BrokenLines& broken() const { return broken_; }

  // The entries that have requests. Samples of entries take turns, so that what the machine does besides is shared.
  BenchReport Measure();

 private:
  struct Measured {
    const Entry* entry;
    std::vector<uint32_t> requests;  // indices of scopes_
    std::vector<double> samples;
    uint32_t passes = 1;  // over the requests, in one sample
    EntryBench report;
  };

  double Sample(const Entry& entry, const std::vector<uint32_t>& requests, uint32_t passes);
  void Begin(Measured* measured);

  const std::shared_ptr<const Program> program_;
  const BenchOptions options_;
  RequestReader reader_;
  Heap heap_;  // of the scopes
  Evaluator evaluator_;
  std::vector<Value> scopes_;
  std::vector<Measured> entries_;
  BrokenLines broken_;
};

// How an entry has changed since another run.
enum class BenchChange : uint8_t { kSame, kFaster, kSlower };

// kSame unless the middle halves of the samples are apart, and the fastest samples differ by 10 % and more, both as
// they are and in terms of the reference: what else runs on a machine only ever adds time. Where the reference has
// changed by more than 20 %, half of that change takes the place of the 10 %, as not all evaluations suffer alike.
BenchChange CompareBench(const BenchReport& before, const EntryBench& old_entry, const BenchReport& after,
                         const EntryBench& new_entry);

// One object, in one line; and the same read. False where the text is none.
std::string BenchJson(const BenchReport& report);
bool ReadBenchJson(std::string_view json, BenchReport* report);

// A table for people; with `before`, also how it was then. *slower: entries that are slower.
std::string BenchText(const BenchReport& report, const BenchReport* before, size_t* slower);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_REQUEST_BENCH_H_

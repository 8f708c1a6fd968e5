// Measures what takes the most time to read for a byte of JSON text:
//
//   bazel run -c opt //bench:worst_reading [-- MEGABYTES [NAME]]
//
// It reads families of texts, each of so many megabytes (default 4), in a new heap and in one that is used again, and
// prints the families by nanoseconds of processor time for a byte, the worst first. Exit status 1 when one takes more
// than the 20 ns that docs/limits.md promises for a machine of today; a busy machine takes longer.

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "hclvm/base/limits.h"
#include "hclvm/bench/json_families.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

constexpr double kAllowedNs = 20;
constexpr int kRuns = 3;

double CpuSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

struct Row {
  double first_ns = 0;  // for a byte, with a reader and a heap that are new
  double later_ns = 0;
  std::string name;
  double worst() const { return std::max(first_ns, later_ns); }
};

double ReadOnce(const std::string& text, JsonReader* reader, Heap* heap) {
  Value value;
  JsonError error;
  const double begin = CpuSeconds();
  const bool ok = reader->Read(text, heap, &value, &error);
  heap->Reset();
  const double ns = (CpuSeconds() - begin) * 1e9 / static_cast<double>(text.size());
  if (!ok) std::fprintf(stderr, "%s: %s\n", error.summary.c_str(), error.detail.c_str()), std::abort();
  return ns;
}

// The best of some runs: what else runs on the machine only adds.
Row Measure(const JsonFamily& family, size_t bytes) {
  const std::string text = family.Text(bytes);
  Row row{1e9, 1e9, family.name};
  Limits limits;
  limits.max_result_bytes = UINT64_MAX;
  for (int n = 0; n < kRuns; ++n) {
    JsonReader reader;
    Heap heap(nullptr, Dialect::kSpec, limits);
    row.first_ns = std::min(row.first_ns, ReadOnce(text, &reader, &heap));
    row.later_ns = std::min(row.later_ns, ReadOnce(text, &reader, &heap));
  }
  return row;
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  using namespace hcl::bench;  // NOLINT: the benchmark's own names
  const size_t bytes = static_cast<size_t>(argc > 1 ? std::atof(argv[1]) * 1e6 : 4e6);
  std::vector<Row> rows;
  for (const JsonFamily& family : JsonFamilies()) {
    if (argc <= 2 || std::strstr(family.name, argv[2]) != nullptr) rows.push_back(Measure(family, bytes));
  }
  if (rows.empty()) return 2;
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.worst() > b.worst(); });
  std::printf("first ns  later ns  (for a byte)\n");
  for (const Row& row : rows) std::printf("%8.1f  %8.1f  %s\n", row.first_ns, row.later_ns, row.name.c_str());
  return rows[0].worst() > kAllowedNs ? 1 : 0;
}

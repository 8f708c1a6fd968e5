// Programs with their scopes, as benchmarks evaluate them; and the workloads W0..W9 and B01..B30 as such.

#ifndef HCLVM_BENCH_WORKLOAD_H_
#define HCLVM_BENCH_WORKLOAD_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {

inline constexpr int kWorkloadCount = 10;  // W0 to W9
inline constexpr int kBreadthCount = 30;   // B01 to B30, bench/breadth

// A compiled workload and its prepared scopes. Not thread-safe, not movable.
struct Workload {
  std::string name;  // "W1"
  std::shared_ptr<const Program> program;
  Heap heap;                                                    // of the scopes
  std::vector<std::vector<std::pair<uint32_t, Value>>> scopes;  // slot and value, for each variable
};

enum class SourceKind { kExpression, kConfig };

// Compiles `text` with all functions and reads each of `scopes`, the JSON of an object; ends the process with a message
// when that fails. What a scope lacks is not bound.
std::unique_ptr<Workload> MakeWorkload(const std::string& name, const std::string& text, SourceKind kind,
                                       const std::vector<std::string>& scopes);

// "W0" to "W9", then "B01" to "B30".
std::vector<std::string> WorkloadNames();

// Reads a workload from bench/inputs and bench/breadth and compiles it; ends the process with a message when that
// fails, as when there is no such workload.
std::unique_ptr<Workload> LoadWorkload(const std::string& name);

// The scopes of a workload, each as the JSON of an object.
std::vector<std::string> WorkloadScopes(const std::string& name);

// Binds scope `i`.
inline void BindScope(const Workload& workload, size_t i, Evaluator* evaluator) {
  for (const auto& [slot, value] : workload.scopes[i]) evaluator->Bind(slot, value);
}

// Evaluates each scope and compares with bench/want. The first difference, or an empty string.
std::string CheckAnswers(const Workload& workload);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_WORKLOAD_H_

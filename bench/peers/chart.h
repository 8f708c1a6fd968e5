// Measurements as a picture.
//
// Tested by bench/peers/chart_test.cc.

#ifndef HCLVM_BENCH_PEERS_CHART_H_
#define HCLVM_BENCH_PEERS_CHART_H_

#include <string>
#include <vector>

#include "hclvm/bench/peers/results.h"

namespace hcl::bench {

// An SVG of horizontal bars: for each workload one for each peer that has a median time, on a logarithmic scale.
std::string Chart(const Results& results, const std::vector<std::string>& workloads, const std::string& title);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_PEERS_CHART_H_

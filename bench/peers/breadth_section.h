// Measurements of the breadth workloads as Markdown: first who is ahead, then tables.
//
// Tested by bench/peers/breadth_section_test.cc.

#ifndef HCLVM_BENCH_PEERS_BREADTH_SECTION_H_
#define HCLVM_BENCH_PEERS_BREADTH_SECTION_H_

#include <string>
#include <vector>

#include "hclvm/bench/peers/results.h"

namespace hcl::bench {

// Those that have been measured by any peer, "B01" and so on, in order.
std::vector<std::string> MeasuredBreadth(const Results& results);

// As it stands in docs/performance.md.
std::string BreadthSection(const Results& results);

// The means in one sentence, as it stands in README.md.
std::string BreadthSummary(const Results& results);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_PEERS_BREADTH_SECTION_H_

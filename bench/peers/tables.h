// Measurements as Markdown: facts, tables and budgets.
//
// Tested by bench/peers/tables_test.cc.

#ifndef HCLVM_BENCH_PEERS_TABLES_H_
#define HCLVM_BENCH_PEERS_TABLES_H_

#include <string>
#include <vector>

#include "hclvm/bench/peers/results.h"

namespace hcl::bench {

// "W0" to "W9", and "P1", "P2".
std::vector<std::string> EvaluateWorkloads();
std::vector<std::string> ParseWorkloads();

// Peers that have measured one of the workloads, in order.
std::vector<Peer> PeersOf(const Results& results, const std::vector<std::string>& workloads);

// Three digits or more: "8.31", "47.3", "1,437,000,000".
std::string FormatNumber(double number);

// Everything, as it stands in docs/performance.md.
std::string AllTables(const Results& results);

// Replaces what stands between the lines <!-- NAME:begin --> and <!-- NAME:end -->. False if they are not there.
bool ReplaceBetween(const std::string& name, const std::string& replacement, std::string* text);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_PEERS_TABLES_H_

// Measurements as Markdown: facts, tables and budgets.
//
// Tested by bench/peers/tables_test.cc.

#ifndef HCLVM_BENCH_PEERS_TABLES_H_
#define HCLVM_BENCH_PEERS_TABLES_H_

#include <functional>
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

// What stands for a peer in a row of a table, for one workload.
using Cell = std::function<std::string(const Peer&, const std::string&)>;

// A row for each workload, a column for each peer that has measured one of them.
std::string Table(const Results& results, const std::vector<std::string>& workloads, const Cell& cell);

// Tables of times, of times divided by those of the peer `under` (`whose`: "the VM's"), and of allocations; `what` is
// what was measured.
std::string Tables(const Results& results, const std::vector<std::string>& workloads, const std::string& under,
                   const std::string& whose, const std::string& what);

// The machine, the run and the peers as a list.
std::string Facts(const Results& results);

// The workloads W0 to W9, P1 and P2 with their budgets, as they stand in docs/performance.md.
std::string PeerSection(const Results& results);

// Replaces what stands between the lines <!-- NAME:begin --> and <!-- NAME:end -->. False if they are not there.
bool ReplaceBetween(const std::string& name, const std::string& replacement, std::string* text);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_PEERS_TABLES_H_

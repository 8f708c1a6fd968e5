// Markdown of measurements. Tested by bench/peers/tables_test.cc.

#include "hclvm/bench/peers/tables.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "absl/strings/str_cat.h"

namespace hcl::bench {

// Peers are columns, and only those that have measured any of the workloads.
std::string Table(const Results& results, const std::vector<std::string>& workloads, const Cell& cell) {
  const std::vector<Peer> peers = PeersOf(results, workloads);
  std::string text = "| |";
  std::string rule = "|---|";
  for (const Peer& peer : peers) {
    text += " " + peer.label + " |";
    rule += "---:|";
  }
  text += "\n" + rule + "\n";
  for (const std::string& workload : workloads) {
    const auto title = results.titles.find(workload);
    text += "| " + workload + (title == results.titles.end() ? "" : " " + title->second) + " |";
    for (const Peer& peer : peers) text += " " + cell(peer, workload) + " |";
    text += "\n";
  }
  return text;
}

namespace {

// What stands in a cell if there is nothing to tell.
std::string Absent(const Results& results, const Peer& peer, const std::string& workload) {
  const auto found = results.series.find({peer.name, workload});
  return found != results.series.end() && found->second.wrong ? "wrong" : "-";
}

}  // namespace

std::string TimeCell(const Results& results, const Peer& peer, const std::string& workload) {
  const Series* series = results.Find(peer.name, workload);
  if (series == nullptr) return Absent(results, peer, workload);
  char spread[32];
  std::snprintf(spread, sizeof(spread), " (%.0f %%)", SpreadPercent(series->ns));
  return FormatNumber(*Median(series->ns)) + spread;
}

std::string RatioCell(const Results& results, const std::string& under, const Peer& peer, const std::string& workload) {
  const std::optional<double> ratio = results.Ratio(peer.name, under, workload);
  return ratio.has_value() ? FormatNumber(*ratio) : Absent(results, peer, workload);
}

std::string AllocationCell(const Results& results, const Peer& peer, const std::string& workload) {
  const Series* series = results.Find(peer.name, workload);
  if (series == nullptr) return Absent(results, peer, workload);
  const std::optional<double> count = Median(series->allocs);
  const std::optional<double> bytes = Median(series->bytes);
  return (count.has_value() ? FormatNumber(*count) : "?") + " / " + (bytes.has_value() ? FormatNumber(*bytes) : "?");
}

std::string Tables(const Results& results, const std::vector<std::string>& workloads, const std::string& under,
                   const std::string& whose, const std::string& what) {
  const auto time = [&](const Peer& peer, const std::string& w) { return TimeCell(results, peer, w); };
  const auto ratio = [&](const Peer& peer, const std::string& w) { return RatioCell(results, under, peer, w); };
  const auto allocation = [&](const Peer& peer, const std::string& w) { return AllocationCell(results, peer, w); };
  return "Nanoseconds for one " + what + ", median (spread):\n\n" + Table(results, workloads, time) + "\nTimes " +
         whose + " time:\n\n" + Table(results, workloads, ratio) + "\nHeap allocations / bytes of one " + what +
         ":\n\n" + Table(results, workloads, allocation);
}

std::string Facts(const Results& results) {
  std::string text;
  for (const auto& [name, fact] : results.facts) absl::StrAppend(&text, "- ", name, ": ", fact, "\n");
  for (const Peer& peer : results.peers) absl::StrAppend(&text, "- ", peer.label, ": ", peer.version, "\n");
  for (const auto& [name, why] : results.skipped) absl::StrAppend(&text, "- skipped: ", name, " (", why, ")\n");
  return text;
}

namespace {

// One line of the budgets: a figure and whether it is within bounds.
std::string BudgetRow(const std::string& what, const std::string& bound, const std::optional<double>& figure,
                      bool holds, const std::string& remark = "") {
  if (!figure.has_value()) return "| " + what + " | " + bound + " | not measured | - |\n";
  return "| " + what + " | " + bound + " | " + FormatNumber(*figure) + remark + " | " + (holds ? "yes" : "no") + " |\n";
}

// The ratios of the workloads, or none at all if one of them is missing: a mean over the others would be of something
// else.
std::vector<double> Ratios(const Results& results, const std::string& over, const std::string& under,
                           const std::vector<std::string>& workloads) {
  std::vector<double> ratios;
  for (const std::string& workload : workloads) {
    const std::optional<double> ratio = results.Ratio(over, under, workload);
    if (!ratio.has_value()) return {};
    ratios.push_back(*ratio);
  }
  return ratios;
}

// The ratio that is largest (or, with `sign` -1, smallest) and its workload. `sign` turns the comparisons around. All
// workloads beyond the bound are named, as one that is worst hides the others.
std::string ExtremeRow(const Results& results, const std::string& what, const std::string& over,
                       const std::string& under, const std::vector<std::string>& workloads, double bound, int sign) {
  const std::string bound_text = (sign > 0 ? "at most " : "at least ") + FormatNumber(bound);
  const std::vector<double> ratios = Ratios(results, over, under, workloads);
  if (ratios.empty()) return BudgetRow(what, bound_text, std::nullopt, false);
  size_t worst = 0;
  std::string failing;
  for (size_t i = 0; i < ratios.size(); ++i) {
    if (sign * ratios[i] > sign * ratios[worst]) worst = i;
    if (sign * ratios[i] > sign * bound) failing += (failing.empty() ? "" : ", ") + workloads[i];
  }
  const std::string remark = " (" + workloads[worst] + ")" + (failing.empty() ? "" : "; outside: " + failing);
  return BudgetRow(what, bound_text, ratios[worst], failing.empty(), remark);
}

// docs/performance.md has its bounds from here. A budget that was not measured does not hold, although an empty
// optional is less than any number: BudgetRow() looks at that first.
std::string Budgets(const Results& results) {
  const std::vector<std::string> all = EvaluateWorkloads();
  const std::vector<std::string> middle(all.begin() + 1, all.begin() + 9);  // W1 to W8
  const std::vector<std::string> hot = {"W1", "W3", "W4", "W7"};
  const std::optional<double> to_cpp = GeometricMean(Ratios(results, "vm", "cpp", middle));
  const std::optional<double> to_go = GeometricMean(Ratios(results, "hashicorp", "vm", middle));
  const std::optional<double> call = results.Ns("vm", "W0");
  return "| budget | bound | measured | holds |\n|---|---|---|---|\n" +
         BudgetRow("VM / C++, geometric mean of W1 to W8", "at most 3.00", to_cpp, to_cpp <= 3.0) +
         BudgetRow("hashicorp / VM, geometric mean of W1 to W8", "at least 100", to_go, to_go >= 100.0) +
         ExtremeRow(results, "hashicorp / VM, smallest of W1 to W8", "hashicorp", "vm", middle, 10, -1) +
         ExtremeRow(results, "VM / LuaJIT without JIT, largest of W0 to W9", "vm", "luajit-off", all, 1, 1) +
         ExtremeRow(results, "VM / LuaJIT, largest of W1, W3, W4, W7", "vm", "luajit", hot, 1, 1) +
         BudgetRow("W0 by the VM, ns", "at most 12.0", call, call <= 12.0);
}

}  // namespace

std::vector<std::string> EvaluateWorkloads() { return {"W0", "W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9"}; }

std::vector<std::string> ParseWorkloads() { return {"P1", "P2"}; }

// A peer with wrong answers is among them: its cells say so, where a column that is missing would not.
std::vector<Peer> PeersOf(const Results& results, const std::vector<std::string>& workloads) {
  std::vector<Peer> peers;
  for (const Peer& peer : results.peers) {
    for (const std::string& workload : workloads) {
      if (results.series.count({peer.name, workload}) == 0) continue;
      peers.push_back(peer);
      break;
    }
  }
  return peers;
}

// The limits are half a unit below the powers of ten, so that rounding does not add a digit: 9.996 is "10.0" and not
// "10.00".
std::string FormatNumber(double number) {
  if (number == 0) return "0";
  char text[64];
  const int decimals = std::fabs(number) < 9.995 ? 2 : std::fabs(number) < 99.95 ? 1 : 0;
  std::snprintf(text, sizeof(text), "%.*f", decimals, number);
  std::string digits = text;
  if (decimals > 0) return digits;
  for (size_t at = digits.size(); at > 3 + (digits[0] == '-' ? 1 : 0); at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string PeerSection(const Results& results) {
  return Facts(results) + "\n" + Tables(results, EvaluateWorkloads(), "vm", "the VM's", "evaluation") + "\n" +
         Tables(results, ParseWorkloads(), "vm", "the VM's", "parse") + "\n" + Budgets(results);
}

// The end is looked for behind the beginning, so that markers in the wrong order are no markers.
bool ReplaceBetween(const std::string& name, const std::string& replacement, std::string* text) {
  const std::string begin = "<!-- " + name + ":begin -->\n";
  const std::string end = "<!-- " + name + ":end -->";
  const size_t from = text->find(begin);
  if (from == std::string::npos) return false;
  const size_t start = from + begin.size();
  const size_t to = text->find(end, start);
  if (to == std::string::npos) return false;
  text->replace(start, to - start, "\n" + replacement + "\n");
  return true;
}

}  // namespace hcl::bench

// Who is ahead in the breadth workloads. Tested by bench/peers/breadth_section_test.cc.

#include "hclvm/bench/peers/breadth_section.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hclvm/bench/peers/tables.h"

namespace hcl::bench {
namespace {

// The VM beside one peer.
struct Comparison {
  std::string label;
  std::vector<std::pair<double, std::string>> ratios;  // VM / peer, and the workload
  double mean = 0;
  std::vector<std::string> ahead;  // where the peer takes less time
};

// A workload without a figure of either is left out, and the count of the others is said.
std::optional<Comparison> Compare(const Results& results, const Peer& peer) {
  Comparison comparison;
  comparison.label = peer.label;
  std::vector<double> ratios;
  for (const std::string& workload : MeasuredBreadth(results)) {
    const std::optional<double> ratio = results.Ratio("vm", peer.name, workload);
    if (!ratio.has_value()) continue;
    ratios.push_back(*ratio);
    comparison.ratios.emplace_back(*ratio, workload);
    if (*ratio > 1) comparison.ahead.push_back(workload);
  }
  if (ratios.empty()) return std::nullopt;
  comparison.mean = *GeometricMean(ratios);
  return comparison;
}

// The larger time over the smaller in the mean, so that it is read as "times as long".
std::string DescribeRatios(const Comparison& comparison) {
  const bool behind = comparison.mean < 1;
  std::vector<std::pair<double, std::string>> ratios = comparison.ratios;
  for (auto& [ratio, workload] : ratios) ratio = behind ? 1 / ratio : ratio;
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return absl::StrCat(behind ? comparison.label : "VM", " / ", behind ? "VM" : comparison.label, ": geometric mean ",
                      FormatNumber(behind ? 1 / comparison.mean : comparison.mean), ", from ",
                      FormatNumber(least->first), " (", least->second, ") to ", FormatNumber(most->first), " (",
                      most->second, ")");
}

std::string Describe(const Comparison& comparison) {
  const size_t ahead = comparison.ahead.size();
  const bool some = ahead > 0 && ahead < comparison.ratios.size();
  const std::string names = some ? absl::StrCat(" (", absl::StrJoin(comparison.ahead, ", "), ")") : "";
  return absl::StrCat("- ", comparison.label, " is ahead of the VM in ", ahead, " of ", comparison.ratios.size(), names,
                      ". ", DescribeRatios(comparison), ".\n");
}

std::string DescribeAllocations(const Results& results) {
  std::vector<std::string> allocating;
  size_t counted = 0;
  for (const std::string& workload : MeasuredBreadth(results)) {
    const Series* series = results.Find("vm", workload);
    const std::optional<double> count = series == nullptr ? std::nullopt : Median(series->allocs);
    if (!count.has_value()) continue;
    ++counted;
    if (*count > 0) allocating.push_back(workload);
  }
  return absl::StrCat("- The VM allocates in ", allocating.size(), " of ", counted,
                      allocating.empty() ? "" : absl::StrCat(" (", absl::StrJoin(allocating, ", "), ")"), ".\n");
}

// Those that have any figure, in the order of how far they are ahead.
std::vector<Comparison> Comparisons(const Results& results) {
  std::vector<Comparison> comparisons;
  for (const Peer& peer : results.peers) {
    if (peer.name == "vm") continue;
    const std::optional<Comparison> comparison = Compare(results, peer);
    if (comparison.has_value()) comparisons.push_back(*comparison);
  }
  std::stable_sort(comparisons.begin(), comparisons.end(),
                   [](const Comparison& a, const Comparison& b) { return a.mean > b.mean; });
  return comparisons;
}

}  // namespace

std::vector<std::string> MeasuredBreadth(const Results& results) {
  std::set<std::string> names;
  for (const auto& [key, series] : results.series) {
    if (key.second.rfind('B', 0) == 0) names.insert(key.second);
  }
  return {names.begin(), names.end()};
}

// The peer that is furthest ahead comes first: a reader who stops early has read what speaks against this VM.
std::string BreadthSection(const Results& results) {
  std::string text;
  for (const Comparison& comparison : Comparisons(results)) text += Describe(comparison);
  text += DescribeAllocations(results);
  return text + "\n" + Facts(results) + "\n" + Tables(results, MeasuredBreadth(results), "cpp", "C++'s", "evaluation");
}

std::string BreadthSummary(const Results& results) {
  std::vector<std::string> ratios;
  for (const Comparison& comparison : Comparisons(results)) {
    const bool behind = comparison.mean < 1;
    ratios.push_back(
        behind ? absl::StrCat(comparison.label, " takes ", FormatNumber(1 / comparison.mean), " times as long as hclvm")
               : absl::StrCat("hclvm takes ", FormatNumber(comparison.mean), " times as long as ", comparison.label));
  }
  return absl::StrCat("Over ", MeasuredBreadth(results).size(),
                      " policies of many kinds ([bench/breadth](bench/breadth)), in the geometric mean:\n",
                      absl::StrJoin(ratios, ";\n"), ".\n");
}

}  // namespace hcl::bench

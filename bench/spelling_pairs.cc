#include "hclvm/bench/spelling_pairs.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/bench/spelling_report.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

constexpr size_t kMostPairs = 10;
constexpr size_t kMostRows = 60;

std::string TextOf(const Value& object, const char* name) {
  const int64_t at = object.shape().Find(name);
  if (at >= 0 && object.values()[static_cast<size_t>(at)].is_string()) {
    return std::string(object.values()[static_cast<size_t>(at)].AsString());
  }
  std::fprintf(stderr, "a pair lacks %s\n", name);
  std::exit(2);
}

// Which share of `sorted`, not empty, is at most that.
double Quantile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1, static_cast<size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

std::vector<SpellingPair> ReadPairs(const std::string& path) {
  std::vector<SpellingPair> pairs;
  std::istringstream text(ReadInput(path));
  JsonReader reader;
  for (std::string line; std::getline(text, line);) {
    Heap heap;
    Value value;
    JsonError error;
    if (!reader.Read(line, &heap, &value, &error) || !value.is_object()) {
      std::fprintf(stderr, "%s: no pair\n", path.c_str());
      std::exit(2);
    }
    SpellingPair pair = {TextOf(value, "left"), TextOf(value, "right"), TextOf(value, "rows"), {}};
    const int64_t at = value.shape().Find("scopes");
    for (const Value& scope : value.values()[static_cast<size_t>(at)].elements()) {
      std::string json, reason;
      AppendJson(scope, &json, &reason);
      pair.scopes.push_back(std::move(json));
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::string ReportPairs(const std::vector<SpellingPair>& pairs, const std::vector<std::pair<double, double>>& counts) {
  struct Ratio {
    double ratio;
    size_t pair;
  };
  std::vector<Ratio> ratios;
  std::map<std::string, std::vector<double>> by_rows;
  for (size_t n = 0; n < pairs.size(); ++n) {
    // What costs less than an instruction counts as one.
    const double left = std::max(counts[n].first, 1.0), right = std::max(counts[n].second, 1.0);
    ratios.push_back({std::max(left, right) / std::min(left, right), n});
    const bool is_single = pairs[n].rows.find(", then ") == std::string::npos;
    if (is_single) by_rows[pairs[n].rows].push_back(ratios.back().ratio);
  }
  if (ratios.empty()) return "no pairs\n";
  std::sort(ratios.begin(), ratios.end(), [](const Ratio& a, const Ratio& b) { return a.ratio < b.ratio; });
  std::vector<double> sorted;
  size_t beyond = 0;
  for (const Ratio& ratio : ratios) {
    sorted.push_back(ratio.ratio);
    beyond += ratio.ratio > kSpellingBudget ? 1 : 0;
  }
  std::string report =
      absl::StrFormat("- %d pairs: median ratio %.2f, 95 %% within %.2f, worst %.2f; %d (%.0f %%) beyond %.2f\n\n",
                      ratios.size(), Quantile(sorted, 0.5), Quantile(sorted, 0.95), sorted.back(), beyond,
                      100.0 * static_cast<double>(beyond) / static_cast<double>(ratios.size()), kSpellingBudget);
  std::vector<std::pair<double, std::string>> rows;
  for (auto& [row, some] : by_rows) {
    std::sort(some.begin(), some.end());
    const double median = Quantile(some, 0.5);
    if (median > kSpellingBudget)
      rows.emplace_back(median, absl::StrFormat("%.2f (%d pairs): %s", median, some.size(), row));
  }
  std::sort(rows.rbegin(), rows.rend());
  absl::StrAppend(&report, rows.size(), " of ", by_rows.size(), " equivalences are mostly beyond the budget:\n");
  for (size_t n = 0; n < rows.size() && n < kMostRows; ++n) absl::StrAppend(&report, rows[n].second, "\n");
  absl::StrAppend(&report, "\nthe farthest pairs:\n");
  for (size_t n = 0; n < kMostPairs && n < ratios.size(); ++n) {
    const Ratio& ratio = ratios[ratios.size() - 1 - n];
    const auto& [left, right] = counts[ratio.pair];
    absl::StrAppendFormat(&report, "%.2f\n  %.0f  %s\n  %.0f  %s\n", ratio.ratio, left, pairs[ratio.pair].left, right,
                          pairs[ratio.pair].right);
  }
  return report;
}

}  // namespace hcl::bench

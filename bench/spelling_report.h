// What bench/spelling prints: a table of counts and what it says in sum. Thread-safe. Tested by bench/spelling_test.cc.

#ifndef HCLVM_BENCH_SPELLING_REPORT_H_
#define HCLVM_BENCH_SPELLING_REPORT_H_

#include <string>
#include <vector>

#include "hclvm/bench/spelling_groups.h"

namespace hcl::bench {

// How far forms that mean the same may be apart.
inline constexpr double kSpellingBudget = 1.25;

struct SpellingReport {
  std::string table;    // Markdown, ending in a newline
  std::string summary;  // the same
  bool holds = false;   // every budget and every order
};

// `counts` has, for each form of each group in order, the instructions of one evaluation beyond those of `true`.
SpellingReport ReportSpelling(const std::vector<SpellingGroup>& groups, const std::vector<double>& counts);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_SPELLING_REPORT_H_

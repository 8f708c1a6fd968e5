// Pairs of programs that mean the same, drawn at random, and what they cost: a part of bench/spelling.
//
// Tested by bench/spelling_test.cc.

#ifndef HCLVM_BENCH_SPELLING_PAIRS_H_
#define HCLVM_BENCH_SPELLING_PAIRS_H_

#include <string>
#include <utility>
#include <vector>

namespace hcl::bench {

struct SpellingPair {
  std::string left;
  std::string right;
  std::string rows;                 // which equivalences
  std::vector<std::string> scopes;  // JSON objects over which both have the same value
};

// Reads a file with a JSON object in each line, which //tests/slow/net:draw_pairs writes. Ends the process with a
// message where a line is not one.
std::vector<SpellingPair> ReadPairs(const std::string& path);

// How far the costs of each pair are apart: the median ratio, that within which 95 % are, the worst, how many are
// beyond the budget, the equivalences that are mostly far apart, and the pairs that are farthest. `counts`: of the left
// and the right one of each pair. Requires as many.
std::string ReportPairs(const std::vector<SpellingPair>& pairs, const std::vector<std::pair<double, double>>& counts);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_SPELLING_PAIRS_H_

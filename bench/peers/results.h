// What bench/peers/run wrote down, and its medians.
//
// Each line is a JSON object of one of these forms:
//
//   {"fact":"processor","text":"..."}                  about the machine and the run
//   {"peer":"lua","label":"Lua","version":"Lua 5.4.4"}  a peer that took part; in the order of the columns
//   {"title":"B01","text":"Roles that inherit"}         what a workload is about
//   {"skipped":"lua","why":"liblua5.4-dev is not installed"}
//   {"peer":"lua","workload":"W1","ns":9.5,"allocs":null,"bytes":0,"iterations":7}   one measurement
//   {"peer":"lua","workload":"W1","wrong":true}         a peer that gave a wrong answer
//
// Tested by bench/peers/results_test.cc.

#ifndef HCLVM_BENCH_PEERS_RESULTS_H_
#define HCLVM_BENCH_PEERS_RESULTS_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hcl::bench {

// A first text and what it is about.
using TextPairs = std::vector<std::pair<std::string, std::string>>;

struct Peer {
  std::string name;  // "luajit-off"
  std::string label;
  std::string version;
};

// The measurements of one peer and one workload.
struct Series {
  std::vector<double> ns;
  std::vector<double> allocs;  // empty if the peer cannot tell
  std::vector<double> bytes;
  bool wrong = false;
};

struct Results {
  TextPairs facts;
  TextPairs skipped;
  std::map<std::string, std::string> titles;  // of workloads
  std::vector<Peer> peers;
  std::map<std::pair<std::string, std::string>, Series> series;  // by peer and workload

  // Null if there is none, or if it has a wrong answer.
  const Series* Find(const std::string& peer, const std::string& workload) const;

  // The median time in nanoseconds, if there is one.
  std::optional<double> Ns(const std::string& peer, const std::string& workload) const;

  // How many times the time of `under` the time of `over` is, if both are there.
  std::optional<double> Ratio(const std::string& over, const std::string& under, const std::string& workload) const;
};

// Reads lines. False, with a message that names the line, if one has none of the forms.
bool ReadResults(const std::string& text, Results* results, std::string* error);

// The median, for an even number the mean of the middle two; nothing for no numbers.
std::optional<double> Median(std::vector<double> numbers);

// The difference of the largest and the smallest, in percent of the median; 0 for fewer than two.
double SpreadPercent(const std::vector<double>& numbers);

// The geometric mean of positive numbers; nothing for none.
std::optional<double> GeometricMean(const std::vector<double>& numbers);

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_PEERS_RESULTS_H_

// Reading of measurements, and statistics. Tested by bench/peers/results_test.cc.

#include "hclvm/bench/peers/results.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>

#include "simdjson.h"

namespace hcl::bench {
namespace {

using simdjson::dom::element;

bool GetText(const element& record, const char* name, std::string* text) {
  std::string_view value;
  if (record[name].get(value) != simdjson::SUCCESS) return false;
  *text = value;
  return true;
}

// A time of zero or less would make ratios without meaning, so it is refused. A null is no number, and adds none: that
// is how a peer says that it cannot tell.
bool AddMeasurement(const element& record, const std::string& peer, const std::string& workload, Results* results) {
  Series& series = results->series[{peer, workload}];
  bool wrong = false;
  if (record["wrong"].get(wrong) == simdjson::SUCCESS) {
    series.wrong |= wrong;
    return true;
  }
  double number = 0;
  if (record["ns"].get(number) != simdjson::SUCCESS || !(number > 0)) return false;
  series.ns.push_back(number);
  if (record["allocs"].get(number) == simdjson::SUCCESS) series.allocs.push_back(number);
  if (record["bytes"].get(number) == simdjson::SUCCESS) series.bytes.push_back(number);
  return true;
}

// False if the record has none of the forms.
// The order of the tests matters: a measurement and a description of a peer both have "peer", and only the first a
// "workload".
bool AddRecord(const element& record, Results* results) {
  std::string name;
  std::string text;
  if (GetText(record, "fact", &name) && GetText(record, "text", &text)) {
    results->facts.emplace_back(name, text);
  } else if (GetText(record, "title", &name) && GetText(record, "text", &text)) {
    results->titles[name] = text;
  } else if (GetText(record, "skipped", &name) && GetText(record, "why", &text)) {
    results->skipped.emplace_back(name, text);
  } else if (!GetText(record, "peer", &name)) {
    return false;
  } else if (GetText(record, "workload", &text)) {
    return AddMeasurement(record, name, text, results);
  } else {
    Peer peer = {name, "", ""};
    if (!GetText(record, "label", &peer.label) || !GetText(record, "version", &peer.version)) return false;
    results->peers.push_back(peer);
  }
  return true;
}

}  // namespace

const Series* Results::Find(const std::string& peer, const std::string& workload) const {
  const auto found = series.find({peer, workload});
  return found == series.end() || found->second.wrong || found->second.ns.empty() ? nullptr : &found->second;
}

std::optional<double> Results::Ns(const std::string& peer, const std::string& workload) const {
  const Series* found = Find(peer, workload);
  return found == nullptr ? std::nullopt : Median(found->ns);
}

std::optional<double> Results::Ratio(const std::string& over, const std::string& under,
                                     const std::string& workload) const {
  const std::optional<double> above = Ns(over, workload);
  const std::optional<double> below = Ns(under, workload);
  if (!above.has_value() || !below.has_value()) return std::nullopt;
  return *above / *below;
}

// A line that is none of the known forms ends the reading: tables made of half a file would look like those of a whole
// one.
bool ReadResults(const std::string& text, Results* results, std::string* error) {
  simdjson::dom::parser parser;
  std::istringstream lines(text);
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    element record;
    if (parser.parse(line).get(record) != simdjson::SUCCESS || !AddRecord(record, results)) {
      *error = "line " + std::to_string(number) + " is no measurement: " + line;
      return false;
    }
  }
  return true;
}

std::optional<double> Median(std::vector<double> numbers) {
  if (numbers.empty()) return std::nullopt;
  std::sort(numbers.begin(), numbers.end());
  const size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

// The full range and not a deviation: for the few runs that there are, one outlier is what should be seen.
double SpreadPercent(const std::vector<double>& numbers) {
  if (numbers.size() < 2) return 0;
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return (*high - *low) / *Median(numbers) * 100;
}

std::optional<double> GeometricMean(const std::vector<double>& numbers) {
  if (numbers.empty()) return std::nullopt;
  double sum = 0;
  for (const double number : numbers) sum += std::log(number);
  return std::exp(sum / static_cast<double>(numbers.size()));
}

}  // namespace hcl::bench

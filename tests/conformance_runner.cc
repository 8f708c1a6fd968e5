// conformance_runner: runs conformance cases and reports which fail.
//
//   conformance_runner [FLAGS] VARIABLES.json CASES.jsonl...
//
// Prints each failing case, then for each file and for all `NAME: PASSED/TOTAL, positions PASSED/TOTAL`. Positions are
// counted over the cases that want an error at a place and got an error in the same phase. Exit status: 0 when all
// passed, 1 when one failed, 2 for wrong usage or unreadable files.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/tests/case_runner.h"
#include "hclvm/tests/compare_typed.h"
#include "hclvm/tests/json_tree.h"

namespace hcl {
namespace {

constexpr const char kUsage[] =
    "usage: conformance_runner [FLAGS] VARIABLES.json CASES.jsonl...\n"
    "  --expect-failures FILE  ids that are known to fail, one a line; # starts a comment. The exit status is then 0\n"
    "                          when exactly these fail.\n"
    "  --positions             print the cases whose error is at another place than wanted\n"
    "  --quiet                 print no cases, only the sums\n";

struct Options {
  std::vector<std::string> files;
  std::set<std::string> expected_failures;
  bool has_expected_failures = false;
  bool positions = false;
  bool quiet = false;
};

struct Tally {
  int passed = 0;
  int total = 0;
  int positions_passed = 0;
  int positions_total = 0;

  void Add(const Tally& other) {
    passed += other.passed;
    total += other.total;
    positions_passed += other.positions_passed;
    positions_total += other.positions_total;
  }
  void Print(const std::string& name) const {
    std::cout << name << ": " << passed << "/" << total << ", positions " << positions_passed << "/" << positions_total
              << "\n";
  }
};

bool ReadFile(const std::string& path, std::string* text) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream buffer;
  buffer << in.rdbuf();
  *text = buffer.str();
  if (!in) std::cerr << "cannot read " << path << "\n";
  return static_cast<bool>(in);
}

bool ReadIds(const std::string& path, std::set<std::string>* ids) {
  std::string text;
  if (!ReadFile(path, &text)) return false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    for (std::string id; words >> id;) ids->insert(id);
  }
  return true;
}

bool ParseArguments(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--positions") {
      options->positions = true;
    } else if (argument == "--quiet") {
      options->quiet = true;
    } else if (argument == "--expect-failures" && i + 1 < argc) {
      options->has_expected_failures = true;
      if (!ReadIds(argv[++i], &options->expected_failures)) return false;
    } else if (argument.size() > 1 && argument[0] == '-') {
      return false;
    } else {
      options->files.push_back(argument);
    }
  }
  return options->files.size() >= 2;
}

bool Passes(const CaseOutcome& outcome, const JsonTree& want, const CompareOptions& options) {
  const std::string_view error = want.Text("error");
  if (!error.empty() || !outcome.error.empty()) return outcome.error == error;
  JsonTree got;
  return ParseJsonTree(outcome.json, &got) && SameResultTree(got, want, options);
}

bool SamePlace(const CaseOutcome& outcome, const JsonTree& at) {
  if (!outcome.at || at.items.size() != outcome.at->size()) return false;
  for (size_t i = 0; i < at.items.size(); ++i) {
    if (std::to_string((*outcome.at)[i]) != at.items[i].text) return false;
  }
  return true;
}

std::string FileStem(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name.substr(0, name.find_last_of('.'));
}

class Suite {
 public:
  explicit Suite(const Options& options) : options_(options) {}

  bool ReadVariables(const std::string& path) {
    std::string text;
    if (!ReadFile(path, &text)) return false;
    if (runner_.ReadVariables(text)) return true;
    std::cerr << path << " does not hold variables\n";
    return false;
  }

  bool RunFile(const std::string& path) {
    std::string text;
    if (!ReadFile(path, &text)) return false;
    Tally tally;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      JsonTree test;
      if (line.empty()) continue;
      if (!ParseJsonTree(line, &test) || test.Find("want") == nullptr) {
        std::cerr << path << ": not a case: " << line << "\n";
        return false;
      }
      RunCase(test, &tally);
    }
    sums_.emplace_back(FileStem(path), tally);
    return true;
  }

  // Prints the sums, and what --expect-failures has to say; returns the exit status.
  int Finish() const {
    Tally total;
    for (const auto& [name, tally] : sums_) {
      tally.Print(name);
      total.Add(tally);
    }
    total.Print("total");
    if (!options_.has_expected_failures) return failed_.empty() ? 0 : 1;
    int status = 0;
    for (const std::string& id : failed_) {
      if (options_.expected_failures.count(id) != 0) continue;
      std::cout << id << " fails, which was not expected\n";
      status = 1;
    }
    for (const std::string& id : options_.expected_failures) {
      if (failed_.count(id) != 0) continue;
      std::cout << id << " was expected to fail, and does not\n";
      status = 1;
    }
    return status;
  }

 private:
  void RunCase(const JsonTree& test, Tally* tally) {
    const std::string id(test.Text("id"));
    const JsonTree& want = *test.Find("want");
    const CaseOutcome outcome = runner_.Run(test);
    // A known answer passes where an unknown one is wanted, if it is sound (docs/language.md lists the rules).
    CompareOptions known;
    known.accept_known = true;
    ++tally->total;
    if (Passes(outcome, want, {}) || (Passes(outcome, want, known) && runner_.HoldsForSamples(test, outcome))) {
      ++tally->passed;
    } else {
      failed_.insert(id);
      if (options_.expected_failures.count(id) == 0) Report("FAIL", id, test, outcome, want);
    }
    const JsonTree* at = want.Find("at");
    if (at == nullptr || outcome.error != want.Text("error")) return;
    ++tally->positions_total;
    if (SamePlace(outcome, *at)) {
      ++tally->positions_passed;
    } else if (options_.positions) {
      Report("POSITION", id, test, outcome, want);
    }
  }

  void Report(const char* what, const std::string& id, const JsonTree& test, const CaseOutcome& outcome,
              const JsonTree& want) const {
    if (options_.quiet) return;
    std::cout << what << " " << id << "\n";
    for (const char* input : {"source", "value", "type", "types"}) {
      if (const JsonTree* given = test.Find(input)) std::cout << "  " << input << ": " << given->raw << "\n";
    }
    std::cout << "  got:  " << outcome.ToString() << "\n  want: " << want.raw << "\n";
  }

  const Options& options_;
  CaseRunner runner_;
  std::set<std::string> failed_;
  std::vector<std::pair<std::string, Tally>> sums_;
};

int Main(int argc, char** argv) {
  Options options;
  if (!ParseArguments(argc, argv, &options)) {
    std::cerr << kUsage;
    return 2;
  }
  Suite suite(options);
  if (!suite.ReadVariables(options.files[0])) return 2;
  for (size_t i = 1; i < options.files.size(); ++i) {
    if (!suite.RunFile(options.files[i])) return 2;
  }
  return suite.Finish();
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) { return hcl::Main(argc, argv); }

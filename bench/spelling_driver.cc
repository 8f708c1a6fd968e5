// What bench/spelling runs.
//
//   spelling_driver FOLDER measure
//   spelling_driver FOLDER report [--check] <TOTALS
//   spelling_driver FOLDER measure-pairs PAIRS
//   spelling_driver FOLDER report-pairs PAIRS <TOTALS
//
// FOLDER contains bench/inputs. `measure` is for callgrind, which counts within hclvm_spelling_run and writes a part
// behind each hclvm_spelling_done: for each form of each group in order, one part for the expression `true`, and one
// for the form; it prints how many parts that is. `report` reads what these parts count, a line for each, and
// prints the compiler and the table; with --check it ends with 1 when that does not hold. Both end with 2 when a form
// does not mean what it should. The same for the pairs of a file (bench/spelling_pairs.h), with a part for `true` and
// one for each side.
//
// Tested by bench/spelling_driver_test.sh.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/bench/spelling_check.h"
#include "hclvm/bench/spelling_groups.h"
#include "hclvm/bench/spelling_pairs.h"
#include "hclvm/bench/spelling_report.h"
#include "hclvm/bench/workload.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"

// Their names are in bench/spelling, and no compiler may have them inlined or dropped.
extern "C" __attribute__((noinline)) void hclvm_spelling_run(hcl::Evaluator* evaluator) {
  asm volatile("" : : "g"(&evaluator->Run()) : "memory");
}
extern "C" __attribute__((noinline)) void hclvm_spelling_done() { asm volatile("" : : : "memory"); }

namespace hcl::bench {
namespace {

constexpr int kWarmRounds = 8;
constexpr int kRounds = 8;

// The bindings are outside of what is counted. Nothing is counted before the evaluator has its memory and has seen each
// scope.
void MeasureForm(const std::string& source, SourceKind kind, const std::vector<std::string>& scopes) {
  const std::unique_ptr<Workload> workload = MakeWorkload("spelling", source, kind, scopes);
  Evaluator evaluator(workload->program);
  const auto round = [&](const auto& run) {
    for (size_t i = 0; i < scopes.size(); ++i) {
      BindScope(*workload, i, &evaluator);
      run();
    }
  };
  for (int i = 0; i < kWarmRounds; ++i) round([&] { evaluator.Run(); });
  for (int i = 0; i < kRounds; ++i) round([&] { hclvm_spelling_run(&evaluator); });
  hclvm_spelling_done();
}

// A run that is no more than its beginning and its end. One that is a variable has a way of its own.
constexpr char kLeast[] = "true";

int Measure(const std::vector<SpellingGroup>& groups) {
  int parts = 0;
  for (const SpellingGroup& group : groups) {
    for (const SpellingForm& form : group.forms) {
      const std::vector<std::string>& scopes = ScopesOf(group, form);
      MeasureForm(kLeast, SourceKind::kExpression, scopes);
      MeasureForm(form.source, form.kind, scopes);
      parts += 2;
    }
  }
  std::printf("%d\n", parts);
  return 0;
}

// Another number of lines than of parts means that callgrind did not find the functions.
int Report(const std::vector<SpellingGroup>& groups, bool check) {
  std::vector<double> counts;
  for (const SpellingGroup& group : groups) {
    for (const SpellingForm& form : group.forms) {
      int64_t least = 0;
      int64_t all = 0;
      if (!(std::cin >> least >> all) || least <= 0 || all <= 0) {
        std::fprintf(stderr, "no count for %s\n", LabelOf(form).c_str());
        return 2;
      }
      const auto evaluations = static_cast<double>(ScopesOf(group, form).size()) * kRounds * form.parts;
      counts.push_back(static_cast<double>(all - least) / evaluations);
    }
  }
  if (int64_t more = 0; std::cin >> more) {
    std::fprintf(stderr, "more counts than forms\n");
    return 2;
  }
  const SpellingReport report = ReportSpelling(groups, counts);
  std::printf("C++ compiler %s\n\n%s\n%s", __VERSION__, report.summary.c_str(), report.table.c_str());
  return check && !report.holds ? 1 : 0;
}

int MeasurePairs(const std::vector<SpellingPair>& pairs) {
  for (const SpellingPair& pair : pairs) {
    for (const std::string& source : {std::string(kLeast), pair.left, pair.right}) {
      MeasureForm(source, SourceKind::kExpression, pair.scopes);
    }
  }
  std::printf("%d\n", static_cast<int>(pairs.size()) * 3);
  return 0;
}

int ReportPairCounts(const std::vector<SpellingPair>& pairs) {
  std::vector<std::pair<double, double>> counts;
  for (const SpellingPair& pair : pairs) {
    int64_t least = 0, left = 0, right = 0;
    if (!(std::cin >> least >> left >> right) || least <= 0) {
      std::fprintf(stderr, "no count for %s\n", pair.left.c_str());
      return 2;
    }
    const auto evaluations = static_cast<double>(pair.scopes.size()) * kRounds;
    counts.emplace_back(static_cast<double>(left - least) / evaluations,
                        static_cast<double>(right - least) / evaluations);
  }
  std::printf("%s", ReportPairs(pairs, counts).c_str());
  return 0;
}

int Run(int argc, char** argv) {
  const std::string command = argc > 2 ? argv[2] : "";
  const bool check = argc == 4 && std::string(argv[3]) == "--check";
  const bool has_pairs = argc == 4 && (command == "measure-pairs" || command == "report-pairs");
  const bool is_usual = (command == "measure" || command == "report") && argc <= (check && command == "report" ? 4 : 3);
  if (!has_pairs && !is_usual) {
    std::fprintf(
        stderr,
        "usage: spelling_driver FOLDER measure | report [--check] | measure-pairs PAIRS | report-pairs PAIRS\n");
    return 2;
  }
  if (chdir(argv[1]) != 0) {
    std::fprintf(stderr, "the first argument must be a folder\n");
    return 2;
  }
  if (has_pairs) {
    const std::vector<SpellingPair> pairs = ReadPairs(argv[3]);
    return command == "measure-pairs" ? MeasurePairs(pairs) : ReportPairCounts(pairs);
  }
  const std::vector<SpellingGroup> groups = SpellingGroups();
  for (const SpellingGroup& group : groups) {
    const std::string fault = CheckSpelling(group);
    if (fault.empty()) continue;
    std::fprintf(stderr, "%s\n", fault.c_str());
    return 2;
  }
  return command == "measure" ? Measure(groups) : Report(groups, check);
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) { return hcl::bench::Run(argc, argv); }

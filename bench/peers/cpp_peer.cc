// The peers in C++: this VM, and the workloads written by hand (bench/handwritten.h, bench/breadth/by_hand.h).
//
//   cpp_peer FOLDER --variant vm|cpp --workload W0..W9|B01..B30 --min-time 0.2
//   cpp_peer FOLDER --variant vm --workload P1|P2 --min-time 0.2
//
// P1 reads bench/inputs/parse.hcl to its tree, P2 reads parse.json to its tree. bench/peers/measure.h says the rest.
//
// Tested by bench/peers/cpp_peer_test.sh.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/bench/breadth/by_hand.h"
#include "hclvm/bench/breadth/scope_reader.h"
#include "hclvm/bench/handwritten.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/bench/peers/measure.h"
#include "hclvm/bench/typed_answer.h"
#include "hclvm/bench/workload.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"

namespace hcl::bench {
namespace {

// Keeps the compiler from dropping the work whose result this is.
template <typename T>
void Consume(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

// Allocations of one call of step(i), in the mean over some rounds.
template <typename Step>
Allocations CountAllocations(int scopes, const Step& step) {
  const int64_t rounds = 4 * scopes;
  const uint64_t count = AllocationCount();
  const uint64_t bytes = AllocatedBytes();
  GoRound(rounds, scopes, step);
  const auto mean = [rounds](uint64_t total) { return static_cast<double>(total) / static_cast<double>(rounds); };
  return {mean(AllocationCount() - count), mean(AllocatedBytes() - bytes)};
}

// Goes round once to warm up, measures, counts and prints.
template <typename Step>
void Measure(const PeerOptions& options, int scopes, const Step& step) {
  GoRound(scopes, scopes, step);
  const Timing timing = MeasureTime(options, scopes, step);
  PrintResult(options, timing, CountAllocations(scopes, step));
}

void MeasureVm(const PeerOptions& options) {
  const std::unique_ptr<Workload> workload = LoadWorkload(options.workload);
  const std::string fault = CheckAnswers(*workload);
  if (!fault.empty()) Die("vm " + workload->name + ": " + fault);
  Evaluator evaluator(workload->program);
  Measure(options, static_cast<int>(workload->scopes.size()), [&](int i) {
    BindScope(*workload, static_cast<size_t>(i), &evaluator);
    Consume(evaluator.Run().value());
  });
}

// Each answer is checked first: a side that computes something else has no time.
template <typename Scope>
void MeasureByHand(const PeerOptions& options, const std::vector<Scope>& scopes) {
  std::ifstream want("bench/want/" + options.workload + ".ndjson");
  std::string line;
  for (int i = 0; i < kScopeCount; ++i) {
    const std::string got = TypedAnswer(scopes.at(static_cast<size_t>(i)).Evaluate());
    if (!std::getline(want, line) || got != line) {
      Die(absl::StrCat("cpp ", options.workload, ": scope ", i, ": got ", got, ", want ", line));
    }
  }
  Measure(options, kScopeCount, [&](int i) { Consume(scopes[static_cast<size_t>(i)].Evaluate()); });
}

template <typename W>
void MeasureCpp(const PeerOptions& options) {
  std::vector<W> scopes;
  for (int i = 0; i < kScopeCount; ++i) scopes.push_back(W::Make(i));
  MeasureByHand(options, scopes);
}

template <typename B>
void MeasureBreadth(const PeerOptions& options) {
  MeasureByHand(options, ReadScopes<B>("bench/inputs/" + options.workload + ".ndjson"));
}

// Blocks of bench/inputs/parse.hcl; parse.json has one property for each of them, below two others.
constexpr size_t kParseBlocks = 5000;

std::shared_ptr<const Source> ReadSource(const std::string& path) {
  return std::make_shared<const Source>(path, ReadInput(path));
}

// The number of blocks says that the whole text was read, and not given up on after an error.
void MeasureNativeParser(const PeerOptions& options) {
  const std::shared_ptr<const Source> source = ReadSource("bench/inputs/parse.hcl");
  size_t blocks = 0;
  const auto parse = [&](int) {
    Diagnostics diagnostics;
    const std::unique_ptr<ParsedFile> file = ParseConfig(*source, {}, &diagnostics);
    blocks = diagnostics.empty() ? file->body->blocks.size() : 0;
  };
  parse(0);
  if (blocks != kParseBlocks) Die("vm P1: wrong number of blocks");
  Measure(options, 1, parse);
}

// The tree is consumed, so that no compiler may find the parse to be without effect.
void MeasureJsonParser(const PeerOptions& options) {
  const std::shared_ptr<const Source> source = ReadSource("bench/inputs/parse.json");
  bool ok = false;
  const auto parse = [&](int) {
    Diagnostics diagnostics;
    const std::unique_ptr<JsonFile> file = ParseJson(*source, {}, &diagnostics);
    Consume(file->root);
    ok = diagnostics.empty();
  };
  parse(0);
  if (!ok) Die("vm P2: parse.json has errors");
  Measure(options, 1, parse);
}

using CppMeasure = void (*)(const PeerOptions&);
constexpr CppMeasure kByHand[kWorkloadCount] = {
    MeasureCpp<W0>, MeasureCpp<W1>, MeasureCpp<W2>, MeasureCpp<W3>, MeasureCpp<W4>,
    MeasureCpp<W5>, MeasureCpp<W6>, MeasureCpp<W7>, MeasureCpp<W8>, MeasureCpp<W9>,
};

static_assert(std::tuple_size_v<BreadthWorkloads> == kBreadthCount);

template <size_t... kIndex>
constexpr std::array<CppMeasure, kBreadthCount> BreadthByHand(std::index_sequence<kIndex...> /*all*/) {
  return {MeasureBreadth<std::tuple_element_t<kIndex, BreadthWorkloads>>...};
}

// What measures a workload that is written by hand, in the order of WorkloadNames().
CppMeasure FindByHand(size_t at) {
  constexpr std::array<CppMeasure, kBreadthCount> kBreadth = BreadthByHand(std::make_index_sequence<kBreadthCount>());
  return at < kWorkloadCount ? kByHand[at] : kBreadth.at(at - kWorkloadCount);
}

// The peer changes to the folder: the paths of the inputs are then the same as in the benchmarks.
void Run(const PeerOptions& options) {
  const std::vector<std::string> names = WorkloadNames();
  const size_t at = static_cast<size_t>(std::find(names.begin(), names.end(), options.workload) - names.begin());
  const bool vm = options.variant == "vm";
  if (!vm && options.variant != "cpp") Die("--variant must be vm or cpp");
  if (options.folder.empty() || chdir(options.folder.c_str()) != 0) Die("the first argument must be a folder");
  if (at < names.size()) {
    vm ? MeasureVm(options) : FindByHand(at)(options);
  } else if (vm && options.workload == "P1") {
    MeasureNativeParser(options);
  } else if (vm && options.workload == "P2") {
    MeasureJsonParser(options);
  } else {
    Die("no such workload: '" + options.workload + "'");
  }
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  const hcl::bench::PeerOptions options = hcl::bench::ParsePeerOptions(argc, argv);
  if (options.show_version) {
    std::printf("C++ compiler %s\n", __VERSION__);
    return 0;
  }
  hcl::bench::Run(options);
  return 0;
}

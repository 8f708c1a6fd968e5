// What `hclvm run` does for each line, over the requests of examples/access, with its policy as a plain config:
//
//   bazel run -c opt //cmd/hclvm:run_benchmark
//
// run/read reads the lines to values, run/evaluate binds values that are there and evaluates policy.access.decision,
// run/write writes decisions as JSON. run/all/N does all of it as the command does, from one file to another, with N
// threads; its time is the wall clock's. run/rest does the same in one thread for a config that makes nothing of the
// lines: all but evaluation and writing. `items_per_second` counts lines. That the answers are those of
// decisions.ndjson is checked before the clock runs.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "benchmark/benchmark.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/scope_runner.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/ndjson.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::cmd {
namespace {

constexpr char kEntry[] = "policy.access.decision";
constexpr int kCopies = 20;  // of the requests, for run/all

// The example, read and compiled.
struct Access {
  std::shared_ptr<const Program> program;
  const Entry* entry = nullptr;
  std::shared_ptr<const Program> nothing;  // a program that answers null
  std::string text;                        // of the requests
  std::vector<std::string_view> requests;
  std::vector<std::string_view> decisions;
};

[[noreturn]] void Die(const char* message) {
  std::fprintf(stderr, "%s\n", message);
  std::exit(1);
}

std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

Value ReadLine(std::string_view line, JsonReader* reader, Heap* heap) {
  Value value;
  JsonError error;
  if (!reader->Read(line, heap, &value, &error)) Die(error.detail.c_str());
  return value;
}

void CountLines(size_t lines_each, benchmark::State* state) {
  state->SetItemsProcessed(static_cast<int64_t>(state->iterations() * lines_each));
}

// The heap is reset for each line, as the command does it, so that it reuses its memory.
void Read(benchmark::State& state, const Access& access) {
  JsonReader reader;
  Heap heap;
  for (auto _ : state) {
    for (const std::string_view line : access.requests) {
      heap.Reset();
      benchmark::DoNotOptimize(ReadLine(line, &reader, &heap));
    }
  }
  CountLines(access.requests.size(), &state);
}

// The scopes are read beforehand, all into one heap: only binding and evaluation are under the clock.
void Evaluate(benchmark::State& state, const Access& access) {
  JsonReader reader;
  Heap heap;
  std::vector<Value> scopes;
  for (const std::string_view line : access.requests) scopes.push_back(ReadLine(line, &reader, &heap));
  Evaluator evaluator(access.program);
  for (auto _ : state) {
    for (const Value& scope : scopes) {
      evaluator.BindAll(scope);
      Value result = evaluator.Run(*access.entry).value();
      benchmark::DoNotOptimize(result);
    }
  }
  CountLines(scopes.size(), &state);
}

// The text keeps its memory from round to round: growing it is not what is measured.
void Write(benchmark::State& state, const Access& access) {
  JsonReader reader;
  Heap heap;
  std::vector<Value> decisions;
  for (const std::string_view line : access.decisions) decisions.push_back(ReadLine(line, &reader, &heap));
  std::string out, reason;
  for (auto _ : state) {
    out.clear();
    for (const Value& decision : decisions) AppendJson(decision, &out, &reason);
    benchmark::DoNotOptimize(out.data());
  }
  CountLines(decisions.size(), &state);
}

// Runs `program` over the requests, kCopies times. A real file, as the command reads one: a pipe would measure the
// peer. The output goes nowhere, so that the disk is not measured.
void RunAll(benchmark::State& state, const Access& access, const std::shared_ptr<const Program>& program,
            RunOptions options) {
  options.quiet = true;
  std::FILE* input = std::tmpfile();
  std::FILE* output = std::fopen("/dev/null", "wb");
  if (input == nullptr || output == nullptr) Die("cannot open files");
  for (int i = 0; i < kCopies; ++i) std::fwrite(access.text.data(), 1, access.text.size(), input);
  for (auto _ : state) {
    std::rewind(input);
    std::string error;
    if (RunScopes(program, options, input, output, &error) != 0) Die(error.c_str());
  }
  CountLines(kCopies * access.requests.size(), &state);
  std::fclose(input);
  std::fclose(output);
}

void All(benchmark::State& state, const Access& access) {
  RunOptions options;
  options.entries = {access.entry};
  options.threads = static_cast<uint32_t>(state.range(0));
  RunAll(state, access, access.program, options);
}

void Rest(benchmark::State& state, const Access& access) {
  RunOptions options;
  RunAll(state, access, access.nothing, options);
}

std::string ReadInput(const char* path) {
  std::string text, error;
  if (ReadFile(path, Limits().max_source_bytes, &text, &error) != kSuccess) Die(error.c_str());
  return text;
}

// The second program has the cost of a line without that of a policy.
Access Load() {
  Access access;
  CommonOptions options;
  options.compile.functions = StandardFunctions();
  int status = 0;
  access.program = LoadConfig("run_benchmark", "bench/access/policy.hcl", options, &status);
  if (access.program == nullptr) std::exit(status);
  access.entry = access.program->FindEntry(kEntry);
  if (access.entry == nullptr) Die("the policy has no entry of this name");
  Diagnostics diagnostics;
  access.nothing = CompileExpression(std::make_shared<const Source>("<nothing>", "null"), {}, &diagnostics);
  return access;
}

// Ends the process unless each request is answered as it should be.
void Check(const Access& access) {
  NdjsonOptions options;
  options.entries = {access.entry};
  LineEvaluator evaluator(access.program, options);
  if (access.requests.size() != access.decisions.size()) Die("not one decision for each request");
  for (size_t i = 0; i < access.requests.size(); ++i) {
    std::string out;
    evaluator.Evaluate(access.requests[i], i + 1, &out);
    if (out != std::string(access.decisions[i]) + "\n") Die(("a wrong decision: " + out).c_str());
  }
}

// Answers are checked before anything is measured: a fast wrong answer is worth nothing. run/all is in real time, as
// its threads share the work, and the clock of one of them would tell half.
int Main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  Access access = Load();
  access.text = ReadInput("examples/access/requests.ndjson");
  const std::string decisions = ReadInput("examples/access/decisions.ndjson");
  access.requests = Lines(access.text);
  access.decisions = Lines(decisions);
  Check(access);
  const auto add = [&](const char* name, void (*run)(benchmark::State&, const Access&)) {
    return benchmark::RegisterBenchmark(name, [=, &access](benchmark::State& state) { run(state, access); })
        ->Unit(benchmark::kMillisecond);
  };
  add("run/read", Read);
  add("run/evaluate", Evaluate);
  add("run/write", Write);
  add("run/rest", Rest);
  add("run/all", All)->Arg(1)->Arg(2)->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace hcl::cmd

int main(int argc, char** argv) { return hcl::cmd::Main(argc, argv); }

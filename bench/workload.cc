// Loading and checking of workloads. Tested by bench/workload_test.cc.

#include "hclvm/bench/workload.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"

namespace hcl::bench {
namespace {

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::exit(1);
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(ReadInput(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Value ReadJson(const std::string& text, Heap* heap) {
  JsonReader reader;
  Value value;
  JsonError error;
  if (!reader.Read(text, heap, &value, &error)) Die(absl::StrCat(error.summary, ": ", error.detail));
  return value;
}

// An expression of bench/inputs/workloads.json.
std::string ListedText(const std::string& name) {
  Heap scratch;
  const Value sources = ReadJson(ReadInput("bench/inputs/workloads.json"), &scratch);
  const int64_t at = sources.shape().Find(name);
  if (at < 0) Die("workloads.json lacks " + name);
  return std::string(sources.values()[static_cast<size_t>(at)].AsString());
}

}  // namespace

std::vector<std::string> WorkloadNames() {
  std::vector<std::string> names;
  for (int w = 0; w < kWorkloadCount; ++w) names.push_back(absl::StrCat("W", w));
  for (int b = 1; b <= kBreadthCount; ++b) names.push_back(absl::StrFormat("B%02d", b));
  return names;
}

std::vector<std::string> WorkloadScopes(const std::string& name) {
  return ReadLines(absl::StrCat("bench/inputs/", name, ".ndjson"));
}

// The name of a policy's file says whether it is a config.
std::unique_ptr<Workload> LoadWorkload(const std::string& name) {
  const std::vector<std::string> names = WorkloadNames();
  if (std::find(names.begin(), names.end(), name) == names.end()) Die("no such workload: '" + name + "'");
  if (name[0] == 'W') return MakeWorkload(name, ListedText(name), SourceKind::kExpression, WorkloadScopes(name));
  const std::string config = absl::StrCat("bench/breadth/", name, ".config.hcl");
  const bool is_config = access(config.c_str(), R_OK) == 0;
  const std::string text = ReadInput(is_config ? config : absl::StrCat("bench/breadth/", name, ".hcl"));
  return MakeWorkload(name, text, is_config ? SourceKind::kConfig : SourceKind::kExpression, WorkloadScopes(name));
}

// Variables are bound by slot and not by name, as a host that evaluates often would do it: the look-up by name is made
// here, once. Scopes are values in the workload's heap, so that no evaluation reads JSON.
std::unique_ptr<Workload> MakeWorkload(const std::string& name, const std::string& text, SourceKind kind,
                                       const std::vector<std::string>& scopes) {
  auto workload = std::make_unique<Workload>();
  workload->name = name;
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>(name, text);
  workload->program = (kind == SourceKind::kConfig ? CompileConfig : CompileExpression)(source, options, &diagnostics);
  if (workload->program == nullptr) Die(ToText(diagnostics, source.get()));
  for (const std::string& text_of_scope : scopes) {
    const Value scope = ReadJson(text_of_scope, &workload->heap);
    workload->scopes.emplace_back();
    for (uint32_t slot = 0; slot < workload->program->variables().size(); ++slot) {
      const int64_t found = scope.shape().Find(workload->program->variables()[slot]);
      if (found < 0) continue;
      workload->scopes.back().emplace_back(slot, scope.values()[static_cast<size_t>(found)]);
    }
  }
  return workload;
}

// Answers are compared as typed JSON, so that a number is not taken for its string. They come from the reference
// implementation and not from an earlier run of this one.
std::string CheckAnswers(const Workload& workload) {
  const std::vector<std::string> want = ReadLines(absl::StrCat("bench/want/", workload.name, ".ndjson"));
  if (want.size() != workload.scopes.size()) return "bench/want has another number of answers";
  Evaluator evaluator(workload.program);
  for (size_t i = 0; i < want.size(); ++i) {
    BindScope(workload, i, &evaluator);
    const Evaluation& evaluation = evaluator.Run();
    if (!evaluation.ok()) return ToText(evaluation.diagnostics(), &workload.program->source());
    std::string got;
    AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &got);
    if (got != want[i]) return absl::StrCat("scope ", i, ": got ", got, ", want ", want[i]);
  }
  return "";
}

}  // namespace hcl::bench

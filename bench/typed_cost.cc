// What declared types change: docs/performance.md, "Declared types".
//
//   typed_cost WORKLOAD FROM typed|sensitive|locals|plain COUNT
//
// Binds and evaluates the scopes of WORKLOAD (bench/inputs), COUNT of them, by a module that declares its variables
// (bench/typed_variables), also as sensitive ones, or with the parts of the expression as locals (W1), or by a plain
// config of the same expression. Under callgrind, the difference of two counts is what one takes (bench/typed). Answers
// are checked with bench/want. Runs in a folder that has bench/.
//
//   values    values as they are read from JSON: objects and tuples, which a module converts
//   declared  values of the declared types, as a host makes them
//   lines     JSON, of which each reads what it needs

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/input_files.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/reads.h"
#include "hclvm/vm/scope_reader.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::bench {
namespace {

[[noreturn]] void Die(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(ReadInput(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

Value ReadJson(const std::string& text, Heap* heap) {
  Value value;
  JsonError error;
  if (!JsonReader().Read(text, heap, &value, &error)) Die(absl::StrCat(error.summary, ": ", error.detail));
  return value;
}

// The expression of the workload.
std::string TextOf(const std::string& workload) {
  Heap heap;
  const Value sources = ReadJson(ReadInput("bench/inputs/workloads.json"), &heap);
  const int64_t at = sources.shape().Find(workload);
  if (at < 0) Die("no such workload: " + workload);
  return std::string(sources.values()[static_cast<size_t>(at)].AsString());
}

enum class Kind { kPlain, kTyped, kSensitive, kLocals };

std::string Declarations(const std::string& workload, Kind kind) {
  const std::string text = ReadInput(absl::StrCat("bench/typed_variables/", workload, ".hcl"));
  return kind == Kind::kSensitive ? absl::StrReplaceAll(text, {{"\n}\n", "\n  sensitive = true\n}\n"}}) : text;
}

std::shared_ptr<const Program> Compile(const std::string& workload, Kind kind, const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>(workload, text);
  const auto declared = std::make_shared<const Source>("variables", Declarations(workload, kind));
  const std::vector<ModuleFile> files = {{declared}, {source}};
  auto program =
      kind == Kind::kPlain ? CompileConfig(source, options, &diagnostics) : CompileModule(files, options, &diagnostics);
  if (program == nullptr) Die(ToText(diagnostics, source.get()));
  return program;
}

using Scope = std::vector<std::pair<uint32_t, Value>>;  // slot and value

std::vector<Scope> ReadScopes(const Program& program, const std::vector<std::string>& lines, Heap* heap) {
  std::vector<Scope> scopes;
  for (const std::string& line : lines) {
    const Value object = ReadJson(line, heap);
    Scope& scope = scopes.emplace_back();
    for (uint32_t slot = 0; slot < program.variables().size(); ++slot) {
      const int64_t at = object.shape().Find(program.variables()[slot]);
      if (at < 0) Die("a scope lacks a variable");
      scope.emplace_back(slot, object.values()[static_cast<size_t>(at)]);
    }
  }
  return scopes;
}

// A module that gives each variable says what the values become.
void Declare(const std::string& workload, const Program& program, std::vector<Scope>* scopes, Heap* heap) {
  std::string text;
  for (const auto& name : program.variables())
    absl::StrAppend(&text, "a_", std::string(name), " = ", std::string(name), "\n");
  Evaluator evaluator(Compile(workload, Kind::kTyped, text));
  for (Scope& scope : *scopes) {
    for (auto& [slot, value] : scope) evaluator.Bind(std::string(program.variables()[slot]), value);
    for (auto& [slot, value] : scope) {
      const Evaluation& evaluation =
          evaluator.Run(*evaluator.program().FindEntry(absl::StrCat("a_", std::string(program.variables()[slot]))));
      if (!evaluation.ok()) Die(ToText(evaluation.diagnostics(), nullptr));
      value = Clone(evaluation.value(), heap->arena(), heap->types());
    }
  }
}

void Check(const Evaluation& evaluation, const std::string& want, Evaluator* evaluator) {
  if (!evaluation.ok()) Die(ToText(evaluation.diagnostics(), &evaluator->program().source()));
  std::string got;
  AppendTypedJson(evaluation.value(), evaluator->heap()->types(), &got);
  if (got != want) Die(absl::StrCat("got ", got, ", want ", want));
}

int Measure(const std::string& workload, const std::string& from, Kind kind, uint64_t count) {
  const std::vector<std::string> lines = ReadLines(absl::StrCat("bench/inputs/", workload, ".ndjson"));
  const std::vector<std::string> want = ReadLines(absl::StrCat("bench/want/", workload, ".ndjson"));
  const std::string text = kind == Kind::kLocals
                               ? ReadInput(absl::StrCat("bench/typed_variables/", workload, ".locals.hcl"))
                               : absl::StrCat("answer = ", TextOf(workload), "\n");
  const auto program = Compile(workload, kind, text);
  const auto& entry = *program->FindEntry("answer");
  Heap heap(program->types());  // so that equal types are the same
  Evaluator evaluator(program);
  if (from == "lines") {
    const Reads reads(program, entry.chunk);
    ScopeReader reader(reads);
    for (uint64_t n = 0; n < lines.size() + count; ++n) {
      heap.Reset();
      if (!reader.Read(lines[n % lines.size()], &heap)) Die("a line cannot be read");
      evaluator.BindAll(reader);
      const Evaluation& evaluation = evaluator.Run(entry);
      n < lines.size() ? Check(evaluation, want[n], &evaluator) : void(evaluation.value());
    }
    return 0;
  }
  if (from != "values" && from != "declared") return 2;
  std::vector<Scope> scopes = ReadScopes(*program, lines, &heap);
  if (from == "declared") Declare(workload, *program, &scopes, &heap);
  for (uint64_t n = 0; n < lines.size() + count; ++n) {
    for (const auto& [slot, value] : scopes[n % lines.size()]) evaluator.Bind(slot, value);
    const Evaluation& evaluation = evaluator.Run(entry);
    n < lines.size() ? Check(evaluation, want[n], &evaluator) : void(evaluation.value());
  }
  return 0;
}

}  // namespace
}  // namespace hcl::bench

int main(int argc, char** argv) {
  using hcl::bench::Kind;
  const std::map<std::string, Kind> kinds = {
      {"plain", Kind::kPlain}, {"typed", Kind::kTyped}, {"sensitive", Kind::kSensitive}, {"locals", Kind::kLocals}};
  const auto kind = argc == 5 ? kinds.find(argv[3]) : kinds.end();
  int status = 2;
  if (kind != kinds.end()) {
    status = hcl::bench::Measure(argv[1], argv[2], kind->second, std::strtoull(argv[4], nullptr, 10));
  }
  if (status == 2)
    std::fprintf(stderr, "usage: typed_cost WORKLOAD values|declared|lines typed|sensitive|locals|plain COUNT\n");
  return status;
}

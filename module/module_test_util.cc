// Modules in tests.

#include "hclvm/module/module_test_util.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::string TextOf(const Diagnostics& diagnostics, const Source* main) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    const Source* const source = diagnostic.source != nullptr ? diagnostic.source : main;
    if (diagnostic.subject && source != nullptr) {
      const SourcePosition at = source->PositionAt(diagnostic.subject->begin);
      absl::StrAppend(&text, source->name(), ":", at.line, ":", at.column, " ");
    }
    absl::StrAppend(&text, diagnostic.severity == Severity::kWarning ? "warning " : "", CodeText(diagnostic.code), " ",
                    diagnostic.detail, "\n");
  }
  return text;
}

}  // namespace

std::vector<TestFile> OneFile(std::string text) { return {{"m.hcl", std::move(text)}}; }

CompileOptions ModuleOptions() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

static std::vector<ModuleFile> SourcesOf(const std::vector<TestFile>& files) {
  std::vector<ModuleFile> sources;
  for (const TestFile& file : files) {
    sources.push_back({std::make_shared<const Source>(file.name, file.text), absl::EndsWith(file.name, ".json")});
  }
  return sources;
}

std::shared_ptr<const Program> CompileFiles(const std::vector<TestFile>& files, std::string* errors,
                                            const CompileOptions& options) {
  const std::vector<ModuleFile> sources = SourcesOf(files);
  Diagnostics diagnostics;
  auto program = CompileModule(sources, options, &diagnostics);
  *errors = TextOf(diagnostics, nullptr);
  return program;
}

std::string FindingsOf(const std::vector<TestFile>& files, bool strict, Dialect dialect) {
  const std::vector<ModuleFile> sources = SourcesOf(files);
  Diagnostics diagnostics;
  CompileOptions options = ModuleOptions();
  options.dialect = dialect;
  const auto program = CheckModule(sources, options, strict, &diagnostics);
  return diagnostics.empty() && program != nullptr ? "ok" : TextOf(diagnostics, nullptr);
}

std::string PlainFindingsOf(std::string text) {
  const std::vector<ModuleFile> sources = SourcesOf(OneFile(std::move(text)));
  Diagnostics diagnostics;
  CheckPlainConfig(sources, {}, ModuleOptions(), /*strict=*/false, &diagnostics);
  return diagnostics.empty() ? "ok" : TextOf(diagnostics, nullptr);
}

std::string ErrorsOf(const std::vector<TestFile>& files) {
  std::string errors;
  return CompileFiles(files, &errors) != nullptr && errors.empty() ? "ok" : errors;
}

std::string ValueOf(const std::vector<TestFile>& files, std::string_view entry, std::string_view scope) {
  std::string text;
  const auto program = CompileFiles(files, &text);
  if (program == nullptr) return text;
  Heap heap;
  JsonReader reader;
  JsonError error;
  Value variables;
  if (!reader.Read(scope, &heap, &variables, &error)) return error.detail;
  Evaluator evaluator(program);
  evaluator.BindAll(variables);
  const Evaluation& evaluation = entry.empty() ? evaluator.Run() : evaluator.Run(*program->FindEntry(entry));
  if (!evaluation.ok()) return TextOf(evaluation.diagnostics(), &program->source());
  std::string reason;
  AppendJson(evaluation.value(), &text, &reason);
  return text;
}

uint64_t CostOf(const std::vector<TestFile>& files, std::string_view entry, std::string_view scope) {
  std::string errors;
  const auto program = CompileFiles(files, &errors);
  EXPECT_EQ(errors, "") << files.back().text;
  if (program == nullptr) return 0;
  Heap heap;
  JsonError error;
  Value variables;
  EXPECT_TRUE(JsonReader().Read(scope, &heap, &variables, &error)) << error.detail;
  Evaluator evaluator(program);
  evaluator.BindAll(variables);
  const Evaluation& evaluation = evaluator.Run(*program->FindEntry(entry));
  EXPECT_TRUE(evaluation.ok()) << files.back().text;
  return Limits().max_fuel - evaluation.fuel_left();
}

}  // namespace hcl

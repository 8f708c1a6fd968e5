// Checks by spec files. Tested by tests/check_test.sh.
//
// A run over unknown values finds what no value could mend, by the same code that decodes: an answer for an unknown
// value is never taken back by the real one. So there is no second opinion on what a spec means.

#include "hclvm/workbench/spec_check.h"

#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/merged_body.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/findings.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/refinement.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Files with all that their bodies point into.
struct ParsedFiles {
  std::vector<std::unique_ptr<ParsedFile>> native;
  std::vector<std::unique_ptr<JsonFile>> json;
  std::vector<BodyViewPtr> bodies;
  SourceList sources;
};

void Parse(const ModuleFile& file, const CompileOptions& options, ParsedFiles* parsed, Diagnostics* diagnostics) {
  Diagnostics found(options.limits.max_diagnostics);
  parsed->sources.push_back(file.source);
  if (file.is_json) {
    parsed->json.push_back(ParseJson(*file.source, JsonOptionsFor(options), &found));
    parsed->bodies.push_back(ViewOf(*parsed->json.back()));
  } else {
    parsed->native.push_back(ParseConfig(*file.source, ParseOptionsFor(options), &found));
    parsed->bodies.push_back(ViewOf(*parsed->native.back()->body, *file.source));
  }
  AddAll(found, file.source.get(), diagnostics);
}

std::shared_ptr<const FunctionRegistry> FunctionsOf(const SpecFile& spec, const CompileOptions& options) {
  if (options.functions == nullptr) return spec.functions;
  FunctionRegistryBuilder builder;
  for (const std::shared_ptr<const FunctionRegistry>& some : {options.functions, spec.functions}) {
    if (some == nullptr) continue;
    for (const std::string_view name : some->Names()) builder.Add(*some->Find(name));
  }
  return std::move(builder).Build();
}

void BindDeclared(const Program& declared, Evaluator* evaluator) {
  for (const ModuleVariable& variable : TablesOf(declared).module()->variables) {
    const Type type = evaluator->heap()->types()->Import(variable.type);
    const bool is_there = !variable.nullable && type.is_primitive();
    evaluator->Bind(variable.name, is_there ? UnknownNotNull(type) : Value::Unknown(type));
  }
}

void Run(const std::shared_ptr<const Program>& program, const SpecFile& spec, const Program* declared,
         const Limits& limits, Diagnostics* diagnostics) {
  Evaluator evaluator(program, limits);
  if (declared != nullptr) {
    BindDeclared(*declared, &evaluator);
  } else {
    for (const std::string_view name : program->variables()) evaluator.Bind(name, Value::Dynamic());
  }
  for (const auto& [name, value] : spec.variables) evaluator.Bind(name, value);
  const Evaluation& evaluation = evaluator.Run();
  if (evaluation.ok()) return;
  Diagnostics found(limits.max_diagnostics);
  for (Diagnostic diagnostic : evaluation.diagnostics().kept()) {
    diagnostic.values.clear();  // they are unknown for the check alone
    found.Add(std::move(diagnostic));
  }
  found.AddUnkept(evaluation.diagnostics().unkept_errors(), evaluation.diagnostics().unkept_warnings());
  AddAll(found, &program->source(), diagnostics);
}

}  // namespace

// As in hclvm decode, strings of the JSON syntax are templates where there is something to refer to.
void CheckWithSpec(const SpecFile& spec, const Program* declared, absl::Span<const ModuleFile> files,
                   const CompileOptions& options, bool strict, Diagnostics* diagnostics) {
  Diagnostics found(options.limits.max_diagnostics);
  ParsedFiles parsed;
  for (const ModuleFile& file : files) Parse(file, options, &parsed, &found);
  if (!found.has_errors()) {
    DecoderOptions decoder;
    decoder.compile = options;
    decoder.compile.functions = FunctionsOf(spec, options);
    decoder.json = spec.variables.empty() && decoder.compile.functions == nullptr ? EvaluationMode::kLiteral
                                                                                  : EvaluationMode::kFull;
    const BodyViewPtr body = MergeBodies(std::move(parsed.bodies));
    Diagnostics mismatches(options.limits.max_diagnostics);
    const auto program = CompileDecoder(*spec.spec, *body, parsed.sources, decoder, &mismatches);
    // The program reports the errors itself, in the order of the text.
    for (const Diagnostic& diagnostic : mismatches.kept()) {
      if (program == nullptr || diagnostic.severity == Severity::kWarning) found.Add(diagnostic);
    }
    found.AddUnkept(program == nullptr ? mismatches.unkept_errors() : 0, mismatches.unkept_warnings());
    if (program != nullptr) Run(program, spec, declared, options.limits, &found);
  }
  AddFindings(found, strict, diagnostics);
}

}  // namespace hcl::internal

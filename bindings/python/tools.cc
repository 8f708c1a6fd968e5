// hclvm.check and hclvm.decode. Tested by bindings/python/tests/test_tools.py.

#include "hclvm/bindings/python/tools.h"

#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/python/call.h"
#include "hclvm/bindings/python/errors.h"
#include "hclvm/bindings/python/functions.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/config_file.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/module/module.h"

namespace hcl::python {

py::list Check(const py::object& files, bool is_module, const py::object& variables, bool strict,
               const CompileArguments& arguments) {
  const std::vector<ModuleFile> read = FilesOf(files);
  const std::vector<ModuleFile> declared = variables.is_none() ? std::vector<ModuleFile>() : FilesOf(variables);
  Call call(arguments.stop);
  const CompileOptions options = OptionsOf(arguments, &call);
  Diagnostics found(options.limits.max_diagnostics);
  const WorkingFor working(&call);
  call.WithoutGil([&] {
    if (is_module) {
      CheckModule(read, options, strict, &found);
    } else {
      CheckPlainConfig(read, declared, options, strict, &found);
    }
  });
  call.RaisePending();
  const Source* const source = read.front().source.get();
  if (found.has_limit()) Raise(ErrorOf(Phase::kCompile, found, source, call.cancelled()));
  return DiagnosticsOf(found.kept(), source);
}

std::shared_ptr<Program> CompileDecoder(const NamedText& spec, const NamedText& config, bool expand_dynamic_blocks,
                                        bool literal, const CompileArguments& arguments) {
  Call call(arguments.stop);
  DecoderOptions options;
  options.compile = OptionsOf(arguments, &call);
  options.expand_dynamic_blocks = expand_dynamic_blocks;
  const Limits& limits = options.compile.limits;
  const auto spec_source = std::make_shared<const Source>(spec.name, std::string(Bytes(spec.text, "the spec").view()));
  std::string text(Bytes(config.text, "the text").view());
  Diagnostics diagnostics(limits.max_diagnostics);
  std::unique_ptr<SpecFile> read;
  std::unique_ptr<internal::ConfigFile> input;
  std::shared_ptr<const hcl::Program> program;
  call.WithoutGil([&] {
    read = ReadSpecFile(spec_source, limits, &diagnostics);
    input = internal::ReadConfigFile(config.name, std::move(text), config.is_json, options.compile.dialect, limits,
                                     &diagnostics);
    if (read == nullptr || input->body == nullptr) return;
    options.compile.functions = read->functions;
    const bool has_names = !literal || !read->variables.empty() || read->functions != nullptr;
    options.json = has_names ? EvaluationMode::kFull : EvaluationMode::kLiteral;
    Diagnostics mismatches(limits.max_diagnostics);
    program = hcl::CompileDecoder(*read->spec, *input->body, {input->source}, options, &mismatches);
    // The program reports the errors itself, together with those of its evaluation.
    for (const Diagnostic& diagnostic : mismatches.kept()) {
      if (program == nullptr || diagnostic.severity == Severity::kWarning) diagnostics.Add(diagnostic);
    }
  });
  call.RaisePending();
  if (program == nullptr) Raise(ErrorOf(Phase::kCompile, diagnostics, input->source.get(), call.cancelled()));
  Limits kept = limits;
  kept.interrupt = {};
  auto made =
      std::make_shared<Program>(std::move(program), kept, DiagnosticsOf(diagnostics.kept(), input->source.get()));
  made->Give(std::move(read->variables), read->heap);
  return made;
}

}  // namespace hcl::python

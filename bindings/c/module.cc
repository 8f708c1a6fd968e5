// Modules and decoding. Tested by bindings/c/whole_test.cc.

#include "hclvm/module/module.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/config_file.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

bool HasJsonName(std::string_view name) {
  constexpr std::string_view kEnding = ".json";
  return name.size() >= kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding;
}

hclvm_status ReadFiles(const hclvm_file* files, size_t count, std::vector<ModuleFile>* read, hclvm_error** error) {
  constexpr size_t kMostFiles = 10'000;  // as in a directory
  if (files == nullptr || count == 0 || count > kMostFiles) {
    return Fail(HCLVM_ARGUMENT, "The files are NULL, none or too many.", error);
  }
  for (size_t n = 0; n < count; ++n) {
    std::string_view name, text;
    if (files[n].name == nullptr) return Fail(HCLVM_ARGUMENT, "The name of a file is NULL.", error);
    if (!ReadUtf8(files[n].name, HCLVM_TERMINATED, "The name of a file", &name, error)) return HCLVM_ARGUMENT;
    if (!ReadText(files[n].text, files[n].size, "The text of a file", &text, error)) return HCLVM_ARGUMENT;
    read->push_back({std::make_shared<const Source>(std::string(name), std::string(text)), HasJsonName(name)});
  }
  return HCLVM_OK;
}

// Moves what is about one source to where messages about several are.
void AddWithSource(const Diagnostics& found, const Source* source, Diagnostics* diagnostics) {
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = source;
    diagnostics->Add(std::move(diagnostic));
  }
}

struct DecodeTexts {
  std::string_view spec, config, scope;
};

// Variables of the scope come after those of the spec file, over which they win.
hclvm_status Decode(const DecodeTexts& texts, const hclvm_compile_options& fields, const CompileOptions& compile,
                    std::string* out, hclvm_error** error) {
  const Limits& limits = compile.limits;
  Diagnostics diagnostics(limits.max_diagnostics);
  const auto spec_source = std::make_shared<const Source>("<spec>", std::string(texts.spec));
  const std::unique_ptr<SpecFile> spec = ReadSpecFile(spec_source, limits, &diagnostics);
  if (spec == nullptr) return Fail(diagnostics, spec_source.get(), error);
  const std::string name = fields.name == nullptr ? "<input>" : fields.name;
  const auto file = ReadConfigFile(name, std::string(texts.config), fields.form == HCLVM_JSON_CONFIG, compile.dialect,
                                   limits, &diagnostics);
  if (diagnostics.has_errors()) return Fail(diagnostics, file->source.get(), error);
  Heap heap(nullptr, compile.dialect, limits);
  Value variables;
  if (!texts.scope.empty()) {
    JsonReader reader;
    const hclvm_status status = ReadJsonText(&reader, "<scope>", texts.scope, false, &heap, &variables, error);
    if (status != HCLVM_OK) return status;
    if (!variables.is_object()) {
      return Fail(DiagnosticCode::kInvalidVariables, "A JSON object is expected: variable name to value.", "<scope>",
                  texts.scope, 0, error);
    }
  }
  DecoderOptions options;
  options.compile = compile;
  options.compile.functions = spec->functions;
  // As in the reference, strings are templates where there is something to refer to.
  const bool has_names = !texts.scope.empty() || !spec->variables.empty() || spec->functions != nullptr;
  options.json = has_names ? EvaluationMode::kFull : EvaluationMode::kLiteral;
  SourceList sources;
  sources.push_back(file->source);
  Diagnostics mismatches(limits.max_diagnostics);
  const auto program = CompileDecoder(*spec->spec, *file->body, sources, options, &mismatches);
  if (program == nullptr) return Fail(mismatches, file->source.get(), error);
  Evaluator evaluator(program, limits);
  for (const auto& [variable, value] : spec->variables) evaluator.Bind(variable, value);
  if (!texts.scope.empty()) {
    for (uint32_t i = 0; i < variables.shape().size; ++i) {
      evaluator.Bind(variables.shape().keys[i].AsString(), variables.values()[i]);
    }
  }
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) {
    AddWithSource(evaluation.diagnostics(), &program->source(), &diagnostics);
    return Fail(diagnostics, nullptr, error);
  }
  return WriteJsonText(evaluation.value(), false, limits, out, error);
}

}  // namespace
}  // namespace hcl::internal

using hcl::internal::Fail;
using hcl::internal::Guarded;

hclvm_status hclvm_compile_module(const hclvm_file* files, size_t count, const hclvm_compile_options* options,
                                  hclvm_program** program, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (program == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the program is NULL.", error);
    *program = nullptr;
    hclvm_compile_options fields;
    hcl::internal::HostLimits limits;
    hcl::CompileOptions compile;
    std::vector<hcl::ModuleFile> read;
    hclvm_status status = hcl::internal::ReadCompileOptions(options, &fields, &limits, &compile, error);
    if (status == HCLVM_OK) status = hcl::internal::ReadFiles(files, count, &read, error);
    if (status != HCLVM_OK) return status;
    hcl::Diagnostics diagnostics(compile.limits.max_diagnostics);
    auto compiled = hcl::CompileModule(read, compile, &diagnostics);
    return hcl::internal::GiveProgram(std::move(compiled), diagnostics, read[0].source.get(), program, error);
  });
}

hclvm_status hclvm_compile_directory(const char* path, const hclvm_compile_options* options, hclvm_program** program,
                                     hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (program == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the program is NULL.", error);
    *program = nullptr;
    if (path == nullptr) return Fail(HCLVM_ARGUMENT, "The path is NULL.", error);
    hclvm_compile_options fields;
    hcl::internal::HostLimits limits;
    hcl::CompileOptions compile;
    const hclvm_status status = hcl::internal::ReadCompileOptions(options, &fields, &limits, &compile, error);
    if (status != HCLVM_OK) return status;
    const absl::StatusOr<std::vector<hcl::ModuleFile>> read = hcl::ReadModuleDirectory(path, compile.limits);
    if (!read.ok()) {
      const hclvm_status why = absl::IsResourceExhausted(read.status()) ? HCLVM_LIMIT
                               : absl::IsNotFound(read.status())        ? HCLVM_NOT_FOUND
                                                                        : HCLVM_INVALID;
      return Fail(why, std::string(read.status().message()), error);
    }
    hcl::Diagnostics diagnostics(compile.limits.max_diagnostics);
    auto compiled = hcl::CompileModule(*read, compile, &diagnostics);
    return hcl::internal::GiveProgram(std::move(compiled), diagnostics, (*read)[0].source.get(), program, error);
  });
}

hclvm_status hclvm_check_module(const hclvm_file* files, size_t count, const hclvm_compile_options* options, int strict,
                                hclvm_error** found) {
  return Guarded(found, [&]() -> hclvm_status {
    hclvm_compile_options fields;
    hcl::internal::HostLimits limits;
    hcl::CompileOptions compile;
    std::vector<hcl::ModuleFile> read;
    hclvm_status status = hcl::internal::ReadCompileOptions(options, &fields, &limits, &compile, found);
    if (status == HCLVM_OK) status = hcl::internal::ReadFiles(files, count, &read, found);
    if (status != HCLVM_OK) return status;
    hcl::Diagnostics diagnostics(compile.limits.max_diagnostics);
    hcl::CheckModule(read, compile, strict != 0, &diagnostics);
    if (diagnostics.has_errors()) return Fail(diagnostics, read[0].source.get(), found);
    if (!diagnostics.empty() && found != nullptr) {
      *found = hcl::internal::ErrorOf(HCLVM_OK, diagnostics, read[0].source.get()).release();
    }
    return HCLVM_OK;
  });
}

hclvm_status hclvm_decode_json(const char* spec, size_t spec_size, const char* config, size_t config_size,
                               const hclvm_compile_options* options, const char* scope, size_t scope_size,
                               char** result, size_t* result_size, hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (result == nullptr || result_size == nullptr) {
      return Fail(HCLVM_ARGUMENT, "The place for the result is NULL.", error);
    }
    *result = nullptr;
    *result_size = 0;
    hcl::internal::DecodeTexts texts;
    if (!hcl::internal::ReadText(spec, spec_size, "The spec", &texts.spec, error) ||
        !hcl::internal::ReadText(config, config_size, "The config", &texts.config, error) ||
        !hcl::internal::ReadText(scope, scope_size, "The scope", &texts.scope, error)) {
      return HCLVM_ARGUMENT;
    }
    hclvm_compile_options fields;
    hcl::internal::HostLimits limits;
    hcl::CompileOptions compile;
    const hclvm_status read = hcl::internal::ReadCompileOptions(options, &fields, &limits, &compile, error);
    if (read != HCLVM_OK) return read;
    if (options == nullptr) compile.dialect = hcl::Dialect::kHashiCorp;
    if (fields.form != HCLVM_CONFIG && fields.form != HCLVM_JSON_CONFIG) {
      return Fail(HCLVM_ARGUMENT, "Only configs can be decoded.", error);
    }
    std::string_view name;
    if (fields.name != nullptr && !hcl::internal::ReadUtf8(fields.name, HCLVM_TERMINATED, "The name", &name, error)) {
      return HCLVM_ARGUMENT;
    }
    std::string out;
    const hclvm_status status = hcl::internal::Decode(texts, fields, compile, &out, error);
    if (status != HCLVM_OK) return status;
    *result = hcl::internal::CopyText(out);
    *result_size = out.size();
    return HCLVM_OK;
  });
}

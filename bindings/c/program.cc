// Compiling. Tested by bindings/c/c_test.cc and bindings/c/hostile_test.cc.

#include "hclvm/vm/program.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/bindings/c/error.h"
#include "hclvm/bindings/c/handles.h"
#include "hclvm/bindings/c/hclvm.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(int32_t form, std::shared_ptr<const Source> source,
                                       const CompileOptions& options, Diagnostics* diagnostics) {
  switch (form) {
    case HCLVM_EXPRESSION:
      return CompileExpression(std::move(source), options, diagnostics);
    case HCLVM_TEMPLATE:
      return CompileTemplate(std::move(source), options, diagnostics);
    case HCLVM_JSON_CONFIG:
      return CompileJsonConfig(std::move(source), options, diagnostics);
    case HCLVM_JSON_EXPRESSION:
      return CompileJsonExpression(std::move(source), EvaluationMode::kFull, options, diagnostics);
    case HCLVM_MODULE: {
      const ModuleFile file = {std::move(source)};
      return CompileModule(absl::MakeConstSpan(&file, 1), options, diagnostics);
    }
    default:
      return CompileConfig(std::move(source), options, diagnostics);
  }
}

// Checks the options before anything is made of them. The text is copied once it is known to be no larger than the
// compiler would take, which has the message for a text that is.
hclvm_status CompileText(std::string_view text, const hclvm_compile_options* given, hclvm_program** program,
                         hclvm_error** error) {
  hclvm_compile_options fields;
  HostLimits limits;
  CompileOptions options;
  const hclvm_status status = ReadCompileOptions(given, &fields, &limits, &options, error);
  if (status != HCLVM_OK) return status;
  if (fields.form < HCLVM_CONFIG || fields.form > HCLVM_MODULE) {
    return Fail(HCLVM_ARGUMENT, "There is no such form of a text.", error);
  }
  std::string_view name = "<input>";
  if (fields.name != nullptr && !ReadUtf8(fields.name, HCLVM_TERMINATED, "The name", &name, error)) {
    return HCLVM_ARGUMENT;
  }
  auto source = std::make_shared<const Source>(std::string(name), std::string(text),
                                               fields.first_line == 0 ? 1 : fields.first_line);
  Diagnostics diagnostics(options.limits.max_diagnostics);
  return GiveProgram(Compile(fields.form, source, options, &diagnostics), diagnostics, source.get(), program, error);
}

}  // namespace

hclvm_status ReadCompileOptions(const hclvm_compile_options* given, hclvm_compile_options* fields, HostLimits* limits,
                                CompileOptions* options, hclvm_error** error) {
  *fields = {};
  // NOLINTNEXTLINE(bugprone-sizeof-expression): a pointer is the last field
  if (given != nullptr && !ReadStruct(given, HCLVM_FIRST_SIZE(hclvm_compile_options, limits), fields)) {
    return Fail(HCLVM_ARGUMENT, "The size of hclvm_compile_options is not that of any version.", error);
  }
  if (fields->dialect != HCLVM_SPEC && fields->dialect != HCLVM_HASHICORP) {
    return Fail(HCLVM_ARGUMENT, "There is no such dialect.", error);
  }
  if (!ReadLimits(fields->limits, limits, error)) return HCLVM_ARGUMENT;
  options->dialect = fields->dialect == HCLVM_SPEC ? Dialect::kSpec : Dialect::kHashiCorp;
  options->limits = limits->limits;
  options->limits.interrupt = limits->patience.Begin();
  options->functions = RegistryOf(fields->functions);
  return HCLVM_OK;
}

hclvm_status GiveProgram(std::shared_ptr<const Program> compiled, const Diagnostics& diagnostics, const Source* source,
                         hclvm_program** program, hclvm_error** error) {
  if (compiled == nullptr) return Fail(diagnostics, source, error);
  auto made = std::make_unique<hclvm_program>();
  made->program = std::move(compiled);
  if (!diagnostics.empty()) made->warnings = ErrorOf(HCLVM_OK, diagnostics, source);
  *program = made.release();
  return HCLVM_OK;
}

}  // namespace hcl::internal

using hcl::internal::Fail;
using hcl::internal::Guarded;

hclvm_status hclvm_compile(const char* text, size_t size, const hclvm_compile_options* options, hclvm_program** program,
                           hclvm_error** error) {
  return Guarded(error, [&]() -> hclvm_status {
    if (program == nullptr) return Fail(HCLVM_ARGUMENT, "The place for the program is NULL.", error);
    *program = nullptr;
    std::string_view view;
    if (!hcl::internal::ReadText(text, size, "The text", &view, error)) return HCLVM_ARGUMENT;
    return hcl::internal::CompileText(view, options, program, error);
  });
}

void hclvm_program_free(hclvm_program* program) { delete program; }

const hclvm_error* hclvm_program_warnings(const hclvm_program* program) {
  return program == nullptr ? nullptr : program->warnings.get();
}

size_t hclvm_program_variable_count(const hclvm_program* program) {
  return program == nullptr ? 0 : program->program->variables().size();
}

namespace {

const char* Give(std::string_view text, size_t* size) {
  *size = text.size();
  return text.data();
}

}  // namespace

const char* hclvm_program_variable(const hclvm_program* program, size_t index, size_t* size) {
  if (size == nullptr) return nullptr;
  *size = 0;
  if (index >= hclvm_program_variable_count(program)) return nullptr;
  return Give(program->program->variables()[index], size);
}

size_t hclvm_program_entry_count(const hclvm_program* program) {
  return program == nullptr ? 0 : program->program->entries().size();
}

const char* hclvm_program_entry(const hclvm_program* program, size_t index, size_t* size) {
  if (size == nullptr) return nullptr;
  *size = 0;
  if (index >= hclvm_program_entry_count(program)) return nullptr;
  return Give(program->program->entries()[index].path, size);
}

hclvm_status hclvm_program_find_entry(const hclvm_program* program, const char* path, size_t size, size_t* index) {
  if (index == nullptr) return HCLVM_ARGUMENT;
  *index = 0;
  std::string_view view;
  if (program == nullptr || path == nullptr || !hcl::internal::ReadText(path, size, "", &view, nullptr)) {
    return HCLVM_ARGUMENT;
  }
  const hcl::Entry* entry = program->program->FindEntry(view);
  if (entry == nullptr) return HCLVM_NOT_FOUND;
  *index = static_cast<size_t>(entry - program->program->entries().data());
  return HCLVM_OK;
}

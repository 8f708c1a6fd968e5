// The check of one path. Tested by tests/check_test.sh and cmd/hclvm/config_checker_test.cc.
//
// Paths have nothing in common but the settings, so that threads need not wait for each other. What was found waits for
// its turn to be told, as the output does not hang on which thread was faster.

#include "hclvm/cmd/hclvm/config_checker.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/spec_check.h"
#include "hclvm/cmd/hclvm/work_pool.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/typed_names.h"

namespace hcl::cmd {
namespace {

void ParseFile(const ModuleFile& file, const CompileOptions& options, Diagnostics* diagnostics) {
  if (file.is_json) {
    ParseJson(*file.source, JsonOptionsFor(options), diagnostics);
  } else {
    ParseConfig(*file.source, ParseOptionsFor(options), diagnostics);
  }
}

void CheckSyntax(const std::vector<ModuleFile>& files, const CompileOptions& options, uint32_t threads,
                 Diagnostics* diagnostics) {
  if (files.size() == 1) {
    Diagnostics own(options.limits.max_diagnostics);
    ParseFile(files[0], options, &own);
    return internal::AddAll(own, files[0].source.get(), diagnostics);
  }
  std::vector<std::unique_ptr<const Diagnostics>> found(files.size());
  ForEachIndex(files.size(), threads, [&](size_t n) {
    Diagnostics own(options.limits.max_diagnostics);
    ParseFile(files[n], options, &own);
    if (!own.empty()) found[n] = std::make_unique<const Diagnostics>(std::move(own));
  });
  for (size_t n = 0; n < files.size(); ++n) {
    if (found[n] != nullptr) internal::AddAll(*found[n], files[n].source.get(), diagnostics);
  }
}

void Take(const Diagnostics& found, const std::vector<ModuleFile>& files, CheckResult* result) {
  if (found.empty()) return;
  for (const ModuleFile& file : files) result->sources.push_back(file.source);
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = files[0].source.get();
    result->found.push_back(std::move(diagnostic));
  }
  result->left_out = found.unkept_errors() + found.unkept_warnings();
}

}  // namespace

CheckResult CheckPath(const std::string& path, bool is_module, const CheckSettings& settings, uint32_t threads) {
  CheckResult result;
  bool is_directory = false;
  const absl::StatusOr<std::vector<ModuleFile>> files = ReadSources(path, settings.compile.limits, &is_directory);
  if (!files.ok()) {
    result.status = files.status();
    return result;
  }
  Diagnostics found(settings.compile.limits.max_diagnostics);
  std::vector<internal::TypedName> names;
  std::vector<internal::TypedName>* const wanted = settings.show_types ? &names : nullptr;
  if (settings.syntax_only) {
    CheckSyntax(*files, settings.compile, threads, &found);
  } else if (settings.spec != nullptr) {
    CheckWithSpec(*settings.spec, settings.declared.get(), *files, settings.compile, settings.strict, &found);
  } else if (is_module || is_directory) {
    internal::CheckModuleTypes(*files, settings.compile, settings.strict, &found, wanted);
  } else {
    internal::CheckPlainTypes(*files, settings.variables, settings.compile, settings.strict, &found, wanted);
  }
  result.files = files->size();
  Take(found, *files, &result);
  for (const internal::TypedName& name : names) {
    absl::StrAppend(&result.types, settings.types_as_json ? internal::ToJson(name) : internal::ToText(name), "\n");
  }
  return result;
}

// Standard input is one text for whoever reads it first: then the order counts.
std::vector<std::unique_ptr<const CheckResult>> CheckPaths(const std::vector<std::string_view>& paths,
                                                           const CheckSettings& settings, uint32_t threads) {
  std::vector<std::unique_ptr<const CheckResult>> results(paths.size());
  const bool in_order = std::find(paths.begin(), paths.end(), "-") != paths.end();
  ForEachIndex(paths.size(), in_order ? 1 : threads, [&](size_t n) {
    CheckResult result =
        CheckPath(std::string(paths[n]), /*is_module=*/false, settings, paths.size() == 1 ? threads : 1);
    if (!result.is_one_sound_file()) results[n] = std::make_unique<const CheckResult>(std::move(result));
  });
  return results;
}

}  // namespace hcl::cmd

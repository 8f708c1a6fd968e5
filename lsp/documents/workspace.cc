// Workspace. Tested by lsp/documents/workspace_test.cc.

#include "hclvm/lsp/documents/workspace.h"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/module/findings.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/workbench/spec_check.h"

namespace hcl::lsp {
namespace {

bool IsStop(const Diagnostic& diagnostic) {
  return diagnostic.code == DiagnosticCode::kParsingInterrupted ||
         diagnostic.code == DiagnosticCode::kCompilationInterrupted ||
         diagnostic.code == DiagnosticCode::kEvaluationInterrupted;
}

}  // namespace

TextFilePtr Project::FileOf(const Source* source) const {
  for (const TextFilePtr& one : files) {
    if (one->source().get() == source) return one;
  }
  if (file->source().get() == source) return file;
  return spec != nullptr && spec->source().get() == source ? spec : nullptr;
}

std::vector<ModuleFile> Project::module_files() const {
  std::vector<ModuleFile> all;
  for (const TextFilePtr& one : files) all.push_back(one->module_file());
  return all;
}

Workspace::Workspace() = default;

bool Workspace::MatchesSpec(const std::string& path, std::string* spec) const {
  const std::string shown = files_.ShownName(path);
  for (const Settings::Spec& one : settings_.specs) {
    if (::fnmatch(one.files.c_str(), shown.c_str(), 0) != 0 &&
        ::fnmatch(one.files.c_str(), NameOf(path).c_str(), 0) != 0) {
      continue;
    }
    *spec = files_.AbsolutePath(one.spec);
    return true;
  }
  return false;
}

// A folder is a module where a file of it declares names: otherwise each of its files is a config by itself, as it is
// for commands that are given a file.
Project Workspace::ProjectOf(const TextFilePtr& file) {
  Project project;
  project.file = file;
  project.path = file->path();
  project.files = {file};
  const std::string name = NameOf(file->path());
  std::string spec;
  if (absl::EndsWith(name, ".hcldec")) {
    project.kind = ProjectKind::kSpec;
  } else if (MatchesSpec(file->path(), &spec) && (project.spec = files_.Read(spec)) != nullptr) {
    project.kind = ProjectKind::kDecoded;
  } else if (internal::IsTestFileName(name)) {
    project.kind = ProjectKind::kTests;
    project.files = files_.ReadFolder(FolderOf(file->path()), IsModuleFileName);
  } else if (IsModuleFileName(name)) {
    std::vector<TextFilePtr> all = files_.ReadFolder(FolderOf(file->path()), IsModuleFileName);
    const bool is_module =
        std::any_of(all.begin(), all.end(), [](const TextFilePtr& one) { return one->declares_names(); });
    if (is_module) {
      project.kind = ProjectKind::kModule;
      project.path = FolderOf(file->path());
      project.files = std::move(all);
    }
  }
  return project;
}

Limits Workspace::LimitsFor(std::chrono::milliseconds time) const {
  Limits limits;
  limits.max_fuel = kMaxEvaluationFuel;
  limits.max_compile_fuel = std::min(limits.max_compile_fuel, kMaxEvaluationFuel);
  limits.interrupt.cancel = &stop_;
  limits.interrupt.deadline = std::chrono::steady_clock::now() + time;
  return limits;
}

// A description with mistakes leaves the functions of the library: hclvm check --functions says what is wrong with it.
CompileOptions Workspace::OptionsFor(std::chrono::milliseconds time) {
  CompileOptions options;
  options.limits = LimitsFor(time);
  options.dialect = settings_.is_hashicorp ? Dialect::kHashiCorp : Dialect::kSpec;
  options.functions = StandardFunctions();
  if (settings_.functions.empty()) return options;
  const TextFilePtr file = files_.Read(files_.AbsolutePath(settings_.functions));
  if (file == nullptr) return options;
  Diagnostics ignored;
  auto described = ReadFunctionDescriptions(file->source(), options.functions, options.limits, &ignored);
  if (described != nullptr) options.functions = std::move(described);
  return options;
}

std::unique_ptr<SpecFile> Workspace::SpecOf(const Project& project, Diagnostics* diagnostics) {
  return ReadSpecFile(project.spec->source(), LimitsFor(kMaxCheckTime), diagnostics);
}

internal::TestSuiteOptions Workspace::SuiteOptionsFor(const std::string& folder, std::chrono::milliseconds time) {
  internal::TestSuiteOptions options;
  options.compile = OptionsFor(time);
  options.read_file = [folder, read = files_.Reader()](const std::string& path) -> absl::StatusOr<std::string> {
    std::optional<std::string> text = read(!path.empty() && path[0] == '/' ? path : absl::StrCat(folder, "/", path));
    if (!text) return absl::NotFoundError(absl::StrCat("cannot read ", path));
    return *std::move(text);
  };
  return options;
}

CheckOutcome Workspace::Check(const Project& project, internal::TypeObserver* observer) {
  CompileOptions options = OptionsFor(kMaxCheckTime);
  options.fast_code = false;  // nothing runs
  Diagnostics found(options.limits.max_diagnostics);
  CheckOutcome outcome;
  switch (project.kind) {
    case ProjectKind::kModule:
      internal::CheckModuleTypes(project.module_files(), options, settings_.strict, &found, &outcome.names, observer);
      break;
    case ProjectKind::kPlain:
      internal::CheckPlainTypes(project.module_files(), {}, options, settings_.strict, &found, &outcome.names,
                                observer);
      break;
    case ProjectKind::kTests: {
      internal::TestedModule module{project.module_files(), nullptr};
      internal::ReadTestSuite(project.file->source(), &module, SuiteOptionsFor(FolderOf(project.path), kMaxCheckTime),
                              &found);
      break;
    }
    case ProjectKind::kSpec:
      ReadSpecFile(project.file->source(), options.limits, &found);
      break;
    case ProjectKind::kDecoded: {
      const std::unique_ptr<SpecFile> spec = SpecOf(project, &found);
      options.functions = settings_.functions.empty() ? nullptr : options.functions;
      options.dialect = Dialect::kHashiCorp;  // as hclvm decode
      if (spec != nullptr) {
        internal::CheckWithSpec(*spec, nullptr, project.module_files(), options, settings_.strict, &found);
      }
      break;
    }
  }
  found.DropRepeated();
  for (const TextFilePtr& file : project.files) outcome.sources.push_back(file->source());
  outcome.sources.push_back(project.file->source());
  if (project.spec != nullptr) outcome.sources.push_back(project.spec->source());
  for (Diagnostic diagnostic : found.kept()) {
    outcome.is_stopped = outcome.is_stopped || IsStop(diagnostic);
    if (diagnostic.source == nullptr) diagnostic.source = project.file->source().get();
    outcome.found.push_back(std::move(diagnostic));
  }
  return outcome;
}

}  // namespace hcl::lsp

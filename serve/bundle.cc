// Bundles. Tested by serve/bundle_test.cc.

#include "hclvm/serve/bundle.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <map>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/base/unicode.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/serve/digest.h"
#include "hclvm/vm/module_tables.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/workbench/live_recorder.h"
#include "hclvm/workbench/module_tests.h"
#include "hclvm/workbench/test_report.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::serve {

using internal::ToAbsl;
namespace {

constexpr unsigned kMaxThreads = 8;
constexpr size_t kMaxDiagnostics = 100;

// What compiling one module needs and leaves.
struct Work {
  std::vector<ModuleFile> files;
  Diagnostics diagnostics;
};

std::vector<std::string> SensitiveVariables(const Program& program) {
  std::vector<std::string> names;
  const auto* const module = static_cast<const internal::ProgramTables&>(program).module();
  if (module == nullptr) return names;
  for (const internal::ModuleVariable& variable : module->variables) {
    if (variable.sensitive) names.push_back(variable.name);
  }
  return names;
}

bool IsUnder(std::string_view folder, const std::vector<std::string>& roots) {
  return roots.empty() || std::any_of(roots.begin(), roots.end(), [&](const std::string& root) {
           return root.empty() || folder == root ||
                  (folder.size() > root.size() && folder[root.size()] == '/' && folder.substr(0, root.size()) == root);
         });
}

}  // namespace

Limits ServiceLimits() {
  Limits limits;
  limits.max_fuel = 1'000'000;
  limits.max_result_bytes = 16 << 20;
  limits.max_output_bytes = 16 << 20;
  limits.max_nesting_depth = 128;
  limits.max_diagnostics = 20;
  return limits;
}

void ReportErrors(const Diagnostics& diagnostics, const Source* source, BundleFailure* failure) {
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (diagnostic.severity != Severity::kError || failure->diagnostics.size() >= kMaxDiagnostics) continue;
    failure->has_limit = failure->has_limit || diagnostic.is_limit;
    failure->diagnostics.push_back(ToJson(diagnostic, source));
    absl::StrAppend(&failure->text, ToText(diagnostic, source), "\n");
  }
}

const BundleEntry* Bundle::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return &entries_[found->second];
  if (internal::IsKnownNfc(name)) return nullptr;
  const auto normalized = by_name_.find(internal::ToNfc(name));
  return normalized == by_name_.end() ? nullptr : &entries_[normalized->second];
}

// Two mistakes are no misspellings: a module instead of an entry, and the name of a file in front of the attribute
// ("billing/policy.allow"). Of the module's entries, one with that attribute is meant in the second case.
std::string Bundle::AdviceFor(std::string_view name) const {
  constexpr size_t kMostCompared = 1000;  // of a long bundle, as the search takes time for each
  std::vector<std::string_view> names;
  const BundleEntry* in_module = nullptr;
  const BundleEntry* beside = nullptr;
  const size_t slash = name.rfind('/');
  const std::string_view folder = slash == std::string_view::npos ? std::string_view() : name.substr(0, slash + 1);
  const std::string_view attribute = name.substr(name.find_last_of("/.") + 1);
  for (const BundleEntry& entry : entries_) {
    if (names.size() == kMostCompared) break;
    names.push_back(entry.name);
    const size_t end = entry.name.rfind('/');
    if (end == std::string::npos) continue;
    const std::string_view module(entry.name.data(), end);
    const std::string_view own = std::string_view(entry.name).substr(end + 1);
    if (in_module == nullptr && module == name) in_module = &entry;
    if (module.size() + 1 == folder.size() && absl::StartsWith(entry.name, internal::ToAbsl(folder)) &&
        (beside == nullptr || own == attribute)) {
      beside = &entry;
    }
  }
  const std::string_view nearest = NearestName(name, names);
  if (!nearest.empty()) return absl::StrCat(" Did you mean \"", internal::ToAbsl(nearest), "\"?");
  if (in_module != nullptr) return absl::StrCat(" This is a module, and has \"", in_module->name, "\".");
  if (beside == nullptr) return "";
  return absl::StrCat(" The name of a file is no part of an entry's name; the module has \"", beside->name, "\".");
}

std::map<std::string, std::vector<ModuleFile>> ModulesOf(const BundleFiles& files) {
  std::map<std::string, std::vector<ModuleFile>> modules;
  for (const auto& [path, text] : files) {
    const size_t slash = path.rfind('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    if (path == kServiceFileName || !IsModuleFileName(name)) continue;
    modules[slash == std::string::npos ? "" : path.substr(0, slash)].push_back(
        {std::make_shared<const Source>(path, text), absl::EndsWith(path, ".json")});
  }
  return modules;
}

// One compilation of a bundle.
class BundleCompiler {
 public:
  BundleCompiler(const BundleFiles& files, const BundleOptions& options, const Bundle* previous, BundleFailure* failure)
      : files_(files), options_(options), previous_(previous), failure_(*failure), bundle_(new Bundle()) {}

  std::shared_ptr<const Bundle> Compile() {
    auto manifest = ReadManifest(files_, options_.manifest);
    if (!manifest.ok()) return Refuse(std::string(manifest.status().message()));
    bundle_->manifest_ = *std::move(manifest);
    if (!FindModules()) return nullptr;
    CompileModules();
    CompileService();
    if (!failure_.diagnostics.empty()) return Refuse("the bundle has errors");
    if (options_.runs_tests) RunTests();
    if (!failure_.diagnostics.empty()) return Refuse("tests of the bundle fail");
    if (!ListEntries()) return nullptr;
    if (!FindServiceEntry("authz", bundle_->authz(), kDefaultAuthzEntry, &bundle_->authz_entry_)) return nullptr;
    if (!FindServiceEntry("authzen", bundle_->authzen(), kDefaultAuthzenEntry, &bundle_->authzen_entry_))
      return nullptr;
    return bundle_;
  }

 private:
  std::nullptr_t Refuse(std::string message) {
    failure_.message = std::move(message);
    return nullptr;
  }

  bool FindModules() {
    std::map<std::string, std::vector<ModuleFile>> found = ModulesOf(files_);
    if (found.empty()) return Refuse("the bundle has no *.hcl and no *.hcl.json in it"), false;
    for (auto& [folder, files] : found) {
      if (!IsUnder(folder, bundle_->manifest_.roots)) {
        return Refuse(absl::StrCat("the module \"", folder, "\" is not below the roots of the manifest")), false;
      }
      BundleModule module;
      module.name = folder;
      std::string digests;
      for (const ModuleFile& file : files) {
        absl::StrAppend(&digests, file.source->name(), "\n", Sha256Hex(file.source->text()), "\n");
      }
      module.digest = Sha256Hex(digests);
      bundle_->modules_.push_back(std::move(module));
      Work work;
      work.files = std::move(files);
      work_.push_back(std::move(work));
    }
    return true;
  }

  void CompileModules() {
    internal::HashMap<std::string_view, const BundleModule*> known;
    if (previous_ != nullptr) {
      for (const BundleModule& module : previous_->modules()) known.emplace(module.digest, &module);
    }
    for (BundleModule& module : bundle_->modules_) {
      const auto found = known.find(module.digest);
      if (found == known.end()) continue;
      module.program = found->second->program;
      module.recording = found->second->recording;
      module.sensitive = found->second->sensitive;
    }
    std::atomic<size_t> next{0};
    const auto compile = [&] {
      for (size_t n = next++; n < work_.size(); n = next++) CompileOne(n);
    };
    std::vector<std::thread> helpers;
    const size_t wanted = std::min<size_t>({std::thread::hardware_concurrency(), kMaxThreads, work_.size()});
    try {
      while (helpers.size() + 1 < wanted) helpers.emplace_back(compile);
    } catch (const std::system_error&) {
      // Those that there are do the work.
    }
    compile();
    for (std::thread& helper : helpers) helper.join();
    for (const Work& work : work_) ReportErrors(work.diagnostics, work.files[0].source.get(), &failure_);
  }

  void CompileOne(size_t at) {
    BundleModule& module = bundle_->modules_[at];
    if (module.program != nullptr) return;
    module.program = CompileModule(work_[at].files, options_.compile, &work_[at].diagnostics);
    if (module.program == nullptr) return;
    module.sensitive = SensitiveVariables(*module.program);
    if (!options_.explains) return;
    Diagnostics again;
    module.recording = CompileModule(work_[at].files, internal::RecordingOptions(options_.compile), &again);
    work_[at].diagnostics = module.recording == nullptr ? std::move(again) : std::move(work_[at].diagnostics);
  }

  void RunTests() {
    for (size_t n = 0; n < work_.size(); ++n) {
      const std::string& folder = bundle_->modules_[n].name;
      internal::TestedModule module;
      module.files = work_[n].files;
      module.program = bundle_->modules_[n].program;
      std::vector<std::shared_ptr<const Source>> tests;
      for (const auto& [path, text] : files_) {
        const auto at = std::filesystem::path(path);
        if (at.parent_path().string() == folder && internal::IsTestFileName(at.filename().string())) {
          tests.push_back(std::make_shared<const Source>(path, text));
        }
      }
      if (tests.empty()) continue;
      internal::TestSuiteOptions options;
      options.compile = options_.compile;
      options.read_file = [&](const std::string& path) -> absl::StatusOr<std::string> {
        const auto file = files_.find((std::filesystem::path(folder) / path).lexically_normal().string());
        if (file != files_.end()) return file->second;
        return absl::NotFoundError(absl::StrCat("the bundle has no file ", path, " below its module"));
      };
      Diagnostics found(kMaxDiagnostics);
      const internal::TestReport report = internal::RunModuleTests(&module, tests, options, options_.tests);
      internal::AddFailures(report, &found);
      ReportErrors(found, /*source=*/nullptr, &failure_);
    }
  }

  void CompileService() {
    const auto file = files_.find(kServiceFileName);
    if (file == files_.end()) return;
    Diagnostics diagnostics;
    bundle_->service_digest_ = Sha256Hex(file->second);
    bundle_->service_ = CompileServiceFile(file->first, file->second, options_.compile, &diagnostics, &sources_);
    ReportErrors(diagnostics, sources_[0].get(), &failure_);
  }

  bool ListEntries() {
    size_t count = 0;
    for (const BundleModule& module : bundle_->modules_) count += module.program->entries().size();
    bundle_->entries_.reserve(count);
    bundle_->by_name_.reserve(count);
    for (uint32_t n = 0; n < bundle_->modules_.size(); ++n) {
      const BundleModule& module = bundle_->modules_[n];
      for (const Entry& entry : module.program->entries()) {
        const auto index = static_cast<uint32_t>(bundle_->entries_.size());
        std::string name =
            module.name.empty() ? std::string(entry.path) : absl::StrCat(module.name, "/", ToAbsl(entry.path));
        if (!internal::IsKnownNfc(name))
          name = internal::ToNfc(name);  // folders have names as a file system keeps them
        bundle_->entries_.push_back({std::move(name), n, index, &entry});
        if (!bundle_->by_name_.emplace(bundle_->entries_.back().name, index).second) {
          return Refuse(absl::StrCat("two modules have the entry ", bundle_->entries_.back().name)), false;
        }
      }
    }
    return true;
  }

  // The entry of a block of service.hcl, if it is the same for all requests. A wrong name is a mistake of the bundle
  // and not of each request.
  bool FindServiceEntry(std::string_view name, const ServiceBlock* block, std::string_view without,
                        const BundleEntry** found) {
    if (block == nullptr) {
      *found = bundle_->Find(without);
      return true;
    }
    if (!block->entry) {
      Refuse(absl::StrCat(kServiceFileName, ": the block \"", ToAbsl(name), "\" lacks the attribute \"entry\""));
      return false;
    }
    if (!block->constant_entry) return true;
    *found = bundle_->Find(*block->constant_entry);
    if (*found != nullptr) return true;
    Diagnostic diagnostic(DiagnosticCode::kUnsupportedArgument);
    diagnostic.detail = absl::StrCat("The bundle has no entry \"", *block->constant_entry, "\".",
                                     bundle_->AdviceFor(*block->constant_entry));
    diagnostic.subject = block->entry_range;
    diagnostic.source = sources_[0].get();
    Diagnostics diagnostics;
    diagnostics.Add(std::move(diagnostic));
    ReportErrors(diagnostics, sources_[0].get(), &failure_);
    return Refuse("the bundle has errors"), false;
  }

  const BundleFiles& files_;
  const BundleOptions& options_;
  const Bundle* const previous_;
  BundleFailure& failure_;
  const std::shared_ptr<Bundle> bundle_;
  std::vector<Work> work_;  // by module
  std::vector<std::shared_ptr<const Source>> sources_;
};

std::shared_ptr<const Bundle> CompileBundle(const BundleFiles& files, const BundleOptions& options,
                                            const Bundle* previous, BundleFailure* failure) {
  return BundleCompiler(files, options, previous, failure).Compile();
}

}  // namespace hcl::serve

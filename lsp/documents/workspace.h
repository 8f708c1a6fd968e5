// Workspace: what the files of a session are to each other, and what a check says of them.
//
// A document belongs to a project: a module with all its files, a file of tests beside a module, a spec file, a config
// that a spec file describes, or a config by itself. Tested by lsp/documents/workspace_test.cc.

#ifndef HCLVM_LSP_DOCUMENTS_WORKSPACE_H_
#define HCLVM_LSP_DOCUMENTS_WORKSPACE_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/lsp/documents/file_store.h"
#include "hclvm/lsp/documents/settings.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/module/module.h"
#include "hclvm/module/type_observer.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/workbench/test_suite.h"

namespace hcl::lsp {

enum class ProjectKind : uint8_t {
  kModule,   // the files of a folder
  kPlain,    // one config
  kTests,    // one *.test.hcl, with the module of its folder
  kSpec,     // one *.hcldec
  kDecoded,  // one config, by the spec file that the settings name, if it can be read
};

// Plain data.
struct Project {
  ProjectKind kind = ProjectKind::kPlain;
  std::string path;                // of the folder of a module; otherwise of the file
  TextFilePtr file;                // the document that was asked for
  std::vector<TextFilePtr> files;  // of the module, also for kTests; otherwise the file
  TextFilePtr spec;                // of kDecoded

  bool has_module() const { return kind == ProjectKind::kModule || kind == ProjectKind::kTests; }
  // The file of that source, or null.
  TextFilePtr FileOf(const Source* source) const;
  std::vector<ModuleFile> module_files() const;
};

struct CheckOutcome {
  std::vector<Diagnostic> found;           // each with its source
  std::vector<internal::TypedName> names;  // as hclvm check --show-types prints them
  bool is_stopped = false;                 // the interrupt or the deadline has ended it; then nothing else counts
  // What sources of `found` and `names` are of.
  std::vector<std::shared_ptr<const Source>> sources;
};

// Not thread-safe, but for stop().
class Workspace {
 public:
  Workspace();

  FileStore* files() { return &files_; }
  const Settings& settings() const { return settings_; }
  void set_settings(Settings settings) { settings_ = std::move(settings); }

  // Set from any thread: work that is under way stops.
  std::atomic<bool>* stop() { return &stop_; }

  // The project of a file, with the present texts of its files.
  Project ProjectOf(const TextFilePtr& file);
  // What is wrong, as `hclvm check` and `hclvm test` say it, and the types of names. `observer` may be null. Takes
  // kMaxCheckTime at most.
  CheckOutcome Check(const Project& project, internal::TypeObserver* observer = nullptr);

  // Limits of work that begins now: fuel, and `time` as the deadline.
  Limits LimitsFor(std::chrono::milliseconds time) const;
  // How configs are compiled, with the functions of the host that settings name.
  CompileOptions OptionsFor(std::chrono::milliseconds time);
  // The spec file of a kDecoded project, or null.
  std::unique_ptr<SpecFile> SpecOf(const Project& project, Diagnostics* diagnostics);
  // How files of tests in `folder` are read. May be used in another thread, but for its interrupt.
  internal::TestSuiteOptions SuiteOptionsFor(const std::string& folder, std::chrono::milliseconds time);

 private:
  bool MatchesSpec(const std::string& path, std::string* spec) const;

  FileStore files_;
  Settings settings_;
  std::atomic<bool> stop_{false};
};

// Longer checks end without a finding.
inline constexpr std::chrono::milliseconds kMaxCheckTime{5'000};
// A run of tests, or their explanation.
inline constexpr std::chrono::milliseconds kMaxTestTime{60'000};
// Evaluations for a hover or a hint.
inline constexpr std::chrono::milliseconds kMaxEvaluationTime{200};
// Fuel of each evaluation and of what compiling computes beforehand: some 50 ms.
inline constexpr uint64_t kMaxEvaluationFuel = 10'000'000;

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_DOCUMENTS_WORKSPACE_H_

// Bundle: a revision of the policies, compiled: what decides all requests from its activation on.
//
// Tested by serve/bundle_test.cc.

#ifndef HCLVM_SERVE_BUNDLE_H_
#define HCLVM_SERVE_BUNDLE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/manifest.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/test_runner.h"

namespace hcl::serve {

// A folder with policies.
struct BundleModule {
  std::string name;    // the folder's path; empty: the top
  std::string digest;  // of its files
  std::shared_ptr<const Program> program;
  std::shared_ptr<const Program> recording;  // the same, for explanations; null where nobody asks for them
  std::vector<std::string> sensitive;        // variables that are declared so
};

// An attribute of a module.
struct BundleEntry {
  std::string name;  // "billing/policy.access.decision"; without "/" those of the top
  uint32_t module;   // an index in Bundle::modules()
  uint32_t index;    // of it among all entries
  const Entry* entry;
};

// The limits of one decision, and so of tests and data. Smaller than the library's own, which are for files.
Limits ServiceLimits();

struct BundleOptions {
  CompileOptions compile;
  ManifestOptions manifest;
  // Run the tests of all modules (docs/testing.md), and refuse a bundle that has one which fails.
  bool runs_tests = false;
  internal::TestRunOptions tests;
  // Compile each module once more, so that its decisions can be explained.
  bool explains = false;
};

// Why a bundle was refused.
struct BundleFailure {
  std::string message;                   // one line
  std::vector<std::string> diagnostics;  // one JSON object each, as ToJson() writes them
  std::string text;                      // the same for people
  bool has_limit = false;                // one of them is that a limit was reached
};

// Adds the errors, up to a hundred. `source` as for ToJson().
void ReportErrors(const Diagnostics& diagnostics, const Source* source, BundleFailure* failure);

// Immutable and thread-safe.
class Bundle {
 public:
  const std::string& revision() const { return manifest_.revision; }
  const Manifest& manifest() const { return manifest_; }
  const std::vector<BundleModule>& modules() const { return modules_; }
  const std::vector<BundleEntry>& entries() const { return entries_; }
  // The entry of that name, or null. Names that are equal when normalized (NFC) are one. Lives as long as the bundle.
  const BundleEntry* Find(std::string_view name) const;
  // What to say to somebody who asked for the entry `name`, which Find() does not find: the nearest name, or an entry
  // of the module that `name` is or begins with. Begins with a space; empty where there is neither.
  std::string AdviceFor(std::string_view name) const;
  // Null without an authz block.
  const Authz* authz() const { return service_.authz.get(); }
  // Null without an authzen block.
  const Authzen* authzen() const { return service_.authzen.get(); }
  // The program of both. Null without either.
  const std::shared_ptr<const Program>& service_program() const { return service_.program; }
  // Of the file that they are in; empty without one.
  const std::string& service_digest() const { return service_digest_; }
  // The entry that decides all requests of forward authorization: that of the authz block, if it is a constant, or
  // kDefaultAuthzEntry without one. Null where there is none.
  const BundleEntry* authz_entry() const { return authz_entry_; }
  // The same of AuthZEN's questions: that of the authzen block, or kDefaultAuthzenEntry.
  const BundleEntry* authzen_entry() const { return authzen_entry_; }

 private:
  friend class BundleCompiler;
  Bundle() = default;

  Manifest manifest_;
  std::vector<BundleModule> modules_;
  std::vector<BundleEntry> entries_;
  internal::HashMap<std::string_view, uint32_t> by_name_;
  ServiceFile service_;
  std::string service_digest_;
  const BundleEntry* authz_entry_ = nullptr;
  const BundleEntry* authzen_entry_ = nullptr;
};

// The files of each module, by its name: the folders with at least one file of policies, in order. service.hcl at the
// top is in none of them. Pure.
std::map<std::string, std::vector<ModuleFile>> ModulesOf(const BundleFiles& files);

// Checks the manifest and compiles all modules, in several threads. Those of `previous` (may be null; compiled with the
// same options) whose files are the same are taken from there. Null where anything is wrong, which *failure says.
std::shared_ptr<const Bundle> CompileBundle(const BundleFiles& files, const BundleOptions& options,
                                            const Bundle* previous, BundleFailure* failure);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_BUNDLE_H_

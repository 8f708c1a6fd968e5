// BundleSummary: what a bundle has, for people and programs that look at one or compare two: `hclvm bundle inspect` and
// `hclvm bundle diff`.
//
// Tested by serve/bundle_summary_test.cc.

#ifndef HCLVM_SERVE_BUNDLE_SUMMARY_H_
#define HCLVM_SERVE_BUNDLE_SUMMARY_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/compiler/compile_options.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"

namespace hcl::serve {

struct FileSummary {
  uint64_t size = 0;   // bytes
  std::string digest;  // SHA-256 in hex
  // Of a module, of its tests, of the bundle itself (manifest, signature, service.hcl), or anything else, as what tests
  // read.
  enum class Kind { kPolicy, kTest, kBundle, kData } kind = Kind::kData;
};

struct VariableSummary {
  std::string type;           // in type syntax, in one line
  bool required = false;      // it has no default
  std::string default_value;  // as an expression; empty where it is required or sensitive
  bool nullable = false;
  bool sensitive = false;
  bool ephemeral = false;
  bool deprecated = false;
};

struct ModuleSummary {
  std::map<std::string, VariableSummary> variables;  // by name
  // Name in the bundle, "billing/allow" -> type, as far as it is known before anything runs.
  std::map<std::string, std::string> entries;
};

struct BundleSummary {
  std::string revision;
  bool has_manifest = false;
  bool has_checksums = false;
  bool has_signature = false;  // which says nothing of whether it is right
  std::vector<std::string> roots;
  std::string metadata;  // JSON; empty: none
  uint64_t bytes = 0;    // of all files
  std::map<std::string, FileSummary> files;
  std::map<std::string, ModuleSummary> modules;
};

// `bundle` is what `files` compile to with `options`. Thread-safe.
BundleSummary SummarizeBundle(const BundleFiles& files, const Bundle& bundle, const CompileOptions& options);

// For people, in lines.
std::string SummaryText(const BundleSummary& summary);
// One object, with a line end.
std::string SummaryJson(const BundleSummary& summary);

// What two bundles have in different ways.
struct BundleChange {
  std::string kind;  // "manifest", "module", "entry", "variable", "policy file", "test file", "data file" ...
  std::string name;
  std::string before;  // empty: it is new
  std::string after;   // empty: it is gone
};

// In the order of kinds and names.
std::vector<BundleChange> CompareBundles(const BundleSummary& before, const BundleSummary& after);

std::string ChangesText(const BundleSummary& before, const BundleSummary& after,
                        const std::vector<BundleChange>& changes);
// One object, with a line end.
std::string ChangesJson(const BundleSummary& before, const BundleSummary& after,
                        const std::vector<BundleChange>& changes);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_BUNDLE_SUMMARY_H_

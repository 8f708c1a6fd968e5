// hclvm bundle, and of its commands those that read: verify, inspect and diff. Tested by tests/bundle_command_test.sh.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/cmd/hclvm/bundle_input.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/bundle_summary.h"
#include "hclvm/serve/manifest.h"
#include "hclvm/serve/signature.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "bundle";
constexpr std::string_view kVerify = "bundle verify";
constexpr std::string_view kInspect = "bundle inspect";
constexpr std::string_view kDiff = "bundle diff";
constexpr uint64_t kMaxKeyBytes = 1 << 20;

struct ReportOptions {
  CommonOptions common;
  bool as_json = false;
};

void AddReportOptions(ReportOptions* options, CommandSyntax* syntax) {
  options->common.compile.functions = StandardFunctions();
  syntax->setters.push_back({"--format", [options](std::string_view v) -> std::string {
                               options->as_json = v == "json";
                               return v == "text" || v == "json" ? "" : "must be text or json";
                             }});
  AddDiagnosticsOption(&options->common.json_diagnostics, syntax);
}

// What the bundle at `path` has. An exit status.
int Summarize(std::string_view command, const std::string& path, const CommonOptions& common,
              serve::BundleSummary* summary) {
  serve::BundleFiles files;
  int status = ReadBundleFiles(command, path, &files);
  if (status != kSuccess) return status;
  serve::BundleOptions options;
  options.compile = common.compile;
  std::shared_ptr<const serve::Bundle> bundle;
  status = CompileBundleFiles(command, path, files, options, common, &bundle);
  if (status == kSuccess) *summary = serve::SummarizeBundle(files, *bundle, options.compile);
  return status;
}

int VerifyCommand(const std::vector<std::string_view>& arguments) {
  std::vector<std::string> key_paths;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kVerify);
  syntax.setters = {{"--key", [&](std::string_view v) { return key_paths.emplace_back(v), ""; }}};
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() != 1 || key_paths.empty()) {
    return Complain(kVerify, "give a bundle and --key PUBLIC.pem (see hclvm bundle verify --help)", kUsageError);
  }
  serve::ManifestOptions options;
  options.required = true;
  for (const std::string& key_path : key_paths) {
    std::string key, fault;
    status = ReadFile(key_path, kMaxKeyBytes, &key, &fault);
    if (status != kSuccess) return Complain(kVerify, fault, status);
    const auto names = serve::PublicKeyNames(key);
    if (!names.ok()) return ComplainOf(kVerify, key_path, names.status());
    absl::StrAppend(&options.required_keys, key, "\n");
  }
  const std::string path(positional[0]);
  serve::BundleFiles files;
  status = ReadBundleFiles(kVerify, path, &files);
  if (status != kSuccess) return status;
  const auto manifest = serve::ReadManifest(files, options);
  if (!manifest.ok()) return ComplainOf(kVerify, path, manifest.status());
  std::printf("%s: revision %s, signed by %s\n", path.c_str(), manifest->revision.c_str(), manifest->signer.c_str());
  return kSuccess;
}

int InspectCommand(const std::vector<std::string_view>& arguments) {
  ReportOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kInspect);
  AddReportOptions(&options, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() != 1) {
    return Complain(kInspect, "give one bundle (see hclvm bundle inspect --help)", kUsageError);
  }
  serve::BundleSummary summary;
  status = Summarize(kInspect, std::string(positional[0]), options.common, &summary);
  if (status != kSuccess) return status;
  const std::string out = options.as_json ? serve::SummaryJson(summary) : serve::SummaryText(summary);
  std::fwrite(out.data(), 1, out.size(), stdout);
  return kSuccess;
}

int BundleDiffCommand(const std::vector<std::string_view>& arguments) {
  ReportOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kDiff);
  AddReportOptions(&options, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() != 2) {
    return Complain(kDiff, "give two bundles, OLD and NEW (see hclvm bundle diff --help)", kUsageError);
  }
  serve::BundleSummary before, after;
  status = Summarize(kDiff, std::string(positional[0]), options.common, &before);
  if (status == kSuccess) status = Summarize(kDiff, std::string(positional[1]), options.common, &after);
  if (status != kSuccess) return status;
  const std::vector<serve::BundleChange> changes = serve::CompareBundles(before, after);
  std::string out =
      options.as_json ? serve::ChangesJson(before, after, changes) : serve::ChangesText(before, after, changes);
  if (!options.as_json && !changes.empty()) {
    out.append("hclvm diff says which answers differ, over recorded requests or a decision log.\n");
  }
  std::fwrite(out.data(), 1, out.size(), stdout);
  return changes.empty() ? kSuccess : kInputError;
}

struct Subcommand {
  std::string_view name;
  int (*run)(const std::vector<std::string_view>& arguments);
};

constexpr Subcommand kSubcommands[] = {
    {"build", BundleBuildCommand}, {"keygen", BundleKeygenCommand}, {"sign", BundleSignCommand},
    {"verify", VerifyCommand},     {"inspect", InspectCommand},     {"diff", BundleDiffCommand},
};

}  // namespace

int BundleCommand(const std::vector<std::string_view>& arguments) {
  std::vector<std::string_view> names;
  for (const Subcommand& one : kSubcommands) {
    if (!arguments.empty() && arguments[0] == one.name) return one.run({arguments.begin() + 1, arguments.end()});
    names.push_back(one.name);
  }
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  const std::string_view nearest = positional.empty() ? std::string_view() : NearestName(positional[0], names);
  return Complain(
      kName,
      absl::StrCat(positional.empty() ? "give a command"
                                      : absl::StrCat("no command \"", internal::Printable(positional[0]), "\""),
                   nearest.empty() ? "" : absl::StrCat("; did you mean ", ToAbsl(nearest), "?"),
                   " (see hclvm bundle --help)"),
      kUsageError);
}

}  // namespace hcl::cmd

// hclvm bundle build, keygen and sign. Tested by tests/bundle_command_test.sh.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/cmd/hclvm/atomic_file.h"
#include "hclvm/cmd/hclvm/bundle_input.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/command_table.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/module/typed_names.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_archive.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/manifest.h"
#include "hclvm/serve/signature.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::cmd {

using serve::BundleFiles;
namespace {

constexpr std::string_view kBuild = "bundle build";
constexpr std::string_view kKeygen = "bundle keygen";
constexpr std::string_view kSign = "bundle sign";
constexpr uint64_t kMaxKeyBytes = 1 << 16;

struct BuildOptions {
  CommonOptions common;
  std::string output;
  std::optional<std::string> revision;
  bool runs_tests = false;
  bool strict = false;
};

// What hclvm check finds in the modules. An exit status.
int CheckModules(const BundleFiles& files, const BuildOptions& options) {
  int status = kSuccess;
  for (const auto& [name, module_files] : serve::ModulesOf(files)) {
    Diagnostics found(options.common.compile.limits.max_diagnostics);
    internal::CheckModuleTypes(module_files, options.common.compile, options.strict, &found, /*names=*/nullptr);
    PrintDiagnostics(found, module_files[0].source.get(), options.common);
    if (found.has_errors() && status != kLimitReached) status = StatusOf(found);
  }
  return status;
}

// The manifest of what is built: that of the directory, if it has one, with the revision that was given.
int MakeManifest(const std::string& path, const BuildOptions& options, BundleFiles* files) {
  serve::Manifest manifest;
  const auto old = files->find(serve::kManifestName);
  if (old != files->end()) {
    auto parsed = serve::ParseManifest(old->second);
    if (!parsed.ok()) return ComplainOf(kBuild, path, parsed.status());
    manifest = *std::move(parsed);
  }
  if (options.revision) manifest.revision = *options.revision;
  if (manifest.revision.empty()) {
    return Complain(kBuild, absl::StrCat("give the revision: --revision TEXT, or ", serve::kManifestName, " in ", path),
                    kUsageError);
  }
  files->erase(serve::kSignatureName);
  (*files)[serve::kManifestName] = serve::ManifestText(manifest, *files);
  return kSuccess;
}

// Whether the file would be in the next bundle of this directory.
bool IsBelow(const std::string& file, const std::string& directory) {
  std::error_code error;
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(file, error), error);
  const auto top = std::filesystem::canonical(directory, error);
  const std::string relative = whole.lexically_relative(top).string();
  return !error && !relative.empty() && relative != "." && relative.substr(0, 2) != "..";
}

int Build(const std::string& path, const BuildOptions& options) {
  BundleFiles files;
  int status = ReadBundleFiles(kBuild, path, &files);
  if (status == kSuccess) status = MakeManifest(path, options, &files);
  if (status == kSuccess) status = CheckModules(files, options);
  if (status != kSuccess) return status;
  serve::BundleOptions service;
  service.compile = options.common.compile;
  service.manifest.required = true;
  service.runs_tests = options.runs_tests;
  service.tests.limits = serve::ServiceLimits();
  std::shared_ptr<const serve::Bundle> bundle;
  status = CompileBundleFiles(kBuild, path, files, service, options.common, &bundle);
  if (status != kSuccess) return status;
  const auto archive = serve::WriteBundleArchive(files);
  if (!archive.ok()) return ComplainOf(kBuild, path, archive.status());
  // What has been written must be what the service reads: its limits are those of archives, too.
  const auto again = serve::ReadBundleArchive(*archive);
  if (!again.ok()) return ComplainOf(kBuild, path, again.status());
  status = WriteWhole(kBuild, options.output, *archive);
  if (status != kSuccess || options.output == "-") return status;
  std::printf("%s: revision %s, %zu %s, %zu %s, %zu %s, %zu bytes\n", options.output.c_str(),
              bundle->revision().c_str(), bundle->modules().size(),
              bundle->modules().size() == 1 ? "module" : "modules", bundle->entries().size(),
              bundle->entries().size() == 1 ? "entry" : "entries", files.size(), files.size() == 1 ? "file" : "files",
              archive->size());
  return kSuccess;
}

// Puts the signature of the manifest among the files, by the key of `key_path`; *signer is the name of the key.
int SignFiles(const std::string& path, const std::string& key_path, const std::string& key, BundleFiles* files,
              std::string* signer) {
  const auto manifest = serve::ReadManifest(*files, {});
  if (!manifest.ok()) return ComplainOf(kSign, path, manifest.status());
  if (!manifest->files) {
    return Complain(kSign,
                    absl::StrCat(path, ": there is no manifest with checksums to sign; hclvm bundle build makes one"),
                    kInputError);
  }
  auto signature = serve::Sign(key, (*files)[serve::kManifestName]);
  const auto public_key = serve::PublicKeyOf(key);
  if (!signature.ok()) return ComplainOf(kSign, key_path, signature.status());
  if (!public_key.ok()) return ComplainOf(kSign, key_path, public_key.status());
  *signer = serve::PublicKeyNames(*public_key).value()[0];
  (*files)[serve::kSignatureName] = *std::move(signature);
  return kSuccess;
}

}  // namespace

int BundleBuildCommand(const std::vector<std::string_view>& arguments) {
  BuildOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kBuild);
  syntax.setters = {
      {"--output", [&](std::string_view v) { return options.output = std::string(v), ""; }},
      {"--revision",
       [&](std::string_view v) -> std::string {
         options.revision = std::string(v);
         return serve::IsRevision(v) ? "" : "expected 1 to 128 visible ASCII characters without quotes";
       }},
      {"--test", [&](std::string_view) { return options.runs_tests = true, ""; }},
      {"--strict", [&](std::string_view) { return options.strict = true, ""; }},
  };
  options.common.compile.functions = StandardFunctions();
  AddDiagnosticsOption(&options.common.json_diagnostics, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() != 1 || options.output.empty()) {
    return Complain(kBuild, "give a DIR and --output FILE (see hclvm bundle build --help)", kUsageError);
  }
  const std::string path(positional[0]);
  if (!IsDirectory(path)) return Complain(kBuild, absl::StrCat(path, " is no directory"), kInputError);
  if (options.output != "-" && IsBelow(options.output, path)) {
    return Complain(kBuild, absl::StrCat(options.output, " is in ", path, ": the next bundle would have it in it"),
                    kUsageError);
  }
  return Build(path, options);
}

int BundleKeygenCommand(const std::vector<std::string_view>& arguments) {
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kKeygen);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() != 2) {
    return Complain(kKeygen, "give two files to make, PRIVATE.pem and PUBLIC.pem (see hclvm bundle keygen --help)",
                    kUsageError);
  }
  const auto pair = serve::MakeKeyPair();
  if (!pair.ok()) return ComplainOf(kKeygen, positional[0], pair.status());
  const std::string private_path(positional[0]);
  std::string fault;
  if (!MakeFile(private_path, pair->private_key, /*is_secret=*/true, &fault)) {
    return Complain(kKeygen, fault, kInputError);
  }
  if (!MakeFile(std::string(positional[1]), pair->public_key, /*is_secret=*/false, &fault)) {
    unlink(private_path.c_str());
    return Complain(kKeygen, fault, kInputError);
  }
  std::printf("%s\n", serve::PublicKeyNames(pair->public_key).value()[0].c_str());
  return kSuccess;
}

int BundleSignCommand(const std::vector<std::string_view>& arguments) {
  std::string key_path, output;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kSign);
  syntax.setters = {
      {"--key", [&](std::string_view v) { return key_path = std::string(v), ""; }},
      {"--output", [&](std::string_view v) { return output = std::string(v), ""; }},
  };
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (positional.size() != 1 || key_path.empty()) {
    return Complain(kSign, "give a bundle and --key PRIVATE.pem (see hclvm bundle sign --help)", kUsageError);
  }
  const std::string path(positional[0]);
  std::string key, fault, signer;
  status = ReadFile(key_path, kMaxKeyBytes, &key, &fault);
  if (status != kSuccess) return Complain(kSign, fault, status);
  BundleFiles files;
  status = ReadBundleFiles(kSign, path, &files);
  if (status == kSuccess) status = SignFiles(path, key_path, key, &files, &signer);
  if (status != kSuccess) return status;
  if (output.empty() && IsDirectory(path)) {
    status =
        WriteWhole(kSign, (std::filesystem::path(path) / serve::kSignatureName).string(), files[serve::kSignatureName]);
  } else {
    const auto archive = serve::WriteBundleArchive(files);
    if (!archive.ok()) return ComplainOf(kSign, path, archive.status());
    status = WriteWhole(kSign, output.empty() ? path : output, *archive);
  }
  if (status == kSuccess && output != "-") {
    std::printf("%s: signed by %s\n", (output.empty() ? path : output).c_str(), signer.c_str());
  }
  return status;
}

}  // namespace hcl::cmd

// Modules of bundles. Tested by tests/bundle_command_test.sh.

#include "hclvm/cmd/hclvm/bundle_config.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/printable.h"
#include "hclvm/cmd/hclvm/bundle_input.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_directory.h"
#include "hclvm/serve/authz.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_archive.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/manifest.h"

namespace hcl::cmd {
namespace {

constexpr size_t kMaxNamed = 20;

// Its only file of a module is that of the service, and there are modules below.
bool IsBesideModules(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::path(path) / serve::kServiceFileName, error)) return false;
  const auto files = serve::ReadBundle(path);
  if (!files.ok()) return false;
  const auto modules = serve::ModulesOf(*files);
  return !modules.empty() && modules.count("") == 0;
}

bool IsBundle(const std::string& path, const CommonOptions& common) {
  if (common.bundle_module) return true;
  if (!IsDirectory(path)) return absl::EndsWith(path, ".tar.gz") || absl::EndsWith(path, ".tgz");
  const auto modules = FindModules(path);
  return modules.ok() && (!modules->empty() || IsBesideModules(path));
}

using Modules = std::map<std::string, std::vector<ModuleFile>>;

std::string NamesOf(const Modules& modules) {
  std::string names;
  size_t count = 0;
  for (const auto& [name, unused] : modules) {
    if (++count > kMaxNamed) return absl::StrCat(names, ", ...");
    absl::StrAppend(&names, names.empty() ? "" : ", ", name.empty() ? "\"\"" : name);
  }
  return internal::Printable(names);
}

// The module that was asked for; the only one; or the one that decides the entry of a log, whose name begins with that
// of the module: the longest, as modules can stand in each other. The end of `modules` where there is none.
Modules::iterator Chosen(const CommonOptions& common, Modules& modules) {
  if (common.bundle_module) return modules.find(*common.bundle_module);
  if (modules.size() == 1) return modules.begin();
  for (size_t end = common.logged_entry.rfind('/'); end != std::string::npos && end > 0;
       end = common.logged_entry.rfind('/', end - 1)) {
    const auto found = modules.find(common.logged_entry.substr(0, end));
    if (found != modules.end()) return found;
  }
  return common.logged_entry.empty() ? modules.end() : modules.find("");
}

// Its manifest and checksums are looked at; what the service would refuse besides is not what the command is about.
int ReadModule(std::string_view command, const std::string& path, const CommonOptions& common, ConfigFiles* config) {
  serve::BundleFiles files;
  const int status = ReadBundleFiles(command, path, &files);
  if (status != kSuccess) return status;
  const auto manifest = serve::ReadManifest(files, {});
  if (!manifest.ok()) return ComplainOf(command, path, manifest.status());
  Modules modules = serve::ModulesOf(files);
  if (modules.empty()) return Complain(command, absl::StrCat(path, ": the bundle has no modules"), kInputError);
  const auto found = Chosen(common, modules);
  if (!common.bundle_module && found == modules.end()) {
    return Complain(command, absl::StrCat(path, " has several modules; give --module NAME: ", NamesOf(modules)),
                    kUsageError);
  }
  if (found == modules.end()) {
    return Complain(command,
                    absl::StrCat(path, " has no module ", internal::Printable(*common.bundle_module), "; there are ",
                                 NamesOf(modules)),
                    kUsageError);
  }
  config->files = std::move(found->second);
  config->is_module = true;
  return kSuccess;
}

bool ReadIfBundle(std::string_view command, const std::string& path, const CommonOptions& common, ConfigFiles* config,
                  int* status) {
  if (!IsBundle(path, common)) return false;
  *status = ReadModule(command, path, common, config);
  return true;
}

}  // namespace

void TakeBundles(const std::vector<std::string_view>& positional, CommonOptions* common) {
  common->read_bundle = ReadIfBundle;
  if (positional.empty() || !common->module_file) return;
  common->bundle_module = std::move(common->module_file);
  common->module_file.reset();
}

}  // namespace hcl::cmd

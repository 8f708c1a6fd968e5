// Bundles of the command line. Tested by tests/bundle_command_test.sh.

#include "hclvm/cmd/hclvm/bundle_input.h"

#include <sys/stat.h>

#include <cstdio>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"
#include "hclvm/cmd/hclvm/atomic_file.h"
#include "hclvm/serve/bundle_archive.h"

namespace hcl::cmd {

using internal::ToAbsl;

int ComplainOf(std::string_view command, std::string_view name, const absl::Status& status) {
  const std::string message = internal::Printable(std::string(status.message()));
  const bool has_name = message.find(name) != std::string::npos;
  return Complain(command, has_name ? message : absl::StrCat(ToAbsl(name), ": ", message),
                  absl::IsResourceExhausted(status) ? kLimitReached : kInputError);
}

int ReadBundleFiles(std::string_view command, const std::string& path, serve::BundleFiles* files) {
  auto read = serve::ReadBundle(path);
  if (!read.ok()) return ComplainOf(command, path, read.status());
  *files = *std::move(read);
  return kSuccess;
}

int CompileBundleFiles(std::string_view command, const std::string& path, const serve::BundleFiles& files,
                       const serve::BundleOptions& options, const CommonOptions& common,
                       std::shared_ptr<const serve::Bundle>* bundle) {
  serve::BundleFailure failure;
  *bundle = serve::CompileBundle(files, options, nullptr, &failure);
  if (*bundle != nullptr) return kSuccess;
  std::string out = failure.text;
  if (common.json_diagnostics) {
    out.clear();
    for (const std::string& diagnostic : failure.diagnostics) absl::StrAppend(&out, diagnostic, "\n");
  }
  std::fwrite(out.data(), 1, out.size(), stderr);
  return Complain(command, absl::StrCat(path, ": ", internal::Printable(failure.message)),
                  failure.has_limit ? kLimitReached : kInputError);
}

int WriteWhole(std::string_view command, const std::string& path, std::string_view text) {
  if (path == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return kSuccess;
  }
  struct stat old = {};
  std::string fault;
  if (stat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode)) {
    return ReplaceFile(path, text, &fault) ? kSuccess : Complain(command, fault, kInputError);
  }
  return WriteFile(path, text, &fault) == kSuccess ? kSuccess : Complain(command, fault, kInputError);
}

}  // namespace hcl::cmd

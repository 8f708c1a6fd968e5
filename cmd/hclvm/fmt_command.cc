// hclvm fmt: configs in the canonical layout. Tested by tests/fmt_command_test.sh.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/cmd/hclvm/atomic_file.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/limit_option.h"
#include "hclvm/cmd/hclvm/line_diff.h"
#include "hclvm/hcl/format.h"

namespace hcl::cmd {

namespace {

constexpr std::string_view kName = "fmt";

struct FmtOptions {
  CommonOptions common;
  bool writes = false;
  bool checks = false;
  bool shows_difference = false;
};

bool IsHidden(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.size() > 1 && name[0] == '.' && name != "..";
}

// Adds the files *.hcl in `folder` and the folders in it, without hidden ones and without following links to folders,
// in the order of their names. Adds a complaint for each folder that cannot be read.
void FindFiles(const std::string& folder, std::vector<std::string>* files, std::vector<std::string>* complaints) {
  std::vector<std::string> found;
  std::vector<std::string> waiting = {folder};
  while (!waiting.empty()) {
    const std::string next = std::move(waiting.back());
    waiting.pop_back();
    std::error_code error;
    std::filesystem::directory_iterator at(next, error);
    for (const std::filesystem::directory_iterator end; !error && at != end; at.increment(error)) {
      std::error_code unknown;
      if (IsHidden(at->path())) continue;
      if (at->is_directory(unknown) && !at->is_symlink(unknown)) {
        waiting.push_back(at->path().string());
      } else if (at->path().extension() == ".hcl" && at->is_regular_file(unknown)) {
        found.push_back(at->path().string());
      }
    }
    if (error) complaints->push_back(absl::StrCat("cannot read ", internal::Printable(next), ": ", error.message()));
  }
  std::sort(found.begin(), found.end());
  files->insert(files->end(), found.begin(), found.end());
}

class Formatting {
 public:
  explicit Formatting(const FmtOptions& options) : options_(options) {}

  int status() const { return status_; }

  void Fail(std::string_view message, int status) { Note(Complain(kName, message, status)); }

  // Formats the file at `path`, or standard input.
  void Format(const std::string& path) {
    const bool is_input = path == "-";
    if (HasJsonName(path)) return Fail(absl::StrCat(path, " is in the JSON syntax, which has no layout"), kInputError);
    std::string text;
    std::string error;
    const int status = ReadFile(path, options_.common.compile.limits.max_source_bytes, &text, &error);
    if (status != kSuccess) return Fail(error, status);
    const std::string name = is_input ? "<stdin>" : path;
    const Source source(name, std::move(text));
    Diagnostics diagnostics(options_.common.compile.limits.max_diagnostics);
    const std::string formatted = FormatConfig(source, options_.common.compile.limits, &diagnostics);
    PrintDiagnostics(diagnostics, &source, options_.common);
    Note(StatusOf(diagnostics));
    if (!options_.writes && !options_.checks && !options_.shows_difference) return Print(formatted);
    if (formatted == source.text()) return;
    if (options_.writes || options_.checks) Print(internal::Printable(name) + "\n");
    if (options_.shows_difference) Print(LineDiff(internal::Printable(name), source.text(), formatted));
    if (options_.checks) Note(kInputError);
    if (options_.writes && !ReplaceFile(path, formatted, &error)) Fail(error, kInputError);
  }

 private:
  static void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }
  // The worst of the files decides.
  void Note(int status) { status_ = std::max(status_, status); }

  const FmtOptions& options_;
  int status_ = kSuccess;
};

}  // namespace

int FmtCommand(const std::vector<std::string_view>& arguments) {
  FmtOptions options;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--write", [&](std::string_view) { return options.writes = true, ""; }},
      {"--check", [&](std::string_view) { return options.checks = true, ""; }},
      {"--diff", [&](std::string_view) { return options.shows_difference = true, ""; }},
      {"--limit",
       [&](std::string_view value) { return SetLimit(value, LimitSet::kAll, &options.common.compile.limits); }},
  };
  AddDiagnosticsOption(&options.common.json_diagnostics, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  if (options.writes && options.checks) return Complain(kName, "give --write or --check, not both", kUsageError);
  if (positional.empty()) positional.emplace_back("-");
  if (options.writes && std::find(positional.begin(), positional.end(), "-") != positional.end()) {
    return Complain(kName, "standard input cannot be written to; give a FILE or DIR with --write", kUsageError);
  }
  Formatting formatting(options);
  for (const std::string_view given : positional) {
    const std::string path(given);
    std::vector<std::string> files;
    std::vector<std::string> complaints;
    if (path == "-" || !IsDirectory(path)) {
      files.push_back(path);
    } else {
      FindFiles(path, &files, &complaints);
    }
    for (const std::string& complaint : complaints) formatting.Fail(complaint, kInputError);
    for (const std::string& file : files) formatting.Format(file);
  }
  return formatting.status();
}

}  // namespace hcl::cmd

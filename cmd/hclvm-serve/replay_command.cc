// hclvm-serve replay. Tested by tests/serve/loopback_test.py.

#include "hclvm/cmd/hclvm-serve/replay_command.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/cmd/hclvm-serve/usage.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_archive.h"
#include "hclvm/serve/data_set.h"
#include "hclvm/serve/replay.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::serve {
namespace {

constexpr size_t kMaxLine = 64 << 20;

constexpr char kCommand[] = "hclvm-serve replay";

// Lines that are longer than any that is logged are no decisions; of these nothing is kept.
bool AddLines(std::FILE* file, Replay* replay) {
  std::string line;
  bool is_too_long = false;
  char buffer[1 << 16];
  size_t got = 0;
  const auto end_line = [&] {
    replay->Add(is_too_long ? std::string_view() : std::string_view(line));
    line.clear();
    is_too_long = false;
  };
  while ((got = std::fread(buffer, 1, sizeof(buffer), file)) > 0) {
    std::string_view rest(buffer, got);
    for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line.append(rest.substr(0, end));
      end_line();
      rest.remove_prefix(end + 1);
    }
    line.append(rest);
    if (line.size() > kMaxLine) {
      is_too_long = true;
      line.clear();
    }
  }
  if (!line.empty() || is_too_long) end_line();
  return std::ferror(file) == 0;
}

// The bundle, and what the data are to it.
bool Load(const std::string& bundle_path, const std::vector<std::string>& data_paths, const DataOptions& data_options,
          std::shared_ptr<const Bundle>* bundle, std::shared_ptr<const DataLayers>* layers, BundleFailure* failure) {
  const auto files = ReadBundle(bundle_path);
  if (!files.ok()) return failure->message = std::string(files.status().message()), false;
  BundleOptions options;
  options.compile.functions = StandardFunctions();
  *bundle = CompileBundle(*files, options, nullptr, failure);
  if (*bundle == nullptr) {
    failure->message = absl::StrCat(bundle_path, ": ", failure->message);
    return false;
  }
  if (data_paths.empty()) return true;
  const auto texts = ReadDataTexts(data_paths);
  if (!texts.ok()) return failure->message = std::string(texts.status().message()), false;
  const auto data = MakeDataSet(*texts, data_options, failure);
  if (data != nullptr) *layers = MakeDataLayers(**bundle, *data, data_options, failure);
  return *layers != nullptr;
}

}  // namespace

int ReplayCommand(const std::vector<std::string_view>& arguments) {
  std::string bundle_path;
  std::vector<std::string> data_paths;
  DataOptions data_options;
  ReplayOptions options;
  options.limits = ServiceLimits();
  bool fails_on_change = false;
  cmd::CommandSyntax syntax;
  syntax.command = &cmd::FindCommand("hclvm-serve", "replay");
  syntax.setters = {
      {"--bundle", [&](std::string_view v) { return bundle_path = std::string(v), ""; }},
      {"--data", [&](std::string_view v) { return data_paths.emplace_back(v), ""; }},
      {"--data-default", [&](std::string_view v) { return data_options.replaceable.emplace_back(v), ""; }},
      {"--check-all", [&](std::string_view) { return options.scopes.check_all = data_options.check_all = true, ""; }},
      {"--partial", [&](std::string_view) { return options.partial = true, ""; }},
      {"--fail-on-change", [&](std::string_view) { return fails_on_change = true, ""; }},
  };
  std::vector<std::string_view> positional;
  const std::optional<int> status = ReadArguments(kCommand, syntax, arguments, &positional);
  if (status) return *status;
  if (positional.size() != 1 || bundle_path.empty())
    return Complain(kCommand, "give LOG and --bundle PATH", cmd::kUsageError);
  std::shared_ptr<const Bundle> bundle;
  std::shared_ptr<const DataLayers> layers;
  BundleFailure failure;
  if (!Load(bundle_path, data_paths, data_options, &bundle, &layers, &failure)) {
    std::fwrite(failure.text.data(), 1, failure.text.size(), stderr);
    return Complain(kCommand, failure.message, cmd::kInputError);
  }
  const std::string log(positional[0]);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      log == "-" ? fdopen(0, "rb") : std::fopen(log.c_str(), "rb"), std::fclose);
  if (file == nullptr)
    return Complain(kCommand, absl::StrCat("cannot read ", log, ": ", std::strerror(errno)), cmd::kInputError);
  Replay replay(std::move(bundle), layers, options);
  if (!AddLines(file.get(), &replay)) return Complain(kCommand, absl::StrCat("cannot read ", log), cmd::kInputError);
  const std::string report = replay.Report();
  std::fwrite(report.data(), 1, report.size(), stdout);
  if (fails_on_change && replay.same() + replay.changed() == 0) {
    return Complain(kCommand, "nothing was decided again, so that nothing is known of changes", cmd::kInputError);
  }
  return fails_on_change && replay.changed() > 0 ? cmd::kInputError : cmd::kSuccess;
}

}  // namespace hcl::serve

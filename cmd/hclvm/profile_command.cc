// hclvm profile: where the fuel and the time of evaluations go. Options and files here; the work is
// workbench/request_profile.h. Tested by tests/profile_command_test.sh.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/cmd/hclvm/bundle_config.h"
#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/cmd/hclvm/data_option.h"
#include "hclvm/cmd/hclvm/request_file.h"
#include "hclvm/ndjson/batch_reader.h"
#include "hclvm/vm/program.h"
#include "hclvm/workbench/request_profile.h"

namespace hcl::cmd {

using internal::ToAbsl;
namespace {

constexpr std::string_view kName = "profile";

std::string SetFormat(std::string_view value, std::string* format) {
  *format = std::string(value);
  return value == "text" || value == "json" || value == "html" ? "" : "must be text, json or html";
}

}  // namespace

int ProfileCommand(const std::vector<std::string_view>& arguments) {
  CommonOptions common;
  RequestFileOptions requests;
  DataOption data;
  internal::ProfileOptions options;
  std::vector<std::string> chosen;
  std::string format = "text";
  size_t max_lines = 30;
  CommandSyntax syntax;
  syntax.command = &FindCommand("hclvm", kName);
  syntax.setters = {
      {"--entry", [&](std::string_view v) { return chosen.emplace_back(v), ""; }},
      {"--time", [&](std::string_view v) { return SetTimeout(v, &options.time); }},
      {"--lines",
       [&](std::string_view v) { return absl::SimpleAtoi(ToAbsl(v), &max_lines) ? "" : "expected a number"; }},
      {"--format", [&](std::string_view v) { return SetFormat(v, &format); }},
  };
  data.AddTo(&syntax);
  AddRequestFileOptions(&requests, &syntax);
  AddModuleOption(&common, &syntax);
  AddCommonOptions(&common, &syntax);
  std::vector<std::string_view> positional;
  int status = kSuccess;
  if (!ParseOrExplain(syntax, arguments, &positional, &status)) return status;
  TakeBundles(positional, &common);
  requests.TakeModule(common);
  if (ConfigCount(positional, common) != 1) {
    return Complain(kName, "give one CONFIG, and --scopes FILE or --log FILE (see hclvm profile --help)", kUsageError);
  }
  RequestFile file;
  status = file.Open(kName, requests);
  if (status != kSuccess) return status;
  common.compile.keep_origins = true;
  const std::string_view config = OnlyConfig(positional, common);
  const std::shared_ptr<const Program> program = LoadConfig(kName, config, common, &status);
  if (program == nullptr) return status;
  std::vector<const Entry*> entries;
  status = FindEntries(kName, *program, chosen, &entries);
  if (status != kSuccess) return status;
  status = data.Read(kName, common, /*check_all=*/false);
  if (status == kSuccess) status = data.Make(program, common, &options.base);
  if (status != kSuccess) return status;
  options.limits = common.compile.limits;
  options.form = requests.form();
  options.log_module = requests.log_module;
  internal::RequestProfile profile(program, entries, options);
  status = GiveLines(kName, file, options.limits, &profile);
  if (status != kSuccess) return status;
  const int broken_status = ComplainOfBroken(kName, profile.broken());
  const internal::ProfileReport report = profile.Finish();
  if (report.evaluations == 0) {
    return Complain(kName, "no entry has a request to answer", broken_status == kSuccess ? kInputError : broken_status);
  }
  const std::string out = format == "json" ? internal::ProfileJson(report)
                          : format == "html"
                              ? internal::ProfileHtml(report, absl::StrCat("Profile of ", ToAbsl(config)))
                              : internal::ProfileText(report, max_lines);
  std::fwrite(out.data(), 1, out.size(), stdout);
  const int limit_status = ComplainOfLimits(kName, report.limited);
  return limit_status != kSuccess ? limit_status : broken_status;
}

}  // namespace hcl::cmd

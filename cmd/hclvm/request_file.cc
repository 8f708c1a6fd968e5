// Recorded requests of the command line. Tested by tests/diff_command_test.sh.

#include "hclvm/cmd/hclvm/request_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/vm/entry_names.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {

void AddRequestFileOptions(RequestFileOptions* options, CommandSyntax* syntax) {
  const auto add = [&](const char* name, auto set) { syntax->setters.push_back({name, set}); };
  add("--scopes", [options](std::string_view v) { return options->scopes = std::string(v), ""; });
  add("--log", [options](std::string_view v) { return options->log = std::string(v), ""; });
  add("--log-module", [options](std::string_view v) { return options->log_module = std::string(v), ""; });
  add("--partial", [options](std::string_view) { return options->includes_partial = true, ""; });
}

int FindEntries(std::string_view command, const Program& program, const std::vector<std::string>& paths,
                std::vector<const Entry*>* entries) {
  for (const std::string& path : paths) {
    std::string message;
    const Entry* const entry = internal::FindEntryOrSuggest(program, path, &message);
    if (entry == nullptr) return Complain(command, message, kUsageError);
    if (std::find(entries->begin(), entries->end(), entry) != entries->end()) {
      return Complain(command, absl::StrCat("--entry ", path, " is given twice"), kUsageError);
    }
    entries->push_back(entry);
  }
  if (paths.empty()) {
    for (const Entry& entry : program.entries()) entries->push_back(&entry);
  }
  if (!entries->empty()) return kSuccess;
  return Complain(command, "the config has no attributes to evaluate", kInputError);
}

int ComplainOfLimits(std::string_view command, uint64_t evaluations) {
  if (evaluations == 0) return kSuccess;
  return Complain(command,
                  absl::StrCat(evaluations, evaluations == 1 ? " evaluation has" : " evaluations have",
                               " reached a limit (see --limit)"),
                  kLimitReached);
}

int ComplainOfBroken(std::string_view command, const internal::BrokenLines& broken) {
  if (broken.count == 0) return kSuccess;
  return Complain(
      command,
      absl::StrCat(broken.count, broken.count == 1 ? " line no request; " : " lines no request; ", broken.fault),
      broken.has_long ? kLimitReached : kInputError);
}

RequestFile::~RequestFile() {
  if (file_ != nullptr && file_ != stdin) std::fclose(file_);
}

int RequestFile::Open(std::string_view command, const RequestFileOptions& options) {
  if (options.scopes.has_value() == options.log.has_value()) {
    return cmd::Complain(command, "give the requests: either --scopes FILE or --log FILE, where - is standard input",
                         kUsageError);
  }
  if (!options.log && (options.includes_partial || !options.log_module.empty())) {
    return cmd::Complain(command, "--partial and --log-module go with --log", kUsageError);
  }
  return Open(command, options.log ? *options.log : *options.scopes);
}

int RequestFile::Open(std::string_view command, const std::string& path) {
  name_ = path == "-" ? "<stdin>" : path;
  file_ = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  if (file_ != nullptr) return kSuccess;
  return cmd::Complain(command, absl::StrCat("cannot read ", path, ": ", std::strerror(errno)), kInputError);
}

NdjsonInput RequestFile::input() const { return ReadFrom(fileno(file_), name_); }

int RequestFile::Complain(std::string_view command, const absl::Status& status) const {
  const bool is_damaged = absl::IsDataLoss(status);
  return cmd::Complain(command,
                       absl::StrCat(is_damaged ? absl::StrCat("cannot read ", name_, ": ") : "", status.message()),
                       absl::IsResourceExhausted(status) ? kLimitReached : kInputError);
}

}  // namespace hcl::cmd

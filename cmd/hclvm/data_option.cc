// Data below requests. Tested by tests/data_option_test.sh.

#include "hclvm/cmd/hclvm/data_option.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/data_files.h"

namespace hcl::cmd {

void DataOption::AddTo(CommandSyntax* syntax) {
  syntax->setters.push_back({"--data", [this](std::string_view v) { return paths_.emplace_back(v), ""; }});
  syntax->setters.push_back(
      {"--data-default", [this](std::string_view v) { return options_.replaceable.emplace_back(v), ""; }});
}

int DataOption::Read(std::string_view command, const CommonOptions& common, bool check_all) {
  if (paths_.empty()) return kSuccess;
  options_.limits = common.compile.limits;
  options_.check_all = check_all;
  const absl::StatusOr<std::vector<BaseText>> texts = ReadDataFiles(paths_, options_.limits);
  if (!texts.ok()) {
    return Complain(command, std::string(texts.status().message()),
                    absl::IsResourceExhausted(texts.status()) ? kLimitReached : kInputError);
  }
  Diagnostics diagnostics;
  data_ = BaseData::Read(*texts, options_, &diagnostics);
  if (data_ != nullptr) return kSuccess;
  PrintDiagnostics(diagnostics, nullptr, common);
  return StatusOf(diagnostics);
}

int DataOption::Make(const std::shared_ptr<const Program>& program, const CommonOptions& common,
                     std::shared_ptr<const BaseLayer>* base) const {
  if (data_ == nullptr) return kSuccess;
  Diagnostics diagnostics;
  *base = BaseLayer::Make(program, data_, options_, &diagnostics);
  if (*base != nullptr) return kSuccess;
  PrintDiagnostics(diagnostics, &program->source(), common);
  return StatusOf(diagnostics);
}

}  // namespace hcl::cmd

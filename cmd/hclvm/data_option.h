// The options --data and --data-default: variables below those of each request.
//
// Tested by tests/data_option_test.sh.

#ifndef HCLVM_CMD_HCLVM_DATA_OPTION_H_
#define HCLVM_CMD_HCLVM_DATA_OPTION_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/cmd/hclvm/command_line.h"
#include "hclvm/cmd/hclvm/common.h"
#include "hclvm/vm/base_layer.h"
#include "hclvm/vm/program.h"

namespace hcl::cmd {

// What the options say, and the data that they name.
class DataOption {
 public:
  // Adds both options. This must outlive the syntax.
  void AddTo(CommandSyntax* syntax);

  // Reads the data, if any are named. An exit status; what is wrong has been printed unless it is kSuccess.
  int Read(std::string_view command, const CommonOptions& common, bool check_all);

  // Sets *base to the data as `program` reads them; null where none are named. As Read(), which comes first.
  int Make(const std::shared_ptr<const Program>& program, const CommonOptions& common,
           std::shared_ptr<const BaseLayer>* base) const;

 private:
  std::vector<std::string> paths_;
  BaseOptions options_;
  std::shared_ptr<const BaseData> data_;
};

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_DATA_OPTION_H_

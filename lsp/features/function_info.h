// FunctionInfo: what editors show of a function, whoever offers it. Tested by lsp/features/hover_test.cc.

#ifndef HCLVM_LSP_FEATURES_FUNCTION_INFO_H_
#define HCLVM_LSP_FEATURES_FUNCTION_INFO_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::lsp {

// Plain data.
struct FunctionInfo {
  struct Parameter {
    std::string name;  // "lists..." for one that takes any number
    std::string type;  // empty: any
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::string result;         // its type; empty: not known
  std::string documentation;  // Markdown

  // "join(separator: string, lists...: list(string))".
  std::string Form() const;
};

// The functions that the files of a project can call: those that they define, those of the host, and the library's.
// Lives for one request.
class KnownFunctions {
 public:
  KnownFunctions(Workspace* workspace, const Project& project);

  std::optional<FunctionInfo> Find(std::string_view name) const;
  // Sorted.
  std::vector<std::string> Names() const;

 private:
  const Project& project_;
  const std::shared_ptr<const FunctionRegistry> offered_;  // by the host and the library
};

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_FUNCTION_INFO_H_

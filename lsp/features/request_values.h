// Values of expressions for the request that the settings choose. Tested by lsp/features/request_values_test.cc.

#ifndef HCLVM_LSP_FEATURES_REQUEST_VALUES_H_
#define HCLVM_LSP_FEATURES_REQUEST_VALUES_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/lsp/documents/text_file.h"
#include "hclvm/lsp/documents/workspace.h"
#include "hclvm/workbench/explanation.h"

namespace hcl::lsp {

// By the name of the source, and the range in it.
using RequestValues = std::map<std::pair<std::string, std::pair<uint32_t, uint32_t>>, std::string>;

// Why the settings name what cannot be read: a sentence for each. Empty where all is there.
std::vector<std::string> UnreadSettings(Workspace* workspace);

// The values of all expressions that a run over the chosen request makes, cut where they are long; of a loop, those of
// its first passes. Empty where no request is chosen, or it cannot be read, or the project has mistakes. Sensitive
// values are not shown. Takes kMaxEvaluationTime at most: what is not reached by then has no value.
RequestValues ValuesFor(Workspace* workspace, const Project& project);

// The value of the smallest expression of the file that holds the word and ends with it; none where there is no value.
std::optional<std::string> ValueAt(Workspace* workspace, const Project& project, const TextFile& file,
                                   SourceRange word);

// The value of `expression` in the module or the config, as one of its entries would have it; none where there is none.
std::optional<std::string> ValueOfExpression(Workspace* workspace, const Project& project, std::string_view expression);

// Explains all entries of the project for the chosen request, as `hclvm explain` does; empty where ValuesFor() is.
std::vector<internal::Explanation> ExplainRequest(Workspace* workspace, const Project& project);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_REQUEST_VALUES_H_

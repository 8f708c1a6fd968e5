// Tests in editors: lenses on tests, and the commands behind them. Tested by lsp/features/test_commands_test.cc.

#ifndef HCLVM_LSP_FEATURES_TEST_COMMANDS_H_
#define HCLVM_LSP_FEATURES_TEST_COMMANDS_H_

#include "hclvm/lsp/features/feature.h"
#include "hclvm/lsp/protocol/json.h"

namespace hcl::lsp {

inline constexpr char kRunTest[] = "hclvm.runTest";
inline constexpr char kExplainTest[] = "hclvm.explainTest";

// Two CodeLenses on each test of a file: run it, and explain the values of what it expects.
Json CodeLenses(const FeatureContext& context);
// Runs `hclvm.runTest` or `hclvm.explainTest` with the arguments [URI, NAME of a test], as a job, which takes
// kMaxTestTime at most. The result is an object with `passed` and `text`.
Json ExecuteCommand(const FeatureContext& context);

}  // namespace hcl::lsp

#endif  // HCLVM_LSP_FEATURES_TEST_COMMANDS_H_

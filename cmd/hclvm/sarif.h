// Findings as SARIF 2.1.0, which code hosts show beside the lines.
//
// Tested by cmd/hclvm/sarif_test.cc.

#ifndef HCLVM_CMD_HCLVM_SARIF_H_
#define HCLVM_CMD_HCLVM_SARIF_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"

namespace hcl::cmd {

// "3 more were left out"; `left_out` is at least 1.
std::string LeftOutText(size_t left_out);

// One run with a result for each finding, at most 25,000, and a rule for each code among them. What is more than that,
// and `left_out` findings besides, are a notification of its invocation that says how many there are. Paths are as the
// sources are named, "./" in front left out; of absolute ones, those into `folder` are relative to it, and others are
// "file://" URIs. Columns count code points. A fingerprint is of the code, the file, the line's text and how many equal
// ones stand before, so that it stays when lines are added elsewhere. The sources must be there.
std::string ToSarif(const std::vector<Diagnostic>& findings, size_t left_out = 0, std::string_view folder = {});

}  // namespace hcl::cmd

#endif  // HCLVM_CMD_HCLVM_SARIF_H_

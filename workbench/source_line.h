// OneLine: a piece of source in one line.
//
// Internal to the workbench. Tested by workbench/explain_test.cc.

#ifndef HCLVM_WORKBENCH_SOURCE_LINE_H_
#define HCLVM_WORKBENCH_SOURCE_LINE_H_

#include <string>
#include <string_view>

#include "absl/strings/ascii.h"

namespace hcl::internal {

// `text` with one blank for each run of blanks and line ends, and none at its ends.
inline std::string OneLine(std::string_view text) {
  std::string line;
  bool is_blank = false;
  for (const char c : text) {
    if (absl::ascii_isspace(static_cast<unsigned char>(c))) {
      is_blank = true;
      continue;
    }
    if (is_blank && !line.empty()) line += ' ';
    is_blank = false;
    line += c;
  }
  return line;
}

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_SOURCE_LINE_H_

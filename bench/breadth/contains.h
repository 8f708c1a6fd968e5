// Looking for a text among a few, one after the other.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_CONTAINS_H_
#define HCLVM_BENCH_BREADTH_CONTAINS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hcl::bench {

inline bool Contains(const std::vector<std::string>& texts, absl::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_CONTAINS_H_

// TextMap: from offsets in a decoded text to offsets in the source it was decoded from.
//
// Tested by hcl/text_map_test.cc.

#ifndef HCLVM_HCL_TEXT_MAP_H_
#define HCLVM_HCL_TEXT_MAP_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"

namespace hcl {
namespace internal {

// Built from its runs in their order; safe for concurrent reading after that.
class TextMap {
 public:
  // From `decoded` on, the text was taken from the source at `source` on: byte for byte, or, when `is_escape`, all of
  // it from the escape sequence there. Requires rising offsets; the first run starts at 0.
  void AddRun(uint32_t decoded, uint32_t source, bool is_escape) { runs_.push_back({decoded, source, is_escape}); }

  // Where the byte at `decoded`, or the end of the text, comes from. Time: logarithmic.
  uint32_t Map(uint32_t decoded) const {
    const auto after = std::upper_bound(runs_.begin(), runs_.end(), decoded,
                                        [](uint32_t offset, const Run& run) { return offset < run.decoded; });
    const Run& run = *(after - 1);
    return run.is_escape ? run.source : run.source + (decoded - run.decoded);
  }
  SourceRange Map(SourceRange decoded) const { return {Map(decoded.begin), Map(decoded.end)}; }

 private:
  struct Run {
    uint32_t decoded;
    uint32_t source;
    bool is_escape;
  };

  std::vector<Run> runs_;
};

// Maps all ranges in the tree of `expr`, which nobody else may be reading: a tree that was just parsed.
// Time: linear in the tree.
void MapRanges(const Expr* expr, const TextMap& map);

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_TEXT_MAP_H_

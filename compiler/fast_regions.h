// FastRegions: the stretches of fast code, and where each goes on after a side exit.
//
// Tested by compiler/core_emitter_test.cc.

#ifndef HCLVM_COMPILER_FAST_REGIONS_H_
#define HCLVM_COMPILER_FAST_REGIONS_H_

#include <cstdint>

#include "hclvm/base/plain_list.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {

// Serves one chunk. Not thread-safe.
class FastRegions {
 public:
  // `builder` must outlive this.
  explicit FastRegions(ProgramBuilder* builder) : builder_(*builder) {}

  void Begin() { begin_ = builder_.here(); }
  // Adds the number of the region to `failing`, if not null and there is code in it.
  void End(PlainList<uint32_t, 8>* failing) {
    const uint32_t here = builder_.here();
    if (here == begin_) return;
    if (failing != nullptr) failing->push_back(static_cast<uint32_t>(regions_.size()));
    regions_.push_back({begin_, here, 0, 0});
  }
  // What fails for certain in region `number` goes on here.
  void Land(uint32_t number) { regions_[number].failed = builder_.here(); }
  // Tells the program of them. Those side by side that go on at one place are one: the fewer there are, the sooner one
  // is found.
  void AddTo(ProgramBuilder* builder, uint32_t slow_path) const {
    FastRegion last{};
    for (FastRegion region : regions_) {
      region.general = slow_path;
      if (last.end > 0 && last.end == region.begin && last.failed == region.failed) {
        last.end = region.end;
        continue;
      }
      if (last.end > 0) builder->AddFastRegion(last);
      last = region;
    }
    if (last.end > 0) builder->AddFastRegion(last);
  }

 private:
  ProgramBuilder& builder_;
  PlainList<FastRegion, 4> regions_;
  uint32_t begin_ = 0;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_FAST_REGIONS_H_

// OriginTable: which text each instruction of a program was made of, also where it cannot fail, for profiles.
//
// Programs compiled with CompileOptions::keep_origins have one. Internal to the machine. Tested by
// workbench/run_counter_test.cc.

#ifndef HCLVM_VM_ORIGIN_TABLE_H_
#define HCLVM_VM_ORIGIN_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "hclvm/base/source.h"

namespace hcl::internal {

// The expression that code was made of. Fast code that stands for several expressions has one of them.
struct CodeOrigin {
  const Source* source = nullptr;  // null: not known; lives as long as the program
  SourceRange range;
};

class OriginTable {
 public:
  // Code from `pc` on, and up to the next place, is of `origin`. What was said of code from there on is taken back, as
  // that code was.
  void Begin(uint32_t pc, const CodeOrigin& origin) {
    while (!places_.empty() && places_.back().pc >= pc) places_.pop_back();
    places_.push_back({pc, origin});
  }
  CodeOrigin Find(uint32_t pc) const {
    const auto next = std::upper_bound(places_.begin(), places_.end(), pc,
                                       [](uint32_t at, const Place& place) { return at < place.pc; });
    return next == places_.begin() ? CodeOrigin() : std::prev(next)->origin;
  }

 private:
  struct Place {
    uint32_t pc;
    CodeOrigin origin;
  };

  std::vector<Place> places_;  // by pc
};

}  // namespace hcl::internal

#endif  // HCLVM_VM_ORIGIN_TABLE_H_

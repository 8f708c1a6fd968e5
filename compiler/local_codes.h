// LocalCodes: the fast code of the locals of a module, which whoever reads one first can repeat in place of a run of
// the local's chunk (CoreEmitter::TakeNamed).
//
// Tested by module/local_code_test.cc.

#ifndef HCLVM_COMPILER_LOCAL_CODES_H_
#define HCLVM_COMPILER_LOCAL_CODES_H_

#include <cstdint>
#include <vector>

#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Not thread-safe. Serves one program under construction.
class LocalCodes {
 public:
  // What stands from `begin` on, in as many registers: it needs none that others have written, and ends with returns.
  struct Code {
    uint32_t begin = 0;
    uint32_t size = 0;  // instructions; 0: there is no such code
    uint32_t registers = 0;
  };
  static constexpr uint32_t kMaxSize = 24;

  // The local in `slot` is what `chunk` makes, the last one that was made. Slots follow each other.
  void Add(uint32_t slot, uint32_t chunk, const ProgramBuilder& builder);
  // Its code, or null.
  const Code* Of(uint32_t slot) const {
    const bool is_local = !codes_.empty() && slot >= first_;
    return is_local && codes_[slot - first_].size > 0 ? &codes_[slot - first_] : nullptr;
  }

 private:
  uint32_t first_ = 0;
  std::vector<Code> codes_;  // from that slot on
};

// Such an instruction, but no return, where register 0 of its code is register `base`.
Instruction WithRegistersFrom(uint16_t base, const Instruction& instruction);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_LOCAL_CODES_H_

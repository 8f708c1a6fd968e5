// WhatIsReadBeforeWritten: whether a program's code reads registers that nothing has written.
//
// The machine tests no register. What a run before left in one is a value of memory that is gone. The verifier looks at
// each instruction alone, as it has to be quick; this looks at every way through the code.

#ifndef HCLVM_VM_REGISTER_FLOW_H_
#define HCLVM_VM_REGISTER_FLOW_H_

#include <string>

#include "hclvm/vm/program.h"

namespace hcl::internal {

// The first instruction that reads a register which some way to it does not write, or nothing, also where there are too
// many ways to tell. Requires a program that has passed the verifier. Time and memory: the number of instructions times
// that of registers, of each chunk, a few times over. For tests. Tested by vm/register_flow_test.cc.
std::string WhatIsReadBeforeWritten(const Program& program);

}  // namespace hcl::internal

#endif  // HCLVM_VM_REGISTER_FLOW_H_

// AddPoints: the rows of a record table for the nodes of a bound tree.
//
// Tested by compiler/record_points_test.cc.

#ifndef HCLVM_COMPILER_RECORD_POINTS_H_
#define HCLVM_COMPILER_RECORD_POINTS_H_

#include <cstdint>

#include "hclvm/compiler/bound_tree.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Adds a point for each node of `tree` to the program's record table, and returns that of the first: the point of a
// node is that plus its id.
uint32_t AddPoints(const BoundTree& tree, ProgramBuilder* builder);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_RECORD_POINTS_H_

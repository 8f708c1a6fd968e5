// FindFirstTests: first tests (compiler/first_tests.h) in Core.
//
// Tested by compiler/first_tests_test.cc.

#ifndef HCLVM_COMPILER_CORE_FIRST_TESTS_H_
#define HCLVM_COMPILER_CORE_FIRST_TESTS_H_

#include "hclvm/compiler/core.h"
#include "hclvm/compiler/first_tests.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Of the whole of a policy; none where it begins with something else. Texts are those of `root` and `builder`. Time:
// that of a bounded number of nodes, and the texts.
FirstTests FindFirstTests(const CoreNode& root, const ProgramBuilder& builder);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_CORE_FIRST_TESTS_H_

// IndexTests: runs of tests of one string, found in the code, become tables.
//
// Internal to the machine. Tested by tests/test_index_test.cc.

#ifndef HCLVM_VM_TEST_INDEX_H_
#define HCLVM_VM_TEST_INDEX_H_

#include <vector>

#include "absl/types/span.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/test_table.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

struct Chunk;
struct FastRegion;

// What tests were made of.
struct TestTables {
  std::vector<TestTable> tables;
  std::vector<TestPlace> places;  // by the operand B of FindTest
};

// Replaces tests in `code`, which `chunks` divide, by FindTest and FindPathTest where enough of them follow each other.
// `regions`, in order, have all of them. Time: linear in the code.
TestTables IndexTests(absl::Span<Instruction> code, absl::Span<const Chunk> chunks,
                      absl::Span<const FastRegion> regions, absl::Span<const Value> constants,
                      absl::Span<const LookupSet> lookups);

// Whether that could replace anything in the chunk. Time: linear in its code.
bool MayHaveTables(absl::Span<const Instruction> code, const Chunk& chunk);

}  // namespace hcl::internal

#endif  // HCLVM_VM_TEST_INDEX_H_

// FindFirstTests: what a chunk tests before it does anything else.
//
// Of many policies over one scope, nearly all end at once: `path == "/a" && ...` is false for all other paths. Who
// knows these tests of all policies looks up which of them a scope gets beyond, and runs no other.
//
// Internal to the machine. Tested by tests/first_tests_test.cc.

#ifndef HCLVM_VM_FIRST_TESTS_H_
#define HCLVM_VM_FIRST_TESTS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// A variable, and attributes from there on.
struct TestedPath {
  uint32_t slot = 0;
  absl::InlinedVector<std::string_view, 4> steps;
};

struct FirstTests {
  // That the value at a path has one of these tags (1 << Tag), or that objects and maps lead to where it could be and
  // it is not there.
  struct Demand {
    TestedPath path;
    uint32_t tags;
    bool or_nothing;
  };
  // Where the first `demands` demands hold and the value at `subject` is a known, unmarked bool, number or string (with
  // prefixes: string), which is none of `values` and begins with none of `prefixes`, the chunk's value is known, it is
  // not `true`, and there is nothing to report.
  struct Test {
    TestedPath subject;
    std::vector<Value> values;
    std::vector<std::string_view> prefixes;
    size_t demands;
  };
  std::vector<Demand> demands;
  std::vector<Test> tests;
};

// None where the chunk begins with something else. Requires a verified program, which must outlive the result. Time:
// that of so many instructions, and the texts.
inline constexpr size_t kMaxFirstInstructions = 64;
FirstTests FindFirstTests(const ProgramTables& program, uint32_t chunk);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FIRST_TESTS_H_

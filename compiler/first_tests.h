// First tests: what a policy asks of a scope before it does anything else.
//
// Of many policies over one scope, nearly all end at once: `path == "/a" && ...` is false for all other paths. Who
// knows these tests of all policies looks up which of them a scope gets beyond, and runs no other. The compiler finds
// them in Core, and a set of programs keeps them beside each text (compiler/set_segment.h).
//
// Tested by compiler/first_tests_test.cc.

#ifndef HCLVM_COMPILER_FIRST_TESTS_H_
#define HCLVM_COMPILER_FIRST_TESTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/vm/lookup_set.h"
#include "hclvm/vm/value/hash.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/vm/value/value_access.h"

namespace hcl::internal {

// Hashes stand for constants: two of them with one hash cost a run that need not be. Of a known bool, number or string;
// and of a text.
inline uint32_t ShortHash(const Value& scalar) { return static_cast<uint32_t>(HashScalar(scalar)); }
inline uint32_t ShortHash(std::string_view text) { return static_cast<uint32_t>(HashString(text)); }

// Whether the value has one of these tags (1 << Tag).
inline bool HasTag(const Value& value, uint32_t tags) { return (tags >> static_cast<int>(TagOf(value)) & 1) != 0; }

struct FirstTests {
  // The name of a variable, and of attributes from there on.
  using Path = absl::InlinedVector<std::string_view, 4>;
  // That the value at a path has one of these tags, or that objects and maps lead to where it could be and it is not
  // there.
  struct Demand {
    Path path;
    uint32_t tags;
    bool or_absent;
  };
  // Where the first `demands` demands hold and the value at `subject` is a known, unmarked bool, number or string (with
  // prefixes: string), whose hash is none of `hashes` and which begins with none of `prefixes`, the policy's value is
  // known, it is not `true`, and there is nothing to report.
  struct Test {
    Path subject;
    std::vector<uint32_t> hashes;
    std::vector<std::string_view> prefixes;
    size_t demands;
  };
  std::vector<Demand> demands;
  std::vector<Test> tests;
};

// As bytes for this process, none where there is no test; and back: texts point into them.
std::string PackFirstTests(const FirstTests& first);
FirstTests UnpackFirstTests(std::string_view packed);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_FIRST_TESTS_H_

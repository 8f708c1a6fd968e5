// DiffValues: where a value is not the one that was wanted.
//
// Values are compared as JSON has them: a list, a tuple and a set of the same elements are the same, and so are a map
// and an object of the same properties. What a test writes is a tuple or an object, whatever the policy makes.
//
// Internal to the workbench. Tested by workbench/value_diff_test.cc.

#ifndef HCLVM_WORKBENCH_VALUE_DIFF_H_
#define HCLVM_WORKBENCH_VALUE_DIFF_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// One place at which the values differ.
struct ValueDifference {
  enum class Kind : uint8_t {
    kMissing,     // it is wanted, and not there; `got` is empty
    kUnexpected,  // it is there, and not wanted; `wanted` is empty
    kDifferent,
  };

  Kind kind;
  std::string path;    // as the native syntax has it: `.user.roles[0]`; empty for the whole value
  std::string wanted;  // JSON, cut where it is long; with the type behind it where only types differ
  std::string got;

  friend bool operator==(const ValueDifference& a, const ValueDifference& b) {
    return a.kind == b.kind && a.path == b.path && a.wanted == b.wanted && a.got == b.got;
  }
};

struct DiffOptions {
  // Properties of objects and maps that `wanted` does not have may be there.
  bool in_part = false;
  // Differences that are kept.
  size_t max_differences = 20;
  // Sensitive parts of the value are shown. Otherwise "(sensitive value)" takes their place.
  bool show_sensitive = false;
};

struct ValueDifferences {
  std::vector<ValueDifference> kept;  // in the order of the values
  size_t count = 0;                   // all, kept or not

  bool empty() const { return count == 0; }
};

// The differences of `got` from `wanted`, which has no marks. Elements of lists are compared from both ends, so that
// one that is missing is one difference. Marks do not matter. What is made along the way lives in `heap`. Time: that of
// the values, once for each level of lists whose lengths differ. Recursion follows the depth of `wanted`, which is
// bounded (Limits::max_nesting_depth).
ValueDifferences DiffValues(const Value& wanted, const Value& got, const DiffOptions& options, Heap* heap);

// The value as JSON, for people: cut where it is long, and an unknown value as "unknown (TYPE)". "(sensitive value)"
// takes the place of sensitive parts, unless they are shown.
std::string ShortText(const Value& value, Heap* heap, bool show_sensitive = false);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_VALUE_DIFF_H_

// Reductions: loops whose elements are all that is asked for, as in `anytrue([for r in rules : r.on])`, so that fast
// code keeps one value and makes no list.
//
// Tested by compiler/plain_generator_test.cc.

#ifndef HCLVM_COMPILER_REDUCTIONS_H_
#define HCLVM_COMPILER_REDUCTIONS_H_

#include <cstdint>

#include "hclvm/compiler/bound_tree.h"

namespace hcl::internal {

// What is asked of the elements. Each of them is evaluated in any case: the list fails if one does.
struct Reduction {
  enum class Kind : uint8_t {
    kNone,
    kAllTrue,   // alltrue(loop)
    kAnyTrue,   // anytrue(loop)
    kLength,    // length(loop)
    kSum,       // sum(loop)
    kLeast,     // min(loop...)
    kGreatest,  // max(loop...)
    kContains,  // contains(loop, needle)
    kFirst,     // loop[0]
  };

  Kind kind = Kind::kNone;
  const BoundFor* loop = nullptr;
  const BoundExpr* needle = nullptr;  // of kContains

  explicit operator bool() const { return kind != Kind::kNone; }
};

// The reduction that `expr` is, or none. The first of what a loop over a literal list yields is another form
// (compiler/literal_loop.h), and steps behind the first element are not part of it.
Reduction ReductionOf(const BoundExpr& expr);

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_REDUCTIONS_H_

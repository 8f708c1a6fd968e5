// ShrinkScope: the smallest scope that still shows what a large one has shown.
//
// Tested by tests/slow/net/judge_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_SHRINK_SCOPE_H_
#define HCLVM_TESTS_SLOW_NET_SHRINK_SCOPE_H_

#include <functional>

#include "hclvm/tests/slow/net/odd_scopes.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// A scope made of parts of `scope`, for which `shows` holds as it does for `scope`. Values live in `heap`.
OddScope ShrinkScope(const OddScope& scope, const std::function<bool(const OddScope&)>& shows, Heap* heap);

// One scope of that object.
OddScope ScopeOf(const Value& variables, Heap* heap);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_SHRINK_SCOPE_H_

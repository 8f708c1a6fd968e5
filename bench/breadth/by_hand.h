// The breadth workloads by hand in C++, all of them: what the VM is measured against.
//
// They are as a C++ programmer writes them who wants speed: a scope is a struct of strings, vectors, maps and
// integers; loops end when the answer is known; what does not depend on the scope is made once; and the answer is a
// value of its own, with its strings. Nothing is known of the scopes but their form. Evaluate() is const and may be
// called from several threads.
//
// Tested by bench/breadth/breadth_test.cc.

#ifndef HCLVM_BENCH_BREADTH_BY_HAND_H_
#define HCLVM_BENCH_BREADTH_BY_HAND_H_

#include <tuple>

#include "hclvm/bench/breadth/access.h"
#include "hclvm/bench/breadth/lists.h"
#include "hclvm/bench/breadth/money.h"
#include "hclvm/bench/breadth/rules.h"
#include "hclvm/bench/breadth/services.h"
#include "hclvm/bench/breadth/settings.h"
#include "hclvm/bench/breadth/text.h"

namespace hcl::bench {

// B01 is the first.
using BreadthWorkloads = std::tuple<B01, B02, B03, B04, B05, B06, B07, B08, B09, B10, B11, B12, B13, B14, B15, B16, B17,
                                    B18, B19, B20, B21, B22, B23, B24, B25, B26, B27, B28, B29, B30>;

}  // namespace hcl::bench

#endif  // HCLVM_BENCH_BREADTH_BY_HAND_H_

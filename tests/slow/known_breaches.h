// Where the language itself breaks the law of unknown values, by classes.

#ifndef HCLVM_TESTS_SLOW_KNOWN_BREACHES_H_
#define HCLVM_TESTS_SLOW_KNOWN_BREACHES_H_

#include <string>

#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {

// A program whose answer for unknown values and whose answer for real ones contradict each other, as small as Shrink()
// makes it.
struct Breach {
  std::string text;
  std::string earlier;  // the answers, printed
  std::string real;
  bool was_error = false;  // the earlier answer
  Dialect dialect = Dialect::kSpec;
  Doubts earlier_doubts;
  Doubts real_doubts;
};

// The name of the first class that the breach belongs to; null if it belongs to none, and is a fault.
const char* KnownBreach(const Breach& breach);

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_KNOWN_BREACHES_H_

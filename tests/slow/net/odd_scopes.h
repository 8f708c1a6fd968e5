// OddScopes: scopes of a policy in which something is not as the policy expects it.
//
// Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_ODD_SCOPES_H_
#define HCLVM_TESTS_SLOW_NET_ODD_SCOPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// A scope, and the same without marks.
struct OddScope {
  Value marked;
  Value bare;
  bool has_marks = false;
};

// Odd values are mostly made where the program looks, since it looks at few of many places. Not thread-safe.
class OddScopes {
 public:
  // All must outlive this. Values live in a heap of its own.
  OddScopes(const World& world, Dialect dialect, Dice* dice);

  // A scope of the variables whose names occur in `text`, in `heap`: nothing is odd, or one thing or more.
  OddScope Next(const std::string& text, Heap* heap);

 private:
  struct Variable {
    std::string name;
    std::vector<Value> usual;  // by scope of the world; an error value never
    std::vector<bool> is_there;
    std::vector<Value> odd;
  };

  // The value with something odd at a place that `text` reads, by the names in it.
  Value OddWhereRead(const Value& value, const std::string& text, int depth);
  Value Odd(const Value& value);
  Value OddItself(const Value& value);
  Value OddPart(const Value& value);
  Value Twisted(const Value& value);
  Value Typed(const Value& value);
  // The same kind of collection with other parts.
  Value WithParts(const Value& value, absl::Span<const Value> parts);

  const World& world_;
  Heap heap_;   // of what is made once
  Heap* into_;  // of what is made now
  Dice* dice_;
  std::vector<Variable> variables_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_ODD_SCOPES_H_

// Signatures: what arguments the functions of the library take, found by calling them.
//
// Nobody has to list the functions: what is registered is tried with values of all kinds, and with the arguments of the
// examples in its documentation, which have the special texts that some functions ask for.
//
// Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_SIGNATURES_H_
#define HCLVM_TESTS_SLOW_NET_SIGNATURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/shapes.h"

namespace hcl::testing_support {

// Arguments for which a call has a value.
struct Signature {
  struct Argument {
    std::string text;         // one that fits
    Want want;                // its kind
    bool is_special = false;  // of the documentation's example
  };
  std::vector<Argument> arguments;
  Want result;
};

struct KnownFunction {
  std::string name;
  uint32_t weight = 1;  // how often to call it
  std::vector<Signature> signatures;
  size_t least = 0;  // arguments that it takes
  size_t most = 0;
};

// Immutable.
class Signatures {
 public:
  // The functions of the library that give the same for the same arguments; without those about marks, which the slow
  // evaluator does not know. `corpus` says what people call.
  explicit Signatures(const Corpus& corpus);

  const std::vector<KnownFunction>& functions() const { return functions_; }
  // Indexes into functions() of those that can give a value of the kind, each as often as its weight says.
  const std::vector<uint32_t>& Giving(Kind kind) const { return giving_[static_cast<size_t>(kind)]; }

 private:
  std::vector<KnownFunction> functions_;
  std::vector<uint32_t> giving_[kKinds];
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_SIGNATURES_H_

// NetPrograms: programs of the net (tests/slow/net), over the variables that the reference knows as well.
//
// Tested by tests/differential/programs_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_NET_PROGRAMS_H_
#define HCLVM_TESTS_DIFFERENTIAL_NET_PROGRAMS_H_

#include <cstdint>
#include <string>

#include "hclvm/tests/differential/program.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/grammar.h"
#include "hclvm/tests/slow/net/matrix.h"
#include "hclvm/tests/slow/net/mutator.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::differential {

// The same for the same seed on every platform. Not thread-safe.
class NetPrograms {
 public:
  // `variables`: the text of tests/conformance/variables.json. Reads the policies below the current folder. Ends the
  // process where it cannot read these.
  NetPrograms(const std::string& variables, uint64_t seed);

  Program Next();

 private:
  Heap heap_;  // of the world
  testing_support::Corpus corpus_;
  testing_support::Signatures signatures_;
  testing_support::World world_;
  testing_support::Dice dice_;
  testing_support::Grammar grammar_;
  testing_support::Mutator mutator_;
  testing_support::Matrix matrix_;
};

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_NET_PROGRAMS_H_

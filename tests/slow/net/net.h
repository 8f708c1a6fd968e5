// Net: random programs of people's kinds over scopes of all kinds, judged, until so many comparisons are made.
//
// Tested by tests/slow/net/net_law_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_NET_H_
#define HCLVM_TESTS_SLOW_NET_NET_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/grammar.h"
#include "hclvm/tests/slow/net/judge.h"
#include "hclvm/tests/slow/net/matrix.h"
#include "hclvm/tests/slow/net/mutator.h"
#include "hclvm/tests/slow/net/odd_scopes.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/dice.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {

// The same for the same seed on every platform. Not thread-safe.
class Net {
 public:
  // Both must outlive this; the corpus is used by one net at a time.
  Net(Corpus* corpus, const Signatures& signatures, Dialect dialect, uint64_t seed);

  // Takes programs until the judge has made so many comparisons more, or there are so many failures.
  void Run(uint64_t comparisons, size_t most_failures);

  // A program, which is not judged.
  std::string AnyProgram();

  // What was found, each made small: the program, its scope, and what the ways say.
  const std::vector<std::string>& failures() const { return failures_; }
  const Judge& judge() const { return judge_; }
  uint64_t programs() const { return programs_; }
  // Texts that do not parse: a generator should make few.
  uint64_t broken() const { return broken_; }

 private:
  std::string NextProgram(const World& world);
  void CheckBatch(const World& world, OddScopes* scopes);
  void Fail(const std::string& text, const OddScope& scope, const Finding& finding);
  void FailSet(std::vector<std::string> texts, std::vector<OddScope> scopes, const Finding& finding);
  void Report(const std::string& text, const OddScope& scope, const Finding& finding);

  Corpus* corpus_;
  Dialect dialect_;
  Dice dice_;
  Grammar grammar_;
  Mutator mutator_;
  Matrix matrix_;
  Judge judge_;
  std::vector<std::unique_ptr<OddScopes>> scopes_;  // by world, once it is asked for
  Heap heap_;                                       // of the scopes of a batch
  std::vector<std::string> failures_;
  uint64_t programs_ = 0;
  uint64_t broken_ = 0;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_NET_H_

// Pairs: programs that mean the same, made of the table of equivalences (tests/slow/rewrites.h): rows applied within
// one another, up to three deep, at random places of random expressions.
//
// Tested by tests/slow/net/pairs_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_PAIRS_H_
#define HCLVM_TESTS_SLOW_NET_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/grammar.h"
#include "hclvm/tests/slow/net/mutator.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/slow/rewrites.h"
#include "hclvm/tests/support/dice.h"

namespace hcl::testing_support {

struct Sides {
  std::string left;
  std::string right;
};

struct Pair {
  const World* world;
  // One in the other, the whole last. They stand in no loop, so that each can be evaluated alone.
  std::vector<Sides> levels;
  std::vector<const Rewrite*> rows;  // the inmost first

  const std::string& left() const { return levels.back().left; }
  const std::string& right() const { return levels.back().right; }
};

// The same for the same seed on every platform. Not thread-safe.
class Pairs {
 public:
  // Both must outlive this. `same_cost`: only of rows whose sides should cost the same.
  Pairs(Corpus* corpus, const Signatures& signatures, bool same_cost, uint64_t seed);

  // The next pair; its rows live as long as this.
  Pair Next();

  // The rows that pairs are made of.
  size_t row_count() const { return rows_.size(); }
  // A pair of one row, in nothing.
  Pair Alone(size_t row);

 private:
  // `form` with expressions in place of its holes, which are those of tests/slow/generator.h.
  std::string Fill(const std::string& form);
  std::string Hole(char letter);
  Sides Apply(const Rewrite& row, const Sides* inner);
  // Whether an expression may stand in a slot: the kind that it must have.
  static bool TakesExpressions(const std::string& slot, Kind* kind);
  Kind KindOfProgram(const World& world, const std::string& text);

  Corpus* corpus_;
  Dice dice_;
  Grammar grammar_;
  Mutator mutator_;
  SlowSide side_;
  std::vector<Rewrite> rows_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_PAIRS_H_

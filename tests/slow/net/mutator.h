// Mutator: programs made of what people have written: parts of policies, changed and put together anew.
//
// Programs of a seed are the same on every platform. Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_MUTATOR_H_
#define HCLVM_TESTS_SLOW_NET_MUTATOR_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/grammar.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/dice.h"

namespace hcl::testing_support {

// A program without one of its expressions.
struct Surrounding {
  bool found = false;
  std::string before;
  std::string behind;
};

// Not thread-safe.
class Mutator {
 public:
  // All must outlive this. `grammar` makes what is put in anew.
  Mutator(Corpus* corpus, const Signatures& signatures, Grammar* grammar, Dice* dice)
      : corpus_(corpus), signatures_(signatures), grammar_(grammar), dice_(dice) {}

  // A program over `world`.
  std::string Next(const World& world);
  // `text`, an expression over `world`, with one change; as it is where it has errors.
  std::string Mutated(const World& world, const std::string& text);

  // `text` around one of its parts of that kind, not itself; none where there is none.
  Surrounding SurroundingIn(const World& world, const std::string& text, Kind kind);

 private:
  // A part of the text that may be replaced.
  struct Place {
    SourceRange range;
    const Expr* expr;
    std::vector<std::string> names;  // of the loops around it
  };

  std::string Closed(const World& world, const Fragment& fragment);
  const Fragment& FragmentOf(const World& world, Kind kind);
  // A fragment of another policy with paths of this one.
  std::string Stranger(const World& world, Kind kind);
  std::string New(Kind kind, const Place& place);
  std::string Wrapped(const std::string& text, Kind kind);
  std::string Replacement(const World& world, const std::string& text, const Place& place,
                          const std::vector<Place>& places);
  std::string Extracted(const World& world, const std::string& text, const std::vector<Place>& places);
  std::string Renamed(const World& world, const std::string& text);
  Kind KindOfExpr(const World& world, const Expr& expr) const;
  Kind KindOfPath(const World& world, const TraversalExpr& path) const;
  bool Chance(uint32_t percent) { return dice_->Roll(100) < percent; }

  Corpus* corpus_;
  const Signatures& signatures_;
  Grammar* grammar_;
  Dice* dice_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_MUTATOR_H_

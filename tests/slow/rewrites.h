// Pairs of programs that mean the same.

#ifndef HCLVM_TESTS_SLOW_REWRITES_H_
#define HCLVM_TESTS_SLOW_REWRITES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/source.h"
#include "hclvm/tests/slow/tree_evaluator.h"

namespace hcl::testing_support {

// How much two programs have in common.
enum class Likeness : uint8_t {
  kExact,   // values with types, marks and what is known of unknown ones; errors with their places
  kValues,  // the same values; or errors, which may be others
  kKnown,   // where both have a value without anything unknown in it, the same, but for marks
};

// What `right` may cost beside `left`.
enum class Cost : uint8_t {
  kSame,  // neither asks for more work: bench/spelling measures how far apart they are
  kMore,  // `right` asks for more, or for the same by other means
};

// `left` and `right` with the same expressions in place of $1 to $9. Which are made of `slots`, forms of the generator
// with bars between them.
struct Rewrite {
  const char* slots;
  const char* left;
  const char* right;
  Likeness likeness;
  Cost cost;
};

// The one table of equivalences: for the meaning, which tests compare, and for the cost. Whoever makes a form cheap
// adds its row here.
std::vector<Rewrite> Rewrites();

// Its parts.
absl::Span<const Rewrite> OperatorRewrites();  // spellings, chains of operators, tests
absl::Span<const Rewrite> PartRewrites();      // a part of what is just made
absl::Span<const Rewrite> LoopRewrites();      // loops over loops, and over what has the same elements
absl::Span<const Rewrite> SearchRewrites();    // searches, counts, sums, logic
absl::Span<const Rewrite> RuleRewrites();      // decisions, tables of rules, choices by key
absl::Span<const Rewrite> TextRewrites();

// A program made of a side of a rewrite.
class Filled {
 public:
  Filled(std::string_view side, const std::vector<std::string>& parts);

  const std::string& text() const { return text_; }
  // The problems in order, each once, without places outside of the parts, and with those inside as "part:begin-end".
  std::vector<std::string> Describe(const Problems& problems) const;

 private:
  struct Place {
    size_t part;
    uint32_t begin;
    uint32_t end;
  };
  std::string text_;
  std::vector<Place> places_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_REWRITES_H_

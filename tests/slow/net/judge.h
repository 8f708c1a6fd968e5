// Judge: what all ways to evaluate say about programs over scopes, compared.
//
// The slow evaluator (tests/slow/tree_evaluator.h) decides. Beside it stand optimized code, the slow path, and code
// that is not optimized; and, of optimized code, an evaluator that is new, one whose variables are lazy, rows, a set of
// programs, and a module. Values, marks and what is known of unknown values must be the same; of errors, the message
// and the place of the first one, and, among the ways that run optimized code, all of them.
//
// Tested by tests/slow/net/judge_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_JUDGE_H_
#define HCLVM_TESTS_SLOW_NET_JUDGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/slow/net/odd_scopes.h"
#include "hclvm/tests/slow/tree_evaluator.h"
#include "hclvm/vm/run_many.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {

// A difference: which ways, and what they say.
struct Finding {
  std::string way;
  std::string text;
};

// Not thread-safe.
class Judge {
 public:
  explicit Judge(Dialect dialect);

  // The program that Compare() is about. False where the text has errors.
  bool Load(const std::string& text);
  // How the ways differ about the scopes, in the order of these; stops at the first difference, and *at is its scope.
  // An empty `way`: they do not differ.
  Finding Compare(const std::vector<OddScope>& scopes, size_t* at);

  // How a module that declares the variables of the scope by what they are, and has the program as an attribute and as
  // a local, differs from the program. Nothing where such a module has errors, and for scopes that are not wholly
  // known, or marked.
  Finding CompareDeclared(const OddScope& scope);

  // Programs of one set, over one scope after the other: each as alone, and the first that is true. `texts` parse.
  Finding CompareSet(const std::vector<std::string>& texts, const std::vector<OddScope>& scopes);

  uint64_t comparisons() const { return comparisons_; }
  uint64_t values() const { return values_; }  // of comparisons(): that had a value
  uint64_t limits() const { return limits_; }  // runs that were not compared, since they reached a limit

 private:
  // What one scope gives; `row`: what RunMany() gave.
  Finding CompareOne(const OddScope& scope, size_t row);
  bool SkipsMarks(const Outcome& optimized, const Outcome& other);
  Outcome Bare(const Outcome& outcome);
  // Counts a comparison.
  bool Agree(const Outcome& a, const Outcome& b);

  Dialect dialect_;
  CompileOptions options_;
  Heap heap_;  // of one comparison
  SlowSide slow_;
  FastSide optimized_;
  FastSide general_;
  FastSide unoptimized_;
  FastSide lazy_;
  FastSide fresh_;
  RunResults rows_;
  std::string text_;
  std::unique_ptr<Parsed> parsed_;
  uint64_t comparisons_ = 0;
  uint64_t values_ = 0;
  uint64_t limits_ = 0;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_JUDGE_H_

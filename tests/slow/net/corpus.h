// Corpus: the policies of examples/ and bench/breadth, as material for programs: their expressions and parts of these,
// the scopes that they are written for, and how often they use which form of the language.
//
// Tested by tests/slow/net/generators_test.cc.

#ifndef HCLVM_TESTS_SLOW_NET_CORPUS_H_
#define HCLVM_TESTS_SLOW_NET_CORPUS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hclvm/base/operators.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/slow/net/shapes.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::testing_support {

// A part of a policy, or a whole expression of it.
struct Fragment {
  std::string text;
  Want want;
  // The names of loops around it that it reads; and the head of the innermost of these loops, as in `for x in c`,
  // where that reads no such names itself.
  std::vector<std::string> loop_names;
  std::string loop_head;
};

struct WorldVariable {
  std::string name;
  uint32_t shape;
};

// A policy, and what it may see.
struct World {
  std::string name;
  std::vector<Value> scopes;  // objects, never empty
  std::vector<WorldVariable> variables;
  std::vector<std::string> strings;  // literals that make conditions hold: of the policy, and of the scopes
  std::vector<std::string> numbers;
  std::vector<Fragment> fragments;  // those of an expression behind it, itself first
};

// Immutable once made, but for `shapes`.
class Corpus {
 public:
  // Reads the files below the current folder, where Bazel puts what a test depends on. Ends the process where they are
  // missing.
  Corpus();

  const std::vector<World>& worlds() const { return worlds_; }
  // A world of no policy, over scopes whose memory must live as long as it.
  World WorldOf(const std::vector<Value>& scopes);
  Shapes* shapes() { return &shapes_; }
  // How often the policies have it.
  uint32_t Count(ExprKind kind) const { return kinds_[static_cast<size_t>(kind)]; }
  uint32_t Count(BinaryOp op) const { return operators_[static_cast<size_t>(op)]; }
  uint32_t CountCalls(const std::string& function) const;

 private:
  class Reader;

  Heap heap_;  // of the scopes
  Shapes shapes_;
  std::vector<World> worlds_;
  uint32_t kinds_[32] = {};
  uint32_t operators_[32] = {};
  std::map<std::string, uint32_t> calls_;
};

}  // namespace hcl::testing_support

#endif  // HCLVM_TESTS_SLOW_NET_CORPUS_H_

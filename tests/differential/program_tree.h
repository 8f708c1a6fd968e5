// The syntax trees of a program, as our parser reads it.
//
// Tested by tests/differential/shrink_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_PROGRAM_TREE_H_
#define HCLVM_TESTS_DIFFERENTIAL_PROGRAM_TREE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {

// Empty for programs in the JSON syntax, and for those with syntax errors.
class ProgramTree {
 public:
  explicit ProgramTree(const Program& program);

  // The outermost expressions.
  const std::vector<const Expr*>& roots() const { return roots_; }
  // All expressions, or so many; those first that stand highest.
  std::vector<const Expr*> Nodes(size_t limit = SIZE_MAX) const { return Below(roots_, limit); }
  // `nodes` and the expressions below them, or so many.
  static std::vector<const Expr*> Below(std::vector<const Expr*> nodes, size_t limit = SIZE_MAX);

  std::string Text(const Expr& expr) const { return std::string(source_.Slice(expr.range)); }

 private:
  Source source_;
  std::unique_ptr<ParsedFile> file_;
  std::vector<const Expr*> roots_;
};

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_PROGRAM_TREE_H_

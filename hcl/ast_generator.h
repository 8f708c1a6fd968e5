// Random ASTs, of the shapes that a parse gives, for property tests. Internal to tests in hcl/. Tested by
// hcl/print_test.cc, which parses what it prints of them.

#ifndef HCLVM_HCL_AST_GENERATOR_H_
#define HCLVM_HCL_AST_GENERATOR_H_

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/hcl/ast.h"

namespace hcl {
namespace internal {

// Not thread-safe. Trees live in `arena`; their ranges mean nothing, but attributes and blocks are in order.
class AstGenerator {
 public:
  AstGenerator(uint32_t seed, Arena* arena) : random_(seed), arena_(arena) {}

  const Expr* Expression(int depth) { return Any(depth, 0); }
  const Expr* Template(int depth);  // TemplateExpr or TemplateWrapExpr
  const Body* GenerateBody(int depth);

 private:
  size_t Below(size_t bound) { return random_() % bound; }
  bool Chance(size_t percent) { return Below(100) < percent; }
  std::string_view Name();
  std::string_view VariableName();
  std::string_view Text();
  // Levels: 0 conditionals and looser, 1-6 binary operators, 7 unary operators, 8 terms.
  const Expr* Any(int depth, int level);
  const Expr* Term(int depth);
  const Expr* Atom(int depth);
  const Expr* Postfix(const Expr* base, int depth);
  TraversalStep Step(bool may_be_attribute);
  absl::Span<const TraversalStep> Steps(bool may_start_with_attribute);
  const Expr* Key(int depth);
  const Expr* For(int depth);
  const Expr* Object(int depth);
  absl::Span<const Expr* const> Exprs(int depth);
  absl::Span<const Expr* const> Parts(int depth);
  const TemplateExpr* Content(int depth);

  std::mt19937 random_;
  Arena* arena_;
};

}  // namespace internal
}  // namespace hcl

#endif  // HCLVM_HCL_AST_GENERATOR_H_

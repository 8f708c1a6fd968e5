// SiblingChecker: attributes of plain configs that are written as if they could read each other.
//
// Internal to modules. Tested by module/sibling_checker_test.cc.

#ifndef HCLVM_MODULE_SIBLING_CHECKER_H_
#define HCLVM_MODULE_SIBLING_CHECKER_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/hcl/ast.h"

namespace hcl::internal {

// Looks at one body after the other. Not thread-safe.
class SiblingChecker {
 public:
  // The body, which must live until the next one, whose attributes come next.
  void BeginBody(const Body& body) {
    body_ = &body;
    names_.clear();
    are_ascii_.reset();
  }

  // Adds a warning for each variable that the attribute with the value `expr` reads by the name of another attribute of
  // its body. `tree` is that of the value, whose ranges are in `source`.
  void Check(const Expr& expr, const BoundTree& tree, const Source* source, Diagnostics* diagnostics);

 private:
  const Attribute* Find(std::string_view name);
  bool AllAreAscii();

  const Body* body_ = nullptr;
  std::optional<bool> are_ascii_;                             // its names; empty: not looked at yet
  absl::flat_hash_map<std::string, const Attribute*> names_;  // of a large body; empty: not looked for yet
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_SIBLING_CHECKER_H_

// UsedNames: what a module uses of what it declares.
//
// Internal to modules. Tested by module/type_checker_test.cc.

#ifndef HCLVM_MODULE_USED_NAMES_H_
#define HCLVM_MODULE_USED_NAMES_H_

#include <set>
#include <string>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/module/declarations.h"

namespace hcl::internal {

// Not thread-safe.
class UsedNames {
 public:
  // An expression of the module, and what was made of it.
  void Note(const Expr& expr, const Source& source, const BoundTree& tree);
  // What a function of the module gives, which reads nothing else.
  void NoteCalls(const Expr& result);
  // A warning for each variable, local and function that is in no expression that was noted.
  void WarnOfOthers(const Declarations& declared, Diagnostics* warnings) const;

 private:
  std::set<std::string> variables_;
  std::set<std::string> locals_;
  std::set<std::string> functions_;
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_USED_NAMES_H_

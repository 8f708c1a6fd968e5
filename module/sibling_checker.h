// SiblingChecker: attributes of plain configs that are written as if they could read each other.
//
// Internal to modules. Tested by module/sibling_checker_test.cc.

#ifndef HCLVM_MODULE_SIBLING_CHECKER_H_
#define HCLVM_MODULE_SIBLING_CHECKER_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/hcl/ast.h"

namespace hcl::internal {

// Looks at one body after the other. Not thread-safe. All that it is given must live until Finish().
class SiblingChecker {
 public:
  // The body whose attributes come next.
  void BeginBody(const Body& body) {
    body_ = &body;
    names_.clear();
    are_ascii_.reset();
  }

  // Notes the variables that the attribute with the value `expr` reads by the name of another attribute of its body.
  // `tree` is that of the value, whose ranges are in `source`.
  void Note(const Expr& expr, const BoundTree& tree, const Source* source);

  // Tells a warning for each that was noted, in order, but where the config shows that the variable is meant:
  //
  //   - some attribute reads the variable of its own name, as in `x = upper(x)`, so that the scope has one;
  //   - a step goes into the variable, as in `count.index`, and the attribute is a text, a number or a bool, which
  //     has no parts.
  void Finish(const std::function<void(Diagnostic)>& tell) const;

 private:
  struct Read {
    std::string_view name;
    const Attribute* attribute;
    SourceRange range;
    const Source* source;
    bool has_steps;
  };

  const Attribute* Find(std::string_view name);
  bool AllAreAscii();

  const Body* body_ = nullptr;
  std::optional<bool> are_ascii_;                 // its names; empty: not looked at yet
  HashMap<std::string, const Attribute*> names_;  // of a large body; empty: not looked for yet
  std::vector<Read> reads_;
  HashSet<std::string> bound_;  // names that an attribute of the same name reads
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_SIBLING_CHECKER_H_

// SensitiveFlow: which values hold a variable that is declared sensitive.
//
// Internal to modules. Tested by module/sensitive_flow_test.cc.

#ifndef HCLVM_MODULE_SENSITIVE_FLOW_H_
#define HCLVM_MODULE_SENSITIVE_FLOW_H_

#include <cstdint>

#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bound_tree.h"

namespace hcl::internal {

// A value holds a variable where the variable, or a text or collection that is made of it, is in the value. What is
// only tested is not held: `token == x` gives a bool. Not thread-safe.
class SensitiveFlow {
 public:
  // The variable of that slot is declared sensitive.
  void Declare(uint32_t slot) { holds_.insert(slot); }
  // The local of that slot is made by `tree`.
  void AddLocal(uint32_t slot, const BoundTree& tree) {
    if (Find(tree) != nullptr) holds_.insert(slot);
  }
  // Where the value of `tree` takes what it holds from: a variable, or a local that holds one; null where it holds
  // none. Time: linear in the tree; recursion follows its height.
  const BoundPath* Find(const BoundTree& tree) const { return holds_.empty() ? nullptr : FindIn(tree.root()); }

 private:
  const BoundPath* FindIn(const BoundExpr& expr) const;

  HashSet<uint32_t> holds_;  // slots
};

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_SENSITIVE_FLOW_H_

// PartTypes: types of tuples, objects and branches, from those of their parts, as far as the text tells them.
//
// Tested by compiler/bind_test.cc and compiler/bind_comparisons_test.cc.

#ifndef HCLVM_COMPILER_PART_TYPES_H_
#define HCLVM_COMPILER_PART_TYPES_H_

#include <optional>

#include "absl/base/attributes.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"

namespace hcl::internal {

// Types live as long as this, since those of one tree are compared with those of specs. Not thread-safe.
class PartTypes {
 public:
  // The type of a tuple or an object; dynamic where one of its parts is.
  ABSL_ATTRIBUTE_NOINLINE Type OfParts(const BoundExpr& node);
  // What BoundConditional::common_type is for these branches, which get the types of their constants.
  Type OfBranches(BoundExpr* if_true, BoundExpr* if_false, Heap* heap);
  // Made when it is first asked for: most texts need none.
  TypeTable& table() { return table_ ? *table_ : table_.emplace(); }

 private:
  std::optional<TypeTable> table_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_PART_TYPES_H_

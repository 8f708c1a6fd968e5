// SharedValues: expressions whose value is made once where the text has them several times, or in a loop that they do
// not depend on.
//
// An expression language without local names makes people repeat themselves: the same call stands in a filter, a key
// and a message. Calls and loops of one value number, in the same pass of the loops that they read, share a register;
// code that comes by takes the value from there, and makes it where there is none yet. So nothing runs that would not
// have run, and an expression that fails is evaluated again at its next place, and reports that.
//
// Tested by compiler/shared_values_test.cc.

#ifndef HCLVM_COMPILER_SHARED_VALUES_H_
#define HCLVM_COMPILER_SHARED_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/compiler/bound_tree.h"

namespace hcl::internal {

// Of one tree at a time. Not thread-safe.
class SharedValues {
 public:
  // Looks for them. The tree must outlive what is asked about it. Time: linear, but for the number of loops that are
  // around one expression.
  void Find(const BoundTree& tree);
  // There are none.
  void Clear() {
    if (!values_.empty()) value_of_.clear();
    values_.clear();
    loops_.clear();
    repeated_.clear();
  }

  // One value, and where it is kept while code of its scope is emitted.
  struct Shared {
    const BoundExpr* scope;  // the loop in each pass of which it is made anew; null: none
    std::optional<uint16_t> reg;
    bool is_joint = false;  // code that makes it together with others has been emitted (compiler/joint_loops.h)
    bool is_begun = false;  // code that makes it may have been emitted
    bool repeats = false;   // a loop that it does not depend on is around it
  };
  bool empty() const { return values_.empty(); }
  // The value that `expr` shares, or null. Only calls, loops and templates share one.
  Shared* Of(const BoundExpr& expr) {
    const bool may_share =
        expr.kind == BoundKind::kCall || expr.kind == BoundKind::kFor || expr.kind == BoundKind::kTemplate;
    return values_.empty() || !may_share ? nullptr : ValueOf(expr.id);
  }
  // Code is emitted that makes the value of `expr`, which shares one. Whether it may be there before that runs: not
  // where the code is the first, and no loop comes back to it.
  bool BeginMaking(const BoundExpr& expr) { return std::exchange(Of(expr)->is_begun, true) || !loops_.empty(); }
  // Whether the node is in a place whose value another one before it has made.
  bool IsRepeated(uint32_t id) const;
  // Has `expr` of the tree share a value of its own, or that of `same`, if that is not null; false where there are too
  // many. One that has one keeps it.
  bool Share(const BoundTree& tree, const BoundExpr& expr, const BoundExpr* same);
  // Calls `function` with each value of the scope.
  template <typename Function>
  void ForEachIn(const BoundExpr* scope, const Function& function) {
    for (Shared& value : values_) {
      if (value.scope == scope) function(&value);
    }
  }

 private:
  // A loop: `body` are the ids of the nodes that may read its variables.
  struct Loop {
    const BoundExpr* node;
    uint32_t body_begin, body_end;
    const LocalVariable* variables[2];
  };
  struct Place {
    const BoundExpr* expr;
    const BoundExpr* scope;
    bool repeats;  // a loop that it does not depend on is around it
  };

  // The nodes of a place.
  struct Repeated {
    uint32_t first, id;
  };

  Shared* ValueOf(uint32_t id);
  void AddLoop(const BoundExpr& node);
  void AddRepeated(const BoundExpr& expr);
  Place PlaceOf(const BoundTree& tree, const BoundExpr& expr) const;

  std::vector<Shared> values_;
  HashMap<uint32_t, uint32_t> value_of_;  // by id of the node
  std::vector<Repeated> repeated_;        // in order, and apart from each other
  absl::InlinedVector<Loop, 8> loops_;    // inner ones before those around them
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_SHARED_VALUES_H_

// NodeGenerator: code for the nodes of a bound tree, and where fast code is in it.
//
// The fast path of a node, where it has one, is in front of its slow path, and jumps over it. A run that has nothing to
// report never comes to the slow path; a side exit finds all that it needs there, as fast code writes nothing but
// registers that no other code reads. Tested by compiler/compiler_test.cc and compiler/core_emitter_test.cc.

#ifndef HCLVM_COMPILER_NODE_GENERATOR_H_
#define HCLVM_COMPILER_NODE_GENERATOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/core.h"
#include "hclvm/compiler/named_functions.h"
#include "hclvm/compiler/registers.h"
#include "hclvm/compiler/slow_path.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {

// Serves one tree after the other. Not thread-safe.
class NodeGenerator {
 public:
  // How much fast code there may be for the node at hand.
  struct Mode {
    bool slow_only = false;        // none: it is inside of an expression whose fast code is there already
    bool loops_stay_slow = false;  // and none for loops in it
  };

  // All must outlive this.
  NodeGenerator(const CompileOptions& options, ProgramBuilder* builder, Registers* registers, Binder* binder)
      : options_(options),
        builder_(builder),
        registers_(*registers),
        binder_(*binder),
        slow_path_(options, builder, registers, this) {}

  // See CodeGenerator.
  void KeepFirstTests(std::string* packed) { first_tests_ = packed; }
  // Functions whose results fast code may take in place of calls. They must outlive this.
  void set_functions(NamedFunctions* functions) { functions_ = functions; }

  // Code for all of `tree`, as Yield() says. `returns`: the chunk ends with it.
  Result YieldTree(const BoundTree& tree, uint16_t dest, bool returns);

  // Code that yields a node of that tree; if it needs a register, in `dest`, which is allocated. Registers above the
  // ones allocated are free for it and free again afterwards. A constant is the tree's.
  Result Yield(const BoundExpr& expr, uint16_t dest) {
    return expr.is_constant() ? Result::Constant(As<BoundConstant>(expr).value) : YieldNode(expr, dest);
  }
  // The same, and the value is always left in `dest`.
  void YieldTo(const BoundExpr& expr, uint16_t dest) { registers_.MoveTo(Yield(expr, dest), dest); }

  // The slow path of an expression whose fast code is there, and the slow path in the midst of fast code.
  void YieldBehindFast(const BoundExpr& expr, uint16_t dest);
  void YieldInsideFast(const BoundExpr& expr, uint16_t dest);

  // What a program that records reports before and behind the code of a node. No effect for others. The second one
  // returns where the value is then.
  void BeginRecord(const BoundExpr& expr);
  bool IsReported(const BoundExpr& expr) const;
  Result EndRecord(const BoundExpr& expr, Result result, uint16_t dest);
  // The point of the root of the tree at hand.
  uint32_t root_point() const { return first_point_ + tree_->root().id; }

  // Code that comes next is made of `expr`, in a program that keeps origins; null: of what it was. No effect for
  // others. Returns what it was.
  const BoundExpr* EnterOrigin(const BoundExpr* expr) {
    const BoundExpr* const outer = origin_;
    if (options_.keep_origins && expr != nullptr) NoteOrigin(expr);
    return outer;
  }
  void LeaveOrigin(const BoundExpr* outer) {
    if (options_.keep_origins && outer != nullptr) NoteOrigin(outer);
  }
  // Expressions of `tree`, of a local, are in the source at hand.
  void NoteNamedTree(const BoundTree* tree) {
    if (options_.keep_origins) named_trees_.emplace_back(tree, builder_->source());
  }

  // The arguments of a call, or the elements of a loop, come next, up to Leave(), with what the mode was before.
  Mode EnterCall(const BoundCall& call);
  Mode EnterLoop(const BoundFor& loop);
  void Leave(Mode outer) { mode_ = outer; }
  // Code that goes on with elements that pass the condition of `expr`, and to the next one otherwise.
  void YieldFilter(const BoundFor& expr, SlowLoop* loop);

 private:
  // Fast code nests so deep: with each level a node may have code twice as often.
  static constexpr int kMaxFastLevel = 3;

  bool MayBeFast() const { return options_.optimize && options_.fast_code && !mode_.slow_only; }
  void NoteOrigin(const BoundExpr* expr);
  // The same as Yield() for what is no constant.
  Result YieldNode(const BoundExpr& expr, uint16_t dest);
  // Code of the fast path, if Core can express all of `expr`: puts the value into `dest`, or ends the chunk, and adds
  // to *done the jump behind the slow path, which must come next. False for others; emits nothing then.
  ABSL_ATTRIBUTE_NOINLINE bool YieldFast(const BoundExpr& expr, uint16_t dest, std::optional<uint32_t>* done);
  // Whether there is to be fast code for it where it is in the slow path, or is all.
  bool IsWorthFastCode(const BoundExpr& expr) const;
  bool MakesInvariants(const BoundFor& loop) const;
  bool SharesWithFilter(const BoundFor& loop) const;
  // What fast code for it is made from; null where there is none.
  const CoreNode* LowerFast(const BoundExpr& expr, CoreTree* tree);
  // The fast code of a filter, whose slow path begins at `slow_path`.
  ABSL_ATTRIBUTE_NOINLINE void YieldFastFilter(const CoreNode& condition, CoreTree* tree, uint32_t slow_path,
                                               SlowLoop* loop);

  const CompileOptions& options_;
  ProgramBuilder* builder_;
  Registers& registers_;
  Binder& binder_;
  SlowPath slow_path_;
  NamedFunctions* functions_ = nullptr;
  const BoundTree* tree_ = nullptr;  // at hand
  uint32_t first_point_ = 0;         // of its nodes, in a program that records
  const BoundExpr* tail_ = nullptr;  // what the chunk returns
  std::string* first_tests_ = nullptr;
  Mode mode_;
  const BoundExpr* origin_ = nullptr;
  std::vector<std::pair<const BoundTree*, const Source*>> named_trees_;  // of a program that keeps origins
  int fast_level_ = 0;  // expressions with fast code around the node at hand
};

// While it lives, code is made of that expression.
class OriginScope {
 public:
  OriginScope(NodeGenerator* nodes, const BoundExpr* expr) : nodes_(*nodes), outer_(nodes->EnterOrigin(expr)) {}
  ~OriginScope() { nodes_.LeaveOrigin(outer_); }
  OriginScope(const OriginScope&) = delete;
  OriginScope& operator=(const OriginScope&) = delete;

 private:
  NodeGenerator& nodes_;
  const BoundExpr* const outer_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_NODE_GENERATOR_H_

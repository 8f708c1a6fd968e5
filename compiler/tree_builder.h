// TreeBuilder: the bound tree under construction, and the trees that are there.
//
// Nodes are added parts first. What the program needs for a node, whatever code is made of it, is added to the program
// with it. Tested by compiler/bind_test.cc.

#ifndef HCLVM_COMPILER_TREE_BUILDER_H_
#define HCLVM_COMPILER_TREE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/part_types.h"
#include "hclvm/hcl/scratch_list.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// Not thread-safe. Serves one program under construction.
class TreeBuilder {
 public:
  // A place in the tree under construction.
  struct Mark {
    uint32_t id, paths, locals, decisions;
  };

  // Both must outlive this.
  TreeBuilder(ProgramBuilder* builder, PartTypes* types);

  // Begins a tree, which lives until ForgetTrees().
  void Begin() { BeginIn(TakeTree()); }
  void ForgetTrees();
  // Begins a tree that lives as long as this. Nothing else is made before EndKept().
  void BeginKept();
  void EndKept() { std::swap(arena_, kept_arena_); }
  // What was begun last.
  const BoundTree& tree() const { return *tree_; }
  // What expressions that are bound from here on may know of a tree that is kept.
  const NamedTree* Name(const BoundTree& kept, bool is_read_once);

  // From here on, nodes do not get what only code needs: the facts that say what fast code there is for them, and paths
  // in the program.
  void LeaveOutCode() { is_for_code_ = false; }
  // Adds the paths of the tree, so that there may be code for it after all.
  void AddPaths();

  // Memory for what is made of trees, and lives as long.
  Arena* arena() { return &arena_; }
  template <typename Node, typename... Args>
  Node* New(Args&&... args) {
    return arena_.New<Node>(std::forward<Args>(args)...);
  }
  template <typename T>
  absl::Span<const T> Keep(absl::Span<const T> items) {
    return arena_.CopySpan(items);
  }

  Mark Here() const {
    return {static_cast<uint32_t>(tree_->nodes_.size()), static_cast<uint32_t>(tree_->path_reads_.size()),
            static_cast<uint32_t>(tree_->local_reads_.size()), tree_->decisions_};
  }
  // Takes back the nodes since `mark`.
  void Rewind(const Mark& mark);
  // Gives the node its place and the facts that follow from it; its parts were added since `mark`.
  template <typename Node>
  Node* Add(Node* node, const Mark& mark) {
    return Place(node, mark), node;
  }
  // The same for what reads a variable.
  ABSL_ATTRIBUTE_NOINLINE void AddRead(BoundPath* node, const Mark& mark);
  void AddRead(BoundLocal* node, const Mark& mark);
  // A constant instead of all nodes since `mark`.
  BoundConstant* AddConstant(const Mark& mark, SourceRange range, const Value& value);
  // The same for the value of an operation: the facts stay those of its form, since an unknown condition's result takes
  // its type from what branches look like.
  BoundConstant* AddFolded(const Mark& mark, SourceRange range, const Value& value, Type type, bool never_null = true);
  // A constant with the parts of the literal that it was made of.
  BoundConstant* AddLiteral(const Mark& mark, const BoundExpr* literal, const Value& value);
  ABSL_ATTRIBUTE_COLD ABSL_ATTRIBUTE_NOINLINE BoundRaise* AddRaise(const Mark& mark, SourceRange range,
                                                                   Diagnostic diagnostic);
  // Changes the value of a constant that was added.
  void SetConstant(const BoundExpr& constant, const Value& value);

  // What the tree counts.
  void CountCall() { ++tree_->calls_; }
  void CountLoop() { ++tree_->loops_; }
  void CountTemplate() { ++tree_->templates_; }
  // The first of `count` choices that a run makes.
  uint32_t AddDecisions(uint32_t count) { return std::exchange(tree_->decisions_, tree_->decisions_ + count); }

 private:
  void BeginIn(BoundTree* tree);
  BoundTree* TakeTree();
  void AddPath(BoundPath* node);
  void Place(BoundExpr* node, const Mark& mark);
  // The same without facts.
  void Append(BoundExpr* node, const Mark& mark) {
    node->id = static_cast<uint32_t>(tree_->nodes_.size());
    node->first = mark.id;
    node->paths_begin = mark.paths;
    node->locals_begin = mark.locals;
    node->paths_end = static_cast<uint32_t>(tree_->path_reads_.size());
    node->locals_end = static_cast<uint32_t>(tree_->local_reads_.size());
    tree_->nodes_.push_back(node);
  }

  ProgramBuilder& builder_;
  PartTypes& types_;
  Arena arena_;       // of all trees
  Arena kept_arena_;  // of those that are kept
  std::vector<std::unique_ptr<BoundTree>> kept_trees_;
  BoundTree first_tree_;
  std::vector<std::unique_ptr<BoundTree>> other_trees_;
  size_t tree_count_ = 0;           // that are in use
  BoundTree* tree_ = &first_tree_;  // under construction
  bool is_for_code_ = true;
  ScratchStack<PathStep> path_;
};

}  // namespace hcl::internal

#endif  // HCLVM_COMPILER_TREE_BUILDER_H_

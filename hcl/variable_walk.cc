// References: a walk with an explicit stack, on which the names that a 'for' defines come and go.

#include "hclvm/hcl/variable_walk.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "hclvm/hcl/walk.h"

namespace hcl {
namespace internal {
namespace {

StaticTraversal Root(std::string_view name, SourceRange range, const Source* source) {
  StaticTraversal traversal;
  traversal.root = name;
  traversal.root_range = range;
  traversal.range = range;
  traversal.source = source;
  return traversal;
}

std::optional<StaticTraversal> RootOf(const Expr& expr, const Source* source) {
  if (expr.kind == ExprKind::kVariable) return Root(As<VariableExpr>(expr).name, expr.range, source);
  if (expr.kind != ExprKind::kLiteral || As<LiteralExpr>(expr).literal == LiteralKind::kNumber) return std::nullopt;
  return Root(As<LiteralExpr>(expr).spelling, expr.range, source);
}

class VariableWalk {
 public:
  VariableWalk(const Source* source, std::vector<StaticTraversal>* variables)
      : source_(source), variables_(variables) {}

  // Entering and leaving a scope are tasks among the others, in the order of the text: so the names that are local at a
  // node are those on the stack when its turn comes, without a copy of them for each node.
  void Run(const Expr& expr) {
    Push(&expr);
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      switch (task.kind) {
        case Task::Kind::kVisit:
          Visit(*task.expr);
          break;
        case Task::Kind::kEnterScope:
          local_names_.insert(local_names_.end(), {task.key_name, task.value_name});
          break;
        case Task::Kind::kLeaveScope:
          local_names_.resize(local_names_.size() - 2);
          break;
      }
    }
  }

 private:
  struct Task {
    enum class Kind : uint8_t { kVisit, kEnterScope, kLeaveScope };
    Kind kind;
    const Expr* expr;           // kVisit
    std::string_view key_name;  // kEnterScope: what the 'for' defines
    std::string_view value_name;
  };

  void Push(const Expr* expr) {
    if (expr != nullptr) tasks_.push_back(Task{Task::Kind::kVisit, expr, {}, {}});
  }

  // A traversal from a variable is one reference with its path. From anything else, only what is inside reads the
  // scope. The collection of a 'for' stands outside of its scope (native-syntax.md, "For Expressions"), the rest
  // inside.
  void Visit(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kVariable:
        return Add(Root(As<VariableExpr>(expr).name, expr.range, source_));
      case ExprKind::kTraversal: {
        if (As<TraversalExpr>(expr).source->kind != ExprKind::kVariable) break;
        std::optional<StaticTraversal> traversal = AbsoluteTraversal(expr, source_);
        if (!traversal.has_value()) break;
        return Add(std::move(*traversal));
      }
      case ExprKind::kFor: {
        const auto& node = As<ForExpr>(expr);
        return VisitFor(node.key_name, node.value_name, node.collection, {node.key, node.value, node.condition});
      }
      case ExprKind::kTemplateFor: {
        const auto& node = As<TemplateForExpr>(expr);
        return VisitFor(node.key_name, node.value_name, node.collection, {node.body});
      }
      default:
        break;
    }
    children_.clear();
    AppendChildren(expr, &children_);
    for (size_t i = children_.size(); i > 0; --i) Push(children_[i - 1]);
  }

  // Pushes in the opposite order of the text, as a stack gives back what was pushed last. Push() passes over what a
  // 'for' does not have.
  void VisitFor(std::string_view key_name, std::string_view value_name, const Expr* collection,
                std::initializer_list<const Expr*> inside) {
    tasks_.push_back(Task{Task::Kind::kLeaveScope, nullptr, {}, {}});
    for (const Expr* const* expr = inside.end(); expr != inside.begin(); --expr) Push(expr[-1]);
    tasks_.push_back(Task{Task::Kind::kEnterScope, nullptr, key_name, value_name});
    Push(collection);
  }

  void Add(StaticTraversal traversal) {
    const auto found = std::find(local_names_.begin(), local_names_.end(), traversal.root);
    if (found == local_names_.end()) variables_->push_back(std::move(traversal));
  }

  const Source* source_;
  std::vector<StaticTraversal>* variables_;
  std::vector<Task> tasks_;
  std::vector<std::string_view> local_names_;  // two for each 'for' around; the key's may be empty
  std::vector<const Expr*> children_;
};

}  // namespace

// A traversal has the longest run of constant steps, so its source is the root or nothing that static analysis takes
// (native-syntax.md, "Static Traversal").
std::optional<StaticTraversal> AbsoluteTraversal(const Expr& expr, const Source* source) {
  if (expr.kind != ExprKind::kTraversal) return RootOf(expr, source);
  const auto& node = As<TraversalExpr>(expr);
  std::optional<StaticTraversal> traversal = RootOf(*node.source, source);
  if (!traversal.has_value()) return std::nullopt;
  for (const TraversalStep& step : node.steps) {
    if (step.kind == TraversalStep::Kind::kIndexUnknown) return std::nullopt;
    traversal->steps.push_back(step);
  }
  traversal->range = expr.range;
  return traversal;
}

void AppendVariables(const Expr& expr, const Source* source, std::vector<StaticTraversal>* variables) {
  VariableWalk(source, variables).Run(expr);
}

}  // namespace internal
}  // namespace hcl

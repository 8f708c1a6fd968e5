// ExprView: an expression in whichever syntax it is written, for callers that need not know which.
//
// A small handle; the syntax behind it implements ExprSyntax, one object for all of its expressions. The native syntax
// does so in hcl/native_expr.cc. To evaluate an expression, the compiler asks for its AST (NativeExpr()).
//
// Specification: information-model.md, "Expressions", "Static Analysis", "Language-agnosticism".
// Tested by hcl/static_analysis_test.cc, hcl/body_content_test.cc.

#ifndef HCLVM_HCL_EXPR_VIEW_H_
#define HCLVM_HCL_EXPR_VIEW_H_

#include <optional>
#include <string_view>
#include <vector>

#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"

namespace hcl {

class ExprSyntax;

// A value of the size of three pointers. Points to the expression's tree and source, which must outlive it.
// Thread-safe.
class ExprView {
 public:
  // Stands for no expression; only empty() may be asked.
  ExprView() = default;

  // `node` is what `syntax` knows the expression by, in the text of `source`.
  ExprView(const ExprSyntax* syntax, const void* node, const Source* source)
      : syntax_(syntax), node_(node), source_(source) {}

  bool empty() const { return syntax_ == nullptr; }

  // Where the expression stands in source().
  SourceRange range() const;
  const Source* source() const { return source_; }

  // A syntax tells by these whether it made the view, and which of its expressions it is.
  const ExprSyntax* syntax() const { return syntax_; }
  const void* node() const { return node_; }

 private:
  const ExprSyntax* syntax_ = nullptr;
  const void* node_ = nullptr;
  const Source* source_ = nullptr;
};

// A native expression as a view.
ExprView ViewOf(const Expr& expr, const Source& source);

// The AST of a native expression; null when the expression is written in another syntax.
const Expr* NativeExpr(const ExprView& expr);

// A key and its value in a static map.
struct StaticPair {
  ExprView key;
  ExprView value;
};

// A function call, not evaluated. Views live as long as the expression's tree.
struct StaticCall {
  std::string_view name;  // with its namespace, if any: "a::b"
  SourceRange name_range;
  std::vector<ExprView> arguments;
  bool expand_last = false;     // the last argument is followed by `...`
  SourceRange arguments_range;  // with the parentheses
};

// The path from a variable to what is accessed, or, for a relative one, from some value.
struct StaticTraversal {
  std::string_view root;             // the variable; empty for a relative traversal
  SourceRange root_range;            // of the variable
  std::vector<TraversalStep> steps;  // after the root; texts live as long as the expression's tree
  SourceRange range;                 // of the whole
  const Source* source = nullptr;    // of the ranges

  bool is_relative() const { return root.empty(); }
};

// What a syntax must know about its expressions. Each `node` is one that the syntax made a view of. Stateless and
// thread-safe. The results say what is there; the messages about what is not are static_analysis.cc's.
class ExprSyntax {
 public:
  // Where the expression stands.
  virtual SourceRange Range(const ExprView& expr) const = 0;

  // What the expression is to people, with its article: "a function call".
  virtual std::string_view Describe(const ExprView& expr) const = 0;

  // The static analyses; none when the expression is of another kind.
  virtual std::optional<std::vector<ExprView>> List(const ExprView& expr) const = 0;
  virtual std::optional<std::vector<StaticPair>> Map(const ExprView& expr) const = 0;
  virtual std::optional<StaticCall> Call(const ExprView& expr) const = 0;
  virtual std::optional<StaticTraversal> Traversal(const ExprView& expr) const = 0;  // absolute

  // Appends what the expression reads from its scope, once for each place, in the order of the text.
  virtual void AppendVariables(const ExprView& expr, std::vector<StaticTraversal>* variables) const = 0;

 protected:
  ~ExprSyntax() = default;  // nobody owns one through this
};

inline SourceRange ExprView::range() const { return syntax_->Range(*this); }

}  // namespace hcl

#endif  // HCLVM_HCL_EXPR_VIEW_H_

// JsonSyntax: expressions of the JSON syntax for callers that need not know of it (hcl/expr_view.h), and their static
// analyses.
//
//   list       an array
//   map        an object; its keys are expressions
//   call       a string that is a function call in the native syntax: "f(a, b)"
//   traversal  a string that is a path in the native syntax: "a.b[0]"
//   variables  those that the value's templates read, and under the reference's rules those that names read
//
// Specification: information-model.md, "Static Analysis"; json-syntax.md, "Expressions".
// Tested by hcl/json/json_syntax_test.cc.

#ifndef HCLVM_HCL_JSON_JSON_SYNTAX_H_
#define HCLVM_HCL_JSON_JSON_SYNTAX_H_

#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "hclvm/base/arena.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_ast.h"

namespace hcl {

struct JsonFile;

// One for each file. Thread-safe: what analyses parse goes into memory of its own, under a lock.
class JsonSyntax final : public ExprSyntax {
 public:
  explicit JsonSyntax(const JsonFile* file) : file_(file) {}

  // A value of the file as an expression.
  ExprView View(const JsonValue& value) const;

  const JsonFile& file() const { return *file_; }

  SourceRange Range(const ExprView& expr) const override;
  std::string_view Describe(const ExprView& expr) const override;
  std::optional<std::vector<ExprView>> List(const ExprView& expr) const override;
  std::optional<std::vector<StaticPair>> Map(const ExprView& expr) const override;
  std::optional<StaticCall> Call(const ExprView& expr) const override;
  std::optional<StaticTraversal> Traversal(const ExprView& expr) const override;
  void AppendVariables(const ExprView& expr, std::vector<StaticTraversal>* variables) const override;

 private:
  const JsonFile* file_;
  mutable std::mutex mutex_;
  mutable Arena arena_;  // guarded by mutex_; what results point into
};

}  // namespace hcl

#endif  // HCLVM_HCL_JSON_JSON_SYNTAX_H_

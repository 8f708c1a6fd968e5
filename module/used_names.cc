// UsedNames. Tested by module/type_checker_test.cc.

#include "hclvm/module/used_names.h"

#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/static_analysis.h"
#include "hclvm/hcl/walk.h"
#include "hclvm/vm/functions/function.h"

namespace hcl::internal {
namespace {

void Warn(const Place& place, std::string detail, Diagnostics* warnings) {
  Diagnostic diagnostic(DiagnosticCode::kUnused);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = place.range;
  diagnostic.source = place.source;
  warnings->Add(std::move(diagnostic));
}

}  // namespace

// Names go by the text: what is constant has no node.
void UsedNames::Note(const Expr& expr, const Source& source, const BoundTree& tree) {
  for (const BoundExpr* node : tree.nodes()) {
    if (node->kind == BoundKind::kCall) functions_.insert(As<BoundCall>(*node).function->name);
  }
  for (const StaticTraversal& read : Variables(ViewOf(expr, source))) {
    const bool has_prefix = (read.root == "local" || read.root == "var") && !read.steps.empty();
    auto& names = read.root == "local" ? locals_ : variables_;
    names.insert(ToNfc(has_prefix ? std::string_view(read.steps[0].text) : read.root));
  }
}

void UsedNames::NoteCalls(const Expr& result) {
  std::vector<const Expr*> left = {&result};
  while (!left.empty()) {
    const Expr& expr = *left.back();
    left.pop_back();
    if (expr.kind == ExprKind::kCall) functions_.emplace(As<CallExpr>(expr).name);
    AppendChildren(expr, &left);
  }
}

void UsedNames::WarnOfOthers(const Declarations& declared, Diagnostics* warnings) const {
  for (const DeclaredVariable& variable : declared.variables()) {
    if (variables_.count(variable.name) > 0) continue;
    Warn(variable.place, absl::StrCat("Nothing reads the variable \"", variable.name, "\"."), warnings);
  }
  for (const DeclaredLocal& local : declared.locals()) {
    if (locals_.count(local.name) > 0) continue;
    Warn(local.place, absl::StrCat("Nothing reads the local \"", local.name, "\"."), warnings);
  }
  for (const auto& [name, place] : declared.defined_functions()) {
    if (functions_.count(name) == 0) Warn(place, absl::StrCat("Nothing calls the function \"", name, "\"."), warnings);
  }
}

}  // namespace hcl::internal

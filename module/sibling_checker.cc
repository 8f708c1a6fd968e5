// Attributes that read each other. Tested by module/sibling_checker_test.cc.
//
// A variable that is called as the attribute itself is a usual one: `user = upper(user)`. What follows may show that
// one is meant, so that nothing is told before the end. Names of large bodies are gathered where a body reads variables
// at all, as most bodies of configs are constants.

#include "hclvm/module/sibling_checker.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"
#include "hclvm/module/rule_table.h"

namespace hcl::internal {

namespace {

// So many attributes are compared one by one.
constexpr size_t kMaxCompared = 16;

// Whether the form of `expr` tells that its value is a text, a number or a bool. Branches of other types than that are
// errors beside one of these.
bool HasNoParts(const Expr& expr) {
  const Expr* at = &Unwrapped(expr);
  while (at->kind == ExprKind::kConditional) {
    const Expr& branch = Unwrapped(*As<ConditionalExpr>(*at).if_true);
    if (branch.kind != ExprKind::kConditional && HasNoParts(branch)) return true;
    at = &Unwrapped(*As<ConditionalExpr>(*at).if_false);
  }
  switch (at->kind) {
    case ExprKind::kLiteral:
      return As<LiteralExpr>(*at).literal != LiteralKind::kNull;
    case ExprKind::kTemplate:
    case ExprKind::kUnary:
    case ExprKind::kBinary:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool SiblingChecker::AllAreAscii() {
  if (!are_ascii_) {
    are_ascii_ = std::all_of(body_->attributes.begin(), body_->attributes.end(), [](const Attribute& attribute) {
      return std::all_of(attribute.name.begin(), attribute.name.end(),
                         [](char c) { return static_cast<signed char>(c) >= 0; });
    });
  }
  return *are_ascii_;
}

// The first attribute of that name.
const Attribute* SiblingChecker::Find(std::string_view name) {
  if (body_->attributes.size() <= kMaxCompared) {
    for (const Attribute& attribute : body_->attributes) {
      if (attribute.name == name) return &attribute;
    }
    if (AllAreAscii()) return nullptr;
    for (const Attribute& attribute : body_->attributes) {
      if (ToNfc(attribute.name) == name) return &attribute;
    }
    return nullptr;
  }
  if (names_.empty()) {
    for (const Attribute& attribute : body_->attributes) names_.emplace(ToNfc(attribute.name), &attribute);
  }
  const auto found = names_.find(ToAbsl(name));
  return found == names_.end() ? nullptr : found->second;
}

void SiblingChecker::Note(const Expr& expr, const BoundTree& tree, const Source* source) {
  if (body_ == nullptr) return;
  for (const BoundPath* read : tree.path_reads()) {
    const Attribute* const found = Find(read->name);
    if (found == nullptr) continue;
    if (found->expr == &expr) {
      bound_.insert(std::string(read->name));
    } else {
      reads_.push_back({read->name, found, read->spans[1], source, !read->steps.empty()});
    }
  }
}

void SiblingChecker::Finish(const std::function<void(Diagnostic)>& tell) const {
  for (const Read& read : reads_) {
    if (bound_.contains(ToAbsl(read.name))) continue;
    if (read.has_steps && HasNoParts(*read.attribute->expr)) continue;
    Diagnostic diagnostic(DiagnosticCode::kReadsSibling);
    diagnostic.detail =
        absl::StrCat("This reads the variable \"", ToAbsl(read.name), "\" of the scope, and not the attribute on line ",
                     read.source->LineAt(read.attribute->name_range.begin),
                     ": attributes do not read each other. In a module, a locals block names values for all of them.");
    diagnostic.subject = read.range;
    diagnostic.source = read.source;
    tell(std::move(diagnostic));
  }
}

}  // namespace hcl::internal

// Attributes that read each other. Tested by module/sibling_checker_test.cc.
//
// A variable that is called as the attribute itself is a usual one: `user = upper(user)`. Names are gathered where a
// body reads variables at all, as most bodies of configs are constants.

#include "hclvm/module/sibling_checker.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"

namespace hcl::internal {

void SiblingChecker::Check(const Expr& expr, const BoundTree& tree, const Source* source, Diagnostics* diagnostics) {
  const absl::Span<const BoundPath* const> reads = tree.path_reads();
  if (reads.empty() || body_ == nullptr) return;
  if (names_.empty()) {
    for (const Attribute& attribute : body_->attributes) names_.emplace(ToNfc(attribute.name), &attribute);
  }
  for (const BoundPath* read : reads) {
    const auto found = names_.find(ToAbsl(read->name));
    if (found == names_.end() || found->second->expr == &expr) continue;
    Diagnostic diagnostic(DiagnosticCode::kReadsSibling);
    diagnostic.detail =
        absl::StrCat("This reads the variable \"", ToAbsl(read->name),
                     "\" of the scope, and not the attribute on line ", source->LineAt(found->second->name_range.begin),
                     ": attributes do not read each other. In a module, a locals block names values for all of them.");
    diagnostic.subject = read->spans[1];
    diagnostic.source = source;
    diagnostics->Add(std::move(diagnostic));
  }
}

}  // namespace hcl::internal

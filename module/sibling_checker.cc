// Attributes that read each other. Tested by module/sibling_checker_test.cc.
//
// A variable that is called as the attribute itself is a usual one: `user = upper(user)`. Names of large
// bodies are gathered where a body reads variables at all, as most bodies of configs are constants.

#include "hclvm/module/sibling_checker.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/unicode.h"

namespace hcl::internal {

namespace {

// So many attributes are compared one by one.
constexpr size_t kMaxCompared = 16;

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
      if (attribute.name == name || (!AllAreAscii() && ToNfc(attribute.name) == name)) return &attribute;
    }
    return nullptr;
  }
  if (names_.empty()) {
    for (const Attribute& attribute : body_->attributes) names_.emplace(ToNfc(attribute.name), &attribute);
  }
  const auto found = names_.find(ToAbsl(name));
  return found == names_.end() ? nullptr : found->second;
}

void SiblingChecker::Check(const Expr& expr, const BoundTree& tree, const Source* source, Diagnostics* diagnostics) {
  const absl::Span<const BoundPath* const> reads = tree.path_reads();
  if (reads.empty() || body_ == nullptr) return;
  for (const BoundPath* read : reads) {
    const Attribute* const found = Find(read->name);
    if (found == nullptr || found->expr == &expr) continue;
    Diagnostic diagnostic(DiagnosticCode::kReadsSibling);
    diagnostic.detail =
        absl::StrCat("This reads the variable \"", ToAbsl(read->name),
                     "\" of the scope, and not the attribute on line ", source->LineAt(found->name_range.begin),
                     ": attributes do not read each other. In a module, a locals block names values for all of them.");
    diagnostic.subject = read->spans[1];
    diagnostic.source = source;
    diagnostics->Add(std::move(diagnostic));
  }
}

}  // namespace hcl::internal

// What both directions share. Tested by hcl/json/convert_test.cc.

#include "hclvm/hcl/json/convert_support.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/diagnostic_code.h"

namespace hcl::internal {

std::optional<std::string_view> LiteralText(const Expr& expr) {
  if (expr.kind != ExprKind::kTemplate) return std::nullopt;
  const absl::Span<const Expr* const> parts = As<TemplateExpr>(expr).parts;
  if (parts.empty()) return std::string_view();
  if (parts.size() > 1 || parts[0]->kind != ExprKind::kTemplateText) return std::nullopt;
  return As<TemplateTextExpr>(*parts[0]).text.view();
}

const BodyShape& ShapeOfBlocks(const BodyShape& shape, std::string_view type) {
  static const BodyShape* const kAny = new BodyShape();
  const auto& blocks = shape.schema.blocks();
  for (size_t i = 0; i < blocks.size() && i < shape.blocks.size(); ++i) {
    if (blocks[i].type == type && shape.blocks[i] != nullptr) return *shape.blocks[i];
  }
  return *kAny;
}

bool IsStatic(const BodyShape& shape, std::string_view name) {
  return std::find(shape.static_attributes.begin(), shape.static_attributes.end(), name) !=
         shape.static_attributes.end();
}

void AddNoCounterpart(SourceRange range, std::string detail, Diagnostics* diagnostics) {
  diagnostics->AddError(range, DiagnosticCode::kNoCounterpart, std::move(detail));
}

void AddNotKept(SourceRange range, std::string detail, Diagnostics* diagnostics) {
  diagnostics->AddWarning(range, DiagnosticCode::kNotKept, std::move(detail));
}

bool HasNoErrors(const Diagnostics& found, Diagnostics* diagnostics) {
  for (const Diagnostic& diagnostic : found.kept()) {
    if (diagnostic.severity != Severity::kError) continue;
    std::string detail = absl::StrCat("The converted text could not be read: ", diagnostic.detail);
    if (diagnostic.is_limit) {
      diagnostics->AddLimit(std::nullopt, diagnostic.code, std::move(detail));
    } else {
      Diagnostic whole(DiagnosticCode::kNoCounterpart);
      whole.detail = std::move(detail);
      diagnostics->Add(std::move(whole));
    }
    return false;
  }
  return true;
}

}  // namespace hcl::internal

// Findings. Tested by module/type_checker_test.cc and tests/check_test.sh.
//
// Lines are looked at as text: a comment is one in both syntaxes, and in JSON any string may say it. A line may be the
// whole text, and each of its many warnings would search it.

#include "hclvm/module/findings.h"

#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxCodesBytes = 1'000;

}  // namespace

std::string_view WarningFilter::CodesOn(const Source& source, uint32_t line) {
  const auto [at, is_new] = codes_.try_emplace({&source, line});
  if (is_new) {
    const std::string_view text = source.Line(line);
    const size_t found = text.find("hclvm:ignore");
    if (found != std::string_view::npos) at->second = text.substr(found, kMaxCodesBytes);
  }
  return at->second;
}

bool WarningFilter::IsIgnored(const Diagnostic& warning) {
  if (warning.source == nullptr || !warning.subject) return false;
  const uint32_t line = warning.source->LineAt(warning.subject->begin);
  for (const uint32_t at : {line, line - 1}) {
    if (at != 0 && CodesOn(*warning.source, at).find(CodeText(warning.code)) != std::string_view::npos) return true;
  }
  return false;
}

void WarningFilter::Move(Diagnostics* found, Diagnostics* diagnostics) {
  for (const Diagnostic& diagnostic : found->kept()) {
    if (diagnostic.severity != Severity::kWarning || !IsIgnored(diagnostic)) diagnostics->Add(diagnostic);
  }
  diagnostics->AddUnkept(found->unkept_errors(), found->unkept_warnings());
  found->Clear();
}

void AddAll(const Diagnostics& found, const Source* source, Diagnostics* diagnostics) {
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = source;
    diagnostics->Add(std::move(diagnostic));
  }
  diagnostics->AddUnkept(found.unkept_errors(), found.unkept_warnings());
}

void AddFindings(const Diagnostics& found, bool strict, Diagnostics* diagnostics) {
  WarningFilter filter;
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.severity == Severity::kWarning) {
      if (filter.IsIgnored(diagnostic)) continue;
      if (strict) diagnostic.severity = Severity::kError;
    }
    diagnostics->Add(std::move(diagnostic));
  }
  const size_t errors = found.unkept_errors(), warnings = found.unkept_warnings();
  strict ? diagnostics->AddUnkept(errors + warnings, 0) : diagnostics->AddUnkept(errors, warnings);
}

}  // namespace hcl::internal

// Findings. Tested by module/type_checker_test.cc.
//
// Lines are looked at as text: a comment is one in both syntaxes, and in JSON any string may say it.

#include "hclvm/module/findings.h"

#include <cstdint>
#include <string>
#include <utility>

#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl::internal {
namespace {

bool IsIgnored(const Diagnostic& warning) {
  if (warning.source == nullptr || !warning.subject) return false;
  const uint32_t line = warning.source->LineAt(warning.subject->begin);
  for (const uint32_t at : {line, line - 1}) {
    const std::string text(at == 0 ? "" : warning.source->Line(at));
    const size_t found = text.find("hclvm:ignore");
    if (found != std::string::npos && text.find(CodeText(warning.code), found) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

void AddAll(const Diagnostics& found, const Source* source, Diagnostics* diagnostics) {
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.source == nullptr) diagnostic.source = source;
    diagnostics->Add(std::move(diagnostic));
  }
}

void AddFindings(const Diagnostics& found, bool strict, Diagnostics* diagnostics) {
  for (Diagnostic diagnostic : found.kept()) {
    if (diagnostic.severity == Severity::kWarning) {
      if (IsIgnored(diagnostic)) continue;
      if (strict) diagnostic.severity = Severity::kError;
    }
    diagnostics->Add(std::move(diagnostic));
  }
}

}  // namespace hcl::internal

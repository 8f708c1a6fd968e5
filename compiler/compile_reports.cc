// CompileReports. Tested by compiler/bind_test.cc.

#include "hclvm/compiler/compile_reports.h"

#include <optional>
#include <utility>

namespace hcl::internal {

// The expression may be in another source than the program's own, as a decoder has several.
void CompileReports::Report(SourceRange range, DiagnosticCode code, std::string detail) {
  Diagnostic diagnostic(code);
  diagnostic.detail = std::move(detail);
  diagnostic.subject = range;
  diagnostic.source = builder_.source_here();
  diagnostics_.Add(std::move(diagnostic));
}

bool CompileReports::ReportInterrupt() {
  if (!reported_interrupt_) {
    diagnostics_.AddLimit(std::nullopt, DiagnosticCode::kCompilationInterrupted,
                          "The compilation was stopped before its end (limit interrupt).");
    reported_interrupt_ = true;
  }
  return true;
}

}  // namespace hcl::internal

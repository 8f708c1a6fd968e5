// Diagnostics as the protocol has them. Tested by lsp/server_test.cc.

#include "hclvm/lsp/features/diagnostics.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"

namespace hcl::lsp {

Json ToProtocol(const Diagnostic& diagnostic, const TextFile& file, PositionEncoding encoding) {
  constexpr int kError = 1, kWarning = 2, kUnnecessary = 1;
  Json json = {
      {"range", file.lines().RangeOf(diagnostic.subject.value_or(SourceRange{}), encoding)},
      {"severity", diagnostic.severity == Severity::kError ? kError : kWarning},
      {"code", CodeText(diagnostic.code)},
      {"source", "hclvm"},
      {"message",
       diagnostic.detail.empty() ? diagnostic.summary : absl::StrCat(diagnostic.summary, ": ", diagnostic.detail)},
  };
  if (diagnostic.code == DiagnosticCode::kUnused || diagnostic.code == DiagnosticCode::kNeverReached) {
    json["tags"] = {kUnnecessary};
  }
  return json;
}

}  // namespace hcl::lsp

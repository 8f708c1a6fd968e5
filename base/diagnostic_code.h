// DiagnosticCode: what kind of message a diagnostic is, generated from internal/diagnostic_codes.def.
//
// A code stays when the words of its messages change, so programs compare codes and people look them up in
// docs/diagnostics.md. Pure and thread-safe. Tested by base/diagnostic_code_test.cc.

#ifndef HCLVM_BASE_DIAGNOSTIC_CODE_H_
#define HCLVM_BASE_DIAGNOSTIC_CODE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/internal/cxx17.h"

namespace hcl {

enum class Severity : uint8_t { kError, kWarning };

// The number of each is that in its text: kUnsupportedAttribute is HCL4301.
enum class DiagnosticCode : uint16_t {
#define DIAGNOSTIC_CODE(number, name, summary) k##name = (number),
#include "hclvm/internal/diagnostic_codes.def"
#undef DIAGNOSTIC_CODE
};

// All codes, in order of number.
inline constexpr DiagnosticCode kDiagnosticCodes[] = {
#define DIAGNOSTIC_CODE(number, name, summary) DiagnosticCode::k##name,
#include "hclvm/internal/diagnostic_codes.def"
#undef DIAGNOSTIC_CODE
};

// Warnings are those from 8000 to 8999.
constexpr Severity SeverityOf(DiagnosticCode code) {
  return static_cast<uint16_t>(code) / 1000 == 8 ? Severity::kWarning : Severity::kError;
}

// True for a crossed limit, an interruption among them: those from 9000 on.
constexpr bool IsLimit(DiagnosticCode code) { return static_cast<uint16_t>(code) >= 9000; }

// The code as it is shown: "HCL4301".
std::string CodeText(DiagnosticCode code);

// The code that is shown as `text`; none when there is none.
std::optional<DiagnosticCode> FindDiagnosticCode(std::string_view text);

// The summary in the table, in which "..." stands for a name: "Missing ... block". Lives until the process ends.
std::string_view SummaryOf(DiagnosticCode code);

// The summary with each "..." replaced by the next of `names`, which are as many.
std::string SummaryOf(DiagnosticCode code, std::initializer_list<std::string_view> names);

}  // namespace hcl

#endif  // HCLVM_BASE_DIAGNOSTIC_CODE_H_

// DiagnosticCode.

#include "hclvm/base/diagnostic_code.h"

#include <algorithm>
#include <iterator>

#include "hclvm/internal/dcheck.h"

namespace hcl {
namespace {

constexpr std::string_view kPrefix = "HCL";
constexpr std::string_view kPlaceholder = "...";

// At the positions of kDiagnosticCodes.
constexpr std::string_view kSummaries[] = {
#define DIAGNOSTIC_CODE(number, name, summary) summary,
#include "hclvm/internal/diagnostic_codes.def"
#undef DIAGNOSTIC_CODE
};

// The search in the table relies on the order of its lines, and every text on four digits.
constexpr bool IsTableSound() {
  uint16_t last = 999;
  for (const DiagnosticCode code : kDiagnosticCodes) {
    if (static_cast<uint16_t>(code) <= last || static_cast<uint16_t>(code) > 9999) return false;
    last = static_cast<uint16_t>(code);
  }
  return true;
}
static_assert(IsTableSound(), "internal/diagnostic_codes.def is in order of number, each with four digits");

}  // namespace

std::string CodeText(DiagnosticCode code) {
  return std::string(kPrefix).append(std::to_string(static_cast<uint16_t>(code)));
}

std::optional<DiagnosticCode> FindDiagnosticCode(std::string_view text) {
  for (const DiagnosticCode code : kDiagnosticCodes) {
    if (CodeText(code) == text) return code;
  }
  return std::nullopt;
}

std::string_view SummaryOf(DiagnosticCode code) {
  const auto* const found = std::lower_bound(std::begin(kDiagnosticCodes), std::end(kDiagnosticCodes), code);
  HCL_DCHECK(found != std::end(kDiagnosticCodes) && *found == code);
  return kSummaries[found - std::begin(kDiagnosticCodes)];
}

// Most summaries have no placeholder, and are copied whole.
std::string SummaryOf(DiagnosticCode code, std::initializer_list<std::string_view> names) {
  std::string_view rest = SummaryOf(code);
  std::string summary;
  for (const std::string_view name : names) {
    const size_t at = rest.find(kPlaceholder);
    HCL_DCHECK(at != std::string_view::npos);
    summary.append(rest.substr(0, at)).append(name);
    rest.remove_prefix(at + kPlaceholder.size());
  }
  HCL_DCHECK(rest.find(kPlaceholder) == std::string_view::npos);
  return summary.append(rest);
}

}  // namespace hcl

// Equal findings. Tested by cmd/hclvm/equal_findings_test.cc.

#include "hclvm/cmd/hclvm/equal_findings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/hash_table.h"
#include "hclvm/base/source.h"

namespace hcl::cmd {
namespace {

// Lines that are named, beside the first.
constexpr size_t kMaxLines = 5;

// What findings of one kind have in common.
std::string KeyOf(const Diagnostic& finding) {
  return absl::StrCat(CodeText(finding.code), finding.severity == Severity::kError ? "E" : "W",
                      finding.source != nullptr ? finding.source->name() : "", "\n", finding.detail);
}

std::string TextOfLines(const Source& source, const std::vector<uint32_t>& begins) {
  std::string text = begins.size() == 1 ? " The same is found on line " : " The same is found on lines ";
  const size_t named = std::min(begins.size(), kMaxLines);
  for (size_t n = 0; n < named; ++n) {
    const bool is_last = n + 1 == begins.size();
    absl::StrAppend(&text, n == 0 ? "" : is_last ? " and " : ", ", source.LineAt(begins[n]));
  }
  if (named < begins.size()) absl::StrAppend(&text, " and in ", begins.size() - named, " more places");
  return text + ".";
}

}  // namespace

void DropRepeated(std::vector<Diagnostic>* findings) {
  internal::HashSet<std::string> seen;
  const auto is_repeated = [&seen](const Diagnostic& finding) {
    const std::string place = finding.subject ? absl::StrCat(finding.subject->begin, "-", finding.subject->end) : "";
    return !seen.insert(absl::StrCat(place, "\n", KeyOf(finding))).second;
  };
  findings->erase(std::remove_if(findings->begin(), findings->end(), is_repeated), findings->end());
}

std::vector<Diagnostic> Grouped(const std::vector<Diagnostic>& findings) {
  std::vector<Diagnostic> grouped;
  std::vector<std::vector<uint32_t>> others;  // where they begin
  internal::HashMap<std::string, size_t> positions;
  for (const Diagnostic& finding : findings) {
    const bool has_place = finding.source != nullptr && finding.subject;
    const auto [at, is_new] = positions.try_emplace(KeyOf(finding), grouped.size());
    if (is_new || !has_place) {
      grouped.push_back(finding);
      others.emplace_back();
    } else {
      others[at->second].push_back(finding.subject->begin);
    }
  }
  for (size_t n = 0; n < grouped.size(); ++n) {
    if (!others[n].empty()) grouped[n].detail += TextOfLines(*grouped[n].source, others[n]);
  }
  return grouped;
}

}  // namespace hcl::cmd

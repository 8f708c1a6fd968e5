#include "hclvm/bench/spelling_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace hcl::bench {
namespace {

std::string Instructions(double count, bool fraction) { return absl::StrFormat("%.*f", fraction ? 1 : 0, count); }

const char* KindText(SpellingKind kind) {
  return kind == SpellingKind::kSame ? "same" : kind == SpellingKind::kMoreWork ? "more work" : "fewer checks first";
}

// A form as cheap as a variable has no ratio: less than one instruction counts as one.
double Ratio(double count, double cheapest) { return std::max(count, 1.0) / std::max(cheapest, 1.0); }

struct Worst {
  double ratio = 0;
  std::string where;
};

// What is found out about the groups, one after the other.
struct Findings {
  int same = 0;
  int beyond = 0;
  Worst worst;
  int ordered = 0;
  std::vector<std::string> violations;
};

// Counts are means over inputs: those that are shown as one number are one.
bool CostsMore(double count, double other) { return std::round(count) > std::round(other); }

void AddGroup(const SpellingGroup& group, const std::vector<double>& counts, SpellingReport* report,
              Findings* findings) {
  const double cheapest = *std::min_element(counts.begin(), counts.end());
  double largest = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    const SpellingForm& form = group.forms[i];
    const bool fraction = form.parts > 1;
    const double ratio = Ratio(counts[i], cheapest);
    std::string compared = absl::StrFormat("%.2f", ratio);
    if (group.kind == SpellingKind::kMoreWork) compared = absl::StrFormat("%+.0f", counts[i] - counts[0]);
    const bool is_fault = (group.kind == SpellingKind::kSame && ratio > kSpellingBudget) ||
                          (group.kind == SpellingKind::kFewerChecks && i == 0 && CostsMore(counts[0], cheapest));
    if (is_fault) compared = absl::StrCat("**", compared, "**");
    absl::StrAppend(&report->table, "| ", i == 0 ? group.name : "", " | ", i == 0 ? KindText(group.kind) : "", " | ",
                    LabelOf(form), " | ", Instructions(counts[i], fraction), " | ", compared, " |\n");
    largest = std::max(largest, ratio);
    if (group.kind != SpellingKind::kSame || ratio <= findings->worst.ratio) continue;
    findings->worst = {ratio, absl::StrCat(LabelOf(form), " in \"", group.name, "\"")};
  }
  if (group.kind == SpellingKind::kSame) {
    ++findings->same;
    if (largest > kSpellingBudget) ++findings->beyond;
  } else if (group.kind == SpellingKind::kFewerChecks) {
    ++findings->ordered;
    if (CostsMore(counts[0], cheapest)) findings->violations.push_back(absl::StrCat("\"", group.name, "\""));
  }
}

}  // namespace

SpellingReport ReportSpelling(const std::vector<SpellingGroup>& groups, const std::vector<double>& counts) {
  SpellingReport report;
  Findings findings;
  report.table = "| group | kind | form | instructions | compared |\n|---|---|---|---:|---:|\n";
  auto next = counts.begin();
  for (const SpellingGroup& group : groups) {
    const auto end = next + static_cast<std::ptrdiff_t>(group.forms.size());
    AddGroup(group, std::vector<double>(next, end), &report, &findings);
    next = end;
  }
  report.summary =
      absl::StrFormat("- same meaning: %d of %d groups are beyond %.2f; the worst is %.2f, %s\n", findings.beyond,
                      findings.same, kSpellingBudget, findings.worst.ratio, findings.worst.where);
  absl::StrAppendFormat(&report.summary, "- fewer checks: in %d of %d groups the first costs more than another%s%s\n",
                        findings.violations.size(), findings.ordered, findings.violations.empty() ? "" : ": ",
                        absl::StrJoin(findings.violations, ", "));
  report.holds = findings.beyond == 0 && findings.violations.empty();
  return report;
}

}  // namespace hcl::bench

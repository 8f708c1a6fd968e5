// CoverageReport: what was covered, and how that is written.
//
// docs/testing.md describes the forms. Internal to the workbench. Tested by workbench/coverage_test.cc.

#ifndef HCLVM_WORKBENCH_COVERAGE_REPORT_H_
#define HCLVM_WORKBENCH_COVERAGE_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hcl::internal {

struct CoveredDecision {
  enum class Kind : uint8_t {
    kCondition,  // of a conditional: true, false
    kOperand,    // of `&&` or `||`: true, false
    kFilter,     // of a loop: true, false
    kAttempt,    // of try: taken, failed; the last one: taken
    kRule,       // of a table: decided
  };

  Kind kind = Kind::kCondition;
  std::string text;    // of the expression, in one line, cut where it is long
  uint32_t begin = 0;  // bytes in the file
  uint32_t end = 0;
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // from 1
  bool has_second = true;
  uint64_t counts[2] = {0, 0};  // how often it had each outcome

  size_t outcomes() const { return has_second ? 2 : 1; }
  size_t seen() const { return (counts[0] > 0 ? 1 : 0) + (has_second && counts[1] > 0 ? 1 : 0); }
  friend bool operator==(const CoveredDecision& a, const CoveredDecision& b) {
    return a.kind == b.kind && a.begin == b.begin && a.end == b.end && a.counts[0] == b.counts[0] &&
           a.counts[1] == b.counts[1];
  }
};

// The words for an outcome: "true", "false", "taken", "failed", "decided". `n`: 0 or 1.
std::string_view OutcomeName(CoveredDecision::Kind kind, size_t n);

struct CoveredFile {
  std::string name;
  std::string text;
  std::vector<CoveredDecision> decisions;  // in the order of the text

  size_t outcomes() const;
  size_t seen() const;
};

struct CoverageReport {
  std::vector<CoveredFile> files;  // by name

  size_t outcomes() const;
  size_t seen() const;
  // Of the outcomes, 0 to 100. 100 where there are no decisions.
  double percent() const;
};

// For people: a line for each file, and what was missed with its line of the source.
std::string ToText(const CoverageReport& report);
// One object, in one line.
std::string ToJson(const CoverageReport& report);
// What geninfo writes and genhtml reads: outcomes are branches.
std::string ToLcov(const CoverageReport& report);
// Cobertura's XML, version 4: outcomes are branches.
std::string ToCobertura(const CoverageReport& report);
// A page that needs nothing else.
std::string ToHtml(const CoverageReport& report);

}  // namespace hcl::internal

#endif  // HCLVM_WORKBENCH_COVERAGE_REPORT_H_

// CoverageReport: the forms but HTML. Tested by workbench/coverage_test.cc.

#include "hclvm/workbench/coverage_report.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/printable.h"
#include "hclvm/base/source.h"
#include "hclvm/workbench/xml_text.h"

namespace hcl::internal {
namespace {

using Kind = CoveredDecision::Kind;

std::string_view KindText(Kind kind) {
  switch (kind) {
    case Kind::kCondition:
      return "condition";
    case Kind::kOperand:
      return "operand";
    case Kind::kFilter:
      return "filter";
    case Kind::kAttempt:
      return "attempt";
    case Kind::kRule:
      return "rule";
  }
  return "";
}

double PercentOf(size_t seen, size_t outcomes) {
  return outcomes == 0 ? 100.0 : 100.0 * static_cast<double>(seen) / static_cast<double>(outcomes);
}

// What a decision lacks, as a sentence without an end.
std::string MissedText(const CoveredDecision& one) {
  if (one.kind == Kind::kRule) return absl::StrCat("never decided: ", one.text);
  if (one.seen() == 0) return absl::StrCat("never evaluated: ", one.text);
  const size_t missed = one.counts[0] == 0 ? 0 : 1;
  return absl::StrCat("never ", ToAbsl(OutcomeName(one.kind, missed)), ": ", one.text);
}

std::string JsonText(std::string_view text) {
  std::string out;
  AppendJsonString(text, &out);
  return out;
}

std::string Rate(size_t seen, size_t all) {
  return absl::StrFormat("%.4f", all == 0 ? 1.0 : static_cast<double>(seen) / static_cast<double>(all));
}

// The lines that have decisions, with these.
std::map<uint32_t, std::vector<const CoveredDecision*>> LinesOf(const CoveredFile& file) {
  std::map<uint32_t, std::vector<const CoveredDecision*>> lines;
  for (const CoveredDecision& one : file.decisions) lines[one.line].push_back(&one);
  return lines;
}

uint64_t HitsOf(const std::vector<const CoveredDecision*>& line) {
  uint64_t hits = 0;
  for (const CoveredDecision* one : line) hits = std::max(hits, one->counts[0] + one->counts[1]);
  return hits;
}

}  // namespace

std::string_view OutcomeName(Kind kind, size_t n) {
  if (kind == Kind::kRule) return "decided";
  if (kind == Kind::kAttempt) return n == 0 ? "taken" : "failed";
  return n == 0 ? "true" : "false";
}

size_t CoveredFile::outcomes() const {
  return std::accumulate(decisions.begin(), decisions.end(), size_t{0},
                         [](size_t sum, const CoveredDecision& one) { return sum + one.outcomes(); });
}
size_t CoveredFile::seen() const {
  return std::accumulate(decisions.begin(), decisions.end(), size_t{0},
                         [](size_t sum, const CoveredDecision& one) { return sum + one.seen(); });
}
size_t CoverageReport::outcomes() const {
  return std::accumulate(files.begin(), files.end(), size_t{0},
                         [](size_t sum, const CoveredFile& file) { return sum + file.outcomes(); });
}
size_t CoverageReport::seen() const {
  return std::accumulate(files.begin(), files.end(), size_t{0},
                         [](size_t sum, const CoveredFile& file) { return sum + file.seen(); });
}
double CoverageReport::percent() const { return PercentOf(seen(), outcomes()); }

std::string ToText(const CoverageReport& report) {
  std::string out;
  for (const CoveredFile& file : report.files) {
    absl::StrAppend(&out, Printable(file.name), ": ",
                    absl::StrFormat("%.1f %%", PercentOf(file.seen(), file.outcomes())), ", ", file.seen(), " of ",
                    file.outcomes(), " outcomes\n");
    const Source source(file.name, file.text);
    uint32_t shown = 0;
    for (const CoveredDecision& one : file.decisions) {
      if (one.seen() == one.outcomes()) continue;
      if (one.line != shown) {
        shown = one.line;
        absl::StrAppend(&out, absl::StrFormat("  %4d | ", one.line), Printable(source.Line(one.line)), "\n");
      }
      absl::StrAppend(&out, "         ", Printable(MissedText(one)), "\n");
    }
  }
  absl::StrAppend(&out, absl::StrFormat("coverage: %.1f %%", report.percent()), ", ", report.seen(), " of ",
                  report.outcomes(), " outcomes\n");
  return out;
}

std::string ToJson(const CoverageReport& report) {
  std::string out = absl::StrCat("{\"outcomes\":", report.outcomes(), ",\"seen\":", report.seen(),
                                 absl::StrFormat(",\"percent\":%.2f", report.percent()), ",\"files\":[");
  const char* before = "";
  for (const CoveredFile& file : report.files) {
    absl::StrAppend(&out, before, "{\"file\":", JsonText(file.name), ",\"outcomes\":", file.outcomes(),
                    ",\"seen\":", file.seen(), ",\"decisions\":[");
    before = "";
    for (const CoveredDecision& one : file.decisions) {
      absl::StrAppend(&out, before, "{\"kind\":\"", ToAbsl(KindText(one.kind)), "\",\"text\":", JsonText(one.text),
                      ",\"line\":", one.line, ",\"column\":", one.column, ",\"counts\":{\"",
                      ToAbsl(OutcomeName(one.kind, 0)), "\":", one.counts[0]);
      if (one.has_second) absl::StrAppend(&out, ",\"", ToAbsl(OutcomeName(one.kind, 1)), "\":", one.counts[1]);
      out += "}}";
      before = ",";
    }
    out += "]}";
    before = ",";
  }
  return out + "]}\n";
}

std::string ToLcov(const CoverageReport& report) {
  std::string out;
  for (const CoveredFile& file : report.files) {
    absl::StrAppend(&out, "TN:\nSF:", Printable(file.name), "\n");
    const auto lines = LinesOf(file);
    size_t block = 0;
    size_t hit_lines = 0;
    for (const auto& [line, decisions] : lines) {
      for (const CoveredDecision* one : decisions) {
        const bool is_reached = one->seen() > 0;
        for (size_t n = 0; n < one->outcomes(); ++n) {
          absl::StrAppend(&out, "BRDA:", line, ",", block, ",", n, ",", is_reached ? absl::StrCat(one->counts[n]) : "-",
                          "\n");
        }
        ++block;
      }
    }
    absl::StrAppend(&out, "BRF:", file.outcomes(), "\nBRH:", file.seen(), "\n");
    for (const auto& [line, decisions] : lines) {
      absl::StrAppend(&out, "DA:", line, ",", HitsOf(decisions), "\n");
      hit_lines += HitsOf(decisions) > 0 ? 1 : 0;
    }
    absl::StrAppend(&out, "LF:", lines.size(), "\nLH:", hit_lines, "\nend_of_record\n");
  }
  return out;
}

std::string ToCobertura(const CoverageReport& report) {
  size_t lines = 0;
  size_t hit = 0;
  std::string classes;
  for (const CoveredFile& file : report.files) {
    const auto by_line = LinesOf(file);
    size_t own_hit = 0;
    std::string own;
    for (const auto& [line, decisions] : by_line) {
      size_t outcomes = 0;
      size_t seen = 0;
      for (const CoveredDecision* one : decisions) outcomes += one->outcomes(), seen += one->seen();
      const uint64_t hits = HitsOf(decisions);
      own_hit += hits > 0 ? 1 : 0;
      absl::StrAppend(&own, "            <line number=\"", line, "\" hits=\"", hits, "\" branch=\"true\" ",
                      "condition-coverage=\"", 100 * seen / outcomes, "% (", seen, "/", outcomes, ")\"/>\n");
    }
    absl::StrAppend(&classes, "        <class name=\"", XmlAttribute(file.name), "\" filename=\"",
                    XmlAttribute(file.name), "\" line-rate=\"", Rate(own_hit, by_line.size()), "\" branch-rate=\"",
                    Rate(file.seen(), file.outcomes()),
                    "\" complexity=\"0\">\n          <methods/>\n          <lines>\n", own,
                    "          </lines>\n        </class>\n");
    lines += by_line.size();
    hit += own_hit;
  }
  const std::string rates =
      absl::StrCat("line-rate=\"", Rate(hit, lines), "\" branch-rate=\"", Rate(report.seen(), report.outcomes()), "\"");
  return absl::StrCat(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE coverage SYSTEM "
      "\"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n<coverage ",
      rates, " lines-covered=\"", hit, "\" lines-valid=\"", lines, "\" branches-covered=\"", report.seen(),
      "\" branches-valid=\"", report.outcomes(),
      "\" complexity=\"0\" version=\"hclvm\" timestamp=\"0\">\n  <sources>\n    <source>.</source>\n  </sources>\n"
      "  <packages>\n    <package name=\"\" ",
      rates, " complexity=\"0\">\n      <classes>\n", classes,
      "      </classes>\n    </package>\n  </packages>\n</coverage>\n");
}

}  // namespace hcl::internal

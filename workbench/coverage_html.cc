// CoverageReport: the page. Tested by workbench/coverage_test.cc and tests/page_in_browser_test.py.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/printable.h"
#include "hclvm/workbench/coverage_report.h"

namespace hcl::internal {
namespace {

using Kind = CoveredDecision::Kind;

constexpr char kHead[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Coverage</title>\n<style>\n"
    "body{font:16px/1.5 sans-serif;margin:2em}pre{font:14px/1.4 monospace;counter-reset:line}"
    "pre>span:before{counter-increment:line;content:counter(line);display:inline-block;width:3em;margin-right:1em;"
    "text-align:right;color:#888}\nmark{border-radius:2px}mark.all{background:#cfc}mark.some{background:#fec}"
    "mark.none{background:#fcc}mark small{color:#444}table{border-collapse:collapse}td,th{padding:0 1em;"
    "text-align:left}\n</style></head><body>\n<h1>Coverage</h1>\n";

std::string Html(std::string_view text) {
  return absl::StrReplaceAll(PrintableLines(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Percent(size_t seen, size_t outcomes) {
  return absl::StrFormat("%.1f %%",
                         outcomes == 0 ? 100.0 : 100.0 * static_cast<double>(seen) / static_cast<double>(outcomes));
}

// "true 3, false 0".
std::string CountsText(const CoveredDecision& one) {
  std::string text = absl::StrCat(ToAbsl(OutcomeName(one.kind, 0)), " ", one.counts[0]);
  if (one.has_second) absl::StrAppend(&text, ", ", ToAbsl(OutcomeName(one.kind, 1)), " ", one.counts[1]);
  return text;
}

std::string_view ClassOf(const CoveredDecision& one) {
  return one.seen() == one.outcomes() ? "all" : one.seen() == 0 ? "none" : "some";
}

// The text with a mark around each decision. Marks end at line ends and begin anew, as each line is an element.
class Painter {
 public:
  explicit Painter(const CoveredFile& file) : file_(file) {}

  std::string Paint() && {
    std::vector<const CoveredDecision*> begins;
    for (const CoveredDecision& one : file_.decisions) begins.push_back(&one);
    size_t next = 0;
    out_ = "<pre>\n<span>";
    size_t done = 0;
    for (size_t at = 0; at <= file_.text.size(); ++at) {
      const bool ends = !open_.empty() && open_.back()->end == at;
      const bool begins_here = next < begins.size() && begins[next]->begin == at;
      const bool is_line_end = at < file_.text.size() && file_.text[at] == '\n';
      if (!ends && !begins_here && !is_line_end && at != file_.text.size()) continue;
      out_ += Html(std::string_view(file_.text).substr(done, at - done));
      done = at;
      for (; !open_.empty() && open_.back()->end <= at; open_.pop_back()) {
        absl::StrAppend(&out_, "<small> ", CountsText(*open_.back()), "</small></mark>");
      }
      for (; next < begins.size() && begins[next]->begin == at; ++next) {
        // Two decisions about one text are in each other.
        open_.push_back(begins[next]);
        Open(*begins[next]);
      }
      if (!is_line_end) continue;
      for (size_t n = 0; n < open_.size(); ++n) out_ += "</mark>";
      out_ += "</span>\n<span>";
      for (const CoveredDecision* one : open_) Open(*one);
      done = at + 1;
    }
    return std::move(out_) + "</span>\n</pre>\n";
  }

 private:
  void Open(const CoveredDecision& one) {
    absl::StrAppend(&out_, "<mark class=\"", ToAbsl(ClassOf(one)), "\" title=\"", CountsText(one), "\">");
  }

  const CoveredFile& file_;
  std::string out_;
  std::vector<const CoveredDecision*> open_;
};

std::string RulesNeverDecided(const CoverageReport& report) {
  std::string list;
  for (const CoveredFile& file : report.files) {
    for (const CoveredDecision& one : file.decisions) {
      if (one.kind != Kind::kRule || one.seen() > 0) continue;
      absl::StrAppend(&list, "<li>", Html(file.name), ":", one.line, " <code>", Html(one.text), "</code></li>\n");
    }
  }
  return list.empty() ? "" : absl::StrCat("<h2>Rules that never decided</h2>\n<ul id=\"rules\">\n", list, "</ul>\n");
}

}  // namespace

std::string ToHtml(const CoverageReport& report) {
  std::string out = absl::StrCat(kHead, "<p id=\"total\">", Percent(report.seen(), report.outcomes()), ", ",
                                 report.seen(), " of ", report.outcomes(), " outcomes</p>\n<table>\n");
  for (const CoveredFile& file : report.files) {
    absl::StrAppend(&out, "<tr><td>", Html(file.name), "</td><td>", Percent(file.seen(), file.outcomes()), "</td><td>",
                    file.seen(), " of ", file.outcomes(), "</td></tr>\n");
  }
  absl::StrAppend(&out, "</table>\n", RulesNeverDecided(report));
  for (const CoveredFile& file : report.files) {
    absl::StrAppend(&out, "<h2>", Html(file.name), "</h2>\n", Painter(file).Paint());
  }
  return out + "</body></html>\n";
}

}  // namespace hcl::internal

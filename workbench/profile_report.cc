// Reports of RequestProfile. Tested by workbench/request_profile_test.cc.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/printable.h"
#include "hclvm/workbench/request_profile.h"

namespace hcl::internal {
namespace {

using Frame = ProfileReport::Frame;
using Place = ProfileReport::Place;

// Frames of the flame graph that are narrower are left out.
constexpr double kMinPercent = 0.05;

double Percent(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

std::string Where(const Place& place) { return absl::StrCat(Printable(place.file), ":", place.line); }

std::string Html(std::string_view text) {
  std::string out;
  for (const char c : Printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string CausesText(const ProfileReport::Exit& exit) {
  std::string text;
  for (const auto& [cause, count] : exit.causes) {
    absl::StrAppend(&text, text.empty() ? "" : "; ", Printable(cause), " (", count, ")");
  }
  return text;
}

void AppendPlace(const Place& place, const char* text_name, std::string* out) {
  out->append("{\"file\":");
  AppendJsonString(place.file, out);
  absl::StrAppend(out, ",\"line\":", place.line, ",\"", text_name, "\":");
  AppendJsonString(place.text, out);
}

// A tree of frames, each as wide as its share. Recursion follows the nesting of expressions, which is bounded.
void AppendFrames(const std::vector<Frame>& frames, uint64_t all, std::string* out) {
  out->append("<div class=row>");
  for (const Frame& frame : frames) {
    const double percent = Percent(frame.fuel, all);
    if (percent < kMinPercent) continue;
    const std::string name = Html(frame.name);
    absl::StrAppendFormat(
        out,
        "<div class=frame style=\"width:%.4f%%\"><span tabindex=0 title=\"%s: %d fuel, %d of its own\">%s"
        "</span>",
        percent, name, frame.fuel, frame.own_fuel, name);
    if (!frame.frames.empty()) AppendFrames(frame.frames, frame.fuel, out);
    out->append("</div>");
  }
  out->append("</div>");
}

constexpr std::string_view kStyle = R"(
body{font:14px/1.4 system-ui,sans-serif;margin:2em;color:#222;background:#fff}
table{border-collapse:collapse;margin:0 0 2em}td,th{padding:2px 10px;text-align:right;border-bottom:1px solid #ddd}
td.text,th.text{text-align:left;font-family:ui-monospace,monospace}
.row{display:flex;width:100%}.frame{min-width:0;flex:none}
.frame>span{display:block;overflow:hidden;white-space:nowrap;font:11px/17px ui-monospace,monospace;padding:0 2px;
border:1px solid #fff;background:#f6b26b;box-sizing:border-box}
.frame .frame>span{background:#ffd27f}.frame .frame .frame>span{background:#ffe5a8}
.frame>span:hover,.frame>span:focus{background:#e06c3c;color:#fff;outline:0}
.bar{display:inline-block;height:9px;background:#e06c3c}
)";

}  // namespace

std::string ProfileText(const ProfileReport& report, size_t max_lines) {
  std::string out = absl::StrFormat(
      "%d evaluations, %d failed, %.1f fuel each\n\n", report.evaluations, report.failed,
      report.evaluations == 0 ? 0.0 : static_cast<double>(report.fuel) / static_cast<double>(report.evaluations));
  const bool has_times = report.samples > 0;
  absl::StrAppend(&out, "    runs       fuel   fuel%", has_times ? "  time%" : "", "  line\n");
  for (size_t n = 0; n < std::min(report.lines.size(), max_lines); ++n) {
    const ProfileReport::Line& line = report.lines[n];
    absl::StrAppendFormat(&out, "%8d %10d  %5.1f%%", line.runs, line.fuel, Percent(line.fuel, report.fuel));
    if (has_times) absl::StrAppendFormat(&out, " %5.1f%%", Percent(line.samples, report.samples));
    absl::StrAppend(&out, "  ", Where(line.place), ": ", Printable(line.place.text), "\n");
  }
  if (report.lines.size() > max_lines) {
    absl::StrAppend(&out, "                           and ", report.lines.size() - max_lines, " further lines\n");
  }
  if (has_times) {
    absl::StrAppendFormat(&out, "%.1f%% of the time goes into binding and converting variables\n",
                          Percent(report.samples_outside, report.samples));
  }
  out += report.exits.empty() ? "\nfast code was never left\n" : "\nfast code was left\n";
  for (const ProfileReport::Exit& exit : report.exits) {
    absl::StrAppendFormat(&out, "%8d  ", exit.count);
    absl::StrAppend(&out, Where(exit.place), ": ", Printable(exit.place.text), "\n          ", CausesText(exit), "\n");
  }
  if (!report.unread_locals.empty()) out += "\nlocals that no request has read\n";
  for (const Place& local : report.unread_locals) {
    absl::StrAppend(&out, "          ", Where(local), ": ", Printable(local.text), "\n");
  }
  if (!report.expensive.empty()) out += "\nthe requests that take the most fuel\n    fuel         ns  exits\n";
  for (const ProfileReport::Request& request : report.expensive) {
    absl::StrAppendFormat(&out, "%8d %10.0f %6d  ", request.fuel, request.ns, request.exits);
    absl::StrAppend(&out, "line ", request.line, request.id.empty() ? "" : ", ", Printable(Excerpt(request.id)), ": ",
                    Printable(request.entry), request.failed ? ", which fails" : "", "\n");
  }
  return out;
}

std::string ProfileJson(const ProfileReport& report) {
  std::string out =
      absl::StrCat("{\"evaluations\":", report.evaluations, ",\"failed\":", report.failed, ",\"fuel\":", report.fuel,
                   ",\"samples\":", report.samples, ",\"samples_outside\":", report.samples_outside, ",\"lines\":[");
  for (const ProfileReport::Line& line : report.lines) {
    if (out.back() != '[') out += ",";
    AppendPlace(line.place, "text", &out);
    absl::StrAppend(&out, ",\"runs\":", line.runs, ",\"fuel\":", line.fuel, ",\"samples\":", line.samples, "}");
  }
  out += "],\"exits\":[";
  for (const ProfileReport::Exit& exit : report.exits) {
    if (out.back() != '[') out += ",";
    AppendPlace(exit.place, "expression", &out);
    absl::StrAppend(&out, ",\"count\":", exit.count, ",\"causes\":[");
    for (const auto& [cause, count] : exit.causes) {
      out += out.back() == '[' ? "{\"cause\":" : ",{\"cause\":";
      AppendJsonString(cause, &out);
      absl::StrAppend(&out, ",\"count\":", count, "}");
    }
    out += "]}";
  }
  out += "],\"unread_locals\":[";
  for (const Place& local : report.unread_locals) {
    if (out.back() != '[') out += ",";
    AppendPlace(local, "name", &out);
    out += "}";
  }
  out += "],\"expensive\":[";
  for (const ProfileReport::Request& request : report.expensive) {
    absl::StrAppend(&out, out.back() == '[' ? "" : ",", "{\"line\":", request.line);
    if (!request.id.empty()) {
      out += ",\"decision_id\":";
      AppendJsonString(request.id, &out);
    }
    out += ",\"entry\":";
    AppendJsonString(request.entry, &out);
    absl::StrAppendFormat(&out, ",\"fuel\":%d,\"exits\":%d,\"ns\":%.0f,\"failed\":%s}", request.fuel, request.exits,
                          request.ns, request.failed ? "true" : "false");
  }
  return out + "]}\n";
}

std::string ProfileHtml(const ProfileReport& report, const std::string& title) {
  std::string out =
      absl::StrCat("<!DOCTYPE html>\n<html lang=en><meta charset=utf-8><title>", Html(title), "</title><style>",
                   ToAbsl(kStyle), "</style>\n<h1>", Html(title), "</h1>\n<p>", report.evaluations, " evaluations, ",
                   report.failed, " failed, ", report.fuel, " fuel</p>\n<h2>Where the fuel goes</h2>\n<div id=flame>");
  AppendFrames(report.roots, report.fuel, &out);
  out += "</div>\n<h2>Lines</h2>\n<table id=lines><tr><th>runs<th>fuel<th>fuel %<th>time %<th class=text>line</tr>\n";
  for (const ProfileReport::Line& line : report.lines) {
    const double percent = Percent(line.fuel, report.fuel);
    absl::StrAppendFormat(
        &out,
        "<tr><td>%d<td>%d<td>%.1f<td>%.1f<td class=text><span class=bar style=\"width:%.0fpx\"></span> "
        "%s: %s</tr>\n",
        line.runs, line.fuel, percent, Percent(line.samples, report.samples), percent, Html(Where(line.place)),
        Html(line.place.text));
  }
  out +=
      "</table>\n<h2>Where fast code was left</h2>\n<table id=exits><tr><th>times<th class=text>expression"
      "<th class=text>because</tr>\n";
  for (const ProfileReport::Exit& exit : report.exits) {
    absl::StrAppend(&out, "<tr><td>", exit.count, "<td class=text>", Html(Where(exit.place)), ": ",
                    Html(exit.place.text), "<td class=text>", Html(CausesText(exit)), "</tr>\n");
  }
  out += "</table>\n";
  if (!report.unread_locals.empty()) {
    out += "<h2>Locals that no request has read</h2>\n<ul id=locals>\n";
    for (const Place& local : report.unread_locals) {
      absl::StrAppend(&out, "<li>", Html(Where(local)), ": ", Html(local.text), "</li>\n");
    }
    out += "</ul>\n";
  }
  out +=
      "<h2>The requests that take the most fuel</h2>\n<table id=expensive><tr><th>fuel<th>ns<th>exits<th>line"
      "<th class=text>entry</tr>\n";
  for (const ProfileReport::Request& request : report.expensive) {
    absl::StrAppendFormat(&out, "<tr><td>%d<td>%.0f<td>%d<td>%d<td class=text>%s</tr>\n", request.fuel, request.ns,
                          request.exits, request.line, Html(request.entry));
  }
  return out + "</table>\n</html>\n";
}

}  // namespace hcl::internal

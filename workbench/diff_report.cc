// Reports of RequestDiff. Tested by workbench/diff_report_test.cc.

#include "hclvm/workbench/diff_report.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/excerpt.h"
#include "hclvm/base/printable.h"

namespace hcl::internal {
namespace {

using Group = std::pair<const EntryCounts::Key, DiffGroup>;

// Entries that only one version has, and are named.
constexpr size_t kMaxNamed = 10;

std::string_view NameOf(AnswerChange change) {
  switch (change) {
    case AnswerChange::kValue:
      return "value";
    case AnswerChange::kFailsNow:
      return "fails_now";
    case AnswerChange::kFailsNoLonger:
      return "fails_no_longer";
    case AnswerChange::kOtherError:
      return "other_error";
  }
  return "";
}

// The largest first; of groups of one size, that with the first example.
std::vector<const Group*> Sorted(const EntryCounts& entry) {
  std::vector<const Group*> groups;
  for (const Group& group : entry.groups) groups.push_back(&group);
  std::sort(groups.begin(), groups.end(), [](const Group* a, const Group* b) {
    if (a->second.count != b->second.count) return a->second.count > b->second.count;
    return std::tie(a->second.line, a->first) < std::tie(b->second.line, b->first);
  });
  return groups;
}

std::string Counted(uint64_t count, std::string_view what) {
  const bool is_y = !what.empty() && what.back() == 'y' && count != 1;
  const std::string_view stem = is_y ? what.substr(0, what.size() - 1) : what;
  return absl::StrCat(count, " ", ToAbsl(stem), is_y ? "ies" : count == 1 ? "" : "s");
}

std::string Names(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (size_t n = 0; n < std::min(names.size(), kMaxNamed); ++n) shown.push_back(Printable(names[n]));
  std::string text = absl::StrJoin(shown, ", ");
  if (names.size() > kMaxNamed) absl::StrAppend(&text, " and ", names.size() - kMaxNamed, " more");
  return text;
}

// Of one answer.
struct Average {
  double before;
  double after;
};

Average Fuel(const EntryCounts& entry) {
  const double answers = static_cast<double>(std::max<uint64_t>(entry.answers, 1));
  return {static_cast<double>(entry.before.fuel) / answers, static_cast<double>(entry.after.fuel) / answers};
}

Average Nanoseconds(const EntryCounts& entry) {
  const double answers = static_cast<double>(std::max<uint64_t>(entry.answers, 1));
  return {static_cast<double>(entry.before.time.count()) / answers,
          static_cast<double>(entry.after.time.count()) / answers};
}

std::string AverageText(const Average& average, const char* unit) {
  std::string text = absl::StrFormat("%.0f -> %.0f%s", average.before, average.after, unit);
  if (average.before > 0 && average.before != average.after) {
    absl::StrAppendFormat(&text, " (%+.1f %%)", 100 * (average.after / average.before - 1));
  }
  return text;
}

// What was not answered, or nothing.
std::string Left(const DiffCounts& counts) {
  std::string text;
  if (counts.partial > 0) {
    absl::StrAppend(&text, Counted(counts.partial, "decision"),
                    " not answered, as the log leaves parts of the variables out\n");
  }
  if (counts.other > 0) absl::StrAppend(&text, Counted(counts.other, "decision"), " of other entries\n");
  if (counts.broken > 0) {
    absl::StrAppend(&text, Counted(counts.broken, "line"), " no request; line ", counts.first_broken, ": ",
                    Printable(Excerpt(counts.fault)), "\n");
  }
  return text;
}

std::string Summary(const ComparedEntries& entries, const DiffCounts& counts) {
  std::string text = absl::StrCat(Counted(counts.requests, "request"), ", ", Counted(counts.answers(), "answer"),
                                  " of ", Counted(entries.both.size(), "entry"), ": ");
  const uint64_t differing = counts.differing_answers();
  if (counts.answers() == 0) return text + "nothing was compared";
  if (differing == 0) {
    text += "all the same";
  } else {
    absl::StrAppend(&text, differing, differing == 1 ? " differs" : " differ");
  }
  if (const uint64_t fails = counts.Count(AnswerChange::kFailsNow); fails > 0) {
    absl::StrAppend(&text, ", ", fails, fails == 1 ? " fails now" : " fail now");
  }
  if (const uint64_t cured = counts.Count(AnswerChange::kFailsNoLonger); cured > 0) {
    absl::StrAppend(&text, ", ", cured, cured == 1 ? " fails no longer" : " fail no longer");
  }
  if (const uint64_t failing = counts.same_errors(); failing > 0) {
    absl::StrAppend(&text, ", ", failing, failing == 1 ? " fails as before" : " fail as before");
  }
  return text;
}

std::string Place(const DiffGroup& group) {
  std::string text = absl::StrCat("line ", group.line);
  if (!group.id.empty()) absl::StrAppend(&text, ", ", Printable(Excerpt(group.id)));
  return text;
}

// Lines, each with blanks before it.
std::string Indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    absl::StrAppend(&out, ToAbsl(indent), Printable(text.substr(0, end)), "\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Whether the example says more than the group does.
bool HasMore(const EntryCounts::Key& key, const DiffGroup& group) {
  return group.before != key.before || group.after != key.after;
}

// What has decided before and after, in one line; empty where neither is known.
std::string Deciders(const EntryCounts::Key& key) {
  if (key.decided_before.empty() && key.decided_after.empty()) return "";
  const auto text = [](const std::string& one) { return one.empty() ? "nothing" : Printable(one); };
  return absl::StrCat(text(key.decided_before), " -> ", text(key.decided_after));
}

// As code in a cell of a table.
std::string Code(std::string_view text) {
  if (text.empty()) return "(empty)";
  const std::string printable = Printable(text);
  size_t longest = 0;
  for (size_t at = 0, run = 0; at < printable.size(); ++at) {
    run = printable[at] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  std::string code = fence + (longest > 0 ? " " : "");
  for (const char c : printable) code += c == '|' ? "\\|" : std::string(1, c);
  return code + (longest > 0 ? " " : "") + fence;
}

// An answer, and below it what has decided.
std::string Cell(std::string_view answer, std::string_view decided) {
  return decided.empty() ? Code(answer) : absl::StrCat(Code(answer), "<br>", Code(decided));
}

void AppendField(const char* name, std::string_view text, std::string* out) {
  absl::StrAppend(out, ",\"", name, "\":");
  AppendJsonString(text, out);
}

void AppendNames(const char* name, const std::vector<std::string>& names, std::string* out) {
  absl::StrAppend(out, ",\"", name, "\":[");
  for (size_t n = 0; n < names.size(); ++n) {
    if (n > 0) out->push_back(',');
    AppendJsonString(names[n], out);
  }
  out->push_back(']');
}

void AppendCost(const char* name, const Average& average, std::string* out) {
  absl::StrAppendFormat(out, ",\"%s\":{\"before\":%.1f,\"after\":%.1f}", name, average.before, average.after);
}

}  // namespace

bool IsSame(const ComparedEntries& entries, const DiffCounts& counts) {
  return counts.differing_answers() == 0 && entries.only_before.empty() && entries.only_after.empty();
}

std::string DiffText(const ComparedEntries& entries, const DiffCounts& counts, const DiffReportOptions& options) {
  const char* const bold = options.color ? "\033[1m" : "";
  const char* const plain = options.color ? "\033[0m" : "";
  std::string out;
  for (size_t n = 0; n < entries.both.size() && n < counts.entries.size(); ++n) {
    const EntryCounts& entry = counts.entries[n];
    if (entry.groups.empty()) continue;
    absl::StrAppend(&out, bold, Printable(entries.both[n].path), plain, "  ", entry.differing(), " of ",
                    Counted(entry.answers, "answer"), "\n");
    const std::vector<const Group*> groups = Sorted(entry);
    for (size_t g = 0; g < std::min(groups.size(), options.max_groups); ++g) {
      const auto& [key, group] = *groups[g];
      absl::StrAppendFormat(&out, "%8d  ", group.count);
      absl::StrAppend(&out, Printable(key.before), " -> ", Printable(key.after), "  (", Place(group), ")\n");
      if (const std::string deciders = Deciders(key); !deciders.empty()) {
        absl::StrAppend(&out, "          because ", deciders, "\n");
      }
      if (!HasMore(key, group) && group.why_before.empty() && group.why_after.empty()) continue;
      absl::StrAppend(&out, "          - ", Printable(group.before), "\n", Indented(group.why_before, "            "));
      absl::StrAppend(&out, "          + ", Printable(group.after), "\n", Indented(group.why_after, "            "));
    }
    if (groups.size() > options.max_groups) {
      absl::StrAppend(&out, "          and ", groups.size() - options.max_groups, " further ways\n");
    }
    absl::StrAppend(&out, "          fuel of an answer ", AverageText(Fuel(entry), ""), "; time ",
                    AverageText(Nanoseconds(entry), " ns"), "\n\n");
  }
  if (!entries.only_before.empty()) absl::StrAppend(&out, "gone: ", Names(entries.only_before), "\n");
  if (!entries.only_after.empty()) absl::StrAppend(&out, "new: ", Names(entries.only_after), "\n");
  absl::StrAppend(&out, Left(counts), bold, Summary(entries, counts), plain, "\n");
  EntryCounts all;
  for (const EntryCounts& entry : counts.entries) {
    all.answers += entry.answers;
    all.before.fuel += entry.before.fuel;
    all.after.fuel += entry.after.fuel;
    all.before.time += entry.before.time;
    all.after.time += entry.after.time;
  }
  const bool is_told = entries.both.size() == 1 && all.answers > 0 && !counts.entries[0].groups.empty();
  if (all.answers > 0 && !is_told) {
    absl::StrAppend(&out, "fuel of an answer ", AverageText(Fuel(all), ""), "; time ",
                    AverageText(Nanoseconds(all), " ns"), "\n");
  }
  return out;
}

std::string DiffMarkdown(const ComparedEntries& entries, const DiffCounts& counts, const DiffReportOptions& options) {
  std::string out = absl::StrCat("**", Summary(entries, counts), "**\n");
  if (!entries.both.empty())
    out += "\n| entry | answers | differ | fail now | fuel | time |\n|---|---|---|---|---|---|\n";
  for (size_t n = 0; n < entries.both.size() && n < counts.entries.size(); ++n) {
    const EntryCounts& entry = counts.entries[n];
    absl::StrAppend(&out, "| ", Code(entries.both[n].path), " | ", entry.answers, " | ", entry.differing(), " | ",
                    entry.Count(AnswerChange::kFailsNow), " | ", AverageText(Fuel(entry), ""), " | ",
                    AverageText(Nanoseconds(entry), " ns"), " |\n");
  }
  for (size_t n = 0; n < entries.both.size() && n < counts.entries.size(); ++n) {
    const EntryCounts& entry = counts.entries[n];
    if (entry.groups.empty()) continue;
    absl::StrAppend(&out, "\n", Code(entries.both[n].path), "\n\n",
                    "| answers | before | after | for example | before | after |\n|---|---|---|---|---|---|\n");
    const std::vector<const Group*> groups = Sorted(entry);
    for (size_t g = 0; g < std::min(groups.size(), options.max_groups); ++g) {
      const auto& [key, group] = *groups[g];
      absl::StrAppend(
          &out, "| ", group.count, " | ", Cell(key.before, key.decided_before), " | ",
          Cell(key.after, key.decided_after), " | ",
          group.id.empty() ? Place(group) : absl::StrCat("line ", group.line, ", ", Code(Excerpt(group.id))));
      absl::StrAppend(&out, " | ", Code(group.before), " | ", Code(group.after), " |\n");
    }
    for (size_t g = 0; g < std::min(groups.size(), options.max_groups); ++g) {
      const DiffGroup& group = groups[g]->second;
      if (group.why_before.empty() && group.why_after.empty()) continue;
      absl::StrAppend(&out, "\n<details><summary>", "Why, of line ", group.line, "</summary>\n\n    before\n",
                      Indented(group.why_before, "      "), "    after\n", Indented(group.why_after, "      "),
                      "\n</details>\n");
    }
    if (groups.size() > options.max_groups) {
      absl::StrAppend(&out, "\nAnd ", groups.size() - options.max_groups, " further ways.\n");
    }
  }
  const auto add_names = [&](const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    absl::StrAppend(&out, "\n", what);
    for (size_t n = 0; n < std::min(names.size(), kMaxNamed); ++n) absl::StrAppend(&out, " ", Code(names[n]));
    if (names.size() > kMaxNamed) absl::StrAppend(&out, " and ", names.size() - kMaxNamed, " more");
    out += "\n";
  };
  add_names("Gone:", entries.only_before);
  add_names("New:", entries.only_after);
  if (counts.partial > 0 || counts.other > 0) {
    DiffCounts left;
    left.partial = counts.partial;
    left.other = counts.other;
    absl::StrAppend(&out, "\n", Left(left));
  }
  if (counts.broken > 0) {
    absl::StrAppend(&out, "\n", Counted(counts.broken, "line"), " no request; line ", counts.first_broken, ": ",
                    Code(Excerpt(counts.fault)), "\n");
  }
  return out;
}

std::string DiffJson(const ComparedEntries& entries, const DiffCounts& counts) {
  std::string out =
      absl::StrCat("{\"requests\":", counts.requests, ",\"differing_requests\":", counts.differing,
                   ",\"answers\":", counts.answers(), ",\"differing\":", counts.differing_answers(),
                   ",\"partial\":", counts.partial, ",\"other\":", counts.other, ",\"broken\":", counts.broken);
  if (counts.broken > 0) {
    absl::StrAppend(&out, ",\"first_broken\":{\"line\":", counts.first_broken);
    AppendField("fault", counts.fault, &out);
    out += "}";
  }
  AppendNames("only_before", entries.only_before, &out);
  AppendNames("only_after", entries.only_after, &out);
  out += ",\"entries\":[";
  for (size_t n = 0; n < entries.both.size() && n < counts.entries.size(); ++n) {
    const EntryCounts& entry = counts.entries[n];
    out += n == 0 ? "{\"entry\":" : ",{\"entry\":";
    AppendJsonString(entries.both[n].path, &out);
    absl::StrAppend(&out, ",\"answers\":", entry.answers, ",\"differing\":", entry.differing(),
                    ",\"same_error\":", entry.same_error);
    for (const AnswerChange change :
         {AnswerChange::kFailsNow, AnswerChange::kFailsNoLonger, AnswerChange::kOtherError}) {
      absl::StrAppend(&out, ",\"", ToAbsl(NameOf(change)), "\":", entry.Count(change));
    }
    AppendCost("fuel", Fuel(entry), &out);
    AppendCost("ns", Nanoseconds(entry), &out);
    out += ",\"groups\":[";
    bool is_first = true;
    for (const Group* one : Sorted(entry)) {
      const auto& [key, group] = *one;
      absl::StrAppend(&out, is_first ? "" : ",", "{\"change\":\"", ToAbsl(NameOf(key.change)),
                      "\",\"count\":", group.count);
      is_first = false;
      AppendField("before", key.before, &out);
      AppendField("after", key.after, &out);
      if (!key.decided_before.empty()) AppendField("decided_before", key.decided_before, &out);
      if (!key.decided_after.empty()) AppendField("decided_after", key.decided_after, &out);
      absl::StrAppend(&out, ",\"example\":{\"line\":", group.line);
      if (!group.id.empty()) AppendField("decision_id", group.id, &out);
      AppendField("before", group.before, &out);
      AppendField("after", group.after, &out);
      if (!group.why_before.empty()) AppendField("why_before", group.why_before, &out);
      if (!group.why_after.empty()) AppendField("why_after", group.why_after, &out);
      out += "}}";
    }
    out += "]}";
  }
  return out + "]}\n";
}

}  // namespace hcl::internal

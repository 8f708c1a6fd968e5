// ExplainGroups. Tested by workbench/diff_reasons_test.cc.

#include "hclvm/workbench/diff_reasons.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/unknown_input.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/deciders.h"
#include "hclvm/workbench/explain.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/request_reader.h"

namespace hcl::internal {
namespace {

constexpr size_t kMaxLines = 4;
constexpr size_t kMaxCompared = 200;

// A line of an explanation without where it is, which differs between versions.
absl::string_view WithoutPlace(absl::string_view line) { return line.substr(0, line.rfind("  (")); }

// "and 6 more", of what an explanation leaves out.
bool IsCount(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  return absl::StartsWith(line, "and ") && absl::EndsWith(line, " more");
}

// The first lines of `text` that the other explanation does not have.
std::string Differing(const std::string& text, const std::string& other) {
  const std::vector<absl::string_view> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  std::set<absl::string_view> others;
  for (const absl::string_view line : absl::StrSplit(other, '\n')) others.insert(WithoutPlace(line));
  std::string differing;
  size_t count = 0;
  for (const absl::string_view line : lines) {
    if (others.count(WithoutPlace(line)) == 0 && !IsCount(line) && ++count <= kMaxLines)
      absl::StrAppend(&differing, line, "\n");
  }
  return differing;
}

// Without the first line, which says the value again.
std::string Why(Explainer* explainer, const EntriesByPath& entries, const std::string& path, const Value& scope) {
  const auto entry = entries.find(path);
  if (entry == entries.end()) return "";
  const std::string text = ToText(explainer->Explain(scope, *entry->second), kMaxCompared);
  const size_t end = text.find('\n');
  return end == std::string::npos ? "" : text.substr(end + 1);
}

}  // namespace

void ExplainGroups(const DiffedVersion& before, const DiffedVersion& after, const ComparedEntries& entries,
                   const RequestDiffOptions& options, size_t max_groups, DiffCounts* counts) {
  ExplainOptions explain;
  explain.limits = options.limits;
  explain.unknown_input = UnknownInput::kIgnore;
  explain.show_sensitive = options.show_sensitive;
  explain.base = before.recording_base;
  Explainer old_explainer(before.recording, explain);
  explain.base = after.recording_base;
  Explainer new_explainer(after.recording, explain);
  const EntriesByPath old_entries = ByPath(*before.recording);
  const EntriesByPath new_entries = ByPath(*after.recording);
  JsonProjection all;
  all.NeedAll();
  RequestReader reader(options.form, all, after.recording->dialect(), options.limits);
  for (size_t n = 0; n < entries.both.size() && n < counts->entries.size(); ++n) {
    std::vector<DiffGroup*> groups;
    for (auto& [key, group] : counts->entries[n].groups) groups.push_back(&group);
    std::stable_sort(groups.begin(), groups.end(), [](const DiffGroup* a, const DiffGroup* b) {
      return a->count != b->count ? a->count > b->count : a->line < b->line;
    });
    groups.resize(std::min(groups.size(), max_groups));
    for (DiffGroup* group : groups) {
      RecordedRequest request;
      std::string fault;
      if (!reader.Read(group->request, &request, &fault)) continue;
      const std::string old_why = Why(&old_explainer, old_entries, entries.both[n].path, request.scope);
      const std::string new_why = Why(&new_explainer, new_entries, entries.both[n].path, request.scope);
      group->why_before = Differing(old_why, new_why);
      group->why_after = Differing(new_why, old_why);
    }
  }
}

}  // namespace hcl::internal

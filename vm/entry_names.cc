// Finding entries by names that people write. Tested by tests/cli_test.sh and bindings/python/tests/test_program.py.

#include "hclvm/vm/entry_names.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/program_tables.h"

namespace hcl::internal {
namespace {

// The names, the shortest first, as many as one reads.
void AppendEntries(std::vector<std::string_view> names, std::string* message) {
  constexpr size_t kMostShown = 10;
  if (names.empty()) {
    absl::StrAppend(message, "; it has none at all");
    return;
  }
  const size_t shown = std::min(names.size(), kMostShown);
  const auto is_before = [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::partial_sort(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), names.end(), is_before);
  absl::StrAppend(message, "\nIts attributes are:");
  for (size_t n = 0; n < shown; ++n) absl::StrAppend(message, "\n  ", ToAbsl(names[n]));
  if (shown < names.size()) absl::StrAppend(message, "\n  and ", names.size() - shown, " more");
}

}  // namespace

const Entry* FindEntryOrSuggest(const Program& program, std::string_view path, std::string* message) {
  if (const Entry* entry = program.FindEntry(path)) return entry;
  std::vector<std::string_view> names;
  for (const Entry& entry : program.entries()) names.push_back(entry.path);
  const std::string_view nearest = NearestName(path, names);
  *message = absl::StrCat("the config has no attribute ", ToAbsl(path));
  if (!nearest.empty()) absl::StrAppend(message, "; did you mean ", ToAbsl(nearest), "?");
  AppendEntries(std::move(names), message);
  return nullptr;
}

namespace {

// Takes a step from *path: its name, or its index in digits. False at the end.
bool TakeStep(std::string_view* path, std::string* step, bool* is_index) {
  step->clear();
  *is_index = false;
  if (path->empty()) return false;
  if ((*path)[0] == '[' && path->substr(0, 2) != "[\"") {
    const size_t end = std::min(path->find(']'), path->size() - 1);
    step->append(path->substr(1, end - 1));
    path->remove_prefix(end + 1);
    *is_index = true;
    return true;
  }
  if ((*path)[0] == '[') {
    size_t at = 2;
    for (; at < path->size() && (*path)[at] != '"'; ++at) {
      if ((*path)[at] == '\\') ++at;
      if (at < path->size()) step->push_back((*path)[at]);
    }
    path->remove_prefix(std::min(at + 2, path->size()));
    return true;
  }
  if ((*path)[0] == '.') path->remove_prefix(1);
  const size_t end = std::min(path->find_first_of(".["), path->size());
  step->append(path->substr(0, end));
  path->remove_prefix(end);
  return true;
}

// Whether what is at `path` is the value of the entry, or a part of it. A block that stands alone is a list of one body
// in the value, and has no number in the entry's path.
bool IsWithin(std::string_view path, std::string_view entry) {
  std::string step;
  bool is_index = false;
  while (!entry.empty()) {
    if (!TakeStep(&path, &step, &is_index)) return false;
    const bool fits =
        entry.substr(0, step.size()) == step && (entry.size() == step.size() || entry[step.size()] == '.');
    if (fits) {
      entry.remove_prefix(std::min(step.size() + 1, entry.size()));
    } else if (!is_index || step != "0") {
      return false;
    }
  }
  return true;
}

}  // namespace

void LocateResult(const Program& program, uint32_t chunk, std::string_view path, Diagnostic* diagnostic) {
  constexpr size_t kMostEntries = 10'000;
  const absl::Span<const Entry> all = program.entries();
  if (all.empty()) diagnostic->subject = SourceRange{0, static_cast<uint32_t>(program.source().text().size())};
  for (const Entry& entry : all.first(std::min(all.size(), kMostEntries))) {
    if (chunk == program.main_chunk() ? !IsWithin(path, entry.path) : chunk != entry.chunk) continue;
    diagnostic->subject = entry.range;
    diagnostic->source = TablesOf(program).SourceAt(TablesOf(program).chunks()[entry.chunk].begin);
    return;
  }
}

}  // namespace hcl::internal

// Finding entries by names that people write. Tested by tests/cli_test.sh and bindings/python/tests/test_program.py.

#include "hclvm/vm/entry_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"

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

}  // namespace hcl::internal

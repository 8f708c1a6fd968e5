// Rewrites. Tested by tests/slow/rewrites_test.cc.

#include "hclvm/tests/slow/rewrites.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace hcl::testing_support {
std::vector<Rewrite> Rewrites() {
  std::vector<Rewrite> all;
  for (const absl::Span<const Rewrite> some :
       {OperatorRewrites(), PartRewrites(), LoopRewrites(), SearchRewrites(), RuleRewrites(), TextRewrites()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Filled::Filled(std::string_view side, const std::vector<std::string>& parts) {
  for (size_t n = 0; n < side.size(); ++n) {
    // A "$" before a brace begins an interpolation.
    if (side[n] != '$' || n + 1 == side.size() || side[n + 1] < '1' || side[n + 1] > '9') {
      text_ += side[n];
      continue;
    }
    const auto part = static_cast<size_t>(side[++n] - '1');
    const auto begin = static_cast<uint32_t>(text_.size());
    text_ += parts[part];
    places_.push_back({part, begin, static_cast<uint32_t>(text_.size())});
  }
}

std::vector<std::string> Filled::Describe(const Problems& problems) const {
  std::vector<std::string> texts;
  for (const Problem& problem : problems) {
    std::string text = absl::StrCat(problem.is_limit ? "limit " : "", problem.summary);
    for (const Place& place : places_) {
      if (problem.range.begin < place.begin || problem.range.end > place.end) continue;
      absl::StrAppend(&text, " in ", place.part + 1, ":", problem.range.begin - place.begin, "-",
                      problem.range.end - place.begin);
      break;
    }
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return texts;
}

}  // namespace hcl::testing_support

// The groups in one list. Tested by bench/spelling_test.cc.

#include "hclvm/bench/spelling_groups.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace hcl::bench {

std::vector<SpellingGroup> SpellingGroups() {
  std::vector<SpellingGroup> groups;
  AddOperatorSpellings(&groups);
  AddCollectionSpellings(&groups);
  AddRuleSpellings(&groups);
  AddLongSpellings(&groups);
  AddWorkSpellings(&groups);
  AddCheckSpellings(&groups);
  return groups;
}

const std::vector<std::string>& ScopesOf(const SpellingGroup& group, const SpellingForm& form) {
  return form.scopes.empty() ? group.scopes : form.scopes;
}

std::string LabelOf(const SpellingForm& form) {
  if (!form.name.empty()) return form.name;
  return absl::StrCat("`", absl::StrReplaceAll(form.source, {{"|", "\\|"}}), "`");
}

}  // namespace hcl::bench

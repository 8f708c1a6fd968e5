#include "hclvm/bench/spelling_check.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/bench/workload.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"

namespace hcl::bench {
namespace {

// The value, or nothing and what was reported. Places differ from spelling to spelling, and so does which part of a
// scope a message shows: neither is part of the words.
struct Outcome {
  bool ok = false;
  std::string text;
};

std::vector<Outcome> OutcomesOf(const std::string& source, SourceKind kind, const std::vector<std::string>& scopes) {
  const std::unique_ptr<Workload> workload = MakeWorkload(source, source, kind, scopes);
  Evaluator evaluator(workload->program);
  std::vector<Outcome> outcomes;
  for (size_t i = 0; i < scopes.size(); ++i) {
    BindScope(*workload, i, &evaluator);
    const Evaluation& evaluation = evaluator.Run();
    Outcome outcome;
    outcome.ok = evaluation.ok();
    if (outcome.ok) AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &outcome.text);
    for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) {
      absl::StrAppend(&outcome.text, diagnostic.summary, ": ", diagnostic.detail, "\n");
    }
    outcomes.push_back(outcome);
  }
  return outcomes;
}

std::vector<Outcome> ValuesOf(const SpellingGroup& group, const SpellingForm& form) {
  const std::string source =
      group.view.empty() ? form.source : absl::StrReplaceAll(group.view, {{"$$", "$"}, {"$", form.source}});
  return OutcomesOf(source, form.kind, ScopesOf(group, form));
}

}  // namespace

std::string CheckSpelling(const SpellingGroup& group) {
  if (group.forms.size() < 2) return absl::StrCat(group.name, ": has nothing to compare");
  std::vector<Outcome> values;
  std::vector<Outcome> failures;
  for (const SpellingForm& form : group.forms) {
    const std::string where = absl::StrCat(group.name, ": ", LabelOf(form), ": ");
    if (ScopesOf(group, form).empty()) return absl::StrCat(where, "has no scope");
    const std::vector<Outcome> got = ValuesOf(group, form);
    if (values.empty()) values = got;
    for (size_t i = 0; i < got.size(); ++i) {
      if (!got[i].ok) return absl::StrCat(where, "fails over scope ", i, ": ", got[i].text);
      if (group.kind == SpellingKind::kMoreWork || got[i].text == values[i].text) continue;
      return absl::StrCat(where, "over scope ", i, " ", got[i].text, ", and not ", values[i].text);
    }
    const std::vector<Outcome> failed = OutcomesOf(form.source, form.kind, group.failing);
    if (failures.empty()) failures = failed;
    for (size_t i = 0; i < failed.size(); ++i) {
      if (failed[i].ok) return absl::StrCat(where, "does not fail over failing scope ", i, ": ", failed[i].text);
      if (group.other_words || failed[i].text == failures[i].text) continue;
      return absl::StrCat(where, "over failing scope ", i, " ", failed[i].text, ", and not ", failures[i].text);
    }
  }
  return "";
}

}  // namespace hcl::bench

// Programs and answers.

#include "hclvm/tests/differential/program.h"

#include <string_view>
#include <utility>

#include "hclvm/tests/compare_typed.h"

namespace hcl::differential {
namespace {

JsonTree TextTree(std::string text) {
  JsonTree tree;
  tree.kind = JsonTree::Kind::kString;
  tree.text = std::move(text);
  return tree;
}

Difference Differ(const CaseOutcome& ours, const JsonTree& theirs, int digits) {
  const std::string_view error = theirs.Text("error");
  if (error == "panic" || error == "crash") return Difference::kPanic;
  if (!ours.error.empty() && !error.empty()) return ours.error == error ? Difference::kNone : Difference::kPhase;
  if (!ours.error.empty()) return Difference::kOursFails;
  if (!error.empty()) return Difference::kTheirsFails;
  CompareOptions options;
  options.digits = digits;
  JsonTree tree;
  return ParseJsonTree(ours.json, &tree) && SameResultTree(tree, theirs, options) ? Difference::kNone
                                                                                  : Difference::kValue;
}

}  // namespace

const char* KindName(ProgramKind kind) {
  static constexpr const char* kNames[] = {"expr", "template", "body", "json_attributes", "json_literal", "traversal"};
  return kNames[static_cast<int>(kind)];
}

const char* DifferenceName(Difference difference) {
  static constexpr const char* kNames[] = {"none", "values", "ours fails", "theirs fails", "phases", "panic"};
  return kNames[static_cast<int>(difference)];
}

bool Answers::SamePlace() const {
  const JsonTree* at = theirs.Find("at");
  if (!ours.at || at == nullptr || at->items.size() != 4) return !ours.at && at == nullptr;
  return at->items[0].text == std::to_string((*ours.at)[0]) && at->items[1].text == std::to_string((*ours.at)[1]);
}

CaseOutcome RunOurs(CaseRunner* runner, const Program& program) {
  JsonTree test;
  test.kind = JsonTree::Kind::kObject;
  test.members.emplace_back("kind", TextTree(KindName(program.kind)));
  test.members.emplace_back("source", TextTree(program.source));
  return runner->Run(test);
}

Answers Compare(const Program& program, CaseOutcome ours, std::string theirs, int digits) {
  Answers answers;
  answers.program = program;
  answers.ours = std::move(ours);
  answers.theirs_text = std::move(theirs);
  ParseJsonTree(answers.theirs_text, &answers.theirs);
  answers.difference = Differ(answers.ours, answers.theirs, digits);
  return answers;
}

}  // namespace hcl::differential

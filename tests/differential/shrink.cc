// Shrinking.

#include "hclvm/tests/differential/shrink.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/differential/program_tree.h"
#include "hclvm/tests/json_tree.h"

namespace hcl::differential {
namespace {

constexpr const char* kLeaves[] = {"1", "\"a\"", "null", "true", "[]", "{}", "s", "ls", "o"};
// How many expressions of a program are looked at, the outermost first, and how many in place of each.
constexpr size_t kMaxNodes = 60;
constexpr size_t kMaxParts = 12;
constexpr int kMaxRounds = 60;

std::vector<Program> Sorted(const std::set<std::string>& texts, const Program& program) {
  std::vector<Program> programs;
  for (const std::string& text : texts) {
    if (text.size() < program.source.size()) programs.push_back({program.kind, text});
  }
  std::stable_sort(programs.begin(), programs.end(),
                   [](const Program& a, const Program& b) { return a.source.size() < b.source.size(); });
  return programs;
}

// The strings in a JSON text, each as a template of its own.
void AppendTemplates(const JsonTree& tree, std::vector<Program>* programs) {
  if (tree.kind == JsonTree::Kind::kString) programs->push_back({ProgramKind::kTemplate, tree.text});
  for (const JsonTree& item : tree.items) AppendTemplates(item, programs);
  for (const auto& [name, member] : tree.members) {
    // A key becomes a string, also where it is one interpolation.
    programs->push_back({ProgramKind::kTemplate, name + "-"});
    AppendTemplates(member, programs);
  }
}

std::vector<Program> JsonTemplates(const std::string& text) {
  JsonTree tree;
  std::vector<Program> programs;
  if (ParseJsonTree(text, &tree)) AppendTemplates(tree, &programs);
  return programs;
}

}  // namespace

// By the ranges of our own trees: what is put into another place is text, and need not parse.
std::vector<Program> SmallerTrees(const Program& program) {
  if (program.kind == ProgramKind::kJsonAttributes) return JsonTemplates(program.source);
  const ProgramTree tree(program);
  std::set<std::string> texts;
  std::vector<Program> result;
  for (const Expr* node : tree.Nodes(kMaxNodes)) {
    const std::string text = tree.Text(*node);
    // An expression of its own, a heredoc with the line end that belongs to it. A part of a template is none.
    if (program.kind != ProgramKind::kExpr) result.push_back({ProgramKind::kExpr, text + (text[0] == '<' ? "\n" : "")});
    texts.insert(text);
    const std::string before = program.source.substr(0, node->range.begin);
    const std::string behind = program.source.substr(node->range.end);
    for (const char* leaf : kLeaves) texts.insert(absl::StrCat(before, leaf, behind));
    const std::vector<const Expr*> parts = ProgramTree::Below({node}, kMaxParts);
    for (size_t n = 1; n < parts.size(); ++n) {
      const std::string part = tree.Text(*parts[n]);
      texts.insert(absl::StrCat(before, part, behind));
      texts.insert(absl::StrCat(before, "(", part, ")", behind));
    }
  }
  for (Program& smaller : Sorted(texts, program)) result.push_back(std::move(smaller));
  return result;
}

std::vector<Program> SmallerTexts(const Program& program) {
  const std::string& text = program.source;
  const auto inside = [&](size_t at) { return at < text.size() && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80; };
  std::set<std::string> texts;
  for (size_t length = text.size(); length > 0; length /= 2) {
    const size_t step = length > 8 ? length / 2 : 1;
    for (size_t begin = 0; begin < text.size(); begin += step) {
      const size_t end = std::min(begin + length, text.size());
      if (!inside(begin) && !inside(end)) texts.insert(text.substr(0, begin) + text.substr(end));
    }
  }
  return Sorted(texts, program);
}

Answers Shrink(Answers answers, std::vector<Program> (*smaller)(const Program&), const AskBoth& ask,
               const std::function<bool(const Answers&)>& keep) {
  constexpr size_t kBatch = 64;
  for (int round = 0; round < kMaxRounds; ++round) {
    const std::vector<Program> programs = smaller(answers.program);
    bool found = false;
    for (size_t at = 0; at < programs.size() && !found; at += kBatch) {
      for (Answers& each : ask(absl::MakeConstSpan(programs).subspan(at, kBatch))) {
        if (each.difference == Difference::kNone || (keep && !keep(each))) continue;
        answers = std::move(each);
        found = true;
        break;
      }
    }
    if (!found) break;
  }
  return answers;
}

}  // namespace hcl::differential

// Shrinking.

#include "hclvm/tests/differential/shrink.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/walk.h"

namespace hcl::differential {
namespace {

constexpr const char* kLeaves[] = {"1", "\"a\"", "null", "true", "[]", "{}", "s", "ls", "o"};
// How many expressions of a program are looked at, the outermost first, and how many in place of each.
constexpr size_t kMaxNodes = 60;
constexpr size_t kMaxParts = 12;
constexpr int kMaxRounds = 60;

void AppendRoots(const Body& body, std::vector<const Expr*>* roots) {
  for (const Attribute& attribute : body.attributes) roots->push_back(attribute.expr);
  for (const Block& block : body.blocks) AppendRoots(*block.body, roots);
}

// The expressions below `roots`, those first that stand highest.
std::vector<const Expr*> Nodes(std::vector<const Expr*> nodes, size_t limit) {
  for (size_t at = 0; at < nodes.size() && nodes.size() < limit; ++at) internal::AppendChildren(*nodes[at], &nodes);
  return nodes;
}

std::vector<Program> Sorted(std::set<std::string> texts, const Program& program) {
  std::vector<Program> programs;
  for (const std::string& text : texts) {
    if (text.size() < program.source.size()) programs.push_back({program.kind, text});
  }
  std::stable_sort(programs.begin(), programs.end(),
                   [](const Program& a, const Program& b) { return a.source.size() < b.source.size(); });
  return programs;
}

}  // namespace

std::vector<Program> SmallerTrees(const Program& program) {
  const Source source("<program>", program.source);
  Diagnostics diagnostics;
  std::unique_ptr<ParsedFile> file;
  if (program.kind == ProgramKind::kExpr) file = ParseExpression(source, {}, &diagnostics);
  if (program.kind == ProgramKind::kTemplate) file = ParseTemplate(source, {}, &diagnostics);
  if (program.kind == ProgramKind::kBody) file = ParseConfig(source, {}, &diagnostics);
  if (file == nullptr || diagnostics.has_errors()) return {};
  std::vector<const Expr*> roots;
  if (file->expr != nullptr) roots.push_back(file->expr);
  if (file->body != nullptr) AppendRoots(*file->body, &roots);
  std::set<std::string> texts;
  std::vector<Program> result;
  for (const Expr* node : Nodes(roots, kMaxNodes)) {
    const std::string text(source.Slice(node->range));
    // An expression of its own: what is no template is mostly one.
    if (program.kind != ProgramKind::kExpr) result.push_back({ProgramKind::kExpr, text});
    texts.insert(text);
    const std::string before = program.source.substr(0, node->range.begin);
    const std::string behind = program.source.substr(node->range.end);
    for (const char* leaf : kLeaves) texts.insert(before + leaf + behind);
    const std::vector<const Expr*> parts = Nodes({node}, kMaxParts);
    for (size_t n = 1; n < parts.size(); ++n) {
      const std::string part(source.Slice(parts[n]->range));
      texts.insert(before + part + behind);
      texts.insert(before + "(" + part + ")" + behind);
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
        if (each.difference != answers.difference || (keep && !keep(each))) continue;
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

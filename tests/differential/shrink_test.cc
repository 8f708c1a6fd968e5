#include "hclvm/tests/differential/shrink.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/tests/differential/program.h"
#include "hclvm/tests/differential/program_tree.h"

namespace hcl::differential {
namespace {

bool Has(const std::vector<Program>& programs, ProgramKind kind, std::string_view source) {
  return std::any_of(programs.begin(), programs.end(),
                     [&](const Program& each) { return each.kind == kind && each.source == source; });
}

TEST(ShrinkTest, Trees) {
  const std::vector<Program> smaller = SmallerTrees({ProgramKind::kExpr, "[for v in ls : upper(v)]"});
  for (const char* want : {"ls", "upper(v)", "[for v in ls : v]", "[for v in ls : 1]", "1", "[for v in ls : s]"}) {
    EXPECT_TRUE(Has(smaller, ProgramKind::kExpr, want)) << want;
  }
  EXPECT_FALSE(Has(smaller, ProgramKind::kExpr, "[for v in ls : upper(v)]"));
  EXPECT_TRUE(Has(SmallerTrees({ProgramKind::kBody, "b {\n  a = f(x)\n}\n"}), ProgramKind::kExpr, "f(x)"));
  EXPECT_TRUE(Has(SmallerTrees({ProgramKind::kTemplate, "a${x + 1}"}), ProgramKind::kExpr, "x + 1"));
  EXPECT_TRUE(Has(SmallerTrees({ProgramKind::kJsonAttributes, R"({"a": ["${x}"]})"}), ProgramKind::kTemplate, "${x}"));
  EXPECT_TRUE(SmallerTrees({ProgramKind::kExpr, "1 +"}).empty());
}

TEST(ShrinkTest, Texts) {
  std::string all;
  for (const Program& program : SmallerTexts({ProgramKind::kExpr, "a\u00e9b"})) all += "[" + program.source + "]";
  EXPECT_EQ(all, "[][a][ab][a\u00e9][\u00e9b]");
}

// The sides differ about whatever has "!" in it.
std::vector<Answers> Ask(absl::Span<const Program> programs) {
  std::vector<Answers> all;
  for (const Program& program : programs) {
    all.emplace_back();
    all.back().program = program;
    if (program.source.find('!') != std::string::npos) all.back().difference = Difference::kValue;
  }
  return all;
}

std::string Shrunk(const std::string& source, std::vector<Program> (*smaller)(const Program&),
                   const std::function<bool(const Answers&)>& keep = {}) {
  return Shrink(Ask({{ProgramKind::kExpr, source}})[0], smaller, Ask, keep).program.source;
}

TEST(ShrinkTest, GoesOnWhileTheSidesDiffer) {
  EXPECT_EQ(Shrunk("[1, {a = f(!x, 2)}] == 3", SmallerTrees), "!x");
  EXPECT_EQ(Shrunk("] 1 !! 2 [", SmallerTexts), "!");
  const auto keep = [](const Answers& answers) { return answers.program.source.find('2') != std::string::npos; };
  EXPECT_EQ(Shrunk("] 1 !! 2 [", SmallerTexts, keep), "!2");
  EXPECT_EQ(Shrunk("!", SmallerTexts), "!");
}

TEST(ShrinkTest, TreesOfPrograms) {
  const ProgramTree tree({ProgramKind::kBody, "a = 1 + x\nb {\n  c = f()\n}\n"});
  std::string all;
  for (const Expr* node : tree.Nodes()) all += "[" + tree.Text(*node) + "]";
  EXPECT_EQ(all, "[1 + x][f()][1][x]");
  EXPECT_TRUE(ProgramTree({ProgramKind::kExpr, "1 +"}).roots().empty());
  EXPECT_TRUE(ProgramTree({ProgramKind::kJsonAttributes, "{}"}).roots().empty());
}

}  // namespace
}  // namespace hcl::differential

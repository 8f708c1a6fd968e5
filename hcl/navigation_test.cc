#include "hclvm/hcl/navigation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpExpr;
namespace {

constexpr char kText[] =
    "a = 1\n"
    "svc \"web\" {\n"
    "  b = x.y + f(z, [2])\n"
    "  deep { c = \"t ${u} %{ if v }w%{ endif }\" }\n"
    "}\n"
    "d = {k = e}\n";

class NavigationTest : public testing::Test {
 protected:
  NavigationTest() : source_("test", kText), file_(ParseConfig(source_, {}, &diagnostics_)) {
    EXPECT_TRUE(diagnostics_.empty());
  }

  const Body& body() const { return *file_->body; }
  // Where `text` begins.
  uint32_t At(std::string_view text) const { return static_cast<uint32_t>(source_.text().find(text)); }
  std::string Types(uint32_t offset) const {
    std::string types;
    for (const Block* block : BlocksAt(body(), offset)) types.append(block->type).append(" ");
    return types;
  }
  std::string Innermost(uint32_t offset) const {
    const Expr* expr = InnermostExprAt(body(), offset);
    return expr == nullptr ? "none" : DumpExpr(*expr);
  }

  Source source_;
  Diagnostics diagnostics_;
  std::unique_ptr<ParsedFile> file_;
};

TEST_F(NavigationTest, Blocks) {
  EXPECT_EQ(Types(At("a =")), "");
  EXPECT_EQ(Types(At("svc")), "svc ");
  EXPECT_EQ(Types(At("web")), "svc ");
  EXPECT_EQ(Types(At("b =")), "svc ");
  EXPECT_EQ(Types(At("c =")), "svc deep ");
  EXPECT_EQ(Types(At("}\nd =")), "svc ");
  EXPECT_EQ(Types(At("\nd =")), "");
  EXPECT_EQ(Types(At("d =")), "");
  EXPECT_EQ(Types(100'000), "");
  EXPECT_EQ(InnermostBlockAt(body(), At("c ="))->type, "deep");
  EXPECT_EQ(InnermostBlockAt(body(), At("a =")), nullptr);
}

TEST_F(NavigationTest, Attributes) {
  EXPECT_EQ(AttributeAt(body(), At("a ="))->name, "a");
  EXPECT_EQ(AttributeAt(body(), At("= 1"))->name, "a");
  EXPECT_EQ(AttributeAt(body(), At("\nsvc")), nullptr);
  EXPECT_EQ(AttributeAt(body(), At("svc")), nullptr);
  EXPECT_EQ(AttributeAt(body(), At("f(z"))->name, "b");
  EXPECT_EQ(AttributeAt(body(), At("${u}"))->name, "c");
  EXPECT_EQ(AttributeAt(body(), At("e}"))->name, "d");
}

TEST_F(NavigationTest, Expressions) {
  EXPECT_EQ(OutermostExprAt(body(), At("a =")), nullptr);
  EXPECT_EQ(DumpExpr(*OutermostExprAt(body(), At("z, "))), "(+ (traverse (var x) .y) (call f (var z) (tuple 2)))");
  EXPECT_EQ(Innermost(At("a =")), "none");
  EXPECT_EQ(Innermost(At("1\n")), "1");
  EXPECT_EQ(Innermost(At("x.y")), "(var x)");
  EXPECT_EQ(Innermost(At("y + ")), "(traverse (var x) .y)");
  EXPECT_EQ(Innermost(At("+ f")), "(+ (traverse (var x) .y) (call f (var z) (tuple 2)))");
  EXPECT_EQ(Innermost(At("f(z")), "(call f (var z) (tuple 2))");
  EXPECT_EQ(Innermost(At("z, ")), "(var z)");
  EXPECT_EQ(Innermost(At("2]")), "2");
  EXPECT_EQ(Innermost(At("t ${")), "\"t \"");
  EXPECT_EQ(Innermost(At("u}")), "(var u)");
  EXPECT_EQ(Innermost(At("v }")), "(var v)");
  EXPECT_EQ(Innermost(At("w%")), "\"w\"");
  EXPECT_EQ(Innermost(At("k =")), "(object (k (var e)))");
  EXPECT_EQ(Innermost(At("e}")), "(var e)");
}

TEST(NavigationErrorTest, BrokenTexts) {
  const Source source("test", "a = 1 +\nb {\n  c = [x, \n}\nd = y\n");
  Diagnostics diagnostics;
  const auto file = ParseConfig(source, {}, &diagnostics);
  EXPECT_FALSE(diagnostics.empty());
  for (uint32_t at = 0; at <= source.text().size(); ++at) {
    const Expr* expr = InnermostExprAt(*file->body, at);
    if (expr != nullptr) {
      EXPECT_LE(expr->range.begin, at);
      EXPECT_LT(at, expr->range.end);
    }
  }
  EXPECT_EQ(AttributeAt(*file->body, static_cast<uint32_t>(source.text().find("d =")))->name, "d");
}

}  // namespace
}  // namespace hcl

// Source to the printed bound tree, and that forms of one meaning have one tree.

#include "hclvm/compiler/bind.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/facts.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

// What a tree is bound for.
class Bound {
 public:
  explicit Bound(const std::string& text, bool optimize = true)
      : source_(std::make_shared<const Source>("<test>", text)) {
    options_.functions = StandardFunctions();
    options_.optimize = optimize;
    builder_.emplace(source_, options_.functions, options_.dialect, options_.limits);
    folding_.emplace(options_.limits, &*builder_);
    binder_.emplace(options_, &*builder_, &*folding_, &diagnostics_);
    file_ = ParseExpression(*source_, {}, &diagnostics_);
    EXPECT_TRUE(diagnostics_.empty()) << text;
    tree_ = &binder_->Bind(*file_->expr);
  }

  const BoundTree& tree() const { return *tree_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  CompileOptions options_;
  std::shared_ptr<const Source> source_;
  Diagnostics diagnostics_;
  std::unique_ptr<ParsedFile> file_;
  std::optional<ProgramBuilder> builder_;
  std::optional<Folding> folding_;
  std::optional<Binder> binder_;
  const BoundTree* tree_ = nullptr;
};

std::string Print(const std::string& text, bool optimize = true) {
  return PrintBoundTree(Bound(text, optimize).tree());
}

struct Row {
  const char* source;
  const char* want;
};

TEST(BindTest, PrintsTrees) {
  const Row kRows[] = {
      {R"(a.b[0]["c d"].e)", "0 path a.b[0][\"c d\"].e : v0\n"},
      {R"(a[b].c[1])",
       "0 path a : v0\n"
       "1 path b : v1\n"
       "2 index 0 1 : v2 from 0\n"
       "3 steps 2.c[1] : v3 from 0\n"},
      {R"(1 + 2 * 3)", "0 7\n"},
      {R"(a + 1 + 2)",
       "0 path a : v0\n"
       "1 1\n"
       "2 2\n"
       "3 + 0 1 2 : number set v3 from 0\n"},
      {R"(1 + 2 + a)",
       "0 3\n"
       "1 path a : v1\n"
       "2 + 0 1 : number set v2 from 0\n"},
      {R"(a && b == 1 && c)",
       "0 path a : v0\n"
       "1 path b : v1\n"
       "2 1\n"
       "3 == 1 2 : bool set v3 from 1\n"
       "4 path c : v4\n"
       "5 && #0 0 3 4 : bool set v5 from 0\n"},
      {R"(a ? b.c : 1)",
       "0 path a : v0\n"
       "1 path b.c : v1\n"
       "2 1\n"
       "3 ? #0 0 1 2 : v3 from 0\n"},
      {R"([a == 1, "${b}"])",
       "0 path a : v0\n"
       "1 1\n"
       "2 == 0 1 : bool set v2 from 0\n"
       "3 path b : v3\n"
       "4 tuple 2 3 : set v4 from 0\n"},
      {R"({x = a == 1, "y" = 2})",
       "0 \"x\"\n"
       "1 path a : v1\n"
       "2 1\n"
       "3 == 1 2 : bool set v3 from 1\n"
       "4 \"y\"\n"
       "5 2\n"
       "6 object 0=3@0 4=5@1 : object({x = bool, y = number}) set v6 from 0\n"},
      {R"({x = 1, y = [2]})",
       "0 \"x\"\n"
       "1 1\n"
       "2 \"y\"\n"
       "3 [2]\n"
       "4 {\"x\":1,\"y\":[2]}\n"},
      {R"([for i, x in a : x.b if x.c])",
       "0 path a : v0\n"
       "1 local x@1.c : v1\n"
       "2 local x@1.b : v2\n"
       "3 for x@1 in 0 value 2 if #0 1 : set v3 from 0\n"},
      {R"({for k, v in a : k => v...})",
       "0 path a : v0\n"
       "1 local k@0 : v1\n"
       "2 local v@1 : v2\n"
       "3 for k@0 v@1 in 0 key 1 group 2 : set v3 from 0\n"},
      {R"(a[*].b)",
       "0 path a : v0\n"
       "1 local *@1.b : v1\n"
       "2 splat 0 1 : set v2 from 0\n"},
      {R"(contains(["x", "y"], a))",
       "0 [\"x\",\"y\"]\n"
       "1 path a : v1\n"
       "2 call contains 0 1 by set : bool set v2 from 0\n"},
      {R"(upper(a))",
       "0 path a : v0\n"
       "1 call upper 0 : string set total v1 from 0\n"},
      {R"(try(a.b, false))",
       "0 path a.b : v0\n"
       "1 false\n"
       "2 call try 0 1 : v2 from 0\n"},
      {R"(upper("x"))", "0 \"X\"\n"},
      {R"(nosuch(a))", "0 raise : v0\n"},
      {R"("%{if a}x%{endif}")",
       "0 path a : v0\n"
       "1 \"x\"\n"
       "2 \"\"\n"
       "3 ? #0 0 1 2 : string set v3 from 0\n"
       "4 template 3 : string set v4 from 0\n"},
      {R"("%{for x in a}${x}%{endfor}")",
       "0 path a : v0\n"
       "1 local x@1 : v1\n"
       "2 template 1 : string set v2 from 1\n"
       "3 template for x@1 in 0 2 : string set v3 from 0\n"
       "4 template 3 : string set v4 from 0\n"},
      {R"(-a < !b)",
       "0 path a : v0\n"
       "1 - 0 : number set v1 from 0\n"
       "2 path b : v2\n"
       "3 ! 2 : bool set v3 from 2\n"
       "4 < 1 3 : bool set v4 from 0\n"},
      {R"({a = b, (c) = 1})",
       "0 \"a\"\n"
       "1 path b : v1\n"
       "2 path c : v2\n"
       "3 1\n"
       "4 object 0=1 2=3 : set v4 from 0\n"},
      {R"(a.b + a.b + a.c)",
       "0 path a.b : v0\n"
       "1 path a.b : v0\n"
       "2 path a.c : v1\n"
       "3 + 0 1 2 : number set v2 from 0\n"},
      {R"({a = 1}.a)", "0 1\n"},
      {R"(a == null)",
       "0 path a : v0\n"
       "1 null\n"
       "2 == 0 1 : bool set v2 from 0\n"},
      {R"(join("-", a...))",
       "0 \"-\"\n"
       "1 path a : v1\n"
       "2 call join 0 1... : string set v2 from 0\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(Print(row.source), row.want) << row.source;
}

// Forms that mean the same are one tree.
TEST(BindTest, SpellingIsGone) {
  const struct {
    const char* source;
    const char* other;
  } kRows[] = {
      {"(a.b)", "a.b"},
      {"\"${a.b}\"", "a.b"},
      {"(a).b", "a.b"},
      {"a[(\"b c\")][(0)]", "a[\"b c\"][0]"},
      {"(a && b) && c", "a && b && c"},
      {"\"${a + b}\" + c", "a + b + c"},
      {"{\"x\" = a}", "{x = a}"},
      {"{(\"x\") = a}", "{x = a}"},
      {"{x : a, y = b}", "{x = a\ny = b}"},
      {"[for i, x in a : x.b]", "[for unused, x in a : x.b]"},
      {"<<E\n${a}b\nE\n", "\"${a}b\\n\""},
      {"a[2 - 1].b[1 + 2 * 3]", "a[1].b[7]"},
      {"2.0 + a", "2 + a"},
      {"contains([(\"x\")], (a))", "contains([\"x\"], a)"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Print(row.source), Print(row.other)) << row.source;
  // The first of two variables is not there when nothing reads it; the number of those around the second is.
  EXPECT_EQ(Bound("[for i, x in a : x]").tree().nodes().size(), Bound("[for x in a : x]").tree().nodes().size());
}

TEST(BindTest, WithoutOptimizingLiteralsAreConstants) {
  EXPECT_EQ(Print("1 + 2", false), "0 1\n1 2\n2 + 0 1 : number set v2 from 0\n");
  EXPECT_EQ(Print("[1]", false), "0 1\n1 tuple 0 : tuple([number]) set v1 from 0\n");
}

// Ids are dense, parts stand before the whole, and what a node reads is what its parts read.
TEST(BindTest, SubtreesAreIntervals) {
  const char* const kSources[] = {
      "1 + 2 + a.b * (c - 3) ? [for k, v in d : v[e] if k == \"x\"] : try(upper(\"a\"), f[*].g, \"${h}-${1}\")",
      "{a = 1, (b) = [c, {d = [1, 2]}], e = contains([1], 1), f = contains([1], g)}",
      "\"%{if a && b}${c}%{else}%{for x in y}${x}%{endfor}%{endif}\"",
  };
  for (const char* source : kSources) {
    const Bound bound(source);
    const BoundTree& tree = bound.tree();
    for (size_t n = 0; n < tree.nodes().size(); ++n) {
      const BoundExpr& node = *tree.nodes()[n];
      EXPECT_EQ(node.id, n) << source;
      uint32_t paths = node.kind == BoundKind::kPath ? 1 : 0;
      uint32_t first = node.id;
      ForEachPart(node, [&](const BoundExpr& part) {
        EXPECT_EQ(tree.nodes()[part.id], &part) << source;
        EXPECT_GE(part.first, node.first) << source;
        EXPECT_LT(part.id, node.id) << source;
        paths += part.paths_end - part.paths_begin;
        first = std::min(first, part.first);
      });
      if (!node.is_constant()) {
        EXPECT_EQ(node.first, first) << source << " " << n;
        EXPECT_EQ(node.paths_end - node.paths_begin, paths) << source << " " << n;
      }
    }
  }
}

TEST(BindTest, DecisionsAreNumbered) {
  EXPECT_EQ(Bound("a && b || c ? [for x in d : x if e] : (1 == 2 ? 3 : 4)").tree().decisions(), 5u);
  EXPECT_EQ(Bound("true && false").tree().decisions(), 0u);
}

// Equal structures have equal numbers, wherever they stand; what differs in anything has another.
TEST(BindTest, ValueNumbers) {
  const auto same = [](const std::string& a, const std::string& b) {
    const Bound bound(absl::StrCat("[", a, ", ", b, "]"));
    const auto& tuple = As<BoundTuple>(bound.tree().root());
    return bound.tree().ValueNumberOf(*tuple.elements[0]) == bound.tree().ValueNumberOf(*tuple.elements[1]);
  };
  for (const char* text : {"a.b", "a[0]", "-a", "a + b", "upper(a)", "\"x${a}\"", "{x = a}", "[a, 1]", "a ? b : c",
                           "[for x in a : x.y if x.z]", "a[*].b", "a[b].c", "\"%{for x in a}${x}%{endfor}\""}) {
    EXPECT_TRUE(same(text, text)) << text;
    EXPECT_TRUE(same(text, absl::StrCat("(", text, ")"))) << text;
  }
  EXPECT_TRUE(same("[for x in a : x.y]", "[for z in a : z.y]"));
  const char* const kOthers[][2] = {
      {"a.b", "a.c"},
      {"a[0]", "a[1]"},
      {"a + b", "b + a"},
      {"a - b", "a + b"},
      {"upper(a)", "lower(a)"},
      {"{x = a}", "{y = a}"},
      {"a ? b : c", "a ? c : b"},
      {"\"x${a}\"", "\"y${a}\""},
      {"a[b].c", "a[b].d"},
      {"a[*].b", "a[*].c"},
      {"-a", "!a"},
      {"a && b && c", "a || b || c"},
      {"[for x in a : x.y]", "[for x, y in a : x.y]"},
      {"{for x in a : x => 1}", "{for x in a : x => 1...}"},
  };
  for (const auto& row : kOthers) EXPECT_FALSE(same(row[0], row[1])) << row[0] << " and " << row[1];
}

TEST(BindTest, LiteralsThatCannotBeRepresentedAreReportedOnce) {
  for (const char* text : {"1e9999999", "[1e9999999, 2]", "a[1e9999999].b == 1 && c"}) {
    EXPECT_EQ(Bound(text).diagnostics().count(), 1u) << text;
  }
}

// Left spines of any length.
TEST(BindTest, LongSpines) {
  std::string chain = "a", mixed = "a", steps = "a";
  for (int n = 0; n < 20'000; ++n) {
    absl::StrAppend(&chain, " + b");
    absl::StrAppend(&mixed, n % 2 == 0 ? " + b" : " - b");
    absl::StrAppend(&steps, "[b].c");
  }
  EXPECT_EQ(Bound(chain).tree().nodes().size(), 20'002u);
  EXPECT_EQ(Bound(mixed).tree().nodes().size(), 40'001u);
  EXPECT_EQ(Bound(steps).tree().nodes().size(), 60'001u);
}

}  // namespace
}  // namespace hcl::internal

#include "hclvm/hcl/source_tree.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace hcl {
namespace {

SourceTree Read(std::string text) {
  absl::StatusOr<SourceTree> tree = SourceTree::Read(std::move(text));
  EXPECT_TRUE(tree.ok());
  return *std::move(tree);
}

// Items as name(value), name[labels]{items} and ?tokens?.
std::string Print(const SourceTree& tree, uint32_t node) {
  std::string items;
  for (uint32_t item = tree.nodes()[node].first_child; item != kNoSource; item = tree.nodes()[item].next) {
    EXPECT_EQ(tree.nodes()[item].parent, node);
    if (!items.empty()) items += " ";
    const SourceRange range = tree.RangeOf(item);
    if (tree.nodes()[item].kind == SourceNodeKind::kBroken) {
      items += "?" + tree.text().substr(range.begin, range.end - range.begin) + "?";
      continue;
    }
    items += tree.NameOf(item);
    if (tree.nodes()[item].kind == SourceNodeKind::kAttribute) {
      items += "(" + std::string(tree.ValueOf(item)) + ")";
      continue;
    }
    for (const std::string& label : tree.LabelsOf(item)) items += "[" + label + "]";
    items += "{" + Print(tree, item) + (tree.nodes()[item].close == kNoSource ? "" : "}");
  }
  return items;
}

TEST(SourceTreeTest, Items) {
  const struct {
    const char* text;
    const char* items;
  } rows[] = {
      {"", ""},
      {"# x", ""},
      {"a = 1", "a(1)"},
      {"a = 1 # x\n// y\nb = [\n 2 # z\n] /* w */\n", "a(1) b([\n 2 # z\n])"},
      {"b \"x \\\" y\" z {\n  a = 1\n  c {}\n}\nd = 2\n", "b[x \" y][z]{a(1) c{}} d(2)"},
      {"b { a = 1 }\n", "b{a(1)}"},
      {"a = <<E\n  x\nE\nb = 1\n", "a(<<E\n  x\nE) b(1)"},
      {"a /* = */ = 1\n", "a(1)"},
      // Wrong texts.
      {"a =\nb = 1\n", "a() b(1)"},
      {"a = [1\nb = 2\n", "a([1) b(2)"},
      {"b {\n a = 1\n", "b{a(1)"},
      {"b {\n a = (\n}\nc = 1\n", "b{a(()} c(1)"},
      {"x y\na = 1\n", "?x y? a(1)"},
      {"}\na = 1\n", "?}? a(1)"},
      {"a = \"x\nb = 1\n", "a(\"x) b(1)"},
      {"1 = [\n2]\n", "?1 = [\n2]?"},
      {"a = 1 /* x", "a(1 /* x)"},
  };
  for (const auto& row : rows) {
    const SourceTree tree = Read(row.text);
    EXPECT_EQ(Print(tree, SourceTree::kRoot), row.items) << row.text;
  }
}

TEST(SourceTreeTest, Tokens) {
  const SourceTree tree = Read("a /* x */ = \"b${c}\" # y\n// z");
  std::string tokens;
  for (uint32_t n = 0; n < tree.tokens().size(); ++n) tokens += "<" + std::string(tree.TokenText(n)) + ">";
  EXPECT_EQ(tokens, "<a></* x */><=><\"><b><${><c><}><\"><# y\n><// z><>");
  EXPECT_EQ(tree.PairOf(3), 8u);
  EXPECT_EQ(tree.PairOf(7), 5u);
  EXPECT_EQ(tree.PairOf(0), kNoSource);
  EXPECT_EQ(tree.TokenAt(0), 0u);
  EXPECT_EQ(tree.TokenAt(1), kNoSource);
  EXPECT_EQ(tree.TokenAt(4), 1u);
  EXPECT_EQ(tree.TokenAt(1000), kNoSource);
}

TEST(SourceTreeTest, Places) {
  const SourceTree tree = Read("a = 1\nb {\n  c = 2\n}\n");
  EXPECT_EQ(tree.NameOf(tree.NodeAt(0)), "a");
  EXPECT_EQ(tree.NodeAt(5), SourceTree::kRoot);
  EXPECT_EQ(tree.NameOf(tree.NodeAt(6)), "b");
  EXPECT_EQ(tree.NameOf(tree.NodeAt(12)), "c");
  EXPECT_EQ(tree.NameOf(tree.NodeAround({8, 13})), "b");
  EXPECT_EQ(tree.NodeAround({0, 8}), SourceTree::kRoot);
  EXPECT_EQ(tree.FindAttribute(SourceTree::kRoot, "c"), kNoSource);
  EXPECT_EQ(tree.FindAttribute(tree.FindBlock(SourceTree::kRoot, "b", {}), "c"), 3u);
}

TEST(SourceTreeTest, RefusesTextThatIsNoUtf8) {
  EXPECT_EQ(SourceTree::Read("a = \"\xFF\"").status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace hcl

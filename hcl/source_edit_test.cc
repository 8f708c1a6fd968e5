#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "hclvm/hcl/source_tree.h"

namespace hcl {
namespace {

SourceTree Read(std::string text) {
  absl::StatusOr<SourceTree> tree = SourceTree::Read(std::move(text));
  EXPECT_TRUE(tree.ok());
  return *std::move(tree);
}

// The first block of the file, or the file.
uint32_t BodyOf(const SourceTree& tree, bool in_block) {
  return in_block ? tree.nodes()[SourceTree::kRoot].first_child : SourceTree::kRoot;
}

TEST(SourceEditTest, SetAttribute) {
  const struct {
    const char* text;
    bool in_block;
    const char* name;
    const char* value;
    const char* changed;  // null: refused
  } rows[] = {
      {"", false, "a", "1", "a = 1\n"},
      {"a = 1 # x\n", false, "a", "[2]", "a = [2] # x\n"},
      {"a = [ # x\n1]\n# y\nb = 1\n", false, "a", "2", "a = 2\n# y\nb = 1\n"},
      {"a = 1", false, "a", "<<E\nx\nE", "a = <<E\nx\nE\n"},
      {"a = 1 # x", false, "b", "2", "a = 1 # x\nb = 2\n"},
      {"b {\n  a = 1\n  # x\n}\n", true, "c", "2", "b {\n  a = 1\n  # x\n  c = 2\n}\n"},
      {"b {}\n", true, "c", "2", "b {\n  c = 2\n}\n"},
      {"b { a = 1 }\n", true, "c", "2", "b {\n  a = 1\n  c = 2\n}\n"},
      {"b { a = 1 }\n", true, "a", "2", "b { a = 2 }\n"},
      {"b { a = 1 }\n", true, "a", "<<E\nx\nE", nullptr},
      {"a = 1\n", false, "a", "1 +", nullptr},
      {"a = 1\n", false, "a", "1\nb = 2", nullptr},
      {"a = 1\n", false, "a", "1 # x", nullptr},
      {"a = 1\n", false, "2", "1", nullptr},
      {"a = 1\n", false, "", "1", nullptr},
      {"a = 1\n", true, "b", "1", nullptr},
      {"a =\nb = )\n", false, "a", "1", "a = 1\nb = )\n"},
  };
  for (const auto& row : rows) {
    SourceTree tree = Read(row.text);
    const absl::Status status = tree.SetAttribute(BodyOf(tree, row.in_block), row.name, row.value);
    EXPECT_EQ(status.ok(), row.changed != nullptr) << row.text << row.value;
    EXPECT_EQ(tree.text(), row.changed == nullptr ? row.text : row.changed);
  }
}

TEST(SourceEditTest, AddBlock) {
  SourceTree tree = Read("# x\na = 1\n");
  const std::vector<std::string_view> labels = {"l \"m\"", "${n}"};
  absl::StatusOr<uint32_t> block = tree.AddBlock(SourceTree::kRoot, "b", labels);
  ASSERT_TRUE(block.ok());
  EXPECT_TRUE(tree.SetAttribute(*block, "c", "1").ok());
  block = tree.AddBlock(tree.FindBlock(SourceTree::kRoot, "b", labels), "d", {});
  ASSERT_TRUE(block.ok());
  EXPECT_EQ(tree.NameOf(*block), "d");
  EXPECT_EQ(tree.text(), "# x\na = 1\n\nb \"l \\\"m\\\"\" \"$${n}\" {\n  c = 1\n\n  d {}\n}\n");
  EXPECT_FALSE(tree.AddBlock(SourceTree::kRoot, "b c", {}).ok());
  EXPECT_FALSE(tree.AddBlock(1, "b", {}).ok());
}

TEST(SourceEditTest, Remove) {
  const struct {
    const char* text;
    const char* name;
    const char* changed;
  } rows[] = {
      {"a = 1 # x\nb = 2\n", "a", "b = 2\n"},
      {"a = 1 # x\n# y\n  // z\nb = 2 # w\n# v\n", "b", "a = 1 # x\n# v\n"},
      {"# x\n\na = 1\n", "a", "# x\n\n"},
      {"# x\na {\n  b = 1\n}\n\nc = 2\n", "a", "\nc = 2\n"},
      {"a { b = 1 } # x\n", "b", "a {  } # x\n"},
      {"/* x */ a = 1\nb = 2\n", "a", "/* x */ \nb = 2\n"},
      {"a = 1", "a", ""},
  };
  for (const auto& row : rows) {
    SourceTree tree = Read(row.text);
    uint32_t node = 1;
    while (tree.NameOf(node) != row.name) ++node;
    EXPECT_TRUE(tree.Remove(node).ok());
    EXPECT_EQ(tree.text(), row.changed);
  }
  SourceTree tree = Read("a = 1\n");
  EXPECT_FALSE(tree.Remove(SourceTree::kRoot).ok());
  EXPECT_FALSE(tree.Remove(2).ok());
}

TEST(SourceEditTest, Rename) {
  SourceTree tree = Read("a /* x */ = 1\nb l \"m\" {} # y\n");
  EXPECT_TRUE(tree.Rename(1, "long").ok());
  EXPECT_TRUE(tree.Rename(2, "c").ok());
  EXPECT_TRUE(tree.SetLabel(2, 0, "n").ok());
  EXPECT_TRUE(tree.SetLabel(2, 1, "o\n").ok());
  EXPECT_EQ(tree.text(), "long /* x */ = 1\nc \"n\" \"o\\n\" {} # y\n");
  EXPECT_FALSE(tree.Rename(1, "a b").ok());
  EXPECT_FALSE(tree.Rename(0, "a").ok());
  EXPECT_FALSE(tree.SetLabel(2, 2, "x").ok());
  EXPECT_FALSE(tree.SetLabel(1, 0, "x").ok());
  SourceTree twice = Read("a = 1\nb = 2\n");
  EXPECT_FALSE(twice.Rename(2, "a").ok());
  EXPECT_EQ(twice.text(), "a = 1\nb = 2\n");
}

}  // namespace
}  // namespace hcl

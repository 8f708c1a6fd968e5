#include "hclvm/hcl/schema.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace hcl {
namespace {

TEST(SchemaTest, ItsOwnErrors) {
  BodySchema schema;
  EXPECT_TRUE(schema.AddAttribute("a", true).ok());
  EXPECT_TRUE(schema.AddBlock("b", {"name"}).ok());
  EXPECT_EQ(schema.AddAttribute("a").message(), "schema names the attribute \"a\" twice");
  EXPECT_EQ(schema.AddBlock("b").message(), "schema names the block type \"b\" twice");
  EXPECT_EQ(schema.AddAttribute("b").message(), "schema names \"b\" both as an attribute and as a block type");
  EXPECT_EQ(schema.AddBlock("a").message(), "schema names \"a\" both as an attribute and as a block type");
  EXPECT_EQ(schema.AddBlock("a").code(), absl::StatusCode::kAlreadyExists);
  // The failures have changed nothing.
  ASSERT_EQ(schema.attributes().size(), 1u);
  ASSERT_EQ(schema.blocks().size(), 1u);
  EXPECT_TRUE(schema.attributes()[0].required);
  EXPECT_EQ(schema.blocks()[0].label_names.size(), 1u);
}

TEST(SchemaTest, Find) {
  BodySchema schema;
  ASSERT_TRUE(schema.AddAttribute("a").ok());
  ASSERT_TRUE(schema.AddBlock("b").ok());
  EXPECT_EQ(schema.FindAttribute("a"), &schema.attributes()[0]);
  EXPECT_EQ(schema.FindBlock("b"), &schema.blocks()[0]);
  EXPECT_EQ(schema.FindAttribute("b"), nullptr);
  EXPECT_EQ(schema.FindBlock("a"), nullptr);
  EXPECT_EQ(schema.FindAttribute(""), nullptr);
}

TEST(SchemaTest, UnionIsAllOrNothing) {
  BodySchema a, b;
  ASSERT_TRUE(a.AddAttribute("x").ok());
  ASSERT_TRUE(b.AddAttribute("y", true).ok());
  ASSERT_TRUE(b.AddBlock("x").ok());
  EXPECT_FALSE(a.AddAll(b).ok());
  EXPECT_EQ(a.attributes().size(), 1u);
  BodySchema c;
  ASSERT_TRUE(c.AddAttribute("z").ok());
  ASSERT_TRUE(b.AddAll(c).ok());
  EXPECT_EQ(b.attributes().size(), 2u);
  EXPECT_FALSE(b.WithNothingRequired().attributes()[0].required);
  EXPECT_TRUE(b.attributes()[0].required);
}

}  // namespace
}  // namespace hcl

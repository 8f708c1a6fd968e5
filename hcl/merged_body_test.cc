#include "hclvm/hcl/merged_body.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"

namespace hcl {
namespace {

class MergedBodyTest : public testing::Test {
 protected:
  BodyViewPtr Body(std::string name, std::string text) {
    sources_.push_back(std::make_unique<Source>(std::move(name), std::move(text)));
    files_.push_back(ParseConfig(*sources_.back(), {}, &diagnostics_));
    EXPECT_TRUE(diagnostics_.empty());
    return ViewOf(*files_.back()->body, *sources_.back());
  }

  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<std::unique_ptr<ParsedFile>> files_;
  Diagnostics diagnostics_;
};

TEST_F(MergedBodyTest, JoinsContent) {
  const BodyViewPtr merged = MergeBodies({Body("a.hcl", "x = 1\ns \"1\" {}\n"), Body("b.hcl", "y = 2\ns \"2\" {}\n")});
  BodySchema schema;
  ASSERT_TRUE(schema.AddAttribute("x", true).ok());
  ASSERT_TRUE(schema.AddAttribute("y", true).ok());
  ASSERT_TRUE(schema.AddBlock("s", {"name"}).ok());
  const BodyContent content = merged->Content(schema, &diagnostics_);
  EXPECT_TRUE(diagnostics_.empty());
  EXPECT_EQ(content.attributes.size(), 2u);
  ASSERT_EQ(content.blocks.size(), 2u);
  EXPECT_EQ(content.blocks[0].labels[0].text, "1");
  EXPECT_EQ(content.blocks[1].labels[0].text, "2");
  EXPECT_EQ(content.blocks[1].body->source()->name(), "b.hcl");
  EXPECT_EQ(merged->source()->name(), "a.hcl");
}

TEST_F(MergedBodyTest, AnAttributeIsSetOnce) {
  const BodyViewPtr merged = MergeBodies({Body("a.hcl", "\nx = 1\n"), Body("b.hcl", "x = 2\n"), Body("c.hcl", "")});
  const AttributeMap attributes = merged->JustAttributes(&diagnostics_);
  ASSERT_EQ(attributes.size(), 1u);
  EXPECT_EQ(attributes.Find("x")->expr.source()->name(), "a.hcl");
  // The text is that of the file with the error, whatever source is passed.
  EXPECT_EQ(ToText(diagnostics_, sources_[0].get()),
            "Error[HCL5004]: Duplicate argument\n\n"
            "  on b.hcl line 1, column 1:\n"
            "  1 | x = 2\n"
            "    | ^\n\n"
            "  The argument \"x\" was already set in a.hcl on line 2. It may be set once in all of these files.\n");
}

TEST_F(MergedBodyTest, RequiredInAny) {
  const BodyViewPtr a = Body("a.hcl", "x = 1\n");
  const BodyViewPtr b = Body("b.hcl", "z = 1\n");
  BodySchema schema;
  ASSERT_TRUE(schema.AddAttribute("y", true).ok());
  MergeBodies({a, b})->PartialContent(schema, &diagnostics_);
  ASSERT_EQ(diagnostics_.count(), 1u);
  EXPECT_EQ(diagnostics_.kept()[0].summary, "Missing required argument");
  EXPECT_EQ(diagnostics_.kept()[0].detail, "The argument \"y\" is required, but it is not set in a.hcl or b.hcl.");
  EXPECT_FALSE(diagnostics_.kept()[0].subject.has_value());
  diagnostics_.Clear();
  MergeBodies({a, b, a, b})->PartialContent(schema, &diagnostics_);
  EXPECT_EQ(diagnostics_.kept()[0].detail, "The argument \"y\" is required, but it is not set in any of the 4 files.");
  diagnostics_.Clear();
  MergeBodies({a})->PartialContent(schema, &diagnostics_);
  EXPECT_EQ(diagnostics_.kept()[0].subject, (SourceRange{0, 0}));
}

TEST_F(MergedBodyTest, TwoSteps) {
  const BodyViewPtr merged = MergeBodies({Body("a.hcl", "x = 1\ny = 1\n"), Body("b.hcl", "s {}\n")});
  BodySchema first, second;
  ASSERT_TRUE(first.AddAttribute("x").ok());
  ASSERT_TRUE(second.AddAttribute("y").ok());
  const PartialBodyContent partial = merged->PartialContent(first, &diagnostics_);
  EXPECT_EQ(partial.content.attributes.size(), 1u);
  EXPECT_TRUE(diagnostics_.empty());
  EXPECT_EQ(partial.remaining->Content(second, &diagnostics_).attributes.size(), 1u);
  ASSERT_EQ(diagnostics_.count(), 1u);
  EXPECT_EQ(diagnostics_.kept()[0].summary, "Unsupported block type");
}

TEST_F(MergedBodyTest, OfNothing) {
  const BodyViewPtr empty = MergeBodies({});
  BodySchema schema;
  EXPECT_TRUE(empty->Content(schema, &diagnostics_).attributes.empty());
  EXPECT_TRUE(empty->PartialContent(schema, &diagnostics_).remaining->JustAttributes(&diagnostics_).empty());
  EXPECT_EQ(empty->source(), nullptr);
  EXPECT_TRUE(diagnostics_.empty());
  ASSERT_TRUE(schema.AddAttribute("x", true).ok());
  empty->Content(schema, &diagnostics_);
  EXPECT_EQ(ToText(diagnostics_, nullptr),
            "Error[HCL5003]: Missing required argument\n\n  The argument \"x\" is required, but it is not set in any "
            "file.\n");
}

}  // namespace
}  // namespace hcl

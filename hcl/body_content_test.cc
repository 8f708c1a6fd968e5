#include "hclvm/hcl/body_content.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/schema.h"

namespace hcl {

using internal::ToAbsl;
namespace {

// A parsed text with its view.
struct File {
  explicit File(std::string text) : source("test", std::move(text)) {
    file = ParseConfig(source, {}, &errors);
    view = ViewOf(*file->body, source);
  }
  Source source;
  Diagnostics errors;
  std::unique_ptr<ParsedFile> file;
  BodyViewPtr view;
};

// "x" an attribute, "x!" a required one, "b{}" a block, "b{name,other}" one with labels.
BodySchema Schema(const std::vector<std::string>& items) {
  BodySchema schema;
  for (const std::string& item : items) {
    const size_t brace = item.find('{');
    if (brace == std::string::npos) {
      const bool required = item.back() == '!';
      EXPECT_TRUE(schema.AddAttribute(item.substr(0, item.size() - (required ? 1 : 0)), required).ok());
      continue;
    }
    std::vector<std::string> labels;
    for (size_t begin = brace + 1; begin + 1 < item.size();) {
      const size_t end = item.find_first_of(",}", begin);
      labels.push_back(item.substr(begin, end - begin));
      begin = end + 1;
    }
    EXPECT_TRUE(schema.AddBlock(item.substr(0, brace), labels).ok());
  }
  return schema;
}

std::string Print(const AttributeMap& attributes) {
  std::string out;
  for (const AttributeView& attribute : attributes) {
    absl::StrAppend(&out, ToAbsl(attribute.name), "=", ToAbsl(attribute.expr.source()->Slice(attribute.expr.range())),
                    " ");
  }
  return out;
}

std::string Print(const BodyContent& content) {
  std::string out = Print(content.attributes);
  for (const BlockView& block : content.blocks) {
    absl::StrAppend(&out, ToAbsl(block.type), "(");
    for (const BlockLabel& label : block.labels) absl::StrAppend(&out, ToAbsl(label.text), " ");
    Diagnostics ignored;
    absl::StrAppend(&out, ") { ", Print(block.body->JustAttributes(&ignored)), "} ");
  }
  return out;
}

std::string Print(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    EXPECT_NE(diagnostic.source, nullptr);
    absl::StrAppend(&out, diagnostic.subject->begin, "-", diagnostic.subject->end, " ", diagnostic.summary, ": ",
                    diagnostic.detail, "\n");
  }
  return out;
}

TEST(BodyContentTest, ContentTakesWhatTheSchemaNames) {
  const File file("b = 2\nsvc \"x\" y {\n  c = 3\n}\na = 1\nsvc \"u\" \"v\" {}\n");
  Diagnostics diagnostics;
  const BodyContent content = file.view->Content(Schema({"a!", "b", "z", "svc{kind,name}"}), &diagnostics);
  EXPECT_EQ(Print(content), "a=1 b=2 svc(x y ) { c=3 } svc(u v ) { } ");
  EXPECT_EQ(Print(diagnostics), "");
  const AttributeView* a = content.attributes.Find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(file.source.Slice(a->name_range), "a");
  EXPECT_EQ(file.source.Slice(a->range), "a = 1");
  EXPECT_EQ(NativeExpr(a->expr)->kind, ExprKind::kLiteral);
  EXPECT_EQ(content.attributes.Find("z"), nullptr);
  EXPECT_EQ(file.source.Slice(content.blocks[0].header), "svc \"x\" y");
  EXPECT_EQ(file.view->source(), &file.source);
}

TEST(BodyContentTest, Messages) {
  const struct {
    const char* text;
    std::vector<std::string> schema;
    const char* want;
  } cases[] = {
      {"nmae = 1\n",
       {"name", "size"},
       "0-4 Unsupported argument: An argument named \"nmae\" is not expected here. Did you mean \"name\"?\n"},
      // What is there already is not proposed.
      {"name = 1\nnmae = 1\n",
       {"name"},
       "9-13 Unsupported argument: An argument named \"nmae\" is not expected here.\n"},
      {"svc = 1\n",
       {"svc{}"},
       "0-3 Unsupported argument: An argument named \"svc\" is not expected here. Did you mean a block of type "
       "\"svc\"? A block is written without \"=\": svc { ... }.\n"},
      {"b {}\n", {}, "0-1 Unsupported block type: Blocks of type \"b\" are not expected here.\n"},
      {"servce {}\n",
       {"service{}"},
       "0-6 Unsupported block type: Blocks of type \"servce\" are not expected here. Did you mean \"service\"?\n"},
      {"tags {}\n",
       {"tags"},
       "0-4 Unsupported block type: Blocks of type \"tags\" are not expected here. Did you mean the argument "
       "\"tags\"? An argument is set with an equals sign: tags = ...\n"},
      {"x = 1\n",
       {"x", "name!"},
       "0-0 Missing required argument: The argument \"name\" is required here, but it is not set.\n"},
      {"name {}\n",
       {"name!"},
       "0-0 Missing required argument: The argument \"name\" is required here, but it is not set. A block of that name "
       "does not set it.\n0-4 Unsupported block type: Blocks of type \"name\" are not expected here. Did you mean the "
       "argument \"name\"? An argument is set with an equals sign: name = ...\n"},
      {"svc \"a\" {}\n",
       {"svc{kind,name}"},
       "8-9 Missing name for svc: Before its \"{\", a block of type \"svc\" has 2 labels (kind, name).\n"},
      {"svc {}\n",
       {"svc{kind}"},
       "4-5 Missing kind for svc: Before its \"{\", a block of type \"svc\" has 1 label (kind).\n"},
      {"svc a b {}\n",
       {"svc{kind}"},
       "6-7 Extraneous label for svc: A block of type \"svc\" has only 1 label (kind).\n"},
      {"svc a b {}\n", {"svc{}"}, "4-5 Extraneous label for svc: A block of type \"svc\" has no labels.\n"},
  };
  for (const auto& test : cases) {
    const File file(test.text);
    Diagnostics diagnostics;
    file.view->Content(Schema(test.schema), &diagnostics);
    EXPECT_EQ(Print(diagnostics), test.want) << test.text;
  }
}

TEST(BodyContentTest, PartialContentLeavesTheRest) {
  const File file("a = 1\nb = 2\nx {}\ny \"l\" {}\nx \"wrong\" {}\n");
  Diagnostics diagnostics;
  const PartialBodyContent first = file.view->PartialContent(Schema({"a", "x{}"}), &diagnostics);
  EXPECT_EQ(Print(first.content), "a=1 x() { } ");
  EXPECT_EQ(diagnostics.count(), 1u);  // the block with a label was taken all the same
  diagnostics.Clear();
  EXPECT_EQ(Print(first.remaining->Content(Schema({"b", "y{name}"}), &diagnostics)), "b=2 y(l ) { } ");
  EXPECT_TRUE(diagnostics.empty());
  // What was taken is gone.
  EXPECT_EQ(Print(first.remaining->PartialContent(Schema({"a!", "x{}"}), &diagnostics).content), "");
  EXPECT_EQ(Print(diagnostics),
            "0-0 Missing required argument: The argument \"a\" is required here, but it is not set.\n");
  // The first body is as it was.
  diagnostics.Clear();
  EXPECT_EQ(Print(file.view->PartialContent(Schema({"a"}), &diagnostics).content), "a=1 ");
}

TEST(BodyContentTest, JustAttributes) {
  const File file("a = 1\nx \"l\" {}\ny {}\nb = 2\n");
  Diagnostics diagnostics;
  EXPECT_EQ(Print(file.view->JustAttributes(&diagnostics)), "a=1 b=2 ");
  EXPECT_EQ(
      Print(diagnostics),
      "6-7 Unexpected \"x\" block: Only attributes are allowed here. To set an attribute, write \"=\" between its "
      "name and its value.\n");
  diagnostics.Clear();
  const BodyViewPtr rest = file.view->PartialContent(Schema({"x{name}", "y{}", "a"}), &diagnostics).remaining;
  EXPECT_EQ(Print(rest->JustAttributes(&diagnostics)), "b=2 ");
  EXPECT_TRUE(diagnostics.empty());
}

TEST(BodyContentTest, MissingItemsBelongToTheBlock) {
  const File file("x = 1\nsvc {\n  a = 1\n}\n");
  Diagnostics diagnostics;
  const BodyContent content = file.view->Content(Schema({"x", "svc{}"}), &diagnostics);
  EXPECT_EQ(content.blocks[0].body->MissingItemRange(), (SourceRange{10, 10}));
  content.blocks[0].body->Content(Schema({"a", "b!"}), &diagnostics);
  EXPECT_EQ(Print(diagnostics),
            "10-10 Missing required argument: The argument \"b\" is required here, but it is not set.\n");
}

// A body, and a schema in two halves, at random: two steps give what one gives.
TEST(BodyContentTest, TwoStepsAreOne) {
  std::mt19937 random(1);
  const auto below = [&random](size_t bound) { return static_cast<size_t>(random() % bound); };
  const char* const kNames[] = {"a", "b", "c", "d", "e", "f"};
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    std::vector<bool> used(std::size(kNames));
    for (size_t i = below(8); i > 0; --i) {
      const size_t name = below(std::size(kNames));
      if (below(2) == 0) {
        if (used[name]) continue;
        used[name] = true;
        absl::StrAppend(&text, kNames[name], " = ", i, "\n");
      } else {
        absl::StrAppend(&text, kNames[name], below(2) == 0 ? " \"l\"" : "", " { x = ", i, " }\n");
      }
    }
    BodySchema schemas[2];
    for (const char* name : kNames) {
      BodySchema& schema = schemas[below(2)];
      const size_t kind = below(5);
      if (kind < 2) schema.AddAttribute(name, kind == 1).IgnoreError();
      if (kind > 2) schema.AddBlock(name, std::vector<std::string>(kind - 3, "label")).IgnoreError();
    }
    BodySchema both = schemas[0];
    ASSERT_TRUE(both.AddAll(schemas[1]).ok());

    const File file(text);
    ASSERT_TRUE(file.errors.empty()) << text;
    Diagnostics in_one;
    const BodyContent one = file.view->Content(both, &in_one);
    Diagnostics in_two;
    const PartialBodyContent first = file.view->PartialContent(schemas[0], &in_two);
    const BodyContent second = first.remaining->Content(schemas[1], &in_two);

    std::vector<AttributeView> attributes(first.content.attributes.begin(), first.content.attributes.end());
    attributes.insert(attributes.end(), second.attributes.begin(), second.attributes.end());
    EXPECT_EQ(Print(one.attributes), Print(AttributeMap(attributes))) << text;
    std::vector<uint32_t> blocks_in_one, blocks_in_two;
    for (const BlockView& block : one.blocks) blocks_in_one.push_back(block.range.begin);
    for (const BodyContent* step : {&first.content, &second}) {
      for (const BlockView& block : step->blocks) blocks_in_two.push_back(block.range.begin);
    }
    std::sort(blocks_in_two.begin(), blocks_in_two.end());
    EXPECT_EQ(blocks_in_one, blocks_in_two) << text;
    // The same errors; what they propose instead may come from the whole schema or from half of it.
    std::multiset<std::string> errors_in_one, errors_in_two;
    for (const Diagnostic& d : in_one.kept()) errors_in_one.insert(absl::StrCat(d.subject->begin, d.summary));
    for (const Diagnostic& d : in_two.kept()) errors_in_two.insert(absl::StrCat(d.subject->begin, d.summary));
    EXPECT_EQ(errors_in_one, errors_in_two) << text;
    ASSERT_FALSE(testing::Test::HasFailure());
  }
}

// Many unknown items cost no comparison of names once nobody reads the message.
TEST(BodyContentTest, ManyErrorsStayCheap) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) absl::StrAppend(&text, "unknown", i, " = 1\n");
  const File file(text);
  BodySchema schema;
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(schema.AddAttribute(absl::StrCat("known", i)).ok());
  Diagnostics diagnostics(10);
  file.view->Content(schema, &diagnostics);
  EXPECT_EQ(diagnostics.count(), 20'000u);
  EXPECT_EQ(diagnostics.kept().size(), 10u);
}

}  // namespace
}  // namespace hcl

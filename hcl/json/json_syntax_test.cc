// Static analysis of JSON expressions.

#include "hclvm/hcl/json/json_syntax.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_dump.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/static_analysis.h"

namespace hcl {
namespace {

// One expression in a file of its own.
class Text {
 public:
  explicit Text(std::string text, JsonRules rules = JsonRules::kSpec) : source_("test", std::move(text)) {
    JsonOptions options;
    options.rules = rules;
    file_ = ParseJsonExpression(source_, options, &diagnostics_);
    EXPECT_TRUE(diagnostics_.empty());
  }
  ExprView view() const { return file_->syntax.View(file_->root); }
  Diagnostics* diagnostics() { return &diagnostics_; }
  std::string Error() const {
    if (diagnostics_.kept().size() != 1) return "";
    EXPECT_EQ(diagnostics_.kept()[0].source, &source_);
    return diagnostics_.kept()[0].detail;
  }

 private:
  Source source_;
  Diagnostics diagnostics_;
  std::unique_ptr<JsonFile> file_;
};

std::string At(SourceRange range) { return "@" + std::to_string(range.begin) + "-" + std::to_string(range.end); }

std::string Print(const StaticTraversal& traversal) {
  std::string text(traversal.root);
  for (const TraversalStep& step : traversal.steps) {
    const bool is_attribute = step.kind == TraversalStep::Kind::kAttribute;
    text.append(is_attribute ? "." : "[").append(step.text.view()).append(is_attribute ? "" : "]");
  }
  return text + At(traversal.range);
}

std::string Print(const std::vector<StaticTraversal>& traversals) {
  std::string text;
  for (const StaticTraversal& traversal : traversals) text += (text.empty() ? "" : " ") + Print(traversal);
  return text;
}

TEST(JsonSyntax, List) {
  Text text("[1, \"${a}\"]");
  const auto list = AsStaticList(text.view(), text.diagnostics());
  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->size(), 2u);
  EXPECT_EQ((*list)[1].range(), (SourceRange{4, 10}));
  Text other("\"[1]\"");
  EXPECT_FALSE(AsStaticList(other.view(), other.diagnostics()).has_value());
  EXPECT_EQ(other.Error(),
            "A static list expression, written out in brackets, is required here, but this is a string.");
}

TEST(JsonSyntax, Map) {
  Text text("{\"a\": 1, \"a\": {}}");
  const auto map = AsStaticMap(text.view(), text.diagnostics());
  ASSERT_TRUE(map.has_value());
  ASSERT_EQ(map->size(), 2u);
  EXPECT_EQ((*map)[1].key.range(), (SourceRange{9, 12}));
  EXPECT_EQ((*map)[1].value.range(), (SourceRange{14, 16}));
  EXPECT_EQ(AsKeyword((*map)[0].key), "a");
  Text other("[]");
  EXPECT_FALSE(AsStaticMap(other.view(), other.diagnostics()).has_value());
}

TEST(JsonSyntax, Call) {
  Text text("\"f(a.b, \\\"x\\\")\"");
  const auto call = AsStaticCall(text.view(), text.diagnostics());
  ASSERT_TRUE(call.has_value());
  EXPECT_EQ(call->name, "f");
  EXPECT_EQ(call->name_range, (SourceRange{1, 2}));
  EXPECT_EQ(call->arguments_range, (SourceRange{2, 14}));
  ASSERT_EQ(call->arguments.size(), 2u);
  EXPECT_EQ(call->arguments[1].range(), (SourceRange{8, 13}));
  for (const char* no_call : {"\"a\"", "\"${f(a)}\"", "\"f(\"", "1", "[\"f()\"]"}) {
    Text other(no_call);
    EXPECT_FALSE(AsStaticCall(other.view(), other.diagnostics()).has_value()) << no_call;
    EXPECT_NE(other.Error(), "") << no_call;
  }
}

TEST(JsonSyntax, Traversal) {
  Text text(R"("a.b[0][\"c\"]")");
  const auto traversal = AsStaticTraversal(text.view(), text.diagnostics());
  ASSERT_TRUE(traversal.has_value());
  EXPECT_EQ(Print(*traversal), "a.b[0][c]@1-14");
  for (const char* no_path : {"\"a.\"", "\"${a}\"", "\"f()\"", "true", "{}"}) {
    Text other(no_path);
    EXPECT_FALSE(AsStaticTraversal(other.view(), other.diagnostics()).has_value()) << no_path;
    EXPECT_NE(other.Error(), "") << no_path;
  }
}

TEST(JsonSyntax, Variables) {
  const std::string text = R"({"${k}": ["${a.b}", "x", "\n${c[d]}"], "e": "${", "f": "f"})";
  EXPECT_EQ(Print(Variables(Text(text).view())), "a.b@13-16 c@30-31 d@32-33");
  EXPECT_EQ(Print(Variables(Text(text, JsonRules::kReference).view())), "k@4-5 a.b@13-16 c@30-31 d@32-33");
}

TEST(JsonSyntax, ThreadsMayShareAFile) {
  Text text(R"(["${a}", "\n${b}"])");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&text] {
      for (int n = 0; n < 100; ++n) EXPECT_EQ(Variables(text.view()).size(), 2u);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hcl

// Random texts, made of tokens and of damaged valid texts, with fixed seeds: the parser must not crash, must not report
// one thing twice, and must give trees whose ranges nest.

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpBody;
using internal::DumpExpr;
namespace {

constexpr int kRounds = 20'000;

const char* const kTokens[] = {
    "a",
    "b",
    "for",
    "in",
    "if",
    "true",
    "null",
    "1",
    "2.5",
    "0.1.2",
    "\"",
    "\"x\"",
    "${",
    "%{",
    "${~",
    "~}",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    ".",
    "*",
    ".*",
    "[*]",
    ",",
    "...",
    "=",
    "=>",
    ":",
    "::",
    "?",
    "+",
    "-",
    "!",
    "==",
    "&&",
    "<",
    "\n",
    "\r\n",
    "# c\n",
    "/*",
    "/* c */",
    "<<E\n",
    "<<-E\n",
    "E\n",
    "  ",
    "\\n",
    "\\x",
    "\\u12",
    "f(",
    "a.b",
    "a[0]",
    "a[\"k\"]",
    "\u00e9",
    "'",
    "`",
    "@",
    "&",
    "a = 1\n",
    "b {\n",
    "}\n",
    "b \"l\" {",
    "$${",
    "%{ if a }",
    "%{ else }",
    "%{ endif }",
    "%{ for v in a }",
    "%{ endfor }",
    "\ufeff",
    "\u201c",
    "a = ",
    "[for v in a : v]",
    "{for k, v in a : k => v...}",
    "0",
    ".0",
};

const char* const kValid[] = {
    "a = 1\nb \"x\" y {\n  c = [1, 2]\n  d { e = 3 }\n}\n",
    "a = <<-E\n    x ${b}\n      %{ if c ~}\n y\n  %{ endif }\n  E\nb = 2\n",
    "a = { b = 1, (c) : 2\n \"d\" = f(x, y...) }\n",
    "a = [for k, v in m : \"${k}=${v}\" if v != null]\nb = {for v in l : v => v...}\n",
    "a = b.c[0].d[e][*].f.*.g + h ? -i : !j\n",
    "/* c */ a = 1 # d\n// e\nb = \"\\\"\\u00e9$${x}\"\n",
};

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  size_t Below(size_t bound) { return engine_() % bound; }
  const char* Token() { return kTokens[Below(std::size(kTokens))]; }

 private:
  std::mt19937 engine_;
};

std::string RandomText(Random* random) {
  std::string text;
  if (random->Below(3) == 0) {
    for (size_t i = random->Below(12); i > 0; --i) text.append(random->Token()).append(random->Below(2), ' ');
    return text;
  }
  text = kValid[random->Below(std::size(kValid))];
  for (size_t i = 1 + random->Below(4); i > 0; --i) {
    const size_t at = random->Below(text.size() + 1);
    switch (random->Below(4)) {
      case 0:
        text.erase(at, 1 + random->Below(3));
        break;
      case 1:
        text.resize(at);
        break;
      default:
        text.insert(at, random->Token());
    }
  }
  return text;
}

// Checks that each node lies in its parent.
class RangeChecker {
 public:
  explicit RangeChecker(const Source& source) : source_(source) {}

  void CheckBody(const Body& body) {
    Check(body.range, Whole());
    std::set<std::string_view> names;
    for (const Attribute& attribute : body.attributes) {
      EXPECT_TRUE(names.insert(attribute.name).second) << attribute.name;
      Check(attribute.range, body.range);
      Check(attribute.name_range, attribute.range);
      Check(attribute.equals, attribute.range);
      CheckExpr(*attribute.expr, attribute.range);
    }
    for (const Block& block : body.blocks) {
      Check(block.range, body.range);
      Check(block.header(), block.range);
      Check(block.open, block.range);
      Check(block.close, block.range);
      Check(block.body->range, block.range);
      for (const BlockLabel& label : block.labels) Check(label.range, block.range);
      CheckBody(*block.body);
    }
  }

  void CheckExpr(const Expr& expr, SourceRange parent) {
    Check(expr.range, parent);
    const auto child = [&](const Expr* node) {
      if (node != nullptr) CheckExpr(*node, expr.range);
    };
    switch (expr.kind) {
      case ExprKind::kTraversal:
        child(As<TraversalExpr>(expr).source);
        for (const TraversalStep& step : As<TraversalExpr>(expr).steps) Check(step.range, expr.range);
        break;
      case ExprKind::kIndex:
        child(As<IndexExpr>(expr).collection);
        child(As<IndexExpr>(expr).key);
        Check(As<IndexExpr>(expr).brackets, expr.range);
        break;
      case ExprKind::kSplat:
        child(As<SplatExpr>(expr).source);
        child(As<SplatExpr>(expr).each);
        Check(As<SplatExpr>(expr).marker, expr.range);
        break;
      case ExprKind::kCall:
        Check(As<CallExpr>(expr).name_range, expr.range);
        Check(As<CallExpr>(expr).open, expr.range);
        Check(As<CallExpr>(expr).close, expr.range);
        for (const Expr* argument : As<CallExpr>(expr).arguments) child(argument);
        break;
      case ExprKind::kTuple:
        for (const Expr* element : As<TupleExpr>(expr).elements) child(element);
        break;
      case ExprKind::kObject:
        for (const ObjectItem& item : As<ObjectExpr>(expr).items) {
          child(item.key);
          child(item.value);
        }
        break;
      case ExprKind::kFor:
        child(As<ForExpr>(expr).collection);
        child(As<ForExpr>(expr).key);
        child(As<ForExpr>(expr).value);
        child(As<ForExpr>(expr).condition);
        Check(As<ForExpr>(expr).open, expr.range);
        Check(As<ForExpr>(expr).close, expr.range);
        break;
      case ExprKind::kUnary:
        child(As<UnaryExpr>(expr).operand);
        break;
      case ExprKind::kBinary:
        child(As<BinaryExpr>(expr).lhs);
        child(As<BinaryExpr>(expr).rhs);
        break;
      case ExprKind::kConditional:
        child(As<ConditionalExpr>(expr).condition);
        child(As<ConditionalExpr>(expr).if_true);
        child(As<ConditionalExpr>(expr).if_false);
        break;
      case ExprKind::kParen:
        child(As<ParenExpr>(expr).inner);
        break;
      case ExprKind::kTemplate:
        for (const Expr* part : As<TemplateExpr>(expr).parts) child(part);
        break;
      case ExprKind::kTemplateWrap:
        child(As<TemplateWrapExpr>(expr).inner);
        break;
      case ExprKind::kTemplateIf:
        child(As<TemplateIfExpr>(expr).condition);
        child(As<TemplateIfExpr>(expr).if_true);
        child(As<TemplateIfExpr>(expr).if_false);
        break;
      case ExprKind::kTemplateFor:
        child(As<TemplateForExpr>(expr).collection);
        child(As<TemplateForExpr>(expr).body);
        break;
      case ExprKind::kLiteral:
      case ExprKind::kVariable:
      case ExprKind::kSplatItem:
      case ExprKind::kTemplateText:
      case ExprKind::kError:
        break;
    }
  }

  SourceRange Whole() const { return {0, static_cast<uint32_t>(source_.text().size())}; }

  void Check(SourceRange inner, SourceRange outer) {
    EXPECT_LE(outer.begin, inner.begin);
    EXPECT_LE(inner.begin, inner.end);
    EXPECT_LE(inner.end, outer.end);
  }

 private:
  const Source& source_;
};

void CheckDiagnostics(const Diagnostics& diagnostics, const Source& source) {
  std::set<std::pair<uint32_t, std::string>> seen;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    EXPECT_FALSE(diagnostic.summary.empty());
    EXPECT_FALSE(diagnostic.detail.empty());
    if (!diagnostic.subject.has_value()) continue;
    EXPECT_LE(diagnostic.subject->begin, diagnostic.subject->end);
    EXPECT_LE(diagnostic.subject->end, source.text().size());
    EXPECT_TRUE(seen.emplace(diagnostic.subject->begin, diagnostic.summary).second) << ToText(diagnostic, &source);
    if (diagnostic.context.has_value()) {
      EXPECT_LE(diagnostic.context->begin, diagnostic.subject->begin) << ToText(diagnostic, &source);
      EXPECT_GE(diagnostic.context->end, diagnostic.subject->end) << ToText(diagnostic, &source);
    }
  }
}

class ParserFuzzTest : public testing::TestWithParam<uint32_t> {};

TEST_P(ParserFuzzTest, KeepsItsPromises) {
  Random random(GetParam());
  for (int round = 0; round < kRounds; ++round) {
    const Source source("fuzz", RandomText(&random));
    ParseOptions options;
    if (random.Below(4) == 0) options.limits.max_nesting_depth = static_cast<uint32_t>(random.Below(4));
    using Parse = std::unique_ptr<ParsedFile> (*)(const Source&, const ParseOptions&, Diagnostics*);
    const Parse parses[] = {ParseConfig, ParseExpression, ParseTemplate, ParseTraversal};
    for (const Parse parse : parses) {
      Diagnostics diagnostics;
      const auto file = parse(source, options, &diagnostics);
      RangeChecker checker(source);
      if (file->body != nullptr) {
        checker.CheckBody(*file->body);
        DumpBody(*file->body);
      } else {
        ASSERT_NE(file->expr, nullptr);
        checker.CheckExpr(*file->expr, checker.Whole());
        DumpExpr(*file->expr);
      }
      CheckDiagnostics(diagnostics, source);
      ASSERT_FALSE(testing::Test::HasFailure()) << source.text();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ParserFuzzTest, testing::Values(1u, 2u, 3u, 4u));

// A tree without diagnostics holds no ErrorExpr, and bytes that are no text give an error and not more.
TEST(ParserFuzzBytesTest, RandomBytes) {
  Random random(5);
  for (int round = 0; round < kRounds; ++round) {
    std::string text;
    for (size_t i = random.Below(40); i > 0; --i) text.push_back(static_cast<char>(random.Below(256)));
    const Source source("fuzz", text);
    Diagnostics diagnostics;
    const auto file = ParseExpression(source, {}, &diagnostics);
    if (diagnostics.empty()) {
      EXPECT_EQ(DumpExpr(*file->expr).find("(error)"), std::string::npos) << text;
    }
  }
}

}  // namespace
}  // namespace hcl

// Recovery: an item with one fault gives one message, whatever stands around it, and costs its neighbors nothing.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"

namespace hcl {
namespace {

// Items with one fault each.
const std::vector<std::string>& Faults() {
  static const auto* faults = new std::vector<std::string>{
      // Characters and strings.
      "a = 'x'",
      "a = b & c",
      "a = b | c",
      "a = $b",
      "a = 1;",
      "a = \"\\q\"",
      "a = \"one",
      "a = \"one\ntwo\"",
      "a = [\"one\ntwo\", \"three\"]",
      "a = \"${b\"",
      "a = \"${f(b\"",
      "a = \"%{ if b\"",
      "a = \"%{ if b }x\"",
      "a = \"%{ endif }\"",
      "a = \"${b c}\"",
      // Values.
      "a =",
      "a = =",
      "a = 1 2",
      "a = 1 +",
      "a = b.",
      "a = b..c",
      "a = b.1.2",
      "a = b[1 2]",
      "a = b[*",
      "a = b.*.*",
      "a = f(1 2)",
      "a = f(1, , 2)",
      "a = f(b...",
      "a = [1 2]",
      "a = [1,\n  2 3,\n  4\n]",
      "a = [1, 2",
      "a = {b}",
      "a = {b = 1 c = 2}",
      "a = {\n  b = 1 c\n  d = 2\n}",
      "a = {\n  b: 1;\n}",
      "a = b ? c",
      "a = b ? c : ",
      "a = (b",
      "a = b)",
      "a = b]",
      "a = [for x in b x]",
      "a = [for x of b : x]",
      "a = {for x in b : x}",
      "a = not b",
      "a = b and c",
      "a = b === c",
      "a = 0x1F",
      "a = 5mb",
      "a = -+1",
      "a = <<E\n  ${b c}\nE",
      "a = 1, 2",
      // Items.
      "a",
      "a: 1",
      "a == 1",
      "a.b = 1",
      "a b = 1",
      "\"a\" = 1",
      "= 1",
      "1 = a",
      "a b, c {\n  d = 1\n}",
      "a \"${b}\" {\n  c = 1\n}",
      "a { b = 1, c = 2 }",
      "a { b = 1\n}",
      "a { b { c = 1 } }",
      "a\n{\n  b = 1\n}",
      "a {\n  b = = 1\n}",
      "a {\n  b = 1\n  b = 2\n}",
      "a {\n  b = [1, 2\n}",
      "a {\n  b\n  c = 1\n}",
      "a \"b {\n  c = 1\n}",
      "a {\n  b = \"${c\n}",
      "a {\n  b = \"%{ if c\n}",
      "a {\n  b = \"${f(c\n}",
      "a {\n} b",
      "a [\n  b = 1\n]",
  };
  return *faults;
}

std::string Messages(const std::string& text, std::multiset<uint32_t>* lines, std::set<std::string>* names) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const std::unique_ptr<ParsedFile> file = ParseConfig(source, {}, &diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    lines->insert(source.PositionAt(diagnostic.subject->begin).line);
  }
  for (const Attribute& attribute : file->body->attributes) names->emplace(attribute.name);
  return text + "\n" + ToText(diagnostics, &source);
}

uint32_t LinesOf(const std::string& text) {
  uint32_t lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  return lines;
}

TEST(ParserRecoveryTest, OneFaultIsOneMessage) {
  for (const std::string& fault : Faults()) {
    std::multiset<uint32_t> lines;
    std::set<std::string> names;
    const std::string printed = Messages("before = 1\n" + fault + "\nafter = 1\n", &lines, &names);
    EXPECT_EQ(lines.size(), 1u) << printed;
    EXPECT_EQ(names.count("before"), 1u) << printed;
    EXPECT_EQ(names.count("after"), 1u) << printed;
  }
}

// The line of the brace is looked at once, however many items fail behind it: otherwise this would take minutes.
TEST(ParserRecoveryTest, ALongHeaderIsNoMoreWorkForEachItem) {
  std::string text = "b \"" + std::string(4'000'000, 'l') + "\" {\n";
  for (int n = 0; n < 200'000; ++n) text += "  x = 1 2 }\n";
  const Source source("test", text + "}\n");
  Diagnostics diagnostics;
  const std::unique_ptr<ParsedFile> file = ParseConfig(source, {}, &diagnostics);
  EXPECT_EQ(file->body->blocks.size(), 1u);
  EXPECT_TRUE(diagnostics.has_errors());
}

std::string Indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) out.append(1, c).append(c == '\n' ? "  " : "");
  return out;
}

TEST(ParserRecoveryTest, OneFaultInABlockIsOneMessage) {
  for (const std::string& fault : Faults()) {
    std::multiset<uint32_t> lines;
    std::set<std::string> names;
    const std::string block = "x {\n  before = 1\n" + Indented(fault) + "\n  behind = 1\n}";
    const std::string printed = Messages("w \"l\" {\n" + Indented(block) + "\n}\nafter = 1\n", &lines, &names);
    EXPECT_EQ(lines.size(), 1u) << printed;
    EXPECT_EQ(names.count("after"), 1u) << printed;
  }
}

TEST(ParserRecoveryTest, TwoFaultsAreTwoMessages) {
  for (const std::string& first : Faults()) {
    for (std::string second : Faults()) {
      if (second[0] == 'a') second[0] = 'z';  // an item of another name
      std::multiset<uint32_t> lines;
      std::set<std::string> names;
      std::string text = "before = 1\n";
      text.append(first).append("\nbetween = 1\n").append(second).append("\nafter = 1\n");
      const std::string printed = Messages(text, &lines, &names);
      const uint32_t begin_of_second = 3 + LinesOf(first);
      EXPECT_EQ(lines.size(), 2u) << printed;
      EXPECT_TRUE(!lines.empty() && *lines.begin() < begin_of_second && *lines.rbegin() >= begin_of_second) << printed;
      EXPECT_EQ(names.count("before") + names.count("between") + names.count("after"), 3u) << printed;
    }
  }
}

}  // namespace
}  // namespace hcl

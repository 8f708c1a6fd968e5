// Laws of the formatter and of the tree with blanks, on random texts and on files that are arguments: only blanks
// change, formatting twice changes nothing more, the tree of the language stays, and tokens with gaps are the text.

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/ast_generator.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/format.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/source_tree.h"

namespace hcl {
namespace {

std::vector<std::string>* files = new std::vector<std::string>;

using Random = std::mt19937;

const char* const kTokens[] = {"a",
                               "for",
                               "in",
                               "1",
                               "2.5",
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
                               "[*]",
                               ",",
                               "...",
                               "=",
                               "=>",
                               ":",
                               "::",
                               "?",
                               "-",
                               "!",
                               "==",
                               "\n",
                               "\r\n",
                               "/*",
                               "/* c */",
                               "<<E\n",
                               "<<-E\n",
                               "\nE\n",
                               "f(",
                               "'",
                               "a = 1\n",
                               "b {\n",
                               "}\n",
                               "# c\n",
                               "\t",
                               "    ",
                               "b \"l\" {",
                               "a = [",
                               "a = b ? c : d\n",
                               "\xC3\xA9",
                               "\xEF\xBB\xBF",
                               "//",
                               "\\",
                               "@"};

std::string WithoutBlanks(std::string_view text) {
  std::string kept;
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept), [](char c) { return c != ' ' && c != '\t'; });
  return kept;
}

struct Parsed {
  explicit Parsed(const std::string& text) : source("test", text) {
    ParseOptions options;
    options.allow_byte_order_mark = true;
    const std::unique_ptr<ParsedFile> file = ParseConfig(source, options, &diagnostics);
    if (!diagnostics.has_errors()) tree = internal::DumpBody(*file->body);
  }
  Source source;
  Diagnostics diagnostics;
  std::string tree;
};

std::vector<std::string> Tokens(const SourceTree& tree) {
  std::vector<std::string> tokens;
  for (uint32_t n = 0; n < tree.tokens().size(); ++n) tokens.emplace_back(tree.TokenText(n));
  return tokens;
}

void ExpectTreeLaws(const SourceTree& tree) {
  uint32_t end = 0;
  for (uint32_t n = 0; n < tree.tokens().size(); ++n) {
    const SourceRange range = tree.tokens()[n].range;
    ASSERT_LE(end, range.begin);
    const std::string_view gap = std::string_view(tree.text()).substr(end, range.begin - end);
    ASSERT_EQ(WithoutBlanks(gap), "") << tree.text();
    ASSERT_LE(range.begin, range.end);
    end = range.end;
    const uint32_t pair = tree.PairOf(n);
    if (pair != kNoSource) {
      ASSERT_EQ(tree.PairOf(pair), n);
    }
  }
  ASSERT_EQ(end, tree.text().size());
  for (uint32_t n = 1; n < tree.nodes().size(); ++n) {
    const SourceNode& node = tree.nodes()[n];
    ASSERT_LT(node.begin, node.end);
    ASSERT_LT(node.parent, n);
    ASSERT_LE(tree.nodes()[node.parent].begin, node.begin) << tree.text();
    ASSERT_GE(tree.nodes()[node.parent].end, node.end) << tree.text();
    if (node.next != kNoSource) {
      ASSERT_LE(node.end, tree.nodes()[node.next].begin) << tree.text();
    }
  }
}

void ExpectLaws(const std::string& text) {
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(text);
  ASSERT_TRUE(tree.ok());
  ExpectTreeLaws(*tree);
  const Parsed before(text);
  Diagnostics diagnostics;
  const std::string formatted = FormatConfig(before.source, Limits(), &diagnostics);
  ASSERT_EQ(diagnostics.has_errors(), before.diagnostics.has_errors()) << text;
  ASSERT_EQ(WithoutBlanks(formatted), WithoutBlanks(text)) << text;
  const Parsed after(formatted);
  Diagnostics unused;
  ASSERT_EQ(FormatConfig(after.source, Limits(), &unused), formatted) << text;
  ASSERT_EQ(after.diagnostics.has_errors(), before.diagnostics.has_errors()) << text << "\n-- is --\n" << formatted;
  if (before.diagnostics.has_errors()) return;
  ASSERT_EQ(after.tree, before.tree) << text << "\n-- is --\n" << formatted;
  const absl::StatusOr<SourceTree> tree_after = SourceTree::Read(formatted);
  ASSERT_TRUE(tree_after.ok());
  std::vector<std::string> tokens = Tokens(*tree);
  ASSERT_EQ(Tokens(*tree_after), tokens) << text;
}

TEST(FormatLawTest, TokensInAnyOrder) {
  Random random(57);
  for (int round = 0; round < 10'000; ++round) {
    std::string text;
    for (size_t n = random() % 24; n > 0; --n) {
      text.append(kTokens[random() % std::size(kTokens)]).append(random() % 3, ' ');
    }
    ExpectLaws(text);
    if (HasFatalFailure()) return;
  }
}

// Changes blanks where the language has them, and adds comments.
std::string WithOtherBlanks(const std::string& text, Random* random) {
  const absl::StatusOr<SourceTree> tree = SourceTree::Read(text);
  std::string changed;
  bool in_template = false;
  uint32_t end = 0;
  for (const SourceToken& token : tree->tokens()) {
    const std::string_view gap = std::string_view(text).substr(end, token.range.begin - end);
    in_template = in_template || token.kind == SourceTokenKind::kText;
    const bool is_free =
        !in_template && token.kind != SourceTokenKind::kQuote && token.kind != SourceTokenKind::kHeredoc;
    if (!is_free || (*random)() % 3 == 0) {
      changed += gap;
    } else if (!gap.empty()) {
      const char* const kGaps[] = {" ", "\t", "     ", " /* c */ ", "  /* c\n */"};
      changed += kGaps[(*random)() % std::size(kGaps)];
    } else if (token.kind == SourceTokenKind::kNewline) {
      const char* const kGaps[] = {"", "  ", " # c", "\n  // c", "\n\n"};
      changed += kGaps[(*random)() % std::size(kGaps)];
    }
    changed += std::string_view(text).substr(token.range.begin, token.range.end - token.range.begin);
    in_template = token.kind == SourceTokenKind::kText || token.kind == SourceTokenKind::kQuote ||
                  token.kind == SourceTokenKind::kHeredoc || token.kind == SourceTokenKind::kClose;
    end = token.range.end;
  }
  return changed;
}

TEST(FormatLawTest, RandomBodies) {
  int parsed = 0;
  for (uint32_t seed = 0; seed < 2'000; ++seed) {
    Arena arena;
    internal::AstGenerator generator(seed, &arena);
    Random random(seed);
    const std::string text = PrintBody(*generator.GenerateBody(4));
    ExpectLaws(text);
    const std::string changed = WithOtherBlanks(text, &random);
    if (!Parsed(changed).diagnostics.has_errors()) ++parsed;
    ExpectLaws(changed);
    std::string cut = changed;
    if (!cut.empty()) cut.erase(random() % cut.size(), 1);
    if (Source("test", cut).text().size() == cut.size() && SourceTree::Read(cut).ok()) ExpectLaws(cut);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(parsed, 1'000);
}

TEST(FormatLawTest, Files) {
  for (const std::string& name : *files) {
    std::ifstream file(name);
    std::stringstream text;
    text << file.rdbuf();
    ASSERT_FALSE(text.str().empty()) << name;
    SCOPED_TRACE(name);
    ExpectLaws(text.str());
    Random random(57);
    for (int n = 0; n < 5 && !HasFatalFailure(); ++n) ExpectLaws(WithOtherBlanks(text.str(), &random));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hcl::files->assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}

// One random edit in a config that has no errors: how many messages it gives. A mistake should be told once, and not
// again for everything that follows from it.
//
// The arguments are files of configs, and of conformance cases (*.jsonl), whose configs are taken; more are generated.
// The same edits every time, unless the environment says otherwise (tests/support/seed.h).

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/json_tree.h"
#include "hclvm/tests/support/seed.h"

namespace hcl {
namespace {

using testing_support::TestPrograms;
using testing_support::TestSeed;

constexpr uint64_t kEdits = 40'000;
constexpr int kGenerated = 200;
constexpr size_t kMostMessages = 2;
constexpr size_t kShown = 5;

std::vector<std::string>* files = new std::vector<std::string>;

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}

  uint32_t Below(size_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % n);
  }
  template <size_t N>
  std::string_view Of(const std::string_view (&choices)[N]) {
    return choices[Below(N)];
  }

 private:
  uint64_t state_;
};

// Configs as people write them: blocks in blocks, lists and objects over several lines, templates, heredocs, comments.
class ConfigGenerator {
 public:
  explicit ConfigGenerator(uint64_t seed) : random_(seed) {}

  std::string Next() {
    out_.clear();
    const uint32_t items = 3 + random_.Below(8);
    for (uint32_t n = 0; n < items; ++n) {
      if (random_.Below(3) > 0) {
        Block(0);
      } else {
        Attribute(0, n);
      }
      if (random_.Below(2) == 0) out_ += '\n';
    }
    return out_;
  }

 private:
  void Indent(int level) { out_.append(static_cast<size_t>(level) * 2, ' '); }

  std::string_view Name() {
    return random_.Of({"name", "region", "count", "tags", "port", "enabled", "source", "role", "subnet_ids", "image"});
  }

  void Block(int level) {
    Indent(level);
    out_ += random_.Of({"resource", "rule", "variable", "module", "check", "locals"});
    for (uint32_t labels = random_.Below(3); labels > 0; --labels)
      absl::StrAppend(&out_, " \"", std::string(Name()), "\"");
    out_ += " {\n";
    const uint32_t items = 1 + random_.Below(5);
    for (uint32_t n = 0; n < items; ++n) {
      if (random_.Below(5) == 0 && level < 3) {
        if (n > 0) out_ += '\n';
        Block(level + 1);
      } else {
        Attribute(level + 1, n);
      }
    }
    Indent(level);
    out_ += "}\n";
  }

  void Attribute(int level, uint32_t n) {
    if (random_.Below(8) == 0) {
      Indent(level);
      out_ += random_.Of({"# Set by hand.\n", "// See above.\n", "/* both\n   lines */\n"});
    }
    Indent(level);
    absl::StrAppend(&out_, std::string(Name()), n, " = ");
    Value(level);
    if (random_.Below(10) == 0) out_ += "  # why";
    out_ += '\n';
  }

  void Value(int level) {
    switch (random_.Below(level > 5 ? 5 : 12)) {
      case 0:
        out_ += random_.Of({"1", "true", "null", "0.25", "8080"});
        break;
      case 1:
      case 2:
        out_ += random_.Of(
            {"\"eu-west-1\"", "\"a ${var.b} c\"", "\"%{if x}y%{else}z%{endif}\"", "\"\"", "\"say \\\"hi\\\"\""});
        break;
      case 3:
        out_ += random_.Of({"var.name", "aws_x.y[0].id", "local.all[*].id", "each.value", "a.b[\"c\"]", "!var.on"});
        break;
      case 4:
        out_ += random_.Of({"var.a + 1", "length(var.b) > 0 && var.c", "var.on ? 1 : 0", "upper(\"${a}-${b}\")",
                            "[for s in var.list : upper(s) if s != \"\"]", "{ for k, v in var.m : k => v... }",
                            "merge(a, { b = 1 }, c...)", "lookup(var.m, \"k\", null)"});
        break;
      case 5:
        absl::StrAppend(&out_, "<<-EOT\n  line ${var.x}\n  other\n  EOT");
        break;
      case 6:
      case 7:
        List(level);
        break;
      case 8:
      case 9:
        Object(level);
        break;
      case 10:
        Call(level);
        break;
      default:
        out_ += '(';
        out_ += '\n';
        Indent(level + 1);
        Value(level + 6);
        out_ += " ||\n";
        Indent(level + 1);
        Value(level + 6);
        out_ += '\n';
        Indent(level);
        out_ += ')';
    }
  }

  void List(int level) {
    const bool is_long = random_.Below(2) == 0;
    const uint32_t size = random_.Below(5);
    out_ += is_long ? "[\n" : "[";
    for (uint32_t n = 0; n < size; ++n) {
      if (is_long) Indent(level + 1);
      Value(is_long ? level + 1 : level + 6);
      if (is_long || n + 1 < size) out_ += is_long ? ",\n" : ", ";
    }
    if (is_long) Indent(level);
    out_ += ']';
  }

  void Object(int level) {
    const bool is_long = random_.Below(3) > 0;
    const uint32_t size = random_.Below(4);
    out_ += is_long ? "{\n" : "{ ";
    for (uint32_t n = 0; n < size; ++n) {
      if (is_long) Indent(level + 1);
      const bool is_quoted = random_.Below(4) == 0;
      absl::StrAppend(&out_, is_quoted ? "\"k " : "", std::string(Name()), n, is_quoted ? "\"" : "");
      out_ += " = ";
      Value(is_long ? level + 1 : level + 6);
      if (is_long || n + 1 < size) out_ += is_long ? "\n" : ", ";
    }
    if (is_long) Indent(level);
    out_ += is_long ? "}" : " }";
  }

  void Call(int level) {
    out_ += random_.Of({"concat(\n", "merge(\n", "format(\n"});
    const uint32_t size = 1 + random_.Below(3);
    for (uint32_t n = 0; n < size; ++n) {
      Indent(level + 1);
      Value(level + 1);
      out_ += n + 1 < size ? ",\n" : "\n";
    }
    Indent(level);
    out_ += ')';
  }

  Random random_;
  std::string out_;
};

size_t MessagesOf(const std::string& text, std::string* printed) {
  const Source source("edited", text);
  Diagnostics diagnostics;
  ParseConfig(source, {}, &diagnostics);
  if (printed != nullptr) *printed = ToText(diagnostics, &source);
  return diagnostics.count();
}

bool IsWord(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

// A word or a character at about `at`.
std::string_view PieceAt(std::string_view text, size_t at) {
  size_t begin = at;
  size_t end = at + 1;
  if (!IsWord(text[at])) return text.substr(at, 1);
  while (begin > 0 && IsWord(text[begin - 1])) --begin;
  while (end < text.size() && IsWord(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::string Edited(std::string text, Random* random) {
  constexpr std::string_view kInserted[] = {"(", ")", "[", "]", "{",  "}",  "\"",  "'", ",", ";",
                                            ":", "=", ".", "$", "${", "%{", "<",   "!", "?", "\n",
                                            " ", "x", "1", "#", "\\", "==", "<<E", "+", "&&"};
  const size_t at = random->Below(text.size());
  const std::string_view piece = PieceAt(text, at);
  const size_t begin = static_cast<size_t>(piece.data() - text.data());
  const size_t size = piece.size();
  switch (random->Below(5)) {
    case 0:
      return text.erase(at, 1);
    case 1:
      return text.insert(at, random->Of(kInserted));
    case 2:
      return text.replace(at, 1, random->Of(kInserted));
    case 3:
      return text.erase(begin, size);
    default:
      return text.insert(begin, std::string(piece) + " ");
  }
}

std::vector<std::string> Corpus() {
  std::vector<std::string> corpus;
  for (const std::string& path : *files) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    if (!absl::EndsWith(path, ".jsonl")) {
      corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
      continue;
    }
    for (std::string line; std::getline(file, line);) {
      JsonTree test;
      if (ParseJsonTree(line, &test) && test.Text("kind") == "body") corpus.emplace_back(test.Text("source"));
    }
  }
  ConfigGenerator generator(TestSeed());
  for (int n = 0; n < kGenerated; ++n) corpus.push_back(generator.Next());
  return corpus;
}

TEST(OneEditTest, GivesTwoMessagesAtMost) {
  std::vector<std::string> corpus;
  for (std::string& text : Corpus()) {
    if (!text.empty() && MessagesOf(text, nullptr) == 0) corpus.push_back(std::move(text));
  }
  ASSERT_GT(corpus.size(), static_cast<size_t>(kGenerated) * 9 / 10);
  Random random(TestSeed());
  std::vector<std::string> noisy;
  const uint64_t edits = TestPrograms(kEdits);
  for (uint64_t n = 0; n < edits; ++n) {
    const std::string text = Edited(corpus[random.Below(corpus.size())], &random);
    std::string printed;
    if (MessagesOf(text, nullptr) <= kMostMessages) continue;
    const size_t count = MessagesOf(text, &printed);
    noisy.push_back(absl::StrCat(text, "\n-- ", count, " messages:\n", printed));
  }
  std::sort(noisy.begin(), noisy.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::printf("%zu configs, %llu edits, %zu with more than %zu messages\n", corpus.size(),
              static_cast<unsigned long long>(edits), noisy.size(), kMostMessages);
  if (noisy.size() * 100 <= edits) return;
  for (size_t n = 0; n < noisy.size() && n < kShown; ++n) ADD_FAILURE() << noisy[n];
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hcl::files->assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}

// Golden tests of diagnostics: source text in, what people read out.
//
// The arguments are files of cases. A case is
//
//   ===== NAME (KIND)
//   source
//   -----
//   expected output
//
// KIND is config, expression or template, with `, cut` when the source does not end in a newline; expressions and
// templates never do. The output is that of the compiler or, when it has nothing to report, of the evaluation over the
// variables of tests/conformance/variables.json; `fine` when that succeeds as well. Lines before the first case are
// comments.
//
// KIND can also be module or plain, for what `hclvm check` says of a module and of a plain config. A line `+++ NAME` in
// the source begins another file of the module; `+++ functions` what `--functions` reads, `+++ variables` what
// `--variables` reads.
//
// KIND calls has an expression on each line of the source. The output is the line, and behind it what `hclvm check`
// says of it and what its evaluation says, in a module that declares the variables of kDeclared.
//
//   bazel run //tests:golden_test -- --update
//
// writes the outputs as they are now into the files; read what changed before you commit it.

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr std::string_view kCaseStart = "===== ";
constexpr std::string_view kOutputStart = "-----\n";

std::vector<std::string>* files = new std::vector<std::string>;
bool update = false;

// Variables for calls, and their values.
constexpr char kDeclared[] = R"(
variable "s" { type = string }
variable "n" { type = number }
variable "ls" { type = list(string) }
variable "ln" { type = list(number) }
variable "ms" { type = map(string) }
variable "o" { type = object({ a = string }) }
)";
constexpr char kValues[] = R"({"s": "x", "n": 1, "ls": ["a", "b"], "ln": [1, 2], "ms": {"k": "v"}, "o": {"a": "b"}})";

struct Case {
  std::string title;  // the whole first line
  std::string source;
  std::string output;
};

struct GoldenFile {
  std::string comment;
  std::vector<Case> cases;
};

// `text` without what comes before the first line that starts with `marker`; that is moved to `before`.
std::string_view CutAtLine(std::string_view text, std::string_view marker, std::string* before) {
  size_t at = 0;
  while (at < text.size() && text.substr(at, marker.size()) != marker) {
    const size_t newline = text.find('\n', at);
    at = newline == std::string_view::npos ? text.size() : newline + 1;
  }
  *before = text.substr(0, at);
  return text.substr(at);
}

GoldenFile Read(std::string_view text) {
  GoldenFile file;
  text = CutAtLine(text, kCaseStart, &file.comment);
  while (!text.empty()) {
    Case test;
    const size_t newline = text.find('\n');
    test.title = text.substr(0, newline);
    text = CutAtLine(text.substr(newline + 1), kOutputStart, &test.source);
    text.remove_prefix(std::min(text.size(), kOutputStart.size()));
    text = CutAtLine(text, kCaseStart, &test.output);
    file.cases.push_back(test);
  }
  return file;
}

std::string Write(const GoldenFile& file) {
  std::string text = file.comment;
  for (const Case& test : file.cases) {
    text.append(test.title).append("\n").append(test.source).append(kOutputStart).append(test.output).append("\n");
  }
  return text.substr(0, text.size() - 1);
}

class Runner {
 public:
  Runner() { options_.functions = StandardFunctions(); }

  std::string Run(const Case& test) const {
    if (test.title.find("(calls") != std::string::npos) return Calls(test.source);
    const bool is_plain = test.title.find("(plain") != std::string::npos;
    if (is_plain || test.title.find("(module") != std::string::npos) return Check(test.source, is_plain);
    const bool is_config = test.title.find("(config") != std::string::npos;
    std::string text = test.source;
    if ((!is_config || test.title.find(", cut)") != std::string::npos) && !text.empty()) text.pop_back();
    auto source = std::make_shared<const Source>("test.hcl", text);
    const auto compile = is_config                                           ? CompileConfig
                         : test.title.find("(template") != std::string::npos ? CompileTemplate
                                                                             : CompileExpression;
    Diagnostics diagnostics;
    const std::shared_ptr<const Program> program = compile(source, options_, &diagnostics);
    if (program == nullptr || !diagnostics.empty()) return ToText(diagnostics, source.get());
    Evaluator evaluator(program, options_.limits);
    evaluator.BindAll(harness_.variables());
    const Evaluation& evaluation = evaluator.Run();
    return evaluation.ok() ? "fine\n" : ToText(evaluation.diagnostics(), source.get());
  }

 private:
  std::string Check(const std::string& text, bool is_plain) const {
    std::vector<ModuleFile> files, variables;
    CompileOptions options = options_;
    Diagnostics diagnostics;
    std::vector<std::shared_ptr<const Source>> sources;
    for (const auto& [name, part] : PartsOf(text)) {
      sources.push_back(std::make_shared<const Source>(name, part));
      if (name == "functions") {
        options.functions = ReadFunctionDescriptions(sources.back(), options_.functions, options_.limits, &diagnostics);
        if (diagnostics.has_errors()) return ToText(diagnostics, nullptr);
      } else {
        const bool is_json = name.size() > 5 && name.substr(name.size() - 5) == ".json";
        (name == "variables" ? variables : files).push_back({sources.back(), is_json});
      }
    }
    if (is_plain) {
      CheckPlainConfig(files, variables, options, /*strict=*/false, &diagnostics);
    } else {
      CheckModule(files, options, /*strict=*/false, &diagnostics);
    }
    return diagnostics.empty() ? "fine\n" : ToText(diagnostics, nullptr);
  }

  std::string Calls(std::string_view lines) const {
    std::string out;
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      lines.remove_prefix(std::min(lines.size(), line.size() + 1));
      out.append(line).append("\n");
      const auto source =
          std::make_shared<const Source>("test.hcl", std::string(kDeclared) + "x = " + std::string(line));
      Diagnostics found, diagnostics;
      CheckModule({{source}}, options_, /*strict=*/false, &found);
      for (const Diagnostic& finding : found.kept()) {
        if (finding.code != DiagnosticCode::kUnused) out.append("  check: ").append(finding.detail).append("\n");
      }
      const auto program = CompileModule(std::vector<ModuleFile>{{source}}, options_, &diagnostics);
      if (program == nullptr) continue;
      Evaluator evaluator(program);
      Value values;
      JsonError error;
      JsonReader reader;
      EXPECT_TRUE(reader.Read(kValues, evaluator.heap(), &values, &error)) << error.detail;
      evaluator.BindAll(values);
      const Evaluation& evaluation = evaluator.Run();
      if (evaluation.ok()) out += "  run: fine\n";
      for (const Diagnostic& failure : evaluation.diagnostics().kept()) {
        out.append("  run: ").append(failure.detail).append("\n");
      }
    }
    return out;
  }

  // The files of a case, with their names.
  static std::vector<std::pair<std::string, std::string>> PartsOf(std::string_view text) {
    constexpr std::string_view kPart = "+++ ";
    std::vector<std::pair<std::string, std::string>> parts = {{"test.hcl", ""}};
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(end);
      if (line.substr(0, kPart.size()) == kPart) {
        parts.emplace_back(line.substr(kPart.size(), line.size() - kPart.size() - 1), "");
      } else {
        parts.back().second += line;
      }
    }
    return parts;
  }

  testing_support::Harness harness_;
  CompileOptions options_;
};

void Update(const std::string& path, GoldenFile file) {
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace == nullptr) return;
  const Runner runner;
  for (Case& test : file.cases) test.output = runner.Run(test);
  std::ofstream(std::string(workspace) + "/" + path, std::ios::binary) << Write(file);
}

TEST(GoldenTest, AllCases) {
  ASSERT_FALSE(files->empty());
  const Runner runner;
  size_t count = 0;
  for (const std::string& path : *files) {
    const std::string text = testing_support::ReadTestFile(path);
    GoldenFile file = Read(text);
    if (update) {
      Update(path, file);
      continue;
    }
    count += file.cases.size();
    for (size_t i = 0; i < file.cases.size(); ++i) {
      const Case& test = file.cases[i];
      const std::string separator = i + 1 < file.cases.size() ? "\n" : "";
      EXPECT_EQ(runner.Run(test) + separator, test.output) << path << ": " << test.title;
    }
  }
  std::cout << count << " cases\n";
}

// Each function has a call that fails, so that somebody has read its messages as people see them.
TEST(GoldenTest, FailuresOfEachFunction) {
  if (update) return;
  std::string calls;
  for (const std::string& path : *files) {
    for (const Case& test : Read(testing_support::ReadTestFile(path)).cases) {
      if (test.title.find("(calls") != std::string::npos) calls += "\n" + test.source;
    }
  }
  for (const std::string_view name : StandardFunctions()->Names()) {
    EXPECT_NE(calls.find("\n" + std::string(name) + "("), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update") {
      hcl::update = true;
    } else {
      hcl::files->push_back(argv[i]);
    }
  }
  return RUN_ALL_TESTS();
}

// Holds docs/diagnostics.md and the table of codes together, and runs the examples of the page.
//
// The page is the first argument. What stands behind the three backquotes of an example says how it is run:
//
//   hcl, json               a config, compiled and evaluated in an empty scope
//   module                  the same of a module
//   check                   a module, as hclvm check has it
//   plain                   a plain config, as hclvm check has it
//   functions               what hclvm check --functions reads
//   spec                    a spec file; a config behind it is decoded with it
//   expression, reference   what CompileExpression and ParseTraversal read
//   scope                   a JSON value
//   sh                      a command, which tests/cli_test.sh runs
//   text                    anything else, which is not run

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/module/function_descriptions.h"
#include "hclvm/module/module.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

const char* g_page = nullptr;

struct Example {
  std::string kind;
  std::string text;
};

struct Section {
  std::string heading;  // without "## "
  std::vector<Example> examples;
  bool has_prose = false;
};

std::vector<Section> ReadPage() {
  const std::string page = testing_support::ReadTestFile(g_page);
  std::vector<Section> sections;
  bool in_example = false;
  for (size_t at = 0; at < page.size();) {
    const size_t end = std::min(page.find('\n', at), page.size());
    const std::string line = page.substr(at, end - at);
    at = end + 1;
    const bool is_fence = line.rfind("```", 0) == 0;
    if (!in_example && line.rfind("## ", 0) == 0) sections.push_back({line.substr(3), {}, false});
    if (is_fence) in_example = !in_example;
    if (sections.empty()) continue;
    Section* const section = &sections.back();
    if (is_fence) {
      if (in_example) section->examples.push_back({line.substr(3), ""});
    } else if (in_example) {
      section->examples.back().text += line + "\n";
    } else if (!line.empty() && line[0] != '#') {
      section->has_prose = true;
    }
  }
  EXPECT_FALSE(in_example);
  return sections;
}

// Without the last line end, so that a text can end anywhere.
std::shared_ptr<const Source> SourceOf(const Example& example) {
  return std::make_shared<const Source>("example", example.text.substr(0, example.text.size() - 1));
}

// What an evaluation gives is added to what compiling gave.
void Evaluate(const std::shared_ptr<const Program>& program, Diagnostics* diagnostics) {
  if (program == nullptr) return;
  Evaluator evaluator(program);
  for (const Diagnostic& diagnostic : evaluator.Run().diagnostics().kept()) diagnostics->Add(diagnostic);
}

void RunConfig(const Example& example, Diagnostics* diagnostics) {
  CompileOptions options;
  options.functions = StandardFunctions();
  if (example.kind == "hashicorp") options.dialect = Dialect::kHashiCorp;
  if (example.kind == "module")
    return Evaluate(CompileModule({{SourceOf(example)}}, options, diagnostics), diagnostics);
  if (example.kind == "check") {
    CheckModule({{SourceOf(example)}}, options, /*strict=*/false, diagnostics);
    return;
  }
  if (example.kind == "plain") {
    CheckPlainConfig({{SourceOf(example)}}, {}, options, /*strict=*/false, diagnostics);
    return;
  }
  const auto compile = example.kind == "expression" ? CompileExpression : CompileConfig;
  Evaluate(example.kind == "json" ? CompileJsonConfig(SourceOf(example), options, diagnostics)
                                  : compile(SourceOf(example), options, diagnostics),
           diagnostics);
}

// The functions are those of the spec file, as in hcldec.
void Decode(const SpecFile& spec, const Example& example, Diagnostics* diagnostics) {
  const std::shared_ptr<const Source> source = SourceOf(example);
  DecoderOptions options;
  options.expand_dynamic_blocks = true;
  options.compile.functions = spec.functions;
  const bool is_json = example.kind == "json";
  const auto json = is_json ? ParseJson(*source, {}, diagnostics) : nullptr;
  const auto native = is_json ? nullptr : ParseConfig(*source, {}, diagnostics);
  if (diagnostics->has_errors()) return;
  const BodyViewPtr body = is_json ? ViewOf(*json) : ViewOf(*native->body, *source);
  Diagnostics mismatches;  // the program reports them itself, if there is one
  const auto program = CompileDecoder(*spec.spec, *body, {source}, options, &mismatches);
  if (program == nullptr) *diagnostics = mismatches;
  Evaluate(program, diagnostics);
}

// The sources of the result are gone.
Diagnostics RunExamples(const std::vector<Example>& examples) {
  Diagnostics diagnostics;
  const Example& example = examples[0];
  if (example.kind == "spec") {
    const auto spec = ReadSpecFile(SourceOf(example), {}, &diagnostics);
    if (spec != nullptr && examples.size() > 1) Decode(*spec, examples[1], &diagnostics);
  } else if (example.kind == "functions") {
    ReadFunctionDescriptions(SourceOf(example), nullptr, {}, &diagnostics);
  } else if (example.kind == "reference") {
    ParseTraversal(*SourceOf(example), {}, &diagnostics);
  } else if (example.kind == "scope") {
    Heap heap;
    Value value;
    JsonError error;
    if (!JsonReader().Read(example.text, &heap, &value, &error)) diagnostics.Add(Diagnostic(error.code));
  } else {
    RunConfig(example, &diagnostics);
  }
  return diagnostics;
}

// One section for each code, in the order of the table.
TEST(DiagnosticsPage, HasTheCodesAndSummariesOfTheTable) {
  std::vector<std::string> headings;
  for (const Section& section : ReadPage()) headings.push_back(section.heading);
  std::vector<std::string> want;
  for (const DiagnosticCode code : kDiagnosticCodes)
    want.push_back(CodeText(code) + " " + std::string(SummaryOf(code)));
  EXPECT_EQ(headings, want);
}

TEST(DiagnosticsPage, HasAnExampleAndTextInEachSection) {
  for (const Section& section : ReadPage()) {
    EXPECT_TRUE(section.has_prose) << section.heading;
    ASSERT_FALSE(section.examples.empty()) << section.heading;
    for (const Example& example : section.examples) {
      const std::string_view kinds =
          " hcl hashicorp json module check plain functions spec expression reference scope sh text ";
      EXPECT_NE(kinds.find(" " + example.kind + " "), std::string_view::npos) << section.heading;
    }
  }
}

// The first diagnostic of what is run has the code of the section.
TEST(DiagnosticsPage, ExamplesGiveTheirCodes) {
  for (const Section& section : ReadPage()) {
    if (section.examples.empty() || section.examples[0].kind == "text" || section.examples[0].kind == "sh") continue;
    const Diagnostics diagnostics = RunExamples(section.examples);
    const std::string code = section.heading.substr(0, section.heading.find(' '));
    ASSERT_FALSE(diagnostics.empty()) << section.heading;
    const Diagnostic& first = diagnostics.kept()[0];
    EXPECT_EQ(CodeText(first.code), code) << first.summary << ": " << first.detail;
  }
}

// A code of the language has an example that is run, but for what no text in UTF-8 shows, or only a host can do.
TEST(DiagnosticsPage, ExamplesOfTheLanguageAreRun) {
  std::string not_run;
  for (const Section& section : ReadPage()) {
    const std::string code = section.heading.substr(0, section.heading.find(' '));
    if (code < "HCL6" && !section.examples.empty() && section.examples[0].kind == "text") not_run += code + " ";
  }
  EXPECT_EQ(not_run,
            "HCL1001 HCL1002 HCL3008 HCL3010 HCL3011 HCL3106 HCL3122 HCL3125 HCL5401 HCL5402 HCL5403 HCL5404 ");
}

}  // namespace
}  // namespace hcl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) return std::fputs("give the page\n", stderr), 1;
  hcl::g_page = argv[1];
  return RUN_ALL_TESTS();
}

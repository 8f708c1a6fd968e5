// Programs that grow: each is what compiling its chunks in the same place gives, also when later ones are there, and
// when the builder is gone.

#include "hclvm/vm/program_growth.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/code_generator.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

const std::string_view kTexts[] = {
    "user.role == \"editor\" && startswith(a, \"/t/\") && contains([\"GET\", \"POST\"], b) && c < 1000",
    "a",
    "a == \"a long text that stands in no value\" || b == \"another long text that stands in no value\"",
    "{a = b, \"a key that is long enough\" = c.d, (e) = [a, b]}",
    "[for k, v in a : {key = k, value = v.x} if v.on]",
    "\"x ${a} and ${upper(b)} or %{ for x in c }${x.name}, %{ endfor }\"",
    "try(a.b.c, b[c], null)",
    "[a, b, c, a.b, b.c, c.d, [a, [b, [c, [a.b, [b.c, [c.d, [e, [a, b, c]]]]]]]]]",
    "regexall(\"^/t/([0-9]+)\", a)",
    "anytrue([for x in a : x.on])",
    "a.b + true",
};

const std::string_view kScopes[] = {
    R"({})",
    R"({"a": "/t/1", "b": "GET", "c": 7, "user": {"role": "editor"}, "e": "k"})",
    R"({"a": [{"b": 1, "x": 2, "on": true}], "b": [3], "c": [{"name": "n"}], "e": 1})",
    R"({"a": {"b": {"c": 5}, "k": {"x": 1, "on": false}}, "b": "k", "c": {"d": 1}, "e": ""})",
};

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

std::shared_ptr<const Source> SourceOf(std::string_view text) {
  return std::make_shared<const Source>("text", std::string(text));
}

// Values or diagnostics of a chunk over all scopes.
std::string Results(const std::shared_ptr<const Program>& program, uint32_t chunk, const Source& source) {
  Evaluator evaluator(program);
  std::string text;
  for (const std::string_view scope : kScopes) {
    Heap heap;
    Value variables;
    JsonError error;
    if (!JsonReader().Read(scope, &heap, &variables, &error)) return error.detail;
    evaluator.BindAll(variables);
    const Evaluation& evaluation = evaluator.RunChunk(chunk);
    std::string reason;
    if (!evaluation.ok()) {
      absl::StrAppend(&text, ToText(evaluation.diagnostics(), &source));
    } else if (!AppendJson(evaluation.value(), &text, &reason)) {
      text += reason;
    }
    text += "\n";
  }
  return text;
}

std::string ResultsAlone(std::string_view text) {
  const std::shared_ptr<const Source> source = SourceOf(text);
  Diagnostics diagnostics;
  const std::shared_ptr<const Program> program = CompileExpression(source, Options(), &diagnostics);
  return program == nullptr ? "no program" : Results(program, program->main_chunk(), *source);
}

// What grows, and what writes it.
struct Grown {
  explicit Grown(const ProgramGrowth::Sizes& expected = {})
      : builder(SourceOf(""), options.functions, options.dialect),
        generator(options, &builder, &diagnostics),
        growth(&builder, expected) {}

  ProgramBuilder::Mark Write(std::string_view text) {
    const std::shared_ptr<const Source> source = SourceOf(text);
    const std::unique_ptr<ParsedFile> file = ParseExpression(*source, ParseOptionsFor(options), &diagnostics);
    const ProgramBuilder::Mark mark = builder.Here();
    generator.BeginText(text.size());
    generator.GenerateChunk(*file->expr);
    return mark;
  }

  const CompileOptions options = Options();
  Diagnostics diagnostics;
  ProgramBuilder builder;
  CodeGenerator generator;
  ProgramGrowth growth;
};

TEST(ProgramGrowthTest, EachProgramIsThereAtOnceAndStays) {
  for (const bool is_finished : {false, true}) {
    for (const uint32_t expected : {0u, 3000u}) {
      ProgramGrowth::Sizes sizes;
      sizes.fill(expected);
      auto grown = std::make_unique<Grown>(sizes);
      std::vector<std::shared_ptr<const Program>> programs;
      for (int round = 0; round < 8; ++round) {
        for (const std::string_view text : kTexts) {
          const ProgramBuilder::Mark mark = grown->Write(text);
          ASSERT_TRUE(grown->growth.Suits(mark)) << text;
          programs.push_back(grown->growth.Grow());
          ASSERT_NE(programs.back(), nullptr);
          const auto chunk = static_cast<uint32_t>(programs.size()) - 1;
          EXPECT_EQ(Results(programs.back(), chunk, *SourceOf(text)), ResultsAlone(text)) << text;
        }
      }
      if (is_finished) programs.push_back(grown->growth.Finish());
      EXPECT_TRUE(grown->diagnostics.empty());
      grown.reset();
      for (size_t n = 0; n < programs.size(); n += 7) {
        EXPECT_EQ(TablesOf(*programs[n]).Verify(), "");
        for (uint32_t chunk = 0; chunk < TablesOf(*programs[n]).chunks().size(); chunk += 5) {
          const std::string_view text = kTexts[chunk % std::size(kTexts)];
          EXPECT_EQ(Results(programs[n], chunk, *SourceOf(text)), ResultsAlone(text)) << text;
        }
      }
    }
  }
}

TEST(ProgramGrowthTest, IsAsCompiledAtOnce) {
  Grown grown;
  std::shared_ptr<const Program> last;
  for (const std::string_view text : kTexts) {
    grown.Write(text);
    last = grown.growth.Grow();
  }
  const std::string listing = last->Disassemble();
  EXPECT_EQ(listing, grown.growth.Finish()->Disassemble());
  Grown at_once;
  for (const std::string_view text : kTexts) at_once.Write(text);
  at_once.builder.SetMain(0);
  EXPECT_EQ(listing, std::move(at_once.builder).FinishVerified(&at_once.diagnostics)->Disassemble());
}

// What does not suit is taken back, and what follows is as if it had never been there.
TEST(ProgramGrowthTest, TakesBackWhatDoesNotSuit) {
  const std::string many_tests = [] {
    std::string text = "x == \"0\"";
    for (int n = 1; n < 20; ++n) absl::StrAppend(&text, " ? ", n, " : x == \"", n, "\"");
    return text + " ? 1 : 2";
  }();
  for (const std::string_view text :
       {std::string_view(many_tests), std::string_view("nosuch(1)"), std::string_view("uuid()")}) {
    Grown grown;
    std::shared_ptr<const Program> program;
    for (const std::string_view good : kTexts) {
      grown.Write(good);
      ASSERT_NE(program = grown.growth.Grow(), nullptr);
      const ProgramBuilder::Mark mark = grown.Write(text);
      if (grown.growth.Suits(mark)) {
        EXPECT_EQ(text, "uuid()");  // where it is declared
        break;
      }
      grown.builder.Rewind(mark);
    }
    const uint32_t chunks = static_cast<uint32_t>(TablesOf(*program).chunks().size());
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
      EXPECT_EQ(Results(program, chunk, *SourceOf(kTexts[chunk])), ResultsAlone(kTexts[chunk]));
    }
  }
  Grown grown;
  const ProgramBuilder::Mark mark = grown.Write("tolist([\"a\", b])");
  grown.builder.Rewind(mark);
  grown.Write("a");
  EXPECT_NE(grown.growth.Grow(), nullptr);
}

// Without an end, memory that programs use stays when the builder goes.
TEST(ProgramGrowthTest, ConstantsOutliveTheBuilder) {
  std::shared_ptr<const Program> program;
  constexpr std::string_view kText =
      "a == \"a long text that stands in no value\" ? b : \"another text of more than some bytes\"";
  {
    Grown grown;
    grown.Write(kText);
    program = grown.growth.Grow();
    for (int n = 0; n < 100; ++n) grown.Write(absl::StrCat("a == \"another text, which is different: ", n, "\""));
  }
  EXPECT_EQ(Results(program, 0, *SourceOf(kText)), ResultsAlone(kText));
}

}  // namespace
}  // namespace hcl::internal

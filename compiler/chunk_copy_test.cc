// Code that is copied is that which is compiled in the same place, and means the same.

#include "hclvm/compiler/chunk_copy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/absl_string.h"
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
#include "hclvm/vm/opcode.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_builder.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// Has some of the constants, paths and variables of the texts below, so that indexes become others.
constexpr std::string_view kBefore = "b.c == \"a long text that stands in no value\" ? upper(a) : [1.5, a]";

const std::string_view kTexts[] = {
    "a",
    "true",
    "\"a long text that stands in no value\"",
    "a.b[0].c[\"a key that is no identifier\"] == 123456789012345678901234567890",
    "user.role == \"editor\" && startswith(a, \"/t/\") && contains([\"GET\", \"POST\"], b) && c < 1000",
    "a == \"a long text that stands in no value\" || b == \"another long text that stands in no value\"",
    "{a = b, \"a key that is long enough\" = c.d, (e) = [a, b]}",
    "[for k, v in a : {key = k, value = v.x} if v.on]",
    "{for name, v in a : name => v.x...}",
    "\"x ${a} and ${upper(b)} or %{ for x in c }${x.name}, %{ endfor }\"",
    "a ? b : c.d",
    "try(a.b.c, b[c], null)",
    "can(a.b) ? tonumber(a.b) : -1",
    "a[*].b",
    "sum([for x in a : x.n * 2])",
    "concat([a], [for x in b : x], [1, 2])",
    "anytrue([for x in a : x.on])",
    "tolist(a) == tolist([\"x\"]) ? toset([]) : null",
    "lookup(a, b, \"none\")",
    "[for u in users : upper(u.name) if upper(u.name) != a]",
    "!a.b && -c % 2 == 1",
    "a.b + true",
};

CompileOptions Options() {
  CompileOptions options;
  options.functions = StandardFunctions();
  return options;
}

std::shared_ptr<const Source> SourceOf(std::string_view text) {
  return std::make_shared<const Source>("text", std::string(text));
}

std::shared_ptr<const Program> Alone(std::string_view text) {
  Diagnostics diagnostics;
  return CompileExpression(SourceOf(text), Options(), &diagnostics);
}

std::optional<uint32_t> CopyOf(std::string_view text, ProgramBuilder* to) {
  const std::shared_ptr<const Program> alone = Alone(text);
  if (alone == nullptr) return std::nullopt;
  return CopyChunk(TablesOf(*alone), alone->main_chunk(), to);
}

uint32_t Compiled(std::string_view text, CodeGenerator* generator, Diagnostics* diagnostics) {
  const std::shared_ptr<const Source> source = SourceOf(text);
  const CompileOptions options = Options();
  const std::unique_ptr<ParsedFile> file = ParseExpression(*source, ParseOptionsFor(options), diagnostics);
  return generator->GenerateChunk(*file->expr);
}

std::string Finished(ProgramBuilder* builder, uint32_t main, std::shared_ptr<const Program>* program) {
  Diagnostics diagnostics;
  builder->SetMain(main);
  *program = std::move(*builder).FinishVerified(&diagnostics);
  if (*program == nullptr) return "no program";
  const std::string listing = (*program)->Disassemble();
  return listing.substr(listing.find('\n') + 1);
}

std::string Result(const std::shared_ptr<const Program>& program, std::string_view scope) {
  Heap heap;
  Value variables;
  JsonError error;
  if (!JsonReader().Read(scope, &heap, &variables, &error)) return error.detail;
  Evaluator evaluator(program);
  evaluator.BindAll(variables);
  const Evaluation& evaluation = evaluator.Run();
  std::string text;
  std::string reason;
  if (evaluation.ok()) return AppendJson(evaluation.value(), &text, &reason) ? text : reason;
  return ToText(evaluation.diagnostics(), &program->source());
}

TEST(ChunkCopyTest, IsAsCompiledInItsPlace) {
  for (const std::string_view text : kTexts) {
    SCOPED_TRACE(text);
    ProgramBuilder copied(SourceOf(text), Options().functions, Dialect::kSpec);
    ASSERT_TRUE(CopyOf(kBefore, &copied));
    const std::optional<uint32_t> chunk = CopyOf(text, &copied);
    ASSERT_TRUE(chunk);

    ProgramBuilder compiled(SourceOf(text), Options().functions, Dialect::kSpec);
    Diagnostics diagnostics;
    const CompileOptions options = Options();
    CodeGenerator generator(options, &compiled, &diagnostics);
    Compiled(kBefore, &generator, &diagnostics);
    EXPECT_EQ(Compiled(text, &generator, &diagnostics), *chunk);

    std::shared_ptr<const Program> copy;
    std::shared_ptr<const Program> original;
    EXPECT_EQ(Finished(&copied, *chunk, &copy), Finished(&compiled, *chunk, &original));
    for (
        const std::string_view scope : {
            R"({})",
            R"({"a": "/t/1", "b": "GET", "c": 7, "user": {"role": "editor"}, "e": "k", "users": [{"name": "x"}]})",
            R"({"a": [{"b": 1, "x": 2, "on": true, "n": 4}], "b": [3], "c": [{"name": "n"}], "e": 1, "users": 3})",
            R"({"a": {"b": {"c": 5}, "k": {"x": 1, "on": false, "n": 1}}, "b": "k", "c": {"d": 1}, "e": "", "users": []})",
        }) {
      EXPECT_EQ(Result(copy, scope), Result(original, scope)) << scope;
    }
  }
}

// Nothing of the program that was copied is used later.
TEST(ChunkCopyTest, OwnsWhatItNeeds) {
  for (const std::string_view text : kTexts) {
    ProgramBuilder first(SourceOf(""), Options().functions, Dialect::kSpec);
    const std::optional<uint32_t> chunk = CopyOf(text, &first);
    ASSERT_TRUE(chunk) << text;
    std::shared_ptr<const Program> copy;
    const std::string listing = Finished(&first, *chunk, &copy);
    ProgramBuilder second(SourceOf(text), Options().functions, Dialect::kSpec);
    const std::optional<uint32_t> again = CopyChunk(TablesOf(*copy), *chunk, &second);
    copy.reset();
    ASSERT_TRUE(again) << text;
    EXPECT_EQ(Finished(&second, *again, &copy), listing);
    EXPECT_EQ(Result(copy, R"({"a": [1], "c": 2})"), Result(Alone(text), R"({"a": [1], "c": 2})")) << text;
  }
}

TEST(ChunkCopyTest, LeavesWhatOnlyCompilingMakes) {
  ProgramBuilder to(SourceOf(""), Options().functions, Dialect::kSpec);
  EXPECT_FALSE(CopyOf("regex(\"^a+$\", a)", &to));  // has a prepared pattern
  std::string tests = "a == \"0\" ? 0";
  for (int n = 1; n < 20; ++n) absl::StrAppend(&tests, " : a == \"", n, "\" ? ", n);
  EXPECT_FALSE(CopyOf(tests + " : 100", &to));  // has a table of tests
  EXPECT_EQ(to.here(), 0u);
}

// What an operand does not reach is loaded by another instruction, which compiling makes.
TEST(ChunkCopyTest, LeavesWhatAnOperandDoesNotReach) {
  ProgramBuilder to(SourceOf(""), Options().functions, Dialect::kSpec);
  for (uint32_t n = 0; n < kMaxFrameConstants; ++n) to.AddConstant(Value::Int(n + 1'000'000));
  EXPECT_FALSE(CopyOf("a == 5", &to));
  EXPECT_TRUE(CopyOf("a", &to));
  for (uint32_t n = 0; n < kMaxFastSlots; ++n) to.AddSlot(absl::StrCat("v", n));
  EXPECT_FALSE(CopyOf("!bbb || ccc", &to));
}

}  // namespace
}  // namespace hcl::internal

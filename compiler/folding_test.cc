// What programs hold of work that was done beforehand, by bytes.

#include "hclvm/compiler/folding.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text, const Limits& limits = {},
                                       Diagnostics* diagnostics = nullptr) {
  CompileOptions options;
  options.limits = limits;
  options.functions = StandardFunctions();
  Diagnostics own;
  return CompileExpression(std::make_shared<const Source>("<test>", text), options,
                           diagnostics != nullptr ? diagnostics : &own);
}

std::string Times(const std::string& part, int count, const std::string& between) {
  std::string text;
  for (int n = 0; n < count; ++n) text += (n > 0 ? between : "") + part;
  return text;
}

// Whether calls were left to the evaluation.
bool Calls(const Program& program) { return program.Disassemble().find("Call") != std::string::npos; }

TEST(FoldingTest, AConstantIsAtMostOf64Kibibytes) {
  EXPECT_FALSE(Calls(*Compile("format(\"%60000d\", 1)")));
  EXPECT_TRUE(Calls(*Compile("format(\"%70000d\", 1)")));
  EXPECT_LT(Compile("format(\"%70000d\", 1)")->MemoryBytes(), 4096u);
  // Nor is anything larger made on the way.
  EXPECT_LT(Compile("format(\"%200000000d\", 1)")->MemoryBytes(), 4096u);
  EXPECT_LT(Compile("length(setproduct(range(1024), range(1024), range(1024)))")->MemoryBytes(), 65536u);
  EXPECT_FALSE(Calls(*Compile("length(range(1000))")));
}

// Constants are put into templates, collections and arguments of calls; whatever way, the sum of what is made is
// bounded by the source.
TEST(FoldingTest, AllConstantsTogetherAreBoundedByTheSource) {
  const std::string part = "${format(\"%60000d\",1)}";
  const std::string sources[] = {
      "\"" + Times(part, 50, "") + "\"",
      "[" + Times("\"" + part + "\"", 50, ", ") + "]",
      "upper(" + Times("lower(", 50, "") + "format(\"%60000d\", 1)" + Times(")", 51, ""),
      "[" + Times("reverse(range(1000))", 200, ", ") + "]",
      "{" + Times("(\"${format(\"%30000d\", 1)}\") = 1", 50, ", ") + "}",
      "[" + Times("v == 1 ? \"" + part + "x\" : \"y\"", 50, ", ") + "]",
  };
  for (const std::string& source : sources) {
    std::shared_ptr<const Program> program = Compile(source);
    ASSERT_NE(program, nullptr) << source;
    EXPECT_LT(program->MemoryBytes(), 2 * kMaxConstantBytes + 200 * source.size() + 65536) << source.substr(0, 100);
  }
}

TEST(FoldingTest, FuelIsSharedByAllOfAProgram) {
  Limits limits;
  limits.max_compile_fuel = 5'000;
  std::shared_ptr<const Program> program = Compile("[" + Times("sha256(\"abc\")", 200, ", ") + "]", limits);
  EXPECT_TRUE(Calls(*program));
  EXPECT_FALSE(Calls(*Compile("[" + Times("sha256(\"abc\")", 20, ", ") + "]", limits)));
  limits.max_compile_fuel = 0;
  EXPECT_TRUE(Calls(*Compile("sha256(\"abc\")", limits)));
  Evaluator evaluator(Compile("upper(\"a\") == \"A\" && 1 + 1 == 2", limits));
  EXPECT_TRUE(evaluator.Run().ok() && evaluator.Run().value().is_true());
}

TEST(FoldingTest, PreparedPatternsAreCounted) {
  const size_t nothing = Compile("upper(v)")->MemoryBytes();
  const size_t one = Compile("regex(\"[a-z]+\", v)")->MemoryBytes();
  EXPECT_GT(one, nothing + 1024u);
  EXPECT_LT(one, nothing + 4096u);
  // As long as no search has made an automaton of it, for which RE2 may take a mebibyte.
  const size_t longer = Compile("regex(\"^(GET|HEAD|OPTIONS|PROPFIND) /[a-z0-9/_-]*$\", v)")->MemoryBytes();
  EXPECT_LT(longer, nothing + 8192u);
  Limits limits;
  limits.max_prepared_bytes = 200 << 10;
  const std::string many = "[" + Times("regex(\"[a-z]+\", v)", 30, ", ") + "]";
  std::shared_ptr<const Program> program = Compile(many, limits);
  // A pattern may come to take 64 KiB, so that three are kept.
  EXPECT_LT(program->MemoryBytes(), Compile(many)->MemoryBytes() - 20u * 1024u);
  // What is not prepared is compiled by each call.
  Evaluator evaluator(program);
  evaluator.Bind("v", Value::StringView("12abc"));
  EXPECT_TRUE(evaluator.Run().ok());
  limits.max_prepared_bytes = 0;
  EXPECT_LT(Compile(many, limits)->MemoryBytes(), 32u << 10);
}

// A dozen patterns of a few bytes that are programs of many thousand instructions.
TEST(FoldingTest, LargePatternsAreLeftToTheCalls) {
  std::string source = "[" + Times("regex(\"((a{0,30}){0,30}){0,9}\", v)", 100, ", ") + "]";
  EXPECT_LT(Compile(source)->MemoryBytes(), 32u << 20);
  Limits limits;
  limits.max_compile_fuel = 1'000;
  EXPECT_LT(Compile(source, limits)->MemoryBytes(), 64u << 10);
}

TEST(FoldingTest, TheHostStopsACompilation) {
  std::atomic<bool> cancel{true};
  Limits limits;
  limits.interrupt.cancel = &cancel;
  Diagnostics diagnostics;
  // One that stops a parser too would hide what is tested here.
  for (const char* source : {"1 + 1", "[for x in v : upper(\"a\")]", "\"${v} ${sha256(\"x\")}\""}) {
    Diagnostics found;
    EXPECT_EQ(Compile(source, limits, &found), nullptr) << source;
    EXPECT_NE(ToText(found, nullptr).find("interrupted"), std::string::npos) << ToText(found, nullptr);
  }
  cancel = false;
  EXPECT_NE(Compile("upper(\"a\")", limits, &diagnostics), nullptr);
}

}  // namespace
}  // namespace hcl

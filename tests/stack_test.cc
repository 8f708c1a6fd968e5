// How much of a stack the deepest nesting takes that the limits allow.
//
// Every construct that nests, and every pass over it: parsing, compiling, evaluating, reading and writing. A thread
// that needs more than its stack ends the process.

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

// The frames of other builds are larger.
#if defined(NDEBUG) && defined(__OPTIMIZE__) && !defined(HCLVM_ENABLE_DCHECK)
constexpr size_t kFactor = 1;
#else
constexpr size_t kFactor = 8;
#endif

void* Call(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

void RunWithStack(size_t bytes, const std::function<void()>& work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes * kFactor), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, Call, const_cast<std::function<void()>*>(&work)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// What opens, what stands in the middle, what closes.
struct Nesting {
  std::string open, middle, close;
};

std::vector<Nesting> Constructs() {
  std::vector<Nesting> constructs = {
      {"(", "x", ")"},
      {"[", "x", "]"},
      {"{a = ", "x", "}"},
      {"{(x) = ", "x", "}"},
      {"{(", "\"a\"", ") = 1}"},
      {"-", "x", ""},
      {"!", "x", ""},
      {"x ? 1 : ", "1", ""},
      {"(x ? ", "1", " : 2)"},
      {"(", "x", " ? 1 : 2)"},
      {"[for y in [x] : ", "y", "]"},
      {"[for y in ", "x", " : y]"},
      {"[for y in [x] : y if ", "y", "]"},
      {"{for y in [x] : \"a\" => ", "y", "}"},
      {"{for y in [x] : \"a\" => ", "y", "...}"},
      {"\"${", "x", "}\""},
      {"\"a${", "x", "}\""},
      {"\"a%{if ", "x", "}a%{endif}\""},
      {"\"%{if x}${", "1", "}%{endif}\""},
      {"\"%{for y in x}${", "1", "}%{endfor}\""},
      {"x[", "0", "]"},
      {"x[*][", "0", "]"},
      {"x[*].a[", "0", "]"},
      {"(", "x", ").a.*.b"},
      {"upper(", "x", ")"},
      {"try(", "x", ")"},
      {"can(", "x", ")"},
      {"try(x.a, ", "x", ")"},
      {"merge({a = 1}, ", "x", ")"},
      {"contains([\"a\", \"b\"], ", "x", ")"},
      {"contains(", "x", ", 1)"},
      {"format(\"%s\", ", "x", ")"},
      {"coalesce(", "x", "...)"},
      {"convert(", "x", ", string)"},
      {"length(", "x", ")"},
  };
  // The same with an operation of every level around it.
  const std::string operators = "x || x && x == x < x + x * ";
  const size_t count = constructs.size();
  for (size_t n = 0; n < count; ++n) {
    const Nesting plain = constructs[n];
    const bool is_sign = plain.close.empty();
    constructs.push_back({is_sign ? operators + plain.open : plain.open + operators, plain.middle, plain.close});
  }
  return constructs;
}

// A template as text, as deep as it may be, has a stack of its own below that of what is around it: constant, compiled
// with that, and not constant, compiled by the evaluation.
std::vector<Nesting> ConstructsAroundTemplates() {
  const size_t depth = 26;
  std::vector<Nesting> constructs;
  for (const auto& [open, close] : {std::pair("(", ")"), {"upper(", ")"}, {"\\\"a$${", "}\\\""}}) {
    std::string text = "$${";
    for (size_t n = 0; n < depth; ++n) text += open;
    text += "a";
    for (size_t n = 0; n < depth; ++n) text += close;
    text += "}";
    for (const char* before : {"", "${x == true}"}) {
      const std::string call = absl::StrCat("templatestring(\"", before, text, "\", {a = 1})");
      constructs.push_back({"(", call, ")"});
      constructs.push_back({"upper(", call, ")"});
      constructs.push_back({"[for y in [x] : ", call, "]"});
    }
  }
  return constructs;
}

// As deep as `limits` allow: the levels of one construct are found by trying.
std::string Deepest(const Nesting& nesting, const CompileOptions& options) {
  size_t low = 1, high = options.limits.max_nesting_depth + 2;
  const auto text = [&](size_t depth) {
    std::string text;
    for (size_t n = 0; n < depth; ++n) text += nesting.open;
    text += nesting.middle;
    for (size_t n = 0; n < depth; ++n) text += nesting.close;
    return text;
  };
  while (low + 1 < high) {
    const size_t middle = (low + high) / 2;
    Diagnostics diagnostics;
    CompileExpression(std::make_shared<const Source>("test", text(middle)), options, &diagnostics);
    (diagnostics.has_limit() ? high : low) = middle;
  }
  return text(low);
}

void EvaluateAll(const std::string& text, const CompileOptions& options, const Value& x) {
  Diagnostics diagnostics;
  const auto program = CompileExpression(std::make_shared<const Source>("test", text), options, &diagnostics);
  ASSERT_NE(program, nullptr) << text.substr(0, 60);
  Evaluator evaluator(program, options.limits);
  evaluator.Bind("x", x);
  const Evaluation& evaluation = evaluator.Run();
  std::string out;
  JsonError error;
  if (evaluation.ok()) AppendTypedJson(evaluation.value(), options.limits, evaluator.heap()->types(), &out, &error);
}

// Constants are folded, so that each construct is compiled with a variable as well, of several kinds.
void TestExpressions(size_t stack_bytes, const Limits& limits) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    CompileOptions options;
    options.limits = limits;
    options.dialect = dialect;
    options.functions = StandardFunctions();
    std::vector<Nesting> constructs = Constructs();
    for (Nesting& nesting : ConstructsAroundTemplates()) constructs.push_back(std::move(nesting));
    for (const Nesting& nesting : constructs) {
      const std::string text = Deepest(nesting, options);
      SCOPED_TRACE(text.substr(0, 60));
      for (const Value& x : {Value::Bool(true), Value::Unknown(Type::Dynamic()), Value::Null()}) {
        RunWithStack(stack_bytes, [&] { EvaluateAll(text, options, x); });
      }
    }
  }
}

std::string Repeat(const std::string& open, const std::string& middle, const std::string& close, size_t depth) {
  std::string text;
  for (size_t n = 0; n < depth; ++n) text += open;
  text += middle;
  for (size_t n = 0; n < depth; ++n) text += close;
  return text;
}

void TestTexts(size_t stack_bytes, const Limits& limits) {
  const size_t depth = limits.max_nesting_depth;
  CompileOptions options;
  options.limits = limits;
  options.functions = StandardFunctions();
  const std::string block = Repeat("b \"l\" {\n", "a = 1\n", "}\n", depth / 2 - 1);
  const std::pair<std::string, std::string> scopes[] = {{"[", "]"}, {"{\"a\":", "}"}, {"{\"a\":[", "]}"}};
  RunWithStack(stack_bytes, [&] {
    Diagnostics diagnostics;
    EXPECT_NE(CompileConfig(std::make_shared<const Source>("test", block), options, &diagnostics), nullptr)
        << ToText(diagnostics, nullptr);
    for (const auto& [open, close] : scopes) {
      const std::string text = Repeat(open, "1", close, depth / (open.size() > 5 ? 2 : 1) - 1);
      Diagnostics found;
      CompileJsonConfig(std::make_shared<const Source>("test", absl::StrCat("{\"a\":", text, "}")),
                        EvaluationMode::kFull, options, &found);
      Heap heap(nullptr, Dialect::kSpec, limits);
      JsonReader reader;
      JsonError error;
      Value value;
      EXPECT_TRUE(reader.Read(text, &heap, &value, &error)) << error.detail;
      std::string out;
      EXPECT_TRUE(AppendJson(value, limits, &out, &error)) << error.detail;
      EXPECT_EQ(out, text);
      EXPECT_TRUE(AppendTypedJson(value, limits, heap.types(), &out, &error)) << error.detail;
      Heap copy;
      EXPECT_TRUE(Identical(Clone(value, copy.arena(), copy.types()), value));
    }
  });
}

TEST(StackTest, TheDefaultDepthFitsHalfAMegabyte) {
  TestExpressions(512 << 10, Limits());
  TestTexts(512 << 10, Limits());
}

TEST(StackTest, AHundredLevelsFitTheStackOfAMuslThread) {
  Limits limits;
  limits.max_nesting_depth = 100;
  TestExpressions(128 << 10, limits);
  TestTexts(128 << 10, limits);
}

}  // namespace
}  // namespace hcl

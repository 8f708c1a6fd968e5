// The fast code of locals where they are read: which has it, and what comes of it. tests/slow/local_law_test.cc
// compares random modules with and without.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

constexpr char kVariables[] =
    "variable \"b\" { type = bool }\nvariable \"n\" { type = number }\nvariable \"s\" { type = string }\n"
    "variable \"l\" { type = list(number) }\n";

std::vector<TestFile> FilesOf(const std::string& locals, const std::string& x) {
  return {{"a.hcl", absl::StrCat(kVariables, "locals {\n", locals, "\n}\n")}, {"b.hcl", absl::StrCat("x = ", x, "\n")}};
}

// How often the code of `x` repeats that of a local.
size_t RepeatsIn(const std::string& locals, const std::string& x) {
  std::string errors;
  const auto program = CompileFiles(FilesOf(locals, x), &errors);
  EXPECT_EQ(errors, "") << locals;
  if (program == nullptr) return 0;
  const std::string code = program->Disassemble();
  const size_t begin = code.find(" x: ");
  const size_t end = code.find("(main)");
  size_t count = 0;
  for (size_t at = code.find("PlainLocal", begin); at < end; at = code.find("PlainLocal", at + 1)) ++count;
  return count;
}

TEST(LocalCodeTest, IsRepeatedWhereItIsShort) {
  struct Case {
    const char* locals;
    const char* x;
    size_t repeats;
  };
  for (const auto& [locals, x, repeats] : std::vector<Case>{
           {"v = n > 1", "local.v && b", 1},
           {"v = b", "local.v && n > 1", 1},
           {"v = contains([1, 2], n)", "!local.v || b", 1},
           {"v = n > 1\nw = local.v && b", "local.w || s == \"x\"", 2},
           {"v = n + 1\nw = n > 2", "local.w ? local.v : 0", 2},
           // Once on each way.
           {"v = n > 1", "local.v && b && local.v", 1},
           {"v = n > 1", "b ? local.v && n > 2 : local.v || n > 3", 2},
           // What may report names a place in a file, loops jump to one in the code, what is tried may fail for
           // certain.
           {"v = \"${s}-${n}\"", "local.v == \"a\"", 0},
           {"v = upper(s)", "local.v == \"a\"", 0},
           {"v = anytrue([for e in l : e > n])", "local.v && b", 0},
           {"v = n > 1", "try(local.v && b, 1)", 0},
           {"v = 1", "local.v == n", 0},
       }) {
    EXPECT_EQ(RepeatsIn(locals, x), repeats) << locals << "\n" << x;
  }
}

TEST(LocalCodeTest, AnExpressionRepeatsSoMuch) {
  std::string locals, x = "b";
  for (int n = 0; n < 400; ++n) {
    absl::StrAppend(&locals, "v", n, " = n > ", n, "\n");
    absl::StrAppend(&x, " && local.v", n);
  }
  const size_t repeats = RepeatsIn(locals, x);
  EXPECT_GT(repeats, 100u);
  EXPECT_LT(repeats, 400u);
  EXPECT_EQ(ValueOf(FilesOf(locals, x), "x", R"({"b": true, "n": 400})"), "true");
  EXPECT_EQ(ValueOf(FilesOf(locals, x), "x", R"({"b": true, "n": 399})"), "false");
}

// A local that fails does so wherever it is needed, whether its type is told or not.
TEST(LocalCodeTest, WhatMayFailIsLookedAt) {
  constexpr char kLocals[] = "big = sum(l) > 3\nfirst = l[0] + 1";
  constexpr char kScope[] = R"({"b": false, "n": 1, "s": "x", "l": []})";
  struct Case {
    const char* x;
    const char* want;
  };
  for (const auto& [x, want] : std::vector<Case>{
           {"[for r in [{c = b, t = local.big}, {c = !b, t = 2}] : r.t if r.c]", "HCL4201"},
           {"[for r in [{c = b, t = local.big}, {c = !b, t = 2}] : r.t if r.c][0]", "HCL4201"},
           {"try([for r in [{c = !b, t = 1}, {c = b, t = local.first}] : r.t if r.c][0], 7)", "7"},
           {"b ? local.first : \"1\"", "\"1\""},
           {"b ? local.big : 1", "1"},
           {"try(local.first, 7)", "7"},
           {"can(local.big)", "false"},
           {"b && local.big", "false"},
           {"!b || local.big", "true"},
           {"b || local.big", "HCL4201"},
       }) {
    const std::string got = ValueOf(FilesOf(kLocals, x), "x", kScope);
    EXPECT_TRUE(got == want || (std::string(want).size() == 7 && got.find(want) != std::string::npos))
        << x << ": " << got;
  }
}

// What an entry has made is there for the next one; and it is made anew in the next run.
TEST(LocalCodeTest, IsMadeOnceInARun) {
  std::string errors;
  const auto program = CompileFiles(
      {{"m.hcl", absl::StrCat(kVariables, "locals {\n v = n > 1\n}\nx = local.v && b\ny = local.v || b\n")}}, &errors);
  ASSERT_EQ(errors, "");
  Evaluator evaluator(program);
  const Entry& x = *program->FindEntry("x");
  const Entry& y = *program->FindEntry("y");
  const Value empty = MakeTuple({}, evaluator.heap()->arena());
  ASSERT_TRUE(evaluator.Bind("b", Value::Bool(true)) && evaluator.Bind("l", empty));
  for (const int64_t n : {1, 2, 0, 5}) {
    ASSERT_TRUE(evaluator.Bind("n", Value::Int(n)));
    EXPECT_EQ(evaluator.Run(x).value().is_true(), n > 1) << n;
    EXPECT_TRUE(evaluator.RunAnother(y.chunk).value().is_true()) << n;
    EXPECT_EQ(evaluator.RunAnother(x.chunk).value().is_true(), n > 1) << n;
  }
}

}  // namespace
}  // namespace hcl

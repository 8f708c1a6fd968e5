// Locals whose text stands where they are read: what they cost, and what comes of it. tests/slow/local_law_test.cc
// compares random modules with and without.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

// A name costs nothing: what is read once costs no more than where it stands itself, and neither does what is small.
TEST(InlinedLocalsTest, CostNoMoreThanTheirText) {
  struct Case {
    const char* locals;
    const char* x;
    const char* spelled;
  };
  constexpr char kScope[] = R"({"b": true, "n": 3, "s": "a", "l": [1, 2, 3, 4]})";
  for (const auto& [locals, x, spelled] : std::vector<Case>{
           {"v = n > 1", "local.v && b", "n > 1 && b"},
           {"v = contains([1, 2], n)", "!local.v || b", "!contains([1, 2], n) || b"},
           {"v = n > 1\nw = local.v && b", "local.w || s == \"x\"", "(n > 1 && b) || s == \"x\""},
           {"v = n > 1", "local.v && b && local.v", "n > 1 && b && n > 1"},
           {"v = \"${s}-${n}\"", "local.v == \"a\"", "\"${s}-${n}\" == \"a\""},
           {"v = l[7]", "try(local.v + n, 1)", "try(l[7] + n, 1)"},
           {"v = n > 1", "anytrue([for e in l : e > 3 && local.v])", "anytrue([for e in l : e > 3 && n > 1])"},
           // Parts of what a local makes, and elements of a list that it makes.
           {"v = {p = n > 1, q = s}", "local.v.p && b", "{p = n > 1, q = s}.p && b"},
           {"v = [{w = b, t = 1}, {w = true, t = 2}]", "[for r in local.v : r.t if r.w][0]",
            "[for r in [{w = b, t = 1}, {w = true, t = 2}] : r.t if r.w][0]"},
           {"v = {p = n, q = s}", "merge(local.v, {q = 1}).p + 1", "merge({p = n, q = s}, {q = 1}).p + 1"},
       }) {
    EXPECT_LE(CostOf(FilesOf(locals, x), "x", kScope), CostOf(FilesOf("", spelled), "x", kScope)) << locals << "\n"
                                                                                                  << x;
  }
}

// What takes the longer the more there is in a value is made once in a run, also where it is short.
TEST(InlinedLocalsTest, AreMadeOnceWhereTheirTimeGrowsWithValues) {
  const std::string list = "[" + absl::StrJoin(std::vector<int>(200, 5), ", ") + "]";
  const std::string scope = absl::StrCat(R"({"b": true, "n": 3, "s": "a", "l": )", list, "}");
  struct Case {
    const char* locals;
    const char* x;
    const char* once;
  };
  for (const auto& [locals, x, once] : std::vector<Case>{
           {"v = sum([for e in l : e * 2])\nw = local.v > 1\nu = local.v > 2", "local.w && local.u && local.v > 3",
            "sum([for e in l : e * 2]) > 1"},
           {"v = sum([for e in l : e * 2])", "alltrue([for e in l : e < local.v])", "sum([for e in l : e * 2]) > 1"},
           {"v = sort(l)", "local.v[0] != local.v[1] || local.v[2] != local.v[3] || local.v[4] == local.v[5]",
            "sort(l)[0] != \"6\""},
           {"v = contains(l, n)", "local.v || local.v || local.v || local.v || local.v || !local.v",
            "contains(l, n) || b"},
       }) {
    EXPECT_LE(CostOf(FilesOf(locals, x), "x", scope), 3 * CostOf(FilesOf("", once), "x", scope)) << locals << "\n" << x;
  }
}

// However often names double what they stand for.
TEST(InlinedLocalsTest, TextsDoNotGrowWithoutBound) {
  std::string locals = "v0 = n > 1";
  for (int n = 1; n < 40; ++n) absl::StrAppend(&locals, "\nv", n, " = local.v", n - 1, " && local.v", n - 1);
  EXPECT_EQ(ValueOf(FilesOf(locals, "local.v39 && b"), "x", R"({"b": true, "n": 2})"), "true");
  locals.clear();
  std::string x = "b";
  for (int n = 0; n < 4000; ++n) {
    absl::StrAppend(&locals, "v", n, " = n > ", n, "\n");
    absl::StrAppend(&x, " && local.v", n);
  }
  EXPECT_EQ(ValueOf(FilesOf(locals, x), "x", R"({"b": true, "n": 4000})"), "true");
  EXPECT_EQ(ValueOf(FilesOf(locals, x), "x", R"({"b": true, "n": 3999})"), "false");
}

// A local that fails does so wherever it is needed, whether its type is told or not.
TEST(InlinedLocalsTest, WhatMayFailIsLookedAt) {
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
TEST(InlinedLocalsTest, IsMadeOnceInARun) {
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

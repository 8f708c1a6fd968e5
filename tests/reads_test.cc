// Tests of what programs read of scopes.

#include "hclvm/vm/reads.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json_projection.h"
#include "hclvm/vm/program.h"

namespace hcl {
namespace {

CompileOptions Options(bool optimize) {
  CompileOptions options;
  options.functions = StandardFunctions();
  options.optimize = optimize;
  return options;
}

// What is read for the entry, or for all where it is empty.
std::string ReadsOf(const std::shared_ptr<const Program>& program, const std::string& entry = "") {
  if (program == nullptr) return "does not compile";
  const Reads reads(program, entry.empty() ? program->main_chunk() : program->FindEntry(entry)->chunk);
  return reads.needed().ToText();
}

std::shared_ptr<const Program> Config(const std::string& text, bool optimize = true) {
  Diagnostics diagnostics;
  return CompileConfig(std::make_shared<const Source>("<test>", text), Options(optimize), &diagnostics);
}

std::shared_ptr<const Program> Module(const std::string& text) {
  Diagnostics diagnostics;
  const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", text)}};
  auto program = CompileModule(files, Options(true), &diagnostics);
  EXPECT_NE(program, nullptr) << ToText(diagnostics, nullptr);
  return program;
}

TEST(ReadsTest, PathsOfExpressions) {
  const std::pair<const char*, const char*> rows[] = {
      {"1", "{}"},
      {"a", "{a}"},
      {"a.b", "{a{b}}"},
      {"a.b + a.c.d", "{a{b, c{d}}}"},
      {"a.b == \"x\" && a.c", "{a{b, c}}"},
      {"a == \"x\"", "{a}"},
      {"a[\"b\"].c", "{a{b{c}}}"},
      {"(a).b", "{a{b}}"},
      // By number: an array, or an object with such a name.
      {"a.b[0].c", "{a{b}}"},
      {"a.0.c", "{a}"},
      {"a[b.c].d", "{a, b{c}}"},
      // As wholes.
      {"a.b.c == a.b", "{a{b}}"},
      {"length(a.b)", "{a{b}}"},
      {"contains(a.b, \"x\")", "{a{b}}"},
      {"a.b[*].c", "{a{b}}"},
      {"[for x in a.b : x.c if x.d]", "{a{b}}"},
      {"{ x = a.b, y = c }", "{a{b}, c}"},
      {"\"${a.b}-${c}\"", "{a{b}, c}"},
      {"a.b ? c.d : e.f", "{a{b}, c{d}, e{f}}"},
      // What cannot be read.
      {"try(a.b.c, d.e)", "{a{b{c}}, d{e}}"},
      {"can(a.b)", "{a{b}}"},
  };
  for (const bool optimize : {true, false}) {
    for (const auto& [text, want] : rows) {
      EXPECT_EQ(ReadsOf(Config(std::string("x = ") + text, optimize)), want) << text;
    }
  }
}

TEST(ReadsTest, OfAnEntry) {
  const auto program = Config("x = a.b\ny = a.c\np \"q\" {\n  z = d.e\n}\n");
  EXPECT_EQ(ReadsOf(program), "{a{b, c}, d{e}}");
  EXPECT_EQ(ReadsOf(program, "x"), "{a{b}}");
  EXPECT_EQ(ReadsOf(program, "p.q.z"), "{d{e}}");
}

TEST(ReadsTest, OfSeveralPrograms) {
  const auto one = Config("x = a.b");
  const auto other = Config("x = a.c.d + e");
  JsonProjection needed;
  needed.Add(Reads(one, one->main_chunk()).needed());
  needed.Add(Reads(other, other->main_chunk()).needed());
  EXPECT_EQ(needed.ToText(), "{a{b, c{d}}, e}");
}

// A path of very many steps is one of a few, beyond which all is read.
TEST(ReadsTest, DepthIsBounded) {
  std::string path = "a";
  for (int n = 0; n < 20'000; ++n) path += ".b";
  const std::string text = ReadsOf(Config("x = " + path));
  EXPECT_LT(text.size(), 1'000u);
  EXPECT_EQ(text.substr(0, 10), "{a{b{b{b{b");
}

TEST(ReadsTest, OfModules) {
  const std::string user = "variable \"user\" {\n  type = object({ name = string, tags = map(string) })\n}\n";
  const std::string users =
      "variable \"users\" {\n  type = list(object({ id = string, on = optional(bool, true) }))\n}\n";
  const std::string any = "variable \"a\" {\n  type = any\n}\n";
  struct Row {
    std::string text;
    const char* want;
  };
  const Row rows[] = {
      // What is read of what a type has.
      {user + "x = user.name\n", "{user{name}}"},
      {user + "x = user.tags.env\n", "{user{tags{env}}}"},
      {user + "x = user\n", "{user{name, tags}}"},
      {users + "x = users[0].id\n", "{users[*]{id, on}}"},
      {"variable \"v\" {\n  type = map(list(number))\n}\nx = v\n", "{v}"},
      {"variable \"v\" {\n  type = set(object({ a = any }))\n}\nx = v\n", "{v[*]{a}}"},
      {"variable \"v\" {\n  type = map(map(any))\n}\nx = v.a.b\n", "{v}"},
      {"variable \"v\" {\n  type = map(object({ a = string }))\n}\nx = v.k.a\n", "{v{k{a}}}"},
      {"variable \"v\" {\n  type = map(object({ a = string }))\n}\nx = keys(v)\n", "{v[*]{a}}"},
      {"variable \"v\" {\n  type = object({ a = any, b = any })\n}\nx = v.a.c\n", "{v{a{c}}}"},
      // Of any, what is read, also by way of locals and validations; and nothing that nothing reads.
      {any + user + "x = a.b.c\n", "{a{b{c}}}"},
      {any + "locals {\n  l = a.b\n  m = local.l\n}\nx = local.m.c\n", "{a{b{c}}}"},
      {any + "locals {\n  l = [a.b]\n}\nx = local.l[0].c\n", "{a{b}}"},
      {"variable \"a\" {\n  validation {\n    condition = a.ok\n    error_message = \"${a.why}\"\n  }\n}\nx = a.b\n",
       "{a{b, ok, why}}"},
  };
  for (const Row& row : rows) EXPECT_EQ(ReadsOf(Module(row.text)), row.want) << row.text;
}

// It is the text of a module that counts, whatever becomes of it.
TEST(ReadsTest, OfTheTextsOfModules) {
  const std::string head = R"(
variable "a" {
  type = object({ b = object({ c = number, d = number }), e = number, f = list(object({ g = number })) })
}
variable "any" {
  type = any
}
locals {
  who   = a.b
  again = (local.who)
  other = { x = a.e }
}
function "c_of" {
  params = [p]
  result = p.c
}
function "calls" {
  params         = [p, unused]
  variadic_param = rest
  result         = [c_of(p), length(rest)]
}
function "whole" {
  params = [p]
  result = [p]
}
)";
  const std::pair<const char*, const char*> rows[] = {
      {"1", "{}"},
      {"a.b.c", "{a{b{c}}}"},
      {"var.a.b.c", "{a{b{c}}}"},
      {"a[\"b\"].c", "{a{b{c}}}"},
      {"((a).b)[\"${\"c\"}\"]", "{a{b{c}}}"},
      {"\"${a}\".b.c", "{a{b{c}}}"},
      {"a.b", "{a{b{c, d}}}"},
      {"a", "{a{b{c, d}, e, f[*]{g}}}"},
      {"false && a.e == 1", "{a{e}}"},
      {"true ? 1 : a.e", "{a{e}}"},
      {"try(a.e, any.x)", "{any{x}, a{e}}"},
      {"can(a.none)", "{a{b{c, d}, e, f[*]{g}}}"},
      {"a.f[0].g", "{a{f[*]{g}}}"},
      {"a.f[any.n].g", "{any{n}, a{f[*]{g}}}"},
      {"[for a in [1] : a]", "{}"},
      {"[for x in a.f : x.g if any.on]", "{any{on}, a{f[*]{g}}}"},
      {"{for k, v in a.b : k => v}", "{a{b{c, d}}}"},
      {"a.f[*].g", "{a{f[*]{g}}}"},
      {"\"%{for x in a.f}${x.g}${any.t}%{endfor}\"", "{any{t}, a{f[*]{g}}}"},
      {"local.who.c", "{a{b{c}}}"},
      {"local.again.c", "{a{b{c}}}"},
      {"local.again", "{a{b{c, d}}}"},
      {"local.other.x", "{a{e}}"},
      {"c_of(a.b)", "{a{b{c}}}"},
      {"c_of(local.who)", "{a{b{c}}}"},
      {"c_of(any)", "{any{c}}"},
      {"c_of({ c = a.e })", "{a{e}}"},
      {"c_of(true ? a.b : a.b)", "{a{b{c, d}}}"},
      {"c_of([a.b]...)", "{a{b{c, d}}}"},
      {"calls(a.b, a)", "{a{b{c}}}"},
      {"calls(a.b, a.e, any.x, any.y)", "{any{x, y}, a{b{c}, e}}"},
      {"whole(a.b)", "{a{b{c, d}}}"},
      {"convert(any.x, list(any))", "{any{x}}"},
  };
  for (const auto& [text, want] : rows) EXPECT_EQ(ReadsOf(Module(head + "x = " + text + "\n")), want) << text;
}

}  // namespace
}  // namespace hcl

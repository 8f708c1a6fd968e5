// Modules: what is declared, what is found wrong before anything runs, and what values come of it.

#include "hclvm/module/module.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

TEST(ModuleTest, FindsMistakesBeforeAnythingRuns) {
  struct Case {
    const char* text;
    const char* errors;
  };
  for (const auto& [text, errors] : std::vector<Case>{
           {"", "ok"},
           {"x = 1", "ok"},
           {"variable \"a\" {}\nx = a + var.a + var[\"a\"]", "ok"},
           {"x = user.name", "m.hcl:1:5 HCL3101 The module declares no variable \"user\".\n"},
           {"variable \"users\" {}\nx = user.name\ny = var.usrs",
            "m.hcl:2:5 HCL3101 The module declares no variable \"user\". Did you mean \"users\"?\n"
            "m.hcl:3:5 HCL3101 The module declares no variable \"usrs\". Did you mean \"users\"?\n"},
           {"locals {\n  limit = 1\n}\nx = limit\ny = local.limt",
            "m.hcl:4:5 HCL3101 The module declares no variable \"limit\". There is a local of this name: local.limit.\n"
            "m.hcl:5:5 HCL3102 No locals block of the module gives \"limt\". Did you mean \"limit\"?\n"},
           {"locals {\n  limit = 1\n}\nx = var.limit + var[\"limit\"] + local.limit",
            "m.hcl:4:5 HCL3101 The module declares no variable \"limit\". There is a local of this name: local.limit.\n"
            "m.hcl:4:17 HCL3101 The module declares no variable \"limit\". There is a local of this name: "
            "local.limit.\n"},
           {"x = var\ny = local[1]",
            "m.hcl:1:5 HCL3110 The word var is no value by itself: write var.NAME, or NAME alone.\n"
            "m.hcl:2:5 HCL3110 The word local is no value by itself: write local.NAME.\n"},
           {"variable \"a\" {}\nvariable \"a\" {}",
            "m.hcl:2:10 HCL3104 The variable \"a\" is declared at m.hcl line 1 already.\n"},
           {"locals {\n  a = 1\n}\nlocals {\n  a = 2\n}",
            "m.hcl:5:3 HCL3104 The local \"a\" is given at m.hcl line 2 already.\n"},
           {"variable \"var\" {}\nvariable \"1\" {}\nvariable \"local\" {}",
            "m.hcl:1:10 HCL3103 The name of a variable is an identifier, and neither var nor local.\n"
            "m.hcl:2:10 HCL3103 The name of a variable is an identifier, and neither var nor local.\n"
            "m.hcl:3:10 HCL3103 The name of a variable is an identifier, and neither var nor local.\n"},
           {"variable \"a\" {\n  type = number\n  default = \"x\"\n}",
            "m.hcl:3:13 HCL3108 The default does not fit the declaration: a: a number is required, and this text is "
            "none.\n"},
           {"variable \"a\" {\n  type = list(string)\n  default = [null]\n}",
            "m.hcl:3:13 HCL3108 The default does not fit the declaration: a[0] must not be null.\n"},
           {"variable \"a\" {\n  default = null\n}\nvariable \"b\" {\n  type = list(number)\n  default = null\n}",
            "ok"},
           {"variable \"a\" {\n  nullable = false\n  default = null\n}\n"
            "variable \"b\" {\n  default = 1 > 2 ? 1 : null\n  type = number\n  nullable = false\n}",
            "m.hcl:3:13 HCL3108 The default does not fit the declaration: a must not be null.\n"
            "m.hcl:6:13 HCL3108 The default does not fit the declaration: b must not be null.\n"},
           {"variable \"a\" {\n  type = object({ n = number })\n  default = { n = null }\n}",
            "m.hcl:3:13 HCL3108 The default does not fit the declaration: a.n must not be null.\n"},
           {"variable \"a\" {\n  default = b\n}",
            "m.hcl:2:13 HCL3103 A declaration holds for all values of variables, so that it reads none.\n"},
           {"variable \"a\" {\n  sensitive = 1\n  description = 2\n}",
            "m.hcl:2:15 HCL3103 sensitive is either true or false.\nm.hcl:3:17 HCL3103 A description is a text.\n"},
           {"variable \"a\" {\n  ephemeral = 1\n  deprecated = 2\n  const = \"x\"\n}",
            "m.hcl:2:15 HCL3103 ephemeral is either true or false.\nm.hcl:4:11 HCL3103 const is either true or false.\n"
            "m.hcl:3:16 HCL3103 deprecated is a text, which says what to use in place of the variable.\n"},
           {"variable \"a\" {\n  deprecated = \" \"\n}",
            "m.hcl:2:16 HCL3103 The text of deprecated is empty. It says what to use in place of the variable.\n"},
           {"variable \"a\" {\n  const = true\n  ephemeral = true\n}\n"
            "variable \"b\" {\n  sensitive = true\n  const = true\n}",
            "ok"},
           {"variable \"a\" {\n  type = set\n}",
            "m.hcl:2:10 HCL5308 The type constructor set requires an argument: set(string).\n"},
           {"locals {\n  a = local.b\n  b = local.a\n  c = local.a\n}\nx = local.c",
            "m.hcl:2:3 HCL3105 A local cannot be made of itself: local.a (m.hcl line 2) -> local.b (m.hcl line 3) -> "
            "local.a.\n"},
           {"locals {\n  a = local.a\n}",
            "m.hcl:2:3 HCL3105 A local cannot be made of itself: local.a (m.hcl line 2) -> local.a.\n"},
           {"locals {\n  a = 1\n}\nvariable \"v\" {\n  validation {\n    condition = v > local.a\n"
            "    error_message = \"no\"\n  }\n}",
            "m.hcl:6:21 HCL3107 A validation reads variables only: locals are made of variables that have been found "
            "valid.\n"},
           {"x = nosuch(1)\ny = upper()",
            "m.hcl:1:5 HCL3002 There is no function named \"nosuch\".\n"
            "m.hcl:2:11 HCL3004 Function \"upper\" expects 1 argument. Missing value for "
            "\"str\".\n"},
           {"function \"f\" {\n  params = [a]\n  result = a + limit\n}",
            "m.hcl:3:16 HCL3101 A function reads its parameters only, and \"limit\" is none of them.\n"},
           {"function \"upper\" {\n  params = [a]\n  result = a\n}",
            "m.hcl:1:10 HCL3104 \"upper\" is the name of a function that is there already.\n"},
       }) {
    EXPECT_EQ(ErrorsOf(OneFile(text)), errors) << text;
  }
}

TEST(ModuleTest, MakesOneOfItsFiles) {
  const TestFile types = {"a.hcl",
                          "variable \"user\" {\n  type = object({name = string})\n}\nlocals {\n  n = user.name\n}\n"};
  const TestFile rules = {"b.hcl", "who = local.n\nrule \"x\" {\n  when = local.n == \"ann\"\n}\n"};
  const TestFile json = {
      "c.hcl.json",
      R"({"variable": {"limit": {"type": "number", "default": 3}}, "locals": {"twice": "${limit * 2}"},
                             "max": "${local.twice}", "rule": {"y": 1}})"};
  EXPECT_EQ(ValueOf({types, rules, json}, "max", "{}"), "6");
  EXPECT_EQ(ValueOf({types, rules}, "", R"({"user": {"name": "ann", "age": 3}})"),
            R"({"rule":{"x":[{"when":true}]},"who":"ann"})");
  EXPECT_EQ(ErrorsOf({types, rules, {"d.hcl", "x = 1\n\nwho = 2\n"}}),
            "d.hcl:3:1 HCL3106 The attribute \"who\" is given at b.hcl line 1 already. The attributes of all files are "
            "those of one body.\n");
  EXPECT_EQ(ErrorsOf({{"a.hcl", "x = \n"}, {"b.hcl", "y = ]\n"}}).substr(0, 5), "a.hcl");
}

// As Terraform and OpenTofu take them.
TEST(ModuleTest, TakesWordsForCollectionsOfAnything) {
  const std::vector<TestFile> native = OneFile(
      "variable \"a\" {\n  type = list\n  const = true\n}\nvariable \"b\" {\n  type = map\n  const = false\n}\n"
      "x = [a, b]\n");
  const std::vector<TestFile> json = {
      {"m.hcl.json",
       R"({"variable": {"a": {"type": "list", "const": true}, "b": {"type": "map"}}, "x": ["${a}", "${b}"]})"}};
  for (const std::vector<TestFile>& files : {native, json}) {
    EXPECT_EQ(ValueOf(files, "x", R"({"a": [1, 2], "b": {"k": "v"}})"), R"([[1,2],{"k":"v"}])");
    const std::string refused = ValueOf(files, "x", R"({"a": 1, "b": {}})");
    EXPECT_NE(refused.find("HCL3122"), std::string::npos) << refused;
  }
}

TEST(ModuleTest, MakesLocalsWhenTheyAreRead) {
  struct Case {
    const char* locals;
    const char* entry;
    const char* value;
  };
  for (const auto& [locals, entry, value] : std::vector<Case>{
           {"b = local.a * 2\n  a = v + 1", "local.b + local.a", "9"},
           {"a = v", "[for i in [1, 2, 3] : i * local.a]", "[2,4,6]"},
           {"a = {x = {y = v}}", "local.a.x.y + local.a[\"x\"].y", "4"},
           {"a = v > 1", "local.a && v < 3 ? \"in\" : \"out\"", "\"in\""},
           {"a = [v, 5]", "[for e in local.a : e if e > 3]", "[5]"},
           {"a = 3", "local.a + v", "5"},
           // Not read: no error.
           {"a = 1 / ww", "v == 2 ? 1 : local.a", "1"},
           {"a = 1 / ww", "try(local.a, 7)", "7"},
           {"a = 1 / ww", "can(local.a) || can(local.a)", "false"},
           {"a = 1 / ww\n  b = local.a + local.a\n  c = local.b + local.b", "try(local.c, local.b, \"none\")",
            "\"none\""},
           // An error that was caught is told where nothing catches it.
           {"a = 1 / ww", "[try(local.a, 7), local.a]",
            "m.hcl:5:11 HCL4101 Unsuitable value for right operand: a number is required, not a tuple.\n"},
           // All errors of a local, each once, however often it is read.
           {"a = [1 / ww, 1 / ee]\n  b = [local.a, local.a]", "[local.b, local.a, local.b]",
            "m.hcl:5:12 HCL4101 Unsuitable value for right operand: a number is required, not a tuple.\n"
            "m.hcl:5:20 HCL4101 Unsuitable value for right operand: a number is required, not an object.\n"},
       }) {
    EXPECT_EQ(
        ValueOf(
            OneFile(absl::StrCat(
                "variable \"v\" {}\nvariable \"ww\" { default = [] }\nvariable \"ee\" { default = {} }\nlocals {\n  ",
                locals, "\n}\nx = ", entry, "\n")),
            "x", "{\"v\": 2}"),
        value)
        << locals << "\n"
        << entry;
  }
}

// Each is made once in a run, so that a chain in which each reads the one before twice takes no more than its length.
TEST(ModuleTest, MakesEachLocalOnce) {
  std::string text = "variable \"v\" {}\nlocals {\n  a0 = v\n";
  for (int n = 1; n < 60; ++n) absl::StrAppend(&text, "  a", n, " = local.a", n - 1, " - local.a", n - 1, " + v\n");
  absl::StrAppend(&text, "}\nx = local.a59\ny = try(local.a59, \"failed\")\n");
  EXPECT_EQ(ValueOf(OneFile(text), "x", "{\"v\": 2}"), "2");
  EXPECT_EQ(ValueOf(OneFile(text), "y", "{\"v\": []}"), "\"failed\"");
  std::string errors;
  const auto program = CompileFiles(OneFile(text), &errors);
  Evaluator evaluator(program);
  evaluator.Bind("v", Value::Int(1));
  const uint64_t left = evaluator.Run(*program->FindEntry("x")).fuel_left();
  EXPECT_LT(Limits().max_fuel - left, 60u * 10u);
  // The next run makes them anew.
  evaluator.Bind("v", Value::Int(5));
  EXPECT_EQ(evaluator.Run(*program->FindEntry("x")).value().AsInt(), 5);
}

// Variables are found among many by name, locals are not; and names are those that are normalized.
TEST(ModuleTest, FindsVariablesAndEntriesByName) {
  std::string text = "variable \"b\" {}\nvariable \"\u00e9\" {}\nlocals {\n";
  for (int n = 0; n < 50; ++n) text += absl::StrCat("  a", n, " = b + ", n, "\n");
  text += "  b = 7\n}\nx = local.b + local.a0\ne\u0301 = e\u0301\n";
  std::string errors;
  const auto program = CompileFiles(OneFile(text), &errors);
  ASSERT_EQ(errors, "");
  EXPECT_EQ(program->variables()[*program->FindSlot("b")], "b");
  EXPECT_EQ(program->FindSlot("e\u0301"), program->FindSlot("\u00e9"));
  EXPECT_TRUE(program->FindSlot("e\u0301").has_value());
  EXPECT_FALSE(program->FindSlot("a1").has_value());
  ASSERT_NE(program->FindEntry("e\u0301"), nullptr);
  EXPECT_EQ(program->FindEntry("e\u0301"), program->FindEntry("\u00e9"));
  EXPECT_EQ(ValueOf(OneFile(text), "e\u0301", "{\"b\": 1, \"e\u0301\": 2}"), "2");
  EXPECT_EQ(ErrorsOf(OneFile("function \"\u00e9\" {\n  params = []\n  result = 1\n}\n"
                             "function \"e\u0301\" {\n  params = []\n  result = 2\n}\n"))
                .substr(0, 19),
            "m.hcl:5:10 HCL3104 ");
}

TEST(ModuleTest, BoundsChainsOfLocals) {
  std::string text = "variable \"v\" {}\nlocals {\n  a0 = v\n";
  for (int n = 1; n < 2'000; ++n) absl::StrAppend(&text, "  a", n, " = local.a", n - 1, " + 1\n");
  absl::StrAppend(&text, "}\nx = local.a1999\n");
  EXPECT_NE(ErrorsOf(OneFile(text)).find("HCL9106 Locals that are made of each other"), std::string::npos);
}

TEST(ModuleTest, HasFunctions) {
  const std::string text =
      "function \"above\" {\n  params = [n, limit]\n  result = n > limit\n}\n"
      "function \"all\" {\n  params = []\n  variadic_param = rest\n  result = alltrue(rest)\n}\n"
      "variable \"v\" {}\nx = above(v, 3)\ny = all(v > 1, above(v, 2))\nz = above(v)\n";
  EXPECT_EQ(ErrorsOf(OneFile(text)),
            "m.hcl:13:12 HCL3004 Function \"above\" expects 2 arguments. Missing value for "
            "\"limit\".\n");
  const std::string sound = text.substr(0, text.find("z ="));
  EXPECT_EQ(ValueOf(OneFile(sound), "", "{\"v\": 4}"), R"({"x":true,"y":true})");
  EXPECT_EQ(ValueOf(OneFile(sound), "x", "{\"v\": []}"),
            "m.hcl:11:5 HCL4202 Call to function \"above\" failed: on m.hcl line 3, column 12: Invalid operand: "
            "Unsuitable value for left operand: a number is required, not a tuple.\n");
}

// Where they stand does not matter.
TEST(ModuleTest, FunctionsCallEachOther) {
  const TestFile rules = {
      "a.hcl",
      "function \"both\" {\n  params = [n]\n  result = big(n) && even(n)\n}\n"
      "function \"even\" {\n  params = [n]\n  result = n % 2 == 0\n}\n"
      "function \"any\" {\n  params = []\n  variadic_param = all\n  result = anytrue([for n in all : both(n)])\n}\n"
      "variable \"v\" {}\nx = both(v)\ny = any(1, v)\nz = try(both(v), \"none\")\n"};
  const TestFile others = {"b.hcl.json", R"({"function": {"big": {"params": ["n"], "result": "${n > 10}"}}})"};
  EXPECT_EQ(ValueOf({rules, others}, "", "{\"v\": 12}"), R"({"x":true,"y":true,"z":true})");
  EXPECT_EQ(ValueOf({rules, others}, "", "{\"v\": 13}"), R"({"x":false,"y":false,"z":false})");
  EXPECT_EQ(ValueOf({rules, others}, "z", "{\"v\": []}"), "\"none\"");
  EXPECT_EQ(ValueOf({rules, others}, "x", "{\"v\": []}"),
            "a.hcl:15:5 HCL4202 Call to function \"both\" failed: on a.hcl line 3, column 12: Error in function call: "
            "Call to function \"big\" "
            "failed: on b.hcl.json line 1, column 53: Invalid operand: Unsuitable value for left operand: a number is "
            "required, not a tuple.\n");
}

TEST(ModuleTest, FunctionsDoNotCallThemselves) {
  const auto function = [](const std::string& name, const std::string& result) {
    return absl::StrCat("function \"", name, "\" {\n  params = [n]\n  result = ", result, "\n}\n");
  };
  EXPECT_EQ(ErrorsOf(OneFile(function("f", "f(n)"))),
            "m.hcl:1:10 HCL3111 A function cannot call itself: f (m.hcl line 1) -> f.\n");
  EXPECT_EQ(ErrorsOf(OneFile(function("f", "[for e in n : try(g(e), 1)]") + function("g", "\"${f(n)}\"") +
                             function("h", "f(n)"))),
            "m.hcl:1:10 HCL3111 A function cannot call itself: f (m.hcl line 1) -> g (m.hcl line 5) -> f.\n");
  // What calls one that is in error has no message of its own.
  EXPECT_EQ(ErrorsOf(OneFile(function("f", "g(n) + 1") + function("g", "nosuch(n)") + function("h", "h1(n)"))),
            "m.hcl:7:12 HCL3002 There is no function named \"nosuch\".\n"
            "m.hcl:11:12 HCL3002 There is no function named \"h1\". Did you mean \"h\"?\n");
  // What is wrong with a function is told once, and not of its calls.
  EXPECT_EQ(FindingsOf(OneFile("function \"f\" {\n  params = [a]\n  result = f(a)\n}\nx = f(1)\ny = f(null).z\n")),
            "m.hcl:1:10 HCL3111 A function cannot call itself: f (m.hcl line 1) -> f.\n");
  EXPECT_EQ(FindingsOf(OneFile("function \"f\" {\n  params = [a]\n  value = a\n}\nx = f(1) + 1\n")),
            "m.hcl:1:14 HCL5003 The argument \"result\" is required here, but it is not set.\n"
            "m.hcl:3:3 HCL5001 An argument named \"value\" is not expected here.\n");
}

// Each call takes some of the stack.
TEST(ModuleTest, CallsOfFunctionsAreBounded) {
  std::string text = "variable \"v\" {}\nfunction \"f0\" {\n  params = [n]\n  result = n + 1\n}\n";
  for (int n = 1; n < 64; ++n) {
    absl::StrAppend(&text, "function \"f", n, "\" {\n  params = [n]\n  result = f", n - 1, "(n) + f", n - 1,
                    "(n)\n}\n");
  }
  // A call that stands there twice is made once, but where it fails both are told.
  EXPECT_EQ(ValueOf(OneFile(text + "x = f63(v)\n"), "", "{\"v\": 1}"), R"({"x":18446744073709551616})");
  EXPECT_NE(ValueOf(OneFile(text + "x = f4(v)\n"), "", "{\"v\": []}").find("HCL4202"), std::string::npos);
  EXPECT_EQ(ErrorsOf(OneFile(text + "function \"g\" {\n  params = [n]\n  result = f63(n)\n}\n")),
            "m.hcl:258:10 HCL9107 Functions that call each other must not form chains of more than 64 (limit "
            "max_nesting_depth).\n");
}

// Fast code takes calls of a module's functions as any others, also where they are tried; a run that fails is told the
// same as one whose texts are made at once.
TEST(ModuleTest, CallsFunctionsInFastCode) {
  const std::string text =
      "variable \"n\" {}\nvariable \"list\" {}\n"
      "function \"above\" {\n  params = [n, limit]\n  result = n > limit\n}\n"
      "x = n > 1 && above(n, 3)\ny = alltrue([for l in list : above(l, 0) && l < 9])\nz = try(above(n, 3), \"none\")\n";
  std::string errors;
  const auto program = CompileFiles(OneFile(text), &errors);
  ASSERT_NE(program, nullptr) << errors;
  EXPECT_TRUE(program->is_pure());
  for (const char* name : {"x", "y", "z"}) {
    const std::string listing = program->Disassemble();
    const size_t begin = listing.find(absl::StrCat(" ", name, ": "));
    ASSERT_NE(begin, std::string::npos) << listing;
    EXPECT_NE(listing.substr(begin, listing.find('\n', listing.find('\n', begin) + 1) - begin).find("; fast code"),
              std::string::npos)
        << listing;
  }
  EXPECT_EQ(ValueOf(OneFile(text), "", R"({"n": 4, "list": [1, 2]})"), R"({"x":true,"y":true,"z":true})");
  EXPECT_EQ(ValueOf(OneFile(text), "z", R"({"n": [], "list": []})"), "\"none\"");
  EXPECT_EQ(ValueOf(OneFile(text), "y", R"({"n": 1, "list": [[]]})"),
            "m.hcl:8:30 HCL4202 Call to function \"above\" failed: on m.hcl line 5, column 12: Invalid operand: "
            "Unsuitable value for left operand: a number is required, not a tuple.\n"
            "m.hcl:8:45 HCL4101 Unsuitable value for left operand: a number is required, not a tuple.\n");
}

// Names of variables are the same with and without var; those of loops hide both.
TEST(ModuleTest, ResolvesNames) {
  const std::string text =
      "variable \"a\" {\n  default = 1\n}\nlocals {\n  a = 2\n}\n"
      "x = [a, var.a, local.a]\ny = [for a in [5] : a + var.a]\nz = [for var in [{a = 7}] : var.a]\n"
      "w = [for local in [{a = 8}] : local.a]\n";
  EXPECT_EQ(ValueOf(OneFile(text), "", "{}"), R"({"w":[8],"x":[1,1,2],"y":[6],"z":[7]})");
}

}  // namespace
}  // namespace hcl

// Types of names, as hclvm check --show-types prints them.

#include "hclvm/module/typed_names.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/module/module.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

using internal::TypedName;

std::string TypesOf(const std::string& text, bool is_plain = false) {
  const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", text)}};
  Diagnostics diagnostics;
  std::vector<TypedName> names;
  if (is_plain) {
    internal::CheckPlainTypes(files, {}, ModuleOptions(), /*strict=*/false, &diagnostics, &names);
  } else {
    internal::CheckModuleTypes(files, ModuleOptions(), /*strict=*/false, &diagnostics, &names);
  }
  std::string types;
  for (const TypedName& name : names) absl::StrAppend(&types, internal::ToText(name), "\n");
  return types;
}

// Writes what an observer sees: "text: type" of an expression, and "type text" of a step.
class Writer final : public internal::TypeObserver {
 public:
  void SeeExpr(SourceRange range, const Source* source, const internal::StaticType& type) override {
    absl::StrAppend(&seen, std::string(source->Slice(range)), ": ", internal::SyntaxOf(type), "\n");
  }
  void SeeStep(SourceRange step, const Source* source, const internal::StaticType& before) override {
    absl::StrAppend(&seen, internal::SyntaxOf(before), " ", std::string(source->Slice(step)), "\n");
  }

  std::string seen;
};

TEST(TypedNamesTest, LetsAnObserverSeeExpressions) {
  const std::vector<ModuleFile> files = {{std::make_shared<const Source>(
      "m.hcl", "variable \"u\" { type = object({ a = list(number) }) }\nx = [for n in u.a : n + 1]\n")}};
  Diagnostics diagnostics;
  Writer writer;
  internal::CheckModuleTypes(files, ModuleOptions(), /*strict=*/false, &diagnostics, /*names=*/nullptr, &writer);
  EXPECT_EQ(writer.seen,
            "object({ a = list(number) }) .a\nu.a: list(number)\nn: number\n1: number\nn + 1: number\n"
            "[for n in u.a : n + 1]: list(number) or tuple\n");
}

TEST(TypedNamesTest, TellsAllNames) {
  EXPECT_EQ(TypesOf("variable \"user\" { type = object({ name = string, age = optional(number), \"a b\" = bool }) }\n"
                    "variable \"n\" {\n  type = number\n  nullable = true\n}\n"
                    "variable \"m\" {\n  type = number\n  default = null\n}\n"
                    "variable \"free\" {}\n"
                    "locals {\n  b = local.a\n  a = user.age\n}\n"
                    "function \"f\" {\n  params = [x]\n  variadic_param = more\n  result = \"${x}!\"\n}\n"
                    "function \"g\" {\n  params = []\n  result = [1]\n}\n"
                    "who = user.name\n"
                    "rule {\n  when = n == null\n}\n"
                    "rule {\n  when = user.age\n}\n"
                    "p \"q\" {\n  then = f(1)\n}\n"),
            "variable user: object({ \"a b\" = bool, age = optional(number), name = string })\n"
            "variable n: number or null\n"
            "variable m: number or null\n"
            "variable free: any\n"
            "local b: number or null\n"
            "local a: number or null\n"
            "function f(x, more...): string\n"
            "function g(): tuple([number])\n"
            "attribute who: string\n"
            "attribute rule.0.when: bool\n"
            "attribute rule.1.when: number or null\n"
            "attribute p.q.then: string\n");
}

TEST(TypedNamesTest, WritesTypes) {
  const std::string variables =
      "variable \"t\" { type = string }\nvariable \"m\" { type = map(number) }\n"
      "variable \"l\" { type = list(object({ a = optional(string) })) }\n";
  for (const auto& [expression, type] : std::vector<std::pair<std::string, std::string>>{
           {"null", "null"},
           {"[1, null, t]", "tuple([number, null, string])"},
           {"[for e in l : e.a]", "list(string or null) or tuple"},
           {"{ a = 1, (t) = 2 }", "object({ a = number, ... })"},
           {"{ (t) = 2 }", "object({ ... })"},
           {"{}", "object({})"},
           {"[]", "tuple([])"},
           {"{ for e in l : e.a => m }", "map(map(number)) or object"},
           {"length(l) > 0 ? m : { k = 1 }", "any"},
           {"length(l) > 0 ? l : []", "list(object({ a = optional(string) })) or tuple"},
           {"tolist([t])", "list(string)"},
           {"t == \"a\" ? m : null", "map(number) or null"},
           {"t.nothing", "any"},
       }) {
    const std::string all = TypesOf(absl::StrCat(variables, "x = ", expression, "\n"));
    EXPECT_EQ(all.substr(all.rfind("attribute")), absl::StrCat("attribute x: ", type, "\n")) << expression;
  }
}

// In a plain config, variables are of any type, and constants are not.
TEST(TypedNamesTest, TellsWhatIsKnownOfPlainConfigs) {
  EXPECT_EQ(TypesOf("a = 1\nb = user.name\nc = \"${b}!\"\n", /*is_plain=*/true),
            "attribute a: number\nattribute b: any\nattribute c: string\n");
}

// Types share their parts: written out, this one would be of 2 to the power of 30 parts.
TEST(TypedNamesTest, CutsLongTypes) {
  std::string text = "variable \"n\" { type = object({ a = string }) }\nlocals {\n  v0 = n\n";
  for (int k = 1; k <= 12; ++k)
    absl::StrAppend(&text, "  v", k, " = { x = local.v", k - 1, ", y = local.v", k - 1, " }\n");
  const std::string types = TypesOf(text + "}\nx = local.v12\n");
  EXPECT_LT(types.size(), 16 * (2 * internal::kMaxTypeText));
  EXPECT_NE(types.find("..."), std::string::npos);
}

TEST(TypedNamesTest, WritesJson) {
  const std::vector<ModuleFile> files = {{std::make_shared<const Source>("m.hcl", "locals {\n  \n}\nx = \"a\"\n")}};
  Diagnostics diagnostics;
  std::vector<TypedName> names;
  internal::CheckModuleTypes(files, ModuleOptions(), /*strict=*/false, &diagnostics, &names);
  ASSERT_EQ(names.size(), 1u);
  EXPECT_EQ(internal::ToJson(names[0]),
            "{\"kind\":\"attribute\",\"name\":\"x\",\"type\":\"string\",\"nullable\":false,\"filename\":\"m.hcl\","
            "\"line\":4,\"column\":1}");
}

}  // namespace
}  // namespace hcl

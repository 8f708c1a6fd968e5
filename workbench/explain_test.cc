#include "hclvm/workbench/explain.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json_test_util.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/explanation.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {
namespace {

std::shared_ptr<const Program> Compile(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  auto program = CompileModule({{std::make_shared<const Source>("m.hcl", text), /*is_json=*/false}},
                               RecordingOptions(options), &diagnostics);
  EXPECT_NE(nullptr, program) << ToText(diagnostics, nullptr);
  return program;
}

Explanation Explained(const std::string& module, const std::string& scope, const ExplainOptions& options = {},
                      const char* entry = "a") {
  const std::shared_ptr<const Program> program = Compile(module);
  if (program == nullptr) return {};
  Heap heap;
  const Value value = ParsedJson(scope, &heap);
  return Explain(program, value, *program->FindEntry(entry), options);
}

struct Row {
  const char* module;
  const char* scope;
  const char* text;
};

void Check(const Row& row) {
  EXPECT_EQ(row.text, "\n" + ToText(Explained(row.module, row.scope))) << row.module << row.scope;
}

TEST(Explain, Operands) {
  const char* const kModule = "variable \"x\" {\n  nullable = true\n}\nvariable \"y\" {}\nvariable \"z\" {}\n";
  const Row rows[] = {
      {"a = x.on && y && !z", R"({"x": {"on": false}, "y": true, "z": true})",
       "\na = false\n  x.on is false  (m.hcl:6)\n"},
      {"a = x.on && y && !z", R"({"x": {"on": true}, "y": true, "z": true})",
       "\na = false\n  !z is false, as z = true  (m.hcl:6)\n"},
      {"a = x && (y && (z > 3))", R"({"x": true, "y": true, "z": 2})",
       "\na = false\n  z > 3 is false, as z = 2  (m.hcl:6)\n"},
      {"a = x || y == 1 || z", R"({"x": false, "y": 1, "z": true})",
       "\na = true\n  y == 1 is true, as y = 1  (m.hcl:6)\n"},
      {"a = x || y", R"({"x": false, "y": false, "z": true})",
       "\na = false\n  x is false  (m.hcl:6)\n  y is false  (line 6)\n"},
      {"a = x + y", R"({"x": 1, "y": 2, "z": true})", "\na = 3, as x = 1, y = 2\n"},
      {"a = x ? y : z", R"({"x": true, "y": 1, "z": 2})", "\na = 1, as y = 1\n  x is true  (m.hcl:6)\n"},
      {"a = x == 1 ? \"one\" : x == 2 ? \"two\" : y ? \"y\" : \"n\"", R"({"x": 2, "y": 1, "z": 2})",
       "\na = \"two\"\n  x == 2 is true, as x = 2  (m.hcl:6)\n  x == 1 is false, as x = 2  (line 6)\n"},
      {"a = try(x.n.o, y.p, 5)", R"({"x": {}, "y": {"p": 7}, "z": 2})",
       "\na = 7\n  attempt 2 of 3: y.p is 7, as y.p = 7  (m.hcl:6)\n  attempt 1 of 3 fails: x.n.o  (line 6)\n"},
      {"a = coalesce(x, y)", R"({"x": null, "y": 7, "z": 2})",
       "\na = 7, as x = null\n  attempt 2 of 2: y is 7, as y = 7  (m.hcl:6)\n"},
  };
  for (Row row : rows) {
    const std::string module = std::string(kModule) + row.module;
    row.module = module.c_str();
    Check(row);
  }
}

TEST(Explain, Tables) {
  const std::string variables = "variable \"u\" {}\n";
  const std::string first =
      "a = [\n  for r in [\n    {id = \"locked\", when = u.locked},\n    {id = \"young\", when = u.ok && u.age < 18},\n"
      "    {id = \"rest\", when = true},\n  ] : r.id if r.when\n][0]\n";
  EXPECT_EQ(ToText(Explained(variables + first, R"({"u": {"locked": false, "ok": true, "age": 20}})")),
            "a = \"rest\"\n"
            "  rule 3 of 3 applies: {id = \"rest\", when = true}  (m.hcl:6)\n"
            "  rule 1 of 3 does not apply: {id = \"locked\", when = u.locked}  (line 4)\n"
            "    u.locked is false  (line 4)\n"
            "  rule 2 of 3 does not apply: {id = \"young\", when = u.ok && u.age < 18}  (line 5)\n"
            "    u.age < 18 is false, as u.age = 20  (line 5)\n");
  EXPECT_EQ(ToText(Explained(variables + first, R"({"u": {"locked": true, "ok": true, "age": 20}})")),
            "a = \"locked\"\n"
            "  rule 1 of 3 applies: {id = \"locked\", when = u.locked}  (m.hcl:4)\n"
            "    u.locked is true  (line 4)\n");
  // By a local, and in rules that are data.
  EXPECT_EQ(ToText(Explained("variable \"u\" {}\nlocals {\n  rules = [{n = 1}, {n = 2}]\n}\n"
                             "a = [for r in local.rules : r.n if r.n == u]\n",
                             R"({"u": 2})")),
            "a = [2]\n"
            "  rule 2 of 2 applies: {n = 2}  (m.hcl:3)\n"
            "    r.n == u is true, as r.n = 2, u = 2  (line 5)\n"
            "  rule 1 of 2 does not apply: {n = 1}  (line 3)\n"
            "    r.n == u is false, as r.n = 1, u = 2  (line 5)\n");
  EXPECT_EQ(ToText(Explained("variable \"u\" {}\na = length([for r in u : r if r.ok]) > 0\n",
                             R"({"u": [{"ok": false}, {"ok": true}]})")),
            "a = true\n"
            "  rule 2 of 2 applies: {\"ok\":true}  (m.hcl:2)\n"
            "    r.ok is true  (line 2)\n"
            "  rule 1 of 2 does not apply: {\"ok\":false}  (line 2)\n"
            "    r.ok is false  (line 2)\n");
}

TEST(Explain, NamesAndFunctions) {
  const std::string module =
      "variable \"user\" {}\nlocals {\n  admin = contains(user.roles, \"admin\")\n}\n"
      "function \"old\" {\n  params = [age]\n  result = age >= 65\n}\n"
      "a = local.admin || old(user.age)\nb = anytrue([for r in user.roles : r == \"owner\"])\n";
  EXPECT_EQ(ToText(Explained(module, R"({"user": {"roles": ["admin"], "age": 3}})")),
            "a = true\n"
            "  local.admin is true, as user.roles = [\"admin\"]  (m.hcl:3)\n");
  EXPECT_EQ(ToText(Explained(module, R"({"user": {"roles": ["x"], "age": 70}})")),
            "a = true\n"
            "  old(user.age) is true, as user.age = 70, age = 70  (m.hcl:9)\n");
  EXPECT_EQ(ToText(Explained(module, R"({"user": {"roles": ["x", "owner"], "age": 70}})", {}, "b")),
            "b = true\n"
            "  element 2 of 2: r == \"owner\" is true, as r = \"owner\"  (m.hcl:10)\n");
}

TEST(Explain, LargeValuesAreCounted) {
  const Explanation explanation = Explained(
      "variable \"u\" {}\na = length([for x in range(1000) : [for y in range(100) : y]]) > u\n", R"({"u": 3})");
  EXPECT_EQ(ToText(explanation), "a = true, as y = 0, y = 1, y = 2, y = 3, y = 4, u = 3\n  and 1470 more\n");
  const std::string big = "[" + std::string(60'000, ' ') + [] {
    std::string text = "1";
    for (int n = 0; n < 60'000; ++n) text += ",1";
    return text;
  }() + "]";
  EXPECT_EQ(ToText(Explained("variable \"u\" {}\na = length(u) > 3\n", "{\"u\": " + big + "}")),
            "a = true, as u = [...] (60001 elements)\n");
}

TEST(Explain, AnExpandedTry) {
  EXPECT_EQ(
      ToText(Explained("variable \"u\" {}\nvariable \"v\" {}\na = try(u.x, v...)\n", R"({"u": {}, "v": [7, 8]})")),
      "a = 7\n"
      "  attempt 2 of 2: v is [7,8], as v = [7,8]  (m.hcl:3)\n"
      "  attempt 1 of 2 fails: u.x  (line 3)\n");
}

TEST(Explain, ErrorsAndUnknownValues) {
  EXPECT_EQ(
      ToText(Explained("variable \"u\" {}\nlocals {\n  n = u.age + 1\n}\na = local.n > 3\n", R"({"u": {"age": "x"}})")),
      "a fails\n  u.age + 1 fails, as u.age = \"x\": Invalid operand: Unsuitable value for left operand: a number is "
      "required, and this text is none. Texts are joined by a template: \"${a}${b}\"  (m.hcl:3)\n");
}

TEST(Explain, UnknownValues) {
  const std::string module =
      "variable \"u\" {}\nlocals {\n  old = u.age > 3\n}\n"
      "a = [for r in [{n = 1, w = u.on}, {n = 2, w = u.on && local.old}] : r.n if r.w]\n";
  const std::shared_ptr<const Program> program = Compile(module);
  Heap heap;
  const KeyValue pairs[] = {{Value::StringView("age"), Value::Unknown(Type::Number())},
                            {Value::StringView("on"), Value::Bool(true)}};
  const KeyValue scope[] = {{Value::StringView("u"), MakeObject(pairs, heap.arena())}};
  EXPECT_EQ(ToText(Explain(program, MakeObject(scope, heap.arena()), program->entries()[0])),
            "a = unknown (any)\n  u.age is unknown  (m.hcl:3)\n");
}

TEST(Explain, SensitiveValuesAreHidden) {
  ExplainOptions options;
  options.full = true;
  for (const auto& [declared, entry] : std::vector<std::pair<const char*, const char*>>{
           {"sensitive", "a = local.long ? 1 : 2"},
           {"ephemeral", "a = local.long ? 1 : 2"},
           {"ephemeral", "a = nonsensitive(local.long) ? 1 : 2"},
           {"ephemeral", "a = nonsensitive(key) == \"x\" ? 1 : nonsensitive(key)"},
       }) {
    const Explanation explanation =
        Explained(absl::StrCat("variable \"key\" {\n  ", declared,
                               " = true\n}\nlocals {\n  long = length(key) > 3\n}\n", entry, "\n"),
                  R"({"key": "s3cr3t"})", options);
    for (const std::string& text : {ToText(explanation), ToJson(explanation), ToHtml({explanation}, "x")}) {
      EXPECT_EQ(text.find("s3cr3t"), std::string::npos) << text;
      EXPECT_NE(text.find("(sensitive value)"), std::string::npos) << text;
    }
  }
}

// Nor does anything else tell what they are: two scopes that differ in them have one explanation.
TEST(Explain, SensitiveValuesDecideNothingThatIsShown) {
  const char* const rows[] = {
      "a = k ? x : x + 1",
      "a = k ? x : x > 1 ? 3 : x",
      "a = k && x > 1",
      "a = x > 1 && k && x < 5",
      "a = !k || x > 5",
      "a = [for r in [{n = 1, w = x > 1}, {n = 2, w = k}, {n = 3, w = true}] : r.n if r.w][0]",
      "a = [for r in [{n = x, w = x > 1}, {n = 2, w = k}] : r.n if r.w]",
      "a = anytrue([for e in [x > 5, k, x > 6] : e])",
      "a = alltrue([k, x > 1, k])",
      "a = {n = k ? x + 1 : x + 2}.n",
      "locals {\n  l = k ? {n = x} : {n = x + 1}\n}\na = local.l.n",
      "a = coalesce(k ? 1 : null, x)",
      "function \"f\" {\n  params = [p, q]\n  result = p ? q : q + 1\n}\na = f(k, x)",
      "a = [for e in [k] : e ? 1 : x]",
      "a = [for e in (k ? [1, 2] : [3]) : e > 2 ? x : x + 1]",
      "a = anytrue([for e in (k ? [1, 2] : [3]) : e > 2])",
      "a = length([for e in (k ? [1, 2] : [3, x]) : e if e > 2])",
      "a = (k ? [{m = 1}] : [{m = 2}])[*].m",
      "a = \"%{for e in (k ? [1] : [2, 3])}${e > 1 ? x : 0}%{endfor}\"",
      "a = \"${k}\" == \"true\" ? [x] : [x, x]",
  };
  ExplainOptions options;
  options.full = true;
  for (const char* declared : {"sensitive", "ephemeral"}) {
    const std::string variables = absl::StrCat("variable \"k\" {\n  ", declared, " = true\n}\nvariable \"x\" {}\n");
    for (const char* row : rows) {
      const std::string first = ToJson(Explained(variables + row, R"({"k": true, "x": 2})", options));
      EXPECT_EQ(first, ToJson(Explained(variables + row, R"({"k": false, "x": 2})", options))) << row;
      options.show_sensitive = true;
      EXPECT_NE(ToJson(Explained(variables + row, R"({"k": true, "x": 2})", options)),
                ToJson(Explained(variables + row, R"({"k": false, "x": 2})", options)))
          << row;
      options.show_sensitive = false;
    }
  }
}

// More parts than a trace keeps: none of those that it lacks is looked for among all others.
TEST(Explain, LongTextsTakeTimeByTheirLength) {
  constexpr int kParts = 300'000;
  std::string chain = "variable \"x\" {}\na = x == 2";
  std::string object = "variable \"x\" {}\na = {k = x";
  for (int n = 0; n < kParts; ++n) {
    chain += " && x == 2";
    absl::StrAppend(&object, ", k", n, " = x");
  }
  object += "}.k";
  const Explanation explained = Explained(chain, R"({"x": 2})");
  EXPECT_EQ(explained.reasons.size(), ExplainOptions().max_reasons);
  EXPECT_GT(explained.left_out, 10'000u);
  EXPECT_TRUE(explained.is_cut);
  EXPECT_NE(ToJson(Explained(object, R"({"x": 2})")), "");
}

}  // namespace
}  // namespace hcl::internal

// Deciders: what is named of an answer's reasons.

#include "hclvm/workbench/deciders.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"
#include "hclvm/workbench/live_recorder.h"

namespace hcl::internal {
namespace {

// What has decided `a`, which must fail or not.
std::string Find(const std::string& text, const std::string& scope, bool ok = true, const Limits& limits = Limits()) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("p.hcl", text);
  const std::shared_ptr<const Program> program =
      text.find("variable ") != std::string::npos
          ? CompileModule({{source, /*is_json=*/false}}, RecordingOptions(options), &diagnostics)
          : CompileConfig(source, RecordingOptions(options), &diagnostics);
  if (program == nullptr) return ToText(diagnostics, source.get());
  Heap heap;
  JsonReader reader;
  Value value;
  JsonError error;
  EXPECT_TRUE(reader.Read(scope, &heap, &value, &error)) << error.detail;
  return DeciderFinder(program, limits, nullptr).Find(value, "a", ok);
}

TEST(DecidersTest, Kinds) {
  const std::string table =
      "a = [for r in [\n  { id = \"x\", when = n > 1 },\n  { id = \"y\", when = n > 0 && m },\n"
      "  { id = \"z\", when = true },\n] : r.id if r.when][0]";
  const struct {
    const char* name;
    std::string text;
    const char* scope;
    const char* want;
  } kCases[] = {
      {"an operand that is false", "a = n > 1 && m", R"({"n":1,"m":true})", "n > 1 is false (p.hcl:1)"},
      {"an operand that is true", "a = n > 1 || m", R"({"n":1,"m":true})", "m is true (p.hcl:1)"},
      {"all operands", "a = n > 1 && m", R"({"n":2,"m":true})", "n > 1 is true (p.hcl:1), m is true (p.hcl:1)"},
      {"many operands", "a = m && m && n == 1 && n != 0 && n > 0", R"({"n":1,"m":true})",
       "m is true (p.hcl:1), m is true (p.hcl:1), n == 1 is true (p.hcl:1), ..."},
      {"a condition", "\na = n > 1 ? 2 : 3", R"({"n":1})", "n > 1 is false (p.hcl:2)"},
      {"the last condition of a chain", "a = n > 1 ? 2 : m ? 3 : 4", R"({"n":1,"m":true})", "m is true (p.hcl:1)"},
      {"the first rule", table, R"({"n":2,"m":true})", "rule 1 of 3 applies (p.hcl:2)"},
      {"another rule", table, R"({"n":1,"m":true})", "rule 2 of 3 applies (p.hcl:3)"},
      {"the last rule", table, R"({"n":0,"m":true})", "rule 3 of 3 applies (p.hcl:4)"},
      {"an element of the request", "a = [for x in n : x if x > 1]", R"({"n":[1,2]})", "a rule applies (p.hcl:1)"},
      {"an attempt", "a = try(n.x, m, 0)", R"({"n":{},"m":1})", "attempt 2 of 3: m (p.hcl:1)"},
      {"nothing", "a = n + 1", R"({"n":1})", ""},
  };
  for (const auto& test : kCases) EXPECT_EQ(Find(test.text, test.scope), test.want) << test.name;
}

TEST(DecidersTest, Failures) {
  EXPECT_EQ(Find("a = [\n  n.x]", R"({"n":{}})", /*ok=*/false), "n.x fails (p.hcl:2)");
  // The other evaluation says something else.
  EXPECT_EQ(Find("a = n.x", R"({"n":{}})", /*ok=*/true), "");
  EXPECT_EQ(Find("a = n ? 1 : 2", R"({"n":true})", /*ok=*/false), "");
  Limits limits;
  limits.max_fuel = 1;
  EXPECT_EQ(Find("a = n ? 1 : length([for x in range(1000) : x])", R"({"n":false})", /*ok=*/true, limits), "");
}

// Requests that are decided alike give one text, whatever their values are.
TEST(DecidersTest, NoValues) {
  const std::string text = "a = anytrue([for r in roles : r == \"admin\"]) ? 1 : 2";
  const std::string first = Find(text, R"({"roles":["admin"]})");
  EXPECT_NE(first, "");
  EXPECT_EQ(Find(text, R"({"roles":["x","y","admin"]})"), first);
  EXPECT_NE(Find(text, R"({"roles":["x"]})"), first);
}

// A local is what has decided within it, where that is a condition; its value within a condition is not.
TEST(DecidersTest, Locals) {
  const std::string locals =
      "variable \"n\" {}\nlocals {\n  big = n > 1\n  both = local.big && n < 9\n  more = n + 1\n}\n";
  const struct {
    const char* entry;
    const char* want;
  } kCases[] = {
      {"a = local.big && n < 9", "local.big is true (p.hcl:3), n < 9 is true (p.hcl:7)"},
      {"a = local.both ? 1 : 2", "local.big is true (p.hcl:3), n < 9 is true (p.hcl:4)"},
      {"a = local.more > 2 ? 1 : 2", "local.more > 2 is true (p.hcl:7)"},
      {"a = local.more", ""},
  };
  for (const auto& test : kCases) EXPECT_EQ(Find(locals + test.entry, R"({"n":2})"), test.want) << test.entry;
}

TEST(DecidersTest, NoSuchEntry) { EXPECT_EQ(Find("b = n", R"({"n":1})"), ""); }

}  // namespace
}  // namespace hcl::internal

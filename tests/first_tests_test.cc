// What the code of policies tests first (vm/first_tests.h).

#include "hclvm/vm/first_tests.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

std::string Print(const Program& program, const TestedPath& path) {
  std::string text(program.variables()[path.slot]);
  for (const std::string_view step : path.steps) text.append(".").append(step);
  return text;
}

// Demands in their order: tags in hexadecimal, "?" where it need not be there. Behind those that a test needs, the
// test.
std::string FirstOf(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto program = CompileExpression(std::make_shared<const Source>("test.hcl", text), options, &diagnostics);
  if (program == nullptr) return ToText(diagnostics, nullptr);
  const ProgramTables& tables = TablesOf(*program);
  const FirstTests first = FindFirstTests(tables, tables.main_chunk());
  std::string printed;
  size_t demands = 0;
  for (const FirstTests::Test& test : first.tests) {
    for (; demands < test.demands; ++demands) {
      const FirstTests::Demand& demand = first.demands[demands];
      absl::StrAppend(&printed, Print(*program, demand.path), ":", absl::Hex(demand.tags),
                      demand.or_nothing ? "? " : " ");
    }
    absl::StrAppend(&printed, Print(*program, test.subject), "=[");
    for (const Value& value : test.values) {
      absl::StrAppend(&printed, value.is_string() ? std::string(value.AsString()) : ConstantText(value), ",");
    }
    for (const std::string_view prefix : test.prefixes) printed.append(prefix).append("*,");
    printed += "] ";
  }
  if (!printed.empty()) printed.pop_back();
  return printed;
}

TEST(FirstTestsTest, AreWhatEndsAPolicyAtOnce) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"path == \"/a\"", "path=[/a,]"},
      {"path == \"/a\" && level > 3", "path=[/a,]"},
      {"path == \"/a\" && user.admin", "user.admin:ffff7fff? user.admin:c? path=[/a,]"},
      {"request.path == \"/a\" && request.method == \"GET\"",
       "request.path=[/a,] request.path:c0 request.method=[GET,]"},
      {"contains([\"/a\", \"/b\"], path) && level > 3", "path=[/a,/b,]"},
      {"startswith(path, \"/a\") && level > 3", "path=[/a*,]"},
      {"(path == \"/a\" || startswith(path, \"/b/\")) && level > 3", "path=[/a,/b/*,]"},
      {"user.team.name == \"core\" && user.team.lead != user.name",
       "user.team:ffff7fff user.team.name:ffff7fff user.team.name=[core,]"},
      {"level > 3 && path == \"/a\"", "level:30 path=[/a,]"},
      {"!user.blocked && path == \"/a\"", "user.blocked:ffff7fff user.blocked:c path=[/a,]"},
      {"level == 3 && path == \"/a\"", "level=[3,] level:fc path=[/a,]"},
      {"path == \"/a\" ? level : null", ""},
      {"path == \"/a\" ? level > 2 : false", "path=[/a,]"},
      {"contains([\"/a\", \"/b\"], r.path)", "r.path=[/a,/b,]"},
      // Nothing ends these.
      {"contains([\"/a\", 1], path)", "path=[/a,1,]"},
      {"contains([\"/a\", 1], path) && level > 3", "path=[/a,1,]"},
      {"tenant == 42 && path == \"/a\"", "tenant=[42,] tenant:fc path=[/a,]"},
      {"o.tenant == 42 && o.path == \"/a\"", "o.tenant=[42,] o.tenant:fc o.path=[/a,]"},
      {"!contains([\"/a\"], path)", ""},
      {"path == \"/a\" || level > 3", ""},
      {"path != \"/a\" && level > 3", ""},
      {"path == \"/a\" ? false : true", ""},
      {"upper(path) == \"/A\" && level > 3", ""},
      {"path == other && level > 3", ""},
      {"level > 3", ""},
      {"x", ""},
      {"true", ""},
      {"l[0] == \"a\" && l[1] == \"b\"", ""},
  };
  for (const auto& [text, want] : kCases) EXPECT_EQ(FirstOf(text), want) << text;
}

}  // namespace
}  // namespace hcl::internal

// Work grows no faster than the text, whatever is in it: texts of many kinds, each in three sizes, go through all
// phases, with as many messages as they have mistakes. What is compared is the memory that the phases asked for, which
// is the same on every machine. Work that is quadratic in time alone shows by a test that does not end.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/limits.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/allocation_counter.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/dump.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/hcl/print.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl {

using internal::DumpBody;
namespace {

// `first`, then `part` for each number in place of its `#`, then `last`.
struct Family {
  const char* name;
  const char* first;
  const char* part;
  const char* last;

  std::string Text(size_t count) const {
    std::string text = first;
    for (size_t n = 0; n < count; ++n) {
      for (const char* at = part; *at != '\0'; ++at) {
        if (*at == '#') {
          text += std::to_string(n);
        } else {
          text += *at;
        }
      }
    }
    return text + last;
  }
};

const Family kNative[] = {
    {"attributes", "", "a# = #\n", ""},
    {"attributes with variables", "", "a# = v + #\n", ""},
    {"unknown variables", "", "a# = nosuch#\n", ""},
    {"unknown functions", "", "a# = nosuch(#)\n", ""},
    {"attribute set again and again", "", "a = #\n", ""},
    {"one long line", "x = {", "a# = 1, a# = nosuch, ", "}\n"},
    {"one long line beyond ASCII", "x = {", "\u00e9# = 1, \u00e9# = nosuch, ", "}\n"},
    {"object", "x = {", "a# = v,", "}\n"},
    {"tuple", "x = [", "#,", "]\n"},
    {"failing elements", "x = [", "\"a\" + #,", "]\n"},
    {"blocks of one type", "", "b {\n x = #\n}\n", ""},
    {"blocks of many types", "", "b# {\n x = #\n}\n", ""},
    {"blocks with one label", "", "b \"l\" {\n x = #\n}\n", ""},
    {"blocks with many labels", "", "b \"l#\" {\n x = #\n}\n", ""},
    {"labels of one block", "b", " \"l#\"", " {\n}\n"},
    {"sum", "x = v", " + v", "\n"},
    {"path", "x = v", ".a", "\n"},
    {"template", "x = \"", "a${v}", "\"\n"},
    {"template with unknown variables", "x = \"", "\u00e9${nosuch#}", "\"\n"},
    {"template with directives", "x = \"", "%{if v == 1}a%{endif}", "\"\n"},
    {"directives without an end", "x = \"", "%{if true}a", "\"\n"},
    {"ends without directives", "x = \"", "%{endif}a", "\"\n"},
    {"stripped template", "x = \"", "  ${~v~}  ", "\"\n"},
    {"heredoc", "x = <<EOT\n", "line #\n", "EOT\n"},
    {"indented heredoc", "x = <<-EOT\n", "  line ${v}\n", "  EOT\n"},
    {"heredoc without an end", "x = <<EOT\n", "line #\n", ""},
    {"combining marks", "x = \"e", "\u0315\u0323", "\"\n"},
    {"bad escapes", "x = \"", "\\q", "\"\n"},
    {"bad characters", "x = ", "@ ", "\n"},
    {"bad lines", "", "x y z = =\n", ""},
    {"closing braces", "", "}\n", ""},
    {"open quotes", "", "x = \"\n", ""},
    {"open brackets", "x = ", "[", ""},
    {"comments", "x = ", "/* # */", "1\n"},
    {"arguments", "x = max(", "v, ", "1)\n"},
    {"loops", "", "x# = [for e in [v] : e]\n", ""},
};

const Family kJson[] = {
    {"properties", "{", "\"a#\": #, ", "\"a\": 1}"},
    {"property set again and again", "{", "\"a\": #, ", "\"a\": 1}"},
    {"repeated names in an object", "{\"x\": {", "\"\u00e9\": #, ", "\"a\": 1}}"},
    {"array", "{\"x\": [", "{\"a\": \"${v}\"}, ", "1]}"},
    {"template", "{\"x\": \"", "a${v}\\n", "\"}"},
    {"bad templates", "{\"x\": [", "\"${1 +}\", ", "1]}"},
    {"bad escapes", "{\"x\": [", "\"\\q\", ", "1]}"},
    {"missing colons", "{", "\"\u00e9#\" 1, ", "\"a\": 1}"},
    {"commas", "{\"x\": [", ",", "]}"},
    {"words", "{\"x\": [", "nope ", "]}"},
    {"open arrays", "", "[", ""},
    {"closing braces", "{\"a\": 1", "}", ""},
};

void Show(const Diagnostics& diagnostics, const Source& source) {
  for (const Diagnostic& diagnostic : diagnostics.kept()) ToJson(diagnostic, &source);
  ToText(diagnostics, &source);
}

void RunProgram(const std::shared_ptr<const Program>& program, const Source& source, const Limits& limits) {
  if (program == nullptr) return;
  Evaluator evaluator(program, limits);
  evaluator.Bind("v", Value::Int(1));
  const Evaluation& evaluation = evaluator.Run();
  std::string json, reason;
  if (evaluation.ok()) AppendJson(evaluation.value(), &json, &reason);
  Show(evaluation.diagnostics(), source);
}

// Bytes that all phases ask for.
uint64_t Work(const std::string& text, bool is_json) {
  const uint64_t before = bench::AllocatedBytes();
  Limits limits;
  limits.max_diagnostics = 1'000'000;
  const auto source = std::make_shared<const Source>("test", text);
  Diagnostics found(limits.max_diagnostics);
  if (is_json) {
    JsonOptions options;
    options.limits = limits;
    ParseJson(*source, options, &found);
  } else {
    ParseOptions options;
    options.limits = limits;
    const std::unique_ptr<ParsedFile> file = ParseConfig(*source, options, &found);
    DumpBody(*file->body);
    if (found.empty()) PrintBody(*file->body);
  }
  Show(found, *source);
  CompileOptions options;
  options.limits = limits;
  options.functions = StandardFunctions();
  Diagnostics compiled(limits.max_diagnostics);
  RunProgram(is_json ? CompileJsonConfig(source, options, &compiled) : CompileConfig(source, options, &compiled),
             *source, limits);
  Show(compiled, *source);
  return bench::AllocatedBytes() - before;
}

// Tables double as they grow, and so may the memory for one more element.
void CheckGrowth(const Family& family, bool is_json) {
  SCOPED_TRACE(family.name);
  constexpr size_t kCount = 2'000;
  const uint64_t least = Work(family.Text(kCount), is_json);
  const uint64_t more = Work(family.Text(4 * kCount), is_json);
  const uint64_t most = Work(family.Text(16 * kCount), is_json);
  EXPECT_LE(more, 4 * least * 3 / 2);
  EXPECT_LE(most, 16 * least * 3 / 2);
}

TEST(GrowthTest, NativeSyntax) {
  for (const Family& family : kNative) CheckGrowth(family, false);
}

TEST(GrowthTest, JsonSyntax) {
  for (const Family& family : kJson) CheckGrowth(family, true);
}

}  // namespace
}  // namespace hcl

// Spec files, by the types that they imply, and what is wrong with them.

#include "hclvm/decode/spec_file.h"

#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

// The type that the spec implies, its variables and functions; or the messages.
std::string Read(const std::string& text) {
  const auto source = std::make_shared<const Source>("spec", text);
  Diagnostics diagnostics;
  const std::unique_ptr<SpecFile> file = ReadSpecFile(source, {}, &diagnostics);
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    EXPECT_EQ(diagnostic.source, source.get());
    out += "!" + std::to_string(diagnostic.subject->begin) + " " + diagnostic.summary;
  }
  EXPECT_EQ(file == nullptr, diagnostics.has_errors());
  if (file == nullptr) return out;
  Heap heap;
  out += ToTypeSyntax(ImpliedType(*file->spec, &heap));
  for (const auto& [name, value] : file->variables) out += " " + name;
  if (file->functions != nullptr) {
    for (std::string_view name : file->functions->Names()) out += " " + std::string(name) + "()";
  }
  return out;
}

TEST(SpecFile, Types) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"attr {\n name = \"a\"\n}", "any"},
      {"attr {\n name = \"a\"\n type = list(string)\n required = true\n}", "list(string)"},
      {"object {\n attr \"a\" {\n type = string\n }\n literal \"b\" {\n value = upper(\"x\")\n }\n}",
       "object({a = string, b = string})"},
      {"array {\n literal {\n value = 1\n }\n literal {\n value = [true]\n }\n}", "tuple([number, tuple([bool])])"},
      {"object {\n attr \"e\u0301\" {\n name = \"x\"\n type = bool\n }\n}", "object({\u00e9 = bool})"},
      {"block {\n block_type = \"b\"\n object {}\n}", "object({})"},
      {"block_list {\n block_type = \"b\"\n min_items = 1\n object {}\n}", "list(object({}))"},
      {"block_set {\n block_type = \"b\"\n max_items = 1\n object {}\n}", "set(object({}))"},
      {"block_tuple {\n block_type = \"b\"\n object {}\n}", "any"},
      {"block_map {\n block_type = \"b\"\n labels = [\"x\", \"y\"]\n object {}\n}", "map(map(object({})))"},
      {"block_object {\n block_type = \"b\"\n labels = [\"x\"]\n object {}\n}", "any"},
      {"block_attrs {\n block_type = \"b\"\n element_type = bool\n}", "map(bool)"},
      {"block {\n block_type = \"b\"\n label {\n name = \"x\"\n }\n}", "string"},
      {"default {\n attr {\n name = \"a\"\n type = bool\n }\n literal {\n value = 1\n }\n}", "bool"},
      {"transform {\n attr {\n name = \"a\"\n type = number\n }\n result = [nested * 2]\n}", "tuple([number])"},
      {"variables {\n x = 1\n}\nfunction \"f\" {\n params = []\n result = 1\n}\nliteral {\n value = 1\n}",
       "number x f()"},
      {"default {\n literal {\n value = 1\n }\n}", "!11 Useless default blocknumber"},
      {"object {\n default \"a\" {\n literal {\n value = 1\n }\n }\n}",
       "!25 Useless default blockobject({a = number})"},
      {"array {\n default {\n default {\n literal {\n value = 1\n }\n }\n }\n}",
       "!31 Useless default block!20 Useless default blocktuple([number])"},
      {"block {\n block_type = \"b\"\n default {\n literal {\n value = 1\n }\n }\n}",
       "!38 Useless default blocknumber"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Read(c.text), c.want) << c.text;
}

TEST(SpecFile, Mistakes) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"", "!0 Missing spec block"},
      {"a = ", "!4 Missing expression"},
      {"a = 1", "!0 Unsupported argument"},
      {"object {}\nobject {}", "!10 Extraneous spec block"},
      {"attr {}", "!5 Missing name in attr spec"},
      {"block {\n object {}\n}", "!6 Missing block_type in block spec"},
      {"block {\n block_type = \"b\"\n}", "!6 Missing spec block"},
      {"attr \"a\" {}", "!5 Extraneous label for attr"},
      {"object {\n attr {}\n}", "!15 Missing key for attr"},
      {"attr {\n name = []\n}", "!15 Unsuitable value type"},
      {"attr {\n name = \"a\"\n type = x\n}", "!27 Invalid type specification"},
      {"block_list {\n block_type = \"b\"\n min_items = 1.5\n object {}\n}", "!44 Unsuitable value type"},
      {"block_map {\n block_type = \"b\"\n object {}\n}", "!10 Missing required argument"},
      {"block_map {\n block_type = \"b\"\n labels = []\n object {}\n}", "!10 Invalid block label name list"},
      {"block_map {\n block_type = \"b\"\n labels = [\"l\"]\n attr {\n name = \"a\"\n }\n}",
       "!10 Invalid block_map spec"},
      {"literal {}", "!8 Missing required argument"},
      {"literal {\n value = nosuch\n}", "!19 Unknown variable"},
      {"literal {\n value = startswith(\"a\", \"b\")\n}", "!19 Call to unknown function"},
      {"default {}", "!8 Missing spec block"},
      {"transform {\n result = 1\n}", "!10 Missing spec block"},
  };
  for (const auto& c : kCases) EXPECT_EQ(Read(c.text), c.want) << c.text;
}

}  // namespace
}  // namespace hcl

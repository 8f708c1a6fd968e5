// Code grows no faster than the text where forms stand in each other, whatever stands in what: forms by twos, in two
// depths. Fast code has the slow path behind it, and both have what is inside; that must not double with each level.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/program_tables.h"

namespace hcl {
namespace {

// What is inside stands for #.
constexpr std::string_view kForms[] = {
    "(#)",
    "!(#)",
    "1 + (#)",
    "a && (#)",
    "(#) || b",
    "(#) == a",
    "(#) == null",
    "(#) < 3",
    "\"-${#}\"",
    "\"%{if a == (#)}x%{else}${b}%{endif}\"",
    "\"%{for e in xs}${e}${#}%{endfor}\"",
    "a == 1 ? (#) : b",
    "(#) ? a : b",
    "a == (#) ? [\"-${a}\", \"x\"] : [\"${b}\"]",
    "a == 1 ? [\"-${b}\", \"x\"] : [\"-${#}\"]",
    "a == 1 ? [\"-${#}\"] : [\"${b}\", \"x\"]",
    "a == 1 ? {k = a} : {k = \"-${#}\", l = 2}",
    "a == 1 ? null : (#)",
    "[a, #]",
    "[a, #][0]",
    "[for e in xs : (#)]",
    "[for e in (#) : e]",
    "[for e in xs : e if a == (#)]",
    "[for e in [{c = a}, {c = (#)}] : e.c if e.c == b][0]",
    "{for k, v in xs : k => (#)}",
    "{for k, v in xs : v => (#)...}",
    "{k = (#), l = a}",
    "{k = (#), l = a}.k",
    "(#).c",
    "(#)[a]",
    "(#)[*].c",
    "slice((#), 0, 1)[0]",
    "slice((#), 0, 2)",
    "reverse(#)",
    "element((#), 1)",
    "split(\",\", (#))[0]",
    "{k = a, l = (#)}[b]",
    "{k = 1, l = 2}[#]",
    "lookup({k = a, l = b}, (#), xs)",
    "values({k = (#)})",
    "length(#)",
    "max(a, (#))",
    "upper(#)",
    "try((#), a)",
    "try((#).c, (#), a)",
    "can(#)",
    "alltrue([a == 1, (#)])",
    "anytrue([for e in xs : e == (#)])",
    "contains([a, b, (#)], a)",
    "contains(xs, (#))",
    "coalesce((#), a)",
    "lookup(m, (#), a)",
    "merge({c = a}, (#))",
    "join(\",\", [for e in xs : \"${e}${#}\"])",
    "strcontains(a, (#))",
    "concat([a], (#))",
    "flatten([for e in xs : (#)])",
    "flatten([for e in xs : [for f in (#) : f if f == e]])",
    "concat([a], b ? [1] : [2], flatten([(#)]))",
    "sum(concat([0], [for e in xs : (#)]))",
    "[for e in [(#)] : e == e][0]",
    "a.c == 1 ? a.c : (#)",
};

std::string Filled(std::string_view form, const std::string& inner) {
  std::string text;
  bool is_filled = false;
  for (const char c : form) {
    if (c != '#') {
      text += c;
    } else {
      text += is_filled ? "b" : inner;
      is_filled = true;
    }
  }
  return text;
}

std::string Nested(std::string_view outer, std::string_view inner, int depth) {
  std::string text = "a";
  for (int n = 0; n < depth; ++n) text = Filled(n % 2 == 0 ? inner : outer, text);
  return text;
}

size_t CodeOf(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("<test>", text);
  const std::shared_ptr<const Program> program = CompileExpression(source, options, &diagnostics);
  EXPECT_NE(program, nullptr) << text << "\n" << ToText(diagnostics, source.get());
  return program == nullptr ? 0 : internal::TablesOf(*program).code().size();
}

// Instructions for each byte of the text: what has no fast code as a whole has some for its parts, and so the
// proportion of one depth to another says less.
constexpr size_t kMostForByte = 2;

// What is nearest to the outside has several codes, so that proportion begins some levels deep.
TEST(NestingTest, CodeIsProportionalToTheText) {
  for (const std::string_view outer : kForms) {
    for (const std::string_view inner : kForms) {
      const std::string text = Nested(outer, inner, 24);
      const size_t least = CodeOf(Nested(outer, inner, 12));
      const size_t most = CodeOf(text);
      EXPECT_LE(most, std::max(3 * least, kMostForByte * text.size()))
          << outer << " of " << inner << ": " << least << " instructions";
    }
  }
}

}  // namespace
}  // namespace hcl

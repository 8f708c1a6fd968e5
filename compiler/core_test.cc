// Source to the printed Core, with a row for each rule, and that forms of one meaning have one Core.

#include "hclvm/compiler/core.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/bind.h"
#include "hclvm/compiler/bound_tree.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/core_lowering.h"
#include "hclvm/compiler/folding.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program_builder.h"

namespace hcl::internal {
namespace {

// The Core of an expression; "none" where there is none.
std::string CoreOf(const std::string& text) {
  CompileOptions options;
  options.functions = StandardFunctions();
  const auto source = std::make_shared<const Source>("<test>", text);
  Diagnostics diagnostics;
  ProgramBuilder builder(source, options.functions, options.dialect, options.limits);
  Folding folding(options.limits, &builder);
  Binder binder(options, &builder, &folding, &diagnostics);
  const std::unique_ptr<ParsedFile> file = ParseExpression(*source, {}, &diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << text;
  Arena arena;
  CoreTree tree(&arena);
  const CoreNode* const core = [&] {
    const BoundTree& bound = binder.Bind(*file->expr);
    return CoreLowering(&tree, bound, &binder, /*functions=*/nullptr).Lower(bound.root());
  }();
  return core == nullptr ? "none" : PrintCore(*core);
}

struct Row {
  const char* source;
  const char* want;
};

TEST(CoreTest, Lowers) {
  const Row kRows[] = {
      {"lookup({a = {p = u == 1, q = v}}, \"a\", 1).q", "need(need(v equal(u 1) check(v)) u v)"},
      {"a.b[0].c", "a.b[0].c"},
      {"a[b]", "index(a b)"},
      {"a + b - c", "subtract(add(a b) c)"},
      {"element(split(\".\", a), length(split(\".\", a)) - 1)", "piece(\".\" a)"},
      {"split(\".\", a)[length(split(\".\", a)) - 1]", "piece(\".\" a)"},
      {"length(regexall(\"(?i)x\", a)) > 0", "need(can(regex(\"(?i)x\" a)) check(a))"},
      {"0 == length(regexall(\"x$\", a))", "not(suffix(a \"x\"))"},
      {"length(regexall(\"(?P<x>a)|(b)\", a)) > 0", "less(0 length(regexall(\"(?P<x>a)|(b)\" a)))"},
      {"length(regexall(\"(\", a)) > 0", "less(0 length(regexall(\"(\" a)))"},
      {"a > b", "less(b a)"},
      {"a >= b", "not(less(a b))"},
      {"a != b", "not(equal(a b))"},
      {"a / b > 1", "less(1 ratio(a b))"},
      {"a / b", "divide(a b)"},
      {"floor(a / b)", "floor(ratio(a b))"},
      {"a && b && c", "all(a all(b c))"},
      {"(a || b) || c", "any(a any(b c))"},
      {"a == 1 ? \"x\" : \"y\"", "if(equal(a 1) \"x\" \"y\")"},
      {"a ? b : c.d", "choice(a b c.d)"},
      {"try(a.b, 1)", "try(a.b 1)"},
      {"try(try(a.b, a.c), 1)", "try(a.b a.c 1)"},
      {"can(a.b)", "can(a.b)"},
      {"upper(a)", "upper(a)"},
      {"startswith(a, \"x\")", "prefix(a \"x\")"},
      {"contains(a, b)", "has(a b)"},
      {"contains([\"x\", \"y\"], a)", "in(a)"},
      {"lookup(a, \"k\", 1)", "lookup(a \"k\" 1)"},
      {"length(a)", "length(a)"},
      // Texts side by side are one, and texts around a choice are part of it.
      {"\"a${\"b\"}${c}${\"d${e}\"}f\"", "text(\"ab\" c \"d\" e \"f\")"},
      {"\"<${a == 1 ? \"x\" : \"y\"}>${b}\"", "text(if(equal(a 1) \"<x>\" \"<y>\") b)"},
      // Loops are producers, and what is made of these.
      {"anytrue([for r in rules : r.on])", "any_of(items(rules yield(e0.on)))"},
      {"sum([for k, v in a : v if k != \"x\"])", "sum(items(a guard(not(equal(k0 \"x\")) yield(e0))))"},
      {"alltrue([a, b == 1])", "all_of(seq(yield(a) yield(equal(b 1))))"},
      {"length([for x in [for y in a : y.n if y.on] : x if x > 2])",
       "count(items(a guard(e0.on guard(less(2 e0.n) yield(e0.n)))))"},
      // A list in the text is unrolled, and its elements are not made.
      {"anytrue([for p in [\"/a\", \"/b\"] : startswith(s, p)])",
       "any_of(seq(yield(prefix(s \"/a\")) yield(prefix(s \"/b\"))))"},
      {"[for r in [{w = a.x == 1, v = b}, {w = true, v = \"more\"}] : r.v if r.w][0]",
       "first(need(guard(equal(a.x 1) yield(b)) b) \"more\")"},
      {"[for x in [a.b] : x + x][0]", "add(a.b a.b)"},
      // Texts are joined as they are made, also those of a template's loop.
      {"join(\",\", [for x in a : \"<${x}>\"])", "joined(items(a yield(text(\"<\" e0 \">\"))) \",\")"},
      {"\"%{ for x in a }${x},%{ endfor }\"", "joined(items(a yield(text(e0 \",\"))) \"\")"},
      {"join(\"-\", concat([for x in a : x], [b]))", "joined(seq(items(a yield(e0)) yield(b)) \"-\")"},
      // Of what is put together in the text, a part is taken; the others have to be there.
      {"{x = a.b, y = c.d}.x == 2", "equal(need(a.b c.d) 2)"},
      {"[a.b, 1][0] + 1", "add(a.b 1)"},
      // A constant that decides stands behind what is looked at all the same.
      {"true || a.b || c", "any(a.b any(c true))"},
      {"false && a == 1", "all(equal(a 1) false)"},
      // An element whose place the filter names.
      {"[for i, x in a.b : x if i == 2][0]", "need(a.b[2] check(a.b))"},
      {"[for i, p in split(\"/\", a) : p if i == 1][0]", "piece(\"/\" a)"},
      // Branches whose types the text tells, and does not tell.
      {"a ? b : 1", "need(if(a typed(b null) 1) check(b))"},
      {"a ? b : c ? d : e", "need(if(a typed(b) if(c typed(d) typed(e))) meet(b d e))"},
      {"a ? b + 1 : \"x\"", "choice(a add(b 1) \"x\")"},
      {"coalesce(a, 1)", "need(if(is_null(a) 1 a) check(a))"},
      // Lists are what gives their elements.
      {"[for x in a : x]", "list(items(a yield(e0)))"},
      {"concat([a], [for x in b : x.c])", "list(seq(yield(a) items(b yield(e0.c))))"},
      {"flatten([for x in a : [for y in x.b : y]])", "list(items(a items(e0.b spread(e1))))"},
      // A pattern that names a text is a test of the text.
      {"can(regex(\"^x\", a))", "exiting(prefix(a \"x\"))"},
      {"merge(a, {k = b}).k", "need(b check(b) check(a))"},
      // The rest is the slow path's.
      {"a[*].b == c", "equal(general c)"},
  };
  for (const Row& row : kRows) EXPECT_EQ(CoreOf(row.source), row.want) << row.source;
}

struct RuleRow {
  const char* rule;
  const char* source;
  const char* want;
};

TEST(CoreTest, Rules) {
  const RuleRow kRows[] = {
      {"not_true", "alltrue([for x in [true] : !x])", "all_of(yield(false))"},
      {"not_false", "alltrue([for x in [false] : !x])", "all_of(yield(true))"},
      {"if_true", "[for x in [true] : x ? a == 1 : b == 1]", "tuple(equal(a 1))"},
      {"if_false", "[for x in [false] : x ? a == 1 : b == 1]", "tuple(equal(b 1))"},
      {"same_constants", "[for x in [\"s\"] : x == \"s\"]", "[true]"},
      {"other_constants", "[for x in [\"s\"] : x == \"t\"]", "[false]"},
      {"less_constants", "[for x in [1] : x < 2]", "[true]"},
      {"more_constants", "[for x in [3] : x < 2]", "[false]"},
      {"constant_is_null", "[for x in [null] : x == null]", "[true]"},
      {"constant_is_not_null", "[for x in [1] : x == null]", "[false]"},
      {"guard_true", "[for x in [1] : a if x == 1]", "tuple(a)"},
      {"guard_false", "[for x in [1, 2] : a if x == 1]", "tuple(a)"},
      {"not_not", "!!(a == 1)", "equal(a 1)"},
      {"not_if_else", "!(a ? true : false)", "if(a false true)"},
      {"if_true_else_false", "a == 1 ? true : false", "equal(a 1)"},
      {"if_false_else_true", "a == 1 ? false : true", "not(equal(a 1))"},
      {"if_not", "a != 1 ? \"x\" : \"y\"", "if(equal(a 1) \"y\" \"x\")"},
      {"if_twice", "a == 1 ? (a == 1 ? \"x\" : \"y\") : \"z\"", "if(equal(a 1) \"x\" \"z\")"},
      {"if_twice_else", "a == 1 ? \"x\" : (a == 1 ? \"y\" : \"z\")", "if(equal(a 1) \"x\" \"z\")"},
      {"null_else", "(a == 1 ? \"x\" : null) == null", "not(equal(a 1))"},
      {"null_if", "(a == 1 ? null : \"x\") == null", "equal(a 1)"},
      {"null_default", "coalesce(lookup({a = \"x\"}, b, null), \"z\")",
       "need(if(equal(b \"a\") \"x\" \"z\") check(b))"},
      {"equal_true", "(a == 1) == true", "equal(a 1)"},
      {"equal_false", "(a == 1) == false", "not(equal(a 1))"},
      {"can_else", "(can(a.b) ? a.b : 1) + c", "add(try(a.b 1) c)"},
      {"call_twice", "lower(lower(a))", "lower(a)"},
      {"text_of_text", "tostring(\"${a}-${b}\")", "text(a \"-\" b)"},
      {"typed", "a ? {k = 1}[b] : (c ? d : e)",
       "need(if(a index({\"k\":1} b) if(c typed(d) typed(e))) meet(index({\"k\":1} b) d e))"},
      {"typed_as", "contains([\"a\", \"b\"], c) ? {a = \"x\"}[c] : \"z\"", "if(in(c) index({\"a\":\"x\"} c) \"z\")"},
      {"text_true", "tostring(a == 1) == \"true\"", "equal(a 1)"},
      {"text_false", "tostring(a == 1) == \"false\"", "not(equal(a 1))"},
      {"substr_prefix", "substr(a, 0, 2) == \"he\"", "if(prefix(a \"he\") need(true check(a)) false)"},
      {"contains_key", "contains([for k, v in a : k], b)", "exiting(has_key(a b))"},
      {"equal_constant", "1 == a", "equal(a 1)"},
      {"equal_null", "null == a", "is_null(a)"},
      {"equal_other_kind", "(a == 1) != \"s\"", "not(need(false equal(a 1)))"},
      {"add_negative", "a + -b", "subtract(a b)"},
      {"negative_add", "-a + b", "subtract(b a)"},
      {"subtract_negative", "a - -b", "add(a b)"},
      {"all_all", "(a && b) && c", "all(a all(b c))"},
      {"any_any", "(a || b) || c", "any(a any(b c))"},
      {"equal_is_whole", "[for v in a : v if v == b] != []", "search(a b)"},
      {"any_equal", "anytrue([for v in a : v == b])", "search(a b)"},
      {"any_equal_to", "anytrue([for v in a : b == v])", "search(a b)"},
      {"all_different", "alltrue([for v in a : v != b])", "not(search(a b))"},
      {"all_different_from", "alltrue([for v in a : b != v])", "not(search(a b))"},
      {"contains_true", "contains([for v in a : v == b], true)", "search(a b)"},
      {"contains_false", "contains([for v in a : v == b], false)", "not(all_of(items(a yield(equal(e0 b)))))"},
      {"contains_element", "contains([for v in a : v], b)", "search(a b)"},
      {"more_than_none", "length([for v in a : v if v]) > 0", "not(equal(count(items(a guard(e0 yield(e0)))) 0))"},
      {"less_than_one", "length([for v in a : v if v]) < 1", "equal(count(items(a guard(e0 yield(e0)))) 0)"},
      {"counts_equal", "length([for v in a : v if v == b]) > 0", "search(a b)"},
      {"counts_equal_to", "length([for v in a : 1 if b == v]) == 0", "not(search(a b))"},
      {"no_condition", "length([for x in [\"a\", \"b\"] : x if x == c]) > 0", "any(equal(c \"a\") equal(c \"b\"))"},
      {"all_of_chain", "alltrue([a != \"x\", a != \"y\"])", "all(not(equal(a \"x\")) not(equal(a \"y\")))"},
      {"any_of_chain", "anytrue([a == \"x\", a == \"y\"])", "any(equal(a \"x\") equal(a \"y\"))"},
      {"any_key", "anytrue([for k, v in a : k == b])", "exiting(has_key(a b))"},
      {"any_key_of", "anytrue([for k in keys(a) : b == k])", "exiting(has_key(a b))"},
      {"all_other_keys", "alltrue([for k, v in a : k != b])", "not(exiting(has_key(a b)))"},
      {"counts_key", "length([for k in keys(a) : k if k == b]) == 0", "not(exiting(has_key(a b)))"},
      {"contains_repeated", "[for x in a : x.m if contains([for y in b : y.i], x.m)]",
       "list(items(a guard(has(list(items(b yield(e1.i))) e0.m) yield(e0.m))))"},
      {"any_equal_repeated", "[for x in a : x.m if anytrue([for y in b : y.i == x.m if y.on])]",
       "list(items(a guard(exiting(has(list(items(b guard(e1.on yield(e1.i)))) e0.m)) yield(e0.m))))"},
      {"all_different_repeated", "[for x in a : x.m if alltrue([for y in b : x.m != y.i])]",
       "list(items(a guard(not(exiting(has(list(items(b yield(e1.i))) e0.m))) yield(e0.m))))"},
      {"count_pieces", "length(split(\",\", a)) > 2", "less(2 pieces(\",\" a))"},
      {"has_piece", "contains(split(\",\", a), b)", "has_piece(\",\" a b)"},
      {"search_piece", "anytrue([for x in split(\",\", a) : x == b])", "exiting(has_piece(\",\" a b))"},
      {"seq_one", "anytrue([a == b])", "any_of(yield(equal(a b)))"},
  };
  std::vector<std::string_view> rules;
#define RULE(name, pattern, replacement, condition) rules.push_back(#name);
#include "hclvm/compiler/rules.def"
#undef RULE
  for (const std::string_view rule : rules) {
    EXPECT_TRUE(std::any_of(std::begin(kRows), std::end(kRows), [&](const RuleRow& row) { return row.rule == rule; }))
        << rule << " has no row";
  }
  for (const RuleRow& row : kRows) EXPECT_EQ(CoreOf(row.source), row.want) << row.rule << ": " << row.source;
}

// A search whose needle changes with the element, or that names keys, is a loop.
TEST(CoreTest, RulesAskTheirConditions) {
  const Row kRows[] = {
      {"anytrue([for v in a : v == v.x])", "any_of(items(a yield(equal(e0 e0.x))))"},
      {"anytrue([for k, v in a : v == b])", "any_of(items(a yield(equal(e0 b))))"},
      {"a ? true : false", "if(a true false)"},
      {"a == true", "equal(a true)"},
      {"strrev(strrev(a))", "strrev(strrev(a))"},
      {"tostring(a) == \"true\"", "equal(tostring(a) \"true\")"},
      {"substr(a, 0, 3) == \"he\"", "equal(substr(a 0 3) \"he\")"},
      {"substr(a, 0, 1) == \"\u00e9\"", "equal(substr(a 0 1) \"\u00e9\")"},
  };
  for (const Row& row : kRows) EXPECT_EQ(CoreOf(row.source), row.want) << row.source;
}

// A value of which each level has two: what has to be there would be asked for 2^26 times.
TEST(CoreTest, LeavesWhatGrowsWithEachLevel) {
  std::string text = "v26 == 1";
  for (int n = 26; n > 0; --n) {
    const std::string inner = absl::StrCat("v", n - 1);
    text = absl::StrCat("[for v", n, " in [[", inner, ", ", inner, "]] : ", text, "][0]");
  }
  EXPECT_EQ(CoreOf(text), "general");
}

// Each slice asks for a piece and for its last one: both of the one inside would be asked for 2^40 times.
TEST(CoreTest, AsksOnceForThePiecesOfSlicesInSlices) {
  std::string text = "split(\",\", a)";
  for (int n = 0; n < 40; ++n) text = absl::StrCat("slice(", text, ", 0, 1)");
  EXPECT_EQ(CoreOf(text + "[0]"), "piece(\",\" a)");
}

TEST(CoreTest, FormsOfOneMeaningAreOne) {
  const std::vector<const char*> kGroups[] = {
      {"a.x == 1", "1 == a.x", "!(a.x != 1)", "a.x == 1 ? true : false", "(a.x == 1) == true", "!!(a.x == 1)"},
      {"a > b", "b < a", "!(a <= b)", "!(b >= a)"},
      {"a - b", "a + -b", "-b + a"},
      {"{x = a.b, y = 1}.x == 2", "a.b == 2"},
      {"a ? b == 1 : false", "a ? b == 1 : !true"},
  };
  for (const auto& group : kGroups) {
    for (const char* form : group) EXPECT_EQ(CoreOf(form), CoreOf(group[0])) << form << " and " << group[0];
  }
}

}  // namespace
}  // namespace hcl::internal

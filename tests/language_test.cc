// The language, source to printed result. Variables are those of tests/conformance/variables.json.

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

using testing_support::Harness;

struct Row {
  const char* source;
  const char* want;
};

void Check(const Row* begin, const Row* end) {
  Harness optimized;
  CompileOptions plain;
  plain.optimize = false;
  Harness unoptimized(plain);
  for (const Row* row = begin; row != end; ++row) {
    EXPECT_EQ(optimized.Eval(row->source), row->want) << row->source;
    EXPECT_EQ(unoptimized.Eval(row->source), row->want) << row->source << " (not optimized)";
  }
}
template <size_t N>
void Check(const Row (&rows)[N]) {
  Check(rows, rows + N);
}

TEST(LanguageTest, Operators) {
  const Row kRows[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 - 2 - 1", "4"},
      {"0.1 + 0.2 == 0.3", "true"},
      {"9223372036854775807 + 1", "9223372036854775808"},
      {"9223372036854775807 * 9223372036854775807", "85070591730234615847396907784232501249"},
      {"-7 % 3", "-1"},
      {"7 % -3", "1"},
      {"1 / 4", "0.25"},
      {"1 / 0 > 5", "true"},
      {"0 / 0", "error 0-5 Operation failed"},
      {"5 % 0", "error 0-5 Operation failed"},
      {"\"3\" + 4", "7"},
      {"s + 1", "error 0-1 Invalid operand"},
      {"s + t", "error 0-1 Invalid operand; error 4-5 Invalid operand"},
      {"nulln + 1", "error 0-9 Operation failed"},
      {"un + 1", "{\"$unknown\":\"number\"}"},
      {"dyn + 1", "{\"$unknown\":\"number\"}"},
      {"un < 3", "{\"$unknown\":\"bool\"}"},
      {"!true", "false"},
      {"!\"false\"", "true"},
      {"-num", "-12"},
      {"--i", "7"},
      {"-[]", "error 1-3 Invalid operand"},
      {"1 == \"1\"", "false"},
      {"[1, [2]] == [1, [2]]", "true"},
      {"[1, un] == [2, un]", "false"},
      {"null == nulls", "true"},
      {"{a = 1} != {a = 1}", "false"},
      {"1 < 2 && 2 < 3", "true"},
      {"1 > 2 || 2 > 3", "false"},
      {"u.name == \"a\" || contains([\"b\"], u.name) || startswith(u.name, \"c\") || u.name != \"d\"", "true"},
      {"[for x in us : x.name if u.name != x.name || us[0].name == x.name && u.name == us[0].name]",
       "[\"ann\",\"bob\",\"cy\"]"},
  };
  Check(kRows);
}

TEST(LanguageTest, LogicDropsTheErrorsOfASideThatIsNotNeeded) {
  const Row kRows[] = {
      {"false && nosuch", "false"},
      {"nosuch && false", "false"},
      {"true || nosuch", "true"},
      {"nosuch || true", "true"},
      {"true && nosuch", "error 8-14 Unknown variable"},
      {"nosuch && other", "error 0-6 Unknown variable; error 10-15 Unknown variable"},
      {"false && u.nosuch", "false"},
      {"false && u.nosuch == 1", "false"},
      {"u.nosuch == 1 && false", "false"},
      {"(true && nosuch) || true", "true"},
      // A side that cannot become a bool is an error even when it is not needed.
      {"false && []", "error 9-11 Invalid operand"},
      {"true || {}", "error 8-10 Invalid operand"},
      {"no && ln", "error 6-8 Invalid operand"},
      {"ub && false", "false"},
      {"false && ub", "false"},
      {"true || ub", "true"},
      {"true && ub", "{\"$unknown\":\"bool\"}"},
      {"false && dyn", "false"},
      {"tr && null", "false"},
      {"null || true", "true"},
      {"null || false", "error 0-13 Operation failed"},
      {"yes && no && yes", "false"},
      {"no || no || \"true\"", "true"},
  };
  Check(kRows);
}

TEST(LanguageTest, Conditionals) {
  const Row kRows[] = {
      {"true ? 1 : 2", "1"},
      {"no ? 1 : 2", "2"},
      {"true ? 1 : \"a\"", "\"1\""},
      {"yes ? i : s", "\"7\""},
      {"true ? 1 : nosuch", "1"},
      {"false ? nosuch : \"x\"", "\"x\""},
      {"true ? nosuch : 1", "error 7-13 Unknown variable"},
      {"true ? nosuch : other", "error 7-13 Unknown variable"},
      {"false ? nosuch : other", "error 17-22 Unknown variable"},
      {"nosuch ? other : i", "error 0-6 Unknown variable"},
      {"ub ? nosuch : i", "{\"$unknown\":\"dynamic\"}"},
      {"ub ? 1 : 2", "{\"$unknown\":\"number\"}"},
      {"ub ? i : s", "{\"$unknown\":\"string\"}"},
      {"(ub ? 2 : 3) > 9", "{\"$unknown\":\"bool\"}"},
      // A branch that fails still has the type that its form gives away.
      {"ub ? nosuch + 1 : i", "{\"$unknown\":\"number\"}"},
      {"ub ? i : s - 1", "{\"$unknown\":\"number\"}"},
      {"ub ? \"a${nosuch}\" : i", "{\"$unknown\":\"string\"}"},
      {"ub ? upper(nosuch) : i", "{\"$unknown\":\"string\"}"},
      {"no ? 1 + nosuch : []", "[]"},
      {"nosuch ? 1 + other : []", "error 0-6 Unknown variable"},
      {"dyn ? 1 : 2", "{\"$unknown\":\"number\"}"},
      {"null ? 1 : 2", "error 0-4 Null condition"},
      {"[] ? 1 : 2", "error 0-2 Incorrect condition type"},
      {"\"true\" ? 1 : 2", "1"},
      {"true ? 1 : []", "error 7-13 Inconsistent conditional result types"},
      {"yes ? null : 3", "null"},
      {"no ? null : 3", "3"},
      {"yes ? (no ? 1 : 2) : 3", "2"},
      {"length(ls) > 5 ? ls[5] : \"none\"", "\"none\""},
  };
  Check(kRows);
}

TEST(LanguageTest, Traversals) {
  const Row kRows[] = {
      {"u.name", "\"ann\""},
      {"u[\"name\"]", "\"ann\""},
      {"us[1].name", "\"bob\""},
      {"us.1.name", "\"bob\""},
      {"us[i - 6].name", "\"bob\""},
      {"o.c[1]", "true"},
      {"ms[\"c-d\"]", "\"x\""},
      {"ms.a", "\"1\""},
      {"u.nmae", "error 1-6 Unsupported attribute"},
      {"ms.zz", "error 2-5 Missing map element"},
      {"ls[3]", "error 2-5 Invalid index"},
      {"ls[-1]", "error 2-6 Invalid index"},
      {"ls[0.5]", "error 2-7 Invalid index"},
      {"ls[\"1\"]", "\"a\""},
      {"ss[0]", "error 2-5 Invalid index"},
      {"nul.a", "error 3-5 Attempt to get attribute from null value"},
      {"nulll[0]", "error 5-8 Attempt to index null value"},
      {"dyn.a.b[3]", "{\"$unknown\":\"dynamic\"}"},
      {"uo.a", "{\"$unknown\":\"number\"}"},
      {"uo.zz", "error 2-5 Unsupported attribute"},
      {"ul[0]", "{\"$unknown\":\"number\"}"},
      {"lu[1]", "{\"$unknown\":\"number\"}"},
      {"lu[2]", "3"},
      {"{a = {b = 5}}.a.b", "5"},
      {"[1, 2, 3][1]", "2"},
      {"nosuch.a.b", "error 0-6 Unknown variable"},
  };
  Check(kRows);
}

TEST(LanguageTest, Splats) {
  const Row kRows[] = {
      {"us[*].name", "[\"ann\",\"bob\",\"cy\"]"},
      {"us.*.name", "[\"ann\",\"bob\",\"cy\"]"},
      {"us.*.tags[0]", "[\"x\",\"y\"]"},
      {"[{a = [1]}, {a = [2]}][*].a[0]", "[1,2]"},
      {"i[*]", "[7]"},
      {"u.*.name", "[\"ann\"]"},
      {"null[*]", "[]"},
      {"nulll[*]", "error 0-5 Splat of null value"},
      {"dyn[*]", "{\"$unknown\":\"dynamic\"}"},
      {"ul[*]", "{\"$unknown\":[\"list\",\"number\"]}"},
      {"ut[*]", "{\"$unknown\":[\"tuple\",[\"number\",\"string\"]]}"},
      {"le[*]", "[]"},
      {"us[*].nosuch", "error 5-12 Unsupported attribute"},
  };
  Check(kRows);
}

TEST(LanguageTest, Constructors) {
  const Row kRows[] = {
      {"[]", "[]"},
      {"[1, i, \"x\"]", "[1,7,\"x\"]"},
      {"[i, 1, i]", "[7,1,7]"},
      {"{}", "{}"},
      {"{b = 1, a = i}", "{\"a\":7,\"b\":1}"},
      {"{a = 1, a = 2}", "{\"a\":2}"},
      {"{(s) = 1}", "{\"hello\":1}"},
      {"{\"${s}-x\" = 1}", "{\"hello-x\":1}"},
      {"{1 = \"a\"}", "{\"1\":\"a\"}"},
      {"{(nul) = 1}", "error 9-10 Null value as key"},
      {"{([]) = 1}", "error 1-5 Incorrect key type"},
      {"{(ust) = 1}", "{\"$unknown\":\"dynamic\"}"},
      {"{u.name = 1}", "error 1-7 Ambiguous attribute key"},
      {"{true = 1, null = 2}", "{\"null\":2,\"true\":1}"},
      {"[nosuch, other]", "error 1-7 Unknown variable; error 9-14 Unknown variable"},
      {"{a = nosuch}", "error 5-11 Unknown variable"},
  };
  Check(kRows);
}

TEST(LanguageTest, For) {
  const Row kRows[] = {
      {"[for v in [\"a\", \"b\"]: v]", "[\"a\",\"b\"]"},
      {"[for i, v in [\"a\", \"b\"]: i]", "[0,1]"},
      {"{for i, v in [\"a\", \"b\"]: v => i}", "{\"a\":0,\"b\":1}"},
      {"{for i, v in [\"a\", \"a\", \"b\"]: v => i}", "error 30-31 Duplicate object key"},
      {"{for i, v in [\"a\", \"a\", \"b\"]: v => i...}", "{\"a\":[0,1],\"b\":[2]}"},
      {"{for v in [\"c\", \"a\", \"b\", \"a\"]: v => 1}", "error 32-33 Duplicate object key"},
      {"[for i, v in [\"a\", \"b\", \"c\"]: v if i < 2]", "[\"a\",\"b\"]"},
      {"[for k, v in ms : \"${k}=${v}\"]", "[\"a=1\",\"b=two\",\"c-d=x\"]"},
      {"[for v in ss : upper(v)]", "[\"X\",\"Y\",\"Z\"]"},
      {"[for k, v in ss : k == v]", "[true,true,true]"},
      {"[for x in [[1, 2], [3]] : [for y in x : y * i]]", "[[7,14],[21]]"},
      {"[for x in null : x]", "error 10-14 Iteration over null value"},
      {"[for x in 5 : x]", "error 10-11 Iteration over non-iterable value"},
      {"[for x in dyn : x]", "{\"$unknown\":\"dynamic\"}"},
      {"[for x in [1] : x if null]", "error 21-25 Invalid 'for' condition"},
      {"[for x in [1] : x if []]", "error 21-23 Invalid 'for' condition"},
      {"[for x in [] : x if []]", "error 20-22 Invalid 'for' condition"},
      {"[for x in [] : x if nosuch]", "error 20-26 Unknown variable"},
      {"[for x in [] : nosuch]", "[]"},
      {"[for x in [1, 2] : nosuch]", "error 19-25 Unknown variable"},
      {"[for x in [1, 2] : x if ub]", "{\"$unknown\":\"dynamic\"}"},
      {"[for x in lu : x]", "[1,{\"$unknown\":\"number\"},3]"},
      {"{for x in [1, 2] : x => x}", "{\"1\":1,\"2\":2}"},
      {"{for x in [null] : x => x}", "error 19-20 Null value as key"},
      {"[for i in [1] : [for i in [2] : i]]", "[[2]]"},
      {"length([for x in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : x])", "12"},
  };
  Check(kRows);
}

TEST(LanguageTest, Templates) {
  const Row kRows[] = {
      {"\"\"", "\"\""},
      {"\"a${i}b\"", "\"a7b\""},
      {"\"${i}\"", "7"},
      {"\"${\"${true}\"}\"", "true"},
      {"\"${true}x\"", "\"truex\""},
      {"\"${\"\"}${true}\"", "\"true\""},
      {"\"${i > 5}, ${i / 4}${i < 5}${-i / 1000}; ${i / 4 + 100000000000000000}\"",
       "\"true, 1.75false-0.007; 100000000000000001.75\""},
      {"\"${i > 5}\\u0301 ${i / 4}\\u0301\"", "\"tru\u00e9 1.75\u0301\""},
      {"\"${i * 0.000000000000000000001}|${i * -0.00000000000000000001}\"",
       "\"0.000000000000000000007|-0.00000000000000000007\""},
      {"\"x ${~ \" y \" ~} z\"", "\"x y z\""},
      {"\"a${1 / 0}${-1 / 0}\"", "\"aInf-Inf\""},
      {"\"a${nul}\"", "error 4-7 Invalid template interpolation value"},
      {"\"${nul}${us[0].nosuch}\"",
       "error 3-6 Invalid template interpolation value; error 14-21 Unsupported attribute"},
      {"\"${nul}%{ for s in us }${s}%{ endfor }${[]}${nosuch}\"",
       "error 3-6 Invalid template interpolation value; error 25-26 Invalid template interpolation value; "
       "error 40-42 Invalid template interpolation value; error 45-51 Unknown variable"},
      {"\"a${[]}\"", "error 4-6 Invalid template interpolation value"},
      {"\"a${ust}\"", "{\"$unknown\":\"string\"}"},
      {"\"%{ if yes }y%{ else }n%{ endif }\"", "\"y\""},
      {"\"%{ if no }y%{ endif }\"", "\"\""},
      {"\"%{ if ub }y%{ endif }\"", "{\"$unknown\":\"string\"}"},
      {"\"%{ for x in ls }<${x}>%{ endfor }\"", "\"<b><a><c>\""},
      {"\"%{ for k, v in mn }${k}${v}%{ endfor }\"", "\"one1two2\""},
      {"\"%{ for x in dyn }${x}%{ endfor }\"", "{\"$unknown\":\"string\"}"},
      {"\"$${a} %%{b}\"", "\"${a} %{b}\""},
      {"\"e\\u0301\" == \"\\u00e9\"", "true"},
      {"\"${\"e\"}${\"\\u0301\"}\" == \"\\u00e9\"", "true"},
      {"[for x in [\"\\u0301\"] : \"e${x}\" == \"\\u00e9\"]", "[true]"},
      {"[for x in [\"e\"] : \"${x}${emp}\\u0301 ${x}\" == \"\\u00e9 e\"]", "[true]"},
      {"\"${i}${j}\"", "\"7-3\""},
      {"[for x in [-9223372036854775807 - 1, 9223372036854775807] : \"${x}${x}\"]",
       "[\"-9223372036854775808-9223372036854775808\",\"92233720368547758079223372036854775807\"]"},
      {"<<EOT\nline ${i}\nEOT\n", "\"line 7\\n\""},
      {"<<-EOT\n    a\n      b\n    EOT\n", "\"a\\n  b\\n\""},
  };
  Check(kRows);
}

// Strings are copied in different ways by their size.
TEST(LanguageTest, TemplatesJoinStringsOfAnySize) {
  Harness harness;
  for (size_t size = 0; size <= 70; ++size) {
    std::string text;
    while (text.size() < size) text.push_back(static_cast<char>('a' + text.size() % 26));
    EXPECT_EQ(harness.Eval("[for x in [\"" + text + "\"] : \"${x}${i}-${x}\"]"),
              absl::StrCat("[\"", text, "7-", text, "\"]"));
  }
}

TEST(LanguageTest, TemplatesConvertPartsAsTheDialectHasIt) {
  CompileOptions options;
  options.dialect = Dialect::kHashiCorp;
  Harness harness(options);
  EXPECT_EQ(harness.Eval("\"a${1 / 0}${-1 / 0}\""), "\"a+Inf-Inf\"");
  EXPECT_EQ(harness.Eval("tostring(1 / 0)"), "\"+Inf\"");
}

TEST(LanguageTest, Calls) {
  const Row kRows[] = {
      {"upper(\"abc\")", "\"ABC\""},
      {"upper(s)", "\"HELLO\""},
      {"upper(i)", "\"7\""},
      {"upper()", "error 6-7 Not enough function arguments"},
      {"upper(s, t)", "error 9-10 Too many function arguments"},
      {"upper([])", "error 6-7 Invalid function argument"},
      {"upper(null)", "error 6-10 Invalid function argument"},
      {"upper(ust)", "{\"$unknown\":\"string\"}"},
      {"upper(nosuch, t)", "error 14-15 Too many function arguments"},
      {"upper([], nosuch(1))", "error 10-17 Too many function arguments"},
      {"replace([], nosuch, {})",
       "error 8-9 Invalid function argument; error 12-18 Unknown variable; error 20-21 Invalid function argument"},
      {"try(max(nosuch, other...), 5)", "5"},
      {"try(max(nosuch, 1...), 5)", "5"},
      {"try(upper(nosuch, [1, 2]...), 5)", "5"},
      {"nosuch(1)", "error 0-6 Call to unknown function"},
      {"uper(s)", "error 0-4 Call to unknown function"},
      {"max(1, 5, 3)", "5"},
      {"max([1, 5, 3]...)", "5"},
      {"max(ln...)", "3"},
      {"max(ul...)", "{\"$unknown\":\"dynamic\"}"},
      {"max(5...)", "error 4-5 Invalid expanding argument value"},
      {"contains([\"a\", \"b\"], \"b\")", "true"},
      {"contains([\"hello\", \"b\"], s)", "true"},
      {"contains([1, 2], s)", "false"},
      {"contains([\"a\"], ust)", "{\"$unknown\":\"bool\"}"},
      {"contains([\"a\"], ust) == null", "false"},
      {"contains(ls, ust) == null", "false"},
      {"contains([\"a\"], nulls)", "false"},
      {"contains([\"a\"], nosuch)", "error 16-22 Unknown variable"},
      {"contains([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], i)", "true"},
      {"contains([1, 2, 3, 4, 5, 6, 8, 9, 10], i)", "false"},
      {"contains([\"a string over 14 bytes\", s], \"a string over 14 bytes\")", "true"},
      {"contains([\"a string over 14 bytes\"], \"${\"a string over \"}${\"14 bytes\"}\")", "true"},
      {"try(u.nosuch, u.name)", "\"ann\""},
      {"try(u.nosuch, 1)", "1"},
      {"try(u.nosuch)", "error 0-4 Error in function call"},
      {"try(nosuch(), 2)", "2"},
      {"try(u.nosuch, nosuch)", "error 0-4 Error in function call"},
      {"try(dyn.a, 1)", "{\"$unknown\":\"dynamic\"}"},
      {"can(u.name)", "true"},
      {"can(u.nosuch)", "false"},
      {"can(dyn.a)", "{\"$unknown\":\"bool\"}"},
      {"[can(u.nosuch), can(u.name), try(u.nosuch, 5)]", "[false,true,5]"},
      {"startswith(\"/admin/x\", \"/admin\") && endswith(s, \"lo\") && strcontains(s, \"ell\")", "true"},
      {"join(\",\", [for x in us : x.name])", "\"ann,bob,cy\""},
      {"merge({a = 1}, {b = 2}, {a = 3})", "{\"a\":3,\"b\":2}"},
      {"lookup({a = 1}, \"b\", 5)", "5"},
      {"coalesce(null, \"x\")", "\"x\""},
      {"tonumber(\"12\") + 1", "13"},
      {"length(us)", "3"},
  };
  Check(kRows);
}

TEST(LanguageTest, Configs) {
  Harness harness;
  const Row kRows[] = {
      {"", "{}"},
      {"a = 1\nb = i\n", "{\"a\":1,\"b\":7}"},
      {"x \"l\" {\n  a = 1\n}\n", "{\"x\":{\"l\":[{\"a\":1}]}}"},
      {"x {\n  a = 1\n}\nx {\n  a = 2\n}\n", "{\"x\":[{\"a\":1},{\"a\":2}]}"},
      {"x \"a\" \"b\" {}\nx \"a\" \"c\" { y = i }\nx \"d\" \"b\" {}\n",
       "{\"x\":{\"a\":{\"b\":[{}],\"c\":[{\"y\":7}]},\"d\":{\"b\":[{}]}}}"},
      {"x \"a\" { y = 1 }\nx { z = 2 }\n", "{\"x\":[{\"a\":{\"y\":1}},{\"z\":2}]}"},
      // Different numbers of labels make one object as long as no block's labels are the beginning of another's.
      {"p \"a\" {\n  x = 1\n}\np \"b\" \"c\" {\n  x = 2\n}\n", "{\"p\":{\"a\":[{\"x\":1}],\"b\":{\"c\":[{\"x\":2}]}}}"},
      {"p \"a\" { x = 1 }\np \"a\" \"b\" { x = 2 }\np \"c\" { x = 3 }\n",
       "{\"p\":{\"a\":[{\"x\":1},{\"b\":{\"x\":2}}],\"c\":[{\"x\":3}]}}"},
      {"x {\n  y \"k\" {\n    z = u.name\n  }\n}\n", "{\"x\":[{\"y\":{\"k\":[{\"z\":\"ann\"}]}}]}"},
      {"a = nosuch\nb = 1\nc = other\n", "error 4-10 Unknown variable; error 21-26 Unknown variable"},
      {"a = 1\na {\n}\n", "error 6-7 Attribute and block of the same name"},
      {"a = 1\na = 2\n", "error 6-7 Attribute redefined"},
      // Names that are equal when they are normalized are one name.
      {"\u00e9 = 1\ne\u0301 = 2\n", "error 7-10 Attribute redefined"},
      {"\u00e9 \"x\" {\n  a = 1\n}\ne\u0301 \"x\" {\n  a = 2\n}\n", "{\"\u00e9\":{\"x\":[{\"a\":1},{\"a\":2}]}}"},
      {"x \"\u00e9\" {\n  a = 1\n}\nx \"e\u0301\" {\n  a = 2\n}\n", "{\"x\":{\"\u00e9\":[{\"a\":1},{\"a\":2}]}}"},
      {"x \u00e9 {\n  a = 1\n}\nx \"e\\u0301\" {\n  a = 2\n}\n", "{\"x\":{\"\u00e9\":[{\"a\":1},{\"a\":2}]}}"},
      {"\u00e9 = 1\ne\u0301 {\n}\n", "error 7-10 Attribute and block of the same name"},
      {"a = [for \u00e9 in [1] : e\u0301]\n", "{\"a\":[1]}"},
      {"a = {\u00e9 = 1}.e\u0301\n", "{\"a\":1}"},
      {"a = {e\u0301 = 1}[\"\u00e9\"]\n", "{\"a\":1}"},
      // And Hangul, whose syllables are put together of letters.
      {"\uac00 = 1\n\u1100\u1161 = 2\n", "error 8-14 Attribute redefined"},
  };
  for (const Row& row : kRows) EXPECT_EQ(harness.EvalConfig(row.source), row.want) << row.source;
}

}  // namespace
}  // namespace hcl

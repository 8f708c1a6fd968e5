// Every example in the text of the specification: native-syntax.md, information-model.md, and what is native in
// json-syntax.md. The headings are those of the texts. Variables that an example mentions are defined by a 'for' around
// it.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/tests/support/harness.h"

namespace hcl {
namespace {

using testing_support::Harness;
using Variables = std::vector<std::pair<std::string, std::string>>;  // name and expression

class SpecExamplesTest : public testing::Test {
 protected:
  std::string Eval(const std::string& text) { return harness_.Eval(text); }
  std::string Template(const std::string& text) { return harness_.EvalTemplate(text); }

  // With variables, whose values are those of the first list of pairs.
  std::string Eval(std::string text, const Variables& variables) {
    for (const auto& [name, value] : variables) {
      text = absl::StrCat("[for ", name, " in [", value, "] : ", text, "][0]");
    }
    return harness_.Eval(text);
  }

  Harness harness_;
};

constexpr char kOk[] = "true";

TEST_F(SpecExamplesTest, OperatorsAndDelimiters) {
  const Variables ab = {{"a", "6"}, {"b", "3"}};
  for (const char* text :
       {"a + b == 9", "!(a == b)", "b < a", "true && !false", "a != b || false", "a > b ? true : false", "a * b == 18",
        "b <= a", "a / b == 2", "a >= b", "a % b == 0", "[a, b][0] == a", "{a = b}.a == b", "{a : b}.a == b",
        "(a) == a", "\"${a}%{ if true }x%{ endif }\" == \"6x\"", "{for k in [a] : k => b}[a] == b",
        "max([a, b]...) == a", "-a < b"}) {
    EXPECT_EQ(Eval(text, ab), kOk) << text;
  }
}

TEST_F(SpecExamplesTest, NumericLiterals) {
  EXPECT_EQ(Eval("[0, 12, 1.5, 1e3, 1E3, 1e+3, 1.5e-1]"), "[0,12,1.5,1000,1000,1000,0.15]");
}

TEST_F(SpecExamplesTest, AttributesAndBlocks) {
  EXPECT_EQ(harness_.EvalConfig("a = 1\n"), "{\"a\":1}");
  EXPECT_EQ(harness_.EvalConfig("block \"label\" naked {\n  a = 1\n}\n"),
            "{\"block\":{\"label\":{\"naked\":[{\"a\":1}]}}}");
  EXPECT_EQ(harness_.EvalConfig("block { a = 1 }\n"), "{\"block\":[{\"a\":1}]}");
  EXPECT_EQ(harness_.EvalConfig("block {}\n"), "{\"block\":[{}]}");
}

TEST_F(SpecExamplesTest, LiteralValues) { EXPECT_EQ(Eval("[true, false, null]"), "[true,false,null]"); }

TEST_F(SpecExamplesTest, CollectionValues) {
  const Variables foo = {{"foo", "\"key\""}};
  EXPECT_EQ(Eval("{foo = \"baz\"}", foo), "{\"foo\":\"baz\"}");
  EXPECT_EQ(Eval("{(foo) = \"baz\"}", foo), "{\"key\":\"baz\"}");
  const Variables names = {{"baz", "3"}, {"foo", "2"}, {"for", "1"}};
  EXPECT_EQ(Eval("[for, foo, baz]"), "error 4-5 Invalid 'for' expression");
  EXPECT_EQ(Eval("[(for), foo, baz]", names), "[1,2,3]");
  EXPECT_EQ(Eval("{for: 1, baz: 2}"), "error 4-5 Invalid 'for' expression");
  EXPECT_EQ(Eval("{(for): 1, baz: 2}", {{"for", "\"for\""}}), "{\"baz\":2,\"for\":1}");
  EXPECT_EQ(Eval("{baz: 2, for: 1}"), "{\"baz\":2,\"for\":1}");
}

TEST_F(SpecExamplesTest, TemplateExpressions) {
  EXPECT_EQ(Eval(R"("\n" == "\u000a")"), kOk);
  EXPECT_EQ(Eval(R"("\r" == "\u000D")"), kOk);
  EXPECT_EQ(Eval(R"("\t" == "\u0009")"), kOk);
  EXPECT_EQ(Eval(R"("\"" == "\u0022")"), kOk);
  EXPECT_EQ(Eval(R"("\\" == "\u005c")"), kOk);
  EXPECT_EQ(Eval(R"("\U0001f600")"), "\"\U0001F600\"");
  EXPECT_EQ(Eval("<<END\nhello\n  world\nEND\n"), "\"hello\\n  world\\n\"");
  EXPECT_EQ(Eval("<<-END\n  hello\n    world\n  END\n"), "\"hello\\n  world\\n\"");
}

TEST_F(SpecExamplesTest, ForExpressions) {
  EXPECT_EQ(Eval("[for v in [\"a\", \"b\"]: v]"), "[\"a\",\"b\"]");
  EXPECT_EQ(Eval("[for i, v in [\"a\", \"b\"]: i]"), "[0,1]");
  EXPECT_EQ(Eval("{for i, v in [\"a\", \"b\"]: v => i}"), Eval("{a = 0, b = 1}"));
  // The text's `k` is not defined; `v` is what its reason speaks of.
  EXPECT_EQ(Eval("{for i, v in [\"a\", \"a\", \"b\"]: k => v}").substr(0, 6), "error ");
  EXPECT_EQ(Eval("{for i, v in [\"a\", \"a\", \"b\"]: v => i}"), "error 30-31 Duplicate object key");
  EXPECT_EQ(Eval("{for i, v in [\"a\", \"a\", \"b\"]: v => i...}"), Eval("{a = [0, 1], b = [2]}"));
  EXPECT_EQ(Eval("[for i, v in [\"a\", \"b\", \"c\"]: v if i < 2]"), "[\"a\",\"b\"]");
}

TEST_F(SpecExamplesTest, LegacyIndex) {
  const Variables foo = {{"foo", "[[{bar = 1}]]"}};
  EXPECT_EQ(Eval("foo.0[0].bar", foo), "1");
  EXPECT_EQ(Eval("foo.0.0.bar"), "error 4-7 Invalid legacy index syntax");
}

TEST_F(SpecExamplesTest, SplatOperators) {
  const Variables tuple = {{"tuple", "[{foo = {bar = [1, 2]}}, {foo = {bar = [3, 4]}}]"}};
  EXPECT_EQ(Eval("tuple.*.foo.bar[0]", tuple), "[1,2]");
  EXPECT_EQ(Eval("[for v in tuple: v.foo.bar][0]", tuple), "[1,2]");
  EXPECT_EQ(Eval("tuple[*].foo.bar[0]", tuple), "[1,3]");
  EXPECT_EQ(Eval("[for v in tuple: v.foo.bar[0]]", tuple), "[1,3]");
  const Variables others = {{"any_object", "{id = 5}"}, {"any_number", "7"}};
  EXPECT_EQ(Eval("any_object.*.id", others), "[5]");
  EXPECT_EQ(Eval("[any_object.id]", others), "[5]");
  EXPECT_EQ(Eval("any_number.*", others), "[7]");
  EXPECT_EQ(Eval("[any_number]", others), "[7]");
}

TEST_F(SpecExamplesTest, Operations) {
  EXPECT_EQ(Eval("x / y * z == (x / y) * z", {{"x", "12"}, {"y", "2"}, {"z", "3"}}), kOk);
  EXPECT_EQ(Eval("x / y * z", {{"x", "12"}, {"y", "2"}, {"z", "3"}}), "18");
  for (const Variables& ab : {Variables{{"a", "1"}, {"b", "2"}}, Variables{{"a", "\"x\""}, {"b", "\"x\""}},
                              Variables{{"a", "null"}, {"b", "[1]"}}}) {
    EXPECT_EQ(Eval("(a == b) == !(a != b)", ab), kOk);
    EXPECT_EQ(Eval("(a == b) == (b == a)", ab), kOk);
  }
  const Variables numbers = {{"a", "7"}, {"b", "2"}};
  EXPECT_EQ(Eval("[a < b, a <= b, a > b, a >= b]", numbers), "[false,false,true,true]");
  EXPECT_EQ(Eval("[a + b, a - b, a * b, a / b, a % b, -a]", numbers), "[9,5,14,3.5,1,-7]");
  EXPECT_EQ(Eval("[a && b, a || b, !a]", {{"a", "true"}, {"b", "false"}}), "[false,true,false]");
}

TEST_F(SpecExamplesTest, ConditionalOperator) {
  const std::string text = "length(some_list) > 0 ? some_list[0] : default";
  EXPECT_EQ(Eval(text, {{"some_list", "[\"first\"]"}, {"default", "\"none\""}}), "\"first\"");
  EXPECT_EQ(Eval(text, {{"some_list", "[]"}, {"default", "\"none\""}}), "\"none\"");
}

TEST_F(SpecExamplesTest, TemplateLiterals) {
  EXPECT_EQ(Template("$${"), "\"${\"");
  EXPECT_EQ(Template("%%{"), "\"%{\"");
  EXPECT_EQ(Template("hello ${~ \"world\" }"), "\"helloworld\"");
  EXPECT_EQ(Template("%{ if true ~} hello %{~ endif }"), "\"hello\"");
  EXPECT_EQ(Template("${\"hello\" ~}${\" world\"}"), "\"hello world\"");
}

TEST_F(SpecExamplesTest, TemplateInterpolationUnwrapping) {
  EXPECT_EQ(Template("${true}"), "true");
  EXPECT_EQ(Template("${\"${true}\"}"), "true");
  EXPECT_EQ(Template("hello ${true}"), "\"hello true\"");
  EXPECT_EQ(Template("${\"\"}${true}"), "\"true\"");
  // The text ends this one with `endif`, which its own grammar does not allow.
  EXPECT_EQ(Template("%{ for v in [true] }${v}%{ endfor }"), "\"true\"");
  EXPECT_EQ(Template("%{ for v in [true] }${v}%{ endif }"), "error 24-34 Unexpected endif directive");
}

// information-model.md, "Type Conversions" and "Values".
TEST_F(SpecExamplesTest, PrimitiveTypeConversions) {
  EXPECT_EQ(Eval("[tobool(\"true\"), tobool(\"false\"), tobool(\"1\"), tobool(\"0\")]"), "[true,false,true,false]");
  EXPECT_EQ(Eval("[\"${\"\"}${true}\", tostring(false)]"), "[\"true\",\"false\"]");
  EXPECT_EQ(Eval("\"e\\u0301\" == \"\\u00e9\""), kOk);
}

// json-syntax.md: templates in strings, as full expression mode takes them.
TEST_F(SpecExamplesTest, TemplatesInJson) {
  EXPECT_EQ(
      Eval("\"Hello, ${name}! Template sequences are interpreted in full expression mode.\"", {{"name", "\"Ann\""}}),
      "\"Hello, Ann! Template sequences are interpreted in full expression mode.\"");
  EXPECT_EQ(Eval("\"${ a + b }\"", {{"a", "1"}, {"b", "2"}}), "3");
  EXPECT_EQ(Template("Hello world! Template sequences like ${ are not intepreted here.").substr(0, 6), "error ");
}

}  // namespace
}  // namespace hcl

// The values that messages of evaluations show: expression to "name is text" of the first diagnostic.

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/compiler/compiler.h"
#include "hclvm/compiler/json_compiler.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/marks.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

class InvolvedValuesTest : public testing::Test {
 protected:
  InvolvedValuesTest() {
    Arena* arena = heap_.arena();
    const Value secret = Mark(Value::StringView("hunter2"), 1, arena);
    const KeyValue user[] = {{Value::StringView("age"), Value::Int(30)}, {Value::StringView("token"), secret}};
    const KeyValue plain[] = {{Value::StringView("a"), Value::Null()}, {Value::StringView("b"), Value::Int(-2)}};
    long_text_ = std::string(58, 'x') + "\xC3\xA9\xC3\xA9\xC3\xA9";
    Value many[100];
    for (Value& item : many) item = Value::Int(123456789);
    const KeyValue variables[] = {
        {Value::StringView("secret"), secret},
        {Value::StringView("user"), MakeObject(user, arena)},
        {Value::StringView("vault"), Mark(MakeObject(user, arena), 1, arena)},
        {Value::StringView("plain"), MakeObject(plain, arena)},
        {Value::StringView("text"), Value::StringView("a \"b\"\n")},
        {Value::StringView("long"), Value::StringView(long_text_)},
        {Value::StringView("list"), MakeList(Type::Number(), many, arena)},
        {Value::StringView("tuple"), MakeTuple(many, arena)},
        {Value::StringView("pair"), MakeTuple({Value::Bool(true), Value::Unknown(Type::String())}, arena)},
        {Value::StringView("nothing"), Value::Null()},
        {Value::StringView("later"), Value::Unknown(Type::String())},
        {Value::StringView("whatever"), Value::Dynamic()},
    };
    scope_ = MakeObject(variables, arena);
  }

  std::string First(const std::shared_ptr<const Program>& program) {
    if (program == nullptr) return "does not compile";
    Evaluator evaluator(program);
    evaluator.BindAll(scope_);
    const Evaluation& evaluation = evaluator.Run();
    if (evaluation.ok()) return "fine";
    std::string out;
    for (const NamedValue& value : evaluation.diagnostics().kept()[0].values) {
      out.append(out.empty() ? "" : "; ").append(value.name).append(" is ").append(value.text);
    }
    return out;
  }

  std::shared_ptr<const Source> SourceOf(const std::string& text) {
    return std::make_shared<const Source>("<test>", text);
  }

  std::string Eval(const std::string& text, bool optimize = true) {
    CompileOptions options;
    options.functions = StandardFunctions();
    options.optimize = optimize;
    Diagnostics diagnostics;
    return First(CompileExpression(SourceOf(text), options, &diagnostics));
  }

  Heap heap_;
  std::string long_text_;
  Value scope_;
};

TEST_F(InvolvedValuesTest, Values) {
  const struct {
    const char* source;
    const char* values;
  } kCases[] = {
      {"plain.b + 1", "fine"},
      {"text + 1", R"(text is "a \"b\"\n")"},
      {"nothing + 1", "nothing is null"},
      {"plain.a.c", "plain.a is null"},
      {"plain.c", "plain is {a = null, b = -2}"},
      {"plain[later].c.d", "fine"},
      {"plain[\"b\"][\"c\"]", "plain[\"b\"] is -2"},
      {"pair[0].x", "pair[0] is true"},
      {"pair[2]", "pair is [true, (unknown)]"},
      {"later[0]", "later is an unknown string"},
      {"pair[whatever] + text", R"(text is "a \"b\"\n")"},
      {"list.x", "list is a list of number with 100 elements"},
      {"list[2].x", "list[2] is 123456789"},
      {"tuple.x", "tuple is a tuple with 100 elements"},
      {"long - 1", "long is \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xC3\xA9\" and 4 bytes more"},
      // Operands: those of the failing side.
      {"plain.b * text", R"(text is "a \"b\"\n")"},
      {"(plain.b + nothing) * 2", "plain.b is -2; nothing is null"},
      {"nothing ? 1 : 2", "nothing is null"},
      {"plain.b == -2 ? tuple : {}", "plain.b is -2; tuple is a tuple with 100 elements"},
      {"upper(pair) + plain.b", "pair is [true, (unknown)]"},
      {"\"x${plain}\"", "plain is {a = null, b = -2}"},
      {"{(pair) = 1}", "pair is [true, (unknown)]"},
      {"[for x in plain.b : x]", "plain.b is -2"},
      {"nosuch + 1", ""},
      // Each once, at most eight.
      {"substr(text, plain, [plain, text])", R"(text is "a \"b\"\n"; plain is {a = null, b = -2})"},
      {"substr([list[0], list[1], list[2], list[3], list[4], list[5], list[6], list[7], list[8]], 1, 1)",
       "list[0] is 123456789; list[1] is 123456789; list[2] is 123456789; list[3] is 123456789; "
       "list[4] is 123456789; list[5] is 123456789; list[6] is 123456789; list[7] is 123456789"},
      // Loops.
      {"[for x in pair : x + 1]", "x is true"},
      {"[for k, x in {a = plain} : x[k].c]", "x is {a = null, b = -2}; k is \"a\""},
      {"[for x in [plain] : x.a.c]", "x.a is null"},
      {"[for x in [plain] : x.c]", "x is {a = null, b = -2}"},
      {"[for x in [plain] : [for y in [x] : x.b + y]]", "y is {a = null, b = -2}"},
      {"[for x in [plain] : x if x]", "x is {a = null, b = -2}"},
      {"[[for x in [1] : x], pair.x]", "pair is [true, (unknown)]"},
      {"[for x in pair : 1] + text", "pair is [true, (unknown)]"},
      {"pair[*].x", ""},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(Eval(c.source), c.values) << c.source;
    EXPECT_EQ(Eval(c.source, /*optimize=*/false), c.values) << c.source << ", not optimized";
  }
}

TEST_F(InvolvedValuesTest, MarkedOnesAreHidden) {
  const char* const kHidden = " is hidden, because it is marked";
  for (const char* source : {"secret + 1", "secret.x", "[secret][\"a\"]", "[for x in pair : secret * 2]"}) {
    EXPECT_EQ(Eval(source), std::string("secret") + kHidden) << source;
  }
  EXPECT_EQ(Eval("user.token + 1"), std::string("user.token") + kHidden);
  EXPECT_EQ(Eval("vault.nosuch"), std::string("vault") + kHidden);
  EXPECT_EQ(Eval("vault.age.x"), std::string("vault.age") + kHidden);
  EXPECT_EQ(Eval("[for x in [secret] : x + 1]"), std::string("x") + kHidden);
  EXPECT_EQ(Eval("user.nosuch"), "user is an object with 2 attributes");
}

TEST_F(InvolvedValuesTest, InTheJsonSyntax) {
  CompileOptions options;
  Diagnostics diagnostics;
  const char* const text = R"({"a": {"b": ["${[for x in [plain] : x.b + text]}"]}})";
  EXPECT_EQ(First(CompileJsonConfig(SourceOf(text), options, &diagnostics)), R"(text is "a \"b\"\n")");
}

TEST_F(InvolvedValuesTest, OfAnEntryCalledFromTheWhole) {
  CompileOptions options;
  Diagnostics diagnostics;
  const char* const text = "a = [for x in [1] : x]\nb {\n  c = [for x in pair : x + 1]\n}\nd = plain\n";
  EXPECT_EQ(First(CompileConfig(SourceOf(text), options, &diagnostics)), "x is true");
}

// Suggestions see the whole scope, not just what the program reads, and the loops around.
TEST_F(InvolvedValuesTest, NamesOfTheScope) {
  auto detail = [&](const char* text) {
    Diagnostics diagnostics;
    Evaluator evaluator(CompileExpression(SourceOf(text), {}, &diagnostics));
    evaluator.BindAll(scope_);
    return evaluator.Run().diagnostics().kept()[0].detail;
  };
  EXPECT_EQ(detail("usr.age"), "There is no variable named \"usr\". Did you mean \"user\"?");
  EXPECT_EQ(detail("[for item in pair : itm]"), "There is no variable named \"itm\". Did you mean \"item\"?");
  EXPECT_EQ(detail("[[for item in pair : 1], itm]"), "There is no variable named \"itm\".");
  EXPECT_EQ(detail("Null"), "There is no variable named \"Null\". Did you mean the keyword null?");
}

// A loop that fails in the same way many times does not hide what fails behind it.
TEST(RepeatedFailuresTest, HideNoOther) {
  const auto source = std::make_shared<const Source>("test", "try([for x in range(1000) : x.none], x.y)");
  Diagnostics diagnostics;
  CompileOptions options;
  options.functions = StandardFunctions();
  const auto program = CompileExpression(source, options, &diagnostics);
  ASSERT_NE(program, nullptr);
  Evaluator evaluator(program);
  const Evaluation& evaluation = evaluator.Run();
  ASSERT_EQ(evaluation.diagnostics().kept().size(), 1u);
  EXPECT_NE(evaluation.diagnostics().kept()[0].detail.find("no expression succeeded"), std::string::npos);
}

}  // namespace
}  // namespace hcl

// Specs and bodies, by what comes out.

#include "hclvm/decode/decoder.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/spec.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_expr.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/merged_body.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using Spec = DecodeSpec;

// A text and the body that is in it.
struct Text {
  explicit Text(const std::string& text, const std::string& name = "test")
      : source(std::make_shared<const Source>(name, text)) {
    Diagnostics diagnostics;
    if (!text.empty() && text[0] == '{') {
      JsonOptions options;
      options.rules = JsonRules::kReference;
      json = ParseJson(*source, options, &diagnostics);
      body = ViewOf(*json);
    } else {
      native = ParseConfig(*source, {}, &diagnostics);
      body = ViewOf(*native->body, *source);
    }
    EXPECT_TRUE(diagnostics.empty()) << ToText(diagnostics, source.get());
  }
  std::shared_ptr<const Source> source;
  std::unique_ptr<ParsedFile> native;
  std::unique_ptr<JsonFile> json;
  BodyViewPtr body;
};

std::string Messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    text += "!";
    if (diagnostic.source != nullptr && diagnostic.source->name() != "test") text += diagnostic.source->name() + ":";
    if (diagnostic.subject) {
      text += std::to_string(diagnostic.subject->begin) + "-" + std::to_string(diagnostic.subject->end) + " ";
    }
    text += diagnostic.summary;
  }
  return text;
}

// The typed value for `a` = "x", `n` = 5 and an unknown `u`, or the messages.
std::string Outcome(const std::shared_ptr<const Program>& program) {
  Evaluator evaluator(program);
  Arena arena;
  evaluator.Bind("a", Value::String("x", &arena));
  evaluator.Bind("n", Value::Int(5));
  evaluator.Bind("u", Value::Unknown(Type::String()));
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) return Messages(evaluation.diagnostics());
  std::string json;
  AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &json);
  return json;
}

std::string Decode(const DecodeSpecPtr& spec, const std::string& text, bool optimize = true) {
  std::shared_ptr<const Program> program;
  {
    const Text input(text);
    Diagnostics diagnostics;
    DecoderOptions options;
    options.compile.dialect = Dialect::kHashiCorp;
    options.compile.functions = StandardFunctions();
    options.compile.optimize = optimize;
    program = CompileDecoder(*spec, *input.body, {input.source}, options, &diagnostics);
    if (program == nullptr) return "?" + Messages(diagnostics);
    // What is reported while compiling is reported by the program, too.
    if (diagnostics.has_errors()) {
      EXPECT_NE(Outcome(program).find(Messages(diagnostics)), std::string::npos);
    }
  }
  return Outcome(program);
}

struct Case {
  std::string body;
  std::string want;
};

void Check(const DecodeSpecPtr& spec, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    EXPECT_EQ(Decode(spec, c.body), c.want) << c.body;
    EXPECT_EQ(Decode(spec, c.body, /*optimize=*/false), c.want) << c.body << " (not optimized)";
  }
}

DecodeSpecPtr Number(const std::string& name, bool required = false) {
  return Spec::Attribute(name, Type::Number(), required);
}

TEST(Decoder, Attributes) {
  Check(Number("x"), {
                         {"x = 1", R"({"type":"number","value":1})"},
                         {"x = \"${n}\"", R"({"type":"number","value":5})"},
                         {"x = n + 1", R"({"type":"number","value":6})"},
                         {"", R"({"type":"number","value":null})"},
                         {"x = null", R"({"type":"number","value":null})"},
                         {"x = u", R"({"type":"number","value":{"$unknown":"number"}})"},
                         {"x = a", "!4-5 Incorrect attribute value type"},
                         {"x = nosuch", "!4-10 Unknown variable"},
                         {"y = 1", "!0-1 Unsupported argument"},
                         {"x = []", "!4-6 Incorrect attribute value type"},
                         {"x = []\ny = 1", "!7-8 Unsupported argument!4-6 Incorrect attribute value type"},
                         {"{\"x\": \"${n}\"}", R"({"type":"number","value":5})"},
                         {"{\"x\": \"${\"}", "!9-9 Missing expression"},
                     });
  Check(Number("x", true), {{"x = 1", R"({"type":"number","value":1})"}, {"", "!0-0 Missing required argument"}});
}

TEST(Decoder, ObjectsAndTuples) {
  const auto text = Spec::Attribute("t", Type::String());
  Check(Spec::Object({{"n", Number("x")}, {"a", text}}),
        {
            {"x = 1\nt = a", R"({"type":["object",{"a":"string","n":"number"}],"value":{"a":"x","n":1}})"},
            {"x = 1\nt = true", R"({"type":["object",{"a":"string","n":"number"}],"value":{"a":"true","n":1}})"},
            {"", R"({"type":["object",{"a":"string","n":"number"}],"value":{"a":null,"n":null}})"},
            {"x = a\nt = []", "!10-12 Incorrect attribute value type!4-5 Incorrect attribute value type"},
        });
  Check(Spec::Object({}), {{"", R"({"type":["object",{}],"value":{}})"}});
  Check(Spec::Tuple({text, Spec::Literal(Value::Bool(true))}),
        {{"t = n", R"({"type":["tuple",["string","bool"]],"value":["5",true]})"}});
}

// Attributes that read nothing and have no code, before and after the one that does not fit.
TEST(Decoder, ConstantsOnly) {
  const auto other = Spec::Attribute("y", Type::Number());
  Check(Spec::Object({{"x", Number("x")}, {"y", other}}),
        {
            {"x = 1\ny = []", "!10-12 Incorrect attribute value type"},
            {"x = []\ny = 1", "!4-6 Incorrect attribute value type"},
            {"x = {}\ny = []", "!4-6 Incorrect attribute value type!11-13 Incorrect attribute value type"},
            {"{\"x\": 1, \"y\": []}", "!14-16 Incorrect attribute value type"},
            {"{\"x\": \"http\", \"y\": 1}", "!6-12 Incorrect attribute value type"},
        });
  Check(Spec::Tuple({Spec::Attribute("x", Type::Dynamic()), Spec::Default(other, Spec::Literal(Value::Int(1)))}),
        {{"x = 1\ny = {}", "!10-12 Incorrect attribute value type"},
         {"{\"y\": {}, \"x\": 1}", "!6-8 Incorrect attribute value type"}});
  Check(Spec::Tuple({Spec::Attribute("x", Type::Dynamic()), Spec::Attribute("x", Type::Number())}),
        {{"x = []", "!4-6 Incorrect attribute value type"}});
  Check(Spec::BlockTuple("b", Spec::Object({{"x", Number("x")}, {"y", other}})),
        {{"b {\nx = 1\ny = 2\n}\nb {\nx = 1\ny = \"http\"\n}", "!32-38 Incorrect attribute value type"}});
}

TEST(Decoder, OneBlock) {
  const auto spec = Spec::Block("b", Spec::Object({{"x", Number("x")}}));
  Check(spec, {
                  {"b {\nx = n\n}", R"({"type":["object",{"x":"number"}],"value":{"x":5}})"},
                  {"", R"({"type":["object",{"x":"number"}],"value":null})"},
                  {"b {}\nb {}", "!5-6 Duplicate b block"},
                  {"b \"l\" {}", "!2-5 Extraneous label for b"},
                  {"b {\ny = n\n}", "!4-5 Unsupported argument"},
                  {"{\"b\": {\"x\": 2}}", R"({"type":["object",{"x":"number"}],"value":{"x":2}})"},
              });
  Check(Spec::Block("b", Spec::Object({}), true),
        {{"b {}", R"({"type":["object",{}],"value":{}})"}, {"", "!0-0 Missing b block"}});
  Check(Spec::Block("b", Spec::Label(0, "name")), {{"b \"l\" {}", R"({"type":"string","value":"l"})"}});
}

TEST(Decoder, Sequences) {
  Check(
      Spec::BlockList("b", Number("x"), {1, 2}),
      {
          {"b {\nx = n\n}", R"({"type":["list","number"],"value":[5]})"},
          {"b {\nx = n\n}\nb {\n}", R"({"type":["list","number"],"value":[5,null]})"},
          {"", "!0-0 Insufficient b blocks"},
          {"b {\nx=1\n}\nb {\n}\nb {\n}", "!18-18 Too many b blocks"},
          {"b {\nx = a\n}\nb {\nx = []\n}", "!8-9 Incorrect attribute value type!20-22 Incorrect attribute value type"},
      });
  Check(Spec::BlockSet("b", Number("x")),
        {{"b {\nx = n\n}\nb {\nx = 5\n}\nb {\nx = 1\n}", R"({"type":["set","number"],"value":[1,5]})"},
         {"", R"({"type":["set","number"],"value":[]})"}});
  const auto any = Spec::Attribute("x", Type::Dynamic());
  Check(Spec::BlockTuple("b", any),
        {{"b {\nx = n\n}\nb {\nx = a\n}", R"({"type":["tuple",["number","string"]],"value":[5,"x"]})"},
         {"", R"({"type":["tuple",[]],"value":[]})"}});
  Check(Spec::BlockList("b", any), {{"b {\nx = n\n}\nb {\nx = a\n}", R"({"type":["list","string"],"value":["5","x"]})"},
                                    {"", R"({"type":["list","dynamic"],"value":[]})"},
                                    {"b {\nx = n\n}\nb {\nx = []\n}", "!8-9 Inconsistent argument types in b blocks"}});
}

TEST(Decoder, LabeledBlocks) {
  Check(Spec::BlockMap("b", {"one"}, Number("x")),
        {
            {"b \"q\" {\nx = n\n}\nb \"p\" {\nx = 1\n}", R"({"type":["map","number"],"value":{"p":1,"q":5}})"},
            {"", R"({"type":["map","number"],"value":{}})"},
            {"b {}", "!2-3 Missing one for b"},
            {"b \"q\" {}\nb \"q\" {\nx = a\n}", "!21-22 Incorrect attribute value type!9-14 Duplicate b block"},
            {"{\"b\": {\"q\": {\"x\": 1}}}", R"({"type":["map","number"],"value":{"q":1}})"},
        });
  Check(Spec::BlockMap("b", {"one", "two"}, Spec::Object({{"l", Spec::Label(0, "three")}, {"x", Number("x")}})),
        {{"b \"q\" \"r\" \"s\" {}\nb \"p\" \"t\" \"v\" {}\nb \"q\" \"a\" \"b\" {}",
          R"({"type":["map",["map",["object",{"l":"string","x":"number"}]]],"value":)"
          R"({"p":{"t":{"l":"v","x":null}},"q":{"a":{"l":"b","x":null},"r":{"l":"s","x":null}}}})"}});
  Check(Spec::BlockObject("b", {"one"}, Spec::Attribute("x", Type::Dynamic())),
        {{"b \"q\" {\nx = n\n}\nb \"p\" {\nx = a\n}",
          R"({"type":["object",{"p":"string","q":"number"}],"value":{"p":"x","q":5}})"},
         {"", R"({"type":["object",{}],"value":{}})"}});
}

TEST(Decoder, ManyLabeledBlocks) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "b \"k" + std::to_string(i) + "\" \"l\" {\n x = n\n}\n";
  const std::string value = Decode(Spec::BlockMap("b", {"one", "two"}, Number("x")), text);
  EXPECT_NE(value.find(R"("k4999":{"l":5})"), std::string::npos);
  EXPECT_EQ(value.substr(0, 37), R"({"type":["map",["map","number"]],"val)");
}

TEST(Decoder, BlockAttributes) {
  Check(Spec::BlockAttributes("b", Type::String()),
        {
            {"b {\nq = n\np = true\n}", R"({"type":["map","string"],"value":{"p":"true","q":"5"}})"},
            {"b {}", R"({"type":["map","string"],"value":{}})"},
            {"", R"({"type":["map","string"],"value":null})"},
            {"b {\nq = []\n}", "!8-10 Invalid attribute value"},
            {"b {\nc {}\n}", "!4-5 Unexpected \"c\" block"},
            {"b {}\nb {}", "!5-6 Duplicate b block"},
        });
  Check(Spec::BlockAttributes("b", Type::Dynamic(), true),
        {{"b {\nq = n\np = a\n}", R"({"type":["map","string"],"value":{"p":"x","q":"5"}})"},
         {"", "!0-0 Missing b block"}});
}

TEST(Decoder, Defaults) {
  Check(Spec::Default(Number("x"), Spec::Default(Number("y"), Spec::Literal(Value::Int(7)))),
        {
            {"x = n", R"({"type":"number","value":5})"},
            {"x = null", R"({"type":"number","value":7})"},
            {"y = n", R"({"type":"number","value":5})"},
            {"x = n == 5 ? null : 1\ny = 2", R"({"type":"number","value":2})"},
            {"x = n == 5 ? null : 1", R"({"type":"number","value":7})"},
            {"x = a\ny = []", "!4-5 Incorrect attribute value type"},
        });
}

// The expression `text` for a Transform.
SpecExpression Expression(const std::string& text) {
  const auto source = std::make_shared<const Source>("spec", text);
  Diagnostics diagnostics;
  std::shared_ptr<ParsedFile> file = ParseExpression(*source, {}, &diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return {source, file, file->expr};
}

TEST(Decoder, Transforms) {
  const auto doubled = Spec::Transform(Number("x"), Expression("max(nested * 2, 0)"), StandardFunctions());
  Check(doubled, {{"x = n", R"({"type":"number","value":10})"}, {"x = a", "!4-5 Incorrect attribute value type"}});
  // Variables of the body are not the spec's, and messages name the text that they are about.
  Check(Spec::Transform(Number("x"), Expression("n"), nullptr), {{"x = 1", "!spec:0-1 Unknown variable"}});
  Check(Spec::Transform(Number("x"), Expression("[nested][n - 4]"), nullptr),
        {{"x = 1", "!spec:9-10 Unknown variable"}});
  Check(Spec::Transform(Spec::Attribute("x", Type::Dynamic()), Expression("nested.y"), nullptr),
        {{"x = {y = 1}", R"({"type":"number","value":1})"}, {"x = {z = n}", "!spec:6-8 Unsupported attribute"}});
  Heap heap;
  EXPECT_EQ(ImpliedType(*doubled, &heap), Type::Number());
}

TEST(Decoder, SeveralFiles) {
  const Text first("x = 1\nb {\n}", "first"), second("x = 2\nc = 1\nb {\n}", "second");
  const BodyViewPtr body = MergeBodies({first.body, second.body});
  Diagnostics diagnostics;
  DecoderOptions options;
  const auto spec = Spec::Object({{"x", Number("x")}, {"b", Spec::Block("b", Spec::Object({}))}});
  const auto program = CompileDecoder(*spec, *body, {first.source, second.source}, options, &diagnostics);
  EXPECT_EQ(Outcome(program),
            "!second:6-7 Unsupported argument!second:0-1 Duplicate argument!second:12-13 Duplicate b block");
  const Text third("y = q", "third");
  const auto pair = Spec::Tuple({Spec::Attribute("x", Type::Number()), Spec::Attribute("y", Type::Number())});
  Diagnostics none;
  const auto both =
      CompileDecoder(*pair, *MergeBodies({first.body, third.body}), {first.source, third.source}, options, &none);
  EXPECT_EQ(Outcome(both), "!first:6-7 Unsupported block type!third:4-5 Unknown variable");
}

TEST(Decoder, LiteralStringsInJson) {
  const Text input("{\"x\": \"${n}\"}");
  DecoderOptions options;
  options.json = EvaluationMode::kLiteral;
  Diagnostics diagnostics;
  const auto spec = Spec::Attribute("x", Type::String());
  EXPECT_EQ(Outcome(CompileDecoder(*spec, *input.body, {input.source}, options, &diagnostics)),
            R"({"type":"string","value":"${n}"})");
}

TEST(Decoder, Contradictions) {
  Check(Spec::Tuple({Number("x"), Spec::Block("x", Spec::Object({}))}), {{"", "?!Contradictory specification"}});
  Check(Spec::Tuple({Spec::Block("x", Spec::Object({})), Spec::BlockMap("x", {"a"}, Spec::Object({}))}),
        {{"", "?!Contradictory specification"}});
  Check(Spec::Tuple({Spec::Block("x", Spec::Object({})), Spec::BlockMap("x", {"a"}, Spec::Object({}))}),
        {{"x {}", "?!Contradictory specification"}, {"x \"a\" {}", "?!Contradictory specification"}});
  Check(Spec::Tuple({Spec::BlockObject("x", {"a", "b"}, Spec::Object({})), Spec::Block("x", Spec::Object({}))}),
        {{"x {}", "?!Contradictory specification"}});
  // Inside of blocks, whether or not there are any.
  const auto inside = Spec::Tuple({Number("x"), Spec::Block("x", Spec::Object({}))});
  Check(Spec::Default(Spec::BlockTuple("b", inside), Spec::Block("c", inside)),
        {{"", "?!Contradictory specification"}, {"b {\n x {}\n}", "?!Contradictory specification"}});
  // Two specs for one attribute.
  Check(Spec::Tuple({Number("x"), Spec::Attribute("x", Type::String())}),
        {{"x = n", R"({"type":["tuple",["number","string"]],"value":[5,"5"]})"}});
}

TEST(Decoder, References) {
  const Text input("x = a.b + c\nb {\n y = d[0]\n z = [for e in f : e]\n}\nq = r");
  const auto spec = Spec::Tuple({Spec::BlockAttributes("b", Type::Dynamic()), Number("x")});
  std::string names;
  for (const StaticTraversal& traversal : DecoderVariables(*spec, *input.body)) {
    names += std::string(traversal.root) + std::to_string(traversal.steps.size()) + " ";
  }
  EXPECT_EQ(names, "d1 f0 a1 c0 ");
}

}  // namespace
}  // namespace hcl

// Dynamic blocks, by what comes out.

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/expr_view.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using Spec = DecodeSpec;

std::string Messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    text += "!" + std::to_string(diagnostic.subject->begin) + " " + diagnostic.summary;
  }
  return text;
}

// The typed value for `l` = ["p", "q"], `m` = {"k": 1}, an empty `e` and an unknown `u`, or the messages.
std::string Decode(const DecodeSpecPtr& spec, const std::string& text) {
  const auto source = std::make_shared<const Source>("test", text);
  Diagnostics diagnostics;
  std::unique_ptr<ParsedFile> native;
  std::unique_ptr<JsonFile> json;
  BodyViewPtr body;
  if (text[0] == '{') {
    json = ParseJson(*source, {}, &diagnostics);
    body = ViewOf(*json);
  } else {
    native = ParseConfig(*source, {}, &diagnostics);
    body = ViewOf(*native->body, *source);
  }
  EXPECT_TRUE(diagnostics.empty()) << ToText(diagnostics, source.get());
  DecoderOptions options;
  options.expand_dynamic_blocks = true;
  const auto program = CompileDecoder(*spec, *body, {source}, options, &diagnostics);
  if (program == nullptr) return "?" + Messages(diagnostics);
  Evaluator evaluator(program);
  Heap heap;
  Value scope;
  JsonError error;
  EXPECT_TRUE(JsonReader().Read(R"({"l": ["p", "q"], "m": {"k": 1}, "e": [], "n": null})", &heap, &scope, &error));
  evaluator.BindAll(scope);
  evaluator.Bind("u", Value::Unknown(heap.types()->List(Type::String())));
  const Evaluation& evaluation = evaluator.Run();
  if (!evaluation.ok()) return Messages(evaluation.diagnostics());
  std::string out;
  AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &out);
  return out;
}

struct Case {
  std::string body;
  std::string want;
};

void Check(const DecodeSpecPtr& spec, const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(Decode(spec, c.body), c.want) << c.body;
}

// A dynamic block of type "b".
std::string Dynamic(const std::string& for_each, const std::string& content, const std::string& more = "") {
  return "dynamic \"b\" {\nfor_each = " + for_each + "\n" + more + "\ncontent {\n" + content + "\n}\n}\n";
}

DecodeSpecPtr Text() { return Spec::Attribute("x", Type::String()); }

TEST(Dynamic, Sequences) {
  Check(Spec::BlockList("b", Text()),
        {
            {Dynamic("l", "x = b.value"), R"({"type":["list","string"],"value":["p","q"]})"},
            {Dynamic("l", "x = b.key"), R"({"type":["list","string"],"value":["0","1"]})"},
            {Dynamic("m", "x = \"${b.key}${b.value}\""), R"({"type":["list","string"],"value":["k1"]})"},
            {Dynamic("l", "x = i.value", "iterator = i"), R"({"type":["list","string"],"value":["p","q"]})"},
            {"b {\nx = 1\n}\n" + Dynamic("l", "x = b.value") + "b {}\n",
             R"({"type":["list","string"],"value":["1","p","q",null]})"},
            {Dynamic("e", "x = b.value"), R"({"type":["list","string"],"value":[]})"},
            {Dynamic("u", "x = b.value"), R"({"type":["list","string"],"value":{"$unknown":["list","string"]}})"},
            {R"({"dynamic": {"b": {"for_each": "${l}", "content": {"x": "${b.value}"}}}})",
             R"({"type":["list","string"],"value":["p","q"]})"},
        });
  Check(Spec::BlockSet("b", Text(), {1, 2}),
        {
            {Dynamic("[1, 1]", "x = b.value"), R"({"type":["set","string"],"value":["1"]})"},
            {Dynamic("e", "x = b.value"), "!0 Insufficient b blocks"},
            {Dynamic("[1, 2, 3]", "x = b.value"), "!50 Too many b blocks"},
        });
  Check(Spec::BlockTuple("b", Spec::Attribute("x", Type::Dynamic())),
        {{Dynamic("[1, \"y\"]", "x = b.value"), R"({"type":["tuple",["number","string"]],"value":[1,"y"]})"}});
}

TEST(Dynamic, OneBlock) {
  Check(Spec::Block("b", Text(), true),
        {
            {Dynamic("[7]", "x = b.value"), R"({"type":"string","value":"7"})"},
            {Dynamic("e", "x = b.value"), "!0 Missing b block"},
            {Dynamic("l", "x = b.value"), "!0 Duplicate b block"},
            {Dynamic("u", "x = b.value"), R"({"type":"string","value":{"$unknown":"string"}})"},
        });
  Check(Spec::Block("b", Text()), {{Dynamic("e", "x = b.value"), R"({"type":"string","value":null})"}});
  Check(Spec::BlockAttributes("b", Type::String()),
        {{Dynamic("[7]", "x = b.value\ny = 1"), R"({"type":["map","string"],"value":{"x":"7","y":"1"}})"}});
}

TEST(Dynamic, Labels) {
  const auto map = Spec::BlockMap("b", {"one"}, Spec::Object({{"l", Spec::Label(0, "two")}, {"x", Text()}}));
  Check(map, {
                 {Dynamic("l", "x = b.key", "labels = [b.value, \"z${b.key}\"]"),
                  R"({"type":["map",["object",{"l":"string","x":"string"}]],"value":{"p":{"l":"z0","x":"0"},)"
                  R"("q":{"l":"z1","x":"1"}}})"},
                 {"b \"q\" \"r\" {}\n" + Dynamic("[\"o\"]", "", "labels = [b.value, b.key]"),
                  R"({"type":["map",["object",{"l":"string","x":"string"}]],"value":{"o":{"l":"0","x":null},)"
                  R"("q":{"l":"r","x":null}}})"},
                 {Dynamic("e", "", "labels = [1, 2]"),
                  R"({"type":["map",["object",{"l":"string","x":"string"}]],"value":{}})"},
                 {Dynamic("l", "", "labels = [1, 2]"), "!0 Duplicate b block"},
                 {Dynamic("l", "", "labels = [1]"), "!36 Insufficient dynamic block labels"},
                 {Dynamic("l", "", "labels = [1, 2, 3]"), "!43 Extraneous dynamic block label"},
                 {Dynamic("l", ""), "!12 Missing required argument"},
                 {Dynamic("[1]", "", "labels = [null, []]"),
                  "!39 Invalid dynamic block label!45 Invalid dynamic block label"},
             });
  Check(Spec::BlockObject("b", {"one"}, Spec::Attribute("x", Type::Dynamic())),
        {{Dynamic("l", "x = b.key", "labels = [b.value]"),
          R"({"type":["object",{"p":"number","q":"number"}],"value":{"p":0,"q":1}})"}});
}

TEST(Dynamic, Nested) {
  const auto inner = Spec::BlockList("c", Text());
  Check(
      Spec::BlockList("b", inner),
      {{Dynamic("[[1, 2], [3]]",
                "dynamic \"c\" {\nfor_each = b.value\ncontent {\nx = \"${b.key}-${c.value}\"\n}\n}\nc {\nx = b.key\n}"),
        R"({"type":["list",["list","string"]],"value":[["0-1","0-2","0"],["1-3","1"]]})"}});
}

// For each block, all dynamic ones would be looked at.
TEST(Dynamic, VeryManyOfThem) {
  std::string text;
  std::string values;
  for (int n = 0; n < 20'000; ++n) {
    text += Dynamic("[7]", "x = b.value") + "\nb {\nx = 8\n}\n";
    values += n == 0 ? R"("7","8")" : R"(,"7","8")";
  }
  Check(Spec::BlockList("b", Text()), {{text, R"({"type":["list","string"],"value":[)" + values + "]}"}});
}

TEST(Dynamic, Mistakes) {
  Check(Spec::BlockList("b", Text()), {
                                          {Dynamic("n", ""), "!25 Invalid dynamic for_each value"},
                                          {Dynamic("true", ""), "!25 Invalid dynamic for_each value"},
                                          {Dynamic("nosuch", ""), "!25 Unknown variable"},
                                          {Dynamic("l", "x = []"), "!42 Incorrect attribute value type"},
                                          {Dynamic("l", "y = 1"), "!38 Unsupported argument"},
                                          {Dynamic("e", "y = 1"), R"({"type":["list","string"],"value":[]})"},
                                          {Dynamic("l", "", "iterator = a.b"), "!38 Invalid dynamic iterator name"},
                                          {"dynamic \"c\" {\n}", "!8 Unsupported block type"},
                                          {"dynamic \"b\" {\nfor_each = l\n}", "!12 Missing dynamic content block"},
                                          {"dynamic \"b\" {\n}", "!12 Missing required argument"},
                                          {"c {}", "!0 Unsupported block type"},
                                      });
}

TEST(Dynamic, References) {
  const Source source("test", Dynamic("f[0]",
                                      "x = b.value + g\ndynamic \"c\" {\nfor_each = b.value\niterator = i\n"
                                      "content {\nx = [i.key, b.key, c]\n}\n}",
                                      "labels = [b.key, h]"));
  Diagnostics diagnostics;
  const auto file = ParseConfig(source, {}, &diagnostics);
  const auto spec = Spec::BlockMap("b", {"l"}, Spec::Tuple({Text(), Spec::BlockList("c", Text())}));
  DecoderOptions options;
  options.expand_dynamic_blocks = true;
  std::string names;
  for (const StaticTraversal& reference : DecoderVariables(*spec, *ViewOf(*file->body, source), options)) {
    names += std::string(reference.root) + " ";
  }
  EXPECT_EQ(names, "f h g c ");
}

}  // namespace
}  // namespace hcl

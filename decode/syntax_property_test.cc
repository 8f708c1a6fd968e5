// Bodies that say the same in both syntaxes are decoded to the same value: random specs, each with a body that is
// written twice.

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_body.h"
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

// A text in both syntaxes: items of a body, or an expression.
struct Both {
  std::string native;
  std::string json;
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  // A spec, and items for it appended to `body`.
  DecodeSpecPtr MakeSpec(int depth, Both* body) {
    switch (Pick(depth > 0 ? 8 : 2)) {
      case 0:
      case 1: {
        const std::string name = NewName();
        const Both value = Expression();
        if (Pick(5) > 0) AddItem(name + " = " + value.native, name, value.json, body);
        return Spec::Attribute(name, Pick(2) == 0 ? Type::Dynamic() : Type::String());
      }
      case 2: {
        std::vector<DecodeSpecPtr> parts;
        for (uint32_t n = Pick(4); n > 0; --n) parts.push_back(MakeSpec(depth - 1, body));
        return Spec::Tuple(std::move(parts));
      }
      case 3:
      case 4:
        return MakeLabeled(depth, body);
      case 5: {
        const DecodeSpecPtr primary = MakeSpec(depth - 1, body);
        return Spec::Default(primary, Spec::Literal(Value::Bool(true)));
      }
      default:
        return MakeSequence(depth, body);
    }
  }

 private:
  uint32_t Pick(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
  std::string NewName() { return "n" + std::to_string(names_++); }

  static void AddItem(const std::string& native, const std::string& name, const std::string& json, Both* body) {
    body->native += native + "\n";
    body->json += (body->json.empty() ? "\"" : ", \"") + name + "\": " + json;
  }

  Both Expression() {
    static const std::pair<const char*, const char*> kExpressions[] = {
        {"1", "1"},
        {"-2.5", "-2.5"},
        {"\"x\"", "\"x\""},
        {"true", "true"},
        {"null", "null"},
        {"[1, \"a\"]", "[1, \"a\"]"},
        {"n", "\"${n}\""},
        {"\"${s}-${n}\"", "\"${s}-${n}\""},
        {"n + 1", "\"${n + 1}\""},
        {"{a = n, b = [s]}", "{\"a\": \"${n}\", \"b\": [\"${s}\"]}"},
        {"\"$${n}\"", "\"$${n}\""},
        {"\"\\u00e9\\n\"", "\"\\u00e9\\n\""},
    };
    const auto& [native, json] = kExpressions[Pick(std::size(kExpressions))];
    return {native, json};
  }

  // One spec for all blocks, each of which is made from the same seed and so says the same.
  DecodeSpecPtr MakeContent(int depth, uint32_t blocks, std::vector<Both>* bodies) {
    const uint32_t seed = random_();
    DecodeSpecPtr spec;
    for (uint32_t n = 0; n <= blocks; ++n) {
      Both body;
      spec = Generator(seed).MakeSpec(depth - 1, &body);
      if (n < blocks) bodies->push_back(std::move(body));
    }
    return spec;
  }

  DecodeSpecPtr MakeSequence(int depth, Both* body) {
    const std::string name = NewName();
    std::vector<Both> bodies;
    DecodeSpecPtr content = MakeContent(depth, Pick(4), &bodies);
    Both blocks;
    for (const Both& block : bodies) {
      blocks.native += name + " {\n" + block.native + "}\n";
      blocks.json += (blocks.json.empty() ? "{" : ", {") + block.json + "}";
    }
    if (!bodies.empty()) AddItem(blocks.native, name, "[" + blocks.json + "]", body);
    return Spec::BlockTuple(name, std::move(content));
  }

  DecodeSpecPtr MakeLabeled(int depth, Both* body) {
    const std::string name = NewName();
    std::vector<Both> bodies;
    DecodeSpecPtr content = MakeContent(depth, Pick(4), &bodies);
    Both blocks;
    for (size_t n = 0; n < bodies.size(); ++n) {
      const std::string label = "\"l" + std::to_string((n * 7 + 2) % 5) + "\"";
      absl::StrAppend(&blocks.native, name, " ", label, " {\n", bodies[n].native, "}\n");
      blocks.json += (blocks.json.empty() ? "" : ", ") + label + ": {" + bodies[n].json + "}";
    }
    if (!bodies.empty()) AddItem(blocks.native, name, "{" + blocks.json + "}", body);
    return Spec::BlockObject(name, {"label"}, std::move(content));
  }

  std::mt19937 random_;
  int names_ = 0;
};

std::string Decode(const DecodeSpec& spec, const BodyView& body, const std::shared_ptr<const Source>& source) {
  Diagnostics diagnostics;
  DecoderOptions options;
  options.compile.dialect = Dialect::kHashiCorp;
  const auto program = CompileDecoder(spec, body, {source}, options, &diagnostics);
  if (program == nullptr) return ToText(diagnostics, source.get());
  Evaluator evaluator(program);
  evaluator.Bind("n", Value::Int(3));
  evaluator.Bind("s", Value::StringView("t"));
  const Evaluation& evaluation = evaluator.Run();
  // Places differ, messages and their number do not.
  std::string out;
  for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) out += diagnostic.summary + "\n";
  if (out.empty()) AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &out);
  return out;
}

TEST(SyntaxProperty, BothSyntaxesDecodeToTheSame) {
  int with_values = 0;
  for (uint32_t seed = 0; seed < 500; ++seed) {
    Both text;
    const DecodeSpecPtr spec = Generator(seed).MakeSpec(4, &text);
    const auto native = std::make_shared<const Source>("native", text.native);
    const auto json = std::make_shared<const Source>("json", "{" + text.json + "}");
    Diagnostics diagnostics;
    const auto native_file = ParseConfig(*native, {}, &diagnostics);
    const auto json_file = ParseJson(*json, {}, &diagnostics);
    ASSERT_TRUE(diagnostics.empty()) << ToText(diagnostics, nullptr) << text.native << text.json;
    const std::string value = Decode(*spec, *ViewOf(*native_file->body, *native), native);
    EXPECT_EQ(value, Decode(*spec, *ViewOf(*json_file), json)) << text.native << text.json;
    if (value[0] == '{' && text.native.size() > 20) ++with_values;
  }
  EXPECT_GT(with_values, 100);
}

}  // namespace
}  // namespace hcl

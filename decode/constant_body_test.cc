// Bodies that are constants through and through are decoded as those whose values are computed: random specs, each with
// a body whose values are written as constants, then with values that read a variable, in both syntaxes.
//
// The other tests of this folder have something that this one is there to do without: a variable that is bound, a first
// attribute that is at fault, one attribute for each spec, or values that fit.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/decoder.h"
#include "hclvm/decode/spec.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/body_content.h"
#include "hclvm/hcl/json/json_body.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/json/json_parser.h"
#include "hclvm/hcl/native_body.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/vm/evaluator.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/type.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using Spec = DecodeSpec;

// A body in four texts: constant or computed, in the native or the JSON syntax.
struct Texts {
  std::string text[2][2];  // [computed][json]
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  // A spec of a body, and the body.
  DecodeSpecPtr Make(int depth, Texts* body) {
    std::vector<std::pair<std::string, DecodeSpecPtr>> parts;
    std::vector<std::string> names;
    for (uint32_t n = 1 + Pick(5); n > 0; --n) {
      const bool again = !names.empty() && Pick(6) == 0;  // two specs for one attribute
      const std::string name = again ? names[Pick(static_cast<uint32_t>(names.size()))] : absl::StrCat("a", n);
      if (!again) {
        names.push_back(name);
        if (Pick(8) != 0) AddAttribute(name, body);
      }
      DecodeSpecPtr spec = Spec::Attribute(name, AnyType());
      if (Pick(5) == 0) spec = Spec::Default(std::move(spec), Spec::Literal(Value::Int(7)));
      parts.emplace_back(absl::StrCat("p", n), std::move(spec));
    }
    if (depth > 0 && Pick(2) == 0) parts.emplace_back("b", MakeBlocks(depth, body));
    if (Pick(2) == 0) return Spec::Object(std::move(parts));
    std::vector<DecodeSpecPtr> list;
    for (auto& [name, spec] : parts) list.push_back(std::move(spec));
    return Spec::Tuple(std::move(list));
  }

 private:
  uint32_t Pick(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }

  Type AnyType() {
    static TypeTable* const table = new TypeTable;  // alive as long as the specs
    const Type types[] = {Type::Number(),
                          Type::String(),
                          Type::Bool(),
                          Type::Dynamic(),
                          table->List(Type::Number()),
                          table->Map(Type::String())};
    return types[Pick(static_cast<uint32_t>(std::size(types)))];
  }

  void Add(const std::string& name, bool computed, bool json, const std::string& value, Texts* body) {
    std::string& text = body->text[computed ? 1 : 0][json ? 1 : 0];
    if (json) absl::StrAppend(&text, text.empty() ? "" : ", ", "\"", name, "\": ", value);
    if (!json) absl::StrAppend(&text, value);
  }

  void AddAttribute(const std::string& name, Texts* body) {
    static constexpr const char* kValues[] = {"1", "\"http\"", "true", "null", "[]", "{}", "[1, 2]", "\"5\""};
    const std::string value = kValues[Pick(static_cast<uint32_t>(std::size(kValues)))];
    const std::string computed = absl::StrCat("[", value, ", 0][zero]");
    Add(name, false, false, absl::StrCat(name, " = ", value, "\n"), body);
    Add(name, true, false, absl::StrCat(name, " = ", computed, "\n"), body);
    Add(name, false, true, value, body);
    Add(name, true, true, absl::StrCat("\"${", absl::StrReplaceAll(computed, {{"\"", "\\\""}}), "}\""), body);
  }

  // Blocks that say the same in part.
  DecodeSpecPtr MakeBlocks(int depth, Texts* body) {
    const uint32_t seed = random_();
    std::string texts[2][2];
    DecodeSpecPtr spec;
    for (uint32_t n = 1 + Pick(3); n > 0; --n) {
      Texts inside;
      spec = Generator(seed).Make(depth - 1, &inside);
      for (const int computed : {0, 1}) {
        absl::StrAppend(&texts[computed][0], "b {\n", inside.text[computed][0], "}\n");
        std::string& json = texts[computed][1];
        absl::StrAppend(&json, json.empty() ? "" : ", ", "{", inside.text[computed][1], "}");
      }
    }
    for (const bool computed : {false, true}) {
      Add("b", computed, false, texts[computed ? 1 : 0][0], body);
      Add("b", computed, true, absl::StrCat("[", texts[computed ? 1 : 0][1], "]"), body);
    }
    return Spec::BlockTuple("b", std::move(spec));
  }

  std::mt19937 random_;
};

// The value, or the summaries of what is wrong.
std::string Decode(const DecodeSpec& spec, const BodyView& body, const std::shared_ptr<const Source>& source,
                   bool optimize) {
  Diagnostics diagnostics;
  DecoderOptions options;
  options.compile.dialect = Dialect::kHashiCorp;
  options.compile.optimize = optimize;
  const auto program = CompileDecoder(spec, body, {source}, options, &diagnostics);
  if (program == nullptr) return ToText(diagnostics, source.get());
  Evaluator evaluator(program);
  evaluator.Bind("zero", Value::Int(0));
  const Evaluation& evaluation = evaluator.Run();
  std::string out;
  for (const Diagnostic& diagnostic : evaluation.diagnostics().kept()) out += diagnostic.summary + "\n";
  if (out.empty()) AppendTypedJson(evaluation.value(), evaluator.heap()->types(), &out);
  return out;
}

TEST(ConstantBody, IsDecodedAsAComputedOne) {
  int values = 0;
  int failures = 0;
  for (uint32_t seed = 0; seed < 1000 && !HasFailure(); ++seed) {
    Generator generator(seed);
    Texts body;
    const DecodeSpecPtr spec = generator.Make(2, &body);
    std::string want;
    for (const bool computed : {true, false}) {
      for (const bool is_json : {false, true}) {
        const std::string& items = body.text[computed ? 1 : 0][is_json ? 1 : 0];
        const std::string text = is_json ? absl::StrCat("{", items, "}") : items;
        SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", text));
        const auto source = std::make_shared<const Source>("body", text);
        Diagnostics diagnostics;
        const std::unique_ptr<ParsedFile> native = is_json ? nullptr : ParseConfig(*source, {}, &diagnostics);
        const std::unique_ptr<JsonFile> json = is_json ? ParseJson(*source, {}, &diagnostics) : nullptr;
        ASSERT_TRUE(diagnostics.empty()) << ToText(diagnostics, source.get());
        const BodyViewPtr view = is_json ? ViewOf(*json) : ViewOf(*native->body, *source);
        for (const bool optimize : {true, false}) {
          const std::string found = Decode(*spec, *view, source, optimize);
          if (want.empty()) want = found;
          EXPECT_EQ(found, want);
        }
      }
    }
    ++(want[0] == '{' ? values : failures);
  }
  EXPECT_GT(values, 100);
  EXPECT_GT(failures, 300);
}

}  // namespace
}  // namespace hcl

// Laws of conversion: what is converted means the same, and a text that is converted there and back is the same text
// from then on. On random bodies, on random configs that are evaluated, and on bodies of blocks.

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <regex>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/hcl/ast.h"
#include "hclvm/hcl/ast_generator.h"
#include "hclvm/hcl/json/convert.h"
#include "hclvm/hcl/json/json_file.h"
#include "hclvm/hcl/print.h"
#include "hclvm/hcl/schema.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

using internal::AstGenerator;
using testing_support::Generator;
using testing_support::Harness;

std::string Convert(bool to_json, const std::string& text, const ConvertOptions& options, bool* ok) {
  const Source source("test", text);
  Diagnostics diagnostics;
  const auto result =
      to_json ? ConvertToJson(source, options, &diagnostics) : ConvertToNative(source, options, &diagnostics);
  *ok = result.has_value();
  return *ok ? *result : ToText(diagnostics, &source);
}

// The blocks of `body`, each with as many labels as the first of its type.
BodyShape ShapeOf(const Body& body) {
  BodyShape shape;
  for (const Block& block : body.blocks) {
    const std::string type(block.type);
    if (shape.schema.FindBlock(type) != nullptr) continue;
    shape.schema.AddBlock(type, std::vector<std::string>(block.labels.size(), "label")).IgnoreError();
    // What blocks of the type hold is what all of them hold.
    auto content = std::make_shared<BodyShape>();
    for (const Block& other : body.blocks) {
      if (other.type != block.type) continue;
      const BodyShape found = ShapeOf(*other.body);
      for (size_t i = 0; i < found.blocks.size(); ++i) {
        const BlockSchema& inner = found.schema.blocks()[i];
        if (content->schema.AddBlock(inner.type, inner.label_names).ok()) content->blocks.push_back(found.blocks[i]);
      }
    }
    shape.blocks.push_back(content);
  }
  return shape;
}

TEST(ConvertProperty, BackAndForthIsTheSame) {
  int converted = 0;
  int with_blocks = 0;
  for (uint32_t seed = 0; seed < 3'000 && !HasFailure(); ++seed) {
    Arena arena;
    const Body* body = AstGenerator(seed, &arena).GenerateBody(3);
    const std::string native = PrintBody(*body);
    bool ok = false;
    ConvertOptions options;
    options.shape = ShapeOf(*body);
    const std::string json = Convert(true, native, options, &ok);
    if (!ok) {
      EXPECT_NE(json.find("HCL6201"), std::string::npos) << json << native;
      continue;
    }
    const std::string back = Convert(false, json, options, &ok);
    // Blocks of one type may differ in what they hold, so that no one shape is that of all.
    if (!ok) {
      EXPECT_TRUE(std::regex_search(back, std::regex("HCL(50|6201)"))) << back << json;
      continue;
    }
    EXPECT_EQ(Convert(true, back, options, &ok), json) << native << "\n" << back;
    EXPECT_TRUE(ok);
    ++converted;
    with_blocks += body->blocks.empty() ? 0 : 1;
  }
  EXPECT_GT(converted, 1'000);
  EXPECT_GT(with_blocks, 300);
}

// Without the places of messages, which differ.
std::string WithoutPlaces(const std::string& outcome) {
  if (outcome.rfind("error ", 0) != 0) return outcome;
  return std::regex_replace(outcome, std::regex("error [0-9]+-[0-9]+ "), "error ");
}

TEST(ConvertProperty, ValuesStay) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    CompileOptions options;
    options.dialect = dialect;
    Harness harness(options);
    Generator generator(11);
    ConvertOptions convert;
    convert.rules = dialect == Dialect::kHashiCorp ? JsonRules::kReference : JsonRules::kSpec;
    int values = 0;
    for (int i = 0; i < 3'000 && !HasFailure(); ++i) {
      const std::string native = "a = " + generator.Next() + "\nb = {c = " + generator.Next() + "}\n";
      const std::string want = WithoutPlaces(harness.EvalConfigTyped(native));
      bool ok = false;
      const std::string json = Convert(true, native, convert, &ok);
      ASSERT_TRUE(ok) << json << native;
      EXPECT_EQ(WithoutPlaces(harness.EvalJsonConfigTyped(json)), want) << native << "\n" << json;
      const std::string back = Convert(false, json, convert, &ok);
      ASSERT_TRUE(ok) << back << json;
      EXPECT_EQ(WithoutPlaces(harness.EvalConfigTyped(back)), want) << native << "\n" << json << "\n" << back;
      values += want.rfind("error ", 0) == 0 ? 0 : 1;
    }
    EXPECT_GT(values, 300);
  }
}

// Evaluated without a schema, blocks in JSON are the objects and tuples that native ones become.
TEST(ConvertProperty, BlocksEvaluateToTheSame) {
  Harness harness;
  for (const std::string native : {
           "s \"x\" {\n  a = i\n}\ns \"y\" {\n  a = 1\n}\ns \"x\" {\n  b = [s]\n}\n",
           "s {\n  t {\n    a = \"$${i}\"\n  }\n}\nb = 2\ns {}\n",
           "s \"x\" \"${}\" {\n}\n",
           "# comment\ns {\n  # another\n}\n",
           "variable \"v\" {\n  type = s\n}\n",
       }) {
    bool ok = false;
    const std::string json = Convert(true, native, {}, &ok);
    if (!ok) continue;
    EXPECT_EQ(harness.EvalJsonConfigTyped(json), harness.EvalConfigTyped(native)) << json;
    const std::string back = Convert(false, json, {}, &ok);
    ASSERT_TRUE(ok) << back;
    EXPECT_EQ(harness.EvalConfigTyped(back), harness.EvalConfigTyped(native)) << back;
  }
}

}  // namespace
}  // namespace hcl

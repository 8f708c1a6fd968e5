// Laws over every source text of the conformance cases: optimised and unoptimised programs agree, and every listing and
// verification succeeds.

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/json/json.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl {
namespace {

using testing_support::Harness;

struct Case {
  std::string kind;
  std::string source;
};

std::string Property(const Value& object, std::string_view name) {
  const int64_t at = object.shape().Find(name);
  return at < 0 ? "" : std::string(object.values()[static_cast<size_t>(at)].AsString());
}

std::vector<Case> ReadCases(const std::string& name) {
  std::vector<Case> cases;
  std::ifstream file("tests/conformance/cases/" + name + ".jsonl");
  EXPECT_TRUE(file.is_open()) << name;
  JsonReader reader;
  for (std::string line; std::getline(file, line);) {
    Heap heap;
    Value value;
    JsonError error;
    EXPECT_TRUE(reader.Read(line, &heap, &value, &error)) << line;
    cases.push_back({Property(value, "kind"), Property(value, "source")});
  }
  return cases;
}

class OptimizerTest : public testing::TestWithParam<const char*> {};

TEST_P(OptimizerTest, OptimizedAndUnoptimizedAgree) {
  for (Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    CompileOptions options;
    options.dialect = dialect;
    Harness optimized(options);
    options.optimize = false;
    Harness plain(options);
    for (const Case& c : ReadCases(GetParam())) {
      if (c.kind == "expr") {
        EXPECT_EQ(optimized.EvalTyped(c.source), plain.EvalTyped(c.source)) << c.source;
      } else if (c.kind == "template") {
        EXPECT_EQ(optimized.EvalTemplateTyped(c.source), plain.EvalTemplateTyped(c.source)) << c.source;
      } else if (c.kind == "body") {
        EXPECT_EQ(optimized.EvalConfigTyped(c.source), plain.EvalConfigTyped(c.source)) << c.source;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptimizerTest,
                         testing::Values("arithmetic", "attribute", "body", "boolean", "for-any", "function", "index",
                                         "mapping", "mixed-conditional", "mixed-operators", "newlines",
                                         "number-literal", "sequence", "splat", "string", "string-literal", "template",
                                         "token-soup", "unary"));

}  // namespace
}  // namespace hcl

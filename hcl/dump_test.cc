#include "hclvm/hcl/dump.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/parser.h"

namespace hcl {

using internal::DumpBody;
using internal::DumpExpr;
using internal::DumpOptions;
namespace {

TEST(DumpTest, TextsAreEscaped) {
  const Source source("test", "\"a\\\"\\\\\\n\\r\\t\u00e9\"");
  Diagnostics diagnostics;
  EXPECT_EQ(DumpExpr(*ParseExpression(source, {}, &diagnostics)->expr), "(template \"a\\\"\\\\\\n\\r\\t\u00e9\")");
}

TEST(DumpTest, BodyWithRanges) {
  const Source source("test", "b \"x\" {\n  c = 1\n}\na = d\n");
  Diagnostics diagnostics;
  DumpOptions options;
  options.ranges = true;
  EXPECT_EQ(DumpBody(*ParseConfig(source, {}, &diagnostics)->body, options),
            "b \"x\"@2-5@0-17 {\n  c@10-15 = 1@14-15\n}\na@18-23 = (var d)@22-23\n");
}

// Left spines of every kind are written without recursion.
TEST(DumpTest, LongLeftSpines) {
  for (const char* link : {" + a", ".a", "[a]", "[a].b", " && a"}) {
    std::string text = "a";
    for (int i = 0; i < 200'000; ++i) text += link;
    const Source source("test", text);
    Diagnostics diagnostics;
    const auto file = ParseExpression(source, {}, &diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << link;
    EXPECT_GT(DumpExpr(*file->expr).size(), text.size()) << link;
  }
}

}  // namespace
}  // namespace hcl

// Traces and identifiers.

#include "hclvm/serve/trace_context.h"

#include <regex>
#include <set>
#include <string>

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

TEST(TraceContextTest, Reads) {
  const std::string good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const auto context = ParseTraceParent(good);
  ASSERT_TRUE(context);
  EXPECT_EQ(context->trace_id, "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(context->span_id, "b7ad6b7169203331");
  EXPECT_TRUE(ParseTraceParent("cc" + good.substr(2) + "-more"));
  EXPECT_FALSE(ParseTraceParent(good + "-more"));
  EXPECT_FALSE(ParseTraceParent("ff" + good.substr(2)));
  EXPECT_FALSE(ParseTraceParent(good.substr(1)));
  for (size_t at = 0; at < good.size(); ++at) {
    for (const char wrong : {'g', 'A', '\0', ' '}) {
      std::string text = good;
      text[at] = wrong;
      EXPECT_FALSE(ParseTraceParent(text)) << text;
    }
    EXPECT_FALSE(ParseTraceParent(good.substr(0, at)));
  }
  EXPECT_FALSE(ParseTraceParent("00-00000000000000000000000000000000-b7ad6b7169203331-01"));
  EXPECT_FALSE(ParseTraceParent("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"));
}

TEST(TraceContextTest, MakesIdentifiers) {
  const std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  std::set<std::string> seen;
  IdSource first;
  IdSource second;
  for (int n = 0; n < 1000; ++n) {
    for (IdSource* ids : {&first, &second}) {
      const std::string id(ids->Next());
      EXPECT_TRUE(std::regex_match(id, form)) << id;
      EXPECT_TRUE(seen.insert(id).second) << id;
    }
    const double fraction = first.NextFraction();
    EXPECT_TRUE(fraction >= 0 && fraction < 1) << fraction;
  }
}

}  // namespace
}  // namespace hcl::serve

#include "hclvm/bench/peers/results.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::bench {
namespace {

TEST(ResultsTest, Statistics) {
  EXPECT_EQ(Median({}), std::nullopt);
  EXPECT_EQ(Median({7}), 7);
  EXPECT_EQ(Median({30, 10, 20}), 20);
  EXPECT_EQ(Median({40, 10, 30, 20}), 25);
  EXPECT_EQ(SpreadPercent({}), 0);
  EXPECT_EQ(SpreadPercent({5}), 0);
  EXPECT_EQ(SpreadPercent({8, 10, 13}), 50);
  EXPECT_EQ(GeometricMean({}), std::nullopt);
  EXPECT_DOUBLE_EQ(*GeometricMean({2, 8}), 4);
}

TEST(ResultsTest, ReadsAllForms) {
  Results results;
  std::string error;
  ASSERT_TRUE(ReadResults(R"({"fact":"processor","text":"fast"}
{"peer":"vm","label":"VM","version":"this one"}
{"title":"W1","text":"A policy"}
{"skipped":"lua","why":"not installed"}
{"peer":"vm","workload":"W1","ns":30,"allocs":0,"bytes":0,"iterations":9}
{"peer":"vm","workload":"W1","ns":10.5,"allocs":2,"bytes":80.5,"iterations":9}
{"peer":"cpp","workload":"W1","ns":5,"allocs":null,"bytes":null,"iterations":9}
{"peer":"cpp","workload":"W2","ns":5,"allocs":null,"bytes":null,"iterations":9}
{"peer":"cpp","workload":"W2","wrong":true}
)",
                          &results, &error))
      << error;
  EXPECT_EQ(results.facts, (TextPairs{{"processor", "fast"}}));
  EXPECT_EQ(results.titles, (std::map<std::string, std::string>{{"W1", "A policy"}}));
  EXPECT_EQ(results.skipped, (TextPairs{{"lua", "not installed"}}));
  ASSERT_EQ(results.peers.size(), 1u);
  EXPECT_EQ(results.peers[0].name + "," + results.peers[0].label + "," + results.peers[0].version, "vm,VM,this one");
  EXPECT_EQ(results.Find("vm", "W1")->ns, (std::vector<double>{30, 10.5}));
  EXPECT_EQ(results.Find("vm", "W1")->bytes, (std::vector<double>{0, 80.5}));
  EXPECT_TRUE(results.Find("cpp", "W1")->allocs.empty());
  EXPECT_EQ(results.Find("cpp", "W2"), nullptr) << "a wrong answer has no time";
  EXPECT_EQ(results.Find("lua", "W1"), nullptr);
  EXPECT_EQ(results.Ns("vm", "W1"), 20.25);
  EXPECT_EQ(results.Ratio("vm", "cpp", "W1"), 4.05);
  EXPECT_EQ(results.Ratio("vm", "cpp", "W2"), std::nullopt);
}

TEST(ResultsTest, RefusesOtherLines) {
  for (const char* line : {"", "x", "[]", "{}", R"({"peer":"vm"})", R"({"peer":"vm","workload":"W1"})",
                           R"({"peer":"vm","workload":"W1","ns":0})", R"({"peer":"vm","workload":"W1","ns":"3"})",
                           R"({"fact":"processor"})", R"({"skipped":"lua"})", R"({"title":"B01"})"}) {
    Results results;
    std::string error;
    const std::string text = std::string(R"({"fact":"a","text":"b"})") + "\n" + line + "\n";
    EXPECT_FALSE(ReadResults(text, &results, &error)) << line;
    EXPECT_EQ(error, std::string("line 2 is no measurement: ") + line);
  }
}

}  // namespace
}  // namespace hcl::bench

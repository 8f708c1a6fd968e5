#include "hclvm/bench/peers/breadth_section.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/bench/peers/results.h"

namespace hcl::bench {
namespace {

void Add(const std::string& peer, const std::string& workload, double ns, double allocs, Results* results) {
  results->series[{peer, workload}] = {{ns}, {allocs}, {24}, false};
}

Results Sample() {
  Results results;
  results.facts = {{"processor", "fast"}};
  results.titles = {{"B01", "Roles"}};
  results.peers = {{"vm", "VM", "this one"}, {"lua", "Lua", "5"}, {"cpp", "C++", "12"}, {"go", "Go", "1"}};
  for (const std::string workload : {"B01", "B02", "W1"}) {
    Add("vm", workload, 100, 0, &results);
    Add("cpp", workload, 20, 2, &results);
  }
  Add("lua", "B01", 50, 1, &results);
  Add("lua", "B02", 800, 1, &results);
  return results;
}

TEST(BreadthSectionTest, WorkloadsOfTheFamilyOnly) {
  EXPECT_EQ(MeasuredBreadth(Sample()), (std::vector<std::string>{"B01", "B02"}));
  EXPECT_EQ(MeasuredBreadth(Results()), std::vector<std::string>());
}

TEST(BreadthSectionTest, WhoIsFurthestAheadComesFirst) {
  const std::string text = BreadthSection(Sample());
  const std::string begin =
      "- C++ is ahead of the VM in 2 of 2. VM / C++: geometric mean 5.00, from 5.00 (B01) to 5.00 (B02).\n"
      "- Lua is ahead of the VM in 1 of 2 (B01). Lua / VM: geometric mean 2.00, from 0.50 (B01) to 8.00 (B02).\n"
      "- The VM allocates in 0 of 2.\n\n- processor: fast\n";
  EXPECT_EQ(text.substr(0, begin.size()), begin);
  EXPECT_NE(text.find("Times C++'s time:\n\n| | VM | Lua | C++ |\n|---|---:|---:|---:|\n"
                      "| B01 Roles | 5.00 | 2.50 | 1.00 |\n| B02 | 5.00 | 40.0 | 1.00 |\n"),
            std::string::npos)
      << text;
}

TEST(BreadthSectionTest, OneSentence) {
  EXPECT_EQ(BreadthSummary(Sample()),
            "Over 2 policies of many kinds ([bench/breadth](bench/breadth)), in the geometric mean:\nhclvm takes 5.00 "
            "times as long as C++;\nLua takes 2.00 times as long as hclvm.\n");
}

// A wrong answer counts neither for nor against.
TEST(BreadthSectionTest, WithoutSomeFigures) {
  Results results = Sample();
  results.series[{"cpp", "B02"}].wrong = true;
  Add("vm", "B01", 100, 3, &results);
  const std::string text = BreadthSection(results);
  EXPECT_NE(text.find("- C++ is ahead of the VM in 1 of 1. "), std::string::npos) << text;
  EXPECT_NE(text.find("- The VM allocates in 1 of 2 (B01).\n"), std::string::npos) << text;
  EXPECT_NE(text.find("| B02 | - | - | wrong |\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace hcl::bench

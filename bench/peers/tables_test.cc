#include "hclvm/bench/peers/tables.h"

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/bench/peers/results.h"

namespace hcl::bench {
namespace {

void Add(const std::string& peer, const std::string& workload, const std::vector<double>& ns, Results* results) {
  results->series[{peer, workload}] = {ns, {1}, {24}, false};
}

// Every workload at the VM's 10 ns, with all peers at the given multiples of it.
Results Sample() {
  Results results;
  results.facts = {{"processor", "fast"}};
  results.peers = {{"vm", "VM", "this one"}, {"cpp", "C++", "12"}};
  for (const std::string& workload : EvaluateWorkloads()) {
    Add("vm", workload, {9, 10, 11}, &results);
    Add("cpp", workload, {5}, &results);
    Add("hashicorp", workload, {2000}, &results);
    Add("luajit-off", workload, {20}, &results);
    Add("luajit", workload, {10}, &results);
  }
  return results;
}

// The line of `text` that begins with `begin`.
std::string LineOf(const std::string& text, const std::string& begin) {
  const size_t at = text.find("\n" + begin);
  if (at == std::string::npos) return "";
  return text.substr(at + 1, text.find('\n', at + 1) - at - 1);
}

TEST(TablesTest, Numbers) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},
      {0.0312, "0.03"},
      {1, "1.00"},
      {9.994, "9.99"},
      {9.996, "10.0"},
      {47.31, "47.3"},
      {99.96, "100"},
      {999.4, "999"},
      {1000, "1,000"},
      {-12345, "-12,345"},
      {-123, "-123"},
      {123456, "123,456"},
      {1437000000, "1,437,000,000"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(FormatNumber(number), text);
}

TEST(TablesTest, Cells) {
  Results results = Sample();
  results.series[{"cpp", "W2"}].wrong = true;
  results.series.erase({"cpp", "W3"});
  results.series[{"cpp", "W4"}].allocs.clear();
  results.skipped = {{"lua", "liblua5.4-dev is not installed"}};
  const std::string text = PeerSection(results);
  EXPECT_EQ(
      text.rfind("- processor: fast\n- VM: this one\n- C++: 12\n- skipped: lua (liblua5.4-dev is not installed)\n", 0),
      0u)
      << text;
  EXPECT_NE(text.find("| | VM | C++ |\n|---|---:|---:|\n| W0 | 10.0 (20 %) | 5.00 (0 %) |\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("| W0 | 1.00 | 0.50 |\n| W1 | 1.00 | 0.50 |\n| W2 | 1.00 | wrong |\n| W3 | 1.00 | - |\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("| W3 | 1.00 / 24.0 | - |\n| W4 | 1.00 / 24.0 | ? / 24.0 |\n"), std::string::npos) << text;
}

TEST(TablesTest, BudgetsThatHold) {
  const std::string text = PeerSection(Sample());
  EXPECT_EQ(LineOf(text, "| VM / C++"), "| VM / C++, geometric mean of W1 to W8 | at most 3.00 | 2.00 | yes |");
  EXPECT_EQ(LineOf(text, "| hashicorp / VM, g"),
            "| hashicorp / VM, geometric mean of W1 to W8 | at least 100 | 200 | yes |");
  EXPECT_EQ(LineOf(text, "| hashicorp / VM, s"),
            "| hashicorp / VM, smallest of W1 to W8 | at least 10.0 | 200 (W1) | yes |");
  EXPECT_EQ(LineOf(text, "| VM / LuaJIT w"),
            "| VM / LuaJIT without JIT, largest of W0 to W9 | at most 1.00 | 0.50 (W0) | yes |");
  EXPECT_EQ(LineOf(text, "| VM / LuaJIT,"),
            "| VM / LuaJIT, largest of W1, W3, W4, W7 | at most 1.00 | 1.00 (W1) | yes |");
  EXPECT_EQ(LineOf(text, "| W0 by"), "| W0 by the VM, ns | at most 12.0 | 10.0 | yes |");
}

TEST(TablesTest, BudgetsThatDoNot) {
  Results results = Sample();
  Add("vm", "W0", {13}, &results);
  Add("vm", "W3", {1000}, &results);
  Add("vm", "W7", {250}, &results);
  const std::string text = PeerSection(results);
  EXPECT_EQ(LineOf(text, "| VM / C++"), "| VM / C++, geometric mean of W1 to W8 | at most 3.00 | 5.32 | no |");
  EXPECT_EQ(LineOf(text, "| hashicorp / VM, g"),
            "| hashicorp / VM, geometric mean of W1 to W8 | at least 100 | 75.2 | no |");
  EXPECT_EQ(LineOf(text, "| hashicorp / VM, s"),
            "| hashicorp / VM, smallest of W1 to W8 | at least 10.0 | 2.00 (W3); outside: W3, W7 | no |");
  EXPECT_EQ(LineOf(text, "| VM / LuaJIT,"),
            "| VM / LuaJIT, largest of W1, W3, W4, W7 | at most 1.00 | 100 (W3); outside: W3, W7 | no |");
  EXPECT_EQ(LineOf(text, "| W0 by"), "| W0 by the VM, ns | at most 12.0 | 13.0 | no |");
}

TEST(TablesTest, BudgetsWithoutPeers) {
  Results results = Sample();
  results.series.erase({"luajit-off", "W5"});
  results.series[{"cpp", "W5"}].wrong = true;
  const std::string text = PeerSection(results);
  EXPECT_EQ(LineOf(text, "| VM / C++"), "| VM / C++, geometric mean of W1 to W8 | at most 3.00 | not measured | - |");
  EXPECT_EQ(LineOf(text, "| VM / LuaJIT w"),
            "| VM / LuaJIT without JIT, largest of W0 to W9 | at most 1.00 | not measured | - |");
}

TEST(TablesTest, ReplacesBetweenMarkers) {
  std::string text = "a\n<!-- peers:begin -->\nold\n<!-- peers:end -->\nb\n";
  ASSERT_TRUE(ReplaceBetween("peers", "new\n", &text));
  EXPECT_EQ(text, "a\n<!-- peers:begin -->\n\nnew\n\n<!-- peers:end -->\nb\n");
  for (std::string bad : {"", "<!-- peers:begin -->\n", "<!-- peers:end -->\n<!-- peers:begin -->\n"}) {
    const std::string before = bad;
    EXPECT_FALSE(ReplaceBetween("peers", "new\n", &bad));
    EXPECT_EQ(bad, before);
  }
}

}  // namespace
}  // namespace hcl::bench

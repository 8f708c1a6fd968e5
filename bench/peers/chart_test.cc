#include "hclvm/bench/peers/chart.h"

#include <cctype>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/bench/peers/results.h"

namespace hcl::bench {
namespace {

// Why `text` is not well-formed XML of elements with quoted attributes, or an empty string.
std::string XmlFault(const std::string& text) {
  std::vector<std::string> open;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '&' && text.compare(at, 4, "&lt;") != 0 && text.compare(at, 5, "&amp;") != 0) return "bare &";
    if (text[at] != '<') {
      if (open.empty() && std::isspace(static_cast<unsigned char>(text[at])) == 0) return "text outside the root";
      ++at;
      continue;
    }
    const size_t close = text.find('>', at);
    if (close == std::string::npos) return "tag without end";
    const std::string tag = text.substr(at + 1, close - at - 1);
    size_t quotes = 0;
    for (const char c : tag) quotes += c == '"' ? 1 : 0;
    if (tag.find('<') != std::string::npos || quotes % 2 != 0) return "tag " + tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "closes what is not open: " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = close + 1;
  }
  return open.empty() ? "" : "not closed: " + open.back();
}

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Results Sample() {
  Results results;
  results.peers = {{"vm", "A & <B>", ""}, {"lua", "Lua", ""}};
  results.series[{"vm", "W0"}] = {{10}, {}, {}, false};
  results.series[{"vm", "W1"}] = {{100}, {}, {}, false};
  results.series[{"lua", "W0"}] = {{1000}, {}, {}, false};
  results.series[{"lua", "W1"}] = {{1000}, {}, {}, true};
  return results;
}

TEST(ChartTest, IsWellFormed) {
  EXPECT_EQ(XmlFault("<a><b/></a>"), "");
  EXPECT_NE(XmlFault("<a><b></a>"), "");
  EXPECT_NE(XmlFault("<a>&</a>"), "");
  EXPECT_EQ(XmlFault(Chart(Sample(), {"W0", "W1"}, "x < y")), "");
  EXPECT_EQ(XmlFault(Chart({}, {"W0"}, "nothing")), "");
}

TEST(ChartTest, ABarForEachTime) {
  const std::string chart = Chart(Sample(), {"W0", "W1"}, "t");
  // In the legend, and for each time; a wrong answer has no bar.
  EXPECT_EQ(Count(chart, "fill=\"#0b62a4\""), 3u) << chart;
  EXPECT_EQ(Count(chart, "fill=\"#7a9bb5\""), 2u) << chart;
  EXPECT_NE(chart.find(">A &amp; &lt;B></text>"), std::string::npos) << chart;
}

TEST(ChartTest, LogarithmicScale) {
  // From 1 to 1,000 ns on 640 pixels.
  const std::string chart = Chart(Sample(), {"W0", "W1"}, "t");
  EXPECT_NE(chart.find("width=\"213.3\""), std::string::npos) << chart;
  EXPECT_NE(chart.find("width=\"426.7\""), std::string::npos) << chart;
  EXPECT_NE(chart.find("width=\"640.0\""), std::string::npos) << chart;
}

}  // namespace
}  // namespace hcl::bench

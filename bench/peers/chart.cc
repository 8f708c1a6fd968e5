// Bars in SVG. Tested by bench/peers/chart_test.cc.

#include "hclvm/bench/peers/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "hclvm/bench/peers/tables.h"

namespace hcl::bench {
namespace {

// Pixels.
constexpr int kWidth = 800;
constexpr int kLeft = 40;    // where bars begin
constexpr int kRight = 120;  // room for the figure of the longest bar
constexpr int kTop = 64;     // title and legend
constexpr int kBar = 11;
constexpr int kGap = 12;  // between workloads
constexpr int kBottom = 28;

constexpr const char* kColors[] = {"#0b62a4", "#7a9bb5", "#d2691e", "#6b8e23", "#b5a642", "#8b3a62"};

// Enough for text between tags, which is all that is written by it.
std::string Escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

std::string Text(double x, double y, const std::string& text, const char* anchor = "start") {
  char place[96];
  std::snprintf(place, sizeof(place), R"(<text x="%.1f" y="%.1f" text-anchor="%s">)", x, y, anchor);
  return place + Escape(text) + "</text>\n";
}

std::string Rectangle(double x, double y, double width, double height, const std::string& color) {
  char place[128];
  std::snprintf(place, sizeof(place), R"(<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill=")", x, y, width,
                height);
  return place + color + "\"/>\n";
}

const char* ColorOf(size_t peer) { return kColors[peer % (sizeof(kColors) / sizeof(kColors[0]))]; }

// Powers of ten below and above all times.
struct Scale {
  int low = 0;
  int high = 1;

  double X(double ns) const { return kLeft + (std::log10(ns) - low) / (high - low) * (kWidth - kLeft - kRight); }
};

// A logarithmic scale, as peers differ by powers of ten; from one power of ten to another, so that the lines of the
// axis stand at round numbers.
Scale ScaleOf(const Results& results, const std::vector<Peer>& peers, const std::vector<std::string>& workloads) {
  std::optional<double> least;
  double most = 0;
  for (const Peer& peer : peers) {
    for (const std::string& workload : workloads) {
      const std::optional<double> ns = results.Ns(peer.name, workload);
      if (!ns.has_value()) continue;
      least = std::min(least.value_or(*ns), *ns);
      most = std::max(most, *ns);
    }
  }
  if (!least.has_value()) return {};
  Scale scale;
  // A shortest bar still has a length.
  scale.low = static_cast<int>(std::floor(std::log10(*least * 0.8)));
  scale.high = std::max(scale.low + 1, static_cast<int>(std::ceil(std::log10(most))));
  return scale;
}

std::string Legend(const std::vector<Peer>& peers) {
  std::string text;
  double x = kLeft;
  for (size_t i = 0; i < peers.size(); ++i) {
    text += Rectangle(x, 36, 10, 10, ColorOf(i)) + Text(x + 14, 45, peers[i].label);
    x += 34 + 7 * static_cast<double>(peers[i].label.size());
  }
  return text;
}

std::string AxisLabel(double ns) {
  if (ns >= 1000) return FormatNumber(ns);
  char text[32];
  std::snprintf(text, sizeof(text), "%g", ns);
  return text;
}

std::string Axis(const Scale& scale, int bottom) {
  std::string text;
  double ns = std::pow(10, scale.low);
  for (int power = scale.low; power <= scale.high; ++power, ns *= 10) {
    const double x = scale.X(ns);
    text += Rectangle(x, kTop - 8, 1, bottom - kTop + 8, "#dddddd");
    text += Text(x, bottom + 16, AxisLabel(ns), "middle");
  }
  return text;
}

}  // namespace

// Written by hand, as it is a few rectangles and texts: no library, and the same bytes for the same results, so that a
// change of the file in a commit is a change of the figures.
std::string Chart(const Results& results, const std::vector<std::string>& workloads, const std::string& title) {
  const std::vector<Peer> peers = PeersOf(results, workloads);
  const Scale scale = ScaleOf(results, peers, workloads);
  std::string bars;
  int y = kTop;
  for (const std::string& workload : workloads) {
    bars += Text(kLeft - 8, y + kBar - 2, workload, "end");
    for (size_t i = 0; i < peers.size(); ++i) {
      const std::optional<double> ns = results.Ns(peers[i].name, workload);
      if (!ns.has_value()) continue;
      bars += Rectangle(kLeft, y, scale.X(*ns) - kLeft, kBar - 2, ColorOf(i));
      bars += Text(scale.X(*ns) + 4, y + kBar - 2.5, FormatNumber(*ns));
      y += kBar;
    }
    y += kGap;
  }
  const int bottom = y - kGap / 2;
  const std::string height = std::to_string(bottom + kBottom);
  return R"(<svg xmlns="http://www.w3.org/2000/svg" width=")" + std::to_string(kWidth) + "\" height=\"" + height +
         R"(" font-family="sans-serif" font-size="10">)" + "\n" + Rectangle(0, 0, kWidth, bottom + kBottom, "#ffffff") +
         "<g font-size=\"14\">\n" + Text(kLeft, 20, title) + "</g>\n" + "<g font-size=\"12\">\n" + Legend(peers) +
         "</g>\n" + Axis(scale, bottom) + bars + "</svg>\n";
}

}  // namespace hcl::bench

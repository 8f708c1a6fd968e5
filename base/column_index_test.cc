#include "hclvm/base/column_index.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"

namespace hcl {

using internal::ColumnIndex;
using internal::ColumnsBefore;
using internal::CountGraphemes;
using internal::GraphemeBytes;
namespace {

constexpr size_t kStride = ColumnIndex::kStride;

std::vector<uint32_t> LineStarts(const std::string& text) {
  std::vector<uint32_t> starts = {0};
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') starts.push_back(static_cast<uint32_t>(at + 1));
  }
  return starts;
}

std::string Repeat(std::string_view text, size_t count) {
  std::string repeated;
  for (size_t i = 0; i < count; ++i) repeated.append(text);
  return repeated;
}

// At each offset of each long line, the index says what going over the line says, and looks at few bytes for it.
void Check(const std::string& text) {
  const std::vector<uint32_t> starts = LineStarts(text);
  const ColumnIndex index(text, starts);
  size_t next_mark = 0;
  for (size_t n = 0; n < starts.size(); ++n) {
    const size_t end = n + 1 < starts.size() ? starts[n + 1] : text.size();
    const std::string_view line = std::string_view(text).substr(starts[n], end - starts[n]);
    if (ColumnIndex::IsShort(line.size())) continue;
    // Counted once, cluster by cluster.
    uint32_t columns = 0;
    size_t cluster_end = GraphemeBytes(line, 0);
    // What is behind a "\\n" is on the next line.
    const size_t last = line.back() == '\n' ? line.size() - 1 : line.size();
    for (size_t offset = 0; offset <= last; ++offset) {
      if (offset == cluster_end) {
        ++columns;
        if (offset < line.size()) cluster_end += GraphemeBytes(line, offset);
      }
      ASSERT_EQ(index.ColumnsInLine(line, starts[n], offset), columns) << "line " << n << " offset " << offset;
    }
    for (; next_mark < index.marks().size() && index.marks()[next_mark].offset < end; ++next_mark) {
      const bool is_last = next_mark + 1 == index.marks().size() || index.marks()[next_mark + 1].offset >= end;
      const size_t begin = index.marks()[next_mark].offset;
      const size_t size = (is_last ? end : index.marks()[next_mark + 1].offset) - begin;
      ASSERT_TRUE(size <= 2 * kStride || CountGraphemes(text.substr(begin, size)) == 1) << begin;
    }
  }
  EXPECT_EQ(next_mark, index.marks().size());
  EXPECT_LE(index.marks().size(), 2 * (text.size() / kStride + 1));
}

TEST(ColumnIndexTest, Lines) {
  Check("");
  Check("short\n");
  for (size_t size : {2 * kStride - 2, 2 * kStride, 2 * kStride + 1, 3 * kStride - 1, 3 * kStride, 3 * kStride + 1}) {
    for (const char* end : {"", "\n", "\r\n", "\r", "\r\nshort", "\u0301\n", "\xCC"}) {
      Check(std::string(size, 'x') + end);
      Check(std::string(size, 'x') + end + std::string(size, 'y') + end);
    }
  }
}

TEST(ColumnIndexTest, Clusters) {
  const std::string family = "\U0001F468\u200D\U0001F469\u200D\U0001F467";
  Check(Repeat("\u00e9", 3000));
  Check(Repeat("\U0001F1E9\U0001F1EA", 3001));  // flags: pairs that are counted from the line's start
  Check("x" + Repeat("\U0001F1E9", 5001));
  Check(Repeat(family, 1000) + "\r\n" + Repeat("a" + family, 1000));
  Check(Repeat("\xFF", 5000));
}

TEST(ColumnIndexTest, ClustersLongerThanAStride) {
  for (size_t marks : {50, 127, 128, 129, 255, 256, 257, 1000}) {
    const std::string cluster = "e" + Repeat("\u0301", marks);
    Check(cluster);
    Check(Repeat(cluster, 5));
    Check("ab" + cluster + "cd" + cluster + "\n" + Repeat("x", 1000) + cluster + "\r\n" + cluster);
  }
}

TEST(ColumnIndexTest, RandomTexts) {
  std::mt19937 random(1);
  const std::string long_cluster = "e" + Repeat("\u0301", 300);
  const std::vector<std::string> parts = {std::string(200, 'x'),
                                          "x",
                                          "\r\n",
                                          "\n",
                                          "\u0301",
                                          "\u00e9",
                                          "\U0001F1E9",
                                          "\u4e16",
                                          "\xE4",
                                          "\r",
                                          "\u200D\U0001F469",
                                          long_cluster,
                                          std::string(300, 'y'),
                                          Repeat("\u00e9", 100)};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const size_t kinds = 1 + random() % parts.size();
    for (size_t n = random() % 40; n > 0; --n) text += parts[random() % kinds];
    Check(text);
  }
}

// Going over the line each time would look at 10^11 bytes.
TEST(ColumnIndexTest, ManyQuestionsAboutOneLine) {
  const std::string text = Repeat("ab\u00e9", 250'000);
  const ColumnIndex index(text, {0});
  uint64_t sum = 0;
  for (size_t offset = 0; offset < text.size(); offset += 4) sum += index.ColumnsInLine(text, 0, offset);
  EXPECT_EQ(sum, uint64_t{3} * 250'000 * 249'999 / 2);
  EXPECT_EQ(ColumnsBefore(text, text.size()), 750'000u);
}

}  // namespace
}  // namespace hcl

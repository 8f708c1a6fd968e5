// Reads of expressions: what was written is what is read, by where it begins, for any ranges.

#include "hclvm/vm/read_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/source.h"

namespace hcl {

using internal::Read;
using internal::ReadTable;
using internal::ReadTableWriter;
namespace {

std::string TextOf(const Read& read) {
  return std::to_string(read.range.begin) + "-" + std::to_string(read.range.end) + ":" + std::to_string(read.path) +
         " ";
}

// All that begins at `begin` or behind it.
std::string ReadsAt(const ReadTable& table, uint32_t pc, uint32_t begin) {
  std::string text;
  ReadTable::Reader reader = table.ReadsAt(pc, begin);
  size_t before = 0;
  for (Read read; reader.Next(&read);) {
    if (read.range.begin >= begin) {
      text += TextOf(read);
    } else {
      EXPECT_LT(before++, ReadTable::kReadsPerMark);
      EXPECT_EQ(text, "");
    }
  }
  return text;
}

TEST(ReadTableTest, AnEmptyTableHasNothing) {
  const ReadTable table;
  EXPECT_EQ(table.BeginAt(UINT32_MAX), nullptr);
  EXPECT_EQ(ReadsAt(table, 0, 0), "");
}

TEST(ReadTableTest, ReadsAreInOrderAndTakeAByteForEachNumber) {
  ReadTableWriter writer;
  writer.Begin(3);
  writer.Add({20, 25}, 7);
  writer.Add({10, 12}, 2 | Read::kLocalBit);
  writer.End();
  EXPECT_EQ(writer.bytes().size(), 6u);
  const ReadTable table(writer.bytes(), writer.marks());
  EXPECT_EQ(table.BeginAt(2), nullptr);
  EXPECT_EQ(*table.BeginAt(9), 3u);
  EXPECT_EQ(ReadsAt(table, 9, 0), "10-12:2147483650 20-25:7 ");
  EXPECT_EQ(ReadsAt(table, 3, 11), "20-25:7 ");
  EXPECT_EQ(ReadsAt(table, 3, 21), "");
}

TEST(ReadTableTest, AnExpressionWithoutReadsHidesTheOneBefore) {
  ReadTableWriter writer;
  writer.Begin(0);
  writer.Add({1, 2}, 0);
  writer.End();
  writer.Begin(5);
  writer.End();
  writer.Begin(8);
  writer.Add({3, 4}, 1);
  writer.End();
  const ReadTable table(writer.bytes(), writer.marks());
  EXPECT_EQ(ReadsAt(table, 4, 0), "1-2:0 ");
  EXPECT_EQ(ReadsAt(table, 7, 0), "");
  EXPECT_EQ(ReadsAt(table, 8, 0), "3-4:1 ");
}

// Expressions of one place have no code but the last one, which alone can fail.
TEST(ReadTableTest, ExpressionsWithoutCodeAreHiddenByTheNext) {
  ReadTableWriter writer;
  for (int n = 0; n < 3; ++n) {  // constants: nothing is read at all
    writer.Begin(0);
    writer.End();
  }
  const ReadTable empty(writer.bytes(), writer.marks());
  EXPECT_EQ(ReadsAt(empty, 0, 0), "");
  EXPECT_EQ(ReadsAt(empty, 7, 5), "");

  const ReadTableWriter::Mark mark = writer.Here();
  writer.Begin(0);
  writer.Add({30, 31}, 1);
  writer.End();
  writer.Begin(0);
  writer.Add({10, 11}, 2);
  writer.End();
  const ReadTable last(writer.bytes(), writer.marks());
  EXPECT_EQ(ReadsAt(last, 3, 0), "10-11:2 ");
  writer.Begin(0);
  writer.End();
  const ReadTable none(writer.bytes(), writer.marks());
  EXPECT_EQ(ReadsAt(none, 3, 0), "");
  writer.Rewind(mark);
  writer.Begin(0);
  writer.Add({5, 6}, 3);
  writer.End();
  const ReadTable after(writer.bytes(), writer.marks());
  EXPECT_EQ(ReadsAt(after, 3, 0), "5-6:3 ");
}

// Many that begin at one place, too: groups end among them.
TEST(ReadTableTest, AnyReadsAreFound) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    ReadTableWriter writer;
    const uint32_t expressions = 1 + random() % 4;
    const uint32_t width = random() % 3 == 0 ? 10 : random() % 2 == 0 ? 1000 : UINT32_MAX;
    std::vector<std::vector<Read>> all(expressions);
    for (uint32_t n = 0; n < expressions; ++n) {
      for (uint32_t without_code = random() % 3; without_code > 0; --without_code) {
        writer.Begin(n * 10);
        for (uint32_t count = random() % 40; count > 0; --count) {
          writer.Add({static_cast<uint32_t>(random() % width), UINT32_MAX}, 1);
        }
        writer.End();
      }
      writer.Begin(n * 10);
      for (uint32_t count = random() % 200; count > 0; --count) {
        const uint32_t begin = static_cast<uint32_t>(random() % width);
        const uint32_t bit = random() % 2 == 0 ? Read::kLocalBit : 0;
        all[n].push_back(
            {{begin, begin + static_cast<uint32_t>(random() % 100)}, static_cast<uint32_t>(random() % 300) | bit});
        writer.Add(all[n].back().range, all[n].back().path);
      }
      writer.End();
    }
    const ReadTable table(writer.bytes(), writer.marks());
    for (uint32_t n = 0; n < expressions; ++n) {
      const uint32_t begin = all[n].empty() ? 0 : all[n][random() % all[n].size()].range.begin;
      std::vector<std::string> wanted;
      for (const Read& read : all[n]) {
        if (read.range.begin >= begin) wanted.push_back(TextOf(read));
      }
      std::vector<std::string> found;
      uint32_t last = begin;
      ReadTable::Reader reader = table.ReadsAt(n * 10 + random() % 10, begin);
      for (Read read; reader.Next(&read);) {
        if (read.range.begin < begin) continue;
        EXPECT_GE(read.range.begin, last);
        last = read.range.begin;
        found.push_back(TextOf(read));
      }
      std::sort(wanted.begin(), wanted.end());
      std::sort(found.begin(), found.end());
      EXPECT_EQ(found, wanted);
    }
  }
}

}  // namespace
}  // namespace hcl

// Source ranges: what was written is what is read, for any ranges.

#include "hclvm/vm/range_table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/source.h"

namespace hcl {

using internal::InstructionRanges;
using internal::RangeTable;
using internal::RangeTableWriter;
namespace {

using Ranges = std::vector<SourceRange>;

std::vector<SourceRange> At(const RangeTable& table, uint32_t pc) {
  const InstructionRanges ranges = table.At(pc);
  return {ranges.begin(), ranges.end()};
}

TEST(RangeTableTest, AnEmptyTableHasNothing) {
  const RangeTable table;
  EXPECT_TRUE(table.At(0).empty());
  EXPECT_EQ(table.Before(UINT32_MAX), std::nullopt);
}

TEST(RangeTableTest, SmallDistancesTakeAByteEach) {
  RangeTableWriter writer;
  writer.Add(3, {{10, 20}, {10, 12}, {15, 20}});
  writer.Add(4, {{2, 2}});
  EXPECT_EQ(writer.bytes().size(), (2u + 6) + (2 + 2));
  EXPECT_EQ(writer.marks().size(), 1u);
  const RangeTable table(writer.bytes(), writer.marks());
  EXPECT_EQ(At(table, 3), (Ranges{{10, 20}, {10, 12}, {15, 20}}));
  EXPECT_EQ(At(table, 4), (Ranges{{2, 2}}));
  EXPECT_EQ(At(table, 2), Ranges{});
  EXPECT_EQ(At(table, 5), Ranges{});
  EXPECT_EQ(table.Before(3), std::nullopt);
  EXPECT_EQ(table.Before(4), 3u);
  EXPECT_EQ(table.Before(100), 4u);
}

TEST(RangeTableTest, GroupsCanBeCopied) {
  RangeTableWriter from;
  from.Add(1, {{5, 6}});
  from.EndGroup();
  for (uint32_t pc = 10; pc < 50; ++pc) from.Add(pc, {{pc, 2 * pc}, {0, 1}});
  from.EndGroup();
  from.Add(60, {{7, 9}});
  const RangeTable table(from.bytes(), from.marks());
  RangeTableWriter to;
  to.Add(0, {{1, 2}});
  to.AddGroups(table, 50, 60, 5);  // has nothing
  to.AddGroups(table, 10, 50, 100);
  to.Add(200, {{3, 4}});
  to.AddGroups(table, 55, 70, 1000);
  to.AddGroups(table, 0, 10, UINT32_MAX - 1 + 2000);
  const RangeTable copy(to.bytes(), to.marks());
  EXPECT_EQ(At(copy, 0), (Ranges{{1, 2}}));
  for (uint32_t pc = 10; pc < 50; ++pc) EXPECT_EQ(At(copy, pc + 100), (Ranges{{pc, 2 * pc}, {0, 1}})) << pc;
  EXPECT_EQ(At(copy, 150), Ranges{});
  EXPECT_EQ(At(copy, 200), (Ranges{{3, 4}}));
  EXPECT_EQ(At(copy, 1060), (Ranges{{7, 9}}));
  EXPECT_EQ(At(copy, 1999), (Ranges{{5, 6}}));
  EXPECT_EQ(copy.Before(1060), 200u);
}

TEST(RangeTableTest, ReadsWhatWasWritten) {
  std::mt19937 random(1);
  const uint32_t bounds[] = {1, 4, 200, 70'000, UINT32_MAX};
  const auto number = [&] { return static_cast<uint32_t>(random()) % bounds[random() % std::size(bounds)]; };
  for (int round = 0; round < 300; ++round) {
    RangeTableWriter writer;
    std::map<uint32_t, Ranges> want;
    uint32_t pc = number() % 100;
    for (uint32_t n = random() % 100; n > 0; --n, pc += 1 + number() % 1000) {
      // Also ranges that no source has: they end before they begin.
      for (uint32_t ranges = 1 + number() % 60; ranges > 0; --ranges) want[pc].push_back({number(), number()});
      writer.Add(pc, want[pc]);
    }
    const RangeTable table(writer.bytes(), writer.marks());
    std::optional<uint32_t> before;
    for (const auto& [at, ranges] : want) {
      EXPECT_EQ(At(table, at), ranges) << at;
      EXPECT_EQ(table.Before(at), before) << at;
      EXPECT_EQ(table.Before(at + 1), at);
      EXPECT_EQ(At(table, at + 1), want.count(at + 1) > 0 ? want[at + 1] : Ranges{});
      before = at;
    }
    EXPECT_EQ(table.Before(UINT32_MAX), before);
  }
}

}  // namespace
}  // namespace hcl

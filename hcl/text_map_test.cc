// Offsets through escapes.

#include "hclvm/hcl/text_map.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "hclvm/base/arena.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/json/json_string.h"

namespace hcl {
namespace internal {
namespace {

// Maps each offset of the decoded string, whose source starts at 100.
std::string MapAll(std::string_view quoted) {
  Arena arena;
  TextMap map;
  const std::string_view text = DecodeJsonString(quoted, &arena, &map, 100);
  std::string mapped;
  for (uint32_t i = 0; i <= text.size(); ++i) mapped += std::to_string(map.Map(i)) + " ";
  return mapped;
}

TEST(TextMap, WithoutEscapes) { EXPECT_EQ(MapAll("\"ab\""), "101 102 103 "); }

TEST(TextMap, EscapesMapToTheirStart) {
  EXPECT_EQ(MapAll(R"("a\nb")"), "101 102 104 105 ");
  EXPECT_EQ(MapAll(R"("\n\n")"), "101 103 105 ");
  EXPECT_EQ(MapAll(R"("\u00e9x")"), "101 101 107 108 ");
  EXPECT_EQ(MapAll(R"("\ud83d\ude00")"), "101 101 101 101 113 ");
  EXPECT_EQ(MapAll(R"("")"), "101 ");
}

TEST(TextMap, Ranges) {
  Arena arena;
  TextMap map;
  DecodeJsonString(R"("\"a\"")", &arena, &map, 0);
  EXPECT_EQ(map.Map(SourceRange{1, 2}), (SourceRange{3, 4}));
  EXPECT_EQ(map.Map(SourceRange{0, 3}), (SourceRange{1, 6}));
}

}  // namespace
}  // namespace internal
}  // namespace hcl

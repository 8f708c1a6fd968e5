// Names of characters that nobody sees.

#include "hclvm/base/invisible.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace hcl::internal {
namespace {

TEST(InvisibleTest, TellsWhatIsNotSeen) {
  for (const char32_t seen : {U' ', U'a', U'~', U'\u00A1', U'\u00E9', U'\u2010', U'\u20AC', U'\U0001F600'}) {
    EXPECT_FALSE(IsInvisible(seen)) << static_cast<uint32_t>(seen);
  }
  for (const char32_t unseen : {U'\0', U'\t', U'\x7F', U'\x85', U'\u00A0', U'\u00AD', U'\u2000', U'\u200B', U'\u202E',
                                U'\u2060', U'\u3000', U'\uFE0F', U'\uFEFF', U'\U000E0020'}) {
    EXPECT_TRUE(IsInvisible(unseen)) << static_cast<uint32_t>(unseen);
  }
}

TEST(InvisibleTest, NamesCharacters) {
  EXPECT_EQ(CharacterName(U'\u00A0'), "U+00A0 (no-break space)");
  EXPECT_EQ(CharacterName(U'\u200B'), "U+200B (zero width space)");
  EXPECT_EQ(CharacterName(U'\uFEFF'), "U+FEFF (byte order mark)");
  EXPECT_EQ(CharacterName(U'\x01'), "U+0001");
  EXPECT_EQ(CharacterName(U'\U000E0020'), "U+E0020");
}

}  // namespace
}  // namespace hcl::internal

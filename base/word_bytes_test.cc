// Tests of bytes in words: every byte at every place, among others that are near it.

#include "hclvm/base/word_bytes.h"

#include <cstdint>
#include <string>

#include "gtest/gtest.h"

namespace hcl {

using internal::FirstMarked;
using internal::GatherMarks;
using internal::LoadWord;
using internal::MarkBelow;
using internal::MarkByte;
using internal::MarkNonAscii;
using internal::RepeatByte;
namespace {

TEST(WordBytesTest, EveryByteAtEveryPlace) {
  for (int byte = 0; byte < 256; ++byte) {
    for (const char filler : {'a', '\x7f', '\x20'}) {
      for (size_t at = 0; at < 8; ++at) {
        std::string text(8, filler);
        text[at] = static_cast<char>(byte);
        const uint64_t word = LoadWord(text.data());
        const uint64_t mark = uint64_t{0x80} << 8 * at;
        EXPECT_EQ(MarkNonAscii(word), byte >= 0x80 ? mark : 0) << byte;
        EXPECT_EQ(MarkBelow(0x20, word) & mark, byte < 0x20 ? mark : 0) << byte;
        EXPECT_EQ(MarkBelow(0x20, word) != 0, byte < 0x20) << byte;
        EXPECT_EQ(MarkByte(static_cast<uint8_t>(byte), word) & mark, mark) << byte;
        if (static_cast<char>(byte) != filler) {
          EXPECT_EQ(FirstMarked(MarkByte(static_cast<uint8_t>(byte), word)), at) << byte;
          EXPECT_EQ(FirstMarked(MarkByte(static_cast<uint8_t>(filler), word)), at == 0 ? 1u : 0u) << byte;
        }
        EXPECT_EQ(GatherMarks(mark), 1u << at);
      }
    }
  }
  EXPECT_EQ(GatherMarks(RepeatByte(0x80)), 0xffu);
  EXPECT_EQ(MarkByte('"', LoadWord("abcdefgh")), 0u);
}

}  // namespace
}  // namespace hcl

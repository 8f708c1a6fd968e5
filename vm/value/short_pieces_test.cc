// Pieces of short strings beside those that a search for each separator finds.

#include "hclvm/vm/value/short_pieces.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

std::vector<std::string> PiecesOf(const std::string& text, char separator) {
  std::vector<std::string> pieces;
  size_t begin = 0;
  for (size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1) {
    pieces.push_back(text.substr(begin, end - begin));
  }
  pieces.push_back(text.substr(begin));
  return pieces;
}

void ExpectSinglePieces(const Value& text, const Value& separator, const std::vector<std::string>& want) {
  ASSERT_TRUE(HasShortPieces(text, separator));
  for (uint32_t place = 0; place < want.size(); ++place) {
    Value piece = text;
    ASSERT_TRUE(ShortPieceAt(piece, separator, place, &piece)) << text.AsString();
    ASSERT_TRUE(piece.SameBits(Value::StringView(want[place]))) << text.AsString() << " at " << place;
  }
  Value piece = Value::Bool(true);
  for (const auto place : {static_cast<uint32_t>(want.size()), uint32_t{32767}}) {
    ASSERT_FALSE(ShortPieceAt(text, separator, place, &piece)) << text.AsString();
  }
  ASSERT_TRUE(piece.is_true());
}

void ExpectPieces(const std::string& text, char separator) {
  const Value value = Value::StringView(text);
  const Value between = Value::StringView({&separator, 1});
  ExpectSinglePieces(value, between, PiecesOf(text, separator));
  ASSERT_EQ(ShortPieces::Take(value, between), text.size() <= 8) << text;
  if (text.size() > 8) return;
  const std::vector<std::string> want = PiecesOf(text, separator);
  ShortPieces pieces(value, between);
  ASSERT_EQ(pieces.count(), want.size()) << text;
  for (size_t i = 0; i + 1 < want.size(); ++i) {
    ASSERT_TRUE(pieces.Next().SameBits(Value::StringView(want[i]))) << text;
  }
  ASSERT_TRUE(pieces.Last().SameBits(Value::StringView(want.back()))) << text;
}

TEST(ShortPieces, OfVersionsAndTimes) {
  ExpectPieces("", '.');
  ExpectPieces(".", '.');
  ExpectPieces("4.10.24", '.');
  ExpectPieces("10:30", ':');
  ExpectPieces("........", '.');
  ExpectPieces("eight...", ',');
  ExpectPieces("7 bytes.", '.');
  ExpectPieces("9 bytes..", '.');
  ExpectPieces("fourteen bytes", ' ');
  ExpectPieces("\xc3\xa4.\xe2\x82\xac.\x7f\x01", '.');
}

// Bytes that differ from the separator by their highest or lowest bit, or by a carry, are among them.
TEST(ShortPieces, OfRandomTexts) {
  std::mt19937_64 random(21);
  for (const char separator : {'.', '\x01', '\x7f', '/', '0'}) {
    const char others[] = {separator,
                           static_cast<char>(separator ^ 1),
                           static_cast<char>(separator ^ 0x80),
                           static_cast<char>(separator + 1),
                           static_cast<char>(separator - 1),
                           'a',
                           '\0',
                           '\xff'};
    for (int i = 0; i < 20'000; ++i) {
      std::string text(random() % (kMaxInlineString + 1), ' ');
      for (char& byte : text) byte = others[random() % sizeof(others)];
      ExpectPieces(text, separator);
    }
  }
}

TEST(ShortPieces, OtherSeparatorsAreRefused) {
  const Value text = Value::StringView("a.b");
  EXPECT_FALSE(ShortPieces::Take(text, Value::StringView("")));
  EXPECT_FALSE(ShortPieces::Take(text, Value::StringView("..")));
  EXPECT_FALSE(ShortPieces::Take(text, Value::StringView({"\0", 1})));
  EXPECT_FALSE(ShortPieces::Take(text, Value::StringView("a separator that is long")));
  EXPECT_FALSE(ShortPieces::Take(Value::Int(1), Value::StringView(".")));
  EXPECT_FALSE(ShortPieces::Take(Value::StringView("a text that is long"), Value::StringView(".")));
  EXPECT_FALSE(HasShortPieces(text, Value::StringView("")));
  EXPECT_FALSE(HasShortPieces(text, Value::StringView("..")));
  EXPECT_FALSE(HasShortPieces(text, Value::Int(1)));
  EXPECT_FALSE(HasShortPieces(Value::Int(1), Value::StringView(".")));
  EXPECT_FALSE(HasShortPieces(Value::StringView("a text that is long"), Value::StringView(".")));
}

// ShortPieces refuses it, as it would find the zeros after a text.
TEST(ShortPieces, AZeroSeparatesSinglePieces) {
  const Value zero = Value::StringView({"\0", 1});
  ExpectSinglePieces(Value::StringView({"ab\0\0c", 5}), zero, {"ab", "", "c"});
  ExpectSinglePieces(Value::StringView("abc"), zero, {"abc"});
}

}  // namespace
}  // namespace hcl::internal

#include "hclvm/vm/functions/gzip_functions.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/function_test_util.h"
#include "zlib.h"

namespace hcl {
namespace {

// The bytes that base64gzip gives.
std::string Compressed(const std::string& text) {
  std::string got = CallForTest("base64gzip", "[\"" + text + "\"]");
  constexpr std::string_view kType = "\"string\" \"";
  EXPECT_EQ(got.compare(0, kType.size(), kType.data(), kType.size()), 0) << got;
  std::string bytes;
  EXPECT_TRUE(absl::Base64Unescape(got.substr(kType.size(), got.size() - kType.size() - 1), &bytes)) << got;
  return bytes;
}

std::string Decompressed(std::string bytes, size_t size) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string text(size + 1, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(&bytes[0]);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(&text[0]);
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0u);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

// Texts of all sizes around those of the pieces, of few and of many different characters.
TEST(GzipFunctionsTest, WhatIsMadeUnpacks) {
  for (const size_t size : {0, 1, 2, 100, 4095, 4096, 16383, 16384, 16385, 32768, 100'000, 1'000'000}) {
    for (const uint32_t letters : {1u, 2u, 26u}) {
      std::string text;
      uint64_t state = size + letters;
      for (size_t n = 0; n < size; ++n) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        text.push_back(static_cast<char>('a' + (state >> 33) % letters));
      }
      EXPECT_EQ(Decompressed(Compressed(text), size), text) << size << " " << letters;
    }
  }
  EXPECT_EQ(Decompressed(Compressed("e\u0301"), 8), "\u00e9");
}

// Method, no flags, no time, no level and no system.
TEST(GzipFunctionsTest, TheHeaderSaysNothingOfTimeAndPlace) {
  const std::string bytes = Compressed("hello");
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10));
  EXPECT_EQ(bytes, Compressed("hello"));
}

TEST(GzipFunctionsTest, ArgumentsAndLimits) {
  CheckFunctionCases({
      {"base64gzip", "[null]", "error in argument 0: the argument must not be null"},
      {"base64gzip", "[[]]", "no conversion of argument 0: ..."},
      {"base64gzip", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("string" {"$unknown":"string"})"},
  });
  const char* const kFuel = "limit: the call needs more steps than are allowed (limit max_fuel)";
  Limits limits;
  limits.max_fuel = 1000 + 4 * 100;
  EXPECT_EQ(CallForTest("base64gzip", "[\"" + std::string(100, 'a') + "\"]", limits).rfind("\"string\" ", 0), 0u);
  EXPECT_EQ(CallForTest("base64gzip", "[\"" + std::string(101, 'a') + "\"]", limits), kFuel);
  limits.max_fuel = 999;
  EXPECT_EQ(CallForTest("base64gzip", "[\"\"]", limits), kFuel);
  Limits memory;
  memory.max_result_bytes = 10;
  EXPECT_EQ(CallForTest("base64gzip", "[\"hello\"]", memory).rfind("limit: ", 0), 0u);
}

std::string Unpacked(const std::string& bytes, const Limits& limits = {}) {
  return CallForTest("base64gunzip", "[\"" + absl::Base64Escape(bytes) + "\"]", limits);
}

// Stands for `count` times "a".
std::string Packed(size_t count) { return Compressed(std::string(count, 'a')); }

TEST(GzipFunctionsTest, UnpackingGivesTheText) {
  for (const size_t size : {0, 1, 100, 16383, 16384, 16385, 32768, 100'000}) {
    EXPECT_EQ(Unpacked(Packed(size)), "\"string\" \"" + std::string(size, 'a') + "\"") << size;
  }
  EXPECT_EQ(Unpacked(Compressed("\u00e9")), "\"string\" \"\u00e9\"");
  // Several members are one text.
  EXPECT_EQ(Unpacked(Packed(3) + Compressed("bc") + Packed(0)), "\"string\" \"aaabc\"");
}

TEST(GzipFunctionsTest, WhatDoesNotUnpack) {
  const char* const kDamaged = "error in argument 0: the decoded bytes are no data of gzip, or are damaged";
  const std::string bytes = Compressed("hello, world");
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_EQ(Unpacked(bytes.substr(0, size)), kDamaged) << size;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    const std::string got = Unpacked(changed);
    EXPECT_TRUE(got == kDamaged || got == "\"string\" \"hello, world\"") << at << " " << got;
  }
  EXPECT_EQ(Unpacked(bytes + "x"), kDamaged);
  EXPECT_EQ(Unpacked("hello"), kDamaged);
  CheckFunctionCases({
      {"base64gunzip", "[\"!\"]", "error in argument 0: ..."},
      {"base64gunzip", "[\"H4sIAAAAAAAA//v/HwAAbdz/AgAAAA==\"]", "error in argument 0: ..."},
      {"base64gunzip", "[null]", "error in argument 0: the argument must not be null"},
      {"base64gunzip", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("string" {"$unknown":"string"})"},
  });
}

// A thousand bytes that stand for a million end with a limit, before the million is there.
TEST(GzipFunctionsTest, UnpackingIsBounded) {
  const std::string bomb = Packed(1'000'000);
  EXPECT_LT(bomb.size(), 2'000u);
  Limits memory;
  memory.max_result_bytes = 100'000;
  EXPECT_EQ(Unpacked(bomb, memory).rfind("limit: ", 0), 0u);
  Limits limits;
  limits.max_fuel = 100'000;
  EXPECT_EQ(Unpacked(bomb, limits), "limit: the call needs more steps than are allowed (limit max_fuel)");
}

}  // namespace
}  // namespace hcl

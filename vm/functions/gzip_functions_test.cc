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

}  // namespace
}  // namespace hcl

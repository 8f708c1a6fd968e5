#include "hclvm/vm/functions/charset_functions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/vm/functions/charset.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

using internal::AppendEncoded;
using internal::Charset;
using internal::CharsetName;
using internal::CharsetReader;
using internal::Charsets;
using internal::FindCharset;

std::string Encode(std::string_view text, std::string_view encoding) {
  return CallForTest("textencodebase64",
                     absl::StrCat("[\"", std::string(text), "\", \"", std::string(encoding), "\"]"));
}

// Of bytes, which become base64 here.
std::string Decode(std::string_view bytes, std::string_view encoding) {
  return CallForTest("textdecodebase64", absl::StrCat("[\"", absl::Base64Escape(std::string(bytes)), "\", \"",
                                                      std::string(encoding), "\"]"));
}

std::string Text(std::string_view text) { return absl::StrCat("\"string\" \"", std::string(text), "\""); }

using namespace std::string_view_literals;  // NOLINT: bytes that are zero

// What golang.org/x/text gives, which Terraform's function calls.
TEST(CharsetFunctionsTest, Encode) {
  const struct {
    const char* text;
    const char* encoding;
    std::string_view want;
  } kRows[] = {
      {"a\u20ac\U0001f600", "UTF-8", "a\u20ac\U0001f600"},
      {"a\u20ac\U0001f600", "UTF-16", "\xfe\xff\x00\x61\x20\xac\xd8\x3d\xde\x00"sv},
      {"a\u20ac\U0001f600", "UTF-16BE", "\x00\x61\x20\xac\xd8\x3d\xde\x00"sv},
      {"a\u20ac\U0001f600", "UTF-16LE", "\x61\x00\xac\x20\x3d\xd8\x00\xde"sv},
      {"\ufeffa", "UTF-16LE", "\xff\xfe\x61\x00"sv},
      {"", "UTF-8", ""},
      {"", "UTF-16", "\xfe\xff"},
      {"", "UTF-16LE", ""},
      {"", "windows-1252", ""},
      {"Az~\\n", "US-ASCII", "Az~\n"},
      {"\u00e9\u00ff\u0080\u0081", "ISO-8859-1", "\xe9\xff\x80\x81"},
      {"\u00e9\u20ac\u0178\u00a0\u017d", "windows-1252", "\xe9\x80\x9f\xa0\x8e"},
      {"12", "latin1", "12"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Encode(row.text, row.encoding), Text(absl::Base64Escape(std::string(row.want))))
        << row.text << " " << row.encoding;
  }
}

TEST(CharsetFunctionsTest, CharactersThatACharsetLacks) {
  CheckFunctionCases({
      {"textencodebase64", "[\"na\u00efve\", \"US-ASCII\"]",
       "error in argument 0: the character \"\u00ef\" (U+00EF) at byte 2 is not in US-ASCII"},
      {"textencodebase64", "[\"5 \u20ac\", \"iso-8859-1\"]",
       "error in argument 0: the character \"\u20ac\" (U+20AC) at byte 2 is not in ISO-8859-1"},
      {"textencodebase64", "[\"\u0101\", \"Windows-1252\"]",
       "error in argument 0: the character \"\u0101\" (U+0101) at byte 0 is not in windows-1252"},
      {"textencodebase64", "[\"\u0081\", \"windows-1252\"]",
       "error in argument 0: the character U+0081 at byte 0 is not in windows-1252"},
      {"textencodebase64", "[\"\U0001f600\", \"l1\"]",
       "error in argument 0: the character \"\U0001f600\" (U+1F600) at byte 0 is not in ISO-8859-1"},
  });
}

TEST(CharsetFunctionsTest, Decode) {
  const struct {
    std::string_view bytes;
    const char* encoding;
    const char* want;
  } kRows[] = {
      {"a\u20ac", "utf-8", "a\u20ac"},
      {"\xef\xbb\xbf\x61", "UTF-8", "\ufeffa"},
      {"\xff\xfe\x61\x00"sv, "UTF-16", "a"},
      {"\xfe\xff\x00\x61"sv, "UTF-16", "a"},
      {"\x00\x61"sv, "UTF-16", "a"},
      {"\xfe\xff\xfe\xff\x00\x61"sv, "UTF-16", "\ufeffa"},
      {"\xff\xfe\x61\x00"sv, "UTF-16LE", "\ufeffa"},
      {"\xd8\x3d\xde\x00"sv, "UTF-16BE", "\U0001f600"},
      {"\x3d\xd8\x00\xde"sv, "utf-16le", "\U0001f600"},
      {"", "UTF-16", ""},
      {"Az", "us-ascii", "Az"},
      {"\xe9\xdf", "ISO-8859-1", "\u00e9\u00df"},
      {"\x80\xe9\x9f", "windows-1252", "\u20ac\u00e9\u0178"},
      // Decoded text is normalized.
      {"\x00\x65\x03\x01"sv, "UTF-16BE", "\u00e9"},
      {"e\u0301", "UTF-8", "\u00e9"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Decode(row.bytes, row.encoding), Text(row.want)) << row.encoding;
}

TEST(CharsetFunctionsTest, BytesThatAreNoText) {
  const struct {
    std::string_view bytes;
    const char* encoding;
    const char* charset;
    int offset;
  } kRows[] = {
      {"ab\xff", "UTF-8", "UTF-8", 2},
      {"\xe2\x82", "UTF-8", "UTF-8", 0},
      {"\xed\xa0\x80", "UTF-8", "UTF-8", 0},
      {"\x00\x61\x00"sv, "UTF-16BE", "UTF-16BE", 2},
      {"\xd8\x00"sv, "UTF-16BE", "UTF-16BE", 0},
      {"\xd8\x00\x00\x61"sv, "UTF-16", "UTF-16", 0},
      {"\xff\xfe\x00\xdc"sv, "UTF-16", "UTF-16", 2},
      {"\x00\xdc\x61\x00"sv, "utf-16le", "UTF-16LE", 0},
      {"a\x80", "us", "US-ASCII", 1},
      {"ab\x81", "windows-1252", "windows-1252", 2},
      {"\x9d", "windows-1252", "windows-1252", 0},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Decode(row.bytes, row.encoding), absl::StrCat("error in argument 0: the decoded bytes are not ",
                                                            row.charset, ": no character begins at byte ", row.offset))
        << row.encoding;
  }
  CheckFunctionCases({
      {"textdecodebase64", R"(["YQ", "UTF-8"])", "error in argument 0: the string is not valid base64 with padding"},
      {"textdecodebase64", R"(["YQ==", null])", "error in argument 1: the argument must not be null"},
      {"textdecodebase64", R"([{"type": "string", "value": {"$unknown": "string"}}, "UTF-8"])",
       R"("string" {"$unknown":"string"})"},
  });
}

TEST(CharsetFunctionsTest, Names) {
  constexpr char kNone[] = "; there are US-ASCII, ISO-8859-1, UTF-8, UTF-16, UTF-16BE, UTF-16LE, windows-1252";
  for (const char* name : {"", "utf8", "ASCII", "UTF-32", "ISO-8859-2", "UTF-16 ", "cp1252"}) {
    const std::string want = absl::StrCat("error in argument 1: there is no encoding \"", name, "\"", kNone);
    EXPECT_EQ(Encode("a", name), want);
    EXPECT_EQ(Decode("a", name), want);
  }
  for (Charset charset : Charsets()) EXPECT_EQ(FindCharset(CharsetName(charset)), charset);
  EXPECT_EQ(FindCharset("uTf-16lE"), Charset::kUtf16Le);
  EXPECT_EQ(FindCharset("csUTF16BE"), Charset::kUtf16Be);
}

// Every character that a charset has is read as it was written.
TEST(CharsetFunctionsTest, AllCharacters) {
  const uint32_t kCounts[] = {0x80, 0x100, 0x10f800, 0x10f800, 0x10f800, 0x10f800, 251};
  for (size_t n = 0; n < Charsets().size(); ++n) {
    const Charset charset = Charsets()[n];
    uint32_t count = 0;
    for (char32_t character = 0; character < 0x110000; ++character) {
      if (character == 0xd800) character = 0xe000;
      std::string bytes;
      if (!AppendEncoded(charset, character, &bytes)) continue;
      ++count;
      // By itself it is a byte order mark, or one of the other order.
      if (charset == Charset::kUtf16 && (character == 0xfeff || character == 0xfffe)) continue;
      CharsetReader reader(charset, bytes);
      ASSERT_EQ(reader.Next(), std::optional<char32_t>(character)) << CharsetName(charset);
      ASSERT_TRUE(reader.at_end()) << CharsetName(charset);
    }
    EXPECT_EQ(count, kCounts[n]) << CharsetName(charset);
  }
}

TEST(CharsetFunctionsTest, WorkAndMemoryAreBounded) {
  const std::string large(10'000, 'a');
  Limits limits;
  limits.max_fuel = 1000;
  for (const char* name : {"textencodebase64", "textdecodebase64"}) {
    const std::string arguments = "[\"" + large + "\", \"UTF-16\"]";
    EXPECT_EQ(CallForTest(name, arguments, limits),
              "limit: the call needs more steps than are allowed (limit max_fuel)");
    Limits memory;
    memory.max_result_bytes = 8000;
    EXPECT_EQ(CallForTest(name, arguments, memory).rfind("limit: ", 0), 0u);
  }
}

}  // namespace
}  // namespace hcl

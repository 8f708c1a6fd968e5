// RequestStream: plain and compressed texts, whole and damaged, in reads of any size.

#include "hclvm/workbench/request_stream.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/ndjson.h"
#include "hclvm/ndjson/batch_reader.h"
#include "zlib.h"

namespace hcl::internal {
namespace {

constexpr int kGzip = 16 + MAX_WBITS;

std::string Compressed(std::string_view text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

// Gives the text in pieces of at most `piece` bytes.
NdjsonInput InputOf(std::string text, size_t piece) {
  return [text = std::move(text), piece, at = size_t{0}](char* room, size_t size) mutable -> absl::StatusOr<size_t> {
    const size_t bytes = std::min({size, piece, text.size() - at});
    std::copy_n(text.data() + at, bytes, room);
    at += bytes;
    return bytes;
  };
}

// "1:first|3:third", and behind it what has failed.
std::string LinesOf(const std::string& text, size_t piece, uint64_t max_line_bytes = 1 << 20) {
  RequestStream stream(InputOf(text, piece), max_line_bytes);
  std::string lines;
  Batch batch;
  while (stream.Next(&batch)) {
    ForEachLine(batch, [&](std::string_view line, uint64_t number, bool is_cut) {
      absl::StrAppend(&lines, lines.empty() ? "" : "|", number, ":", is_cut ? "(cut)" : std::string(line));
    });
  }
  if (!stream.status().ok()) absl::StrAppend(&lines, "! ", std::string(stream.status().message()));
  return lines;
}

TEST(RequestStreamTest, Reads) {
  const std::string damaged = [] {
    std::string text = Compressed("a line\n");
    text[text.size() - 6] = static_cast<char>(text[text.size() - 6] ^ 1);  // of its checksum
    return text;
  }();
  const struct {
    const char* name;
    std::string text;
    std::string want;
  } kCases[] = {
      {"nothing", "", ""},
      {"plain", "{}\n{\"a\":1}\n", "1:{}|2:{\"a\":1}"},
      {"one byte", "x", "1:x"},
      {"without a line end", "a\nb", "1:a|2:b"},
      {"blank lines", "\n \na\r\n\n", "3:a\r"},
      {"plain that begins as half of gzip does", "\x1f", "1:\x1f"},
      {"compressed", Compressed("a\nb\n"), "1:a|2:b"},
      {"compressed nothing", Compressed(""), ""},
      {"members", Compressed("a\nb") + Compressed("c\n") + Compressed("") + Compressed("d\n"), "1:a|2:bc|3:d"},
      {"zeros behind", Compressed("a\n") + std::string(1000, '\0'), "1:a"},
      {"ends early", Compressed("a\nb\n").substr(0, 15), "1:a|2:b! the compressed text ends early"},
      {"ends in the head", Compressed("a\n").substr(0, 5), "! the compressed text ends early"},
      {"damaged", damaged, "! the compressed text is damaged"},
      {"garbage behind", Compressed("a\n") + "garbage", "1:a! the compressed text is damaged"},
  };
  for (const auto& test : kCases) {
    for (const size_t piece : {1, 2, 7, 100'000}) {
      const std::string got = LinesOf(test.text, piece);
      // How many lines come before what is damaged depends on the reads.
      const size_t fault = test.want.find('!');
      if (fault == std::string::npos) {
        EXPECT_EQ(got, test.want) << test.name << ", " << piece << " bytes a read";
      } else {
        EXPECT_EQ(got.substr(std::min(got.find('!'), got.size())), test.want.substr(fault)) << test.name;
      }
    }
  }
}

TEST(RequestStreamTest, LongLinesAreCutAndTheirNumbersCount) {
  EXPECT_EQ(LinesOf("aaaaaaaaaaaa\nb\n", 4, /*max_line_bytes=*/4), "1:(cut)|2:b");
  EXPECT_EQ(LinesOf(Compressed(std::string(3 << 20, 'a') + "\nb\n"), 1000), "1:(cut)|2:b");
}

TEST(RequestStreamTest, ManyLines) {
  std::string text;
  for (int n = 0; n < 200'000; ++n) absl::StrAppend(&text, "{\"n\":", n, "}\n");
  EXPECT_EQ(LinesOf(Compressed(text), 5000), LinesOf(text, 100'000));
}

TEST(RequestStreamTest, FailuresOfTheInput) {
  const NdjsonInput fails = [](char*, size_t) -> absl::StatusOr<size_t> { return absl::UnavailableError("no input"); };
  RequestStream stream(fails, 100);
  Batch batch;
  EXPECT_FALSE(stream.Next(&batch));
  EXPECT_EQ(stream.status(), absl::UnavailableError("no input"));
}

}  // namespace
}  // namespace hcl::internal

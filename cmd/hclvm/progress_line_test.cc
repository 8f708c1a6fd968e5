#include "hclvm/cmd/hclvm/progress_line.h"

#include <cstdint>
#include <cstdio>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/ndjson.h"

namespace hcl::cmd {
namespace {

TEST(ProgressLineTest, Text) {
  const struct {
    NdjsonProgress progress;
    double seconds;
    uint64_t total;
    const char* text;
  } kCases[] = {
      {{0, 0, 0}, 0, 0, "0 lines, 0 errors"},
      {{1, 1, 10}, 1, 0, "1 line, 1 a second, 1 error"},
      {{1000, 0, 1000}, 0.1, 2000, "1,000 lines, 10,000 a second, 0 errors"},  // too early to say
      {{1000, 0, 1000}, 10, 2000, "1,000 lines, 100 a second, 0 errors, 10 s left"},
      {{1'234'567, 1'003, 1000}, 2, 1000, "1,234,567 lines, 617,283 a second, 1,003 errors, 0 s left"},
      {{10, 0, 100}, 10, 10'000, "10 lines, 1 a second, 0 errors, 16 min left"},
      {{10, 0, 1}, 10, 10'000, "10 lines, 1 a second, 0 errors, 27 h left"},
      {{10, 0, 100}, 10, 50, "10 lines, 1 a second, 0 errors"},  // the file has grown
  };
  for (const auto& c : kCases) EXPECT_EQ(ProgressText(c.progress, c.seconds, c.total), c.text);
}

TEST(ProgressLineTest, BytesOfARegularFile) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  std::fputs("12345", file);
  std::fflush(file);
  std::rewind(file);
  EXPECT_EQ(BytesToRead(file), 5u);
  std::fseek(file, 2, SEEK_SET);
  EXPECT_EQ(BytesToRead(file), 3u);
  std::fseek(file, 9, SEEK_SET);
  EXPECT_EQ(BytesToRead(file), 0u);
  std::fclose(file);
  // How much gzip has compressed, its size does not tell.
  std::FILE* const compressed = std::tmpfile();
  ASSERT_NE(compressed, nullptr);
  std::fputs("\x1f\x8b\x08", compressed);
  std::fflush(compressed);
  std::rewind(compressed);
  EXPECT_EQ(BytesToRead(compressed), 0u);
  std::fclose(compressed);
  std::FILE* const null = std::fopen("/dev/null", "r");
  ASSERT_NE(null, nullptr);
  EXPECT_EQ(BytesToRead(null), 0u);
  std::fclose(null);
}

// Not before a quarter of a second has passed; what was never shown is not taken away.
TEST(ProgressLineTest, NothingAtOnce) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  ProgressLine line(file, 0);
  line.Show({1, 0, 1});
  line.Hide();
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace hcl::cmd

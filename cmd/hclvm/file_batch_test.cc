#include "hclvm/cmd/hclvm/file_batch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

std::string PathOf(std::string_view name) {
  return absl::StrCat(testing::TempDir(), "/file-batch-", std::string(name));
}

std::string WriteFile(std::string_view name, const std::string& text) {
  std::string path = PathOf(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

bool IsAvailable() { return FileBatch::Make() != nullptr; }

// What is to be read of a file, where the system has what it takes.
std::optional<std::string> Told(const std::string& text) {
  return IsAvailable() ? std::optional<std::string>(text) : std::nullopt;
}

using Texts = std::vector<std::optional<std::string>>;

Texts Copied(FileBatch::Texts texts) { return Texts(texts.begin(), texts.end()); }

Texts Read(const std::vector<std::string>& names) {
  FileBatchReader reader;
  const std::vector<std::string_view> paths(names.begin(), names.end());
  return Copied(reader.Read(paths));
}

TEST(FileBatch, ReadsSmallFiles) {
  std::vector<std::string> paths;
  Texts want;
  for (size_t n = 0; n < FileBatch::kFiles; ++n) {
    const std::string text = absl::StrCat(std::string(n * n, 'x'), "\n", n, "\n");
    paths.push_back(WriteFile(absl::StrCat("small-", n), text));
    want.push_back(Told(text));
  }
  EXPECT_EQ(Read(paths), want);
}

TEST(FileBatch, ReadsAnEmptyFileAndOneWithZeros) {
  const std::string zeros("a\0b\0", 4);
  const Texts want = {Told(""), Told(zeros)};
  EXPECT_EQ(Read({WriteFile("empty", ""), WriteFile("zeros", zeros)}), want);
}

TEST(FileBatch, LeavesOutWhatIsNoSmallFile) {
  const std::string fits = WriteFile("fits", std::string(FileBatch::kBytes - 1, 'a'));
  const std::string full = WriteFile("full", std::string(FileBatch::kBytes, 'b'));
  const std::string large = WriteFile("large", std::string(3 * FileBatch::kBytes, 'c'));
  const Texts want = {
      std::nullopt, Told(std::string(FileBatch::kBytes - 1, 'a')), std::nullopt, std::nullopt, std::nullopt,
      std::nullopt, Told(std::string(FileBatch::kBytes - 1, 'a'))};
  EXPECT_EQ(Read({PathOf("none"), fits, full, large, testing::TempDir(), "/dev/null", fits}), want);
}

// Slots are used again, and an old file's text does not come back.
TEST(FileBatch, ReadsAgain) {
  FileBatchReader reader;
  const std::string path = PathOf("again");
  for (int round = 0; round < 5; ++round) {
    const std::string text(static_cast<size_t>(100 - 20 * round), static_cast<char>('a' + round));
    WriteFile("again", text);
    const std::string none = PathOf("none");
    const std::vector<std::string_view> paths = {path, none, path};
    const Texts want = {Told(text), std::nullopt, Told(text)};
    EXPECT_EQ(Copied(reader.Read(paths)), want) << round;
  }
}

// What is in it is there for who reads it afterwards.
TEST(FileBatch, TakesNothingOfAPipe) {
  const std::string path = PathOf("pipe");
  unlink(path.c_str());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int pipe = open(path.c_str(), O_RDWR);
  ASSERT_GE(pipe, 0);
  ASSERT_EQ(write(pipe, "a = 1\n", 6), 6);
  const std::string file = WriteFile("beside", "b = 2\n");
  const Texts want = {std::nullopt, Told("b = 2\n")};
  EXPECT_EQ(Read({path, file}), want);
  char text[16];
  EXPECT_EQ(read(pipe, text, sizeof(text)), 6);
  EXPECT_EQ(std::string_view(text, 6), "a = 1\n");
  close(pipe);
}

TEST(FileBatch, OneForEachThread) {
  const std::string path = WriteFile("threads", "a = 1\n");
  const std::vector<std::string_view> paths(FileBatch::kFiles, path);
  const Texts want(FileBatch::kFiles, Told("a = 1\n"));
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&] {
      FileBatchReader reader;
      for (int round = 0; round < 50; ++round) EXPECT_EQ(Copied(reader.Read(paths)), want);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hcl::cmd

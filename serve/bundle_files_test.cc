// Files of bundles.

#include "hclvm/serve/bundle_files.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

namespace fs = std::filesystem;

fs::path Folder(const std::string& name) {
  fs::path folder = fs::path(testing::TempDir()) / ("bundle_files_" + name);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string Read(const fs::path& folder, const BundleLimits& limits = {}) {
  const auto files = ReadBundleDirectory(folder.string(), limits);
  if (!files.ok()) return std::string(absl::StatusCodeToString(files.status().code()));
  std::string text;
  for (const auto& [path, content] : *files) text.append(path).append("=").append(content).append(";");
  return text;
}

TEST(BundleFilesTest, Paths) {
  for (const char* good : {"a", "a/b.hcl", "a..b", "...", "a/.b", "\xc3\xa9"}) EXPECT_EQ(FaultOfPath(good), "") << good;
  for (const char* bad : {"", "/a", "a/", "a//b", ".", "./a", "a/..", "../a", "a/../b", "a\\b", "a\nb", "\xff"}) {
    EXPECT_NE(FaultOfPath(bad), "") << bad;
  }
  EXPECT_NE(FaultOfPath(std::string(1025, 'a')), "");
  EXPECT_TRUE(IsHiddenPath(".git/a"));
  EXPECT_TRUE(IsHiddenPath("a/.b"));
  EXPECT_FALSE(IsHiddenPath("a.b/c"));
}

TEST(BundleFilesTest, ReadsDirectories) {
  const fs::path folder = Folder("reads");
  Write(folder / "b.hcl", "2");
  Write(folder / "a/x.hcl", "1");
  Write(folder / ".git/config", "hidden");
  Write(folder / "a/.hidden", "hidden");
  EXPECT_EQ(Read(folder), "a/x.hcl=1;b.hcl=2;");
  fs::create_symlink(folder / "b.hcl", folder / "c.hcl");
  EXPECT_EQ(Read(folder), "a/x.hcl=1;b.hcl=2;c.hcl=2;");
  EXPECT_EQ(Read(folder / "none"), "NOT_FOUND");
  EXPECT_EQ(Read(folder, {2, 10}), "RESOURCE_EXHAUSTED");
  EXPECT_EQ(Read(folder, {3, 10}), "a/x.hcl=1;b.hcl=2;c.hcl=2;");
  EXPECT_EQ(Read(folder, {3, 2}), "RESOURCE_EXHAUSTED");
}

TEST(BundleFilesTest, RefusesOtherThings) {
  const fs::path folder = Folder("refuses");
  Write(folder / "b.hcl", "2");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(Read(folder), "INVALID_ARGUMENT");
  fs::remove(folder / "pipe");
  fs::create_directory_symlink(folder, folder / "loop");
  EXPECT_EQ(Read(folder), "INVALID_ARGUMENT");
}

TEST(BundleFilesTest, FingerprintsChange) {
  const fs::path folder = Folder("fingerprints");
  Write(folder / "a/b.hcl", "1");
  const uint64_t first = FingerprintOf(folder.string());
  EXPECT_EQ(FingerprintOf(folder.string()), first);
  Write(folder / "a/b.hcl", "12");
  const uint64_t second = FingerprintOf(folder.string());
  EXPECT_NE(second, first);
  Write(folder / "a/c.hcl", "");
  EXPECT_NE(FingerprintOf(folder.string()), second);
  EXPECT_EQ(FingerprintOf((folder / "none").string()), 0u);

  // Programs that copy, and those that build, set the time of change to what it was elsewhere.
  const auto time = fs::last_write_time(folder / "a/b.hcl");
  const uint64_t third = FingerprintOf(folder.string());
  Write(folder / "a/b.hcl", "21");
  fs::last_write_time(folder / "a/b.hcl", time);
  EXPECT_NE(FingerprintOf(folder.string()), third);

  // Of several: also where two of them are one file.
  const std::vector<std::string> paths = {(folder / "a/b.hcl").string(), (folder / "a/b.hcl").string(), ""};
  const uint64_t together = FingerprintOf(paths);
  EXPECT_EQ(FingerprintOf(paths), together);
  Write(folder / "a/b.hcl", "123");
  EXPECT_NE(FingerprintOf(paths), together);
}

}  // namespace
}  // namespace hcl::serve

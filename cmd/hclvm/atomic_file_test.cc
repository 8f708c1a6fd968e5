#include "hclvm/cmd/hclvm/atomic_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

namespace hcl::cmd {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(ReplaceFileTest, KeepsPermissionsAndLinks) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "replace_file_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "file").string();
  const std::string link = (folder / "link").string();
  std::ofstream(path) << "old";
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  std::filesystem::create_symlink("file", link);
  std::string error;
  EXPECT_TRUE(ReplaceFile(link, "new", &error)) << error;
  EXPECT_EQ(TextOf(path), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
  EXPECT_FALSE(ReplaceFile((folder / "none").string(), "x", &error));
  EXPECT_NE(error.find("cannot write"), std::string::npos);
  // Nothing is left beside the two.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
}

TEST(MakeFileTest, MakesNewFilesOnly) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "make_file_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "secret").string();
  std::string error;
  EXPECT_TRUE(MakeFile(path, "text", /*is_secret=*/true, &error)) << error;
  struct stat status = {};
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_FALSE(MakeFile(path, "other", /*is_secret=*/false, &error));
  EXPECT_EQ(error, "cannot make " + path + ": File exists");
  EXPECT_EQ(TextOf(path), "text");
}

}  // namespace
}  // namespace hcl::cmd

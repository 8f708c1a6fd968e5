// Which files of a directory are its module, and in what order.

#include "hclvm/module/module_directory.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "hclvm/base/limits.h"
#include "hclvm/module/module.h"

namespace hcl {
namespace {

class ModuleDirectoryTest : public testing::Test {
 protected:
  ModuleDirectoryTest()
      : directory_(std::filesystem::path(testing::TempDir()) /
                   testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }

  void Write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }
  std::string path() const { return directory_.string(); }

  // Names and syntaxes, in order.
  std::string Names(const Limits& limits = {}) {
    const absl::StatusOr<std::vector<ModuleFile>> files = ReadModuleDirectory(path(), limits);
    if (!files.ok()) return std::string(files.status().message());
    std::string names;
    for (const ModuleFile& file : *files) {
      names += std::filesystem::path(file.source->name()).filename().string() + (file.is_json ? "(json) " : " ");
    }
    return names;
  }

 private:
  std::filesystem::path directory_;
};

TEST_F(ModuleDirectoryTest, TakesItsFilesInOrder) {
  for (const char* name :
       {"b.hcl", "a.hcl", "c.hcl.json", "a.test.hcl", ".hidden.hcl", "d.json", "hcl", "e.hcl~", "Z.hcl"}) {
    Write(name, "x = 1");
  }
  std::filesystem::create_directories(path() + "/sub.hcl");
  EXPECT_EQ(Names(), "Z.hcl a.hcl b.hcl c.hcl.json(json) ");
}

TEST_F(ModuleDirectoryTest, SaysWhatIsWrong) {
  EXPECT_EQ(Names(), path() + " has no *.hcl and no *.hcl.json in it");
  EXPECT_TRUE(absl::IsNotFound(ReadModuleDirectory(path() + "/none").status()));
  Write("a.hcl", std::string(600, ' '));
  Write("b.hcl", std::string(600, ' '));
  Limits limits;
  limits.max_source_bytes = 1'000;
  EXPECT_EQ(Names(limits), "the files of the module take more than 1000 bytes (limit max_source_bytes)");
}

// Reading would wait for whoever writes into the pipe.
TEST_F(ModuleDirectoryTest, ReadsRegularFilesOnly) {
  Write("a.hcl", "x = 1");
  std::filesystem::create_symlink(path() + "/a.hcl", path() + "/b.hcl");
  EXPECT_EQ(Names(), "a.hcl b.hcl ");
  std::filesystem::create_symlink(path() + "/none", path() + "/c.hcl");
  EXPECT_EQ(Names(), "cannot read " + path() + "/c.hcl: No such file or directory");
  std::filesystem::remove(path() + "/c.hcl");
  ASSERT_EQ(mkfifo((path() + "/d.hcl").c_str(), 0600), 0);
  EXPECT_EQ(Names(), "cannot read " + path() + "/d.hcl: it is no regular file");
  std::filesystem::remove(path() + "/d.hcl");
  std::filesystem::create_symlink("/dev/zero", path() + "/e.hcl");
  EXPECT_EQ(Names(), "cannot read " + path() + "/e.hcl: it is no regular file");
}

TEST_F(ModuleDirectoryTest, FindsModulesBelow) {
  const auto modules = [this] {
    std::string text;
    const absl::StatusOr<std::vector<std::string>> found = FindModules(path());
    if (!found.ok()) return std::string(found.status().message());
    for (const std::string& module : *found) text += module.substr(path().size()) + " ";
    return text;
  };
  EXPECT_EQ(modules(), "");
  for (const char* below : {"b", "a/c", "a/d", ".e", "f"}) std::filesystem::create_directories(path() + "/" + below);
  EXPECT_EQ(modules(), "");
  for (const char* file : {"b/x.hcl", "a/d/x.hcl.json", "a/c/x.test.hcl", ".e/x.hcl", "f/x.txt"}) Write(file, "{}");
  std::filesystem::create_directory_symlink(path(), path() + "/f/all");
  EXPECT_EQ(modules(), "/a/d /b ");
  // What is a module below a module belongs to it.
  Write("a/x.hcl", "");
  EXPECT_EQ(modules(), "/a /b ");
  Write("x.hcl", "");
  EXPECT_EQ(modules(), "");
}

TEST_F(ModuleDirectoryTest, DirectoryThatCannotBeReadIsNotPassedOver) {
  const absl::StatusOr<std::vector<std::string>> none = FindModules(path() + "/none");
  EXPECT_TRUE(absl::IsNotFound(none.status()));
  EXPECT_EQ(none.status().message(), "cannot read the directory " + path() + "/none: No such file or directory");
  std::filesystem::create_directories(path() + "/a");
  Write("a/x.hcl", "");
  std::filesystem::create_directories(path() + "/locked");
  std::filesystem::permissions(path() + "/locked", std::filesystem::perms::none);
  std::error_code error;
  const std::filesystem::directory_iterator opened(path() + "/locked", error);
  if (!error) GTEST_SKIP() << "this user can read every directory";
  EXPECT_EQ(FindModules(path()).status().message(),
            "cannot read the directory " + path() + "/locked: Permission denied");
  std::filesystem::permissions(path() + "/locked", std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace hcl

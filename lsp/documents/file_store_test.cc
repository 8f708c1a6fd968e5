#include "hclvm/lsp/documents/file_store.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "hclvm/lsp/protocol/text_position.h"

namespace hcl::lsp {
namespace {

std::string NewFolder() {
  std::string folder = testing::TempDir() + "/file_store";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

void Write(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

bool IsHcl(std::string_view name) { return name.size() > 4 && name.substr(name.size() - 4) == ".hcl"; }

TEST(FileStoreTest, AppliesChanges) {
  struct Case {
    std::string_view changes;
    std::string expected;
  };
  const Case cases[] = {
      {R"([{"text": "all"}])", "all"},
      {R"([{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "text": "xy"}])",
       "a\nxy\n"},
      {R"([{"range": {"start": {"line": 0, "character": 1}, "end": {"line": 9, "character": 0}}, "text": ""},
           {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "b"}])",
       "ba"},
      {"[]", "a\nb\n"},
  };
  for (const Case& c : cases) {
    FileStore files;
    ASSERT_TRUE(files.Open("file:///x.hcl", 1, "a\nb\n").ok());
    ASSERT_TRUE(files.Change("file:///x.hcl", 2, Json::parse(c.changes), PositionEncoding::kUtf16).ok());
    EXPECT_EQ(files.FindOpen("/x.hcl")->file->text(), c.expected) << c.changes;
    EXPECT_EQ(files.FindOpen("/x.hcl")->version, 2);
  }
}

TEST(FileStoreTest, RefusesWhatIsNoChange) {
  FileStore files;
  EXPECT_TRUE(absl::IsNotFound(files.Change("file:///x.hcl", 2, Json::array(), PositionEncoding::kUtf16)));
  ASSERT_TRUE(files.Open("file:///x.hcl", 1, "a").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(files.Change("file:///x.hcl", 2, Json(1), PositionEncoding::kUtf16)));
  EXPECT_TRUE(absl::IsInvalidArgument(files.Change("file:///x.hcl", 2, Json::parse("[{}]"), PositionEncoding::kUtf16)));
  EXPECT_TRUE(absl::IsResourceExhausted(files.Open("file:///y.hcl", 1, std::string(kMaxFileBytes + 1, ' '))));
  EXPECT_EQ(files.FindOpen("/x.hcl")->file->text(), "a");
}

TEST(FileStoreTest, PrefersWhatIsOpen) {
  const std::string folder = NewFolder();
  FileStore files;
  files.set_root(folder);
  Write(folder + "/a.hcl", "disk");
  EXPECT_EQ(files.Read(folder + "/a.hcl")->text(), "disk");
  EXPECT_EQ(files.Read(folder + "/a.hcl")->source()->name(), "a.hcl");
  ASSERT_TRUE(files.Open("file://" + folder + "/a.hcl", 1, "open").ok());
  ASSERT_TRUE(files.Open("file://" + folder + "/new.hcl", 1, "new").ok());
  EXPECT_EQ(files.Read(folder + "/a.hcl")->text(), "open");
  std::string all;
  for (const TextFilePtr& file : files.ReadFolder(folder, IsHcl)) all += NameOf(file->path()) + " ";
  EXPECT_EQ(all, "a.hcl new.hcl ");
  files.Close("file://" + folder + "/a.hcl");
  EXPECT_EQ(files.Read(folder + "/a.hcl")->text(), "disk");
}

TEST(FileStoreTest, ReadsAnewWhatHasChanged) {
  const std::string folder = NewFolder();
  FileStore files;
  Write(folder + "/a.hcl", "one");
  const TextFilePtr first = files.Read(folder + "/a.hcl");
  EXPECT_EQ(files.Read(folder + "/a.hcl"), first);
  Write(folder + "/a.hcl", "other");
  EXPECT_EQ(files.Read(folder + "/a.hcl")->text(), "other");
  std::filesystem::remove(folder + "/a.hcl");
  EXPECT_EQ(files.Read(folder + "/a.hcl"), nullptr);
  EXPECT_EQ(files.Read(folder), nullptr);
}

}  // namespace
}  // namespace hcl::lsp

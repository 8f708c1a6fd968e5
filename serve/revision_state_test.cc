// Revisions in files.

#include "hclvm/serve/revision_state.h"

#include <sys/stat.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

const std::string& Digest() {
  static const auto& digest = *new std::string(64, 'a');
  return digest;
}

std::string PathFor(const char* name) {
  std::string path = testing::TempDir() + "/revision_state_" + name;
  std::remove(path.c_str());
  return path;
}

TEST(RevisionStateTest, KeepsTheLast) {
  const std::string path = PathFor("keeps");
  for (const char* revision : {"1", "2", "2", "1"}) {
    auto state = RevisionState::Open(path);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_TRUE((*state)->Keep(revision, Digest()).ok());
    state = RevisionState::Open(path);
    ASSERT_TRUE(state.ok()) << state.status();
    EXPECT_EQ((*state)->revision(), revision);
    EXPECT_EQ((*state)->contents(), Digest());
  }
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_EQ(text.str(), "1\n" + Digest() + "\n");
}

TEST(RevisionStateTest, ReadsNothingElse) {
  const std::string path = PathFor("else");
  EXPECT_EQ((*RevisionState::Open(path))->revision(), "");
  for (const std::string& text :
       {std::string(), std::string("1\n"), "1\n" + Digest(), "1\n" + Digest() + "\n\n", "\n" + Digest() + "\n",
        "a b\n" + Digest() + "\n", "1\n" + std::string(64, 'A') + "\n", "1\n" + Digest() + "0\n",
        std::string(129, '1') + "\n" + Digest() + "\n", std::string(10'000, '1')}) {
    std::ofstream(path) << text;
    EXPECT_FALSE(RevisionState::Open(path).ok()) << text;
  }
  const std::string folder = PathFor("folder");
  mkdir(folder.c_str(), 0700);
  EXPECT_FALSE(RevisionState::Open(folder).ok());
}

TEST(RevisionStateTest, SaysWhatCannotBeWritten) {
  const auto state = RevisionState::Open(PathFor("no_folder") + "/there/file");
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ((*state)->Keep("1", Digest()).code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ((*state)->revision(), "1");
}

}  // namespace
}  // namespace hcl::serve

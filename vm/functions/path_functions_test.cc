#include "hclvm/vm/functions/path_functions.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/function_test_util.h"

namespace hcl {
namespace {

// What Go 1.19's path.Base and path.Dir give.
TEST(PathFunctionsTest, BaseAndFolder) {
  const struct {
    const char* path;
    const char* base;
    const char* folder;
  } kRows[] = {
      {"", ".", "."},
      {".", ".", "."},
      {"..", "..", "."},
      {"/", "/", "/"},
      {"//", "/", "/"},
      {"///a", "a", "/"},
      {"a", "a", "."},
      {"a/", "a", "a"},
      {"a/b", "b", "a"},
      {"a//b", "b", "a"},
      {"a/b/", "b", "a/b"},
      {"a/b//", "b", "a/b"},
      {"a/b/..", "..", "a/b"},
      {"a/b/.", ".", "a/b"},
      {"./a", "a", "."},
      {"a/./b", "b", "a"},
      {"a/../b", "b", "."},
      {"a/../../b", "b", ".."},
      {"a/b/../../..", "..", "."},
      {"a/b/../c/d", "d", "a/c"},
      {"../a", "a", ".."},
      {"../..", "..", ".."},
      {"../../a/../b/c", "c", "../../b"},
      {"/a", "a", "/"},
      {"/a//", "a", "/a"},
      {"/..", "..", "/"},
      {"/../a", "a", "/"},
      {"/a/../../b/c", "c", "/b"},
      {".../..a/b.", "b.", ".../..a"},
      {"C:\\\\x\\\\y", "C:\\\\x\\\\y", "."},
      {"\u00e9/x \u00e9", "x \u00e9", "\u00e9"},
      {"/etc/app/config.hcl", "config.hcl", "/etc/app"},
  };
  for (const auto& row : kRows) {
    const std::string arguments = std::string("[\"") + row.path + "\"]";
    EXPECT_EQ(CallForTest("basename", arguments), std::string("\"string\" \"") + row.base + "\"") << row.path;
    EXPECT_EQ(CallForTest("dirname", arguments), std::string("\"string\" \"") + row.folder + "\"") << row.path;
  }
  CheckFunctionCases({
      {"basename", "[null]", "error in argument 0: the argument must not be null"},
      {"dirname", "[12]", R"("string" ".")"},
      {"dirname", R"([{"type": "string", "value": {"$unknown": "string"}}])", R"("string" {"$unknown":"string"})"},
  });
}

// All paths of up to seven characters of a small alphabet: the folder is clean, so that its own parts lead to it again.
TEST(PathFunctionsTest, FoldersAreClean) {
  constexpr char kLetters[] = {'/', '.', 'a'};
  for (int length = 1; length <= 7; ++length) {
    int count = 1;
    for (int n = 0; n < length; ++n) count *= 3;
    for (int number = 0; number < count; ++number) {
      std::string path;
      for (int rest = number, n = 0; n < length; ++n, rest /= 3) path.push_back(kLetters[rest % 3]);
      std::string folder = CallForTest("dirname", "[\"" + path + "\"]");
      folder = folder.substr(std::string("\"string\" \"").size());
      folder.pop_back();
      ASSERT_FALSE(folder.empty()) << path;
      const std::string again = folder == "/" ? folder : folder + "/";
      EXPECT_EQ(CallForTest("dirname", "[\"" + again + "\"]"), "\"string\" \"" + folder + "\"") << path;
      EXPECT_EQ(folder.find("//"), std::string::npos) << path;
      EXPECT_EQ((folder + "/").find("/./"), std::string::npos) << path;
      EXPECT_EQ(folder.find("a/../"), std::string::npos) << path;
      EXPECT_EQ(folder[0] == '/', path[0] == '/') << path;
    }
  }
}

}  // namespace
}  // namespace hcl

// Replays the corpus and the findings of all fuzz targets without libFuzzer: replay_test FILE... Each file stands in a
// folder of its target's name. An oracle that is violated, a sanitizer's report or a crash ends the process; the name
// of the file is then the last line of its output.
//
// Every target has a corpus, and the dictionary of functions has all functions, and no others.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/hcl/parser.h"
#include "hclvm/tests/fuzz/mutator.h"
#include "hclvm/tests/fuzz/seeds.h"
#include "hclvm/tests/fuzz/targets.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::fuzz {
namespace {

auto* const files = new std::vector<std::string>();

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string FolderOf(const std::string& path) {
  const size_t end = path.rfind('/');
  const size_t begin = path.rfind('/', end - 1) + 1;
  return path.substr(begin, end - begin);
}

TEST(ReplayTest, CorpusAndFindings) {
  std::set<std::string> names;
  for (const std::string& path : *files) {
    if (path.find(".dict") != std::string::npos) continue;
    const Target* target = FindTarget(FolderOf(path));
    ASSERT_NE(target, nullptr) << path;
    names.insert(FolderOf(path));
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    target->run(ReadAll(path));
  }
  EXPECT_EQ(names.size(), Targets().size());
}

// The inputs that runs begin with, but for the cases of other tests, which are not among this test's files.
TEST(ReplayTest, Seeds) {
  constexpr size_t kShownBytes = 1000;
  int number = 0;
  MakeSeeds([&](std::string_view name, const std::string& input) {
    const Target* target = FindTarget(name);
    ASSERT_NE(target, nullptr) << name;
    ++number;
    std::printf("%s\n", input.substr(0, kShownBytes).c_str());
    std::fflush(stdout);
    target->run(input);
  });
  EXPECT_GT(number, 2000);
}

// They are also run: a part of what a fuzzer does.
TEST(ReplayTest, MutationsKeepPrograms) {
  constexpr uint32_t kMutations = 500;
  int programs = 0;
  constexpr size_t kLong = 200;
  const std::string kStart = "0\n[for v in us : v.age + 1 if v.admin]";
  std::string input = kStart;
  for (uint32_t seed = 0; seed < kMutations; ++seed) {
    const std::string changed = MutateProgram(input, seed);
    FuzzExpression(changed);
    const Source source("test", changed.substr(changed.find('\n') + 1));
    Diagnostics diagnostics;
    ParseExpression(source, {}, &diagnostics);
    const bool parses = diagnostics.empty();
    if (parses) ++programs;
    input = parses && changed.size() < kLong ? changed : kStart;
  }
  EXPECT_GT(programs, kMutations / 2);
}

TEST(ReplayTest, DictionaryOfFunctions) {
  std::string text;
  for (const std::string& path : *files) {
    if (path.find("functions.dict") != std::string::npos) text = ReadAll(path);
  }
  std::string want;
  for (const std::string_view name : StandardFunctions()->Names()) want += "\"" + std::string(name) + "\"\n";
  EXPECT_EQ(text, want);
}

}  // namespace
}  // namespace hcl::fuzz

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  hcl::fuzz::files->assign(argv + 1, argv + argc);
  return RUN_ALL_TESTS();
}

#include "hclvm/cmd/hclvm/config_checker.h"

#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/source.h"
#include "hclvm/decode/spec_file.h"
#include "hclvm/module/module.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::cmd {
namespace {

using ::testing::HasSubstr;

// What files of these texts, one of them a module, have in them.
constexpr std::string_view kTexts[] = {
    "a = 1\n",        "a = user.name == upper(\"x\") ? [1, 2] : []\n",
    "a = \n",         "a = upper()\nb = true ? 1 : a\n",
    "a = 1 + true\n", "svc \"x\" {\n  port = 80 + n\n  name = \"${region}-1\"\n}\n",
};

class ConfigCheckerTest : public testing::Test {
 protected:
  ConfigCheckerTest() {
    settings_.compile.functions = StandardFunctions();
    for (int n = 0; n < 200; ++n) {
      names_.push_back(absl::StrCat(testing::TempDir(), "/checked-", n, n % 10 == 9 ? ".json" : ".hcl"));
      if (n % 20 == 7) {
        names_.back() += ".none";  // there is no such file
        continue;
      }
      std::ofstream(names_.back()) << (n % 10 == 9 ? "{\"a\": \"${1 + true}\"}" : kTexts[n % std::size(kTexts)]);
    }
    paths_.assign(names_.begin(), names_.end());
  }

  // All that is told, a line each.
  std::string Told(uint32_t threads) const {
    std::string told;
    size_t files = 0;
    for (const std::unique_ptr<const CheckResult>& result : CheckPaths(paths_, settings_, threads)) {
      if (result == nullptr) {
        ++files;
        continue;
      }
      files += result->files;
      absl::StrAppend(&told, std::string(result->status.message()), result->types, "\n");
      for (const Diagnostic& found : result->found) absl::StrAppend(&told, ToJson(found, found.source), "\n");
    }
    return absl::StrCat(told, files, " files");
  }

  void ExpectSame() const {
    const std::string told = Told(1);
    EXPECT_THAT(told, HasSubstr("190 files"));
    for (int round = 0; round < 5; ++round) EXPECT_EQ(Told(4), told);
  }

  static std::shared_ptr<const Source> SourceOf(std::string text) {
    return std::make_shared<const Source>("given", std::move(text));
  }

  CheckSettings settings_;
  std::vector<std::string> names_;
  std::vector<std::string_view> paths_;
};

TEST_F(ConfigCheckerTest, ThreadsTellTheSame) {
  ExpectSame();
  EXPECT_THAT(Told(4), HasSubstr("cannot read"));
  EXPECT_THAT(Told(4), HasSubstr("HCL3202"));
}

TEST_F(ConfigCheckerTest, ThreadsTellTheSameOfSyntax) {
  settings_.syntax_only = true;
  ExpectSame();
}

TEST_F(ConfigCheckerTest, ThreadsTellTheSameOfTypes) {
  settings_.show_types = true;
  settings_.strict = true;
  ExpectSame();
  EXPECT_THAT(Told(4), HasSubstr("attribute a: number"));
}

TEST_F(ConfigCheckerTest, ThreadsShareVariables) {
  settings_.variables = {{SourceOf("variable \"user\" {\n  type = object({ name = number })\n}\n")}};
  ExpectSame();
  EXPECT_THAT(Told(4), HasSubstr("\"filename\":\"given\""));
}

TEST_F(ConfigCheckerTest, ThreadsShareASpec) {
  const auto source = SourceOf(
      "variables { region = \"eu\" }\nobject {\n  attr \"a\" { type = number }\n  block_list \"svc\" {\n"
      "    block_type = \"svc\"\n    object {\n      attr \"port\" { type = number }\n    }\n  }\n}\n");
  Diagnostics found;
  settings_.spec = ReadSpecFile(source, settings_.compile.limits, &found);
  ASSERT_NE(settings_.spec, nullptr) << ToText(found, source.get());
  ExpectSame();
  EXPECT_THAT(Told(4), HasSubstr("HCL5"));
}

TEST_F(ConfigCheckerTest, NothingIsKeptOfSoundFiles) {
  const auto results = CheckPaths({paths_[0], paths_[2]}, settings_, 1);
  EXPECT_EQ(results[0], nullptr);
  ASSERT_NE(results[1], nullptr);
  EXPECT_EQ(results[1]->found.size(), 1u);
  EXPECT_EQ(results[1]->sources.size(), 1u);
}

}  // namespace
}  // namespace hcl::cmd

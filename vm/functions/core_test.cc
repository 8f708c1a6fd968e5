// Tests the core of the function library.

#include "hclvm/vm/functions/core.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl {
namespace {

TEST(Core, LacksOnlyWhatNeedsOtherLibraries) {
  const std::vector<std::string_view> all = StandardFunctions()->Names();
  const std::vector<std::string_view> core = CoreFunctions()->Names();
  std::vector<std::string_view> extra;
  std::set_difference(core.begin(), core.end(), all.begin(), all.end(), std::back_inserter(extra));
  EXPECT_EQ(extra, std::vector<std::string_view>());
  std::vector<std::string_view> lacking;
  std::set_difference(all.begin(), all.end(), core.begin(), core.end(), std::back_inserter(lacking));
  EXPECT_EQ(lacking,
            (std::vector<std::string_view>{"base64gunzip", "base64gzip", "base64sha256", "base64sha512", "crc32", "md5",
                                           "regex", "regex_match", "regexall", "regexreplace", "replace", "sha1",
                                           "sha256", "sha512", "uuidv5", "yamldecode", "yamlencode"}));
}

}  // namespace
}  // namespace hcl

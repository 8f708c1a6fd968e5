// Compares the hand-written workloads with the reference implementation's
// answers, which are typed JSON, one a line.

#include "hclvm/bench/handwritten.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/bench/typed_answer.h"

namespace hcl::bench {
namespace {

template <typename Workload>
void Check(const std::string& name) {
  std::ifstream want(absl::StrCat("bench/want/", name, ".ndjson"));
  ASSERT_TRUE(want.is_open()) << name;
  std::string line;
  for (int i = 0; i < kScopeCount; ++i) {
    ASSERT_TRUE(std::getline(want, line)) << name << " scope " << i;
    EXPECT_EQ(TypedAnswer(Workload::Make(i).Evaluate()), line) << name << " scope " << i;
  }
  EXPECT_FALSE(std::getline(want, line)) << name;
}

TEST(HandwrittenTest, W0) { Check<W0>("W0"); }
TEST(HandwrittenTest, W1) { Check<W1>("W1"); }
TEST(HandwrittenTest, W2) { Check<W2>("W2"); }
TEST(HandwrittenTest, W3) { Check<W3>("W3"); }
TEST(HandwrittenTest, W4) { Check<W4>("W4"); }
TEST(HandwrittenTest, W5) { Check<W5>("W5"); }
TEST(HandwrittenTest, W6) { Check<W6>("W6"); }
TEST(HandwrittenTest, W7) { Check<W7>("W7"); }
TEST(HandwrittenTest, W8) { Check<W8>("W8"); }
TEST(HandwrittenTest, W9) { Check<W9>("W9"); }

}  // namespace
}  // namespace hcl::bench

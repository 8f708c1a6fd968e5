#include "hclvm/tests/differential/programs.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"
#include "hclvm/tests/differential/net_programs.h"
#include "hclvm/tests/differential/program.h"
#include "hclvm/tests/support/harness.h"

namespace hcl::differential {
namespace {

TEST(ProgramsTest, SeedsDecide) {
  Programs first(1);
  Programs again(1);
  Programs other(2);
  int different = 0;
  std::set<ProgramKind> kinds;
  for (int n = 0; n < 2'000; ++n) {
    const Program program = first.Next();
    const Program same = again.Next();
    EXPECT_EQ(program.source, same.source);
    EXPECT_EQ(program.kind, same.kind);
    if (other.Next().source != program.source) ++different;
    kinds.insert(program.kind);
    // What is no UTF-8 cannot be handed over.
    EXPECT_EQ(internal::FindInvalidUtf8(program.source), std::string::npos) << program.source;
  }
  EXPECT_GT(different, 1'900);
  EXPECT_EQ(kinds.size(), static_cast<size_t>(kProgramKinds));
}

TEST(NetProgramsTest, TheSameForTheSameSeed) {
  const std::string variables = testing_support::ReadTestFile("tests/conformance/variables.json");
  NetPrograms one(variables, 7), another(variables, 7), other(variables, 8);
  int different = 0;
  for (int n = 0; n < 200; ++n) {
    const Program program = one.Next();
    EXPECT_EQ(program.kind, ProgramKind::kExpr);
    EXPECT_EQ(program.source, another.Next().source);
    different += program.source != other.Next().source ? 1 : 0;
  }
  EXPECT_GT(different, 150);
}

}  // namespace
}  // namespace hcl::differential

#include "hclvm/tests/differential/programs.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/base/unicode.h"
#include "hclvm/tests/differential/program.h"

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

}  // namespace
}  // namespace hcl::differential

// Tested by its users.

#include "hclvm/tests/slow/failures.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/tests/slow/generator.h"
#include "hclvm/tests/slow/shrink.h"
#include "hclvm/tests/support/seed.h"

namespace hcl::testing_support {

void ReportShortest(std::vector<std::string> failures, size_t most) {
  std::sort(failures.begin(), failures.end(),
            [](const std::string& a, const std::string& b) { return a.size() < b.size(); });
  for (size_t n = 0; n < failures.size() && n < most; ++n) ADD_FAILURE() << failures[n];
  EXPECT_EQ(failures.size(), 0u);
}

void CheckPrograms(uint64_t programs, Heap* heap, const CheckProgram& check, size_t most) {
  Generator generator(TestSeed());
  std::vector<std::string> failures;
  for (uint64_t n = programs; n > 0; --n) {
    heap->Reset();
    const std::string text = generator.Next();
    if (check(text, n).empty()) continue;
    const std::string small = Shrink(text, [&](const std::string& part) { return !check(part, n).empty(); });
    failures.push_back(absl::StrCat(small, "\n  ", check(small, n)));
  }
  ReportShortest(std::move(failures), most);
}

}  // namespace hcl::testing_support

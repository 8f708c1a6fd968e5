// What the generator of random programs promises: programs that parse, the same for a seed everywhere, of bounded size,
// and among them all functions and all that the compiler has code of its own for.

#include "hclvm/tests/slow/generator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function_family.h"

namespace hcl::testing_support {
namespace {

constexpr int kPrograms = 50'000;

// The same number on every platform. Whoever changes the generator changes it, and knows that all seeds mean other
// programs from now on.
TEST(GeneratorTest, ASeedMeansTheSamePrograms) {
  Generator generator(1);
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (int n = 0; n < 2000; ++n) {
    for (const char c : generator.Next() + "\n") hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  EXPECT_EQ(hash, 5514766329238697044);
}

TEST(GeneratorTest, ProgramsParseAndAreOfBoundedSize) {
  GeneratorOptions options;
  options.marks = true;
  Generator generator(2, options);
  size_t longest = 0, sum = 0;
  for (int n = 0; n < kPrograms; ++n) {
    const std::string text = generator.Next();
    const Parsed parsed(text);
    ASSERT_TRUE(parsed.ok()) << text << "\n" << PrintDiagnostics(parsed.diagnostics());
    longest = std::max(longest, text.size());
    sum += text.size();
  }
  EXPECT_LT(longest, 20'000u);
  EXPECT_LT(sum / kPrograms, 400u);
}

// Each of these is in one of a thousand programs at least.
TEST(GeneratorTest, WhatThereIsSpecialCodeFor) {
  const std::vector<std::string> kForms = {"] : r.then if r.when",
                                           "][0]",
                                           " == null",
                                           " != null",
                                           "startswith(",
                                           "endswith(",
                                           "contains([",
                                           "alltrue([",
                                           "can(",
                                           "try(",
                                           "lookup(",
                                           "%{ for ",
                                           "%{ if ",
                                           "...}",
                                           "...)",
                                           "9223372036854775807",
                                           "[*]",
                                           "length([for",
                                           "{allow",
                                           "sum("};
  std::vector<int> found(kForms.size());
  int chains = 0;
  Generator generator(3);
  for (int n = 0; n < kPrograms; ++n) {
    const std::string text = generator.Next();
    for (size_t i = 0; i < kForms.size(); ++i) found[i] += text.find(kForms[i]) != std::string::npos ? 1 : 0;
    int operators = 0;
    for (size_t at = text.find(" && "); at != std::string::npos; at = text.find(" && ", at + 1)) ++operators;
    chains += operators >= 100 ? 1 : 0;
  }
  for (size_t i = 0; i < kForms.size(); ++i) EXPECT_GE(found[i], kPrograms / 1000) << kForms[i];
  EXPECT_GE(chains, kPrograms / 10'000);
}

TEST(GeneratorTest, AllFunctionsAreCalled) {
  std::set<std::string> missing;
  for (const FunctionFamily family : kFunctionFamilies) {
    for (const FunctionRecord& record : RecordsOf(family)) missing.insert(std::string(record.name));
  }
  ASSERT_GT(missing.size(), 90u);
  missing.erase("convert");  // its second argument is no expression, and the slow evaluator does not know it
  GeneratorOptions options;
  options.marks = true;
  Generator generator(4, options);
  for (int n = 0; n < kPrograms && !missing.empty(); ++n) {
    const std::string text = generator.Next();
    for (auto name = missing.begin(); name != missing.end();) {
      name = text.find(*name + "(") != std::string::npos ? missing.erase(name) : std::next(name);
    }
  }
  for (const std::string& name : missing) ADD_FAILURE() << name;
}

}  // namespace
}  // namespace hcl::testing_support

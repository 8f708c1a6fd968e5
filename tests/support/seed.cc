// Seeds. Tested by tests/support/seed_test.cc.

#include "hclvm/tests/support/seed.h"

#include <cstdio>
#include <cstdlib>

namespace hcl::testing_support {
namespace {

// The number in the variable `name`; `usual` where there is none, or an empty one, as Bazel passes an unset one on.
uint64_t FromEnvironment(const char* name, uint64_t usual) {
  const char* const text = std::getenv(name);
  if (text == nullptr || *text == '\0') return usual;
  const std::optional<uint64_t> number = ParseSeed(text);
  if (number) return *number;
  std::fprintf(stderr, "%s=%s is not a decimal number of 64 bits\n", name, text);
  std::exit(1);
}

uint64_t ReadAndPrintSeed() {
  const uint64_t seed = FromEnvironment("HCLVM_TEST_SEED", 1);
  std::printf("HCLVM_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);  // a test that crashes says it too
  return seed;
}

}  // namespace

std::optional<uint64_t> ParseSeed(std::string_view text) {
  if (text.empty()) return std::nullopt;
  uint64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (number > (UINT64_MAX - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
  }
  return number;
}

uint64_t TestSeed() {
  static const uint64_t kSeed = ReadAndPrintSeed();
  return kSeed;
}

uint64_t TestPrograms(uint64_t usual) { return FromEnvironment("HCLVM_TEST_PROGRAMS", usual); }

}  // namespace hcl::testing_support

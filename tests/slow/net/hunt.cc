// Compares all ways to evaluate at length: bazel run //tests/slow/net:hunt -- [--seed=N] [--comparisons=N | --list=N].
//
// With --list, only prints so many programs. Otherwise prints the seed, which is that of the clock unless one is given,
// what is found, and how fast it was. Exit status: 0 when nothing is found, 1 when something is, 2 for wrong usage.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/tests/slow/net/corpus.h"
#include "hclvm/tests/slow/net/net.h"
#include "hclvm/tests/slow/net/signatures.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

constexpr uint64_t kUsual = 10'000'000;
constexpr uint64_t kStep = 500'000;
constexpr size_t kMostFailures = 50;

// The number behind `--name=`.
bool ReadOption(std::string_view argument, std::string_view name, uint64_t* value) {
  if (argument.substr(0, name.size()) != name) return false;
  const std::optional<uint64_t> number = ParseSeed(argument.substr(name.size()));
  if (number) *value = *number;
  return number.has_value();
}

int List(uint64_t seed, uint64_t programs) {
  Corpus corpus;
  const Signatures signatures(corpus);
  Net net(&corpus, signatures, Dialect::kSpec, seed);
  for (; programs > 0; --programs) std::printf("%s\n", net.AnyProgram().c_str());
  return 0;
}

int Hunt(uint64_t seed, uint64_t comparisons) {
  Corpus corpus;
  const Signatures signatures(corpus);
  std::printf("seed %llu, %zu policies, %zu functions\n", static_cast<unsigned long long>(seed), corpus.worlds().size(),
              signatures.functions().size());
  size_t failures = 0;
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    Net net(&corpus, signatures, dialect, seed);
    // Of the processor: the machine may be busy.
    const std::clock_t begin = std::clock();
    size_t shown = 0;
    while (net.judge().comparisons() < comparisons / 2 && net.failures().size() < kMostFailures) {
      net.Run(kStep, kMostFailures);
      for (; shown < net.failures().size(); ++shown) std::printf("\n%s\n", net.failures()[shown].c_str());
      std::fflush(stdout);
    }
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const auto made = static_cast<double>(net.judge().comparisons());
    std::printf(
        "\n%s: %.0f comparisons, %.0f each second, %.0f %% of values, %llu programs, %llu broken, %llu limits\n",
        dialect == Dialect::kSpec ? "spec" : "hashicorp", made, made / seconds,
        100 * static_cast<double>(net.judge().values()) / made, static_cast<unsigned long long>(net.programs()),
        static_cast<unsigned long long>(net.broken()), static_cast<unsigned long long>(net.judge().limits()));
    failures += net.failures().size();
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace hcl::testing_support

int main(int argc, char** argv) {
  using hcl::testing_support::ReadOption;
  auto seed = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  uint64_t comparisons = hcl::testing_support::kUsual;
  uint64_t list = 0;
  for (int n = 1; n < argc; ++n) {
    if (ReadOption(argv[n], "--list=", &list)) continue;
    if (ReadOption(argv[n], "--seed=", &seed) || ReadOption(argv[n], "--comparisons=", &comparisons)) continue;
    std::fprintf(stderr, "usage: hunt [--seed=N] [--comparisons=N | --list=N]\n");
    return 2;
  }
  if (list > 0) return hcl::testing_support::List(seed, list);
  return hcl::testing_support::Hunt(seed, comparisons);
}

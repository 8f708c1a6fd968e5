// The targets under libFuzzer: fuzz --target=NAME [OPTION OF LIBFUZZER]... [FOLDER | FILE]... Without an argument,
// prints the names; fuzz --seeds=FOLDER writes inputs to begin with into short/ and long/, in folders of these names.
// tools/fuzz calls it, from the top of the checkout.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "hclvm/tests/fuzz/mutator.h"
#include "hclvm/tests/fuzz/seeds.h"
#include "hclvm/tests/fuzz/targets.h"

namespace {

const hcl::fuzz::Target* target = nullptr;

// Longer inputs go into other folders, since a fuzzer that has them makes many of their kind.
constexpr size_t kShortBytes = 1024;

void WriteSeeds(const std::string& folder) {
  int number = 0;
  hcl::fuzz::MakeSeeds([&](std::string_view name, const std::string& input) {
    const char* const length = input.size() > kShortBytes ? "long" : "short";
    const std::filesystem::path path = std::filesystem::path(folder) / length / name;
    std::filesystem::create_directories(path);
    std::ofstream(path / std::to_string(number++), std::ios::binary) << input;
  });
}

}  // namespace

// libFuzzer passes over arguments that begin with two dashes.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kTarget = "--target=", kSeeds = "--seeds=";
  for (int n = 1; n < *argc; ++n) {
    const std::string_view argument = (*argv)[n];
    if (argument.substr(0, kTarget.size()) == kTarget) target = hcl::fuzz::FindTarget(argument.substr(kTarget.size()));
    if (argument.substr(0, kSeeds.size()) == kSeeds) {
      WriteSeeds(std::string(argument.substr(kSeeds.size())));
      std::exit(0);
    }
  }
  if (target != nullptr) return 0;
  for (const hcl::fuzz::Target& known : hcl::fuzz::Targets()) {
    std::printf("%.*s\n", static_cast<int>(known.name.size()), known.name.data());
  }
  std::exit(*argc == 1 ? 0 : 2);
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

// A part of the mutations of programs knows what programs are; all others are libFuzzer's own.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  if (!target->takes_programs || seed % 3 != 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string changed = hcl::fuzz::MutateProgram({reinterpret_cast<const char*>(data), size}, seed);
  if (changed.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

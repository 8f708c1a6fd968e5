// The targets under libFuzzer: fuzz --target=NAME [OPTION OF LIBFUZZER]... [FOLDER | FILE]... Without a name, prints
// the names. tools/fuzz calls it.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "hclvm/tests/fuzz/targets.h"

namespace {

const hcl::fuzz::Target* target = nullptr;

}  // namespace

// libFuzzer passes over arguments that begin with two dashes.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";
  for (int n = 1; n < *argc; ++n) {
    const std::string_view argument = (*argv)[n];
    if (argument.substr(0, kOption.size()) == kOption) target = hcl::fuzz::FindTarget(argument.substr(kOption.size()));
  }
  if (target != nullptr) return 0;
  for (const hcl::fuzz::Target& known : hcl::fuzz::Targets()) {
    std::printf("%.*s\n", static_cast<int>(known.name.size()), known.name.data());
  }
  std::exit(*argc == 1 ? 0 : 2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

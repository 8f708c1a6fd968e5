// Prints docs/hostile-input.md, whose tables no hand writes:
//
//   bazel run //tests:growth_table >docs/hostile-input.md

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hclvm/base/unicode.h"
#include "hclvm/tests/growth_families.h"

namespace hcl {
namespace {

constexpr char kIntroduction[] =
    R"(# Hostile input

What grows how fast, for texts and calls that were once too expensive or are easily so. `bazel run //tests:growth_table`
writes this page, and `tests/growth_test.cc` checks the same families: from one size to four times that size, neither
memory nor fuel grows by more than 6, or 10 for a call of a function, since ordering takes the logarithm as a factor.
[limits.md](limits.md) says what bounds them, and what fuel is. Two things multiply, and end by fuel: `setproduct`, and
searching again and again with a pattern that may read all the rest of the text at each match.

A family is a text of many parts. The `#` of a part stands for its number. Each text is measured with *n*, 2*n* and 4*n*
parts. *Memory* is what is asked for in sum, freed since or not, in bytes for a byte of the text; it differs a little
between standard libraries. *Fuel* is in units for 1,000 bytes or elements; it is the same everywhere. Growth in
proportion shows as three figures that are alike.

)";

// Characters beyond ASCII as escapes: many of them are marks.
std::string Cell(const std::string& text) {
  std::string cell = "`";
  for (size_t at = 0; at < text.size();) {
    const internal::CodePoint point = internal::DecodeUtf8(text, at);
    at += point.bytes;
    if (point.value == '\n') {
      cell += "\\n";
    } else if (point.value == '|') {
      cell += "\\|";
    } else if (point.value < 0x80) {
      cell += static_cast<char>(point.value);
    } else {
      char escape[16];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(point.value));
      cell += escape;
    }
  }
  return cell + "`";
}

void PrintFamilies(const char* title, GrowthKind kind, size_t count) {
  const bool fuel = kind == GrowthKind::kCall;
  std::printf("## %s\n\nHere *n* is %zu,000.\n\n", title, count / 1'000);
  std::printf(fuel ? "| expression | part of `text` | fuel: n | 2n | 4n | memory: n | 2n | 4n |\n"
                   : "| family | part | memory: n | 2n | 4n |\n");
  std::printf(fuel ? "|---|---|---|---|---|---|---|---|\n" : "|---|---|---|---|---|\n");
  for (const GrowthFamily& family : GrowthFamilies()) {
    if (family.kind != kind) continue;
    std::string fuels, memories;
    for (size_t times : {1, 2, 4}) {
      const GrowthCost cost = CostOf(family, times * count);
      fuels += " " + std::to_string(cost.fuel * 1'000 / cost.text_bytes) + " |";
      memories += " " + std::to_string(cost.memory / cost.text_bytes) + " |";
    }
    const std::string name = fuel ? Cell(family.name) : family.name;
    std::printf("| %s | %s |%s%s\n", name.c_str(), Cell(family.part).c_str(), fuel ? fuels.c_str() : "",
                memories.c_str());
  }
  std::printf("\n");
}

// Of each function the call that costs most.
void PrintFunctions(size_t count) {
  std::map<std::string, std::pair<uint64_t, GrowthCall>> worst;
  for (const GrowthCall& call : GrowthCalls()) {
    const uint64_t fuel = CostOf(call, 1'000).fuel;
    auto& entry = worst[call.function];
    if (fuel > entry.first) entry = {fuel, call};
  }
  std::printf(
      "## Functions\n\nEach function of the library that takes a large argument, in the call that costs most. `large` "
      "is a text of\n*n* letters, a list of *n* strings or numbers, or a map of *n* numbers; *n* is %zu,000.\n\n",
      count / 1'000);
  std::printf("| call | `large` | fuel: n | 2n | 4n | memory: n | 2n | 4n |\n|---|---|---|---|---|---|---|---|\n");
  for (const auto& [name, entry] : worst) {
    std::string fuels, memories;
    for (size_t times : {1, 2, 4}) {
      const GrowthCost cost = CostOf(entry.second, times * count);
      fuels += " " + std::to_string(cost.fuel * 1'000 / cost.text_bytes) + " |";
      memories += " " + std::to_string(cost.memory / cost.text_bytes) + " |";
    }
    std::printf("| %s | %s |%s%s\n", Cell(entry.second.expression).c_str(), entry.second.form, fuels.c_str(),
                memories.c_str());
  }
}

}  // namespace
}  // namespace hcl

int main() {
  using hcl::GrowthKind;
  std::fputs(hcl::kIntroduction, stdout);
  hcl::PrintFamilies("Configs", GrowthKind::kConfig, 25'000);
  hcl::PrintFamilies("Configs in JSON", GrowthKind::kJsonConfig, 25'000);
  hcl::PrintFamilies("Scopes", GrowthKind::kScope, 250'000);
  hcl::PrintFamilies("Expressions", GrowthKind::kCall, 25'000);
  hcl::PrintFunctions(250'000);
}

// Prints what each side says about expressions: compare [LIMIT=N | EXPRESSION]... (from the repository's top folder).
// LIMIT is fuel, bytes or digits, and holds for the virtual machine and the expressions behind it. For people who look
// into a disagreement.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "hclvm/base/limits.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/tests/support/seed.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

void Compare(const char* text, const Limits& limits) {
  std::printf("%s\n", text);
  const Parsed parsed(text);
  if (!parsed.ok()) {
    std::printf("  %s\n", PrintDiagnostics(parsed.diagnostics()).c_str());
    return;
  }
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    CompileOptions options;
    options.dialect = dialect;
    const Harness harness(options);
    std::printf(dialect == Dialect::kSpec ? "  spec\n" : "  hashicorp\n");
    SlowSide slow(dialect);
    std::printf("    slow:          %s\n", Print(slow.Evaluate(parsed, harness.variables())).c_str());
    for (const Code code : {Code::kOptimized, Code::kGeneral, Code::kUnoptimized}) {
      static constexpr const char* kNames[] = {"optimized:    ", "the slow path: ", "not optimized:"};
      FastSide side(dialect, code);
      side.set_limits(limits);
      std::printf("    %s %s\n", kNames[static_cast<int>(code)],
                  Print(side.Evaluate(parsed, harness.variables())).c_str());
    }
  }
}

// "digits=6", and whether it is one.
bool ReadLimit(const std::string& argument, Limits* limits) {
  const size_t at = argument.find('=');
  const std::string name = argument.substr(0, at);
  if (at == std::string::npos || (name != "fuel" && name != "bytes" && name != "digits")) return false;
  const std::optional<uint64_t> number = ParseSeed(std::string_view(argument).substr(at + 1));
  if (!number) return false;
  if (name == "fuel") limits->max_fuel = *number;
  if (name == "bytes") limits->max_result_bytes = *number;
  if (name == "digits") limits->max_number_digits = static_cast<uint32_t>(*number);
  return true;
}

}  // namespace
}  // namespace hcl::testing_support

int main(int argc, char** argv) {
  hcl::Limits limits;
  for (int n = 1; n < argc; ++n) {
    if (!hcl::testing_support::ReadLimit(argv[n], &limits)) hcl::testing_support::Compare(argv[n], limits);
  }
}

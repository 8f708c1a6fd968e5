// Prints what each side says about expressions: compare EXPRESSION... (from the repository's top folder). For people
// who look into a disagreement.

#include <cstdio>
#include <string>

#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/slow/both_sides.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/value/heap.h"

namespace hcl::testing_support {
namespace {

void Compare(const char* text) {
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
      static constexpr const char* kNames[] = {"optimized:    ", "general code: ", "not optimized:"};
      FastSide side(dialect, code);
      std::printf("    %s %s\n", kNames[static_cast<int>(code)],
                  Print(side.Evaluate(parsed, harness.variables())).c_str());
    }
  }
}

}  // namespace
}  // namespace hcl::testing_support

int main(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) hcl::testing_support::Compare(argv[n]);
}

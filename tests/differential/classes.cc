// The classes of differences.

#include "hclvm/tests/differential/classes.h"

namespace hcl::differential {
namespace {

bool Panics(const Answers& a) { return a.difference == Difference::kPanic; }

constexpr DifferenceClass kClasses[] = {
    {"panic", "The reference panics.", Panics},
};

}  // namespace

absl::Span<const DifferenceClass> DifferenceClasses() { return kClasses; }

const DifferenceClass* ClassOf(const Answers& answers) {
  for (const DifferenceClass& each : kClasses) {
    if (each.holds(answers)) return &each;
  }
  return nullptr;
}

}  // namespace hcl::differential

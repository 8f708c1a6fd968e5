// The differences from the reference that have a reason.
//
// Tested by tests/differential/classes_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_CLASSES_H_
#define HCLVM_TESTS_DIFFERENTIAL_CLASSES_H_

#include <functional>

#include "absl/types/span.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {

// Answers a program by both sides: what a class asks to see whether its cause is the cause.
using AskOne = std::function<Answers(const Program&)>;

// A class of differences. `holds` is asked about a program that was made as small as the sides still differ about it,
// so that a difference has one cause.
struct DifferenceClass {
  const char* name;
  const char* reason;
  bool (*holds)(const Answers& answers, const AskOne& ask);
};

absl::Span<const DifferenceClass> DifferenceClasses();

// The first class that the difference belongs to; null when nothing explains it.
const DifferenceClass* ClassOf(const Answers& answers, const AskOne& ask);

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_CLASSES_H_

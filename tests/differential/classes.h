// The differences from the reference that have a reason.
//
// Tested by tests/differential/classes_test.cc.

#ifndef HCLVM_TESTS_DIFFERENTIAL_CLASSES_H_
#define HCLVM_TESTS_DIFFERENTIAL_CLASSES_H_

#include "absl/types/span.h"
#include "hclvm/tests/differential/program.h"

namespace hcl::differential {

// A class of differences. `holds` is asked about a program that was made as small as it differs in the same way, so
// that a difference has one cause.
struct DifferenceClass {
  const char* name;
  const char* reason;
  bool (*holds)(const Answers& answers);
};

absl::Span<const DifferenceClass> DifferenceClasses();

// The first class that the difference belongs to; null when nothing explains it.
const DifferenceClass* ClassOf(const Answers& answers);

}  // namespace hcl::differential

#endif  // HCLVM_TESTS_DIFFERENTIAL_CLASSES_H_

// InvolvedValues: the variables behind a failure, for its message.
//
// Reads the program's table of what its expressions read, so that evaluations pay nothing for it, and follows the paths
// again.
// Tested by tests/involved_values_test.cc and, with the messages, by tests/golden_test.cc.

#ifndef HCLVM_VM_INVOLVED_VALUES_H_
#define HCLVM_VM_INVOLVED_VALUES_H_

#include <string>
#include <vector>

#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/operations.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// The variables and loop variables, with constant steps into them, that the source in the range of `role` reads, in
// their order there, each once, at most eight. Where a path leads nowhere, the part of it that does. Requires an
// instruction with ranges at `context.pc`, and slots and registers. Time and memory: bounded, whatever the program.
std::vector<NamedValue> InvolvedValues(const OpContext& context, int role);

// `value` as a short text for people: what a literal would look like when that is short, otherwise what it is. Nothing
// of what is marked is shown.
std::string ShortText(const Value& value);

}  // namespace hcl::internal

#endif  // HCLVM_VM_INVOLVED_VALUES_H_

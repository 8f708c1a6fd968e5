// Evaluating a program inside of a function's call.
//
// Tested by vm/program_function_test.cc, compiler/template_function_test.cc.

#ifndef HCLVM_VM_PROGRAM_CALL_H_
#define HCLVM_VM_PROGRAM_CALL_H_

#include <string>

#include "absl/types/span.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/vm/functions/function.h"
#include "hclvm/vm/program.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {

// What `slots` holds for a variable that has no value.
Value NoValue();

// The value of `program`, made in the heap of `call` with its fuel; parts of it may live in the program. `slots` has a
// value for each of the program's variables. `scope`, which may be null, has the names that a message can suggest.
// Meaningless when the call has failed, or when there are diagnostics, which are for the caller to report.
Value EvaluateInCall(const Program& program, absl::Span<const Value> slots, const Shape* scope, FunctionCall* call,
                     Diagnostics* diagnostics);

// What a caller reports of `diagnostics`, which must not be empty: the limit that was reached, or else the first.
const Diagnostic& FirstToReport(const Diagnostics& diagnostics);

// A message as a phrase, without a place: "Unknown variable: There is no variable named \"x\"".
std::string ReasonOf(const Diagnostic& diagnostic);

}  // namespace hcl::internal

#endif  // HCLVM_VM_PROGRAM_CALL_H_

// What each function of the library does, for `hclvm functions` and docs/functions.md.
//
// Tested by vm/functions/standard_test.cc, tests/functions_test.cc (which evaluates the examples).

#ifndef HCLVM_VM_FUNCTIONS_DOCUMENTATION_H_
#define HCLVM_VM_FUNCTIONS_DOCUMENTATION_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "hclvm/vm/functions/function_family.h"

namespace hcl {

// Immutable, alive until the process ends.
struct FunctionRecord {
  std::string_view name;
  // "NAME: TYPE; NAME...: TYPE", as declared, or "NAME?: TYPE" where it may be left out; a type of any may be told more
  // closely.
  std::string_view parameters;
  std::string_view result;         // its type
  std::string_view summary;        // sentences
  std::string_view example;        // an expression without variables
  std::string_view example_value;  // its value as JSON
};

// The records of a family, by name.
absl::Span<const FunctionRecord> RecordsOf(FunctionFamily family);

// The record of that name, or null. *family is set when there is one.
const FunctionRecord* FindRecord(std::string_view name, FunctionFamily* family);

// A function of Terraform, OpenTofu or Terraform policy, which calls it core::NAME. Immutable, alive until the process
// ends.
struct ForeignFunction {
  std::string_view name;
  std::string_view users;  // letters of them: T, O, P
  std::string_view why;    // it is not here; empty: it is
};

// All of them that their documents list, by name.
absl::Span<const ForeignFunction> ForeignFunctions();

// "join(separator, lists...)".
std::string CallForm(const FunctionRecord& record);

}  // namespace hcl

#endif  // HCLVM_VM_FUNCTIONS_DOCUMENTATION_H_

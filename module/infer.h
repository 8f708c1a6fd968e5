// Declarations for what requests bring: `variable` blocks that fit all lines of a file.
//
// Internal to modules and programs. Tested by module/infer_test.cc and tests/infer_property_test.cc.

#ifndef HCLVM_MODULE_INFER_H_
#define HCLVM_MODULE_INFER_H_

#include <cstdio>
#include <string>

#include "absl/status/statusor.h"
#include "hclvm/base/limits.h"

namespace hcl::internal {

// Reads lines of JSON, each an object of variables, to the end of `input`, and returns `variable` blocks, by name, that
// take all of them. Attributes that some lines lack or have as null are optional, and such variables have the default
// null. What is of several types is `any`. An object is a map if it has more than 32 attributes, if three values or
// more have no attribute in common, or if a name of one cannot be written in a type. Names that no variable can have
// are comments. What lies deeper than 32 levels is `any`, and so is what is met when 100,000 parts are known, so that
// memory is bounded.
//
// Fails with kInvalidArgument where a line is no such object, with kResourceExhausted where a line is over a limit
// (max_source_bytes holds for each) or where there are more than 1,000 variables, with kUnavailable where reading
// fails; messages begin with the number of the line. Thread-safe as far as `input` is not shared.
absl::StatusOr<std::string> InferVariables(std::FILE* input, const Limits& limits = {});

}  // namespace hcl::internal

#endif  // HCLVM_MODULE_INFER_H_

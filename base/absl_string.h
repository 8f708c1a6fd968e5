// ToAbsl: std::string_view for Abseil's functions.
//
// Where Abseil was built with its own string_view (as Debian does, to keep one ABI for all C++ versions) the two are
// different types without implicit conversion; elsewhere this is the identity.

#ifndef HCLVM_BASE_ABSL_STRING_H_
#define HCLVM_BASE_ABSL_STRING_H_

#include <string_view>

#include "absl/strings/string_view.h"

namespace hcl::internal {

inline absl::string_view ToAbsl(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace hcl::internal

#endif  // HCLVM_BASE_ABSL_STRING_H_

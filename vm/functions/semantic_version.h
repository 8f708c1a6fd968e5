// Versions such as 1.2.3-rc.1 and conditions on them such as ">= 1.2.0, < 2.0.0", as Terraform reads both.
//
// Tested by vm/functions/version_functions_test.cc.

#ifndef HCLVM_VM_FUNCTIONS_SEMANTIC_VERSION_H_
#define HCLVM_VM_FUNCTIONS_SEMANTIC_VERSION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"

namespace hcl::internal {

// Views of the text that was read.
struct SemanticVersion {
  // Digits without leading zeros, of any number: those of 0 are "". At least one; parts that are left out count as 0.
  absl::InlinedVector<std::string_view, 4> numbers;
  std::string_view prerelease;  // without its minus; empty: none
};

// Reads "1.2.3", with a "v" before it or without, "-PRERELEASE" and "+BUILD" after it, which is passed over. False
// where the text is none. Linear.
bool ReadVersion(std::string_view text, SemanticVersion* version);

// -1, 0 or 1, by the precedence of semver.org: numbers first, and a prerelease comes before its release. Linear.
int CompareVersions(const SemanticVersion& a, const SemanticVersion& b);

enum class VersionOperator : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPessimistic
};

struct VersionCondition {
  VersionOperator op = VersionOperator::kEqual;
  SemanticVersion version;
};

// The next condition of a list whose parts are separated by commas; takes it, with its comma, from *text. False where
// it is none. Linear in what it takes.
bool TakeCondition(std::string_view* text, VersionCondition* condition);

// Whether the version meets the condition. A prerelease meets a range only where the condition names a prerelease of
// the same numbers: ">= 1.0.0" is no wish for 2.0.0-beta.
bool Meets(const SemanticVersion& version, const VersionCondition& condition);

}  // namespace hcl::internal

#endif  // HCLVM_VM_FUNCTIONS_SEMANTIC_VERSION_H_

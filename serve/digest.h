// Digests of bundles, and secrets that are compared. Thread-safe functions.
//
// Tested by serve/digest_test.cc.

#ifndef HCLVM_SERVE_DIGEST_H_
#define HCLVM_SERVE_DIGEST_H_

#include <string>
#include <string_view>

namespace hcl::serve {

// SHA-256 as 64 hexadecimal digits in lower case.
std::string Sha256Hex(std::string_view text);

// Whether the two are the same, in a time that depends on neither.
bool SecretsEqual(std::string_view given, std::string_view secret);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DIGEST_H_

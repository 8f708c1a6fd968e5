// Digests and signatures of bundles, and secrets that are compared. Thread-safe functions.
//
// Tested by serve/digest_test.cc.

#ifndef HCLVM_SERVE_DIGEST_H_
#define HCLVM_SERVE_DIGEST_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace hcl::serve {

// SHA-256 as 64 hexadecimal digits in lower case.
std::string Sha256Hex(std::string_view text);

// Whether `signature`, base64 of 64 bytes with or without blanks and line ends, is one of `message` by the key in
// `pem`, an ed25519 public key. kInvalidArgument for a key that is none, kPermissionDenied for a wrong signature.
absl::Status VerifySignature(std::string_view pem, std::string_view message, std::string_view signature);

// Whether `pem` is an ed25519 public key.
absl::Status CheckPublicKey(std::string_view pem);

// Whether the two are the same, in a time that depends on neither.
bool SecretsEqual(std::string_view given, std::string_view secret);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_DIGEST_H_

// Signatures of bundles: ed25519, by keys in PEM as OpenSSL writes them. Thread-safe functions.
//
// Tested by serve/signature_test.cc.

#ifndef HCLVM_SERVE_SIGNATURE_H_
#define HCLVM_SERVE_SIGNATURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace hcl::serve {

// So many keys are looked at in one text.
inline constexpr size_t kMaxKeys = 100;

// Both halves in PEM. Who has the private one can sign.
struct KeyPair {
  std::string private_key;
  std::string public_key;
};

// A new pair, of the system's random numbers; kUnavailable where there are none.
absl::StatusOr<KeyPair> MakeKeyPair();

// The names of the public keys in `pem`, in their order: "ed25519:" and 16 hexadecimal digits of the SHA-256 of a key's
// DER. kInvalidArgument unless it is 1 to kMaxKeys such keys and nothing else but text between them.
absl::StatusOr<std::vector<std::string>> PublicKeyNames(std::string_view pem);

// The signature of `message` in base64, with a line end. kInvalidArgument for a key that is none, or has a password.
absl::StatusOr<std::string> Sign(std::string_view private_pem, std::string_view message);

// The public half of a private key, in PEM. Fails as Sign() does.
absl::StatusOr<std::string> PublicKeyOf(std::string_view private_pem);

// The name of the first of the public keys in `pem` by which `signature`, base64 of 64 bytes with or without blanks and
// line ends, is one of `message`. Fails as PublicKeyNames() does; kPermissionDenied where it is by none of them.
absl::StatusOr<std::string> VerifySignature(std::string_view pem, std::string_view message, std::string_view signature);

}  // namespace hcl::serve

#endif  // HCLVM_SERVE_SIGNATURE_H_

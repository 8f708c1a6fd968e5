// Digests and secrets, by OpenSSL. Tested by serve/digest_test.cc.

#define OPENSSL_SUPPRESS_DEPRECATED

#include "hclvm/serve/digest.h"

#include "openssl/crypto.h"
#include "openssl/sha.h"

namespace hcl::serve {
namespace {

// By functions that need nothing of OpenSSL to be started, which fails for good where it is refused memory.
std::string Digest(std::string_view text) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, text.data(), text.size());
  SHA256_Final(digest, &context);
  return {reinterpret_cast<const char*>(digest), sizeof(digest)};
}

}  // namespace

std::string Sha256Hex(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char byte : Digest(text)) {
    hex.push_back(kDigits[static_cast<unsigned char>(byte) >> 4]);
    hex.push_back(kDigits[static_cast<unsigned char>(byte) & 15]);
  }
  return hex;
}

// Digests have one length, so that not even that of the secret shows.
bool SecretsEqual(std::string_view given, std::string_view secret) {
  const std::string a = Digest(given);
  const std::string b = Digest(secret);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace hcl::serve

// Digests, signatures, secrets, by OpenSSL. Tested by serve/digest_test.cc.

#define OPENSSL_SUPPRESS_DEPRECATED

#include "hclvm/serve/digest.h"

#include <cstddef>
#include <memory>
#include <vector>

#include "openssl/bio.h"
#include "openssl/crypto.h"
#include "openssl/evp.h"
#include "openssl/pem.h"
#include "openssl/sha.h"

namespace hcl::serve {
namespace {

constexpr size_t kSignatureBytes = 64;

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;

Key ReadKey(std::string_view pem) {
  const std::unique_ptr<BIO, int (*)(BIO*)> bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  Key key(bio == nullptr ? nullptr : PEM_read_bio_PUBKEY(bio.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
  if (key != nullptr && EVP_PKEY_id(key.get()) != EVP_PKEY_ED25519) key.reset();
  return key;
}

// By functions that need nothing of OpenSSL to be started, which fails for good where it is refused memory.
std::string Digest(std::string_view text) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, text.data(), text.size());
  SHA256_Final(digest, &context);
  return {reinterpret_cast<const char*>(digest), sizeof(digest)};
}

// The bytes of 88 characters of base64; empty if they are not that.
std::string DecodeSignature(std::string_view text) {
  constexpr size_t kCharacters = (kSignatureBytes + 2) / 3 * 4;
  std::string characters;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (characters.size() == kCharacters) return "";
    characters.push_back(c);
  }
  if (characters.size() != kCharacters) return "";
  std::vector<unsigned char> bytes(kSignatureBytes + 3);
  const int size = EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(characters.data()),
                                   static_cast<int>(characters.size()));
  if (size < static_cast<int>(kSignatureBytes)) return "";
  return {reinterpret_cast<const char*>(bytes.data()), kSignatureBytes};
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

absl::Status CheckPublicKey(std::string_view pem) {
  if (ReadKey(pem) != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError("the key is no ed25519 public key in PEM");
}

absl::Status VerifySignature(std::string_view pem, std::string_view message, std::string_view signature) {
  const Key key = ReadKey(pem);
  if (key == nullptr) return CheckPublicKey(pem);
  const std::string bytes = DecodeSignature(signature);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const bool valid = bytes.size() == kSignatureBytes && context != nullptr &&
                     EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
                     EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                                      reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
  if (valid) return absl::OkStatus();
  return absl::PermissionDeniedError("the signature of the manifest is not by the required key");
}

// Digests have one length, so that not even that of the secret shows.
bool SecretsEqual(std::string_view given, std::string_view secret) {
  const std::string a = Digest(given);
  const std::string b = Digest(secret);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace hcl::serve

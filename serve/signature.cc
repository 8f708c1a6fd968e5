// Signatures, by OpenSSL. Tested by serve/signature_test.cc.

#include "hclvm/serve/signature.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hclvm/serve/digest.h"
#include "openssl/bio.h"
#include "openssl/evp.h"
#include "openssl/pem.h"
#include "openssl/x509.h"

namespace hcl::serve {
namespace {

constexpr size_t kSignatureBytes = 64;
constexpr size_t kSignatureCharacters = (kSignatureBytes + 2) / 3 * 4;
constexpr size_t kMaxPemBytes = 1 << 20;
constexpr size_t kNameDigits = 16;

using Key = std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)>;
using Bytes = std::unique_ptr<BIO, int (*)(BIO*)>;
using Context = std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)>;

Key Checked(EVP_PKEY* read) {
  Key key(read, EVP_PKEY_free);
  if (key != nullptr && EVP_PKEY_id(key.get()) != EVP_PKEY_ED25519) key.reset();
  return key;
}

Bytes Reader(std::string_view text) {
  const size_t size = text.size() > kMaxPemBytes ? 0 : text.size();
  return {BIO_new_mem_buf(text.data(), static_cast<int>(size)), BIO_free};
}

// Without it, OpenSSL asks the terminal for the password.
int NoPassword(char*, int, int, void*) { return -1; }

absl::StatusOr<Key> ReadPrivateKey(std::string_view pem) {
  const Bytes bytes = Reader(pem);
  Key key = Checked(bytes == nullptr ? nullptr : PEM_read_bio_PrivateKey(bytes.get(), nullptr, NoPassword, nullptr));
  if (key != nullptr) return key;
  return absl::InvalidArgumentError("the key is no ed25519 private key in PEM without a password");
}

absl::StatusOr<std::vector<Key>> ReadPublicKeys(std::string_view pem) {
  const absl::Status wrong = absl::InvalidArgumentError("the key is no ed25519 public key in PEM");
  const Bytes bytes = Reader(pem);
  if (bytes == nullptr) return wrong;
  std::vector<Key> keys;
  for (size_t at = pem.find("-----BEGIN "); at != std::string_view::npos; at = pem.find("-----BEGIN ", at + 1)) {
    if (keys.size() == kMaxKeys) return absl::InvalidArgumentError(absl::StrCat("more than ", kMaxKeys, " keys"));
    keys.push_back(Checked(PEM_read_bio_PUBKEY(bytes.get(), nullptr, nullptr, nullptr)));
    if (keys.back() == nullptr) return wrong;
  }
  if (keys.empty()) return wrong;
  return keys;
}

std::string NameOf(EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  if (size <= 0) return "";
  const std::string digest = Sha256Hex({reinterpret_cast<const char*>(der), static_cast<size_t>(size)});
  OPENSSL_free(der);
  return absl::StrCat("ed25519:", digest.substr(0, kNameDigits));
}

// What `write` writes; empty where it fails.
template <typename Write>
std::string Written(const Write& write) {
  const Bytes bytes(BIO_new(BIO_s_mem()), BIO_free);
  if (bytes == nullptr || write(bytes.get()) != 1) return "";
  char* text = nullptr;
  const long size = BIO_get_mem_data(bytes.get(), &text);
  return size <= 0 ? std::string() : std::string(text, static_cast<size_t>(size));
}

std::string PublicPem(EVP_PKEY* key) {
  return Written([&](BIO* to) { return PEM_write_bio_PUBKEY(to, key); });
}

std::string PrivatePem(EVP_PKEY* key) {
  return Written(
      [&](BIO* to) { return PEM_write_bio_PKCS8PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

absl::Status NoMemory() { return absl::UnavailableError("OpenSSL cannot do it: no memory, or no random numbers"); }

// The bytes of 88 characters of base64; empty if they are not that.
std::string DecodeSignature(std::string_view text) {
  std::string characters;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (characters.size() == kSignatureCharacters) return "";
    characters.push_back(c);
  }
  if (characters.size() != kSignatureCharacters) return "";
  std::vector<unsigned char> bytes(kSignatureBytes + 3);
  const int size = EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(characters.data()),
                                   static_cast<int>(characters.size()));
  if (size < static_cast<int>(kSignatureBytes)) return "";
  return {reinterpret_cast<const char*>(bytes.data()), kSignatureBytes};
}

bool IsSignedBy(EVP_PKEY* key, std::string_view message, std::string_view signature) {
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return signature.size() == kSignatureBytes && context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                          reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
}

}  // namespace

absl::StatusOr<KeyPair> MakeKeyPair() {
  const std::unique_ptr<EVP_PKEY_CTX, void (*)(EVP_PKEY_CTX*)> context(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nullptr),
                                                                       EVP_PKEY_CTX_free);
  EVP_PKEY* made = nullptr;
  if (context == nullptr || EVP_PKEY_keygen_init(context.get()) != 1 || EVP_PKEY_keygen(context.get(), &made) != 1) {
    return NoMemory();
  }
  const Key key(made, EVP_PKEY_free);
  KeyPair pair = {PrivatePem(key.get()), PublicPem(key.get())};
  if (pair.private_key.empty() || pair.public_key.empty()) return NoMemory();
  return pair;
}

absl::StatusOr<std::vector<std::string>> PublicKeyNames(std::string_view pem) {
  const auto keys = ReadPublicKeys(pem);
  if (!keys.ok()) return keys.status();
  std::vector<std::string> names;
  for (const Key& key : *keys) names.push_back(NameOf(key.get()));
  return names;
}

absl::StatusOr<std::string> Sign(std::string_view private_pem, std::string_view message) {
  const auto key = ReadPrivateKey(private_pem);
  if (!key.ok()) return key.status();
  unsigned char bytes[kSignatureBytes];
  size_t size = sizeof(bytes);
  const Context context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (context == nullptr || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key->get()) != 1 ||
      EVP_DigestSign(context.get(), bytes, &size, reinterpret_cast<const unsigned char*>(message.data()),
                     message.size()) != 1) {
    return NoMemory();
  }
  unsigned char characters[kSignatureCharacters + 1];
  const int length = EVP_EncodeBlock(characters, bytes, static_cast<int>(size));
  return absl::StrCat(std::string(reinterpret_cast<const char*>(characters), static_cast<size_t>(length)), "\n");
}

absl::StatusOr<std::string> PublicKeyOf(std::string_view private_pem) {
  const auto key = ReadPrivateKey(private_pem);
  if (!key.ok()) return key.status();
  std::string pem = PublicPem(key->get());
  if (pem.empty()) return NoMemory();
  return pem;
}

absl::StatusOr<std::string> VerifySignature(std::string_view pem, std::string_view message,
                                            std::string_view signature) {
  const auto keys = ReadPublicKeys(pem);
  if (!keys.ok()) return keys.status();
  const std::string bytes = DecodeSignature(signature);
  for (const Key& key : *keys) {
    if (IsSignedBy(key.get(), message, bytes)) return NameOf(key.get());
  }
  return absl::PermissionDeniedError(keys->size() == 1
                                         ? "the signature of the manifest is not by the required key"
                                         : "the signature of the manifest is by none of the required keys");
}

}  // namespace hcl::serve

// Digests, signatures, secrets.

#include "hclvm/serve/digest.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

// The key, the message "manifest\n" and its signature were made by openssl's own program.
constexpr char kKey[] = R"(-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA69o9LrauGcXkbvr2stQIu/eBUo+RZEHXLAn5joMI/K8=
-----END PUBLIC KEY-----
)";
constexpr char kSignature[] =
    "7kYTU7dSnF2ze9d1YK/6VSveqTzGXo/qnAVbAZlLxNuCsmnNUZnDYQsj/dO4ClHL2i9dZnlhndyFpfw2ThfJBw==";

TEST(DigestTest, Sha256) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(DigestTest, Signatures) {
  EXPECT_TRUE(VerifySignature(kKey, "manifest\n", kSignature).ok());
  EXPECT_TRUE(VerifySignature(kKey, "manifest\n", std::string(kSignature) + "\n").ok());
  EXPECT_TRUE(VerifySignature(kKey, "manifest\n", std::string(kSignature).insert(64, "\n")).ok());
  EXPECT_FALSE(VerifySignature(kKey, "manifest", kSignature).ok());
  for (const char* wrong : {"", "x", "AAAA", "!"}) EXPECT_FALSE(VerifySignature(kKey, "manifest\n", wrong).ok());
  std::string changed = kSignature;
  changed[10] = changed[10] == 'A' ? 'B' : 'A';
  EXPECT_EQ(VerifySignature(kKey, "manifest\n", changed).code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(VerifySignature("no key", "manifest\n", kSignature).code(), absl::StatusCode::kInvalidArgument);
}

TEST(DigestTest, Secrets) {
  EXPECT_TRUE(SecretsEqual("secret", "secret"));
  EXPECT_FALSE(SecretsEqual("secret", "secrets"));
  EXPECT_FALSE(SecretsEqual("", "secret"));
}

}  // namespace
}  // namespace hcl::serve

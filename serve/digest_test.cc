// Digests and secrets.

#include "hclvm/serve/digest.h"

#include "gtest/gtest.h"

namespace hcl::serve {
namespace {

TEST(DigestTest, Sha256) {
  EXPECT_EQ(Sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(DigestTest, Secrets) {
  EXPECT_TRUE(SecretsEqual("secret", "secret"));
  EXPECT_FALSE(SecretsEqual("secret", "secrets"));
  EXPECT_FALSE(SecretsEqual("", "secret"));
}

}  // namespace
}  // namespace hcl::serve

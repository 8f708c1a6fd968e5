// Keys and signatures.

#include "hclvm/serve/signature.h"

#include <string>
#include <vector>

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

TEST(SignatureTest, OfOpenssl) {
  EXPECT_TRUE(VerifySignature(kKey, "manifest\n", kSignature).ok());
  EXPECT_TRUE(VerifySignature(kKey, "manifest\n", std::string(kSignature) + "\n").ok());
  EXPECT_TRUE(VerifySignature(kKey, "manifest\n", std::string(kSignature).insert(64, "\n")).ok());
  EXPECT_FALSE(VerifySignature(kKey, "manifest", kSignature).ok());
  for (const char* wrong : {"", "x", "AAAA", "!"}) EXPECT_FALSE(VerifySignature(kKey, "manifest\n", wrong).ok());
  std::string changed = kSignature;
  changed[10] = changed[10] == 'A' ? 'B' : 'A';
  EXPECT_EQ(VerifySignature(kKey, "manifest\n", changed).status().code(), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(VerifySignature("no key", "manifest\n", kSignature).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SignatureTest, ByOwnKeys) {
  const auto one = MakeKeyPair();
  const auto two = MakeKeyPair();
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_NE(one->private_key, two->private_key);
  EXPECT_EQ(PublicKeyOf(one->private_key).value(), one->public_key);
  const std::string signature = Sign(one->private_key, "text").value();
  EXPECT_EQ(signature.size(), 89u);
  EXPECT_EQ(Sign(one->private_key, "text").value(), signature);  // so that signed bundles are the same bytes, too
  const std::string name = PublicKeyNames(one->public_key).value()[0];
  EXPECT_EQ(name.substr(0, 8), "ed25519:");
  EXPECT_EQ(name.size(), 24u);
  EXPECT_EQ(VerifySignature(one->public_key, "text", signature).value(), name);
  EXPECT_FALSE(VerifySignature(one->public_key, "other", signature).ok());
  EXPECT_EQ(VerifySignature(two->public_key, "text", signature).status().message(),
            "the signature of the manifest is not by the required key");
}

// One of several keys is enough, as while keys change.
TEST(SignatureTest, SeveralKeys) {
  const auto one = MakeKeyPair();
  const auto two = MakeKeyPair();
  ASSERT_TRUE(one.ok() && two.ok());
  const std::string both = "# the old one\n" + one->public_key + "\n# the new one\n" + two->public_key;
  const std::vector<std::string> names = PublicKeyNames(both).value();
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(VerifySignature(both, "text", Sign(one->private_key, "text").value()).value(), names[0]);
  EXPECT_EQ(VerifySignature(both, "text", Sign(two->private_key, "text").value()).value(), names[1]);
  EXPECT_EQ(VerifySignature(both + kKey, "text", std::string(88, 'A')).status().message(),
            "the signature of the manifest is by none of the required keys");
}

TEST(SignatureTest, KeysThatAreNone) {
  const auto pair = MakeKeyPair();
  ASSERT_TRUE(pair.ok());
  std::string many;
  for (size_t n = 0; n <= kMaxKeys; ++n) many += kKey;
  const std::string cut = std::string(kKey).substr(0, 60);
  for (const std::string& wrong : {std::string(), std::string("x"), pair->private_key, cut, kKey + cut,
                                   pair->public_key + pair->private_key, many, std::string(2 << 20, 'x')}) {
    EXPECT_EQ(PublicKeyNames(wrong).status().code(), absl::StatusCode::kInvalidArgument) << wrong.substr(0, 300);
    EXPECT_FALSE(VerifySignature(wrong, "text", kSignature).ok());
  }
  for (const std::string& wrong :
       {std::string(), std::string("x"), std::string(kKey), pair->private_key.substr(0, 70)}) {
    EXPECT_EQ(Sign(wrong, "text").status().code(), absl::StatusCode::kInvalidArgument) << wrong;
    EXPECT_EQ(PublicKeyOf(wrong).status().code(), absl::StatusCode::kInvalidArgument) << wrong;
  }
}

}  // namespace
}  // namespace hcl::serve

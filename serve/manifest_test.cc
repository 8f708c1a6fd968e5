// Manifests.

#include "hclvm/serve/manifest.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/serve/digest.h"

namespace hcl::serve {
namespace {

std::string Read(const BundleFiles& files, const ManifestOptions& options = {}) {
  const auto manifest = ReadManifest(files, options);
  return manifest.ok() ? manifest->revision : std::string(manifest.status().message());
}

std::string OfText(const std::string& text) { return Read({{"manifest.json", text}, {"a.hcl", "a = 1"}}); }

TEST(ManifestTest, Reads) {
  EXPECT_EQ(OfText(R"({"revision": "2024-06-01.2", "metadata": {"by": "ci"}, "roots": ["a"]})"), "2024-06-01.2");
  EXPECT_EQ(OfText("{}"), "manifest.json: lacks the property \"revision\"");
  EXPECT_EQ(OfText("[]"), "manifest.json: not an object");
  EXPECT_EQ(OfText(R"({"revision": "a b"})"), "manifest.json: revision is a text of 1 to 128 visible ASCII characters");
  EXPECT_EQ(OfText(R"({"revision": 1})"), "manifest.json: revision is a text of 1 to 128 visible ASCII characters");
  EXPECT_EQ(OfText(R"({"revision": "1", "root": []})"),
            "manifest.json: no property \"root\"; there are revision, files, roots and metadata");
  EXPECT_EQ(OfText(R"({"revision": "1", "roots": "a"})"), "manifest.json: roots is a list of folders");
  EXPECT_EQ(OfText(R"({"revision": "1", "files": {"a.hcl": 1}})"),
            "manifest.json: files is an object: path to SHA-256, a text");
  EXPECT_EQ(OfText("{").substr(0, 15), "manifest.json: ");
}

TEST(ManifestTest, ComparesChecksums) {
  const std::string good = Sha256Hex("a = 1");
  EXPECT_EQ(OfText(R"({"revision": "1", "files": {"a.hcl": ")" + good + R"("}})"), "1");
  EXPECT_EQ(OfText(R"({"revision": "1", "files": {"a.hcl": "00"}})"),
            "manifest.json: the checksum of a.hcl is another one");
  EXPECT_EQ(OfText(R"({"revision": "1", "files": {}})"), "manifest.json: no checksum of a.hcl");
  EXPECT_EQ(OfText(R"({"revision": "1", "files": {"b": "", "a.hcl": ")" + good + R"("}})"),
            "manifest.json: there is no file b");
}

TEST(ManifestTest, IsMadeOfContents) {
  const std::string revision = Read({{"a.hcl", "a = 1"}});
  EXPECT_EQ(revision.substr(0, 8), "content:");
  EXPECT_NE(Read({{"a.hcl", "a = 2"}}), revision);
  EXPECT_NE(Read({{"b.hcl", "a = 1"}}), revision);
  ManifestOptions options;
  options.required = true;
  EXPECT_EQ(Read({{"a.hcl", "a = 1"}}, options), "there is no manifest.json in it");
}

TEST(ManifestTest, NeedsSignatures) {
  ManifestOptions options;
  options.required_key = "a key";
  EXPECT_EQ(Read({{"a.hcl", "a = 1"}}, options), "a signature is required, and there is no manifest");
  EXPECT_EQ(Read({{"manifest.json", R"({"revision": "1"})"}}, options),
            "a signature is required, and there is no manifest.json.sig");
  EXPECT_EQ(Read({{"manifest.json", R"({"revision": "1"})"}, {"manifest.json.sig", "x"}}, options),
            "the key is no ed25519 public key in PEM");
}

TEST(ManifestTest, OrdersRevisions) {
  const char* const kOrdered[] = {"1",     "2",          "9",          "10", "10.1", "10.2",
                                  "10.10", "2024-06-01", "2024-10-01", "v1", "v9",   "v10"};
  for (const char* const& a : kOrdered) {
    for (const char* const& b : kOrdered) {
      const int order = CompareRevisions(a, b);
      EXPECT_EQ(order < 0, &a < &b) << a << " " << b;
      EXPECT_EQ(order == 0, &a == &b) << a << " " << b;
    }
  }
  EXPECT_EQ(CompareRevisions("v01", "v1"), 0);
}

}  // namespace
}  // namespace hcl::serve

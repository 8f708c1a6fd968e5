// Manifests.

#include "hclvm/serve/manifest.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/digest.h"
#include "hclvm/serve/signature.h"

namespace hcl::serve {
namespace {

std::string Read(const BundleFiles& files, const ManifestOptions& options = {}) {
  const auto manifest = ReadManifest(files, options);
  return manifest.ok() ? manifest->revision : std::string(manifest.status().message());
}

Manifest OfRevision(const std::string& revision) {
  Manifest manifest;
  manifest.revision = revision;
  return manifest;
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
  options.required_keys = "a key";
  EXPECT_EQ(Read({{"a.hcl", "a = 1"}}, options), "a signature is required, and there is no manifest");
  EXPECT_EQ(Read({{"manifest.json", R"({"revision": "1"})"}}, options),
            "a signature is required, and there is no manifest.json.sig");
  EXPECT_EQ(Read({{"manifest.json", R"({"revision": "1"})"}, {"manifest.json.sig", "x"}}, options),
            "the key is no ed25519 public key in PEM");
}

// What is written is read, and nothing of it is lost.
TEST(ManifestTest, WritesWhatItReads) {
  Manifest manifest;
  manifest.revision = "7";
  manifest.roots = {"a", "b"};
  manifest.metadata = R"({"by":["x",1]})";
  BundleFiles files = {
      {"a/x.hcl", "x = 1"}, {"z \"q\".hcl", ""}, {"manifest.json", "old"}, {"manifest.json.sig", "old"}};
  const std::string text = ManifestText(manifest, files);
  EXPECT_EQ(text, ManifestText(manifest, files));
  files[kManifestName] = text;
  const auto read = ReadManifest(files, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->revision, "7");
  EXPECT_EQ(read->roots, manifest.roots);
  EXPECT_EQ(read->metadata, manifest.metadata);
  EXPECT_EQ(read->files->size(), 2u);
  EXPECT_EQ(ManifestText(*read, files), text);
  EXPECT_EQ(ManifestText(OfRevision("1"), {}), "{\n  \"revision\": \"1\",\n  \"files\": {}\n}\n");
}

TEST(ManifestTest, NamesWhoHasSigned) {
  const auto old_pair = MakeKeyPair();
  const auto new_pair = MakeKeyPair();
  ASSERT_TRUE(old_pair.ok() && new_pair.ok());
  BundleFiles files = {{"a.hcl", "a = 1"}};
  files[kManifestName] = ManifestText(OfRevision("1"), files);
  files[kSignatureName] = Sign(new_pair->private_key, files[kManifestName]).value();
  ManifestOptions options;
  options.required_keys = old_pair->public_key + new_pair->public_key;
  EXPECT_EQ(ReadManifest(files, options)->signer, PublicKeyNames(new_pair->public_key).value()[0]);
  options.required_keys = old_pair->public_key;
  EXPECT_EQ(Read(files, options), "the signature of the manifest is not by the required key");
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

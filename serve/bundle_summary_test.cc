// What is told of bundles, and of the difference of two.

#include "hclvm/serve/bundle_summary.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/serve/bundle.h"
#include "hclvm/serve/bundle_files.h"
#include "hclvm/serve/manifest.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::serve {
namespace {

BundleSummary Summary(const BundleFiles& files) {
  BundleOptions options;
  options.compile.functions = StandardFunctions();
  BundleFailure failure;
  const std::shared_ptr<const Bundle> bundle = CompileBundle(files, options, nullptr, &failure);
  EXPECT_NE(bundle, nullptr) << failure.message << failure.text;
  return bundle == nullptr ? BundleSummary() : SummarizeBundle(files, *bundle, options.compile);
}

BundleFiles Sample() {
  return {{"manifest.json", R"({"revision": "7", "roots": ["m"], "metadata": {"by": "ci"}})"},
          {"m/variables.hcl",
           "variable \"n\" {\n  type = number\n}\nvariable \"key\" {\n  type = string\n  sensitive = true\n"
           "  default = \"secret\"\n}\nvariable \"more\" {\n  type = list(string)\n  default = [\"a\"]\n"
           "  nullable = true\n}\n"},
          {"m/policy.hcl", "policy \"a\" {\n  allow = n > 1\n}\ntext = \"${n}\"\n"},
          {"m/policy.test.hcl", ""},
          {"m/requests.json", "{}"}};
}

TEST(BundleSummaryTest, AsText) {
  const std::string text = SummaryText(Summary(Sample()));
  EXPECT_EQ(text.substr(0, text.find("\nfiles\n")),
            "revision   7\n"
            "checksums  no\n"
            "signature  no\n"
            "roots      [\"m\"]\n"
            "metadata   {\"by\":\"ci\"}\n"
            "size       5 files, 292 bytes\n"
            "\n"
            "module m\n"
            "  variable key: string, default (sensitive), sensitive\n"
            "  variable more: list(string), default [\"a\"], may be null\n"
            "  variable n: number, required\n"
            "  entry m/policy.a.allow: bool\n"
            "  entry m/text: number\n");
  EXPECT_NE(text.find("\n  m/policy.test.hcl: test, 0 bytes, sha256 e3b0c44298fc\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  m/requests.json: data, 2 bytes, sha256 44136fa355b3\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("secret"), std::string::npos);
}

TEST(BundleSummaryTest, NamesWhatIsEphemeralAndDeprecated) {
  const BundleSummary summary =
      Summary({{"m/a.hcl",
                "variable \"key\" {\n  type = string\n  ephemeral = true\n  default = \"secret\"\n"
                "  deprecated = \"Use token.\"\n}\nx = key\n"}});
  const std::string text = SummaryText(summary);
  EXPECT_NE(text.find("  variable key: string, default (sensitive), ephemeral, deprecated\n"), std::string::npos)
      << text;
  const std::string json = SummaryJson(summary);
  EXPECT_NE(json.find(R"("sensitive":true,"ephemeral":true,"deprecated":true)"), std::string::npos) << json;
  EXPECT_EQ(json.find("secret"), std::string::npos);
}

TEST(BundleSummaryTest, AsJson) {
  EXPECT_EQ(SummaryJson(Summary({{"a.hcl", "a = 1\n"}})),
            "{\"revision\":\"content:83960ee6a0987ffc\",\"manifest\":false,\"checksums\":false,\"signature\":false,"
            "\"roots\":[],\"metadata\":null,\"bytes\":6,\"modules\":[{\"name\":\"\",\"variables\":[],\"entries\":"
            "[{\"name\":\"a\",\"type\":\"number\"}]}],\"files\":[{\"path\":\"a.hcl\",\"kind\":\"policy\",\"bytes\":6,"
            "\"sha256\":\"cb78bd8a17f7b751fe0d4663366dcbc257204033ef7ddd64b1f2969573b5b2e2\"}]}\n");
}

TEST(BundleSummaryTest, NamesEachChange) {
  const BundleSummary before = Summary(Sample());
  EXPECT_EQ(ChangesText(before, before, CompareBundles(before, before)), "7 -> 7: the same\n");
  BundleFiles files = Sample();
  files["manifest.json"] = R"({"revision": "8"})";
  files["m/variables.hcl"].replace(files["m/variables.hcl"].find("number"), 6, "string");
  files["m/policy.hcl"] = "policy \"a\" {\n  allow = n\n}\nnew = [1]\n";
  files["m/requests.json"] = "[]";
  files["k/a.hcl"] = "a = 1\n";
  files.erase("m/policy.test.hcl");
  const BundleSummary after = Summary(files);
  const std::string text = ChangesText(before, after, CompareBundles(before, after));
  for (const char* const line :
       {"7 -> 8: 14 changes\n", "\n~ manifest revision: 7 -> 8\n", "\n- manifest roots: [\"m\"]\n", "\n+ module k\n",
        "\n+ entry k/a: number\n", "\n~ entry m/policy.a.allow: bool -> string\n", "\n- entry m/text: number\n",
        "\n+ entry m/new: ", "\n~ variable m/n: number, required -> string, required\n",
        "\n+ policy file k/a.hcl: 6 bytes", "\n- test file m/policy.test.hcl: 0 bytes",
        "\n~ data file m/requests.json: 2 bytes"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
  EXPECT_NE(ChangesJson(before, after, CompareBundles(before, after))
                .find(R"({"kind":"entry","name":"k/a","after":"number"})"),
            std::string::npos);
}

}  // namespace
}  // namespace hcl::serve

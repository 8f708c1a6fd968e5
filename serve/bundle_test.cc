// Bundles, with their authz blocks.

#include "hclvm/serve/bundle.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::serve {
namespace {

std::shared_ptr<const Bundle> Compile(const BundleFiles& files, BundleFailure* failure,
                                      const Bundle* previous = nullptr) {
  BundleOptions options;
  options.compile.functions = StandardFunctions();
  return CompileBundle(files, options, previous, failure);
}

// The names of all entries, or what is wrong.
std::string Entries(const BundleFiles& files) {
  BundleFailure failure;
  const auto bundle = Compile(files, &failure);
  if (bundle == nullptr) return failure.message + (failure.text.empty() ? "" : "\n" + failure.text);
  std::string text;
  for (const BundleEntry& entry : bundle->entries()) {
    text += entry.name + " ";
    EXPECT_EQ(bundle->Find(entry.name), &entry);
  }
  return text;
}

TEST(BundleTest, NamesEntries) {
  EXPECT_EQ(Entries({{"a.hcl", "x = 1\nb \"c\" {\n  d = 2\n}\n"}}), "x b.c.d ");
  EXPECT_EQ(Entries({{"m/a.hcl", "x = 1\n"}, {"m/n/a.hcl", "x = 1\n"}, {"m/b.hcl.json", R"({"y": 2})"}}),
            "m/x m/y m/n/x ");
  EXPECT_EQ(Entries({{"m/a.hcl", "x = 1\n"}, {"m/a.test.hcl", "???"}, {"README.md", ""}}), "m/x ");
  EXPECT_EQ(Entries({{"README.md", ""}}), "the bundle has no *.hcl and no *.hcl.json in it");
  EXPECT_EQ(Entries({}), "the bundle has no *.hcl and no *.hcl.json in it");
  EXPECT_EQ(Entries({{"m/a.hcl", "b \"n/x\" {\n  y = 1\n}\n"}, {"m/b/a.hcl", "x = 1\n"}}), "m/b.n/x.y m/b/x ");
}

TEST(BundleTest, FindsEntriesByNormalizedNames) {
  BundleFailure failure;
  const auto bundle = Compile({{"e\u0301/a.hcl", "e\u0301 = 1\n"}}, &failure);
  ASSERT_NE(bundle, nullptr) << failure.message;
  EXPECT_EQ(bundle->entries()[0].name, "\u00e9/\u00e9");
  for (const char* name : {"\u00e9/\u00e9", "e\u0301/e\u0301", "\u00e9/e\u0301"}) {
    EXPECT_EQ(bundle->Find(name), &bundle->entries()[0]) << name;
  }
  EXPECT_EQ(bundle->Find("e/e\u0301"), nullptr);
}

TEST(BundleTest, SaysWhatIsWrong) {
  EXPECT_EQ(Entries({{"m/a.hcl", "x = y\n"}, {"n/a.hcl", "x = \n"}}).substr(0, 21), "the bundle has errors");
  BundleFailure failure;
  EXPECT_EQ(Compile({{"m/a.hcl", "x = y\n"}, {"n/a.hcl", "x = \n"}}, &failure), nullptr);
  ASSERT_EQ(failure.diagnostics.size(), 2u);
  EXPECT_NE(failure.diagnostics[0].find("\"filename\":\"m/a.hcl\""), std::string::npos) << failure.diagnostics[0];
  EXPECT_NE(failure.diagnostics[1].find("\"filename\":\"n/a.hcl\""), std::string::npos) << failure.diagnostics[1];
}

TEST(BundleTest, TestsMustPassWhereTheyAreRun) {
  BundleOptions options;
  options.compile.functions = StandardFunctions();
  options.runs_tests = true;
  BundleFiles files = {{"m/a.hcl", "variable \"n\" { type = number }\nx = n\n"},
                       {"m/a.test.hcl", "test \"t\" {\n  with   = file(\"r/one.json\")\n  expect = { x = 1 }\n}\n"},
                       {"m/r/one.json", "{\"n\": 1}"}};
  BundleFailure failure;
  const auto bundle = CompileBundle(files, options, nullptr, &failure);
  EXPECT_NE(bundle, nullptr) << failure.text;
  files["m/r/one.json"] = "{\"n\": 2}";
  EXPECT_EQ(CompileBundle(files, options, bundle.get(), &failure), nullptr);
  EXPECT_EQ(failure.message, "tests of the bundle fail");
  EXPECT_NE(failure.text.find("The test \"t\" has failed: x is not what is expected"), std::string::npos)
      << failure.text;
  ASSERT_EQ(failure.diagnostics.size(), 1u);
  EXPECT_NE(failure.diagnostics[0].find("HCL5404"), std::string::npos);
  options.runs_tests = false;
  BundleFailure none;
  EXPECT_NE(CompileBundle(files, options, nullptr, &none), nullptr) << none.text;
}

TEST(BundleTest, KeepsToRoots) {
  const std::string manifest = R"({"revision": "1", "roots": ["a", "b/c"]})";
  EXPECT_EQ(Entries({{"manifest.json", manifest}, {"a/x.hcl", "x = 1\n"}, {"b/c/d/x.hcl", "x = 1\n"}}), "a/x b/c/d/x ");
  EXPECT_EQ(Entries({{"manifest.json", manifest}, {"ab/x.hcl", "x = 1\n"}}),
            "the module \"ab\" is not below the roots of the manifest");
}

TEST(BundleTest, TakesOverModules) {
  BundleFailure failure;
  const auto first = Compile({{"a/x.hcl", "x = 1\n"}, {"b/x.hcl", "x = 1\n"}}, &failure);
  const auto second = Compile({{"a/x.hcl", "x = 1\n"}, {"b/x.hcl", "x = 2\n"}}, &failure, first.get());
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->modules()[0].program, first->modules()[0].program);
  EXPECT_NE(second->modules()[1].program, first->modules()[1].program);
  EXPECT_NE(second->revision(), first->revision());
}

TEST(BundleTest, FindsSensitiveVariables) {
  BundleFailure failure;
  const auto bundle =
      Compile({{"x.hcl", "variable \"a\" {\n  sensitive = true\n}\nvariable \"b\" {\n}\nx = a\n"}}, &failure);
  ASSERT_NE(bundle, nullptr) << failure.text;
  EXPECT_EQ(bundle->modules()[0].sensitive, std::vector<std::string>{"a"});
}

std::string AuthzEntry(const std::string& service) {
  BundleFailure failure;
  const auto bundle = Compile({{"a/x.hcl", "allow = true\n"}, {"service.hcl", service}}, &failure);
  if (bundle == nullptr) return failure.message + "\n" + failure.text;
  if (bundle->authz_entry() == nullptr) return bundle->authz() == nullptr ? "none" : "dynamic";
  return bundle->authz_entry()->name;
}

TEST(BundleTest, ReadsAuthz) {
  EXPECT_EQ(AuthzEntry("authz {\n  entry = \"a/allow\"\n}\n"), "a/allow");
  EXPECT_EQ(AuthzEntry("locals {\n  m = \"a\"\n}\nauthz {\n  entry = \"${local.m}/allow\"\n}\n"), "a/allow");
  EXPECT_EQ(AuthzEntry("authz {\n  entry = \"a/${http.host}\"\n}\n"), "dynamic");
  EXPECT_EQ(AuthzEntry("\n"), "none");
  EXPECT_EQ(AuthzEntry("authz {\n  allow = true\n}\n"),
            "service.hcl: the block \"authz\" lacks the attribute \"entry\"\n");
}

TEST(BundleTest, ExplainsAuthz) {
  const auto has = [](const std::string& service, const std::string& part) {
    const std::string text = AuthzEntry(service);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has("authz {\n  entry = \"a/alow\"\n}\n", "on service.hcl line 2");
  has("authz {\n  entry = \"a/alow\"\n}\n", "Did you mean \"a/allow\"?");
  has("authz {\n  entry = \"a/allow\"\n  alow = true\n}\n", "Unsupported argument");
  has("authz {\n  entry = \"a/allow\"\n}\nother = 1\n", "on service.hcl line 4");
  has("authz {\n  entry = \"a/allow\"\n}\nauthz {\n}\n", "Unsupported argument");
  has("authz {\n  entry = \"a/allow\"\n  allow = http.heders == 1\n}\n", "no attribute \"heders\"");
  has("authz {\n  entry = \"a/allow\"\n  allow = reslt\n}\n", "reslt");
}

// The entry of the authzen block, or what is wrong.
std::string AuthzenEntry(const std::string& service, const BundleFiles& others = {}) {
  BundleFailure failure;
  BundleFiles files = {{"a/x.hcl", "allow = true\n"}, {"service.hcl", service}};
  files.insert(others.begin(), others.end());
  const auto bundle = Compile(files, &failure);
  if (bundle == nullptr) return failure.message + "\n" + failure.text;
  if (bundle->authzen_entry() == nullptr) return bundle->authzen() == nullptr ? "none" : "dynamic";
  return bundle->authzen_entry()->name;
}

TEST(BundleTest, ReadsAuthzen) {
  EXPECT_EQ(AuthzenEntry("authzen {\n  entry = \"a/allow\"\n}\n"), "a/allow");
  EXPECT_EQ(AuthzenEntry("authz {\n  entry = \"a/allow\"\n}\n"), "none");
  EXPECT_EQ(AuthzEntry("authzen {\n  entry = \"a/allow\"\n}\n"), "none");
  EXPECT_EQ(AuthzenEntry("", {{"authzen/x.hcl", "decision = true\n"}}), "authzen/decision");
  EXPECT_EQ(AuthzenEntry("authzen {\n  entry = \"a/allow\"\n}\n", {{"authzen/x.hcl", "decision = true\n"}}), "a/allow");
  EXPECT_EQ(AuthzenEntry("authzen {\n  entry = action.name == \"x\" ? \"a/allow\" : \"a/b\"\n}\n"), "dynamic");
  EXPECT_EQ(AuthzenEntry("authzen {\n  entry = \"a/allow\"\n  variables {\n    a = subject.id\n  }\n}\n"), "a/allow");
  EXPECT_EQ(AuthzenEntry("authzen {\n  decision = true\n}\n"),
            "service.hcl: the block \"authzen\" lacks the attribute \"entry\"\n");
}

TEST(BundleTest, ExplainsAuthzen) {
  const auto has = [](const std::string& attributes, const std::string& part) {
    const std::string text = AuthzenEntry("authzen {\n" + attributes + "\n}\n");
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has("entry = \"a/alow\"", "Did you mean \"a/allow\"?");
  has("entry = \"a/allow\"\nallow = true", "Unsupported argument");
  has("entry = \"a/allow\"\ndecision = subject.idd == \"\"", "no attribute \"idd\"");
  has("entry = \"a/allow\"\ndecision = http.host == \"\"",
      "The block \"authzen\" has no variable \"http\"; it has subject, action, resource, context and result.");
  has("entry = \"a/allow\"\nvariables {\na = result\n}",
      "The block \"authzen\" has no variable \"result\"; it has action, context, resource and subject.");
  has("entry = \"a/allow\"\nvariables {\na {\nb = 1\n}\n}", "Unsupported argument");
  has("entry = \"a/allow\"\nvariables \"a\" {\nb = 1\n}", "Unsupported argument");
  has("entry = \"a/allow\"\nvariables {\na = 1\n}\nvariables {\nb = 1\n}", "Unsupported argument");
  has("entry = \"a/allow\"\nvariables = {}\nvariables {\na = 1\n}", "variables");
  has("entry = \"a/allow\"\n}\nauthz {\nentry = \"a/allow\"\nallow = subject.id == \"\"",
      "The block \"authz\" has no variable \"subject\"; it has http, envoy, input and result.");
}

}  // namespace
}  // namespace hcl::serve

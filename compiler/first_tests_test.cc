// What policies test first, found in Core, and packed.

#include "hclvm/compiler/first_tests.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/compiler/fast_code_test_util.h"
#include "hclvm/vm/value/heap.h"
#include "hclvm/vm/value/value.h"

namespace hcl::internal {
namespace {

// The constant with that hash.
std::string ConstantOf(uint32_t hash) {
  Heap heap;
  for (const char* text : {"/a", "/b", "core", "GET"}) {
    if (ShortHash(Value::String(text, heap.arena())) == hash) return text;
  }
  for (const int number : {1, 3, 42}) {
    if (ShortHash(Value::Int(number)) == hash) return absl::StrCat(number);
  }
  return "?";
}

std::string Print(const FirstTests::Path& path) {
  std::string text;
  for (const std::string_view name : path) text.append(text.empty() ? "" : ".").append(name);
  return text;
}

// Demands in their order: tags in hexadecimal, "?" where it need not be there. Behind those that a test needs, the
// test.
std::string FirstOf(const std::string& text) {
  const std::string packed = testing_support::PackedFirstTests(text);
  const FirstTests first = UnpackFirstTests(packed);
  std::string printed;
  size_t demands = 0;
  for (const FirstTests::Test& test : first.tests) {
    for (; demands < test.demands; ++demands) {
      const FirstTests::Demand& demand = first.demands[demands];
      absl::StrAppend(&printed, Print(demand.path), ":", absl::Hex(demand.tags), demand.or_absent ? "? " : " ");
    }
    absl::StrAppend(&printed, Print(test.subject), "=[");
    for (const uint32_t hash : test.hashes) absl::StrAppend(&printed, ConstantOf(hash), ",");
    for (const std::string_view prefix : test.prefixes) printed.append(prefix).append("*,");
    printed += "] ";
  }
  if (!printed.empty()) printed.pop_back();
  return printed;
}

// A set of programs keeps them beside each text.
TEST(FirstTestsTest, TakeFewBytes) {
  EXPECT_LE(
      testing_support::PackedFirstTests("user.role == \"editor\" && startswith(request.path, \"/tenants/77/\") && "
                                        "contains([\"GET\", \"POST\"], request.method) && request.size < 1077")
          .size(),
      90u);
}

// What is demanded before a test is bounded, so that no index is large.
TEST(FirstTestsTest, AreBounded) {
  std::string text = "path == \"/a\"";
  for (int n = 0; n < 3000; ++n) absl::StrAppend(&text, " && user.has", n);
  const std::string packed = testing_support::PackedFirstTests(text);
  EXPECT_TRUE(UnpackFirstTests(packed).tests.empty());
  EXPECT_LE(packed.size(), 4096u);
}

TEST(FirstTestsTest, AreWhatEndsAPolicyAtOnce) {
  const struct {
    const char* text;
    const char* want;
  } kCases[] = {
      {"path == \"/a\"", "path=[/a,]"},
      {"path == \"/a\" && level > 3", "path=[/a,]"},
      {"path == \"/a\" && user.admin", "user.admin:c? path=[/a,]"},
      {"request.path == \"/a\" && request.method == \"GET\"",
       "request.path=[/a,] request.path:fc request.method=[GET,]"},
      {"contains([\"/a\", \"/b\"], path) && level > 3", "path=[/a,/b,]"},
      {"startswith(path, \"/a\") && level > 3", "path=[/a*,]"},
      {"(path == \"/a\" || startswith(path, \"/b/\")) && level > 3", "path=[/a,/b/*,]"},
      {"user.team.name == \"core\" && user.team.lead != user.name", "user.team.name=[core,]"},
      {"level > 3 && path == \"/a\"", "level:30 path=[/a,]"},
      {"!user.blocked && path == \"/a\"", "user.blocked:c path=[/a,]"},
      {"level == 3 && path == \"/a\"", "level=[3,] level:fc path=[/a,]"},
      {"path == \"/a\" ? level : null", ""},
      {"path == \"/a\" ? level > 2 : false", "path=[/a,]"},
      {"path == \"/a\" ? \"yes\" : \"none\"", "path=[/a,]"},
      {"(path == \"/a\" ? admin : false) && level > 3", "admin:c? path=[/a,]"},
      // What is no bool is no condition: without that test, the policy fails.
      {"(path == \"/a\" ? admin : 3) && level > 3", ""},
      {"(path == \"/a\" ? admin : null) && level > 3", ""},
      {"!(path == \"/a\" ? admin : null) && level > 3", ""},
      {"contains([\"/a\", \"/b\"], r.path)", "r.path=[/a,/b,]"},
      // Nothing ends these.
      {"contains([\"/a\", 1], path)", "path=[/a,1,]"},
      {"contains([\"/a\", 1], path) && level > 3", "path=[/a,1,]"},
      {"tenant == 42 && path == \"/a\"", "tenant=[42,] tenant:fc path=[/a,]"},
      {"o.tenant == 42 && o.path == \"/a\"", "o.tenant=[42,] o.tenant:fc o.path=[/a,]"},
      {"!contains([\"/a\"], path)", ""},
      {"path == \"/a\" || level > 3", ""},
      {"path != \"/a\" && level > 3", ""},
      {"path == \"/a\" ? false : true", ""},
      {"upper(path) == \"/A\" && level > 3", ""},
      {"path == other && level > 3", ""},
      {"level > 3", ""},
      {"x", ""},
      {"true", ""},
      {"l[0] == \"a\" && l[1] == \"b\"", ""},
  };
  for (const auto& [text, want] : kCases) EXPECT_EQ(FirstOf(text), want) << text;
}

}  // namespace
}  // namespace hcl::internal

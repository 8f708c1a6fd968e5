// Reads test files: what they may say, and what is said of mistakes.

#include "hclvm/workbench/test_suite.h"

#include <string>

#include "gtest/gtest.h"
#include "hclvm/workbench/suite_test_util.h"

namespace hcl::internal {
namespace {

constexpr char kModule[] = R"(
variable "user" { type = object({ name = string }) }
variable "hour" { type = number }
allow = user.name == "ann"
policy "access" {
  deny = hour > 20
}
)";

std::string ErrorsOf(const std::string& tests) {
  std::string errors;
  ReadSuite({kModule, tests, {{"bad.json", "{"}}, ""}, &errors);
  return errors;
}

TEST(TestSuiteTest, MistakesHaveTheirPlace) {
  struct Row {
    const char* tests;
    const char* error;  // begins with
  };
  const Row rows[] = {
      {"tests \"a\" {}", "1:1 HCL5002 Blocks of type \"tests\" are not expected here. Did you mean \"test\"?"},
      {"variables {}\nvariables {}", "2:1 HCL5401 A test file has one usual request"},
      {"test {}", "1:6 HCL"},
      {"test \"a\" {\n  expct = {}\n}", "2:3 HCL5001"},
      {"test \"a\" {\n  expect = { allow = true }\n}\ntest \"a\" {\n  expect = { allow = true }\n}",
       "4:6 HCL5402 The test \"a\" is at line 1 already."},
      {"test \"a\" {\n}", "1:1 HCL5401 It checks nothing"},
      {"test \"a\" {\n  cases = {}\n}", "1:1 HCL5401 The test has no cases"},
      {"test \"a\" {\n  cases = { one = {} }\n}", "2:13 HCL5401 It checks nothing"},
      {"test \"a\" {\n  cases = { one = { expct = {} } }\n}",
       "2:21 HCL5401 A case has no property \"expct\". Did you mean \"expect\"?"},
      {"test \"a\" {\n  cases = { one = 1 }\n}", "2:13 HCL5401 The case \"one\" is an object, and not number."},
      {"test \"a\" {\n  cases = {\n    x = { expect = { allow = true } }\n    x = { expect = { allow = true } }\n  "
       "}\n}",
       "4:5 HCL5402 cases has \"x\" already."},
      {"test \"a\" {\n  expect = {\n    allow = true\n    allow = false\n  }\n}",
       "4:5 HCL5401 expect has \"allow\" already."},
      {"test \"a\" {\n  with = { hour = 1, \"hour\" = 2 }\n  expect = { allow = true }\n}", "2:22 HCL5401 with has"},
      {"test \"a\" {\n  expect = { alow = true }\n}",
       "2:14 HCL5403 The module has no entry \"alow\". Did you mean \"allow\"?"},
      {"test \"a\" {\n  with = { usr = {} }\n  expect = { allow = true }\n}",
       "2:12 HCL5403 The module declares no variable \"usr\". Did you mean \"user\"?"},
      {"variables {\n  usr = {}\n}", "2:3 HCL5403"},
      {"test \"a\" {\n  without = \"user\"\n  expect = { allow = true }\n}", "2:13 HCL5401 without is a list"},
      {"test \"a\" {\n  without = [\"usr.name\"]\n  expect = { allow = true }\n}", "2:13 HCL5403"},
      {"test \"a\" {\n  with = 1\n  expect = { allow = true }\n}", "2:10 HCL5401 with is an object"},
      {"test \"a\" {\n  expect = { allow = true }\n  fails = { allow = \"HCL4301\" }\n}",
       "3:13 HCL5401 Only one of expect, expect_part and fails"},
      {"test \"a\" {\n  fails = { allow = \"HCL0001\" }\n}", "2:13 HCL5401 There is no code \"HCL0001\""},
      {"test \"a\" {\n  fails = { allow = { message = \"a\" } }\n}", "2:13 HCL5401 fails names the code"},
      {"test \"a\" {\n  expect = { allow = upper(1, 2) }\n}", "2:31 HCL3005"},
      {"test \"a\" {\n  expect = { allow = tru }\n}", "2:22 HCL3101 Only assertions read variables"},
      {"test \"a\" {\n  expect = file(\"bad.json\")\n}", "2:"},
      {"test \"a\" {\n  expect = file(\"none.json\")\n}", "2:"},
      {"test \"a\" {\n  assert {\n    error_message = \"m\"\n  }\n}", "2:"},
      {"test \"a\" {\n  assert {\n    condition = alow\n  }\n}", "3:17 HCL3101"},
      {"test \"a\" {\n  assert {\n    condition = allow + [1]\n  }\n}", "3:"},
      {"test \"a\" {\n  requests = \"q\"\n}", "1:1 HCL5401 A test with recorded requests names two files"},
      {"test \"a\" {\n  requests = \"q\"\n  answers = \"a\"\n  expect = {}\n}", "4:3 HCL5401 A test with recorded"},
      {"test \"a\" {\n  requests = \"q\"\n  answers = \"a\"\n  entries = [\"alow\"]\n}", "4:13 HCL5403"},
      {"test \"a\" {\n  requests = 1\n  answers = \"a\"\n}", "2:14 HCL5401 requests is the path of a file"},
      {"function \"upper\" {\n  params = [x]\n  result = x\n}\ntest \"a\" {\n  expect = { allow = true }\n}",
       "1:10 HCL3"},
  };
  for (const Row& row : rows) {
    const std::string errors = ErrorsOf(row.tests);
    EXPECT_EQ(0u, errors.rfind(row.error, 0)) << row.tests << "\n" << errors;
  }
}

// Whatever is left out, doubled or moved, there is a suite or an error, and never both.
TEST(TestSuiteTest, EachEditIsASuiteOrAnError) {
  const std::string tests = R"(variables {
  user = { name = "ann" }
}
test "a" {
  with  = { hour = 1 }
  cases = {
    x = { without = ["user"], fails = { allow = { code = "HCL3121", message = "m" } } }
    y = { expect = { allow = true }, expect_part = { "policy.access.deny" = true } }
  }
  assert {
    condition     = allow && local.no == policy.access.deny && user.name != ""
    error_message = "${allow}"
  }
}
function "host" {
  params = [x]
  result = x
}
test "r" {
  requests = "q"
  answers  = "a"
  entries  = ["allow"]
}
)";
  const std::string module = std::string(kModule) + "locals {\n  no = false\n}\n";
  std::string errors;
  ASSERT_NE(nullptr, ReadSuite({module, tests, {}, ""}, &errors)) << errors;
  for (size_t begin = 0; begin < tests.size(); ++begin) {
    for (const size_t length : {1, 2, 9}) {
      std::string less = tests;
      less.erase(begin, length);
      ReadSuite({module, less, {}, ""}, &errors);
      std::string more = tests;
      more.insert(begin, tests.substr(begin, length));
      ReadSuite({module, more, {}, ""}, &errors);
    }
  }
}

TEST(TestSuiteTest, MistakesOfTheModuleAreItsOwn) {
  std::string errors;
  ReadSuite({"allow = nosuch()", "test \"a\" {\n  expect = { allow = true }\n}", {}, ""}, &errors);
  EXPECT_EQ(0u, errors.rfind("m.hcl:1:9 HCL3002", 0)) << errors;
}

TEST(TestSuiteTest, HasTestsAndCasesInTheirOrder) {
  std::string errors;
  const auto suite = ReadSuite({kModule,
                                R"(
locals {
  yes = true
}
test "b" {
  cases = {
    z = { expect = { allow = local.yes } }
    a = { expect = { allow = local.yes } }
  }
}
test "a" {
  expect = { "policy.access.deny" = false }
}
)",
                                {},
                                ""},
                               &errors);
  ASSERT_NE(nullptr, suite) << errors;
  ASSERT_EQ(2u, suite->tests().size());
  EXPECT_EQ("b/z", suite->CaseName(0, 0));
  EXPECT_EQ("b/a", suite->CaseName(0, 1));
  EXPECT_EQ("a", suite->CaseName(1, 0));
  EXPECT_EQ(2u, suite->entries().size());
}

}  // namespace
}  // namespace hcl::internal

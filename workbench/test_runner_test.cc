// Runs tests of small modules: what passes, and what is said of the rest.

#include "hclvm/workbench/test_runner.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/base/diagnostic.h"
#include "hclvm/base/diagnostic_code.h"
#include "hclvm/workbench/suite_test_util.h"
#include "hclvm/workbench/test_suite.h"
#include "hclvm/workbench/value_diff.h"

namespace hcl::internal {
namespace {

constexpr char kModule[] = R"hcl(
variable "user" {
  type = object({ name = string, groups = list(string), mfa = optional(bool, false) })
}
variable "file" {
  type = object({ group = string, locked = bool })
}
variable "action" {
  type    = string
  default = "read"
}
variable "hour" {
  type    = number
  default = 12
  validation {
    condition     = hour < 24
    error_message = "The hour is ${hour}."
  }
}
locals {
  is_member = contains(user.groups, file.group)
}
allow   = local.is_member && hour > 6 && (action == "read" || !file.locked)
because = toset([for why in [local.is_member ? null : "group", file.locked ? "locked" : null] : why if why != null])
report  = { who = user.name, mfa = user.mfa, at = { hour = hour } }
policy "access" {
  ratio = [10, 20, 30][hour - 10]
}
)hcl";

constexpr char kUsual[] = R"hcl(
variables {
  user = { name = "ann", groups = ["sales"] }
  file = { group = "sales", locked = false }
}
)hcl";

std::string TextOf(const TestFailure& failure) {
  std::string text = absl::StrCat(failure.message);
  for (const ValueDifference& one : failure.differences.kept) {
    absl::StrAppend(&text, " [", one.path, ": ", one.wanted, " -> ", one.got, "]");
  }
  for (const Diagnostic& one : failure.diagnostics) absl::StrAppend(&text, " {", CodeText(one.code), "}");
  return text;
}

// "NAME ok" or "NAME: FAILURE; FAILURE", a line for each case.
std::string RunAll(const SuiteTexts& texts, const TestRunOptions& options = {}) {
  std::string out;
  const std::shared_ptr<const TestSuite> suite = ReadSuite(texts, &out);
  if (suite == nullptr) return out;
  TestRunner runner(suite, options);
  for (size_t t = 0; t < suite->tests().size(); ++t) {
    for (size_t c = 0; c < suite->tests()[t].case_count(); ++c) {
      const CaseResult result = runner.Run(t, c);
      absl::StrAppend(&out, suite->CaseName(t, c), result.passed() ? " ok" : ":", result.limit ? " (limit)" : "");
      for (const TestFailure& failure : result.failures) absl::StrAppend(&out, " ", TextOf(failure), ";");
      out += "\n";
    }
  }
  return out;
}

std::string RunTests(const std::string& tests) { return RunAll({kModule, kUsual + tests, {}, ""}); }

TEST(TestRunnerTest, LaysRequestsOverTheUsualOne) {
  EXPECT_EQ("usual ok\n", RunTests(R"(test "usual" { expect = { allow = true, because = [] } })"));
  EXPECT_EQ("deep ok\n", RunTests(R"(test "deep" {
    with   = { file = { locked = true }, action = "write" }
    expect = { allow = false, because = ["locked"] }
  })"));
  EXPECT_EQ("lists ok\n", RunTests(R"(test "lists" {
    with   = { user = { groups = [] } }
    expect = { because = ["group"] }
  })"));
  EXPECT_EQ("without ok\n", RunTests(R"(test "without" {
    without = ["file.group"]
    fails   = { allow = "HCL3122", message = "file.group is missing" }
  })"));
}

TEST(TestRunnerTest, RunsTablesOfCases) {
  EXPECT_EQ("groups/sales ok\ngroups/none ok\n", RunTests(R"(test "groups" {
    expect = { allow = true, "policy.access.ratio" = 30 }
    cases = {
      sales = {}
      none  = { with = { user = { groups = [] } }, expect = { allow = false } }
    }
  })"));
  EXPECT_EQ("hours/h0: allow is not what is expected [: true -> false];\nhours/h12 ok\n", RunTests(R"(test "hours" {
    cases = { for h in [0, 12] : "h${h}" => { with = { hour = h }, expect = { allow = true } } }
  })"));
}

TEST(TestRunnerTest, SaysWhatDiffers) {
  EXPECT_EQ("d: report is not what is expected [.at.hour: 13 -> 12] [.mfa:  -> false];\n",
            RunTests(R"(test "d" { expect = { report = { who = "ann", at = { hour = 13 } } } })"));
  EXPECT_EQ("part ok\n", RunTests(R"(test "part" { expect_part = { report = { at = { hour = 12 } } } })"));
  EXPECT_EQ("f: policy.access.ratio fails, and is expected to be 1 {HCL4305};\n", RunTests(R"(test "f" {
    with   = { hour = 5 }
    expect = { "policy.access.ratio" = 1 }
  })"));
}

TEST(TestRunnerTest, ChecksErrors) {
  EXPECT_EQ("bad ok\n", RunTests(R"(test "bad" {
    with  = { hour = 25 }
    fails = { allow = "HCL3123", message = "hour is 25" }
  })"));
  EXPECT_EQ("other: allow fails, and is expected to fail by HCL3123 with \"hour is 26\" {HCL3123};\n",
            RunTests(R"(test "other" {
    with  = { hour = 25 }
    fails = { allow = { code = "HCL3123", message = "hour is 26" } }
  })"));
  EXPECT_EQ("none: allow is expected to fail by HCL3123, and is true;\n",
            RunTests(R"(test "none" { fails = { allow = "HCL3123" } })"));
  EXPECT_EQ("unknown: allow fails, and is expected to be true {HCL3125};\n", RunTests(R"(test "unknown" {
    with   = { user = { nme = "x" } }
    expect = { allow = true }
  })"));
}

TEST(TestRunnerTest, AssertionsReadEntriesVariablesAndLocals) {
  EXPECT_EQ("a ok\n", RunTests(R"(test "a" {
    assert {
      condition     = allow == local.is_member && report.who == user.name && policy.access.ratio > 1
      error_message = "no"
    }
    assert {
      condition = length(because) == 0 && var.action == "read"
    }
  })"));
  EXPECT_EQ("b: denied for [\"group\"];\n", RunTests(R"(test "b" {
    with = { user = { groups = [] } }
    assert {
      condition     = allow
      error_message = "denied for ${jsonencode(because)}"
    }
  })"));
  EXPECT_EQ("c: the assertion is false: allow == false;\n", RunTests(R"(test "c" {
    assert {
      condition = allow == false
    }
  })"));
  EXPECT_EQ("d: policy.access.ratio fails, and an assertion reads it {HCL4305};\n", RunTests(R"(test "d" {
    with = { hour = 5 }
    assert {
      condition = policy.access.ratio > 1
    }
  })"));
}

TEST(TestRunnerTest, WhatIsSensitiveIsHidden) {
  for (const auto& [declared, made] : std::vector<std::pair<const char*, const char*>>{
           {"sensitive", "token"}, {"ephemeral", "token"}, {"ephemeral", "nonsensitive(token)"}}) {
    const SuiteTexts texts = {absl::StrCat("variable \"token\" {\n  type = string\n  ", declared,
                                           " = true\n}\nmade = \"t-${", made, "}\"\n", R"hcl(
id   = 1
bad  = regex("[0-9]", token)
)hcl"),
                              R"hcl(
variables {
  token = "secret"
}
test "entries" {
  expect = { made = "t-other", id = 1 }
  fails  = { bad = { code = "HCL4301" } }
}
test "a message" {
  assert {
    condition     = made == ""
    error_message = "it is ${made}"
  }
  assert {
    condition = token
  }
  assert {
    condition     = id == 2
    error_message = "id is ${id}"
  }
}
test "no error" { fails = { made = "HCL4301" } }
)hcl",
                              {},
                              ""};
    const std::string text = RunAll(texts);
    EXPECT_EQ(std::string::npos, text.find("secret")) << text;
    EXPECT_NE(std::string::npos, text.find("[: \"t-other\" -> (sensitive value)]")) << text;
    EXPECT_NE(std::string::npos, text.find("id is 1")) << text;
    TestRunOptions shown;
    shown.show_sensitive = true;
    EXPECT_NE(std::string::npos, RunAll(texts, shown).find(" it is t-secret;"));
  }
}

TEST(TestRunnerTest, NamesOfAssertionsAreThoseOfTheModule) {
  // `shared` is a variable and an entry; `local` is a block, and the prefix of locals.
  const SuiteTexts texts = {R"hcl(
variable "shared" { type = number }
locals {
  own = 1
}
shared = shared + 1
local {
  x = 5
}
twice "a" {
  when = 1
}
twice "a" {
  when = 2
}
test "t" {
  y = 3
}
)hcl",
                            R"hcl(
test "t" {
  with = { shared = 1 }
  expect = { shared = 2, "twice.a.1.when" = 2, "test.t.y" = 3 }
  assert {
    condition = shared == 1 && var.shared == 1 && local.own == 1
  }
  assert {
    condition = twice.a["0"].when == 1 && [for n in [1] : n + test.t.y] == [4]
  }
}
)hcl",
                            {},
                            ""};
  EXPECT_EQ("t ok\n", RunAll(texts));
}

TEST(TestRunnerTest, FunctionsStandInForThoseOfTheHost) {
  const SuiteTexts texts = {
      "variable \"ip\" { type = string }\nallow = country(ip) == \"de\"\n",
      "function \"country\" {\n  params = [ip]\n  result = ip == \"10.0.0.1\" ? \"de\" : \"fr\"\n}\n"
      "test \"t\" {\n  cases = {\n    de = { with = { ip = \"10.0.0.1\" }, expect = { allow = true } }\n"
      "    fr = { with = { ip = \"10.0.0.2\" }, expect = { allow = false } }\n  }\n}\n",
      {},
      ""};
  EXPECT_EQ("t/de ok\nt/fr ok\n", RunAll(texts));
  SuiteTexts described = texts;
  described.functions =
      R"({"functions": {"country": {"parameters": [{"name": "ip", "type": "string"}], "result": "string"}}})";
  EXPECT_EQ("t/de ok\nt/fr ok\n", RunAll(described));
}

TEST(TestRunnerTest, FilesAreValues) {
  const SuiteTexts texts = {
      kModule,
      "variables = file(\"ann.json\")\ntest \"t\" {\n  expect = { report = file(\"want.json\") }\n}\n",
      {{"ann.json", R"({"user": {"name": "ann", "groups": []}, "file": {"group": "a", "locked": true}})"},
       {"want.json", R"({"who": "ann", "mfa": false, "at": {"hour": 12}})"}},
      ""};
  EXPECT_EQ("t ok\n", RunAll(texts));
}

TEST(TestRunnerTest, RecordedRequestsAreComparedByCodes) {
  SuiteTexts texts = {kModule,
                      "test \"r\" {\n  requests = \"q.ndjson\"\n  answers = \"a.ndjson\"\n  entries = [\"allow\", "
                      "\"because\"]\n}\n",
                      {{"q.ndjson", R"({"user":{"name":"a","groups":["s"]},"file":{"group":"s","locked":true}})"
                                    "\n{}\n"},
                       {"a.ndjson", R"({"values":{"allow":true,"because":["locked"]}})"
                                    "\n"
                                    R"({"values":{},"diagnostics":[)"
                                    R"({"code":"HCL3121","entry":"allow"},{"code":"HCL3121","entry":"allow"},)"
                                    R"({"code":"HCL3121","entry":"because"},{"code":"HCL3121","entry":"because"}]})"
                                    "\n"}},
                      ""};
  EXPECT_EQ("r ok\n", RunAll(texts));
  texts.files["a.ndjson"] = "{\"values\":{\"allow\":false,\"because\":[\"locked\"]}}\n";
  const std::string failed = RunAll(texts);
  EXPECT_NE(std::string::npos, failed.find("a.ndjson line 1 is another answer [.values.allow: false -> true]"))
      << failed;
  EXPECT_NE(std::string::npos, failed.find("a.ndjson line 2 is missing")) << failed;
  texts.files.erase("a.ndjson");
  EXPECT_EQ("r: cannot read a.ndjson: no such file; hclvm test --update writes it;\n", RunAll(texts));

  TestRunOptions update;
  update.updates_answers = true;
  std::string errors;
  const auto suite = ReadSuite(texts, &errors);
  texts.files["a.ndjson"] = TestRunner(suite, update).Run(0, 0).new_answers;
  EXPECT_EQ(std::string::npos, texts.files["a.ndjson"].find("summary"));
  EXPECT_EQ("r ok\n", RunAll(texts));
  EXPECT_EQ("", TestRunner(ReadSuite(texts, &errors), update).Run(0, 0).new_answers);
}

TEST(TestRunnerTest, LimitsAreTold) {
  TestRunOptions options;
  options.limits.max_fuel = 1;
  EXPECT_NE(std::string::npos,
            RunAll({kModule, std::string(kUsual) + R"(test "t" { expect = { because = [] } })", {}, ""}, options)
                .find("(limit)"));
}

TEST(TestRunnerTest, InputIsWhatACaseAsks) {
  std::string errors;
  const auto suite = ReadSuite({kModule,
                                std::string(kUsual) + R"(test "t" {
    with   = { action = "write" }
    expect = { allow = true }
    assert {
      condition = length(because) == 0
    }
  })",
                                {},
                                ""},
                               &errors);
  ASSERT_NE(nullptr, suite) << errors;
  TestRunner runner(suite, {});
  const CaseInput input = runner.InputOf(0, 0);
  ASSERT_EQ(2u, input.entries.size());
  EXPECT_EQ("allow", input.entries[0]->path);
  EXPECT_EQ("because", input.entries[1]->path);
  EXPECT_EQ(3u, input.scope.size());
}

}  // namespace
}  // namespace hcl::internal

#include "hclvm/cmd/hclvm/repl_session.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/vm/functions/standard.h"

namespace hcl::cmd {
namespace {

ReplOptions Options() {
  ReplOptions options;
  options.compile.functions = StandardFunctions();
  // Each look at the clock is 20 ms after the one before.
  options.clock = [now = std::chrono::nanoseconds(0)]() mutable { return now += std::chrono::milliseconds(20); };
  return options;
}

// The first line of what an input gives: its value, or "STATUS: " and the message.
std::string Line(const ReplAnswer& answer) {
  const std::string& text = answer.out.empty() ? answer.error : answer.out;
  const std::string line = text.substr(0, text.find('\n'));
  return answer.status == 0 ? line : std::to_string(answer.status) + ": " + line;
}

std::string Write(const std::string& name, std::string_view text) {
  std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

struct Step {
  const char* input;
  const char* line;
};

void Check(ReplSession* session, const std::vector<Step>& steps) {
  for (const Step& step : steps) EXPECT_EQ(Line(session->Execute(step.input)), step.line) << step.input;
}

TEST(ReplSession, AnswersExpressions) {
  ReplSession session(Options());
  Check(&session, {
                      {"1 + 2", "3"},
                      {"  \"a\"  # a comment", "\"a\""},
                      {"[1,\n2]", "[1,2]"},
                      {"<<E\na\nE", "\"a\\n\""},
                      {"", ""},
                      {"upper(\"a\")", "\"A\""},
                      {"core::upper(\"a\")", "\"A\""},
                      {"nosuch", "1: Error[HCL3001]: Unknown variable"},
                      {"1 +", "1: Error[HCL1201]: Missing expression"},
                      {"1) + (2", "1: Error[HCL1203]: Extra characters after expression"},
                      {"1\n)\nb = (2", "1: Error[HCL1203]: Extra characters after expression"},
                      {"1 / 0", "1: Error[HCL6104]: Value has no JSON form"},
                      {"1 + \"a\"", "1: Error[HCL4101]: Invalid operand"},
                      {":nosuch", "2: there is no command :nosuch (:help lists them)"},
                      {":typ 1", "2: there is no command :typ; did you mean :type? (:help lists them)"},
                      {":help",
                       "An expression gives its value; so does the name of an entry of the module. An open bracket "
                       "goes on in the next line."},
                  });
  EXPECT_TRUE(session.Execute(":quit").ends);
}

TEST(ReplSession, PointsToTheInput) {
  ReplSession session(Options());
  EXPECT_EQ(
      session.Execute("[1,\n 2 + nosuch]").error,
      "Error[HCL3001]: Unknown variable\n\n  on input line 2, column 6:\n  2 |  2 + nosuch]\n    |      ^^^^^^\n\n"
      "  There is no variable named \"nosuch\".\n");
}

TEST(ReplSession, HasCommands) {
  ReplSession session(Options());
  Check(&session, {
                      {":type {a = [1]}", "object({ a = tuple([number]) })"},
                      {":type tolist([1])", "list(number)"},
                      {":type nosuch", "1: Error[HCL3001]: Unknown variable"},
                      {":let a = 1 + 1", ""},
                      {"a * 2", "4"},
                      {":let b = [\n a,\n]", ""},
                      {"b", "[2]"},
                      {":let a = \"x\"", ""},
                      {"\"${a}${b[0]}\"", "\"x2\""},
                      {":let", "2: :let NAME = EXPR"},
                      {":let 1 = 2", "2: :let NAME = EXPR"},
                      {":let c = nosuch", "1: Error[HCL3001]: Unknown variable"},
                      {"c", "1: Error[HCL3001]: Unknown variable"},
                      {":vars", "b = [2]"},
                      {":explain 1 > 2", "it = false"},
                      {":time 1 + 2", "20000.00 us, the mean of 5 runs; fuel 1"},
                      {":disasm upper(a)", "chunk 0 it: 1 registers"},
                      {":doc upper", "upper(str)    (string)"},
                      {":doc uper", "1: there is no function \"uper\"; did you mean \"upper\"?"},
                      {":doc", "2: :doc NAME describes a function"},
                      {":load", "2: :load PATH"},
                      {":type", "2: :type EXPR"},
                      {":time ", "2: :time EXPR"},
                      {"# a comment", ""},
                      {"/* a */ // b", ""},
                      {":load /dev/zero", "1: /dev/zero is a device, which has no end"},
                      {":request 1", "2: there is no file of requests; :load FILE.ndjson takes one"},
                  });
}

TEST(ReplSession, ReadsRequests) {
  ReplSession session(Options());
  const std::string path =
      Write("requests.ndjson", "{\"user\": {\"name\": \"ann\"}}\n\n{\"user\": {\"name\": \"bo\"}}\n[1]\n{\n");
  Check(&session, {
                      {(":load " + path).c_str(), ""},
                      {"user.name", "\"ann\""},
                      {":request 3", ("request 3 of " + path).c_str()},
                      {"user.name", "\"bo\""},
                      {":request", ("request 3 of " + path).c_str()},
                      {":request 4", ("1: " + path + ":4: a request is a JSON object, variable name to value").c_str()},
                      {":request 9", ("1: " + path + " has no request in line 9").c_str()},
                      {":request x", "2: :request N, from 1"},
                      {"user.name", "\"bo\""},
                      {":let user = 1", ""},
                      {"user", "1"},
                      {":load /nosuch.ndjson", "1: cannot read /nosuch.ndjson"},
                  });
  EXPECT_EQ(session.Execute(":request 5").status, 1);
}

constexpr std::string_view kModule = R"(
variable "user" {
  type = object({name = string, age = optional(number, 18)})
}
variable "secret" {
  default   = "s3cret"
  sensitive = true
}
locals {
  is_adult = var.user.age >= 18
}
function "twice" {
  params = [x]
  result = x * 2
}
allow  = local.is_adult && var.user.name != "eve"
policy = { who = var.user.name }
rule "first" {
  when = twice(var.user.age)
}
)";

TEST(ReplSession, ReadsModules) {
  ReplSession session(Options());
  ASSERT_EQ(session.LoadModule(Write("module.hcl", kModule)).error, "");
  const std::string requests =
      Write("ages.ndjson", "{\"user\": {\"name\": \"ann\"}}\n{\"user\": {\"name\": \"bo\", \"age\": 7}}\n");
  Check(&session, {
                      {"var.user", "1: Error[HCL3121]: Missing value for variable"},
                      {(":load " + requests).c_str(), ""},
                      {"var.user", "{\"age\":18,\"name\":\"ann\"}"},
                      {"allow", "true"},
                      {"local.is_adult", "true"},
                      {"twice(21)", "42"},
                      {"rule.first.when", "36"},
                      {":type var.user", "object({ age = number, name = string })"},
                      {"var.secret", "\"(sensitive value)\""},
                      {":let limit = var.user.age + 1", ""},
                      {"local.limit", "19"},
                      {":request 2", ("request 2 of " + requests).c_str()},
                      {"local.limit", "8"},
                      {"allow", "false"},
                      {":explain allow", "allow = false"},
                      {":explain var.user.age < local.limit", "it = true, as var.user.age = 7"},
                      {"nosuch", "1: Error[HCL3101]: Undeclared variable"},
                      {":let is_adult = true", "1: Error[HCL3104]: Declared twice"},
                      {"local.is_adult", "false"},
                      {":let x = local.limit", ""},
                      {":let limit = local.x", "1: Error[HCL3105]: Locals depend on themselves"},
                      {"local.limit", "8"},
                      {":load", ""},
                  });
  EXPECT_EQ(
      session.Execute(":vars").out,
      "var.user = {\"age\":7,\"name\":\"bo\"}\nvar.secret = \"(sensitive value)\"\nlocal.limit = 8\nlocal.x = 8\n");
  EXPECT_NE(session.Execute(":doc").out.find("is_adult"), std::string::npos);
  // A module that is wrong leaves the one before.
  EXPECT_EQ(session.LoadModule(Write("wrong.hcl", "a = var.nosuch\n")).status, 1);
  Check(&session, {{"allow", "false"}});
}

TEST(ReplSession, Completes) {
  ReplSession session(Options());
  session.LoadModule(Write("module.hcl", kModule));
  session.LoadRequests(Write("ages.ndjson", "{\"user\": {\"name\": \"ann\"}}\n"));
  session.Execute(":let mine = 1");
  const auto words = [&](std::string_view line) {
    std::string out;
    for (const std::string& word : session.Complete(line).words) out += word + " ";
    return out;
  };
  EXPECT_EQ(words(":t"), ":time :type ");
  EXPECT_EQ(words("1 + var."), "secret user ");
  EXPECT_EQ(words("var.user.n"), "name ");
  EXPECT_EQ(words("local."), "is_adult mine ");
  EXPECT_EQ(words("f(jsonenc"), "jsonencode( ");
  EXPECT_EQ(words("al"), "allow alltrue( ");
  EXPECT_EQ(words("cor"), "core:: ");
  EXPECT_EQ(words("core::al"), "alltrue( ");
  EXPECT_EQ(words(":explain rule."), "first.when ");
  EXPECT_EQ(words("nosuch."), "");
  EXPECT_EQ(session.Complete("var.us").replaces, 2u);
}

TEST(ReplSession, IsBounded) {
  ReplOptions options = Options();
  options.compile.limits.max_fuel = 1'000;
  std::atomic<bool> is_interrupted{false};
  options.compile.limits.interrupt.cancel = &is_interrupted;
  ReplSession session(options);
  const std::string sum =
      "sum([for a in range(999) : sum([for b in range(999) : sum([for c in range(999) : a * b * c])])])";
  EXPECT_EQ(session.Execute(sum).status, 3);
  EXPECT_EQ(session.Execute(":explain " + sum).status, 3);
  EXPECT_EQ(session.Execute(":time " + sum).status, 3);
  EXPECT_EQ(session.Execute(std::string(2'000, '[')).status, 3);
  is_interrupted = true;
  EXPECT_EQ(session.Execute("1 + 1").status, 3);
  is_interrupted = false;
  EXPECT_EQ(session.Execute("1 + 1").out, "2\n");
}

}  // namespace
}  // namespace hcl::cmd

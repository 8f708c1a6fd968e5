// What fails in every run for the types of its operands, or for a constant, is an error before any run; what fails for
// some of the types is a warning.

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

constexpr char kVariables[] =
    "variable \"flag\" { type = bool }\n"
    "variable \"n\" { type = number }\n"
    "variable \"text\" { type = string }\n"
    "variable \"maybe\" {\n  type = string\n  nullable = true\n}\n"
    "variable \"names\" { type = list(string) }\n"
    "variable \"ports\" { type = list(number) }\n"
    "variable \"flags\" { type = list(bool) }\n"
    "variable \"groups\" { type = set(string) }\n"
    "variable \"tags\" { type = map(string) }\n"
    "variable \"prices\" { type = map(number) }\n"
    "variable \"lists\" { type = map(list(string)) }\n"
    "variable \"user\" { type = object({ name = string, age = number }) }\n"
    "variable \"hosts\" { type = list(object({ name = string })) }\n"
    "variable \"pair\" { type = tuple([string, number]) }\n"
    "variable \"free\" {}\n";

std::string FindingsIn(const std::string& text) {
  std::string kept;
  const std::string all = FindingsOf(OneFile(absl::StrCat(kVariables, text, "\n")));
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    if (!absl::StrContains(line, " HCL8005 ")) kept += line + "\n";
  }
  return kept == "ok\n" ? "" : kept;
}

std::string Findings(const std::string& expression) { return FindingsIn("x = " + expression); }

bool HasError(const std::string& findings) {
  return absl::StrContains(findings, " HCL3") && !absl::StrContains(findings, "HCL31");
}

TEST(CheckOutcomesTest, BranchesThatNeverUnifyAreErrors) {
  for (const char* expression : {
           "flag ? \"x\" : names",
           "flag ? n : flag",
           "flag ? 1 : true",
           "flag ? [n] : {}",
           "flag ? n : [n]",
           "flag ? names : tags",
           "flag ? names : [{ k = \"a\" }]",
           "flag ? user : names",
           "flag ? tags : text",
           "flag ? hosts : names",
           "flag ? keys(tags) : n",
           "flag ? { a = names } : { a = 1 }",
           "flag ? [names, 1] : [tags, 1]",
           "flag ? \"${text}!\" : [for h in hosts : h.name]",
           "[for name in names : flag ? [name] : name]",
           "upper(flag ? text : names)",
           "{ a = { b = flag ? ports : flags } }",
       }) {
    EXPECT_TRUE(HasError(Findings(expression))) << expression << "\n" << Findings(expression);
  }
  EXPECT_TRUE(HasError(FindingsIn("locals {\n  t = flag ? n : [n]\n}\nx = local.t")));
  EXPECT_EQ(Findings("flag ? n : names"),
            "m.hcl:19:12 HCL3202 Both results of a conditional must have types that unify, but the true result is of "
            "type number, the false result of type list of string.\n");
}

TEST(CheckOutcomesTest, BranchesThatUnifyAreNone) {
  for (const char* expression : {
           "flag ? n : text",
           "flag ? flag : text",
           "flag ? null : names",
           "flag ? maybe : n",
           "flag ? [n] : [text]",
           "flag ? [n] : [n, n]",
           "flag ? { a = 1 } : { b = 2 }",
           "flag ? names : groups",
           "flag ? names : ports",
           "flag ? names : []",
           "flag ? names : [\"a\"]",
           "flag ? tags : {}",
           "flag ? tags : { a = \"b\" }",
           "flag ? keys(tags) : []",
           "flag ? [for h in hosts : h.name] : names",
           "flag ? [for h in hosts : h.name] : []",
           "flag ? { for h in hosts : h.name => 1 } : prices",
           "flag ? { items = names } : { items = [] }",
           "try(flag ? n : names, 1)",
           "can(flag ? n : names)",
       }) {
    EXPECT_EQ(Findings(expression), "") << expression;
  }
}

// A branch that fails is of no type, so that the other one is the answer.
TEST(CheckOutcomesTest, BranchesThatMayFailAreWarnings) {
  for (const char* expression : {
           "flag ? tags[text] : names",
           "flag ? names[3] : tags",
           "flag ? tonumber(text) : names",
           "flag ? n / n : names",
           "flag ? free : n",
           "flag ? [for h in hosts : 1] : [true]",
       }) {
    EXPECT_TRUE(absl::StrContains(Findings(expression), "warning HCL8004")) << expression << Findings(expression);
    EXPECT_FALSE(HasError(Findings(expression))) << expression << Findings(expression);
  }
}

TEST(CheckOutcomesTest, CallsThatNeverSucceedAreErrors) {
  for (const char* expression : {
           "contains(tags, \"a\")",
           "contains(user, \"a\")",
           "contains(n, 1)",
           "keys(names)",
           "keys(range(2))",
           "keys(groups)",
           "values(text)",
           "concat(groups, [\"a\"])",
           "concat(names, groups)",
           "concat([], tags)",
           "length(user)",
           "length(n)",
           "merge(names, tags)",
           "merge(tags, text)",
           "element(groups, 0)",
           "element(tags, 0)",
           "sum(n)",
           "sum(flags)",
           "sum([flag, 1])",
           "sum(tags)",
           "sum([])",
           "tonumber(flag)",
           "tonumber(names)",
           "tobool(n)",
           "tostring(names)",
           "tolist([names, tags])",
           "tolist([n, flag])",
           "tolist(tags)",
           "toset(user)",
           "tomap(names)",
           "one(tags)",
           "one(text)",
           "reverse(tags)",
           "reverse(text)",
           "flatten(tags)",
           "flatten(n)",
           "slice(groups, 0, 1)",
           "lookup(tags, text, names)",
           "lookup(names, text, 1)",
           "lookup(prices, text, true)",
           "hasindex(user, \"a\")",
           "hasindex(groups, 1)",
           "index(groups, 1)",
           "index(names, \"a\")",
           "coalesce(names, tags)",
           "coalesce(n, flag)",
           "coalescelist(tags, names)",
           "coalescelist(names, n)",
           "distinct([names, tags])",
           "distinct([n, flag])",
           "distinct(tags)",
           "setunion([1], [true])",
           "setunion(ports, flags)",
           "setproduct(names, n)",
           "setproduct([n, flag], names)",
           "zipmap(names, tags)",
           "matchkeys(names, ports, flags)",
           "max(flag)",
           "max(names, 1)",
           "join(\",\", tags)",
           "join(text)",
           "range(1, 2, 3, 4)",
           "format(\"%d\", flag)",
           "format(\"%s\", names)",
           "format(\"%t\", n)",
           "formatlist(\"%s\", tags)",
           "parseint(n, 10)",
           "convert(names, number)",
           "convert(n, list(string))",
           "transpose(tags)",
           "upper(names)",
           "alltrue(ports)",
           "concat([names, groups]...)",
           "abs([1, 2]...)",
           "templatestring(\"x\", names)",
       }) {
    EXPECT_TRUE(HasError(Findings(expression))) << expression << "\n" << Findings(expression);
  }
}

TEST(CheckOutcomesTest, CallsAreLookedAtWhereverTheyStand) {
  for (const char* text : {
           "locals {\n  y = contains(tags, \"a\")\n}\nx = local.y",
           "locals {\n  y = tags\n}\nx = contains(local.y, \"a\")",
           "x = [for name in names : contains(tags, name)]",
           "x = { for name in names : name => keys(names) }",
           "x = \"%{ for name in names }${length(user)}%{ endfor }\"",
           "x = flag ? 1 : length(user)",
           "x = flag && contains(tags, \"a\")",
           "x = hosts[*].name == keys(hosts)",
           "rule \"a\" {\n  x = keys(names)\n}",
           "function \"f\" {\n  params = [a]\n  result = keys([a])\n}\nx = f(1)",
       }) {
    EXPECT_TRUE(HasError(FindingsIn(text))) << text << "\n" << FindingsIn(text);
  }
  // What hangs on the arguments of a function is a warning of its call.
  EXPECT_TRUE(absl::StrContains(FindingsIn("function \"f\" {\n  params = [a]\n  result = keys(a)\n}\nx = f(names)"),
                                "warning HCL3203 In f"));
  EXPECT_TRUE(absl::StrContains(
      FindingsIn("function \"f\" {\n  params = [a]\n  result = flag_of(a) ? a : 1\n}\nfunction \"flag_of\" {\n  params "
                 "= [a]\n  result = true\n}\nx = f(names)"),
      "warning HCL3202 In f"));
}

TEST(CheckOutcomesTest, CallsThatSucceedAreNone) {
  for (const char* expression : {
           "contains(names, n)",
           "contains([for h in hosts : h.name], text)",
           "contains(keys(tags), text)",
           "contains(split(\",\", text), text)",
           "concat(names, [n], [for h in hosts : h.name])",
           "concat(names, keys(tags), split(\",\", text))",
           "merge(tags, { a = 1 }, { for h in hosts : h.name => h })",
           "length(pair) + length(groups) + length(keys(user))",
           "tolist([n, text])",
           "toset(names)",
           "tomap({ a = 1, b = text })",
           "coalesce(n, text)",
           "coalesce(maybe, text)",
           "lookup(prices, text, \"5\")",
           "lookup(user, text, names)",
           "lookup(lists, text, [])",
           "flatten([names, [text], [[groups]]])",
           "setunion(names, groups)",
           "format(\"%s is %d, %v\", text, n, names)",
           "formatlist(\"%s-%d\", names, n)",
           "formatlist(\"%v %s\", groups, names)",
           "formatlist(\"%s %s\", [], names)",
           "chunklist(names, 0)",
           "substr(text, -1, n)",
           "indent(2, text)",
           "cidrsubnet(text, 8, n)",
           "cidrsubnets(text, 4, 4)",
           "zipmap(names, ports)",
           "jsonencode([names, tags, user, free])",
           "convert(text, number)",
           "distinct(concat(names, [\"a\"]))",
           "max(ports[1], 1)",
           "try(keys(names), [])",
           "can(contains(tags, \"a\"))",
           "[for v in values(lists) : join(\",\", v)]",
           "templatestring(\"$${x}\", { x = n })",
       }) {
    EXPECT_EQ(Findings(expression), "") << expression;
  }
}

// one() gives a null without a type for no elements, which functions take that take no null of the elements' type.
TEST(CheckOutcomesTest, NullsWithoutATypeAreNoErrors) {
  for (const Dialect dialect : {Dialect::kSpec, Dialect::kHashiCorp}) {
    for (const char* expression : {
             "tomap(one([for i, s in names : s if true]))",
             "tolist(one([for i, s in names : s if true]))",
             "tonumber(one([for i, s in names : [s] if true]))",
             "tomap(one([for s in names : s]))",
         }) {
      const std::string text = absl::StrCat(kVariables, "x = ", expression, "\n");
      EXPECT_FALSE(absl::StrContains(FindingsOf(OneFile(text), /*strict=*/false, dialect), " HCL3")) << expression;
    }
    const std::string text = absl::StrCat(kVariables, "x = tomap(text)\n");
    EXPECT_TRUE(absl::StrContains(FindingsOf(OneFile(text), /*strict=*/false, dialect), " HCL3203 "));
  }
}

TEST(CheckOutcomesTest, ConstantsThatAreNeverRightAreErrors) {
  for (const char* expression : {
           "regex(\"^(a\", text)",
           "regexall(\"[a\", text)",
           "regex(\"(?P<a>x)(y)\", text)",
           "regexreplace(text, \"(a\", \"\")",
           "replace(text, \"/(a/\", \"\")",
           "formatdate(\"YYYY-MM-DDThh\", text)",
           "formatdate(\"YYYY\", \"yesterday\")",
           "timeadd(text, \"1 hour\")",
           "timeadd(\"now\", text)",
           "timeadd(\"2024-02-30T00:00:00Z\", text)",
           "timecmp(text, \"2024\")",
           "format(\"%z\", text)",
           "format(\"%s %s\", text)",
           "format(\"%s\", text, n)",
           "formatlist(\"%z\", names[0])",
           "cidrhost(\"10.0.0.0\", n)",
           "cidrsubnet(\"10.0.0.0/33\", n, n)",
           "cidrnetmask(\"10.0.0/8\")",
           "cidrcontains(\"10.0.0.0/8\", \"10.0.0\")",
           "cidrcontains(\"x\", text)",
           "cidrcontains(text, \"x\")",
           "cidrsubnets(\"x\", n)",
           "cidrsubnet(\"10.0.0.0/8\", 50, n)",
           "cidrsubnet(text, -1, n)",
           "cidrsubnet(text, 1.5, n)",
           "cidrsubnets(text, 4, 0)",
           "formatlist(\"%z\", names)",
           "formatlist(\"%s %s\", names)",
           "formatlist(\"%s\", names, names)",
           "chunklist(names, -1)",
           "chunklist(names, 1.5)",
           "indent(-1, text)",
           "substr(text, 0.5, 1)",
           "substr(text, n, 1.5)",
           "jsondecode(\"{a: 1}\")",
           "yamldecode(\"a: [1\")",
           "csvdecode(\"a,a\\n1,2\")",
           "parseint(text, 99)",
           "textdecodebase64(text, \"UTF-99\")",
           "templatestring(\"$${\", { x = n })",
           "n / 0",
           "n % 0",
           "n * 2 / 0",
       }) {
    EXPECT_TRUE(HasError(Findings(expression))) << expression << "\n" << Findings(expression);
  }
  EXPECT_EQ(Findings("regex(\"^(a\", text)"),
            "m.hcl:19:11 HCL3209 This constant is never right for pattern of regex: the pattern is invalid: missing ): "
            "^(a.\n");
  EXPECT_EQ(Findings("n / 0"), "m.hcl:19:9 HCL3209 This divisor is zero.\n");
}

// An attempt would give the same answer for ever.
TEST(CheckOutcomesTest, ConstantsAreLookedAtInAttempts) {
  for (const char* expression : {
           "can(regex(\"^(a\", text))",
           "try(regex(\"^(a\", text), \"\") == \"\"",
           "can(timeadd(text, \"1 hour\"))",
           "[for name in names : name if can(regex(\"^(a\", name))]",
           "can(upper(formatdate(\"x\", text)))",
           "can(format(\"%z\", text))",
           "try(format(\"%s %s\", text), \"\")",
           "try(formatlist(\"%z\", names), [])",
           "try(format(\"%2000000d\", n), \"\")",
           "try(chunklist(names, -1), [])",
           "try(indent(0.5, text), text)",
           "can(substr(text, 0, 0.5))",
           "can(cidrsubnet(text, -1, n))",
           "try(n / 0, 1)",
           "can(parseint(text, 99))",
       }) {
    EXPECT_TRUE(absl::StrContains(Findings(expression), "HCL3209")) << expression << "\n" << Findings(expression);
  }
  EXPECT_TRUE(absl::StrContains(FindingsIn("locals {\n  p = \"^(a\"\n}\nx = can(regex(local.p, text))"), "HCL3209"));
  EXPECT_TRUE(absl::StrContains(ErrorsOf(OneFile("variable \"t\" {}\nx = can(regex(\"^(a\", t))\n")), "HCL3209"));
  for (const char* expression : {"can(regex(\"^a\", text))", "can(tonumber(\"x\"))", "try(keys(names), 1)"}) {
    EXPECT_EQ(Findings(expression), "") << expression;
  }
}

}  // namespace
}  // namespace hcl

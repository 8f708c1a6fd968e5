// Functions that the compiler has a part in: types as arguments, arguments that are prepared because they are constant.
// Variables are those of tests/conformance/variables.json.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "hclvm/compiler/compile_options.h"
#include "hclvm/tests/support/harness.h"
#include "hclvm/vm/functions/documentation.h"
#include "hclvm/vm/functions/function_family.h"
#include "hclvm/vm/functions/standard.h"
#include "hclvm/vm/value/heap.h"

namespace hcl {
namespace {

using testing_support::Harness;

struct Row {
  const char* source;
  const char* want;
};

// With constant arguments prepared and without it.
template <size_t N>
void Check(const Row (&rows)[N]) {
  Harness optimized;
  CompileOptions plain;
  plain.optimize = false;
  Harness unoptimized(plain);
  for (const Row& row : rows) {
    EXPECT_EQ(optimized.Eval(row.source), row.want) << row.source;
    EXPECT_EQ(unoptimized.Eval(row.source), row.want) << row.source << " (not optimized)";
  }
}

TEST(FunctionsTest, Convert) {
  const Row kRows[] = {
      {"convert(i, string)", "\"7\""},
      {"convert([i, \"x\"], list(string))", "[\"7\",\"x\"]"},
      {"convert({a = i}, object({a = string}))", "{\"a\":\"7\"}"},
      {"convert([i, true], tuple([string, string]))", "[\"7\",\"true\"]"},
      {"convert({a = [i]}, map(set(any)))", "{\"a\":[7]}"},
      {"convert(dyn, list(number))", "{\"$unknown\":[\"list\",\"number\"]}"},
      {"convert(null, bool)", "null"},
      {"convert(1, number) + 1", "2"},
      {"can(convert(s, number))", "false"},
      {"convert(s, number)", "error 8-9 Invalid function argument"},
      {"convert(i, strong)", "error 11-17 Invalid function argument"},
      {"convert(i, \"string\")", "error 12-18 Invalid function argument"},
      {"convert(i, 1 + 1)", "error 11-12 Invalid function argument"},
      {"convert(i)", "error 9-10 Not enough function arguments"},
      {"convert([i, \"list(string)\"]...)", "error 8-27 Invalid function argument"},
      {"type(convert([i], list(string)))", "\"list(string)\""},
  };
  Check(kRows);
}

// A list has elements of one type, also where the common type of the lists says nothing of it.
TEST(FunctionsTest, ConcatOfDynamicLists) {
  CompileOptions options;
  options.dialect = Dialect::kHashiCorp;
  Harness harness(options);
  const Row kRows[] = {
      {"concat(tolist([]), tolist([1]))", R"({"type":["list","number"],"value":[1]})"},
      {"concat(tolist([]), tolist([1]), tolist([s]))", R"({"type":["list","string"],"value":["1","hello"]})"},
      {"concat(tolist([]), tolist([{a = 1}]))", R"({"type":["list",["object",{"a":"number"}]],"value":[{"a":1}]})"},
      {"concat(tolist([{a = 1}]), tolist([null]))", "error 0-7 Error in function call"},
      {"concat(tolist([]), tolist([{a = 1}]), tolist([{b = 1}]))", "error 0-7 Error in function call"},
      {"concat(tolist([]), tolist([]))", R"({"type":["list","dynamic"],"value":[]})"},
      {"concat(tolist([null]), tolist([]))", R"({"type":["list","dynamic"],"value":[null]})"},
  };
  for (const Row& row : kRows) EXPECT_EQ(harness.EvalTyped(row.source), row.want) << row.source;
}

// The last argument may be left out, also where arguments are expanded.
TEST(FunctionsTest, LookupWithAndWithoutDefault) {
  const Row kRows[] = {
      {"lookup({a = i}, \"a\")", "7"},
      {"lookup({a = i}, \"a\", 1)", "7"},
      {"lookup({a = i}, \"b\", 1)", "1"},
      {"lookup({a = i}, \"b\", null)", "null"},
      {"lookup(tomap({a = i}), \"b\", null)", "null"},
      {"lookup({a = i}, \"a\", nosuch)", "error 21-27 Unknown variable"},
      {"lookup({a = i}, \"a\", ust)", "7"},
      {"lookup({a = i}, \"b\", ust)", "{\"$unknown\":\"string\"}"},
      {"lookup({a = i}, s)", "error 16-17 Invalid function argument"},
      {"lookup({a = 1}, \"b\")", "error 17-18 Invalid function argument"},
      {"try(lookup({a = i}, \"b\"), \"none\")", "\"none\""},
      {"can(lookup({a = i}, \"b\"))", "false"},
      {"lookup({a = i})", "error 14-15 Not enough function arguments"},
      {"lookup()", "error 7-8 Not enough function arguments"},
      {"lookup({a = i}, \"b\", 1, 2)", "error 24-25 Too many function arguments"},
      {"lookup([{a = i}, \"a\"]...)", "7"},
      {"lookup([{a = i}, \"b\", 1]...)", "1"},
      {"lookup({a = i}, [\"b\"]...)", "error 16-21 Invalid function argument"},
      {"lookup({a = i}, [\"b\", 1, 2]...)", "error 16-27 Too many function arguments"},
      {"lookup([{a = i}]...)", "error 19-20 Not enough function arguments"},
  };
  Check(kRows);
}

// What docs/functions.md says to those who come from Terraform.
TEST(FunctionsTest, DifferencesFromTerraform) {
  const Row kRows[] = {
      {"coalesce(\"\", \"x\")", "\"\""},
      {"length(\"abc\")", "error 0-7 Error in function call"},
      {"strlen(\"abc\")", "3"},
      {"length({a = 1})", "error 0-7 Error in function call"},
      {"length(keys({a = 1}))", "1"},
      {"length(tomap({a = 1}))", "1"},
      {"index([\"a\", \"b\"], \"b\")", "error 0-6 Error in function call"},
      {"index([\"a\", \"b\"], 1)", "\"b\""},
      {"type(1)", "\"number\""},
      {"timestamp()", "error 0-9 Call to unknown function"},
      {"file(s)", "error 0-4 Call to unknown function"},
  };
  Check(kRows);
}

// As their documents list them: Terraform 1.15, OpenTofu 1.13, and what Terraform policy 0.3 has besides Terraform's.
constexpr const char* kOfBoth[] = {"abs",
                                   "abspath",
                                   "alltrue",
                                   "anytrue",
                                   "base64decode",
                                   "base64encode",
                                   "base64gzip",
                                   "base64sha256",
                                   "base64sha512",
                                   "basename",
                                   "bcrypt",
                                   "can",
                                   "ceil",
                                   "chomp",
                                   "chunklist",
                                   "cidrhost",
                                   "cidrnetmask",
                                   "cidrsubnet",
                                   "cidrsubnets",
                                   "coalesce",
                                   "coalescelist",
                                   "compact",
                                   "concat",
                                   "contains",
                                   "convert",
                                   "csvdecode",
                                   "dirname",
                                   "distinct",
                                   "element",
                                   "endswith",
                                   "ephemeralasnull",
                                   "file",
                                   "filebase64",
                                   "filebase64sha256",
                                   "filebase64sha512",
                                   "fileexists",
                                   "filemd5",
                                   "fileset",
                                   "filesha1",
                                   "filesha256",
                                   "filesha512",
                                   "flatten",
                                   "floor",
                                   "format",
                                   "formatdate",
                                   "formatlist",
                                   "indent",
                                   "index",
                                   "issensitive",
                                   "join",
                                   "jsondecode",
                                   "jsonencode",
                                   "keys",
                                   "length",
                                   "list",
                                   "log",
                                   "lookup",
                                   "lower",
                                   "map",
                                   "matchkeys",
                                   "max",
                                   "md5",
                                   "merge",
                                   "min",
                                   "nonsensitive",
                                   "one",
                                   "parseint",
                                   "pathexpand",
                                   "plantimestamp",
                                   "pow",
                                   "range",
                                   "regex",
                                   "regexall",
                                   "replace",
                                   "reverse",
                                   "rsadecrypt",
                                   "sensitive",
                                   "setintersection",
                                   "setproduct",
                                   "setsubtract",
                                   "setunion",
                                   "sha1",
                                   "sha256",
                                   "sha512",
                                   "signum",
                                   "slice",
                                   "sort",
                                   "split",
                                   "startswith",
                                   "strcontains",
                                   "strrev",
                                   "substr",
                                   "sum",
                                   "templatefile",
                                   "templatestring",
                                   "textdecodebase64",
                                   "textencodebase64",
                                   "timeadd",
                                   "timecmp",
                                   "timestamp",
                                   "title",
                                   "tobool",
                                   "tolist",
                                   "tomap",
                                   "tonumber",
                                   "toset",
                                   "tostring",
                                   "transpose",
                                   "trim",
                                   "trimprefix",
                                   "trimspace",
                                   "trimsuffix",
                                   "try",
                                   "type",
                                   "upper",
                                   "urlencode",
                                   "uuid",
                                   "uuidv5",
                                   "values",
                                   "yamldecode",
                                   "yamlencode",
                                   "zipmap"};
constexpr const char* kOfOpenTofu[] = {
    "assumeequal",        "assumelistlength",   "assumelistlengthmax", "assumelistlengthmin", "assumemaplength",
    "assumemaplengthmax", "assumemaplengthmin", "assumenotnull",       "assumesetlength",     "assumesetlengthmax",
    "assumesetlengthmin", "assumestringprefix", "base64gunzip",        "cidrcontains",        "urldecode"};
constexpr const char* kOfPolicy[] = {"contains_substring", "getdatasource", "gethttprequest",   "getresources",
                                     "regex_match",        "semvercmp",     "semverconstraint", "valuetostring"};

// Each of their functions stands in the table, and the table says of each whether it is here.
TEST(FunctionsTest, TheTableOfOthersIsWhole) {
  std::map<std::string, std::string> want;
  for (const char* name : kOfBoth) want[name] = "TO";
  for (const char* name : kOfOpenTofu) want[name] = "O";
  for (const char* name : kOfPolicy) want[name] = "P";
  std::map<std::string, std::string> got;
  std::string before;
  for (const ForeignFunction& function : ForeignFunctions()) {
    const std::string name(function.name);
    EXPECT_LT(before, name);
    before = name;
    got[name] = std::string(function.users);
    EXPECT_EQ(StandardFunctions()->Find(name) != nullptr, function.why.empty()) << name;
  }
  EXPECT_EQ(got, want);
}

// core::NAME is NAME: the same function, and so the same code.
TEST(FunctionsTest, CoreNames) {
  const Row kRows[] = {
      {"core::upper(s)", "\"HELLO\""},
      {"core :: upper(s)", "\"HELLO\""},
      {"core::try(core::tonumber(s), core::length([1]))", "1"},
      {"core::convert([i], list(string))", "[\"7\"]"},
      {"core::templatestring(\"$${core::upper(x)}\", {x = s})", "\"HELLO\""},
      {"core::anytrue([for x in [1, i] : x == 7])", "true"},
      {"core::core::upper(s)", "error 0-17 Call to unknown function"},
      {"cores::upper(s)", "error 0-12 Call to unknown function"},
      {"core::nosuch(s)", "error 0-12 Call to unknown function"},
      {"core::upper()", "error 12-13 Not enough function arguments"},
  };
  Check(kRows);
  for (const std::string_view name : StandardFunctions()->Names()) {
    EXPECT_EQ(StandardFunctions()->Find("core::" + std::string(name)), StandardFunctions()->Find(name)) << name;
  }
}

TEST(FunctionsTest, PreparedArguments) {
  const Row kRows[] = {
      {"regex(\"l+\", s)", "\"ll\""},
      {"regex(\"(?P<a>l+)(o)?\", s)", "error 7-20 Invalid function argument"},
      {"regex(\"(\", s)", "error 7-8 Invalid function argument"},
      {"regex(1, s)", "error 0-6 Error in function call"},
      {"regex(null, s)", "error 6-10 Invalid function argument"},
      {"regexall(\"[a-z]{2}\", s)", "[\"he\",\"ll\"]"},
      {"regex(\"(l)\", ust)", "{\"$unknown\":[\"tuple\",[\"string\"]]}"},
      {"regexreplace(s, \"l\", \"$0$0\")", "\"hellllo\""},
      {"regexreplace(s, \"(\", \"\")", "error 17-18 Invalid function argument"},
      {"replace(s, \"/[aeiou]/\", \"-\")", "\"h-ll-\""},
      {"replace(s, \"l\", i)", "\"he77o\""},
      {"cidrcontains(\"10.0.0.0/8\", \"10.0.0.${i}\")", "true"},
      {"cidrcontains(\"10.0.0.0/33\", \"10.0.0.${i}\")", "error 14-25 Invalid function argument"},
      {"cidrhost(\"10.0.0.0/8\", i)", "\"10.0.0.7\""},
      {"cidrsubnet(\"10.0.0.0/8\", i, 1)", "\"10.2.0.0/15\""},
      {"cidrsubnets(\"10.0.0.0/8\", i, 8)", "[\"10.0.0.0/15\",\"10.2.0.0/16\"]"},
      {"format(\"%s-%03d%%\", s, i)", "\"hello-007%\""},
      {"format(\"%[2]s%[1]s\", s, i)", "\"7hello\""},
      {"format(\"%s %k\", s, i)", "error 0-7 Error in function call"},
      {"format(\"%s %\", i)", "error 0-7 Error in function call"},
      {"format(\"x\", i)", "error 12-13 Invalid function argument"},
      {"format(null, i)", "error 7-11 Invalid function argument"},
      {"formatlist(\"%s%s\", [\"a\", \"b\"], i)", "[\"a7\",\"b7\"]"},
      {"[for x in [\"a1\", \"b\"] : can(regex(\"[0-9]\", x))]", "[true,false]"},
  };
  Check(kRows);
}

// Small expressions that ask for much.
TEST(FunctionsTest, WorkAndMemoryAreBounded) {
  CompileOptions options;
  options.limits.max_result_bytes = 10 << 20;
  options.limits.max_fuel = 1'000'000;
  const std::string huge = "[for n in range(1000) : 1e99999]";
  for (const std::string& source : std::vector<std::string>{
           huge,
           "jsonencode(" + huge + ")",
           "join(\",\", " + huge + ")",
           "convert(" + huge + ", list(string))",
           "format(\"%v\", " + huge + ")",
           "formatlist(\"%v\", " + huge + ")",
           "format(\"%999999999d\", i)",
           "indent(999999999, \"a\\nb\")",
           "setproduct(range(1000), range(1000), range(1000))",
           ("[for n in range(1000) : [for m in range(10) : "
            "parseint(join(\"\", [for k in range(20) : \"${m}z${n}\"]), 36)]]"),
           "[for n in range(1000) : can(regex(\"(?:\\\\PL{1000}){1}${n}\", s))]",
           "[for n in range(1000) : sha512(join(\"\", [for k in range(1000) : \"some text${n}\"]))]",
           "[for n in range(1000) : strlen(join(\"\", [for k in range(1000) : \"some text${n}\"]))]",
           ("regexall(\"a(?:.*z)?\", join(\"\", [for n in range(1000) : join(\"\", [for k in range(20) : "
            "\"aaaaaaaaaa\"])]))"),
           "join(\",\", " + huge + ")",
           "convert(" + huge + ", list(string))",
       }) {
    EXPECT_EQ(Harness(options).Eval(source).substr(0, 6), "limit ") << source;
  }
}

TEST(FunctionsTest, ExamplesAreRight) {
  Harness optimized;
  CompileOptions plain;
  plain.optimize = false;
  Harness unoptimized(plain);
  for (FunctionFamily family : kFunctionFamilies) {
    for (const FunctionRecord& record : RecordsOf(family)) {
      EXPECT_EQ(optimized.Eval(record.example), record.example_value) << record.example;
      EXPECT_EQ(unoptimized.Eval(record.example), record.example_value) << record.example;
    }
  }
}

}  // namespace
}  // namespace hcl

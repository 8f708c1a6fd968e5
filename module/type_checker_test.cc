// What is found in a module before it runs, by the types of its variables.

#include "hclvm/module/type_checker.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "hclvm/module/module_test_util.h"

namespace hcl {
namespace {

constexpr char kVariables[] =
    "variable \"user\" { type = object({ name = string, age = optional(number), roles = list(string), "
    "boss = optional(object({ name = string, mail = optional(string) })), tags = optional(map(string), {}) }) }\n"
    "variable \"n\" { type = number }\n"
    "variable \"flag\" { type = bool }\n"
    "variable \"text\" { type = string }\n"
    "variable \"maybe\" {\n  type = string\n  nullable = true\n}\n"
    "variable \"hosts\" { type = list(object({ name = string, port = optional(number) })) }\n"
    "variable \"pair\" { type = tuple([string, number]) }\n"
    "variable \"names\" { type = set(string) }\n"
    "variable \"prices\" { type = map(number) }\n"
    "variable \"free\" {}\n"
    "variable \"unset\" {\n  type = number\n  default = null\n}\n";

// Without those about what nothing uses, and without the place in front.
std::string Findings(const std::string& expression) {
  std::string kept;
  const std::string all = FindingsOf(OneFile(absl::StrCat(kVariables, "x = ", expression, "\n")));
  for (size_t at = 0; at < all.size();) {
    const size_t end = all.find('\n', at);
    std::string line = all.substr(at, end == std::string::npos ? end : end - at);
    at = end == std::string::npos ? all.size() : end + 1;
    if (line.find(" HCL8005 ") != std::string::npos) continue;
    const size_t column = line.find(':', 6);
    kept += (kept.empty() ? "" : "\n") + (column == std::string::npos ? line : line.substr(column + 1));
  }
  return kept.empty() ? "ok" : kept;
}

struct Case {
  const char* expression;
  const char* findings;
};

TEST(TypeCheckerTest, FindsWhatFailsInEveryRun) {
  for (
      const auto& [expression, findings] : std::vector<Case>{
          {"user.name", "ok"},
          {"user.nme",
           "9 HCL3201 user has no attribute \"nme\". Did you mean \"name\"? It is declared at m.hcl line 1."},
          {"user.name.first",
           "14 HCL3201 user.name is a string, which has no attributes or elements. It is declared at m.hcl line 1."},
          {"[for h in hosts : h.nam]", "24 HCL3201 h has no attribute \"nam\". Did you mean \"name\"?"},
          {"hosts[*].nam", "13 HCL3201 element has no attribute \"nam\". Did you mean \"name\"?"},
          {"hosts.name",
           "10 HCL3201 hosts is a list of object, whose elements may have attributes: hosts[0].name or [for e in hosts "
           ": e.name]. It is declared at m.hcl line 9."},
          {"pair[2]", "9 HCL3201 pair has 2 elements, counted from 0. It is declared at m.hcl line 10."},
          {"pair[1] + 1", "ok"},
          {"{ 1 = n }[1] + 1", "ok"},
          {"{ 1.5 = n }[1.5] + 1", "ok"},
          {"{ true = n }[true] + { 2 = n }.2", "ok"},
          {"{ a = n }[1]", "14 HCL3201 the value is an object, which has no numbered elements."},
          {"pair[0] + 1", "ok"},
          {"names[0]",
           "10 HCL3201 names is a set, whose elements have no place. Make a list of it: tolist(...). It is declared at "
           "m.hcl line 11."},
          {"prices.any + prices[\"any\"]", "ok"},
          {"1 + user", "9 HCL3202 This operand must be a number, and is of type object."},
          {"n && flag", "5 HCL3202 This operand must be a bool, and is of type number."},
          {"!hosts", "6 HCL3202 This operand must be a bool, and is of type list of object."},
          {"-flag", "6 HCL3202 This operand must be a number, and is of type bool."},
          {"flag < 3", "5 HCL3202 This operand must be a number, and is of type bool."},
          {"n ? 1 : 2", "5 HCL3205 This condition must be a bool, and is of type number."},
          {"[for h in hosts : h if h.name && n]", "38 HCL3202 This operand must be a bool, and is of type number."},
          {"[for h in n : h]",
           "15 HCL3206 A loop goes over the elements of a list, a set, a tuple, a map or an object, and this is a "
           "number."},
          {"\"a ${user} b\"",
           "10 HCL3207 This part of a text must be a string, a number or a bool, and is of type object."},
          {"upper(user)", "11 HCL3203 The parameter \"str\" of upper takes a string, and this is an object."},
          {"upper(null)", "11 HCL3208 This argument for str is null, which has no value."},
          {"null + 1", "5 HCL3208 This operand is null, which has no value."},
          {"hosts[flag]", "11 HCL3204 This index must be a number, and is of type bool."},
          {"{ (hosts) = 1 }", "7 HCL3204 This key must be a string, and is of type list of object."},
          {"upper(text, [1, 2]...)", "5 HCL3203 A call of upper always fails: it takes fewer arguments than 3."},
          {"upper(text, [free]...)", "5 HCL3203 A call of upper always fails: it takes fewer arguments than 2."},
          {"upper(text, free, names...)", "ok"},
          {"nosuch(1)", "5 HCL3002 There is no function named \"nosuch\"."},
          {"concat(hosts, hosts)[1].name", "ok"},
          {"keys(prices)[1] + 1", "ok"},
          {"keys(user)[0] + 1", "ok"},
          {"length(user.roles).x", "23 HCL3201 the value is a number, which has no attributes or elements."},
          {"try(user.nme, 1)", "ok"},
          {"can(user.nme)", "ok"},
          {"flag ? user.nme : 1",
           "16 HCL3201 user has no attribute \"nme\". Did you mean \"name\"? It is declared at m.hcl line 1."},
      }) {
    EXPECT_EQ(Findings(expression), findings) << expression;
  }
}

TEST(TypeCheckerTest, WarnsOfWhatMayFail) {
  const char* kAge =
      "5 HCL8003 This operand may be null, and that is an error. Test it before: x != null ? ... : ..., or "
      "coalesce(x, ...).";
  for (const auto& [expression, findings] : std::vector<Case>{
           {"user.age + 1", kAge},
           {"user.age > 1 && user.age < 9", kAge},
           {"user.boss.name",
            "14 HCL8003 user.boss may be null, and then this is an error. Test it before: user.boss != null ? ... : "
            "..."},
           {"unset == null ? 0 : unset + 1", "ok"},
           {"unset + 1", kAge},
           {"\"${maybe}!\"",
            "8 HCL8003 This part of a text may be null, and that is an error. Test it before: x != null "
            "? ... : ..., or coalesce(x, ...)."},
           {"upper(maybe)",
            "11 HCL8003 This argument for str may be null, and that is an error. Test it before: x != null "
            "? ... : ..., or coalesce(x, ...)."},
           {"[for h in hosts : h.port + 1]",
            "23 HCL8003 This operand may be null, and that is an error. Test it before: x != null ? ... : ..., or "
            "coalesce(x, ...)."},
           {"free + 1",
            "5 HCL8004 Nothing is known of the type of this operand, so that it may fail. Declare a type, convert it, "
            "or "
            "guard it with try or can."},
           {"free.a.b",
            "9 HCL8004 Nothing is known of the type of free, so that this may fail. Declare a type, or guard it with "
            "try or can."},
           {"[for e in free : e]",
            "15 HCL8004 Nothing is known of the type of this loop, so that it may fail. Declare a type, convert it, or "
            "guard it with try or can."},
           {"user.name == null", "5 HCL8002 The answer is always false, because this value is never null."},
           {"user.age != null", "ok"},
           {"n != null ? n : 0", "5 HCL8002 The answer is always true, because this value is never null."},
           {"user.name == 5",
            "5 HCL8001 The left side is of type string, the right side of type number. Values of different types are "
            "never equal, so this is always false. Convert one side first, with tonumber(...) or tostring(...)."},
       }) {
    std::string want = findings;
    for (size_t at = want.find(" HCL8"); at != std::string::npos; at = want.find(" HCL8", at + 10)) {
      want.insert(at, " warning");
    }
    EXPECT_EQ(Findings(expression), want) << expression;
  }
}

// What a condition has tested, is known where it has passed.
TEST(TypeCheckerTest, NarrowsByConditions) {
  for (const char* expression : {
           "user.age != null ? user.age + 1 : 0",
           "user.age == null ? 0 : user.age + 1",
           "user.age != null && user.age > 3",
           "user.age == null || user.age > 3",
           "!(user.age == null) && user.age > 3",
           "!(user.age == null || user.boss == null) ? \"${user.age}${user.boss.name}\" : \"\"",
           "user.boss != null ? user.boss.name : \"\"",
           "user.boss != null && user.boss.mail != null ? upper(user.boss.mail) : \"\"",
           "can(user.boss.name) ? user.boss.name : \"\"",
           "try(user.boss.name, \"\")",
           "upper(try(user.boss.name, \"\"))",
           "[for h in hosts : h.port + 1 if h.port != null]",
           "[for h in hosts : h.port != null ? h.port + 1 : 0]",
           "alltrue([for h in hosts : h.port == null || h.port > 80])",
           "coalesce(user.age, 0) + 1",
           "coalesce(maybe, text) == \"a\" && upper(coalesce(maybe, text)) == \"A\"",
           "maybe == \"a\" ? upper(maybe) : \"\"",
           "jsonencode(try(free.a, \"\")) == \"a\"",
           "can(free.a) ? jsonencode(free.a) : \"\"",
           "length(hosts) > 0 ? hosts[0].name : \"\"",
           "lookup(user.tags, \"a\", \"\") == \"a\"",
           "lookup({ a = 1, b = 2 }, text, 3) * 2",
           "lookup(prices, text, 3) * 2",
           "merge({a = n}, {b = text}).a + 1",
           "flatten([for h in hosts : [h.name, h.name]])",
           "{for h in hosts : h.name => h.name}",
           "[for k, v in prices : \"${k}${v}\"]",
           "length(hosts) > 0 ? sum([for h in hosts : coalesce(h.port, 0)]) + 1 : 0",
           "[for r in [{ when = flag, then = 1 }, { when = true, then = 2 }] : r.then + 1 if r.when][0]",
           "[for r in user.roles : r if flag ? flag : r]",
           "[for r in user.roles : r if (flag ? 1 : r) == \"a\"]",
           "(flag ? 1 : hosts[1].name) + 1",
           "\"${flag ? 1 : text}\"",
       }) {
    EXPECT_EQ(Findings(expression), "ok") << expression;
  }
}

// What a condition has tried does not fail behind it, whatever it is.
TEST(TypeCheckerTest, NarrowsByWhatWasTried) {
  for (const char* expression : {
           "can(length(free)) && length(free) > 0",
           "can(length(free)) ? length(free) + 1 : 0",
           "can(length(free)) ? [for e in [1] : e + length(free)] : []",
           "!can(length(free)) || length(free) > 0",
           "can(max(free, n)) ? max(free, n) : n",
           "can(free[text]) ? free[text] == 1 : flag",
           "can([free.a, upper(free.b)]) ? upper(free.b) : \"\"",
           "[for h in hosts : upper(h.name) if can(upper(free))]",
           "[for h in [1] : upper(free) if can(upper(free))]",
           "try(user.boss.name, null) != null ? upper(user.boss.name) : \"\"",
           "try(user.boss.mail, null) == null ? \"\" : upper(user.boss.mail)",
           "try(upper(free), null) != null ? upper(free) : \"\"",
           "try(user.boss.mail == \"a\", false) ? upper(user.boss.name) : \"\"",
           "try(user.boss.mail, \"\") == \"a\" && upper(user.boss.mail) == \"A\"",
           "try(user.boss.mail == null, false) ? user.boss.name : \"\"",
           "free == \"a\" ? upper(free) : \"\"",
           "free != 5 || free + 1 == 6",
           "contains([\"a\", \"b\"], free) ? upper(free) : \"\"",
           "contains([1, 2], user.age) ? user.age + 1 : 0",
           "can(keys(free)) && contains(keys(free), \"a\") ? jsonencode(free.a) : \"\"",
           "can(keys(free)) && contains(keys(free), text) ? jsonencode(free[text]) : \"\"",
           "[for o in [flag ? {a = n, b = n} : {a = n}] : contains(keys(o), \"b\") ? jsonencode(o.b) : \"\"]",
       }) {
    EXPECT_EQ(Findings(expression), "ok") << expression;
  }
}

// The other branch, another value, and what a fallback hides.
TEST(TypeCheckerTest, NarrowsNoFurther) {
  for (const char* expression : {
           "can(length(free)) ? 1 : length(free)",
           "can(length(free)) || length(free) > 0",
           "can(length(free)) ? length(free.a) : 0",
           "can(flag ? upper(free) : \"\") ? upper(free) : \"\"",
           "can([for h in hosts : upper(free)]) ? upper(free) : \"\"",
           "can(flag && upper(free) == \"A\") ? upper(free) : \"\"",
           "can(try(upper(free), 1)) ? upper(free) : \"\"",
           "try(user.boss.name, \"\") != null ? upper(user.boss.name) : \"\"",
           "try(user.boss.name, null) == null ? upper(user.boss.name) : \"\"",
           "try(user.boss.mail == \"a\", true) ? upper(user.boss.name) : \"\"",
           "try(user.boss.mail == \"a\", \"true\") ? upper(user.boss.name) : \"\"",
           "try(user.boss.mail, \"a\") == \"a\" ? upper(user.boss.mail) : \"\"",
           "try(free, \"a\") == null ? upper(free) : \"\"",
           "free != \"a\" ? upper(free) : \"\"",
           "contains([\"a\", 1], free) ? upper(free) : \"\"",
           "contains([\"a\", null], free) ? upper(free) : \"\"",
           "contains([free], \"a\") ? upper(free) : \"\"",
           "can(keys(free)) && contains(keys(free), \"a\") ? free.b : \"\"",
           "can(keys(free)) && contains(keys(free), text) ? free[user.name] : \"\"",
           "can(keys(free)) && !contains(keys(free), text) ? free[text] : \"\"",
       }) {
    EXPECT_NE(Findings(expression).find(" warning HCL800"), std::string::npos) << expression << Findings(expression);
  }
}

// Values of different types are never equal, wherever the types come from.
TEST(TypeCheckerTest, TellsComparisonsWithOneAnswer) {
  const std::string told = "5 warning HCL8001 One side is a ";
  const std::string never = "Values of different types are never equal, so this is always ";
  for (const auto& [expression, part] : std::vector<Case>{
           {"user.roles[0] == 3", "string, the other one a number"},
           {"text == prices[text]", "string, the other one a number"},
           {"hosts[0].name != true", "string, the other one a bool"},
           {"length(hosts) == \"3\"", "number, the right side of type string"},
           {"hosts[0] == \"a\"", "is an object, the other one a string"},
           {"hosts[*].name == \"a\"", "list of string, the other one a string"},
       }) {
    const std::string found = Findings(expression);
    EXPECT_NE(found.find("HCL8001"), std::string::npos) << expression << found;
    EXPECT_NE(found.find(part), std::string::npos) << expression << found;
  }
  EXPECT_EQ(Findings("user.roles[1] == 3"), told + "string, the other one a number. " + never +
                                                "false. Convert one side first, with tonumber(...) or tostring(...).");
  EXPECT_EQ(Findings("[for r in user.roles : r if r != flag]"),
            "33 warning HCL8001 One side is a string, the other one a bool. " + never +
                "true. Convert one side first, with tobool(...) or tostring(...).");
  EXPECT_EQ(Findings("user == {}"),
            "5 warning HCL8001 One side is an object, the other one an object. " + never +
                "false. Only one side has the attribute \"age\". Compare attributes one by one.");
  EXPECT_NE(Findings("hosts[0] != { name = text }").find("always true. Only one side has the attribute \"port\""),
            std::string::npos);
  for (const char* expression :
       {"hosts[0] == { name = text, port = n }", "hosts[0] == (flag ? { name = text } : { port = n })",
        "prices == user", "user.tags == {}", "free == {}", "[{ a = 1 }, { b = n }][n] == { a = n }"}) {
    EXPECT_EQ(Findings(expression).find("Only one side"), std::string::npos) << expression << Findings(expression);
  }
  for (const char* expression :
       {"hosts[0].port == user.age", "hosts[0].port == maybe", "free == 1", "free.a == \"a\"",
        "try(free.a, 1) == \"a\"", "true == (flag ? true : n ? 1 : \"\")", "true == (flag ? true : \"${hosts}\")",
        "(flag ? 1 : \"a\") == \"1\"", "user.tags[\"a\"] == text"}) {
    EXPECT_EQ(Findings(expression).find("HCL8001"), std::string::npos) << expression << Findings(expression);
  }
}

// A text may be one of a number or a bool, and where it stands in the source it is seen whether it is.
TEST(TypeCheckerTest, LooksAtConstantTexts) {
  for (const auto& [expression, findings] : std::vector<Case>{
           {"text + 1", "ok"},
           {"\"5\" + n", "ok"},
           {"\"five\" + n",
            "5 HCL3202 This operand must be a number, and is a text that is none. Texts are joined by a "
            "template: \"${a}${b}\"."},
           {"\"true\" && flag", "ok"},
           {"flag || \"yes\"",
            "13 HCL3202 This operand must be a bool, and is a text that is none. \"||\" gives true or false; "
            "coalesce(a, b) "
            "gives the first that is not null, try(a, b) the first without an error."},
           {"\"no\" ? 1 : 2", "5 HCL3205 This condition must be a bool, and is a text that is none."},
           {"hosts[-1].name",
            "10 HCL3201 No index is negative: elements are counted from 0, and the last one is list[length(list) - "
            "1]."},
           {"user.roles[\"-2\"]",
            "15 HCL3201 No index is negative: elements are counted from 0, and the last one is list[length(list) - 1]. "
            "It is declared at m.hcl line 1."},
           {"pair[0.5]", "9 HCL3201 An index is a whole number. It is declared at m.hcl line 10."},
           {"prices[-1]", "ok"},
           {"can(hosts[-1])", "ok"},
           {"hosts[\"0\"].name", "ok"},
           {"hosts[\"first\"].name",
            "10 HCL3204 This index must be a number, as hosts is a list of object, and it is a text."},
           {"prices[\"first\"]", "ok"},
           {"[for e in [] : e if e[null]]", "26 HCL3204 This index is null, which finds nothing."},
           {"[for e in {} : e if e[\"a\"][null].b]", "31 HCL3204 This index is null, which finds nothing."},
           {"[for e in [] : e if e[flag ? null : null]]", "27 HCL3208 This index is null, which has no value."},
           {"[for e in [] : e if e[0][true].a]", "ok"},
           {"[for e in [] : e if can(e[null])]", "ok"},
           {"pair[\"x\"]", "9 HCL3204 This index must be a number, as pair is a tuple, and it is a text."},
       }) {
    EXPECT_EQ(Findings(expression), findings) << expression;
  }
}

// What is an error in some runs only is a warning: the other side decides, or a loop gives nothing.
TEST(TypeCheckerTest, TellsErrorsOnlyOfWhatAlwaysFails) {
  for (const auto& [expression, findings] : std::vector<Case>{
           {"flag && null",
            "13 warning HCL8003 This operand is null, and that is an error unless the other side decides."},
           {"flag && user.age",
            "13 warning HCL8003 This operand may be null, and that is an error. Test it before: x != null ? ... : ..., "
            "or coalesce(x, ...)."},
           {"flag && (user.age != null ? user.age : 1)",
            "13 HCL3202 This operand must be a bool, and is of type number."},
           {"join(\",\", hosts)",
            "15 HCL3203 The parameter \"lists\" of join takes a list of string, and this is a list of object."},
           {"join(\",\", [for h in hosts : h])",
            "15 warning HCL8004 The parameter \"lists\" of join takes a list of string, and this is a list of "
            "object: it fits only where there are no elements, or nulls."},
           {"upper(user)", "11 HCL3203 The parameter \"str\" of upper takes a string, and this is an object."},
           {"assumelistlengthmin(1, 1)",
            "25 HCL3203 The parameter \"value\" of assumelistlengthmin takes a list, and this is a number."},
           {"assumelistlengthmin(flag ? null : 1, 1)",
            "25 warning HCL8004 The parameter \"value\" of assumelistlengthmin takes a list, and this is a number: it "
            "fits only where there are no elements, or nulls."},
           {"join(\",\", [hosts])",
            "15 HCL3203 The parameter \"lists\" of join takes a list of string, and this is a tuple."},
           {"contains(text, \"a\")",
            "5 HCL3203 A call of contains always fails: a list, tuple or set is required, not a string."},
           {"length(text)",
            "5 HCL3203 A call of length always fails: a list, set, map or tuple is required, not a string; strlen "
            "counts the characters of a text."},
           {"length(hosts)", "ok"},
           {"length(user.tags)", "ok"},
       }) {
    EXPECT_EQ(Findings(expression), findings) << expression;
  }
  // The key may be a text, and then it is the answer.
  EXPECT_EQ(Findings("\"%{ for k, v in free }${try(k, [])}%{ endfor }\"").find("HCL32"), std::string::npos);
}

// Functions that put together what they get: nothing is told of what cannot fail.
TEST(TypeCheckerTest, KnowsElementsOfWhatIsPutTogether) {
  for (const char* expression : {
           "[for e in concat(user.roles, [\"a\"]) : upper(e)]",
           "[for e in concat(user.roles, [text], []) : upper(e)][0]",
           "[for e in flatten([user.roles, [\"a\"], [[text]]]) : upper(e)]",
           "[for k, v in merge(user.tags, { a = \"b\" }) : upper(v)]",
           "join(\",\", sort(tolist(names)))",
           "[for e in tolist(names) : upper(e)]",
           "[for e in toset([for h in hosts : h.name]) : upper(e)]",
           "[for k, v in tomap({ for h in hosts : h.name => h.name }) : upper(v)]",
           "sort(toset([text, \"a\"]))",
           "length(hosts) > 0 ? element(hosts, 0).name : \"\"",
           "length(user.roles) > 0 && element(user.roles, 1) == text",
           "max(0, [for h in hosts : h.name == text ? 1 : 2]...)",
       }) {
    EXPECT_EQ(Findings(expression), "ok") << expression;
  }
}

// What may be there or not, or has other attributes, stays unknown.
TEST(TypeCheckerTest, TellsOfWhatIsPutTogetherAndMayFail) {
  for (const auto& [expression, part] : std::vector<Case>{
           {"upper(concat([maybe], user.roles)[0])", "HCL8003 This argument for str may be null"},
           {"[for e in concat(hosts, [{ name = 1, port = 2 }]) : upper(e.name)]", "HCL8004 Nothing is known"},
           {"element(hosts, 0).port + 1", "HCL8003 This operand may be null"},
           {"[for k, v in (flag ? { for h in hosts : h.name => n } : { for r in user.roles : r => n }) : v + 1]",
            "HCL8003 This operand may be null"},
           {"[for x in [[for h in hosts : { for r in user.roles : r => n }]] : (flag ? x[0] : x[1]).a + 1]",
            "HCL8003 This operand may be null"},
           {"element([maybe], 0) + 1", "HCL8003 This operand may be null"},
           {"[for e in setsubtract(coalescelist([1, null], pair), []) : e + 1]", "HCL8003 This operand may be null"},
           {"1 + merge(prices, { a = null }).a", "HCL8003 This operand may be null"},
           {"[for e in flatten([user.roles, free]) : upper(e)]", "HCL8004 Nothing is known"},
           {"sort(free == 1 ? [] : tolist(free))", "HCL8004"},
           {"[for e in concat(user.roles, free) : upper(e)]", "HCL8004 Nothing is known"},
           // A list without elements has any type.
           {"alltrue(tolist([for h in hosts : 1]))", "HCL8004 The parameter \"list\" of alltrue takes a list of bool"},
           {"tolist([for h in hosts : { for k in user.roles : k => 1 }])[0].a + 1", "HCL8004 Nothing is known"},
           {"min(1, [for h in hosts : [] if flag]...)", "HCL8004 The parameter \"numbers\" of min takes a number"},
           {"min(1, [for h in hosts : null]...)", "HCL8003 All elements of this argument for numbers are null"},
           // What is made a text stays what it is where the text fails, or a loop goes over nothing.
           {"[for r in user.roles : r if flag ? 1 : r]", "HCL8004 This condition is made a text, and stays a number"},
           {"[for k, p in prices : p if coalesce(n, k)]", "HCL8004 This condition is made a text, and stays a number"},
           {"(flag ? 1 : hosts[5].name) && flag", "HCL8004 This operand is made a text, and stays a number"},
           {"(flag ? true : hosts[5].name) + 1", "HCL8004 This operand is made a text, and stays a bool"},
           {"alltrue([for h in hosts : flag ? n : h.name])", "HCL8004 The parameter \"list\" of alltrue takes"},
           {"!(flag ? coalesce(n, text) : user.tags.a)", "HCL8004 This operand is made a text"},
           // What is expanded gives arguments for other parameters.
           {"join(user.roles...)",
            "HCL8004 The parameter \"lists\" of join takes a list of string, and this is a string: it "
            "fits only where there are fewer elements"},
           {"join([\",\", text]...)", "HCL3203 The parameter \"lists\" of join takes a list of string"},
           // Values decide what a list becomes beside a tuple.
           {"setunion([user.roles, [\"a\", \"b\"]], user.roles)", "HCL8004 A call of setunion may fail"},
           // Constants that a number or a bool is made of, and calls that have nothing else.
           {"abs(\"x\")", "HCL3203 This constant is never right for num of abs: a number is required"},
           {"alltrue([\"x\"])", "HCL3203 This constant is never right for list of alltrue: [0]: a bool is required"},
           {"indent(-1, \"a\")", "HCL3209 This constant is never right for spaces of indent: the number of spaces"},
           {"try()", "HCL3203 A call of try always fails: at least one argument is required"},
           {"flag ? try([for h in hosts : keys(h.name)], [[]]) : [for h in hosts : h.name]", "HCL8004 Both results"},
           // The first attempt never fails, so that the second one is nobody's.
           {"flag ? try([flag], 1) : [for h in hosts : n if flag]", "HCL8004 Both results of a conditional"},
           {"min(1, [[], []]...)", "HCL3203 The parameter \"numbers\" of min takes a number"},
       }) {
    EXPECT_NE(Findings(expression).find(part), std::string::npos) << expression << "\n" << Findings(expression);
  }
}

TEST(TypeCheckerTest, ComparesDeclaredCollectionsWithLiterals) {
  const std::string list =
      "HCL8001 One side is a list of object, the other one a tuple. Values of different types are "
      "never equal, so this is always ";
  EXPECT_EQ(Findings("hosts == []"), "5 warning " + list + "false. Compare the length with 0.");
  EXPECT_EQ(Findings("[1] != hosts"), "5 warning " + list + "true. Convert one side first.");
  EXPECT_EQ(Findings("[for h in hosts : 1] == []"), "ok");
  EXPECT_EQ(Findings("hosts == hosts"), "ok");
  EXPECT_EQ(Findings("free == []"), "ok");
}

TEST(TypeCheckerTest, LooksAtConditionsOfValidations) {
  const auto findings = [](const char* condition) {
    return FindingsOf(
        OneFile(absl::StrCat("variable \"v\" {\n  type = string\n  validation {\n    condition = ", condition,
                             "\n    error_message = \"no\"\n  }\n}\nvariable \"w\" {}\nx = [v, w]\n")));
  };
  EXPECT_EQ(findings("v != \"\""), "ok");
  EXPECT_EQ(findings("[v]"),
            "m.hcl:4:17 HCL3205 The condition of a validation must be true or false, and this one is of type tuple.\n");
  // Nothing is converted here.
  EXPECT_EQ(
      findings("v"),
      "m.hcl:4:17 HCL3205 The condition of a validation must be true or false, and this one is of type string.\n");
  EXPECT_EQ(findings("null"), "m.hcl:4:17 HCL3208 This condition is null, which has no value.\n");
  EXPECT_EQ(findings("w"),
            "m.hcl:4:17 warning HCL8004 Nothing is known of the type of this condition, so that it may fail. Declare a "
            "type, convert it, or guard it with try or can.\n");
}

// What is misspelled may be what nothing else uses, and is told once.
TEST(TypeCheckerTest, TellsAWrongNameOnce) {
  EXPECT_EQ(FindingsOf(OneFile("variable \"limit\" { type = number }\nx = limt * 2 + limt.a\n")),
            "m.hcl:2:5 HCL3101 The module declares no variable \"limt\". Did you mean \"limit\"?\n"
            "m.hcl:2:16 HCL3101 The module declares no variable \"limt\". Did you mean \"limit\"?\n");
}

TEST(TypeCheckerTest, LooksAtResultsOfFunctions) {
  EXPECT_EQ(FindingsOf(OneFile("function \"f\" {\n  params = [n]\n  result = [n] + 1\n}\nx = f(1)\n")),
            "m.hcl:3:12 HCL3202 This operand must be a number, and is of type tuple.\n");
  EXPECT_EQ(ErrorsOf(OneFile("function \"f\" {\n  params = [n]\n  result = uper(n)\n}\nx = f(1)\n")),
            "m.hcl:3:12 HCL3002 There is no function named \"uper\". Did you mean \"upper\"?\n");
}

// The work is proportional to the text, however forms stand in each other: a test that does not end would show it.
TEST(TypeCheckerTest, LooksAtEachExpressionOnce) {
  for (const std::string form : {"(# == null)", "(can(#) ? 1 : 2)", "(# != null ? # : 1)", "(try(#, 1) == null)"}) {
    std::string text = "maybe";
    for (int n = 0; n < 60; ++n) {
      std::string next;
      for (const char c : form)
        next += c != '#' ? std::string(1, c) : next.find(text) == std::string::npos ? text : "n";
      text = next;
    }
    FindingsOf(OneFile(absl::StrCat(kVariables, "x = ", text, "\n")));
  }
}

TEST(TypeCheckerTest, WarnsOfWhatNothingUses) {
  const std::string text =
      "variable \"a\" {\n  type = number\n  validation {\n    condition = b > 0\n    error_message = \"no\"\n  }\n}\n"
      "variable \"b\" { type = number }\nvariable \"c\" {}\nlocals {\n  x = 1\n  y = local.x\n}\n"
      "function \"f\" {\n  params = []\n  result = 1\n}\nv = a\n";
  EXPECT_EQ(FindingsOf(OneFile(text)),
            "m.hcl:9:10 warning HCL8005 Nothing reads the variable \"c\".\n"
            "m.hcl:12:3 warning HCL8005 Nothing reads the local \"y\".\n"
            "m.hcl:14:10 warning HCL8005 Nothing calls the function \"f\".\n");
  EXPECT_EQ(FindingsOf(OneFile("variable \"c\" {} # hclvm:ignore HCL8005\nv = 1\n")), "ok");
  EXPECT_EQ(FindingsOf(OneFile("# hclvm:ignore HCL8005\nvariable \"c\" {}\nv = 1\n")), "ok");
  EXPECT_EQ(FindingsOf(OneFile("# hclvm:ignore HCL8004\nvariable \"c\" {}\nv = 1\n")),
            "m.hcl:2:10 warning HCL8005 Nothing reads the variable \"c\".\n");
  EXPECT_EQ(FindingsOf(OneFile("variable \"c\" {}\nv = 1\n"), /*strict=*/true),
            "m.hcl:1:10 HCL8005 Nothing reads the variable \"c\".\n");
}

}  // namespace
}  // namespace hcl

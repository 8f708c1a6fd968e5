// Expressions beside others that do more. Tested by
// bench/spelling_test.cc.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "hclvm/base/source.h"
#include "hclvm/bench/spelling_groups.h"
#include "hclvm/bench/workload.h"
#include "hclvm/vm/program.h"

namespace hcl::bench {
namespace {

constexpr SpellingKind kMoreWork = SpellingKind::kMoreWork;

std::vector<std::string> Requests() {
  return {
      R"({"r": {"role": "admin", "path": "/v1/users/42", "mail": "ann@example.com"}})",
      R"({"r": {"role": "viewer", "path": "/v1/groups/a-long-name", "mail": "bob@example.org"}})",
  };
}

SpellingGroup WorkGroup(const std::string& name, std::vector<SpellingForm> forms, std::vector<std::string> scopes) {
  return {name, kMoreWork, std::move(forms), std::move(scopes)};
}

// The same expression over another scope.
SpellingForm Over(const std::string& source, const std::string& name, const std::string& scope) {
  return {source, name, 1, SourceKind::kExpression, {scope}};
}

// The same with letters of one byte, of two, and of three.
void AddScripts(std::vector<SpellingGroup>* groups) {
  for (const char* expression : {R"("<${s}>")", "lower(s)", "strlen(s)", "jsonencode(s)"}) {
    groups->push_back(
        WorkGroup(absl::StrCat("letters of `", expression, "`"),
                  {Over(expression, "ASCII", R"({"s": "Anton from Muenchen"})"),
                   Over(expression, "some are not", R"({"s": "Zo\u00eb from M\u00fcnchen"})"),
                   Over(expression, "none is",
                        R"({"s": "\u6771\u4eac\u90fd\u5343\u4ee3\u7530\u533a\u304b\u3089\u6765\u307e\u3057\u305f"})")},
                  {}));
  }
}

void AddTexts(std::vector<SpellingGroup>* groups) {
  const std::unique_ptr<Workload> workload = LoadWorkload("W1");
  const std::string policy(workload->program->source().text());
  SpellingGroup group =
      WorkGroup("policy W1",
                {{policy, "as it is"},
                 {absl::StrReplaceAll(policy, {{"startswith", "strcontains"}}), "`strcontains`"},
                 {absl::StrReplaceAll(policy, {{"request.token", "lower(request.token)"}}), "`lower(request.token)`"},
                 {absl::StrReplaceAll(policy, {{"request.path", "lower(request.path)"}}), "`lower(request.path)`"}},
                WorkloadScopes("W1"));
  groups->push_back(std::move(group));
  groups->push_back(WorkGroup("part of a text",
                              {{R"(startswith(r.path, "/v1/"))"},
                               {R"(endswith(r.path, "42"))"},
                               {R"(strcontains(r.path, "users"))"},
                               {R"(substr(r.path, 0, 4) == "/v1/")"},
                               {R"(split("/", r.path)[1] == "v1")"},
                               {R"(can(regex("^/v1/", r.path)))"},
                               {R"(length(regexall("^/v1/", r.path)) > 0)"}},
                              Requests()));
  groups->push_back(WorkGroup("around an argument",
                              {{R"(r.role == "admin")"},
                               {R"(lower(r.role) == "admin")"},
                               {R"(upper(r.role) == "ADMIN")"},
                               {R"(trimspace(r.role) == "admin")"},
                               {R"(replace(r.role, "-", "_") == "admin")"}},
                              Requests()));
  groups->push_back(WorkGroup("texts put together",
                              {{R"("${r.role}:${r.path}")"},
                               {R"(join(":", [r.role, r.path]))"},
                               {R"(format("%s:%s", r.role, r.path))"},
                               {R"("%{for x in [r.role, ":", r.path]}${x}%{endfor}")"}},
                              Requests()));
  groups->push_back(WorkGroup(
      "length of a text",
      {Over(R"(s == "12345678")", "8 bytes", R"({"s": "12345678"})"),
       Over(R"(s == "1234567890123456")", "16 bytes", R"({"s": "1234567890123456"})"),
       Over(R"(s == "12345678901234567890123456789012")", "32 bytes", R"({"s": "12345678901234567890123456789012"})")},
      {}));
}

// The second form of each looks at less when something fails, so that the meaning is not the same.
void AddConditions(std::vector<SpellingGroup>* groups) {
  groups->push_back(WorkGroup("condition of bools", {{"c && a < b"}, {"c ? a < b : false"}, {"!c ? false : a < b"}},
                              {R"({"a": 1, "b": 2, "c": true})", R"({"a": 1, "b": 2, "c": false})"}));
  groups->push_back(WorkGroup("filter of a filtered list",
                              {{"[for u in us : u.id if u.ok && u.age >= 18]"},
                               {"[for u in us : u.id if u.ok ? u.age >= 18 : false]"},
                               {"[for v in [for u in us : u if u.ok] : v.id if v.age >= 18]"}},
                              {R"({"us": [{"id": "u1", "age": 17, "ok": true}, {"id": "u2", "age": 18, "ok": false},
                                          {"id": "u3", "age": 40, "ok": true}, {"id": "u4", "age": 41, "ok": true}]})"}));
}

void AddNumbers(std::vector<SpellingGroup>* groups) {
  const std::string sum = "a * 2 + b > d";
  groups->push_back(WorkGroup("numbers of a sum",
                              {Over(sum, "integers", R"({"a": 3, "b": 4, "d": 5})"),
                               Over(sum, "decimals", R"({"a": 3.5, "b": 4.25, "d": 5.125})"),
                               Over(sum, "over 32 bits", R"({"a": 9000000000, "b": 4, "d": 5})"),
                               Over(sum, "over 64 bits", R"({"a": 12345678901234567890123, "b": 4, "d": 5})"),
                               Over(sum, "strings", R"({"a": "3", "b": "4", "d": "5"})")},
                              {}));
  const std::string quotient = "a / b + a % b";
  groups->push_back(WorkGroup(
      "numbers of a quotient",
      {Over(quotient, "integers", R"({"a": 12, "b": 4})"), Over(quotient, "a remainder", R"({"a": 12, "b": 5})"),
       Over(quotient, "negative", R"({"a": -12, "b": 4})"), Over(quotient, "no end", R"({"a": 10, "b": 3})")},
      {}));
  groups->push_back(WorkGroup("number from a text",
                              {Over("try(tonumber(s), 0)", "it is one", R"({"s": "42"})"),
                               Over("try(tonumber(s), 0)", "it is none", R"({"s": "no"})"),
                               Over("can(tonumber(s)) ? tonumber(s) : 0", "`can(tonumber(s)) ? …`", R"({"s": "42"})")},
                              {}));
}

// What is tried, where it succeeds and where it fails.
void AddFailures(std::vector<SpellingGroup>* groups) {
  struct Pair {
    const char* source;
    const char* succeeds;
    const char* fails;
  };
  constexpr Pair kPairs[] = {
      {"try(tobool(s), false)", R"({"s": "true"})", R"({"s": "maybe"})"},
      {"try(parseint(s, 10), 0)", R"({"s": "42"})", R"({"s": "42x"})"},
      {"try(upper(s), 0)", R"({"s": "a"})", R"({"s": [1]})"},
      {"try(jsondecode(s), 0)", R"({"s": "[1, 2]"})", R"({"s": "[1, 2"})"},
      {"try(timeadd(s, \"1h\"), 0)", R"({"s": "2024-01-02T03:04:05Z"})", R"({"s": "2024-01-02"})"},
      {"try(cidrhost(s, 5), 0)", R"({"s": "10.0.0.0/8"})", R"({"s": "10.0.0/8"})"},
      {"try(l[i], 0)", R"({"l": [1, 2, 3], "i": 2})", R"({"l": [1, 2], "i": 2})"},
      {"try(element(l, i), 0)", R"({"l": [1, 2, 3], "i": 2})", R"({"l": [], "i": 2})"},
      {"try(x + 1, 0)", R"({"x": 1})", R"({"x": "abc"})"},
      {"can(x > 1)", R"({"x": 1})", R"({"x": "abc"})"},
      {"try(!x, false)", R"({"x": true})", R"({"x": "abc"})"},
      {"try(x && y, false)", R"({"x": true, "y": true})", R"({"x": "abc", "y": true})"},
      {"try(x > 1 && y, false)", R"({"x": 2, "y": true})", R"({"x": "abc", "y": true})"},
      {"try(a.x == \"q\" && b.y == 1, false)", R"({"a": {"x": "q"}, "b": {"y": 1}})", R"({"a": {}, "b": {"y": 1}})"},
      {"try(\"<${o.b}>\", \"\")", R"({"o": {"b": "x"}})", R"({"o": {}})"},
      {"try(o.a, 0)", R"({"o": {"a": 1}})", R"({"o": {"b": 1}})"},
      {"try(l[3], 0)", R"({"l": [1, 2, 3, 4]})", R"({"l": [1, 2, 3]})"},
      {"try(length(x), 0)", R"({"x": [1]})", R"({"x": 5})"},
      {"try(l[length(l) - 1], 0)", R"({"l": [1, 2, 3]})", R"({"l": []})"},
      {"try([for e in l : e if e == x][0], 0)", R"({"l": [1, 2, 3], "x": 3})", R"({"l": [1, 2, 3], "x": 4})"},
      {"try(anytrue([for e in l : e.x == 1]), false)", R"({"l": [{"x": 0}, {"x": 1}]})", R"({"l": [{"x": 0}, {}]})"},
      {"try(sum([for e in l : e.x]), 0)", R"({"l": [{"x": 0}, {"x": 1}]})", R"({"l": [{"x": 0}, {}]})"},
      {"try(c.x == \"a\" ? c.y : 0, 1)", R"({"c": {"x": "a", "y": 2}})", R"({"c": {"y": 2}})"},
      {"try(coalesce(a, b), 0)", R"({"a": 1, "b": 2})", R"({"a": null, "b": null})"},
      {"try(a % b, 0)", R"({"a": 8, "b": 2})", R"({"a": 8, "b": 0})"},
      {"try(max(a, b), 0)", R"({"a": 8, "b": 2})", R"({"a": [], "b": 2})"},
      {"try(tonumber(s), 0) == null", R"({"s": "42"})", R"({"s": null})"},
      {"try(x == \"a\" && y, false)", R"({"x": "a", "y": true})", R"({"x": "a", "y": null})"},
      {"try(join(\",\", l), \"\")", R"({"l": ["a", "b"]})", R"({"l": [["a"], "b"]})"},
      {"alltrue([for e in l : can(tonumber(e))])", R"({"l": ["1", "2", "3"]})", R"({"l": ["1", "2", "x"]})"},
      {"try(tonumber(a), tonumber(b), 0)", R"({"a": "1", "b": "2"})", R"({"a": "x", "b": "y"})"},
      {"try([x + 1, y], 0)", R"({"x": 1, "y": 2})", R"({"x": "abc", "y": 2})"},
      {"try({a = upper(s)}, 0)", R"({"s": "a"})", R"({"s": [1]})"},
      {"try(upper(\"a${s}\"), 0)", R"({"s": "a"})", R"({"s": null})"},
      {"try(x + 1, y.a, 0)", R"({"x": 1, "y": {}})", R"({"x": null, "y": {}})"},
      {"try(try(x + 1), 0)", R"({"x": 1})", R"({"x": null})"},
      {"try(lookup(m, \"a\", 1), 0)", R"({"m": {"a": 2}})", R"({"m": null})"},
      {"try(x && y && z, false)", R"({"x": true, "y": true, "z": true})", R"({"x": true, "y": "abc", "z": true})"},
      {"try(x || y, false)", R"({"x": false, "y": true})", R"({"x": false, "y": null})"},
      {"try(x && y || z, false)", R"({"x": true, "y": true, "z": false})", R"({"x": "abc", "y": true, "z": false})"},
      {"try(x || y || z, false)", R"({"x": false, "y": false, "z": true})", R"({"x": false, "y": false, "z": null})"},
      {"try(x && y ? 1 : 2, 0)", R"({"x": true, "y": true})", R"({"x": "abc", "y": true})"},
      {"try(alltrue(l), false)", R"({"l": [true, true]})", R"({"l": [true, null]})"},
      {"try(alltrue([for e in l : e.x]), false)", R"({"l": [{"x": true}, {"x": true}]})",
       R"({"l": [{"x": true}, {"x": null}]})"},
      {"try(alltrue([for e in l : e.x && e.y]), false)", R"({"l": [{"x": true, "y": true}]})",
       R"({"l": [{"x": "abc", "y": true}]})"},
      {"try(c ? (d ? a : b) : 0, 1)", R"({"c": true, "d": true, "a": 1, "b": 2})",
       R"({"c": true, "d": null, "a": 1, "b": 2})"},
      {"try(c ? \"a${s}\" : 0, 1)", R"({"c": true, "s": "b"})", R"({"c": true, "s": null})"},
      {"try(c ? l[i].a : 0, 1)", R"({"c": true, "i": 0, "l": [{"a": 1}]})", R"({"c": true, "i": 0, "l": [5]})"},
      {"try(\"%{ if c }a${s}%{ endif }\", \"\")", R"({"c": true, "s": "b"})", R"({"c": true, "s": null})"},
      {"try(join(\",\", [for e in l : e.s]), \"\")", R"({"l": [{"s": "a"}, {"s": "b"}]})",
       R"({"l": [{"s": "a"}, {}]})"},
  };
  SpellingGroup group = WorkGroup("what is tried", {}, {});
  for (const Pair& pair : kPairs) {
    group.forms.push_back(Over(pair.source, absl::StrCat("`", pair.source, "`, succeeds"), pair.succeeds));
    group.forms.push_back(Over(pair.source, absl::StrCat("`", pair.source, "`, fails"), pair.fails));
  }
  groups->push_back(std::move(group));
}

void AddMisses(std::vector<SpellingGroup>* groups) {
  const std::string rate = "o.c != null ? o.c.rate : 0";
  groups->push_back(
      WorkGroup("null or set",
                {Over(rate, "set", R"({"o": {"c": {"rate": 7}}})"), Over(rate, "null", R"({"o": {"c": null}})"),
                 Over("try(o.c.rate, 0)", "`try`, set", R"({"o": {"c": {"rate": 7}}})"),
                 Over("try(o.c.rate, 0)", "`try`, null", R"({"o": {"c": null}})"),
                 Over("try(o.c.rate, 0)", "`try`, missing", R"({"o": {}})")},
                {}));
  const std::string hit = R"({"m": {"a": 1, "b": 2, "c": 3}, "k": "b"})";
  const std::string miss = R"({"m": {"a": 1, "b": 2, "c": 3}, "k": "x"})";
  groups->push_back(
      WorkGroup("lookup",
                {Over("lookup(m, k, 0)", "`lookup`, a hit", hit), Over("lookup(m, k, 0)", "`lookup`, a miss", miss),
                 Over("try(m[k], 0)", "`try`, a hit", hit), Over("try(m[k], 0)", "`try`, a miss", miss),
                 Over("contains(keys(m), k) ? m[k] : 0", "`contains(keys(m), k)`, a hit", hit)},
                {}));
  const auto names = [](int count) {
    std::vector<std::string> list;
    for (int i = 0; i < count; ++i) list.push_back(absl::StrCat("\"name-", i, "\""));
    return absl::StrCat("contains([", absl::StrJoin(list, ", "), "], s)");
  };
  groups->push_back(WorkGroup(
      "length of a literal list",
      {Over(names(3), "3, a hit", R"({"s": "name-2"})"), Over(names(3), "3, a miss", R"({"s": "other"})"),
       Over(names(8), "8, a miss", R"({"s": "other"})"), Over(names(9), "9, a miss", R"({"s": "other"})"),
       Over(names(64), "64, a hit", R"({"s": "name-63"})"), Over(names(64), "64, a miss", R"({"s": "other"})")},
      {}));
}

// What may be null, and what stands for it then.
void AddGuards(std::vector<SpellingGroup>* groups) {
  const std::string set = R"({"o": {"l": ["a", "b"], "m": {"a": 1}}, "x": "b"})";
  groups->push_back(WorkGroup("list that may be null",
                              {{"contains(o.l, x)"},
                               {"contains(try(o.l, []), x)"},
                               {"contains(o.l != null ? o.l : [], x)"},
                               {"contains(o.l == null ? [] : o.l, x)"},
                               {"contains(coalesce(o.l, []), x)"},
                               {"contains(lookup(o, \"l\", []), x)"}},
                              {set}));
  groups->push_back(WorkGroup("length of a list that may be null",
                              {{"length(o.l) > 0"},
                               {"length(o.l != null ? o.l : []) > 0"},
                               {"length(coalesce(o.l, [])) > 0"},
                               {"anytrue([for v in coalesce(o.l, []) : v == x])"}},
                              {set}));
  groups->push_back(WorkGroup("object that may be null",
                              {{"try(o.m.a, 0)"},
                               {"(o.m != null ? o.m : {}).a"},
                               {"coalesce(o.m, {}).a"},
                               {"lookup(coalesce(o.m, {}), \"a\", 0)"}},
                              {set}));
}

// Objects and lists of which a part is asked.
void AddParts(std::vector<SpellingGroup>* groups) {
  const std::vector<std::string> mappings = {
      R"({"d": {"env": "prod", "tier": "web", "zone": "eu"}, "o": {"env": "dev"}})"};
  groups->push_back(WorkGroup(
      "attribute of two objects",
      {{"try(o.env, d.env)"}, {"merge(d, o).env"}, {"merge(d, o)[\"tier\"]"}, {"merge({env = 1}, o).env"}}, mappings));
  groups->push_back(WorkGroup("keys that a loop goes over",
                              {{"alltrue([for k, v in d : k != \"x\"])"},
                               {"alltrue([for k in keys(d) : k != \"x\"])"},
                               {"alltrue([for v in values(d) : v != \"x\"])"}},
                              mappings));
  groups->push_back(WorkGroup("one piece of a text",
                              {{"split(\"@\", s)[1]"},
                               {"element(split(\"@\", s), 1)"},
                               {"element(split(\"@\", s), -1)"},
                               {"reverse(split(\"@\", s))[0]"}},
                              {R"({"s": "ann.smith@example.com"})"}));
  groups->push_back(WorkGroup("member of a set",
                              {{"contains([\"a\", \"b\", \"c\"], s)"},
                               {"contains(toset([\"a\", \"b\", \"c\"]), s)"},
                               {"anytrue([for v in [\"a\", \"b\", \"c\"] : v == s])"}},
                              {R"({"s": "b"})"}));
  const std::string tables =
      R"({"xs": [{"k": "a"}, {"k": "c"}, {"k": "d"}, {"k": "e"}], "ks": ["c", "d", "e", "f", "g"],
                                 "ys": [{"k": "c"}, {"k": "d"}, {"k": "e"}, {"k": "f"}, {"k": "g"}]})";
  groups->push_back(WorkGroup("list that a loop does not change",
                              {{"anytrue([for x in xs : contains(ks, x.k)])"},
                               {"anytrue([for x in xs : contains(ys[*].k, x.k)])"},
                               {"anytrue([for x in xs : contains([for y in ys : y.k], x.k)])"}},
                              {tables}));
}

// Rules, and what they lead to.
void AddDecisions(std::vector<SpellingGroup>* groups) {
  const std::vector<std::string> scopes = {R"({"n": 5, "s": "hello", "c": true})", R"({"n": 1, "s": "x", "c": false})"};
  groups->push_back(
      WorkGroup("any of a table",
                {{"n > 3 || s == \"x\""},
                 {"anytrue([n > 3, s == \"x\"])"},
                 {"anytrue([for r in [{w = n > 3, m = \"b\"}, {w = s == \"x\", m = \"c\"}] : r.w])"},
                 {"length([for r in [{w = n > 3, m = \"b\"}, {w = s == \"x\", m = \"c\"}] : r.m if r.w]) > 0"}},
                scopes));
  groups->push_back(
      WorkGroup("sum of a table",
                {{"(n > 3 ? 5 : 0) + (s == \"x\" ? 7 : 0)"},
                 {"sum([for r in [{w = n > 3, v = 5}, {w = s == \"x\", v = 7}] : r.w ? r.v : 0])"},
                 {"sum(concat([0], [for r in [{w = n > 3, v = 5}, {w = s == \"x\", v = 7}] : r.v if r.w]))"}},
                scopes));
  groups->push_back(WorkGroup("decision in an object",
                              {{"c ? {allow = true, why = \"ok\"} : {allow = false, why = \"no ${s}\"}"},
                               {"c ? {allow = true, why = null} : {allow = false, why = \"no ${s}\"}"},
                               {"c ? {allow = true, why = []} : {allow = false, why = [\"no ${s}\"]}"},
                               {"c ? {allow = true, why = []} : {allow = false, why = [s]}"}},
                              scopes));
}

}  // namespace

void AddWorkSpellings(std::vector<SpellingGroup>* groups) {
  AddTexts(groups);
  AddScripts(groups);
  AddConditions(groups);
  AddNumbers(groups);
  AddFailures(groups);
  AddMisses(groups);
  AddGuards(groups);
  AddParts(groups);
  AddDecisions(groups);
}

}  // namespace hcl::bench

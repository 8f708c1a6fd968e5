// Spellings of paths, objects, loops and templates. Tested by bench/spelling_test.cc.

#include <string>
#include <vector>

#include "hclvm/bench/spelling_groups.h"
#include "hclvm/bench/workload.h"

namespace hcl::bench {
namespace {

constexpr SpellingKind kSame = SpellingKind::kSame;

std::vector<std::string> Configs() {
  return {
      R"({"c": {"service": {"http": {"port": 80, "hosts": [{"name": "a"}, {"name": "b"}]}, "id": "x"}, "env": "eu"}})",
      R"({"c": {"env": "us", "service": {"id": "y", "http": {"port": 81, "hosts": [{"name": "c"}, {"name": "b"}]}}}})",
  };
}

std::vector<std::string> NoConfig() { return {R"({"c": {}})"}; }

std::vector<std::string> Users() {
  return {
      R"({"us": [{"id": "u1", "age": 17, "ok": true}, {"id": "u2", "age": 18, "ok": false},
               {"id": "u3", "age": 40, "ok": true}, {"id": "u4", "age": 41, "ok": true}]})",
      R"({"us": [{"id": "u5", "age": 12, "ok": false}, {"id": "u6", "age": 28, "ok": true},
               {"id": "u7", "age": 14, "ok": false}, {"id": "u8", "age": 19, "ok": true}]})",
  };
}

std::vector<std::string> NoUser() { return {R"({"us": [{"id": "u1", "age": 20, "ok": true}, {}]})"}; }

std::vector<std::string> Texts() {
  return {
      R"({"a": "account-1", "b": "prod", "c": true, "n": 12})",
      R"({"a": "/v1/a long path, longer than a few bytes", "b": "stage", "c": false, "n": -1})",
  };
}

std::vector<std::string> NoText() { return {R"({"a": [], "b": "x", "c": true, "n": 1})"}; }

// What one instruction finds out.
void AddSearches(std::vector<SpellingGroup>* groups) {
  groups->push_back({"a search in a list",
                     kSame,
                     {{"contains(l, x)"},
                      {"anytrue([for v in l : v == x])"},
                      {"contains([for v in l : v], x)"},
                      {"length([for v in l : v if v == x]) > 0"},
                      {"!alltrue([for v in l : v != x])"}},
                     {R"({"l": ["dev", "ops", "audit"], "x": "audit"})", R"({"l": ["dev", "ops"], "x": "qa"})"},
                     {R"({"l": 1, "x": "audit"})"},
                     /*other_words=*/true});
  groups->push_back({"the beginning of a text",
                     kSame,
                     {{R"(startswith(b, "prod"))"}, {R"(length(regexall("^prod", b)) > 0)"}},
                     Texts(),
                     {R"({"b": []})"},
                     /*other_words=*/true});
  groups->push_back({"a number in a text",
                     kSame,
                     {{R"("${a}:${n}")"}, {R"(format("%s:%d", a, n))"}},
                     Texts(),
                     NoText(),
                     /*other_words=*/true});
}

void AddPaths(std::vector<SpellingGroup>* groups) {
  groups->push_back(
      {"attribute or index",
       kSame,
       {{R"(c.env == "eu" && c.service.id != "z")"}, {R"(c["env"] == "eu" && c["service"]["id"] != "z")"}},
       Configs(),
       NoConfig(),
       /*other_words=*/true});
  groups->push_back({"a deep path",
                     kSame,
                     {{"c.service.http.port > 80"},
                      {R"(c["service"]["http"]["port"] > 80)"},
                      {R"(c.service["http"].port > 80)"},
                      {"((c.service).http).port > 80"}},
                     Configs(),
                     NoConfig(),
                     /*other_words=*/true});
  groups->push_back({"an element's attribute",
                     kSame,
                     {{R"(c.service.http.hosts[1].name == "b")"},
                      {R"(c.service.http.hosts.1.name == "b")"},
                      {R"(c.service.http.hosts["1"].name == "b")"},
                      {R"(c.service.http.hosts[2 - 1].name == "b")"}},
                     Configs(),
                     NoConfig()});
  groups->push_back({"one attribute of all",
                     kSame,
                     {{"us[*].id"}, {"us.*.id"}, {"[for u in us : u.id]"}, {R"([for u in us : u["id"]])"}},
                     Users(),
                     NoUser(),
                     /*other_words=*/true});
  groups->push_back({"the sum of one attribute",
                     kSame,
                     {{"sum(us[*].age)"}, {"sum([for u in us : u.age])"}},
                     Users(),
                     NoUser(),
                     /*other_words=*/true});
  groups->push_back({"whether one attribute has a value",
                     kSame,
                     {{R"(contains(us[*].id, "u3"))"}, {R"(contains([for u in us : u.id], "u3"))"}},
                     Users(),
                     NoUser(),
                     /*other_words=*/true});
}

void AddObjects(std::vector<SpellingGroup>* groups) {
  groups->push_back({"keys of an object",
                     kSame,
                     {{"{ id = a, env = b, n = n }"},
                      {R"({ "id" = a, "env" = b, "n" = n })"},
                      {R"({ ("id") = a, ("env") = b, ("n") = n })"},
                      {"{ id : a, env : b, n : n }"},
                      {"{ n = n, env = b, id = a }"}},
                     Texts(),
                     {},
                     false});
  groups->back().forms.push_back({"id = a\nenv = b\nn = n\n", "a config of three attributes", 1, SourceKind::kConfig});
  groups->push_back(
      {"an object with computed values",
       kSame,
       {{R"({ id = "${b}-${n}", big = n > 3, next = n + 1 })"},
        {"id = \"${b}-${n}\"\nbig = n > 3\nnext = n + 1\n", "a config of the same", 1, SourceKind::kConfig}},
       Texts(),
       {R"({"b": [], "n": 1})"}});
}

void AddLoops(std::vector<SpellingGroup>* groups) {
  groups->push_back({"variables of a loop",
                     kSame,
                     {{"[for u in us : u.id if u.age >= 18]"}, {"[for i, u in us : u.id if u.age >= 18]"}},
                     Users(),
                     NoUser()});
  groups->push_back({"filter of a loop",
                     kSame,
                     {{"[for u in us : u.id if u.ok]"},
                      {"[for u in us : u.id if (u.ok)]"},
                      {"[for u in us : u.id if u.ok && true]"},
                      {"[for u in us : u.id if true && u.ok]"},
                      {"[for u in us : u.id if !!u.ok]"},
                      {R"([for u in us : u.id if u["ok"]])"}},
                     Users(),
                     NoUser(),
                     /*other_words=*/true});
  groups->push_back({"comparison in a filter",
                     kSame,
                     {{"[for u in us : u.id if u.age >= 18]"},
                      {"[for u in us : u.id if !(u.age < 18)]"},
                      {"[for u in us : u.id if 18 <= u.age]"},
                      {R"([for u in us : u["id"] if u["age"] >= 18])"}},
                     Users(),
                     NoUser(),
                     /*other_words=*/true});
  groups->push_back({"keys in an object's loop",
                     kSame,
                     {{"{ for u in us : u.id => u.age }"},
                      {R"({ for u in us : "${u.id}" => u.age })"},
                      {"{ for u in us : (u.id) => u.age }"},
                      {"{ for i, u in us : u.id => u.age }"}},
                     Users(),
                     NoUser()});
}

void AddTemplates(std::vector<SpellingGroup>* groups) {
  groups->push_back({"one value in quotes",
                     kSame,
                     {{R"(a == "account-1" && b == "prod")"},
                      {R"("${a}" == "account-1" && "${b}" == "prod")"},
                      {R"(a == "${"account-1"}" && b == "${"prod"}")"}},
                     Texts(),
                     {}});
  groups->push_back(
      {"one value in quotes, as argument",
       kSame,
       {{R"(startswith(a, "/v1"))"}, {R"(startswith("${a}", "/v1"))"}, {R"(startswith((a), "${"/v1"}"))"}},
       Texts(),
       NoText()});
  groups->push_back({"quoted template or heredoc",
                     kSame,
                     {{R"("id ${a}:${b}\n")"},
                      {"<<EOT\nid ${a}:${b}\nEOT\n", "`<<EOT`"},
                      {"<<-EOT\n  id ${a}:${b}\n  EOT\n", "`<<-EOT`"},
                      {R"("${"id"} ${a}${":"}${b}\n")"},
                      {R"("id ${"${a}:${b}"}\n")"}},
                     Texts(),
                     NoText()});
  groups->push_back(
      {"texts that are joined",
       kSame,
       {{R"("${a} of ${b}: ${n}")"}, {R"(join("", [a, " of ", b, ": ", n]))"}, {R"(format("%s of %s: %s", a, b, n))"}},
       Texts(),
       NoText(),
       /*other_words=*/true});
  groups->push_back({"condition in a template",
                     kSame,
                     {{R"("is ${c ? "on" : "off"}, ${b}")"},
                      {R"("is %{if c}on%{else}off%{endif}, ${b}")"},
                      {R"(c ? "is on, ${b}" : "is off, ${b}")"}},
                     Texts(),
                     {R"({"b": [], "c": true})"}});
}

}  // namespace

void AddCollectionSpellings(std::vector<SpellingGroup>* groups) {
  AddPaths(groups);
  AddSearches(groups);
  AddObjects(groups);
  AddLoops(groups);
  AddTemplates(groups);
}

}  // namespace hcl::bench

// Expressions beside others that mean the same and have to look at more: the first of each group may leave out what the
// others may not. Tested by bench/spelling_test.cc.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hclvm/bench/spelling_groups.h"

namespace hcl::bench {
namespace {

SpellingGroup CheckGroup(const std::string& name, std::vector<SpellingForm> forms, std::vector<std::string> scopes) {
  return {name, SpellingKind::kFewerChecks, std::move(forms), std::move(scopes)};
}

std::vector<std::string> Numbers() {
  return {R"({"a": 1, "b": 2, "c": true, "xs": [1, 2, 3, 4], "t": "x"})",
          R"({"a": 2, "b": 3, "c": false, "xs": [5, 6, 7, 2], "t": "y"})",
          R"({"a": 9, "b": 9, "c": true, "xs": [9, 9], "t": "z"})"};
}

// A chain of `count` conditionals, and a table of as many rules; the match comes early, late, and not at all.
SpellingGroup FirstMatch(int count) {
  std::string chain;
  std::string table;
  for (int i = 1; i < count; ++i) {
    absl::StrAppend(&chain, "a == ", i, " ? \"is ${t} ", i, "\" : ");
    absl::StrAppend(&table, "{when = a == ", i, ", why = \"is ${t} ", i, "\"}, ");
  }
  absl::StrAppend(&chain, "\"none\"");
  absl::StrAppend(&table, "{when = true, why = \"none\"}");
  std::vector<std::string> scopes;
  for (int a : {1, count - 1, count}) scopes.push_back(absl::StrCat(R"({"a": )", a, R"(, "t": "x"})"));
  return CheckGroup(
      absl::StrCat("first of ", count),
      {{chain, "conditionals"}, {absl::StrCat("[for r in [", table, "] : r.why if r.when][0]"), "a table of rules"}},
      scopes);
}

// All `count` tests are true.
SpellingGroup AllTests(int count) {
  std::vector<std::string> tests;
  for (int i = 0; i < count; ++i) tests.push_back(absl::StrCat("a > -", i + 1));
  return CheckGroup(absl::StrCat("all of ", count),
                    {{absl::StrJoin(tests, " && "), "`… && …`"},
                     {absl::StrCat("alltrue([", absl::StrJoin(tests, ", "), "])"), "`alltrue([…])`"}},
                    Numbers());
}

SpellingGroup OneOfTexts(int count) {
  std::vector<std::string> tests;
  std::vector<std::string> texts;
  for (int i = 0; i < count; ++i) {
    texts.push_back(absl::StrCat("\"text-", i, "\""));
    tests.push_back(absl::StrCat("t == ", texts.back()));
  }
  return CheckGroup(absl::StrCat("one of ", count, " texts"),
                    {{absl::StrJoin(tests, " || "), "`t == … \\|\\| t == …`"},
                     {absl::StrCat("contains([", absl::StrJoin(texts, ", "), "], t)"), "`contains([…], t)`"}},
                    Numbers());
}

// Decisions that are objects, and tests that may fail.
void AddDecisions(std::vector<SpellingGroup>* groups) {
  groups->push_back(CheckGroup(
      "first of 3, an object",
      {{R"(a == 1 ? {ok = c, why = "one ${t}"} : b == 3 ? {ok = !c, why = "three"} : {ok = false, why = "none ${t}"})",
        "conditionals"},
       {R"([for r in [{when = a == 1, ok = c, why = "one ${t}"}, {when = b == 3, ok = !c, why = "three"}, )"
        R"({when = true, ok = false, why = "none ${t}"}] : {ok = r.ok, why = r.why} if r.when][0])",
        "a table of rules"}},
      Numbers()));
  groups->push_back(CheckGroup(
      "first of 3, tests with calls",
      {{R"(try(o.k, "") == t ? "is ${t}" : contains(xs, a) && length(xs) > 3 ? "has ${a}" : "none")", "conditionals"},
       {R"([for r in [{when = try(o.k, "") == t, why = "is ${t}"}, )"
        R"({when = contains(xs, a) && length(xs) > 3, why = "has ${a}"}, {when = true, why = "none"}] : )"
        R"(r.why if r.when][0])",
        "a table of rules"}},
      {R"({"o": {}, "t": "x", "xs": [1, 2, 3, 4], "a": 2})", R"({"o": {"k": "x"}, "t": "x", "xs": [1, 2], "a": 2})",
       R"({"o": {"k": "y"}, "t": "x", "xs": [1, 2], "a": 2})"}));
  groups->push_back(CheckGroup("all of some calls",
                               {{R"(contains(xs, a) && length(xs) > 2 && can(o.k) && startswith(t, "x"))"},
                                {R"(alltrue([contains(xs, a), length(xs) > 2, can(o.k), startswith(t, "x")]))"}},
                               {R"({"o": {}, "t": "x", "xs": [1, 2, 3, 4], "a": 2})",
                                R"({"o": {"k": "x"}, "t": "xy", "xs": [1, 2, 3], "a": 2})"}));
}

void AddLazy(std::vector<SpellingGroup>* groups) {
  for (int count : {3, 8, 40, 100}) groups->push_back(FirstMatch(count));
  for (int count : {20, 120}) groups->push_back(AllTests(count));
  for (int count : {8, 30}) groups->push_back(OneOfTexts(count));
  groups->push_back(CheckGroup("all of some",
                               {{"a > 0 && b > 1 && c"},
                                {"alltrue([a > 0, b > 1, c])"},
                                {"length([for x in [a > 0, b > 1, c] : x if !x]) == 0"}},
                               Numbers()));
  groups->push_back(CheckGroup(
      "any of some",
      {{"a > 3 || b > 4 || c"}, {"anytrue([a > 3, b > 4, c])"}, {"length([for x in [a > 3, b > 4, c] : x if x]) > 0"}},
      Numbers()));
  groups->push_back(CheckGroup(
      "one of two", {{"c ? a + 1 : b + 2"}, {"[b + 2, a + 1][c ? 1 : 0]"}, {"{true = a + 1, false = b + 2}[c]"}},
      Numbers()));
  groups->push_back(CheckGroup("a bool behind another", {{"c && (d || false) && a > 0"}, {"c && d && a > 0"}},
                               {R"({"a": 1, "c": true, "d": true})", R"({"a": 1, "c": false, "d": true})",
                                R"({"a": 1, "c": true, "d": false})"}));
  groups->push_back(CheckGroup(
      "a test before work",
      {{R"(c && startswith("${a}-${b}", "1"))"}, {R"(alltrue([c, startswith("${a}-${b}", "1")]))"}}, Numbers()));
  groups->push_back(CheckGroup(
      "an element of a list",
      {{"contains(xs, a)"}, {"anytrue([for x in xs : x == a])"}, {"length([for x in xs : x if x == a]) > 0"}},
      Numbers()));
  groups->push_back(CheckGroup("one of three texts",
                               {{R"(t == "x" || t == "y" || t == "w")"},
                                {R"(contains(["x", "y", "w"], t))"},
                                {R"(anytrue([for s in ["x", "y", "w"] : s == t]))"},
                                {R"(length([for s in ["x", "y", "w"] : s if s == t]) > 0)"}},
                               Numbers()));
  groups->push_back(
      CheckGroup("the first that is set",
                 {{"o.x != null ? o.x : o.y"}, {"coalesce(o.x, o.y)"}, {"[for v in [o.x, o.y] : v if v != null][0]"}},
                 {R"({"o": {"x": 1, "y": 2}})", R"({"o": {"x": null, "y": 2}})"}));
  groups->push_back(CheckGroup(
      "the first that applies, or a default",
      {{R"(t == "x" ? a : b == 3 ? b : 7)"}, {R"(coalesce(t == "x" ? a : null, b == 3 ? b : null, 7))"}}, Numbers()));
  groups->push_back(CheckGroup(
      "a match for a level",
      {{R"(t == "x" ? 1 : t == "y" ? 2 : 3)"}, {R"({x = a - a + 1, y = b - b + 2, z = a - a + 3}[t])"}}, Numbers()));
}

}  // namespace

void AddCheckSpellings(std::vector<SpellingGroup>* groups) {
  AddLazy(groups);
  AddDecisions(groups);
}

}  // namespace hcl::bench

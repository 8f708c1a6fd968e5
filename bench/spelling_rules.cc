// Spellings of tables of rules. Tested by bench/spelling_test.cc.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "hclvm/bench/spelling_groups.h"

namespace hcl::bench {
namespace {

constexpr SpellingKind kSame = SpellingKind::kSame;

// The scope has a variable of the loop's name, which nothing reads.
std::vector<std::string> Requests() {
  return {
      R"({"r": {"role": "root", "user": "ann", "owner": "bob", "n": 7}, "x": {"when": true, "why": "no rule", "id": "x"}})",
      R"({"r": {"role": "staff", "user": "ann", "owner": "ann", "n": 8}, "x": {"when": false}})",
      R"({"r": {"role": "guest", "user": "ann", "owner": "bob", "n": 1}, "x": {"when": true, "why": "no rule", "id": "x"}})",
  };
}

// A rule that does not match fails as well when its reason cannot be made.
std::vector<std::string> Failing() { return {R"({"r": {"role": "root", "user": "ann", "n": 7}})"}; }

// Four rules, the last of which always matches. A quotation mark before a key stands where quotes may be put.
constexpr char kRules[] =
    R"({'id' = "root", 'when' = r.role == "root", 'why' = "is ${r.role}"}, )"
    R"({'id' = "owner", 'when' = r.role != "guest" && r.owner == r.user, 'why' = "${r.user} owns it"}, )"
    R"({'id' = "many", 'when' = r.n > 9, 'why' = "${r.n} are many, ${r.owner}"}, )"
    R"({'id' = "default", 'when' = true, 'why' = "no rule for ${r.user}"})";

std::string Rules() { return absl::StrReplaceAll(kRules, {{"'", ""}}); }

SpellingGroup TableGroup(std::string name, std::vector<SpellingForm> forms) {
  return {std::move(name), kSame, std::move(forms), Requests(), Failing()};
}

// `loop` with the rules for @.
SpellingForm Table(const std::string& loop) {
  return {absl::StrReplaceAll(loop, {{"@", Rules()}}), absl::StrCat("`", absl::StrReplaceAll(loop, {{"@", "…"}}), "`")};
}

void AddLoops(std::vector<SpellingGroup>* groups) {
  groups->push_back(TableGroup("variables of a table's loop", {Table("[for x in [@] : x.id if x.when][0]"),
                                                               Table("[for i, x in [@] : x.id if x.when][0]"),
                                                               Table("[for r_1 in [@] : r_1.id if r_1.when][0]")}));
  groups->push_back(TableGroup(
      "condition of a table's loop",
      {Table("[for x in [@] : x.id if x.when][0]"), Table("[for x in [@] : x.id if (x.when)][0]"),
       Table(R"([for x in [@] : x.id if x["when"]][0])"), Table("[for x in [@] : x.id if x.when && true][0]"),
       Table("[for x in [@] : x.id if x.when == true][0]"), Table("[for x in [@] : x.id if !!x.when][0]")}));
  groups->push_back(
      TableGroup("value of a table's loop",
                 {Table("[for x in [@] : x.why if x.when][0]"), Table(R"([for x in [@] : x["why"] if x.when][0])"),
                  Table("[for x in [@] : (x.why) if x.when][0]"), Table(R"([for x in [@] : "${x.why}" if x.when][0])"),
                  Table("[for x in [@] : {v = x.why} if x.when][0].v"), Table("[for x in [@] : x if x.when][0].why")}));
  groups->push_back(TableGroup(
      "first of a table",
      {Table("[for x in [@] : x.why if x.when][0]"), Table("([for x in [@] : x.why if x.when])[0]"),
       Table(R"([for x in [@] : x.why if x.when]["0"])"), Table("element([for x in [@] : x.why if x.when], 0)"),
       Table("slice([for x in [@] : x.why if x.when], 0, 1)[0]"),
       Table("concat([for x in [@] : x.why if x.when], [])[0]"),
       Table("one(slice([for x in [@] : x.why if x.when], 0, 1))")}));
  groups->push_back(TableGroup(
      "list of a table", {Table("[for x in [@] : x.why if x.when][0]"), Table("[for x in ([@]) : x.why if x.when][0]"),
                          Table("[for x in concat([@], []) : x.why if x.when][0]"),
                          Table("[for x in flatten([[@]]) : x.why if x.when][0]"),
                          Table("[for x in slice([@], 0, 4) : x.why if x.when][0]"),
                          Table("[for x in true ? [@] : [] : x.why if x.when][0]")}));
  groups->push_back(TableGroup("all of a table",
                               {Table("[for x in [@] : x.why if x.when]"), Table("[for i, x in [@] : x.why if x.when]"),
                                Table("[for x in flatten([[@]]) : x.why if x.when]")}));
}

// The rules, with their keys and their order in a rule written in other ways.
void AddKeys(std::vector<SpellingGroup>* groups) {
  const auto form = [](const std::string& name, const std::string& rules) {
    return SpellingForm{absl::StrCat("[for x in [", rules, "] : x.why if x.when][0]"), name};
  };
  groups->push_back(TableGroup(
      "keys of rules",
      {
          form("`id = …`", Rules()),
          form("`\"id\" = …`", absl::StrReplaceAll(kRules, {{"'", "\""}})),
          form("`(\"id\") = …`",
               absl::StrReplaceAll(kRules, {{"'id'", "(\"id\")"}, {"'when'", "(\"when\")"}, {"'why'", "(\"why\")"}})),
          form("`id : …`", absl::StrReplaceAll(kRules, {{"' =", " :"}, {"'", ""}})),
          form("a line for each key", absl::StrReplaceAll(kRules, {{", '", ",\n"}, {"'", ""}})),
      }));
  const auto ordered = [&form](const std::string& first, const std::string& second, const std::string& third) {
    const auto rule = [&](const std::string& id, const std::string& when, const std::string& why) {
      const auto item = [&](const std::string& key) {
        return absl::StrCat(key, " = ", key == "id" ? id : key == "when" ? when : why);
      };
      return absl::StrCat("{", item(first), ", ", item(second), ", ", item(third), "}");
    };
    return form(absl::StrCat(first, ", ", second, ", ", third),
                absl::StrCat(rule("\"root\"", "r.role == \"root\"", "\"is ${r.role}\""), ", ",
                             rule("\"owner\"", "r.owner == r.user", "\"${r.user} owns it\""), ", ",
                             rule("\"default\"", "true", "\"no rule for ${r.user}\"")));
  };
  groups->push_back(TableGroup("order of a rule's keys", {ordered("id", "when", "why"), ordered("when", "why", "id"),
                                                          ordered("why", "id", "when")}));
}

// An object's rules come in the order of its keys.
void AddObjects(std::vector<SpellingGroup>* groups) {
  constexpr char kFirst[] = R"({when = r.role == "root", why = "is ${r.role}"})";
  constexpr char kSecond[] = R"({when = r.owner == r.user, why = "${r.user} owns it"})";
  constexpr char kLast[] = R"({when = true, why = "no rule for ${r.user}"})";
  const std::string object = absl::StrCat("{a = ", kFirst, ", b = ", kSecond, ", c = ", kLast, "}");
  groups->push_back(TableGroup(
      "an object of rules",
      {{absl::StrCat("[for x in [", kFirst, ", ", kSecond, ", ", kLast, "] : x.why if x.when][0]"), "a list"},
       {absl::StrCat("[for x in ", object, " : x.why if x.when][0]"), "an object"},
       {absl::StrCat("[for k, x in ", object, " : x.why if x.when][0]"), "an object, with the key's variable"},
       {absl::StrCat("[for x in values(", object, ") : x.why if x.when][0]"), "`values({…})`"}}));
  groups->push_back(TableGroup(
      "where rules are split",
      {{absl::StrCat("[for x in [", kFirst, ", ", kSecond, ", ", kLast, "] : x.why if x.when][0]"), "one list"},
       {absl::StrCat("[for x in concat([", kFirst, "], [", kSecond, ", ", kLast, "]) : x.why if x.when][0]"),
        "`concat([…], […])`"},
       {absl::StrCat("[for x in flatten([[", kFirst, ", ", kSecond, "], ", kLast, "]) : x.why if x.when][0]"),
        "`flatten([[…], …])`"}}));
}

}  // namespace

void AddRuleSpellings(std::vector<SpellingGroup>* groups) {
  AddLoops(groups);
  AddKeys(groups);
  AddObjects(groups);
}

}  // namespace hcl::bench

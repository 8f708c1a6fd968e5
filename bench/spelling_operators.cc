// Spellings of operators, conditionals and constants. Tested by bench/spelling_test.cc.

#include <string>
#include <vector>

#include "hclvm/bench/spelling_groups.h"

namespace hcl::bench {
namespace {

constexpr SpellingKind kSame = SpellingKind::kSame;

std::vector<std::string> Numbers() {
  return {
      R"({"a": 3, "b": 3, "c": true, "d": 7})",
      R"({"a": 4, "b": 3, "c": true, "d": -7})",
      R"({"a": -1, "b": 9, "c": true, "d": 1000})",
  };
}

// A number that is none fails in arithmetic and comparison, and a string in place of a bool fails in logic.
std::vector<std::string> NoNumbers() { return {R"({"a": "x", "b": 3, "c": true, "d": 7})"}; }

std::vector<std::string> NoBool() { return {R"({"a": 3, "b": 3, "c": "x", "d": 7})"}; }

std::vector<std::string> Truths() {
  return {
      R"({"x": true, "y": true, "z": 1})",
      R"({"x": false, "y": true, "z": 2})",
      R"({"x": true, "y": false, "z": 3})",
  };
}

std::vector<std::string> NoTruth() { return {R"({"x": [], "y": true, "z": 1})"}; }

std::vector<std::string> Requests() {
  return {
      R"({"r": {"role": "admin", "path": "/v1/users", "env": "prod", "n": 3}})",
      R"({"r": {"role": "owner", "path": "/v2/users", "env": "stage", "n": 4}})",
      R"({"r": {"role": "viewer", "path": "/v1/groups", "env": "dev", "n": 5}})",
  };
}

std::vector<std::string> NoRole() { return {R"({"r": {}})"}; }

// A term stands beside another one, as it does in policies; alone, little but the start of the evaluation would count.
void AddComparisons(std::vector<SpellingGroup>* groups) {
  groups->push_back({"not equal",
                     kSame,
                     {{"a != b && c"}, {"!(a == b) && c"}, {"(a == b) == false && c"}, {"b != a && c"}},
                     Numbers(),
                     NoBool()});
  groups->push_back({"not less",
                     kSame,
                     {{"a >= b && c"}, {"!(a < b) && c"}, {"b <= a && c"}},
                     Numbers(),
                     NoNumbers(),
                     /*other_words=*/true});
  groups->push_back({"greater",
                     kSame,
                     {{"a > 2 && d < 9"}, {"2 < a && 9 > d"}, {"a > 2 && !(d >= 9)"}},
                     Numbers(),
                     NoNumbers(),
                     /*other_words=*/true});
  groups->push_back({"the constant's side",
                     kSame,
                     {{R"(r.role == "admin" || r.role == "owner")"}, {R"("admin" == r.role || "owner" == r.role)"}},
                     Requests(),
                     NoRole()});
  groups->push_back({"order of equal tests",
                     kSame,
                     {{R"(r.role == "a" || r.role == "b" || r.role == "c" || r.n == 9)"},
                      {R"(r.role == "c" || r.role == "a" || r.n == 9 || r.role == "b")"},
                      {R"((r.role == "a" || (r.role == "b" || (r.role == "c" || r.n == 9))))"}},
                     Requests(),
                     NoRole(),
                     /*other_words=*/true});
  groups->push_back({"one of several",
                     kSame,
                     {{R"(contains(["admin", "owner", "root"], r.role))"},
                      {R"(contains(["root", "owner", "admin"], r.role))"},
                      {R"(contains(concat(["root", "owner"], ["admin"]), r.role))"},
                      {R"(contains(["${"admin"}", ("owner"), "root"], r["role"]))"}},
                     Requests(),
                     NoRole(),
                     /*other_words=*/true});
  groups->push_back({"some elements",
                     kSame,
                     {{"length(l) > 0 && c"},
                      {"length(l) != 0 && c"},
                      {"length(l) >= 1 && c"},
                      {"0 < length(l) && c"},
                      {"!(length(l) == 0) && c"}},
                     {R"({"l": [1, 2], "c": true})", R"({"l": [], "c": true})"},
                     {R"({"l": 1, "c": true})"}});
}

void AddLogic(std::vector<SpellingGroup>* groups) {
  groups->push_back({"a bool as itself",
                     kSame,
                     {{"x && y && z > 0 && z < 9"},
                      {"(x ? true : false) && y && z > 0 && z < 9"},
                      {"!!x && y && z > 0 && z < 9"},
                      {"x && true && y && z > 0 && z < 9"}},
                     Truths(),
                     NoTruth(),
                     /*other_words=*/true});
  groups->push_back({"negation of a sum",
                     kSame,
                     {{R"(!(r.role == "root" || r.n > 4 || r.env == "dev"))"},
                      {R"(r.role != "root" && !(r.n > 4) && r.env != "dev")"},
                      {R"(!(r.role == "root") && r.n <= 4 && !(r.env == "dev"))"},
                      {R"((r.role == "root" || r.n > 4 || r.env == "dev") ? false : true)"}},
                     Requests(),
                     NoRole(),
                     /*other_words=*/true});
  groups->push_back({"conditional, arms changed",
                     kSame,
                     {{"a == b ? a : d"}, {"a != b ? d : a"}, {"!(a == b) ? d : a"}},
                     Numbers(),
                     {R"({"a": 1, "b": 1, "d": []})"},
                     /*other_words=*/true});
  groups->push_back({"nested conditional",
                     kSame,
                     {{R"(r.env == "prod" ? r.n * 2 : r.env == "stage" ? r.n : 1)"},
                      {R"(r.env == "prod" ? r.n * 2 : (r.env == "stage" ? r.n : 1))"},
                      {R"(((r.env == "prod") ? (r.n * 2) : ((r.env == "stage") ? (r.n) : (1))))"},
                      {R"(r.env != "prod" ? r.env != "stage" ? 1 : r.n : r.n * 2)"}},
                     Requests(),
                     NoRole()});
  groups->push_back({"with a default",
                     kSame,
                     {{"try(o.rate, 1) * n"}, {"(can(o.rate) ? o.rate : 1) * n"}},
                     {R"({"o": {"rate": 2}, "n": 3})", R"({"o": {"burst": 2}, "n": 4})"},
                     {R"({"o": {"rate": 2}, "n": "x"})"}});
}

// The policy is that of W1 without its list of addresses.
void AddLayout(std::vector<SpellingGroup>* groups) {
  groups->push_back({"parentheses in a policy",
                     kSame,
                     {{R"(startswith(r.path, "/v1") && r.role == "admin" || startswith(r.path, "/v2") && r.n > 3)",
                       "`p && q \\|\\| s && t`"},
                      {R"((startswith(r.path, "/v1") && r.role == "admin") || (startswith(r.path, "/v2") && r.n > 3))",
                       "`(p && q) \\|\\| (s && t)`"},
                      {R"((((startswith((r.path), ("/v1"))) && ((r.role) == ("admin")))) || ()"
                       R"(((startswith(r.path, "/v2")) && ((r.n) > (3)))))",
                       "around every part"}},
                     Requests(),
                     NoRole()});
  groups->push_back({"parentheses in arithmetic",
                     kSame,
                     {{"a * 2 + b * 3 - d"}, {"((a * 2) + (b * 3)) - d"}, {"(((a) * (2)) + ((b) * (3))) - (d)"}},
                     Numbers(),
                     NoNumbers()});
  groups->push_back({"blanks and comments",
                     kSame,
                     {{"r.n*2+1>r.n&&r.role==\"admin\"", "none"},
                      {"r.n * 2 + 1 > r.n && r.role == \"admin\"", "blanks"},
                      {"(\n  r.n * 2 /* twice */ + 1 > r.n # more\n  && // and\n  r.role == \"admin\"\n)", "comments"}},
                     Requests(),
                     NoRole()});
  groups->push_back({"a number's digits",
                     kSame,
                     {{"a * 2 + b > 10 && c"}, {"a * 2.0 + b > 10.00 && c"}, {"a * 2e0 + b > 1e1 && c"}},
                     Numbers(),
                     NoNumbers()});
  groups->push_back({"order of operands",
                     kSame,
                     {{"a * 2 + 1 > d"}, {"1 + 2 * a > d"}, {"d < 1 + a * 2"}},
                     Numbers(),
                     NoNumbers(),
                     /*other_words=*/true});
  groups->push_back({"difference",
                     kSame,
                     {{"a - b > 0 && c"}, {"a + -b > 0 && c"}, {"-b + a > 0 && c"}},
                     Numbers(),
                     NoNumbers(),
                     /*other_words=*/true});
  groups->push_back({"a sum that is read twice",
                     kSame,
                     {{"(a + b) * (a + b) > d"}, {"[for s in [a + b] : s * s > d][0]"}},
                     Numbers(),
                     NoNumbers(),
                     /*other_words=*/true});
}

}  // namespace

void AddOperatorSpellings(std::vector<SpellingGroup>* groups) {
  AddComparisons(groups);
  AddLogic(groups);
  AddLayout(groups);
}

}  // namespace hcl::bench

// Long forms, around the sizes at which something may change. Tested by bench/spelling_test.cc.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hclvm/bench/spelling_groups.h"

namespace hcl::bench {
namespace {

// part(0), part(1) ... part(count - 1), with `separator` between them.
template <typename Part>
std::string Repeat(int count, const std::string& separator, const Part& part) {
  std::vector<std::string> parts;
  for (int i = 0; i < count; ++i) parts.push_back(part(i));
  return absl::StrJoin(parts, separator);
}

// One form for each of `sizes`, counted for each part.
template <typename Source>
SpellingGroup Sizes(std::string name, const std::string& parts, const std::vector<int>& sizes, const Source& source) {
  SpellingGroup group;
  group.name = std::move(name);
  for (int size : sizes) {
    SpellingForm form;
    form.source = source(size);
    form.name = absl::StrCat(size, " ", parts);
    form.parts = size;
    group.forms.push_back(std::move(form));
  }
  group.scopes = {R"({"a": -1, "z": 0, "t": "text", "s": {"a": -1, "t": "text"}})",
                  R"({"a": -2, "z": 0, "t": "some longer text", "s": {"a": 7, "t": "another text of some length"}})"};
  group.failing = {R"({"a": [], "z": [], "t": [], "s": {}})"};
  group.other_words = true;  // each part has a message
  return group;
}

// Every term is looked at, and longer chains have the values of shorter ones.
void AddChains(std::vector<SpellingGroup>* groups) {
  const std::vector<int> sizes = {50, 99, 100, 101, 200};
  groups->push_back(Sizes("chain of &&", "terms", sizes, [](int size) {
    return Repeat(size, " && ", [](int i) { return absl::StrCat("a < ", i); });
  }));
  groups->push_back(Sizes("chain of \\|\\|", "terms", sizes, [](int size) {
    return Repeat(size, " || ", [](int i) { return absl::StrCat("a > ", i); });
  }));
  groups->push_back(
      Sizes("chain of +", "terms", sizes, [](int size) { return Repeat(size, " + ", [](int) { return "z"; }); }));
  groups->push_back(Sizes("chain of conditionals", "tests", {50, 97, 98, 99, 101}, [](int size) {
    return absl::StrCat(Repeat(size, " : ", [](int i) { return absl::StrCat("a > ", i, " ? \"r", i, "\""); }), " : t");
  }));
}

// Tables of small rules, and of rules that read more. The longer ones are looked up at once, so that sizes are near
// each other.
void AddTables(std::vector<SpellingGroup>* groups) {
  groups->push_back(Sizes("longer rules of a table", "rules", {250, 257, 280}, [](int size) {
    return absl::StrCat("[for r in [",
                        Repeat(size, ", ",
                               [size](int i) {
                                 const bool is_last = i + 1 == size;
                                 return absl::StrCat(
                                     "{id = \"rule-", is_last ? 0 : i,
                                     "\", when = ", is_last ? "true" : absl::StrCat("s.t == \"t", i, "\" && s.a > ", i),
                                     ", why = \"", is_last ? "none for ${s.t}" : absl::StrCat("${t}, ${s.t} ", i),
                                     "\"}");
                               }),
                        "] : {id = r.id, why = r.why} if r.when][0]");
  }));
  groups->push_back(Sizes("rules of a table", "rules", {30, 230, 240, 256, 257, 300}, [](int size) {
    return absl::StrCat("[for r in [",
                        Repeat(size, ", ",
                               [size](int i) {
                                 return absl::StrCat("{when = ", i + 1 == size ? "true" : absl::StrCat("a == ", i),
                                                     ", why = \"", i + 1 == size ? "none" : "is ${t}", "\"}");
                               }),
                        "] : r.why if r.when][0]");
  }));
}

// A literal's elements are values of the scope, so that it is no constant; one of them is looked at beside the whole.
void AddLiterals(std::vector<SpellingGroup>* groups) {
  const std::vector<int> sizes = {32, 64, 65, 66, 128};
  groups->push_back(Sizes("keys of an object literal", "keys", sizes, [](int size) {
    return absl::StrCat(
        "{", Repeat(size, ", ", [](int i) { return absl::StrCat("k", i, i % 2 == 0 ? " = s.a" : " = s.t"); }), "}");
  }));
  groups->back().view = "($).k7";
  groups->push_back(Sizes("elements of a list literal", "elements", sizes, [](int size) {
    return absl::StrCat("[", Repeat(size, ", ", [](int i) { return i % 2 == 0 ? "s.a" : "s.t"; }), "]");
  }));
  groups->back().view = "($)[7]";
  groups->push_back(Sizes("parts of a template", "parts", sizes, [](int size) {
    return absl::StrCat("\"", Repeat(size, "", [](int i) { return i % 2 == 0 ? "-" : "${t}"; }), "\"");
  }));
  groups->back().view = "startswith($, \"-$${t}-\")";
  groups->push_back(Sizes("arguments of a call", "arguments", sizes, [](int size) {
    return absl::StrCat("max(", Repeat(size, ", ", [](int i) { return i % 2 == 0 ? "a" : "z"; }), ")");
  }));
}

}  // namespace

void AddLongSpellings(std::vector<SpellingGroup>* groups) {
  AddChains(groups);
  AddTables(groups);
  AddLiterals(groups);
}

}  // namespace hcl::bench

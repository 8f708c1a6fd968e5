// Random policies: rule tables, long chains, loops with conditions, lookups. What the compiler has special code for.

#include "absl/strings/str_cat.h"
#include "hclvm/tests/differential/programs.h"

namespace hcl::differential {

// An operand that is there, of the kind that its letter names.
std::string Programs::Operand(char kind) {
  switch (kind) {
    case 'n':
      return random_.Pick({"u.age", "i", "j", "k", "n1", "17", "18", "0", "30", "us[1].age", "length(u.tags)", "o.a",
                           "d", "nulln", "\"7\""});
    case 's':
      return random_.Pick({"u.name", "s", "t", "\"ann\"", "\"bob\"", "\"x\"", "emp", "us[0].name", "ls[0]", "\"hello\"",
                           "uni", "nulls", "num"});
    default:
      return random_.Pick({"u.admin", "yes", "no", "true", "false", "us[1].admin", "tr", "\"false\""});
  }
}

// A condition over the variables, and over `item` if that is not empty: an object with attributes of some names.
std::string Programs::Condition(const std::string& item, int depth) {
  const auto field = [&](const char* name, char kind) {
    return item.empty() || random_.Chance(40) ? Operand(kind) : absl::StrCat(item, ".", name);
  };
  if (depth > 0 && random_.Chance(45)) {
    const char* const op = random_.Pick({" && ", " || "});
    std::string text = absl::StrCat("(", Condition(item, depth - 1));
    for (size_t n = 1 + random_.Below(random_.Chance(10) ? 70 : 3); n > 0; --n)
      absl::StrAppend(&text, op, Condition(item, depth - 1));
    return text + ")";
  }
  switch (random_.Below(8)) {
    case 0:
    case 1:
      return absl::StrCat(field("min", 'n'), random_.Pick({" < ", " <= ", " > ", " >= ", " == ", " != "}),
                          Operand('n'));
    case 2:
    case 3:
      return absl::StrCat(field("name", 's'), random_.Pick({" == ", " != "}), Operand('s'));
    case 4:
      return absl::StrCat(random_.Chance(30) ? "!" : "", field("on", 'b'));
    case 5: {
      std::string list = random_.Chance(50) ? "u.tags" : "[\"ann\", \"x\", \"hello\"";
      if (list[0] == '[') {
        for (size_t n = random_.Below(12); n > 0; --n)
          absl::StrAppend(&list, ", ", random_.Pick({"\"z\"", "\"bob\"", "1", "null", "\"7\"", "\"\"", "true"}));
        list += "]";
      }
      return absl::StrCat("contains(", list, ", ", field("name", 's'), ")");
    }
    case 6:
      return absl::StrCat(random_.Pick({"startswith(", "endswith(", "strcontains("}), field("name", 's'), ", ",
                          random_.Pick({"\"a\"", "\"o\"", "\"\"", "s"}), ")");
    default:
      return absl::StrCat("length(", random_.Pick({"u.tags", "ls", "us", "[]", "ms"}), ")",
                          random_.Pick({" > ", " == "}), random_.Pick({"0", "1", "2", "3"}));
  }
}

// A list of objects that have the attributes min, name and on, mostly all of them, in the text or a variable.
std::string Programs::RuleTable() {
  if (random_.Chance(10))
    return random_.Pick({"us", "[for x in us : {min = x.age, name = x.name, on = x.admin}]", "[]"});
  std::string text = "[";
  for (size_t n = 1 + random_.Below(random_.Chance(10) ? 40 : 5), count = n; n > 0; --n) {
    absl::StrAppend(
        &text, n < count ? ", " : "", "{min = ", Operand('n'), ", ",
        random_.Pick({"name", "name", "\"name\"", "(\"name\")"}), " = ", Operand('s'),
        random_.Chance(3) ? "" : absl::StrCat(", on = ", random_.Chance(30) ? Condition("", 1) : Operand('b')),
        random_.Chance(10) ? ", extra = [1, u]" : "", "}");
  }
  return text + "]";
}

// The forms of real policies, with the names of variables of the scope for loop variables, too.
std::string Programs::Policy() {
  const char* const item = random_.Pick({"r", "r", "x", "u", "s", "on"});
  const std::string name = item;
  switch (random_.Below(12)) {
    case 0:
    case 1:
      return Condition("", 2);
    case 2:
    case 3:
      return absl::StrCat("[for ", random_.Chance(20) ? "n, " : "", name, " in ", RuleTable(), " : ", name,
                          random_.Pick({".name", "", ".min", ".on", "[\"name\"]", ".extra"}), " if ",
                          Condition(name, 2), "]");
    case 4:
      return absl::StrCat("length([for ", name, " in ", RuleTable(), " : 1 if ", Condition(name, 1), "]) > 0");
    case 5:
      return absl::StrCat("{for ", name, " in ", RuleTable(), " : ", name, ".name => ", name, ".min",
                          random_.Chance(60) ? "..." : "", " if ", Condition(name, 1), "}");
    case 6: {
      std::string text;
      for (size_t n = 1 + random_.Below(6); n > 0; --n)
        absl::StrAppend(&text, Condition("", 1), " ? ", Operand(random_.Chance(70) ? 's' : 'n'), " : ");
      return text + Operand('s');
    }
    case 7: {
      std::string text = "\"";
      for (size_t n = 1 + random_.Below(random_.Chance(10) ? 60 : 6); n > 0; --n)
        absl::StrAppend(&text, random_.Pick({"", "-", "x ", "\u00e9"}), "${", Operand(random_.Pick({"n", "s", "b"})[0]),
                        "}");
      return text + "\"";
    }
    case 8:
      return absl::StrCat("[for ", name, " in us : ", name, ".name if ",
                          random_.Chance(50) ? absl::StrCat(name, ".age > ", Operand('n'), " && ") : "", "contains(",
                          random_.Pick({"u.tags", "[\"ann\", \"cy\"]", "ls"}), ", ", name, ".name)]");
    case 9:
      return absl::StrCat("lookup({ann = ", Operand('n'), ", x = 2, hello = ", Operand('n'), "}, ", Operand('s'),
                          ", 0)", random_.Pick({" > 1", " + 1", ""}));
    case 10: {
      std::string text = Operand('n');
      for (size_t n = 1 + random_.Below(random_.Chance(10) ? 80 : 6); n > 0; --n)
        absl::StrAppend(&text, random_.Pick({" + ", " - ", " * "}), Operand('n'));
      return absl::StrCat(text, random_.Pick({"", " > 100", " == 0", " <= i"}));
    }
    default:
      return absl::StrCat("{allow = ", Condition("", 1), ", names = [for ", name, " in ", RuleTable(), " : ", name,
                          ".name if ", name, ".on], first = try([for ", name, " in ", RuleTable(), " : ", name,
                          ".min if ", Condition(name, 1), "][0], null)}");
  }
}

}  // namespace hcl::differential
